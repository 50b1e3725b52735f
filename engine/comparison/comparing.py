"""Run all mechanisms at all values of a sweep."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator, Sequence
from typing import Any

from engine.arguments import SeedLike, as_data, as_seed
from engine.comparison.compared import Comparison
from engine.comparison.contenders import ContendersLike, contenders_from, same_task
from engine.comparison.results import ComparedMechanism, Outcome, Sweep, SweepLike, Trial, as_sweep
from engine.comparison.schedule import Rounds, Runs, in_turn
from engine.comparison.sweeps import check_swept, vary
from engine.data.database import check_divisible
from engine.errors import ParameterError
from engine.numerals import grouped
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Cancelled, Progress, Publish, silent, unpublished
from engine.signatures import explained
from engine.simulation import runs_of_each

PUBLISH_SECONDS = 0.25
"""Seconds between two intermediate results."""

PUBLISH_PAUSE_RATIO = 5.0
"""The smallest ratio of that interval to the time of publishing, which waits for the display."""


def trials(
    contenders: Sequence[ComparedMechanism], sweep: Sweep, privacy: Privacy, n: int
) -> tuple[Trial, ...]:
    """Return the trials: each mechanism at each value of the sweep.

    If the values do not affect a mechanism, all its trials are `shared`.  (Epsilon does not affect one that
    is not private; a parameter only affects mechanisms that have it.)
    """
    return tuple(_Plan(contenders, sweep, privacy, n).trials())


class _Plan:
    """Creates trials one by one, since a long sweep has more than a user waits for."""

    def __init__(
        self, contenders: Sequence[ComparedMechanism], sweep: Sweep, privacy: Privacy, n: int
    ) -> None:
        same_task([contender.mechanism for contender in contenders])
        if not sweep.values:
            raise ParameterError("sweep", f"there is no value of {sweep.name}; give at least one")
        self._contenders, self._sweep, self._privacy, self._n = contenders, sweep, privacy, n
        self.positions = range(len(sweep.values))
        # whether the values do not affect a mechanism
        self.shared = [self._change_nothing(number) for number in range(len(contenders))]

    @property
    def different(self) -> int:
        return sum(map(self.trials_of, range(len(self.shared))))

    def trials_of(self, number: int) -> int:
        """Return how many different trials a mechanism has."""
        return 1 if self.shared[number] else len(self.positions)

    def trials(self, *, different: bool = False) -> Iterator[Trial]:
        """Yield all trials, or only those to be made: shared ones once."""
        for position in self.positions:
            for number, alike in enumerate(self.shared):
                if not (different and alike and position):
                    yield self.trial(number, position)

    def trial(self, number: int, position: int) -> Trial:
        """Return the trial of a mechanism at an index of the sweep."""
        trial = self._unshared(number, position)
        return dataclasses.replace(trial, shared=True) if self.shared[number] else trial

    def _unshared(self, number: int, position: int) -> Trial:
        value, mechanism = self._sweep.values[position], self._contenders[number].mechanism
        privacy, n = self._privacy, self._n
        if self._sweep.name == "epsilon":
            privacy = dataclasses.replace(privacy, epsilon=value)
        elif self._sweep.name == "n":
            if not 1 <= value <= n:
                raise ParameterError(
                    "sweep",
                    f"{value:,g} records cannot be drawn from {grouped(n)}; choose n between 1 "
                    f"and {grouped(n)}",
                )
            n = int(value)
        else:
            mechanism = vary(mechanism, self._sweep.name, value)
        return Trial(number, position, value, mechanism, privacy, n)

    def _change_nothing(self, number: int) -> bool:
        """Tell whether the values do not affect a mechanism; raise if one is not possible."""
        name, contender = self._sweep.name, self._contenders[number]
        if name in ("epsilon", "n"):
            # if both ends are possible, so are all values between
            for position in (self.positions[0], self.positions[-1]):
                self._unshared(number, position)
            return name == "epsilon" and len(self.positions) > 1 and not contender.mechanism.facts.is_private
        kinds = {vary(contender.mechanism, name, value) for value in self._sweep.values}
        return len(self.positions) > 1 and len(kinds) == 1


@explained
def compare(
    contenders: ContendersLike,
    data: Any,
    privacy: PrivacyLike,
    sweep: SweepLike,
    *,
    runs: int | Sequence[int],
    seed: SeedLike,
    processes: Runs | None = None,
    progress: Progress = silent,
    publish: Publish[Comparison] = unpublished,
) -> Comparison:
    """Simulate many releases of each mechanism at each value of a sweep.

    A few runs of all trials come first, then the others.  Trials that are `shared` are made once.

    Parameters
    ----------
    contenders : sequence of Mechanism
        Mechanisms, their classes or names.
    data : Sample, Points, Categories or a graph
    privacy : PrivacyLike
        The budget; a sweep of epsilon replaces its epsilon.
    sweep : Sweep
        A pair of name and values is accepted.
    runs : int or sequence of int
        Simulated releases of each mechanism at each value.  Slow mechanisms may have fewer: give one number
        for each.
    seed : int
        At least 0.  All mechanisms draw from the same seeds, which depend on the index of the value in the
        sweep. In a sweep of n they all get the same records, and errors refer to the true value of these
        records.
    processes : Processes, optional
        Run the trials, on the same data; by default this thread does.
    progress : Progress
        When it raises `Cancelled`, the results so far are returned.
    publish : callable
        Receives the comparison so far, a few times a second.

    Returns
    -------
    Comparison
        `Comparison.complete` tells whether it was cancelled.

    Raises
    ------
    ParameterError
        If the mechanisms answer different queries, or a value of the sweep, `runs` or `seed` is not possible.
    DataError
        If records cannot be drawn from the data, such as a graph.
    ExecutionError
        If a process fails.

    See Also
    --------
    Sweep, alternatives, verdict, needed_epsilons

    Examples
    --------
    The error of Laplace noise of scale 10/epsilon has the median 10 ln 2/epsilon, about 7/epsilon.

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample, Sweep
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> sweep, mean = Sweep("epsilon", (1.0, 10.0)), LaplaceRelease(query=Mean(), clamp="none")
    >>> found = compare([mean], data, Privacy(1.0), sweep, runs=10_000, seed=1)
    >>> [round(outcome.quantile(0.5)) for outcome in found.outcomes]
    [7, 1]
    """
    privacy = as_privacy(privacy)
    contenders, sweep = contenders_from(contenders), as_sweep(sweep)
    same_task([one.mechanism for one in contenders])
    check_swept(sweep.name, [one.mechanism for one in contenders])
    each, seed = runs_of_each(runs, len(contenders)), as_seed(seed)
    data = as_data(data, contenders[0].mechanism)
    plan = _Plan(contenders, sweep, privacy, data.n)
    if sweep.name == "n":
        check_divisible(data)
    fewer = each if min(each) < max(each) else ()
    board = _Board(Comparison(contenders, sweep, (), max(each), seed, fewer), plan, publish)
    total = sum(some * plan.trials_of(number) for number, some in enumerate(each))
    rounds = Rounds(plan.trials(different=True), plan.different, each, total, seed, board.put)
    with contextlib.suppress(Cancelled):
        if processes is None:
            in_turn(data, rounds, progress)
        else:
            processes.run(rounds, progress)
    publish(result := board.so_far())
    return result


class _Board:
    """Collects outcomes, and publishes intermediate results."""

    def __init__(self, empty: Comparison, plan: _Plan, publish: Publish[Comparison]) -> None:
        self._empty = empty
        self._plan = plan
        self._publish = publish
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        self._shared: dict[int, Outcome] = {}
        self._next = time.monotonic() + PUBLISH_SECONDS

    def put(self, outcome: Outcome) -> None:
        """Store an outcome for its trial, replacing an earlier one, and for the trials that share it."""
        made = outcome.trial
        if made.shared:
            self._shared[made.contender] = outcome
            for position in {position for position, _ in self._outcomes}:
                self._outcomes.pop((position, made.contender), None)
        else:
            self._outcomes[made.position, made.contender] = outcome
        began = time.monotonic()
        if began >= self._next:
            self._publish(self.so_far())
            ended = time.monotonic()
            self._next = ended + max(PUBLISH_SECONDS, PUBLISH_PAUSE_RATIO * (ended - began))

    def so_far(self) -> Comparison:
        """Return the results so far; shared outcomes appear at all values where others have begun."""
        begun = {position for position, _ in self._outcomes}
        if not begun:
            begun = set(self._plan.positions) if all(self._plan.shared) else {0}
        for contender, outcome in self._shared.items():
            for position in begun:
                if (position, contender) not in self._outcomes:
                    trial = self._plan.trial(contender, position)
                    self._outcomes[position, contender] = dataclasses.replace(outcome, trial=trial)
        return dataclasses.replace(
            self._empty, outcomes=tuple(self._outcomes[key] for key in sorted(self._outcomes))
        )

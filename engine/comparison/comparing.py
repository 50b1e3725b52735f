"""All contenders at all values of a sweep."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator, Sequence
from typing import Any

from engine.comparison.compared import Comparison
from engine.comparison.contenders import same_task
from engine.comparison.results import Contender, Outcome, Sweep, Trial
from engine.comparison.rounds import Rounds
from engine.comparison.schedule import Runs, in_turn
from engine.comparison.sweeps import varied
from engine.comparison.trial_runs import check_seed
from engine.data.subsample import check_divisible
from engine.errors import ParameterError
from engine.numerals import grouped
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Cancelled, Progress, Publish, silent, unpublished
from engine.simulation import check_runs

OFTEN = 0.25
"""Seconds between two comparisons that are published before the whole is done."""

PAUSE = 5.0
"""That pause is at least so many times as long as publishing takes: it waits for what is shown."""


def trials(contenders: Sequence[Contender], sweep: Sweep, privacy: Privacy, n: int) -> tuple[Trial, ...]:
    """Return what is to be tried: at each value of the sweep, each contender.

    Where the values change nothing about a contender (epsilon nothing about one that is not private,
    a parameter nothing about one that has none of this name), all its trials are `shared`.

    Raises
    ------
    ParameterError
        If the contenders answer different questions, or a value of the sweep is not possible.
    """
    return tuple(_Plan(contenders, sweep, privacy, n).trials())


class _Plan:
    """What is to be tried, made one after the other: a long sweep has more trials than a user waits for.

    Attributes
    ----------
    places : range
        Of the values of the sweep.
    shared : list of bool
        Whether the values change nothing about a contender.
    """

    def __init__(self, contenders: Sequence[Contender], sweep: Sweep, privacy: Privacy, n: int) -> None:
        same_task([contender.mechanism for contender in contenders])
        if not sweep.values:
            raise ParameterError("sweep", f"there is no value of {sweep.name}; give at least one")
        self._contenders, self._sweep, self._privacy, self._n = contenders, sweep, privacy, n
        self.places = range(len(sweep.values))
        self.shared = [self._change_nothing(number) for number in range(len(contenders))]

    @property
    def different(self) -> int:
        """How many trials are to be made."""
        return sum(1 if alike else len(self.places) for alike in self.shared)

    def trials(self, *, different: bool = False) -> Iterator[Trial]:
        """Yield all trials, or those that are to be made: one of those that are shared."""
        for place in self.places:
            for number, alike in enumerate(self.shared):
                if not (different and alike and place):
                    yield self.trial(number, place)

    def trial(self, number: int, place: int) -> Trial:
        """Return the trial of a contender at a place."""
        trial = _trial(number, self._contenders[number], place, self._sweep, self._privacy, self._n)
        return dataclasses.replace(trial, shared=True) if self.shared[number] else trial

    def _change_nothing(self, number: int) -> bool:
        """Tell whether all trials of a contender are one and the same; raise where one is not possible."""
        name, contender = self._sweep.name, self._contenders[number]
        if name in ("epsilon", "n"):
            # between possible values there is none that is not possible
            for place in (self.places[0], self.places[-1]):
                _trial(number, contender, place, self._sweep, self._privacy, self._n)
            return name == "epsilon" and len(self.places) > 1 and not contender.mechanism.is_private
        kinds = {varied(contender.mechanism, name, value) for value in self._sweep.values}
        return len(self.places) > 1 and len(kinds) == 1


def _trial(number: int, contender: Contender, place: int, sweep: Sweep, privacy: Privacy, n: int) -> Trial:
    value, mechanism = sweep.values[place], contender.mechanism
    if sweep.name == "epsilon":
        privacy = dataclasses.replace(privacy, epsilon=value)
    elif sweep.name == "n":
        if not 1 <= value <= n:
            raise ParameterError(
                "sweep",
                f"{value:,g} records cannot be drawn of {grouped(n)}; choose n between 1 and {grouped(n)}",
            )
        n = int(value)
    else:
        mechanism = varied(mechanism, sweep.name, value)
    return Trial(number, place, value, mechanism, privacy, n)


def compare(
    contenders: Sequence[Contender],
    data: Any,
    privacy: PrivacyLike,
    sweep: Sweep,
    runs: int,
    seed: int,
    *,
    processes: Runs | None = None,
    progress: Progress = silent,
    publish: Publish[Comparison] = unpublished,
) -> Comparison:
    """Simulate many releases of each contender at each value of a sweep.

    A few runs of all trials are made first, then the others.  Trials that are `shared` are made once.

    Parameters
    ----------
    contenders : sequence of Contender
    data : Sample, Points, Categories or a graph
    privacy : PrivacyLike
        What is asked for; a sweep of epsilon replaces its epsilon.
    sweep : Sweep
    runs : int
        Simulated releases of each contender at each value.
    seed : int
        At least 0.  All contenders draw from the same seeds, which depend on the value's place in
        the sweep; in a sweep of n they are all given the same records, and errors are measured
        from what is true of these.
    processes : Processes or Trials, optional
        Make the trials, on the same data; without them this thread does.
    progress : Progress
        When it raises `Cancelled`, what there is by then is returned.
    publish : callable
        Is given the comparison so far, a few times a second.

    Returns
    -------
    Comparison
        `Comparison.complete` tells whether it was cancelled.

    Raises
    ------
    ParameterError
        If the contenders answer different questions, a value of the sweep is not possible, or
        `runs` or `seed` is.
    DataError
        If records are to be drawn from data of which none can be, such as a graph.
    ExecutionError
        If a process breaks down.

    Examples
    --------
    The error of Laplace noise of scale 10/epsilon has the median 10 ln 2/epsilon, about 7/epsilon.

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample, Sweep, labelled
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> contenders = labelled([LaplaceRelease(query=Mean(), clamp="none")])
    >>> sweep = Sweep("epsilon", (1.0, 10.0))
    >>> found = compare(contenders, data, Privacy(1.0), sweep, runs=10_000, seed=1)
    >>> [round(outcome.quantile(0.5)) for outcome in found.outcomes]
    [7, 1]
    """
    privacy = as_privacy(privacy)
    contenders = tuple(contenders)
    check_runs(runs)
    check_seed(seed)
    plan = _Plan(contenders, sweep, privacy, data.n)
    if sweep.name == "n":
        check_divisible(data)
    board = _Board(Comparison(contenders, sweep, (), runs, seed), plan, publish)
    rounds = Rounds(plan.trials(different=True), plan.different, runs, seed, board.put)
    with contextlib.suppress(Cancelled):
        if processes is None:
            in_turn(data, rounds, progress)
        else:
            processes.run(rounds, progress)
    return board.published()


class _Board:
    """Collects outcomes as they come, and publishes them now and then."""

    def __init__(self, empty: Comparison, plan: _Plan, publish: Publish[Comparison]) -> None:
        self._empty = empty
        self._plan = plan
        self._publish = publish
        self._found: dict[tuple[int, int], Outcome] = {}
        self._shared: dict[int, Outcome] = {}
        self._next = time.monotonic() + OFTEN

    def put(self, outcome: Outcome) -> None:
        """Take an outcome, in place of what was known of its trial before, and of those that share it."""
        made = outcome.trial
        if made.shared:
            self._shared[made.contender] = outcome
            for place in {place for place, _ in self._found}:
                self._found.pop((place, made.contender), None)
        else:
            self._found[made.place, made.contender] = outcome
        began = time.monotonic()
        if began >= self._next:
            self._publish(self.so_far())
            ended = time.monotonic()
            self._next = ended + max(OFTEN, PAUSE * (ended - began))

    def so_far(self) -> Comparison:
        """Return what there is; what is shared stands at all values at which others have begun."""
        begun = {place for place, _ in self._found}
        if not begun:
            begun = set(self._plan.places) if all(self._plan.shared) else {0}
        for contender, outcome in self._shared.items():
            for place in begun:
                if (place, contender) not in self._found:
                    trial = self._plan.trial(contender, place)
                    self._found[place, contender] = dataclasses.replace(outcome, trial=trial)
        return dataclasses.replace(
            self._empty, outcomes=tuple(self._found[key] for key in sorted(self._found))
        )

    def published(self) -> Comparison:
        """Publish all, and return it."""
        comparison = self.so_far()
        self._publish(comparison)
        return comparison

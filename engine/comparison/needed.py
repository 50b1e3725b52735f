"""The epsilon needed for a given error with a given probability."""

from __future__ import annotations

import bisect
import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.arguments import SeedLike, as_data, as_seed
from engine.comparison.contenders import ContendersLike, contenders_from
from engine.comparison.results import ComparedMechanism, Needed, NeededEpsilons, Trial
from engine.comparison.schedule import FixedSchedule, Piece, Runs, in_turn
from engine.comparison.trial_runs import Samples, outcomes, problem
from engine.errors import ParameterError
from engine.histograms.proportions import Proportion
from engine.numerals import short
from engine.privacy import Privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.signatures import explained
from engine.simulation import runs_of_each

MIN_EPSILON, MAX_EPSILON = 1e-3, 100.0
"""Range of the search."""

GRID = 11
"""Values of epsilon to try first: two per decade, including both ends."""

HALVINGS = 8
"""After this many steps the answer is precise to half a per cent."""

CONFIDENCE = 0.99

_STEPS = GRID + 3 * HALVINGS
"""Largest number of epsilons to try."""


def needed_epsilon(contender: ComparedMechanism, data: Any, delta: float, **asked: Any) -> Needed:
    """Search like `needed_epsilons`, for one mechanism."""
    (answer,) = needed_epsilons([contender], data, delta, **asked).answers
    assert answer is not None
    return answer


@explained
def needed_epsilons(
    contenders: ContendersLike,
    data: Any,
    delta: float,
    *,
    within: float,
    share: float,
    runs: int | Sequence[int],
    seed: SeedLike,
    processes: Runs | None = None,
    progress: Progress = silent,
    publish: Publish[NeededEpsilons] = unpublished,
) -> NeededEpsilons:
    """Search for each mechanism the smallest epsilon in [0.001, 100] with Pr[error <= within] >= share.

    Runs are counted at two epsilons per decade, from the largest down to the first insufficient one; the
    interval above it is then halved repeatedly.  All epsilons use the same seed, so that with less noise
    hardly any run gets worse.  If shares still fluctuate, all larger tried epsilons are sufficient.
    Confidence bounds of the answer are found in the same way, from Clopper and Pearson's bounds for the
    share.

    Parameters
    ----------
    contenders : sequence of ComparedMechanism
    data : Sample, Points, Categories or a graph
    delta : float
        Delta of the budget.
    within : float
        The allowed error, at least 0, in the unit of errors.
    share : float
        The share of releases within this error, between 0 and 1.
    runs : int or sequence of int
        Simulated releases at each epsilon: one number, or one for each mechanism.
    seed : int
        At least 0.
    processes : Processes, optional
        Run the searches in parallel, on the same data; by default this thread does.
    progress : Progress
    publish : callable
        Receives the answers so far, after each mechanism.

    Returns
    -------
    NeededEpsilons

    Raises
    ------
    ParameterError
        If `within` is negative or infinite, `share` not between 0 and 1, or `runs` or `seed` not possible.
    ExecutionError
        If a process fails.

    See Also
    --------
    compare, error_against_size

    Examples
    --------
    The same noise for twice as many records needs half of the epsilon.

    >>> from engine import Interval, LaplaceRelease, Mean, Sample
    >>> data = Sample([40.0] * 20, Interval(0, 100))
    >>> mean = LaplaceRelease(query=Mean(), clamp="none")
    >>> found = needed_epsilons([mean], data, 0.0, within=3.0, share=0.95, runs=10_000, seed=1)
    >>> round(found.answers[0].epsilon)
    5
    """
    if not (math.isfinite(within) and within >= 0):
        raise ParameterError(
            "within", f"{short(within)} is not a possible error; give a number of at least 0"
        )
    if not 0 < share < 1:
        raise ParameterError("share", f"{short(share)} is not possible; it must be above 0 and below 1")
    contenders, seed = contenders_from(contenders), as_seed(seed)
    each = runs_of_each(runs, len(contenders))
    data = as_data(data, contenders[0].mechanism) if contenders else data
    by_position: dict[int, Needed] = {}

    def so_far() -> NeededEpsilons:
        answers = tuple(by_position.get(position) for position in range(len(contenders)))
        return NeededEpsilons(answers, tuple(contenders), within, share, max(each))

    def put(position: int, answer: Needed) -> None:
        by_position[position] = answer
        publish(so_far())

    searches = [_Wanted(i, one, delta, within, share, each[i], seed) for i, one in enumerate(contenders)]
    schedule = FixedSchedule(searches, put)
    if processes is None:
        in_turn(data, schedule, progress)
    else:
        processes.run(schedule, progress)
    return so_far()


@dataclasses.dataclass(frozen=True)
class _Wanted(Piece):
    """The search for one mechanism's epsilon."""

    position: int
    contender: ComparedMechanism
    delta: float
    within: float
    share: float
    runs: int
    seed: int

    def results(self, samples: Samples, progress: Progress) -> Iterator[Needed]:
        contender, runs = self.contender, self.runs
        search = _EpsilonSearch(self, samples, progress)
        if not search.grid:
            yield Needed(contender, None, math.nan, math.nan, math.nan, search.problem)
            return
        # runs within the bound that do not exclude the share, and runs that confirm it
        possibly, surely = (
            bisect.bisect_left(
                range(runs + 1), self.share, key=lambda k: Proportion(k, runs).interval(CONFIDENCE)[side]
            )
            for side in (1, 0)
        )
        wanted = math.ceil(self.share * runs), possibly, surely
        (_, epsilon), (low, _), (_, high) = map(search.bracket, wanted)
        yield Needed(
            contender,
            epsilon,
            low=math.inf if low is None else low,
            high=math.inf if high is None else high,
            share_at=search.count(search.grid[-1] if epsilon is None else epsilon) / runs,
            problem="" if epsilon is not None else _too_little(search.grid[-1], self.within, self.share),
        )


class _EpsilonSearch:
    """Counts of runs within a bound, at any epsilon."""

    def __init__(self, wanted: _Wanted, samples: Samples, progress: Progress) -> None:
        self._wanted = wanted
        self._samples = samples
        self._progress = progress
        self._counts: dict[float, int] = {}
        private = wanted.contender.mechanism.facts.is_private
        self.grid: list[float] = np.geomspace(MIN_EPSILON, MAX_EPSILON, GRID).tolist() if private else []
        self.problem = "" if private else "not differentially private, so that there is no epsilon to choose"
        while self.grid and (message := problem(self._trial(self.grid[-1]), samples.data.domain)):
            self.problem = message
            self.grid.pop()

    def bracket(self, wanted: int) -> tuple[float | None, float | None]:
        """Return two epsilons between which the count of runs reaches `wanted`; None without any.

        The upper end reaches it; the lower one does not, unless it is the smallest of all.
        """
        suffices, falls_short = self.grid[-1], 0.0
        if self.count(suffices) < wanted:
            return None, None
        for epsilon in reversed(self.grid[:-1]):
            if self.count(epsilon) < wanted:
                falls_short = epsilon
                break
            suffices = epsilon
        if not falls_short:
            return suffices, suffices
        for _ in range(HALVINGS):
            middle = math.sqrt(falls_short * suffices)
            if self.count(middle) < wanted:
                falls_short = middle
            else:
                suffices = middle
        return falls_short, suffices

    def count(self, epsilon: float) -> int:
        """Return the number of runs within the bound; 0 if the mechanism does not fit."""
        if epsilon not in self._counts:
            step = len(self._counts)
            here = part(self._progress, step / _STEPS, (step + 1) / _STEPS)
            here(0.0, "simulated releases")
            *_, outcome = outcomes(self._trial(epsilon), self._samples, runs=self._wanted.runs, progress=here)
            self._counts[epsilon] = int(np.count_nonzero(outcome.errors <= self._wanted.within))
        return self._counts[epsilon]

    def _trial(self, epsilon: float) -> Trial:
        asked = Privacy(epsilon, self._wanted.delta)
        return Trial(0, 0, epsilon, self._wanted.contender.mechanism, asked, self._samples.data.n)


def _too_little(most: float, within: float, share: float) -> str:
    often = f"{short(100 * share)} % of releases"
    return f"epsilon = {short(most)} is not enough for an error of at most {within:,.6g} in {often}"

"""Bounds for a column whose only public bounds are very wide: two private quantiles."""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.order_statistics import RankedRecords
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.relation import check_releasable
from engine.mechanisms.release import Private, Release
from engine.noise.base import check_bounds
from engine.primitives.accounting import compose, of_exponential
from engine.primitives.selection import choose_crossing, crossing_scores, exponential_slack
from engine.privacy import NEIGHBOURS, Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, silent
from engine.randomness import SeedLike, as_generator, is_release
from engine.round_numbers import nice

DECADES = 9
"""Candidates include this many powers of ten below the longer end of the wide range."""

PARTS = 100
"""The wide range is also divided into about this many equal parts, which distinguish years, for example."""

FAILURE = 0.05
"""Probability, on each side, that the bounds are worse than stated."""


@dataclasses.dataclass(frozen=True)
class SuggestedBounds:
    """Suggest bounds for a column: round numbers beyond which few records lie, chosen privately.

    Candidates b_0 < b_1 < ... < b_m are public: round numbers in the wide range, and its ends.  With half of
    epsilon, `choose_crossing` picks where the number of records above a candidate falls below a target t.
    With the other half it does the same from below.  Replacing one record changes each number by at most
    one, so each choice is (epsilon/2)-private, and both together are epsilon-private.

    The target is the share to be left out on each side, but at least the slack G of a choice.  With
    probability 1 - beta on each side, some record lies beyond the candidate before the suggested one, and
    at most t + G records are left out.  Separating and ordering the two bounds is post-processing.

    Source: McSherry, Talwar 2007; quantiles as in Smith 2011, but on a grid: a range that is a million times
    too wide costs only a factor of logarithms.

    Parameters
    ----------
    wide : Interval
        A public range that certainly contains all values; it may be much too wide.
    outside : float, default 0.01
        The share of the records that may lie beyond each bound, below one half.

    Raises
    ------
    ParameterError
        If the share is negative, or not below 0.5.

    See Also
    --------
    Interval, Sample

    Examples
    --------
    Incomes whose only public bound is a billion.

    >>> from engine import Interval, Sample, SuggestedBounds
    >>> wide = Interval(0, 1e9)
    >>> data = Sample(range(20_000, 60_000), wide)
    >>> SuggestedBounds(wide).run(data, 1.0, seed=1).value
    [20000.0, 100000.0]
    """

    name: ClassVar[str] = "bounds"
    relation: ClassVar[str] = NEIGHBOURS
    inexact: ClassVar[str] = ""
    guarantee: ClassVar[Guarantee] = Guarantee(
        uses_delta=False,
        zcdp=lambda privacy: compose([of_exponential(privacy.epsilon / 2)] * 2),  # two choices
    )

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> SuggestedBounds:
        """Return itself: there are no automatic choices."""
        return self

    wide: Interval
    outside: float = 0.01

    def __post_init__(self) -> None:
        if not 0 <= self.outside < 0.5:
            raise ParameterError(
                "outside", f"{self.outside:g} is not possible; choose at least 0, and less than 0.5"
            )

    @property
    def candidates(self) -> Floats:
        """The public candidates for the bounds, increasing, shape (m + 1,)."""
        lower, upper = self.wide.lower, self.wide.upper
        largest = math.floor(math.log10(max(abs(lower), abs(upper))))
        powers = [
            float(f"{step}e{power}") for power in range(largest - DECADES, largest + 1) for step in (1, 2, 5)
        ]
        step = nice(self.wide.width / PARTS, up=True)
        even = np.arange(math.ceil(lower / step), math.floor(upper / step) + 1) * step
        ends = np.unique(np.concatenate([np.negative(powers), [0.0], powers, even, [lower, upper]]))
        return np.asarray(ends[(ends >= lower) & (ends <= upper)], dtype=np.float64)

    def settings(self) -> dict[str, Any]:
        """Return the settings (public)."""
        return {"outside": self.outside, **self.wide.facts}

    def check(self, privacy: Privacy) -> None:
        """Raise `ParameterError` if half of epsilon is too small or too large for a choice."""
        check_bounds(self.guarantee.cost(privacy), 1, parts=2)

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        """Raise `ParameterError` as `check` does."""
        self.check(privacy)

    def left_out(self, privacy: Privacy, n: int) -> float:
        """Return the largest number of records beyond a bound, with probability 95 % (public)."""
        target, slack = self._target(privacy, n)
        return target + slack

    def problem(self, privacy: Privacy, n: int) -> str:
        """Return why the bounds would be useless, from public facts alone; "" if they are not."""
        if self.left_out(privacy, n) < n / 4:
            return ""
        lost = math.ceil(self.left_out(privacy, n))
        return (
            f"{n} records are too few for epsilon = {privacy.epsilon:g}: up to {lost} could be left out on "
            "each side; use a larger epsilon, or bounds from common knowledge"
        )

    def _target(self, privacy: Privacy, n: int) -> tuple[float, float]:
        self.check(privacy)
        slack = exponential_slack(math.log(self.candidates.size), privacy.epsilon / 2, FAILURE)
        return max(self.outside * n, slack), slack

    def counts(self, data: RankedRecords) -> tuple[Floats, Floats]:
        """Count the records at or above each candidate, and, from the top, those at or below it (private)."""
        places = self.candidates
        # record i falls between two candidates, or on one: cells 2j + 1 and 2j
        cells = sum(
            data.found_in_parts(partial(_count_cells, places)), np.zeros(2 * places.size + 1, np.int64)
        )
        before = np.concatenate([[0], np.cumsum(cells)])
        at_least = data.n - before[1 : 2 * places.size : 2]
        at_most = before[2 : 2 * places.size + 1 : 2]
        return at_least.astype(np.float64), at_most[::-1].astype(np.float64)

    def scores(self, data: RankedRecords, privacy: Privacy) -> tuple[Floats, Floats]:
        """Return the scores of the candidates for the upper and, from the top, the lower bound (private)."""
        target, _ = self._target(privacy, data.n)
        above, below = (crossing_scores(counts, target, below=0.0) for counts in self.counts(data))
        return above, below

    def prepare(
        self, data: RankedRecords, privacy: Privacy, progress: Progress = silent
    ) -> tuple[Floats, Floats]:
        """Return `counts` of the data (private).

        Raise `ParameterError` if the data are clamped to another range, or half of epsilon is too small or
        too large.
        """
        if (data.domain.lower, data.domain.upper) != (self.wide.lower, self.wide.upper):
            raise ParameterError("wide", "the data are clamped to another range; read them within this one")
        self.check(privacy)
        progress(0.0, "counting records between round numbers")
        return self.counts(data)

    def release(
        self,
        prepared: tuple[Floats, Floats],
        data: RankedRecords,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Choose both bounds from the result of `prepare`."""
        check_releasable(data, rng)
        target, _ = self._target(privacy, data.n)
        above, below = prepared
        half, last = privacy.epsilon / 2, self.candidates.size - 1
        top = choose_crossing(above, target, half, rng, below=0.0)
        bottom = choose_crossing(below, target, half, rng, below=0.0)
        value = self._in_order(last - min(bottom + 1, last), min(top + 1, last))
        return Release(
            mechanism=self.name,
            query=self.name,
            value=value,
            privacy=self.guarantee.cost(privacy),
            noise={},
            parameters=self.settings(),
            error=None,
            simulated=not is_release(rng),
            exact=True,  # counts are integers, and the choice is exact
            diagnostics=Private({}),
            neighbours=self.relation,
        )

    def run(
        self,
        data: RankedRecords,
        privacy: PrivacyLike,
        seed: SeedLike | None = None,
        progress: Progress = silent,
    ) -> Release:
        """Choose both bounds.

        Raise `DataError` if no release may be made from the data and there is no seed.  Raise
        `ParameterError` if the data are clamped to another range, or half of epsilon is too small or too
        large.
        """
        budget, source = as_privacy(privacy), as_generator(seed)
        return self.release(self.prepare(data, budget, progress), data, budget, source, progress)

    def _in_order(self, low: int, high: int) -> list[float]:
        """Return two candidates in order, or the neighbours of a candidate that was chosen twice."""
        low, high = min(low, high), max(low, high)
        if low == high:
            low, high = max(low - 1, 0), min(high + 1, self.candidates.size - 1)
        return [float(self.candidates[low]), float(self.candidates[high])]


def _count_cells(places: Floats, values: Floats) -> Ints:
    """Count the values on each candidate, and between each two."""
    below = np.searchsorted(places, values, side="left")
    upto = np.searchsorted(places, values, side="right")
    return np.bincount(below + upto, minlength=2 * places.size + 1)

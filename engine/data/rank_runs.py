"""Values at consecutive ranks, found in one pass over data in any order, ties among them only counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.array_types import Floats, Ints
from engine.domain import Interval
from engine.shown import ShownInALine

_CHUNK = 1 << 16
"""Values looked at together: small enough to stay in the processor's cache."""

_MAX_PIVOTS = 40_000
"""Size of the random sample that brackets a run of ranks, at most."""

_MIN_PIVOTS = 1_000
"""Where a share of the data would be fewer than these, all of them are sorted."""

_PIVOT_SHARE = 16
"""One of so many values is a pivot."""

_RUN_SHARE = 6
"""A run of fewer than n by this many ranks is not worth sorting all of the data."""


@dataclasses.dataclass(frozen=True, repr=False)
class RankRun(ShownInALine):
    """Sorted values at consecutive ranks: equal ones, different ones between, and again equal ones.

    Attributes
    ----------
    first : int
        Rank of the first value, counted from 1.
    lower, upper : float
        The value before and the value after those between.
    at_lower, at_upper : int
        How often they occur; one that occurs in no record is infinite.
    between : ndarray, shape (m,)
        Sorted, and not to be changed.
    """

    first: int
    between: Floats
    lower: float = -np.inf
    at_lower: int = 0
    upper: float = np.inf
    at_upper: int = 0

    @property
    def last(self) -> int:
        """Rank of the last value."""
        return self.first + self.at_lower + self.between.size + self.at_upper - 1

    def covers(self, first: int, last: int) -> bool:
        """Tell whether the values at these ranks are known."""
        return self.first <= first and last <= self.last

    def ranks(self, first: int, last: int) -> Floats:
        """Return the values at ranks that are covered."""
        start = first - self.first - self.at_lower
        stop = start + last - first + 1
        size = self.between.size
        inside = self.between[min(max(start, 0), size) : min(max(stop, 0), size)]
        before, after = max(0, min(0, stop) - start), max(0, stop - max(size, start))
        if before + after == 0:
            return inside
        return np.concatenate([np.full(before, self.lower), inside, np.full(after, self.upper)])

    def clamped(self, domain: Interval) -> RankRun:
        """Return the same with each value moved to the nearest point of an interval, in place."""
        np.clip(self.between, domain.lower, domain.upper, out=self.between)
        self.between.flags.writeable = False
        lower, upper = domain.clamp([self.lower, self.upper]).tolist()
        return dataclasses.replace(self, lower=lower, upper=upper)


def ties_of(values: Floats) -> tuple[Floats, Ints]:
    """Return the different ones of sorted values, at least one, and how often each is there."""
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    return values[starts], np.diff(np.append(starts, values.size))


def chunks(values: Floats) -> Iterator[Floats]:
    """Yield the values in parts that stay in the processor's cache."""
    for start in range(0, values.size, _CHUNK):
        yield values[start : start + _CHUNK]


def run_of_ranks(values: Floats, first: int, last: int) -> RankRun:
    """Return a run of `values` that covers the ranks, which count from 1.

    A random sample brackets the ranks; one pass counts what lies below the bracket and
    collects what lies strictly inside (Floyd and Rivest 1975).  Ties that fill a part of
    the sample are an end of the bracket or all of it: another pass counts them.  The
    counts prove that the bracket was right; bad luck only costs a full sort.
    """
    n = values.size
    pivots = min(_MAX_PIVOTS, n // _PIVOT_SHARE)
    if pivots >= _MIN_PIVOTS and last - first < n // _RUN_SHARE:
        lower, upper = _bracket(values, first, last, pivots)
        if lower < upper:
            # what is at most the lower end comes before the first that is collected
            before, between = _strictly_inside(values, lower, upper)
            run = RankRun(before + 1, between)
            if not run.covers(first, last):
                below, beyond = _outside(values, lower, upper)
                run = RankRun(
                    below + 1, between, lower, before - below, upper, n - beyond - before - between.size
                )
        else:
            below, beyond = _outside(values, lower, upper)
            run = RankRun(below + 1, np.empty(0), lower, n - beyond - below)
        if run.covers(first, last):
            run.between.sort()
            return run
    # what lies beyond all records stands at both ends, so that no run of ranks has to be put together
    everything = np.empty(n + 2)
    everything[0], everything[-1] = -np.inf, np.inf
    everything[1:-1] = values
    everything[1:-1].sort()
    return RankRun(0, everything)


def _bracket(values: Floats, first: int, last: int, pivots: int) -> tuple[float, float]:
    """Return two numbers between which the values at the ranks lie very likely; infinite at the ends."""
    n = values.size
    sample = np.sort(values[np.random.Generator(np.random.PCG64(n)).integers(0, n, pivots)])
    slack = 3.0 * np.sqrt(pivots)  # 6 standard deviations of a sample quantile
    low = int(np.floor(first / n * pivots - slack))
    high = int(np.ceil(last / n * pivots + slack))
    return (
        float(sample[low]) if low >= 0 else -np.inf,
        float(sample[high]) if high < pivots else np.inf,
    )


def _strictly_inside(values: Floats, lower: float, upper: float) -> tuple[int, Floats]:
    """Return how many values are at most `lower`, and those between it and `upper` in any order."""
    before, inside = 0, []
    for chunk in chunks(values):
        mask = chunk > lower
        before += chunk.size - int(np.count_nonzero(mask))
        mask &= chunk < upper
        inside.append(chunk[mask])
    return before, np.concatenate(inside)


def _outside(values: Floats, lower: float, upper: float) -> tuple[int, int]:
    """Return how many values are below `lower`, and how many above `upper`."""
    below = beyond = 0
    for chunk in chunks(values):
        below += int(np.count_nonzero(chunk < lower))
        beyond += int(np.count_nonzero(chunk > upper))
    return below, beyond

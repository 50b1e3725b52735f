"""Samples: numbers clamped to a public interval, seen through their ranks.

Queries on order statistics ask for nothing but the values at ranks a to b, so that they serve an array in
memory (`Sample`, which never sorts all of it), a file scanned in batches and a distributed table alike.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.data.database import Database
from engine.data.look_only import problem_of
from engine.domain import Interval, as_interval
from engine.errors import DataError, ParameterError
from engine.sampling.sums import exact_sum
from engine.shown import ShownDatabase, ShownInALine

FAR_ENDS = ("lower", "upper", "halves")
"""Where records that are numbers may go: to a bound, or half of them to each."""


def check_known(name: str, names: Collection[str]) -> None:
    """Raise `ParameterError` unless `name` is one of `names`."""
    if name not in names:
        raise ParameterError("target", f"{name!r} is not possible; it must be one of {', '.join(names)}")


def values_at(name: str, count: int, domain: Interval) -> Floats:
    """Return `count` records at the bounds: those of one of `FAR_ENDS`."""
    check_known(name, FAR_ENDS)
    if name == "halves":
        return np.where(np.arange(count) < count // 2, domain.lower, domain.upper)
    return np.full(count, getattr(domain, name), dtype=np.float64)


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
    """Sorted values at consecutive ranks: equal ones, different ones `between`, and again equal ones.

    The first has the rank `first`, counted from 1.  `lower` and `upper`, before and after those between, are
    infinite where they occur in no record.  Those between are not to be changed.
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


FoundT = TypeVar("FoundT")

_MAX_SORTED = 1 << 16
"""So many values are not put in order to be added."""

_MAX_FRACTIONS = 4
"""Values that are added as fractions, one after the other."""

_KEPT_RUNS = 7
"""Runs of ranks that are remembered beside the newest."""


class RankedRecords(ShownDatabase, ABC):
    """n values, clamped to a public interval, of which runs of ranks can be found."""

    _domain: Interval
    _runs: tuple[RankRun, ...] = ()

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of records (public)."""

    @abstractmethod
    def _run(self, first: int, last: int) -> RankRun:
        """Return a run of the values, not clamped, that covers the ranks."""

    @abstractmethod
    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        """Yield what a function finds in parts of the clamped values, all of them together."""

    @property
    def most_ranks(self) -> int | None:
        """How many ranks are best asked for at once, at most (public); None for all."""
        return None

    @property
    def domain(self) -> Interval:
        """The public interval to which the values are clamped."""
        return self._domain

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._domain.resolution

    @property
    def records(self) -> int:
        """Number of records (public)."""
        return self.n

    @property
    def facts(self) -> Mapping[str, Any]:
        """The public bounds and the resolution."""
        return self._domain.facts

    def ranks(self, first: int, last: int) -> Floats:
        """Return the clamped values at the ranks `first` to `last`, in order.

        It takes one pass over the data and a sort of a few per cent of it, and nothing when a run of ranks
        asked for before covers them.
        """
        for run in self._runs:
            if run.covers(first, last):
                return run.ranks(first, last)
        low, high = min(max(first, 1), self.n), min(max(last, 1), self.n)
        inside = self._inside(low, high)
        before = np.full(max(0, min(0, last) - first + 1), self.domain.lower)
        after = np.full(max(0, last - max(first, self.n + 1) + 1), self.domain.upper)
        if len(before) + len(after) == last - first + 1:
            return np.concatenate([before, after])
        return np.concatenate([before, inside, after]) if len(before) + len(after) else inside

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the different values at the ranks `first` to `last`, sorted, and how often each is there."""
        return ties_of(self.ranks(first, last))

    def total(self, first: int, last: int) -> Fraction:
        """Return the sum of the clamped values at the ranks `first` to `last`, exactly.

        For an inner window the values strictly between its ends are summed and the ends
        added as often as their ties fall inside.
        """
        if 0 <= last - first < _MAX_FRACTIONS:
            # not only quicker: how long `exact_sum` takes tells a 0 from other values
            return sum(map(Fraction, self.ranks(first, last).tolist()), Fraction(0))
        if (first, last) == (1, self.n):
            return sum(self.found_in_parts(exact_sum), Fraction(0))
        if last - first < _MAX_SORTED:
            return exact_sum(self.ranks(first, last))
        low, high = (Fraction(float(self.ranks(rank, rank)[0])) for rank in (first, last))
        if low == high:
            return low * (last - first + 1)
        sums = self.found_in_parts(partial(_sum_inside, float(low), float(high)))
        between, at_most_low, below_high = map(sum, zip(*sums, strict=True))
        return between + low * (at_most_low - first + 1) + high * (last - below_high)

    def _inside(self, first: int, last: int) -> Floats:
        for run in self._runs:
            if run.covers(first, last):
                return run.ranks(first, last)
        new = self._run(first, last).clamped(self.domain)
        # a wider run replaces those that it covers
        kept = tuple(run for run in self._runs if not new.covers(run.first, run.last))
        self._runs = (*kept[-_KEPT_RUNS:], new)
        return new.ranks(first, last)


def _sum_inside(low: float, high: float, values: Floats) -> tuple[Fraction, int, int]:
    """Return the sum of the values between, how many are at most `low`, and how many below `high`."""
    between, at_most_low, below_high = Fraction(0), 0, 0
    for chunk in chunks(values):
        above, below = chunk > low, chunk < high
        at_most_low += chunk.size - int(np.count_nonzero(above))
        below_high += int(np.count_nonzero(below))
        between += exact_sum(chunk[above & below])
    return between, at_most_low, below_high


class OrderStatistics(Database, Protocol):
    """A sample of n values, clamped to a public interval [L, U], seen through its ranks."""

    @property
    def most_ranks(self) -> int | None:
        """How many ranks are best asked for at once, at most (public); None for all."""

    def ranks(self, first: int, last: int) -> Floats:
        """Return the clamped values at the ranks `first` to `last`, in order.

        Ranks count from 1 and include both ends; those below 1 hold L, those above
        n hold U, as in the formulas of the literature (x_i = 0 for i <= 0).
        """

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the different clamped values at those ranks, sorted, and how often each is there."""

    def total(self, first: int, last: int) -> Fraction:
        """Return the sum of the clamped values at those ranks (1 to n), exactly."""

    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        """Yield what a function finds in parts of the clamped values, all of them together.

        It may run in other threads, in other processes or on other machines.
        """


class Sample(RankedRecords):
    """n values in memory, in any order, clamped to a public interval.

    Parameters
    ----------
    values : array_like, shape (n,)
        Finite numbers, one record each.  Not copied, and not to be changed after.
    domain : Interval
        Public bounds; two numbers will do.
    release_problem : str, optional
        Why no release may be made of them; by default what the values themselves say.

    Raises
    ------
    DataError
        If there is no value, or one is no number, NaN or infinite (its position counts
        from 1).

    Examples
    --------
    Bounds are public; what lies outside is clamped.

    >>> from engine import Interval, Maximum
    >>> data = Sample([3.0, 1.0, 2000.0], Interval(0, 100))
    >>> data.n, Maximum().value(data)
    (3, 100.0)
    """

    def __init__(self, values: ArrayLike, domain: Interval, release_problem: str = "") -> None:
        self.release_problem = release_problem or problem_of(values)
        try:
            self._raw = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(
                "these are not numbers; give one number for each record", confidential=str(error)
            ) from None
        if self._raw.ndim != 1:
            raise DataError(f"an array of shape {self._raw.shape} is not one column of numbers")
        if self._raw.size == 0:
            raise DataError("there are no records; at least one is needed")
        with np.errstate(over="ignore", invalid="ignore"):
            finite = bool(np.isfinite(self._raw.sum())) or bool(np.isfinite(self._raw).all())
        if not finite:
            position = int(np.argmin(np.isfinite(self._raw)))
            raise DataError(
                f"record {position + 1} is not finite; every value must be finite",
                confidential=str(self._raw[position]),
            )
        self._domain = as_interval(domain)

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return int(self._raw.size)

    @cached_property
    def outside(self) -> int:
        """Number of records that clamping moves (private)."""
        return self._domain.outside(self._raw)

    @cached_property
    def values(self) -> Floats:
        """The clamped values in the order of the records, shape (n,)."""
        return self._domain.clamp(self._raw)

    def __reduce__(self) -> tuple[type[Sample], tuple[Floats, Interval, str]]:
        """Arrive in another process without what was worked out here."""
        return Sample, (self._raw, self._domain, self.release_problem)

    def replaced(self, position: int, value: float) -> Sample:
        """Return the neighbour in which the record at `position` (from 0) is `value`."""
        changed = self._raw.copy()
        changed[position] = value
        return Sample(changed, self._domain, self.release_problem)

    def only(self, positions: Ints) -> Sample:
        """Return the sample of the records at `positions` (from 0) alone."""
        return Sample(self._raw[positions], self._domain, self.release_problem)

    def steps(self, end: Sample) -> int:
        """Return n: each record is a step of the path to `end`, whether it changes or not."""
        if self.n != end.n:
            raise DataError(f"the path leads from {self.n} to {end.n} records; both ends must have as many")
        return self.n

    def toward(self, end: Sample, count: int) -> Sample:
        """Return the sample in which the first `count` records are those of `end`."""
        mixed = np.concatenate([end.values[:count], self.values[count:]])
        return Sample(mixed, self._domain, self.release_problem)

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of samples far away, to which a path leads: see `far_end`."""
        return FAR_ENDS

    def far_end(self, name: str) -> Sample:
        """Return the sample in which all records lie at a bound: "lower", "upper", or "halves" at each."""
        return Sample(values_at(name, self.n, self._domain), self._domain, self.release_problem)

    def _run(self, first: int, last: int) -> RankRun:
        return run_of_ranks(self._raw, first, last)

    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        yield examine(self.values)

"""Samples: numbers clamped to a public interval, accessed by rank.

Queries on order statistics need only the values at ranks a to b.  They work alike on an array in memory
(`Sample`, which is never sorted as a whole), a file scanned in batches, and a distributed table.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.data.database import Database
from engine.data.look_only import look_only, marks_of
from engine.domain import LARGEST, BoundsLike, Interval, as_interval
from engine.errors import DataError, ParameterError
from engine.number_arrays import as_numbers
from engine.sampling.sums import exact_sum
from engine.shown import ShownDatabase, ShownInALine

FAR_ENDS = ("lower", "upper", "halves")
"""Distant databases of numbers: all records at a bound, or half of them at each."""


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
"""Values per batch: small enough for the processor's cache."""

_MAX_PIVOTS = 40_000
"""Largest size of the random sample that brackets a run of ranks."""

_MIN_PIVOTS = 1_000
"""If the sample of pivots would be smaller than this, all values are sorted."""

_PIVOT_SHARE = 40
"""One in this many values is a pivot."""

_RUN_SHARE = 6
"""A run shorter than n divided by this does not justify a full sort."""


@dataclasses.dataclass(frozen=True, repr=False)
class RankRun(ShownInALine):
    """Sorted values at consecutive ranks: ties at `lower`, distinct ones `between`, ties at `upper`.

    `first` is the rank of the first value, counted from 1.  `lower` and `upper` are infinite if no record has
    them.  Do not change `between`.
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
        """Tell whether the run includes these ranks."""
        return self.first <= first and last <= self.last

    def ranks(self, first: int, last: int) -> Floats:
        """Return the values at these ranks, which the run must include."""
        start = first - self.first - self.at_lower
        stop = start + last - first + 1
        size = self.between.size
        inside = self.between[min(max(start, 0), size) : min(max(stop, 0), size)]
        before, after = max(0, min(0, stop) - start), max(0, stop - max(size, start))
        if before + after == 0:
            return inside
        return np.concatenate([np.full(before, self.lower), inside, np.full(after, self.upper)])

    def clamped(self, domain: Interval) -> RankRun:
        """Clamp the values to an interval in place, and return the run."""
        np.clip(self.between, domain.lower, domain.upper, out=self.between)
        self.between.flags.writeable = False
        lower, upper = domain.clamp([self.lower, self.upper]).tolist()
        return dataclasses.replace(self, lower=lower, upper=upper)


def ties_of(values: Floats) -> tuple[Floats, Ints]:
    """Return the distinct values of a sorted array, at least one, and their counts."""
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    return values[starts], np.diff(np.append(starts, values.size))


def chunks(values: Floats) -> Iterator[Floats]:
    """Yield the values in parts that fit into the processor's cache."""
    for start in range(0, values.size, _CHUNK):
        yield values[start : start + _CHUNK]


def run_of_ranks(values: Floats, first: int, last: int) -> RankRun:
    """Return a run of `values` that includes the ranks, which count from 1.

    A random sample brackets the ranks; one pass counts the values below the bracket and collects those
    strictly inside (Floyd and Rivest 1975).  Frequent ties may form an end of the bracket or all of it;
    another pass counts them.  The counts prove that the bracket was right; a bad sample only costs a full
    sort.
    """
    n = values.size
    pivots = min(_MAX_PIVOTS, n // _PIVOT_SHARE)
    if pivots >= _MIN_PIVOTS and last - first < n // _RUN_SHARE:
        lower, upper = _bracket(values, first, last, pivots)
        if lower < upper:
            # values up to the lower end precede the first collected one
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
    # sentinels beyond all records, so that runs of ranks need no joining
    everything = np.empty(n + 2)
    everything[0], everything[-1] = -np.inf, np.inf
    everything[1:-1] = values
    everything[1:-1].sort()
    return RankRun(0, everything)


def _bracket(values: Floats, first: int, last: int, pivots: int) -> tuple[float, float]:
    """Return two numbers that bracket the ranks with high probability; infinite at the ends."""
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
    """Return how many values are at most `lower`, and those between it and `upper`, unsorted."""
    before, inside = 0, []
    for chunk in chunks(values):
        mask = chunk > lower
        before += chunk.size - int(np.count_nonzero(mask))
        mask &= chunk < upper
        inside.append(chunk.compress(mask))  # several times faster than an index
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
"""Largest number of values to sort before adding them."""

_MAX_FRACTIONS = 4
"""Largest number of values to add as fractions, one by one."""

_KEPT_RUNS = 7
"""Number of runs cached besides the newest."""


class RankedRecords(ShownDatabase, ABC):
    """n values, clamped to a public interval, with access by rank."""

    kind: ClassVar[str] = "column"
    _domain: Interval
    _runs: tuple[RankRun, ...] = ()

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of records (public)."""

    @abstractmethod
    def _run(self, first: int, last: int) -> RankRun:
        """Return a run of the unclamped values that includes the ranks."""

    @abstractmethod
    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        """Apply a function to parts that cover all clamped values, and yield its results."""

    @property
    def most_ranks(self) -> int | None:
        """Largest efficient number of ranks per request (public); None for no limit."""
        return None

    @property
    def domain(self) -> Interval:
        """The public interval to which the values are clamped."""
        return self._domain

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._domain.resolution

    def ranks(self, first: int, last: int) -> Floats:
        """Return the clamped values at the ranks `first` to `last`, in order.

        Takes one pass over the data and a sort of a few per cent of it; free if a cached run includes the
        ranks.
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
        """Return the distinct values at the ranks `first` to `last`, sorted, and their counts."""
        return ties_of(self.ranks(first, last))

    def total(self, first: int, last: int) -> Fraction:
        """Return the sum of the clamped values at the ranks `first` to `last`, exactly.

        For an inner window, sums the values strictly between its ends, then adds the ends with the counts of
        their ties inside.
        """
        if 0 <= last - first < _MAX_FRACTIONS:
            # not only for speed: the time of `exact_sum` depends on whether values are 0
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
    """A sample of n values, clamped to a public interval [L, U], accessed by rank."""

    @property
    def most_ranks(self) -> int | None:
        """Largest efficient number of ranks per request (public); None for no limit."""

    def ranks(self, first: int, last: int) -> Floats:
        """Return the clamped values at the ranks `first` to `last`, in order.

        Ranks count from 1 and include both ends.  Ranks below 1 hold L, those above n hold U, as in the
        literature's formulas (x_i = 0 for i <= 0).
        """

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the distinct clamped values at those ranks, sorted, and their counts."""

    def total(self, first: int, last: int) -> Fraction:
        """Return the sum of the clamped values at those ranks (1 to n), exactly."""

    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        """Apply a function to parts that cover all clamped values, and yield its results.

        The function may run in other threads, in other processes or on other machines.
        """


class Sample(RankedRecords):
    """n values in memory, in any order, clamped to a public interval.

    Parameters
    ----------
    values : array_like, shape (n,)
        Finite numbers, one per record.  Not copied; do not change them afterwards.
    domain : BoundsLike
        Public bounds, such as ``(0, 120)``.
    release_problem : str, optional
        Why no release may be made of the values; by default derived from them.

    Raises
    ------
    DataError
        If there is no value, or one is not a number, NaN or infinite (its position counts from 1).

    See Also
    --------
    Interval, Points, StoredSample

    Examples
    --------
    Bounds are public; values outside are clamped.

    >>> from engine import Interval, Maximum
    >>> data = Sample([3.0, 1.0, 2000.0], Interval(0, 100))
    >>> data.n, Maximum().value(data)
    (3, 100.0)
    """

    def __init__(self, values: ArrayLike, domain: BoundsLike, release_problem: str = "") -> None:
        problem, self.missing, self.rows_of_person = marks_of(values)
        self.release_problem = release_problem or problem
        self._raw = as_numbers(values, 1)
        if self._raw.ndim == 2 and self._raw.shape[1] == 1:
            self._raw = np.ascontiguousarray(self._raw[:, 0])
        if self._raw.ndim != 1:
            raise DataError(
                f"an array of shape {self._raw.shape} is not one column of numbers; choose a column, or give "
                "Points(rows, (lower, upper))"
            )
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

    @property
    def outside(self) -> int:
        """Number of records outside the bounds (private)."""
        return self._domain.outside(self._raw)

    @cached_property
    def values(self) -> Floats:
        """The clamped values in the order of the records, shape (n,)."""
        return self._domain.clamp(self._raw)

    @property
    def unclamped(self) -> Sample:
        """The same values between bounds that include all of them up to 1e200 (private)."""
        ends = np.clip([self._raw.min(), self._raw.max()], -LARGEST, LARGEST).tolist()
        lower, upper = min(self._domain.lower, *ends), max(self._domain.upper, *ends)
        return Sample(self._raw, Interval(lower, upper))

    def __reduce__(self) -> tuple[type[Sample], tuple[Floats, Interval]]:
        """Pickle without cached results."""
        return Sample, (self._marked(self._raw), self._domain)

    def _marked(self, values: Floats) -> Any:
        return look_only(values, self.release_problem, self.missing, self.rows_of_person)

    def _as_given(self, values: Floats) -> Sample:
        """Return a sample with these values and the same public facts."""
        return Sample(self._marked(values), self._domain)

    def replaced(self, position: int, value: float) -> Sample:
        """Return the neighbour in which the record at `position` (from 0) is `value`."""
        changed = self._raw.copy()
        changed[position] = value
        return self._as_given(changed)

    def only(self, positions: Ints) -> Sample:
        """Return only the records at `positions` (from 0)."""
        return self._as_given(self._raw[positions])

    def steps(self, end: Sample) -> int:
        """Return n: each record is one step of the path to `end`, changed or not."""
        if self.n != end.n:
            raise DataError(
                f"the path leads from {self.n} to {end.n} records; both ends must have the same number"
            )
        return self.n

    def toward(self, end: Sample, count: int) -> Sample:
        """Return the sample whose first `count` records are those of `end`."""
        mixed = np.concatenate([end.values[:count], self.values[count:]])
        return self._as_given(mixed)

    @property
    def far_ends(self) -> tuple[str, ...]:
        """Names of distant samples to which a path leads: see `far_end`."""
        return FAR_ENDS

    def far_end(self, name: str) -> Sample:
        """Return the sample with all records at a bound ("lower", "upper"), or half at each ("halves")."""
        return self._as_given(values_at(name, self.n, self._domain))

    def _run(self, first: int, last: int) -> RankRun:
        return run_of_ranks(self._raw, first, last)

    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        yield examine(self.values)

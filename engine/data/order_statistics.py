"""The one thing that queries on order statistics ask of data: values by rank.

The same queries serve an array in memory, a file scanned in batches and a
distributed table, as long as each can say which values stand at the ranks a to b.
`Sample` is the source for an array in memory; it never sorts the whole array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.data.database import Database
from engine.data.far_ends import FAR_ENDS, values_at
from engine.data.look_only import problem_of
from engine.data.rank_runs import RankRun, run_of_ranks
from engine.data.ranked import RankedRecords
from engine.domain import Interval, as_interval
from engine.errors import DataError

FoundT = TypeVar("FoundT")


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

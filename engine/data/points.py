"""Points: records of several numbers, clamped to a public box."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.data.look_only import look_only, marks_of
from engine.domain import Box, BoxLike, as_box
from engine.errors import DataError
from engine.number_arrays import as_numbers
from engine.progress import Progress, silent
from engine.shown import CONVERSIONS, ShownDatabase

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

FoundT = TypeVar("FoundT")

PART = 1 << 18
"""Points per batch."""
NUMBERS = 1 << 21
"""Numbers computed from points between two progress reports."""

Hand = Callable[[int, int], Floats]
"""Returns the points at the positions from a first one up to, not including, a last one."""


class Order(Protocol):
    """An order of records; it may omit or repeat some."""

    def records(self, start: int, stop: int) -> Ints:
        """Return the records at the positions from `start` to `stop` - 1."""

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1, and the positions of each."""


class Points(ShownDatabase):
    """n points in d dimensions, clamped column by column to a public box.

    Parameters
    ----------
    values : array_like, shape (n, d)
        Finite numbers, one record per row.  Not copied; do not change them afterwards.
    domain : BoxLike
        Public bounds of each column: a box, or lower and upper bounds, each a number or one per column.
    columns, units : sequence of str, optional
        Name and unit of each column (public), for plots; by default columns are numbered.
    release_problem : str, optional
        Why no release may be made of the points; by default derived from the values.

    Raises
    ------
    DataError
        If there is no record, the number of columns differs from that of the bounds, or a number is NaN or
        infinite (records and columns count from 1).

    See Also
    --------
    Box, Sample, StoredPoints

    Examples
    --------
    >>> from engine import Box
    >>> data = Points([[0.5, 0.5], [2.0, 0.0]], Box.of([0, 0], [1, 1]))
    >>> data.n, data.values.tolist()
    (2, [[0.5, 0.5], [1.0, 0.0]])
    """

    kind: ClassVar[str] = "points"
    dealing: ClassVar[float] = 0.0
    """Approximate share of the work on blocks spent on putting points into order."""

    def __init__(
        self,
        values: ArrayLike,
        domain: BoxLike,
        columns: Sequence[str] = (),
        units: Sequence[str] = (),
        release_problem: str = "",
    ) -> None:
        problem, self.missing, self.rows_of_person = marks_of(values)
        self.release_problem = release_problem or problem
        self._raw = as_numbers(values, 2)
        if self._raw.ndim == 1 and self._raw.size:
            raise DataError(
                f"an array of shape {self._raw.shape} does not fit the bounds; give one row for each "
                "record, or Sample(values, (lower, upper)) for one column"
            )
        domain = as_box(domain, self._raw.shape[-1] if self._raw.ndim else 1)
        if self._raw.ndim != 2 or self._raw.shape[1] != domain.dimension:
            raise DataError(
                f"an array of shape {self._raw.shape} does not fit the bounds; "
                f"it must be (n, {domain.dimension})"
            )
        if not len(self._raw):
            raise DataError("there are no records; at least one is needed")
        finite = np.isfinite(self._raw)
        if not finite.all():
            record, column = np.unravel_index(int(np.argmin(finite)), finite.shape)
            raise DataError(
                f"record {record + 1}, column {column + 1} is not finite; every value must be finite",
                confidential=str(self._raw[record, column]),
            )
        self._domain = domain
        self.columns = tuple(columns) or tuple(f"column {index + 1}" for index in range(domain.dimension))
        self.units = tuple(units) or ("",) * domain.dimension

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self._raw)

    @property
    def resolution(self) -> None:
        """None: points are not rounded."""

    @property
    def domain(self) -> Box:
        """The public box to which the points are clamped."""
        return self._domain

    @property
    def outside(self) -> int:
        """Number of records outside the bounds (private)."""
        return self._outside

    @cached_property
    def _outside(self) -> int:
        return int(np.count_nonzero((self.values != self._raw).any(axis=1)))

    @cached_property
    def values(self) -> Floats:
        """The clamped points in the order of the records, shape (n, d)."""
        box, columns = self._domain, self._raw.T
        inside = [
            low <= x.min() and x.max() <= high
            for x, low, high in zip(columns, box.lower, box.upper, strict=True)
        ]
        return self._raw if all(inside) else box.clamp(self._raw)

    def found_in_parts(
        self,
        examine: Callable[[Floats], FoundT],
        progress: Progress = silent,
        message: str = "",
        numbers: int = 1,
    ) -> Iterator[FoundT]:
        """Apply a function to parts of the points, in order, and yield its results.

        The function may run in other threads, in other processes or on other machines.  It computes about
        `numbers` numbers per point; larger ones make the parts smaller.
        """
        step = max(1, min(PART, NUMBERS // numbers))
        for start in range(0, self.n, step):
            progress(start / self.n, message)
            yield examine(self.values[start : start + step])

    @contextlib.contextmanager
    def in_order(self, order: Order, count: int, most: int, progress: Progress = silent) -> Iterator[Hand]:
        """Yield a function that returns the clamped points at positions of an order, shape (positions, d).

        Request at most `most` positions at once, in ascending order.
        """
        values = self.values  # `take` copies whole rows far faster than indexing
        yield lambda start, stop: values.take(order.records(start, stop), axis=0)

    def replaced(self, position: int, point: ArrayLike) -> Points:
        """Return the neighbour in which the record at `position` (from 0) is `point`."""
        changed = self._raw.copy()
        changed[position] = point
        return self._as_given(changed)

    @classmethod
    def of_column(cls, sample: Any) -> Points | None:
        """Return a column of numbers as points with one coordinate; None if it stays in its file."""
        from engine.data.order_statistics import Sample

        if not isinstance(sample, Sample):
            return None
        marks = (sample.release_problem, sample.missing, sample.rows_of_person)
        return cls(look_only(sample.values[:, None], *marks), Box((sample.domain,)))

    def as_kind(self, kind: str) -> Any:
        from engine.data.order_statistics import Sample

        if kind != "column" or self._domain.dimension != 1:
            return None
        values = look_only(self._raw[:, 0], self.release_problem, self.missing, self.rows_of_person)
        return Sample(values, self._domain.sides[0])

    def only(self, positions: Ints) -> Points:
        """Return only the points at `positions` (from 0)."""
        return self._as_given(self._raw[positions])

    def _as_given(self, values: Floats) -> Points:
        """Return points with these values and the same public facts."""
        marked = look_only(values, self.release_problem, self.missing, self.rows_of_person)
        return Points(marked, self._domain, self.columns, self.units)


def search_tree(points: ArrayLike, leaf: int = 16) -> cKDTree:
    """Return a k-d tree whose boxes are split in the middle.

    scipy's default splits at medians, which takes three times as long to build and searches no faster.  For
    10^6 points in the plane that is half a second without a chance to cancel.
    """
    from scipy.spatial import cKDTree

    result = np.asarray(points, dtype=np.float64)
    return cKDTree(result, leafsize=leaf, balanced_tree=False, compact_nodes=False)


CONVERSIONS["column", "points"] = Points.of_column

"""Records dealt to parts of a table: the database of a question with a condition, or by group."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.data.look_only import look_only, marks_of
from engine.domain import Interval, as_interval
from engine.errors import DataError, ParameterError
from engine.number_arrays import as_numbers
from engine.progress import Progress, silent
from engine.shown import ShownDatabase

IN_NO_PART = -1
"""Index of a record that belongs to no part."""


_CHUNK = 1 << 18
"""Records dealt to parts at once; they fit into the processor's cache."""


@dataclasses.dataclass(frozen=True)
class PartsDomain:
    """The public facts of a question about parts of a table.

    Parameters
    ----------
    values : Interval
        Public bounds of the values.
    groups : sequence of str
        The public list of groups, in their order for display.  Empty: one part without a name.
    every : bool
        Whether each record belongs to a part, whatever it holds: no condition, no value left out, and
        "other" among the groups.

    Raises
    ------
    ParameterError
        If a group has no name or is listed twice.

    See Also
    --------
    Parts

    Examples
    --------
    >>> from engine import Interval
    >>> domain = PartsDomain(Interval(0, 100), ("Sales", "other"))
    >>> domain.size
    2
    """

    values: Interval
    groups: tuple[str, ...] = ()
    every: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_interval(self.values))
        object.__setattr__(self, "groups", tuple(self.groups))
        if "" in self.groups:
            raise ParameterError("categories", "a group has no name; give each group a name")
        if len(set(self.groups)) < len(self.groups):
            twice = next(name for name in self.groups if self.groups.count(name) > 1)
            raise ParameterError("categories", f"group '{twice}' is listed twice; list each group once")

    @property
    def size(self) -> int:
        """Number of parts."""
        return max(1, len(self.groups))

    @property
    def resolution(self) -> float | None:
        """The public step of the values, if one is declared."""
        return self.values.resolution

    @property
    def facts(self) -> dict[str, Any]:
        """Bounds and groups as a release reports them."""
        groups = {"groups": list(self.groups)} if self.groups else {}
        return {**self.values.facts, **groups}


class Parts(ShownDatabase):
    """N records (public), each with a value and a part; the sizes of the parts are private.

    Parameters
    ----------
    values : array_like, shape (N,)
        A number for each record; values of records in no part are ignored and may be NaN.
    index : array_like of int, shape (N,)
        The index of each record's part, or `IN_NO_PART`.
    domain : PartsDomain
        The public facts.
    release_problem : str, optional
        Why no release may be made of the records; by default derived from the values.

    Raises
    ------
    DataError
        If there is no record, the shapes differ, an index is wrong, or a value in a part is not finite.

    See Also
    --------
    PartsDomain, SumsInParts

    Examples
    --------
    >>> from engine import Interval
    >>> data = Parts([10, 20, 99], [0, 0, -1], PartsDomain(Interval(0, 100)))
    >>> data.n, data.part(0).tolist()
    (3, [10.0, 20.0])
    """

    kind: ClassVar[str] = "parts"

    def __init__(
        self, values: ArrayLike, index: ArrayLike, domain: PartsDomain, release_problem: str = ""
    ) -> None:
        problem, self.missing, self.rows_of_person = marks_of(values, index)
        self.release_problem = release_problem or problem
        self._raw = as_numbers(values, 1)
        self._index = np.ascontiguousarray(index)
        if self._raw.ndim != 1 or self._raw.shape != self._index.shape:
            raise DataError("each record needs one value and one part")
        if not self._raw.size:
            raise DataError("there are no records; at least one is needed")
        if not np.issubdtype(self._index.dtype, np.integer):
            raise DataError("the parts are no whole numbers; give an index for each record")
        if self._index.min() < IN_NO_PART or self._index.max() >= domain.size:
            raise DataError(f"a record has an invalid part; it must be {IN_NO_PART} to {domain.size - 1}")
        wrong = (self._index != IN_NO_PART) & ~np.isfinite(self._raw)
        if wrong.any():
            position = int(np.argmax(wrong))
            raise DataError(
                f"record {position + 1} is not finite; every value must be finite",
                confidential=str(self._raw[position]),
            )
        self._domain = domain
        self._by_part: Floats | None = None

    @property
    def n(self) -> int:
        """Number of records of the table, in whichever part (public)."""
        return int(self._raw.size)

    @property
    def domain(self) -> PartsDomain:
        """The public facts."""
        return self._domain

    @property
    def resolution(self) -> float | None:
        """The public step of the values, if one is declared."""
        return self._domain.resolution

    @property
    def outside(self) -> int:
        """Number of records of all parts outside the bounds (private)."""
        return self._domain.values.outside(self._raw[self._index != IN_NO_PART])

    @property
    def values(self) -> Floats:
        """The values in the order of the records, shape (N,), not clamped; NaN in no part (private)."""
        return self._raw

    @property
    def index(self) -> Ints:
        """The index of each record's part, shape (N,); `IN_NO_PART` for none (private)."""
        return self._index

    @cached_property
    def sizes(self) -> Ints:
        """Number of records in each part, shape (G,) (private)."""
        counts = np.bincount(np.add(self._index, 1, dtype=np.int64), minlength=self._domain.size + 1)
        return counts[1:]

    def deal(self, progress: Progress = silent) -> None:
        """Sort the values by part; `part` needs it, and does it if you have not."""
        if self._by_part is None:
            self._by_part = self._dealt(progress)

    def _dealt(self, progress: Progress) -> Floats:
        """Return all clamped values by part, in the order of the records within each part."""
        ends = np.cumsum(self.sizes)
        result = np.empty(ends[-1])
        filled = ends - self.sizes
        for start in range(0, self.n, _CHUNK):
            progress(start / self.n, "reading the groups")
            index = self._index[start : start + _CHUNK]
            # numpy sorts small integers by counting
            order = np.argsort(
                index.astype(np.int16, copy=False) if ends.size < 2**15 else index, kind="stable"
            )
            counts = np.bincount(np.add(index, 1, dtype=np.int64), minlength=ends.size + 1)
            runs = np.split(self._raw[start : start + _CHUNK][order], np.cumsum(counts)[:-1])[1:]
            for number in np.flatnonzero(counts[1:]):
                result[filled[number] : filled[number] + runs[number].size] = runs[number]
            filled += counts[1:]
        values = self._domain.values
        np.clip(result, values.lower, values.upper, out=result)
        result.flags.writeable = False
        return result

    def part(self, number: int) -> Floats:
        """Return the clamped values of a part (private), in no order."""
        ends = np.cumsum(self.sizes)
        self.deal()
        assert self._by_part is not None
        return self._by_part[ends[number] - self.sizes[number] : ends[number]]

    def replaced(self, record: int, value: tuple[float, int]) -> Parts:
        """Return the neighbour in which a record (from 0) has this value and part."""
        raw, index = self._raw.copy(), self._index.copy()
        raw[record], index[record] = value
        return self._as_given(raw, index)

    def only(self, positions: Ints) -> Parts:
        """Return only the records at `positions` (from 0)."""
        return self._as_given(self._raw[positions], self._index[positions])

    def _as_given(self, raw: Floats, index: Ints) -> Parts:
        return Parts(
            look_only(raw, self.release_problem, self.missing, self.rows_of_person), index, self._domain
        )

"""A table that stays in its source and is read piece by piece."""

from __future__ import annotations

import abc
import atexit
import dataclasses
import pkgutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from engine.data.missing_values import NONE_STATED, MissingValues
from engine.data.names import check_known
from engine.progress import Progress, silent
from engine.runners import in_order, runner
from engine.shown import ShownInALine

if TYPE_CHECKING:
    from engine.data.parts import Parts
    from engine.data.points import Points
    from engine.data.reading_options import FoundReading
    from engine.data.table import Table
    from engine.domain import Box, Interval


FoundT = TypeVar("FoundT")


@dataclasses.dataclass(frozen=True, repr=False)
class StoredPiece(ShownInALine):
    """Consecutive records of a column."""

    first: int  # position of the first record, from 0
    records: int
    missing: int | None = None  # number of records without a value, if the source knows it
    # Bounds of the values, if the source knows them; else infinite
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def present(self) -> int:
        """The number of records with a value, if the source knows it; else the number of records."""
        return self.records - (self.missing or 0)


@dataclasses.dataclass(frozen=True)
class StoredTable(abc.ABC):
    """A table in a file, a database or on other machines, from `stored_table`.

    Each kind of source has its own subclass.  Pickling sends only its fields to other threads, processes
    and machines.
    """

    numbers_only: ClassVar[bool] = False  # whether `load` returns numbers alone, and no text

    source: str  # the name in messages
    # Why no release may be made from it, as for a `Table`
    release_problem: str = dataclasses.field(default="", kw_only=True)
    # Stated missing values
    missing: MissingValues = dataclasses.field(default=NONE_STATED, kw_only=True)

    @property
    @abc.abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """The numbers of records of the pieces, in order."""

    @abc.abstractmethod
    def load(self, index: int, names: Sequence[str]) -> Any:
        """Return columns of a piece as an Arrow table; callable from any thread."""

    def piece(self, index: int, names: Sequence[str]) -> Any:
        """Return `load`, with null for the stated missing values."""
        return self.missing.replaced(self.load(index, names))

    def with_missing(self, missing: MissingValues) -> Self:
        """Return the same table with stated missing values; `DataError` for an unknown column."""
        check_known(list(missing.columns), self.schema.names, self.source)
        return dataclasses.replace(self, missing=missing)

    @abc.abstractmethod
    def head(self, count: int) -> Any:
        """Return the first records as an Arrow table with all columns."""

    def piece_statistics(self, name: str) -> Sequence[tuple[int | None, float, float]] | None:
        """Return (missing values, minimum, maximum) of a column in each piece, if the source knows them."""
        return None

    @property
    def first_row(self) -> int:
        """The row number of the first record, as in a spreadsheet."""
        return 1

    @cached_property
    def schema(self) -> Any:
        """Names and types of all columns."""
        return self.head(0).schema

    @property
    def n(self) -> int:
        """The number of records."""
        return sum(self.sizes)

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """Positions of the first records of the pieces, from 0."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple([0, *ends][: len(ends)])

    def as_table(
        self, format: str = "", reading: FoundReading | None = None, progress: Progress = silent
    ) -> Table:
        table: Table = _call_module("large_table:LargeTable", self, format, reading, progress)
        return table

    def sample(
        self, name: str, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> Any:
        column = _call_module("column:StoredColumn.of", self, name)
        return _call_module("sample:StoredSample", column, domain, missing, progress)

    def points(
        self, columns: Sequence[str], domain: Box, missing: str = "refuse", progress: Progress = silent
    ) -> Points:
        points: Points = _call_module("points:StoredPoints", self, columns, domain, missing, (), progress)
        return points

    def parts(self, column: str, bounds: Interval, progress: Progress = silent, **more: Any) -> Parts:
        """Return a column dealt to parts: `more` are the other arguments of `read_parts`, and `where`."""
        read = pkgutil.resolve_name(f"{__package__}.parts:stored_parts")
        parts: Parts = read(self, column, bounds, progress=progress, **more)
        return parts

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields, without cached results."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def over(
        self,
        names: Sequence[str],
        works: Mapping[int, Callable[[Any], FoundT]],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        """Yield the results of functions on pieces, in order; keys are indices of pieces."""
        check_known(names, self.schema.names, self.source)
        running = runner()
        with running.opened() as pool:
            tasks = (
                pool.submit(_compute_part, self, index, tuple(names), work) for index, work in works.items()
            )
            yield from in_order(tasks, running.width, len(works), progress, message)


def _call_module(target: str, *arguments: Any) -> Any:
    """Call a function or class in a module that imports this one, and return the result."""
    return pkgutil.resolve_name(f"{__package__}.{target}")(*arguments)


def _compute_part(
    table: StoredTable, index: int, names: tuple[str, ...], work: Callable[[Any], FoundT]
) -> FoundT:
    return work(table.piece(index, names))


_OPEN = threading.local()
atexit.register(_OPEN.__dict__.clear)  # closes the main thread's reader; others end with their threads


def reader_of(path: Path, opened: Callable[[Path], Any]) -> Any:
    """Return the cached reader of a file, opened again if the file has changed."""
    result = path.stat()
    stamp = (path, result.st_ino, result.st_size, result.st_mtime_ns, opened)
    if getattr(_OPEN, "stamp", None) != stamp:
        _OPEN.reader, _OPEN.stamp = opened(path), stamp
    return _OPEN.reader

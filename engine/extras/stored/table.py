"""Records that stay where they are, in pieces that can be read one at a time."""

from __future__ import annotations

import abc
import atexit
import dataclasses
import pkgutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.data.names import check_known
from engine.progress import Progress, silent
from engine.runners import in_order, runner
from engine.shown import ShownInALine

if TYPE_CHECKING:
    from engine.data.points import Points
    from engine.data.reading_options import FoundReading
    from engine.data.table import Table
    from engine.domain import Box, Interval


FoundT = TypeVar("FoundT")


@dataclasses.dataclass(frozen=True, repr=False)
class StoredPiece(ShownInALine):
    """Consecutive records of a column."""

    first: int  # place of the first record, from 0
    records: int
    missing: int | None = None  # how many of them have no value, where the source says it
    # What the values are not below and not above, where the source says it; else infinite
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def present(self) -> int:
        """How many records have a value, where the source says it; else how many there are."""
        return self.records - (self.missing or 0)


@dataclasses.dataclass(frozen=True)
class StoredTable(abc.ABC):
    """A table in a file, a database or on other machines, from `stored_table`.

    There is one subclass for each kind of source.  It is sent to other threads, processes and machines
    as what it is made of.
    """

    source: str  # what messages call it
    # Why no release may be made of it, as of a `Table`
    release_problem: str = dataclasses.field(default="", kw_only=True)

    @property
    @abc.abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """How many records the pieces hold, in their order."""

    @abc.abstractmethod
    def load(self, index: int, names: Sequence[str]) -> Any:
        """Return columns of a piece as an Arrow table; in any thread."""

    @abc.abstractmethod
    def head(self, count: int) -> Any:
        """Return the first records as an Arrow table with all columns."""

    def piece_statistics(self, name: str) -> Sequence[tuple[int | None, float, float]] | None:
        """Return what the source says of a column's pieces: values missing, their least and greatest."""
        return None

    @property
    def first_row(self) -> int:
        """The row of the first record, as a spreadsheet numbers it."""
        return 1

    @cached_property
    def schema(self) -> Any:
        """Names and types of all columns."""
        return self.head(0).schema

    @property
    def n(self) -> int:
        """How many records there are."""
        return sum(self.sizes)

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """Places of the first records of the pieces, from 0."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple([0, *ends][: len(ends)])

    def as_table(
        self, format: str = "", reading: FoundReading | None = None, progress: Progress = silent
    ) -> Table:
        table: Table = _made("large_table:LargeTable", self, format, reading, progress)
        return table

    def sample(
        self, name: str, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> Any:
        column = _made("column:StoredColumn.of", self, name)
        return _made("sample:StoredSample", column, domain, missing, progress)

    def points(
        self, columns: Sequence[str], domain: Box, missing: str = "refuse", progress: Progress = silent
    ) -> Points:
        points: Points = _made("points:StoredPoints", self, columns, domain, missing, (), progress)
        return points

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what was found here."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def over(
        self,
        names: Sequence[str],
        works: Mapping[int, Callable[[Any], FoundT]],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        """Yield what is found in pieces, in the order of their places."""
        check_known(names, self.schema.names, self.source)
        running = runner()
        with running.opened() as pool:
            tasks = (
                pool.submit(_compute_part, self, index, tuple(names), work) for index, work in works.items()
            )
            yield from in_order(tasks, running.width, len(works), progress, message)


def _made(target: str, *arguments: Any) -> Any:
    """Return what is made of a table by a module that imports this one."""
    return pkgutil.resolve_name(f"{__package__}.{target}")(*arguments)


def _compute_part(
    table: StoredTable, index: int, names: tuple[str, ...], work: Callable[[Any], FoundT]
) -> FoundT:
    return work(table.load(index, names))


_OPEN = threading.local()
atexit.register(_OPEN.__dict__.clear)  # that of the main thread; others end with their threads


def reader_of(path: Path, opened: Callable[[Path], Any]) -> Any:
    """Return what a function opens of a file as it is now."""
    result = path.stat()
    stamp = (path, result.st_ino, result.st_size, result.st_mtime_ns, opened)
    if getattr(_OPEN, "stamp", None) != stamp:
        _OPEN.reader, _OPEN.stamp = opened(path), stamp
    return _OPEN.reader

"""What is declared about a format of files."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from engine.data.points import Points
from engine.data.reading_options import FoundReading, ReadingOptions
from engine.data.table import Table
from engine.data.text import TextFile, recognise_encoding
from engine.domain import Box, Interval
from engine.errors import DataError
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class DataFile:
    """A file that is about to be read: what a `FileFormat` is asked about, and reads.

    Messages call it by its `name`; by its beginning, the `head`, it is recognised.  Where it `asks`, names
    that could be a record are refused unless it is stated which they are.  `outer` are the bytes of the
    packed file that it comes from; 0 where it comes from none.
    """

    path: Path
    name: str
    head: bytes = dataclasses.field(repr=False)
    options: ReadingOptions
    asks: bool = True
    outer: int = 0

    def error(
        self, problem: str, *, confidential: str = "", row: int | None = None, column: str | None = None
    ) -> DataError:
        """Return what is wrong with it."""
        return DataError(problem, confidential=confidential, source=self.name, row=row, column=column)

    @property
    def size(self) -> int:
        """Bytes by which it is judged how much its content may take: those of the file that was chosen."""
        return self.outer or self.path.stat().st_size

    @property
    def suffix(self) -> str:
        """The end of its name, in small letters."""
        return Path(self.name).suffix.lower()

    @cached_property
    def text(self) -> TextFile:
        """The file as text, in the encoding that is stated or recognised."""
        encoding, mark = recognise_encoding(self.head, self.options.encoding or None)
        return TextFile(self.path, encoding, mark, name=self.name, comment=self.options.comment)

    @cached_property
    def beginning(self) -> str:
        """Its beginning as text."""
        return self.text.beginning(self.head)


class StaysInFile(Protocol):
    """A table that is not read into memory: what `FileFormat.stored` returns."""

    @property
    def source(self) -> str:
        """What messages call it."""

    @property
    def release_problem(self) -> str:
        """Why no release may be made of it, as of a `Table`."""

    @property
    def n(self) -> int:
        """How many records there are."""

    @property
    def schema(self) -> Any:
        """Names and types of all columns."""

    def head(self, count: int) -> Any:
        """Return the first records as an Arrow table with all columns."""

    def as_table(
        self, format: str = "", reading: FoundReading | None = None, progress: Progress = silent
    ) -> Table:
        """Return its columns of numbers, where a `Table` is asked for."""

    def sample(
        self, name: str, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> Any:
        """Return a column between public bounds, where a `Sample` is asked for."""

    def points(
        self, columns: Sequence[str], domain: Box, missing: str = "refuse", progress: Progress = silent
    ) -> Points:
        """Return columns as points between public bounds."""


Reader = Callable[[DataFile, Sequence[str] | None, Progress], Table]


def always(file: DataFile) -> bool:
    """Say yes of any file."""
    return True


def releasable(file: DataFile) -> str:
    """Return "": each record of a file is one record."""
    return ""


@dataclasses.dataclass(frozen=True)
class FileFormat:
    """A kind of file that opens as a table; `register_format` lets it be opened everywhere.

    Attributes
    ----------
    name : str
        In the command line's catalog.
    title : str
        As users call it.
    suffixes : tuple of str
        With the point, in small letters; the first is the usual one.
    recognised : callable
        Tells by the beginning of a file whether it is of this format.
    reader : callable
        Returns the table; what it needs beyond the standard library is imported when it is called.
    options : tuple of str
        The names of `engine.data.reading_options.OPTIONS` that it looks at.
    of_graphs : bool
        Whether its records are always edges.
    is_text : bool
        Whether it is text: then it is asked after all binary formats, when the encoding is known.
    is_plain : bool
        Whether it is not compressed though it is not text: small files have few records.
    stored : callable, optional
        Returns the table that stays in the file and is read piece by piece, where the format allows it.
    may_stay : callable
        Tells of a file of this format whether it can.
    release_problem : callable
        Tells of a file, by what is asked of it and without its records, why no release may be made of it:
        `Table.release_problem`.

    Examples
    --------
    >>> from engine import FoundReading, Table
    >>> def read_times(file, columns, progress):
    ...     import pyarrow as pa
    ...
    ...     times = [float(line) for line in file.path.read_text("utf-8").split()[1:]]
    ...     return Table(file.name, pa.table({"seconds": times}), reading=FoundReading("times"))
    >>> times = FileFormat(
    ...     name="times",
    ...     title="times of a race",
    ...     suffixes=(".times",),
    ...     recognised=lambda file: file.head.startswith(b"times"),
    ...     reader=read_times,
    ...     is_text=True,
    ... )
    >>> times.suffixes
    ('.times',)
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognised: Callable[[DataFile], bool]
    reader: Reader
    options: tuple[str, ...] = ()
    of_graphs: bool = False
    is_text: bool = False
    is_plain: bool = False
    stored: Callable[[DataFile, Progress], StaysInFile] | None = None
    may_stay: Callable[[DataFile], bool] = always
    release_problem: Callable[[DataFile], str] = releasable

    def read(self, file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
        """Read a file of this format; `DataError` for options that it does not have."""
        self.refuse_other_options(file)
        return self.reader(file, columns, progress)

    def refuse_other_options(self, file: DataFile) -> None:
        """Raise `DataError` for options that it does not have."""
        for name in file.options.stated:
            if name not in self.options and name != "dates":
                raise file.error(
                    f"it is read as {self.title}, which has no {name} to be stated; leave it out"
                )


def imported(target: str) -> Callable[..., Any]:
    """Return the function that "module:name" says, which is imported when it is called."""

    def call(*arguments: Any) -> Any:
        return pkgutil.resolve_name(target)(*arguments)

    return call


def begins_with(*magic: bytes) -> Callable[[DataFile], bool]:
    """Recognise a format by the first bytes of its files."""
    return lambda file: file.head.startswith(magic)

"""The declaration of a file format."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from engine.data.missing_values import MissingValues
from engine.data.parts import Parts
from engine.data.points import Points
from engine.data.reading_options import OF_TYPES, FoundReading, ReadingOptions
from engine.data.table import Table
from engine.data.text import TextFile, recognise_encoding
from engine.domain import Box, Interval
from engine.errors import DataError
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class DataFile:
    """A file to be recognised and read by a `FileFormat`.

    `name` is used in messages; `head` holds its first bytes for recognition.  If it `asks`, column names that
    could be a record raise an error unless the header is stated.  `outer` is the size in bytes of the archive
    that contained the file; 0 without an archive.  With `edges`, a list of numbers counts as a list of edges.
    """

    path: Path
    name: str
    head: bytes = dataclasses.field(repr=False)
    options: ReadingOptions
    asks: bool = True
    outer: int = 0
    edges: bool = False

    def error(
        self, problem: str, *, confidential: str = "", row: int | None = None, column: str | None = None
    ) -> DataError:
        """Return a `DataError` about the file."""
        return DataError(problem, confidential=confidential, source=self.name, row=row, column=column)

    @property
    def size(self) -> int:
        """Bytes of the chosen file, packed or not; they limit how much its content may take."""
        return self.outer or self.path.stat().st_size

    @property
    def suffix(self) -> str:
        """The suffix of its name in lower case."""
        return Path(self.name).suffix.lower()

    @cached_property
    def text(self) -> TextFile:
        """The file as text, in the stated or detected encoding."""
        encoding, mark = recognise_encoding(self.head, self.options.encoding or None)
        return TextFile(self.path, encoding, mark, name=self.name, comment=self.options.comment)

    @cached_property
    def beginning(self) -> str:
        """Its beginning as text."""
        return self.text.beginning(self.head)


class StaysInFile(Protocol):
    """A table that is read in place, as `FileFormat.stored` returns it."""

    @property
    def source(self) -> str:
        """Name in messages."""

    @property
    def release_problem(self) -> str:
        """Why no release may be made of the table, as in `Table`."""

    @property
    def n(self) -> int:
        """Number of records."""

    @property
    def schema(self) -> Any:
        """Names and types of all columns."""

    def head(self, count: int) -> Any:
        """Return the first records as an Arrow table with all columns."""

    def as_table(
        self, format: str = "", reading: FoundReading | None = None, progress: Progress = silent
    ) -> Table:
        """Return its numeric columns as a `Table`."""

    def sample(
        self, name: str, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> Any:
        """Return a column with public bounds as a `Sample`."""

    def with_missing(self, missing: MissingValues) -> StaysInFile:
        """Return the same table with stated missing values."""

    def points(
        self, columns: Sequence[str], domain: Box, missing: str = "refuse", progress: Progress = silent
    ) -> Points:
        """Return columns with public bounds as points."""

    def parts(self, column: str, bounds: Interval, progress: Progress = silent, **more: Any) -> Parts:
        """Return a column dealt to parts: `more` are the other arguments of `read_parts`, and `where`."""


FOR_ALL = ("missing_values",)
"""Reading options that apply to every format, whatever the types of its columns."""

Reader = Callable[[DataFile, Sequence[str] | None, Progress], Table]


def always(file: DataFile) -> bool:
    """Return True for any file."""
    return True


def releasable(file: DataFile) -> str:
    """Return "": each record of the file is one record."""
    return ""


@dataclasses.dataclass(frozen=True)
class FileFormat:
    """A file format that opens as a table; `register_format` makes it available everywhere.

    Attributes
    ----------
    name : str
        Name on the command line.
    title : str
        Name for users.
    suffixes : tuple of str
        With the dot, in lower case; the usual one first.
    recognised : callable
        Tells from the beginning of a file whether it has this format.
    reader : callable
        Reads the table; imports libraries beyond the standard library only when called.
    options : tuple of str
        Names of the `engine.data.reading_options.OPTIONS` that apply to it, besides `FOR_ALL`.
    of_graphs : bool
        Whether its records are always edges.
    is_text : bool
        Whether it is text; then it is tried after all binary formats, once the encoding is known.
    is_plain : bool
        Whether a binary format is uncompressed: then small files have few records.
    stored : callable, optional
        Opens a table that is read in place, piece by piece.
    may_stay : callable
        Tells whether a file of this format can be read in place.
    release_problem : callable
        Tells why no release may be made of a file, from the reading options alone and not its records:
        `Table.release_problem`.

    See Also
    --------
    register_format, FoundReading

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
        """Read a file of this format; `DataError` for options that do not apply."""
        self.refuse_other_options(file)
        return self.reader(file, columns, progress)

    def refuse_other_options(self, file: DataFile) -> None:
        """Raise `DataError` for options that do not apply."""
        of_types = [name for name, kind in OF_TYPES.items() if file.options.casts_to(kind)]
        for name in file.options.stated:
            if name not in (*self.options, *of_types) and name not in FOR_ALL:
                raise file.error(
                    f"it is read as {self.title}, which has no {name} to be stated; leave it out"
                )


def imported(target: str) -> Callable[..., Any]:
    """Return the function "module:name", which is imported when it is called."""

    def call(*arguments: Any) -> Any:
        return pkgutil.resolve_name(target)(*arguments)

    return call


def begins_with(*magic: bytes) -> Callable[[DataFile], bool]:
    """Recognise a format by the first bytes of its files."""
    return lambda file: file.head.startswith(magic)

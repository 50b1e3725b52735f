"""Delimited text that stays in its file: split once between records, then parsed piece by piece."""

from __future__ import annotations

import codecs
import dataclasses
import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np

from engine.data import cells
from engine.data.cells import parse_numbers
from engine.data.formats.delimited import (
    UNCLOSED,
    header_of,
    names_row_of,
    problem_of_detection,
    refuse_fault,
)
from engine.data.formats.dialect import DELIMITERS, Dialect, arrow_options, dialect_and_sample
from engine.data.formats.file_format import DataFile
from engine.data.formats.layout import FIXED
from engine.errors import DataError
from engine.extras.stored.table import StoredTable
from engine.progress import Progress

PIECE = 1 << 23
"""Approximate size of a piece in bytes."""

LINE = 1 << 10
"""Characters in which a delimiter occurs if there is one."""

TAIL = 1 << 16
"""Bytes that are checked at once for blank lines at the end of a file."""


def can_be_cut(file: DataFile) -> bool:
    """Return whether line breaks are single bytes, and no option leaves out lines or sets types."""
    wide = file.text.encoding.startswith(("utf-16", "utf-32")) or _is_fixed(file)
    return not (wide or file.options.comment or file.options.types) and b"\n" in file.head


def _is_fixed(file: DataFile) -> bool:
    """Tell whether columns have fixed width; a quote does not enclose a cell there."""
    if file.options.delimiter or any(delimiter in file.beginning[:LINE] for delimiter in DELIMITERS):
        return file.options.delimiter.startswith(FIXED)
    layout = dialect_and_sample(file.beginning, file.options)[0].layout
    return layout is not None and layout.columns != ()


@dataclasses.dataclass(frozen=True)
class DelimitedTable(StoredTable):
    """A delimited text file."""

    path: Path
    numbers_only: ClassVar[bool] = True

    encoding: str
    dialect: Dialect
    thousands: str
    names: tuple[str, ...]
    starts: tuple[int, ...]  # first byte of each piece, and the end of the last
    sizes: tuple[int, ...] = ()  # numbers of records of the pieces

    @property
    def _offered(self) -> tuple[str, ...]:
        """The names without those of empty columns at the end."""
        return self.names[: len(self.names) - self.dialect.empty_end]

    @property
    def first_row(self) -> int:
        return self.dialect.skipped + 1

    def load(self, position: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        text = self._text(position)
        try:
            return self._parsed(text, position, names, dict.fromkeys(names, pa.float64()))
        except pa.ArrowInvalid:
            pass
        result = self._strings(text, position, names)
        return pa.table({name: self._numbers(result.column(name), name, position) for name in names})

    def head(self, count: int) -> Any:
        import pyarrow as pa

        if not self.sizes:
            return pa.table({name: pa.nulls(0) for name in self._offered})
        try:
            result = self._parsed(self._text(0), 0, self._offered, {})
        except pa.ArrowInvalid:
            result = self._strings(self._text(0), 0, self._offered)
        for index, name in enumerate(self._offered):
            column = result.column(name)
            if pa.types.is_null(column.type):
                result = result.set_column(index, name, column.cast(pa.float64()))
            if cells.is_string(column.type):
                numbers = self._parse(column, name)
                result = result if numbers is None else result.set_column(index, name, numbers)
        return result.slice(0, count)

    @cached_property
    def schema(self) -> Any:
        return self.head(0).schema

    def _text(self, position: int) -> bytes:
        """Return a piece in UTF-8."""
        with self.path.open("rb") as file:
            file.seek(self.starts[position])
            text = file.read(self.starts[position + 1] - self.starts[position])
        if self.encoding != "utf-8":
            text = self._recoded(text)
        return text if self.dialect.layout is None else self.dialect.layout.rewrite(text, self.source)

    def _recoded(self, text: bytes) -> bytes:
        try:
            return text.decode(self.encoding).encode()
        except UnicodeDecodeError:
            raise DataError(
                f"it is not {self.encoding} text; get it again in case it is truncated, or state "
                "its encoding",
                source=self.source,
            ) from None

    def _parsed(self, text: bytes, position: int, names: Sequence[str], types: dict[str, Any]) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        result = arrow_csv.read_csv(
            pa.BufferReader(text),
            read_options=arrow_csv.ReadOptions(
                column_names=self.names, use_threads=False, block_size=max(len(text) + 1, PIECE)
            ),
            **arrow_options(self.dialect, names, types),
        )
        if result.num_rows != self.sizes[position]:
            raise DataError(
                "its rows have different line breaks, or cells contain quotes; write it as Parquet",
                source=self.source,
                row=self.firsts[position] + self.dialect.skipped + 1,
            )
        return result

    def _strings(self, text: bytes, position: int, names: Sequence[str]) -> Any:
        """Return the cells of a piece as text; `DataError` at the first wrong row."""
        import pyarrow as pa

        try:
            return self._parsed(text, position, names, dict.fromkeys(names, pa.string()))
        except pa.ArrowInvalid:
            lines = io.StringIO(text.decode(errors="surrogateescape"), newline="")
            first = self.firsts[position] + self.dialect.skipped
            refuse_fault(lines, self.dialect, len(self.names), self.source, first)
            try:
                text.decode()
            except UnicodeDecodeError as error:
                row = first + text[: error.start].count(b"\n") + 1
                raise DataError(
                    cells.NOT_UTF_8,
                    confidential=cells.name_byte(text[error.start : error.end]),
                    source=self.source,
                    row=row,
                ) from None
            raise DataError(
                "it is not delimited text; write it again",
                source=self.source,
                row=first + 1,
            ) from None

    def _numbers(self, column: Any, name: str, position: int) -> Any:
        """Return cells as numbers that Arrow does not parse (" 12 ", "$1,807.95"); `DataError` for others."""
        result = self._parse(column, name)
        if result is not None:
            return result
        index = 0
        whole = len(column)
        while whole > 1:  # bisect: the first half with an error contains the first wrong cell
            half = whole // 2
            if self._parse(column.slice(index, half), name) is None:
                whole = half
            else:
                index, whole = index + half, whole - half
        raise DataError(
            "the value is not a number; correct the cell, leave it empty, or state it as missing",
            confidential=cells.quote(column[index].as_py()),
            source=self.source,
            row=self.firsts[position] + self.dialect.skipped + index + 1,
            column=name,
        )

    def _parse(self, column: Any, name: str) -> Any | None:
        texts = self.dialect.missing.texts(name)
        return parse_numbers(column, self.dialect.decimal, self.thousands, texts)


def stored_delimited(file: DataFile, progress: Progress) -> DelimitedTable:
    """Return the table of a text that stays in its file; one pass finds its records.

    The first piece shows whether the row of names could be a record.  Only columns of numbers are read of
    such a file, so in a record each name would be a number or a word for a missing value.
    """
    dialect, names = header_of(file)
    table = dataclasses.replace(
        cut(file, dialect, tuple(names), progress=progress),
        release_problem=problem_of_detection(dialect, file),
    )
    doubtful = names_row_of(file, dialect)
    if doubtful is not None and table.n:
        doubtful.check_columns(table.head(table.sizes[0]).columns)
    return table


def cut(file: DataFile, dialect: Dialect, names: tuple[str, ...], *, progress: Progress) -> DelimitedTable:
    """Split a text into pieces between records, by one pass over its bytes."""
    mark = len(codecs.BOM_UTF8) if file.head.startswith(codecs.BOM_UTF8) else 0
    with file.path.open("rb") as raw:
        end = _end(raw, blank_is_record=len(names) == 1)
        begin = _after(raw, mark, dialect.skipped, end, dialect.quote.encode())
        starts, sizes = [begin], []
        for stop, records in _cuts(raw, begin, end, dialect.quote.encode(), file.name, progress=progress):
            starts.append(stop)
            sizes.append(records)
    return DelimitedTable(
        file.name,
        file.path,
        file.text.encoding,
        dialect,
        file.options.thousands,
        names,
        tuple(starts),
        tuple(sizes),
    )


def _end(file: BinaryIO, *, blank_is_record: bool) -> int:
    """Return the end of the last record; final blank lines count only in a file with one column."""
    end = file.seek(0, io.SEEK_END)
    while end and not blank_is_record:
        start = max(0, end - TAIL)
        file.seek(start)
        left = len(file.read(end - start).rstrip(b"\r\n"))
        if left:
            return start + left
        end = start
    return end


def _after(file: BinaryIO, start: int, rows: int, end: int, quote: bytes) -> int:
    """Return the position after `rows` rows."""
    while rows:
        file.seek(start)
        inside = False
        for line in file:
            inside ^= line.count(quote) % 2 == 1
            start += len(line)
            if not inside:
                break
        rows -= 1
    return min(start, end)


def _cuts(
    file: BinaryIO, start: int, end: int, quote: bytes, name: str, *, progress: Progress
) -> Iterator[tuple[int, int]]:
    """Yield the end of each piece and its number of records."""
    file.seek(start)
    position, inside = start, False
    while position < end:
        progress(position / end, f"finding the records of {name}")
        block = file.read(min(PIECE, end - position))
        letters = np.frombuffer(block, np.uint8)
        breaks, quotes = np.flatnonzero(letters == ord("\n")), 0
        if inside or quote in block:
            marks = np.flatnonzero(letters == quote[0])
            breaks, quotes = breaks[(np.searchsorted(marks, breaks) + inside) % 2 == 0], marks.size
        inside ^= quotes % 2 == 1
        if breaks.size:
            start = position + int(breaks[-1]) + 1
            yield start, breaks.size
        position += len(block)
    if inside:
        raise DataError(UNCLOSED, source=name)
    if start < end:
        yield end, 1

"""Read delimited text: cells between delimiters or blanks, or of fixed width."""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from engine.data import cells
from engine.data.cells import parse_numbers
from engine.data.formats.dialect import DELIMITERS, Dialect, NamesRow, arrow_options, dialect_and_sample
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.layout import BLANKS, FIXED
from engine.data.names import check_known
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.data.text import BLOCK, TextFile
from engine.errors import DataError, NamesInDoubt
from engine.progress import Progress, part, silent

UNCLOSED = (
    "a quoted cell is not closed; add the closing quote and double the quotes inside a cell (or "
    "the file is truncated: get it again)"
)


def refuse_fault(lines: Iterable[str], dialect: Dialect, width: int, source: str, first: int = 0) -> None:
    """Raise `DataError` at the first row with the wrong width or an unclosed quoted cell.

    The Arrow parser reports the fault, the csv module locates it.  `first` rows precede these; with 0, the
    lines include titles.
    """
    row = first
    titles = 0 if first else dialect.titles
    records = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote, strict=True)
    try:
        for row, record in enumerate(records, start=first + 1):
            if row > titles and record and len(record) != width:
                _refuse_width(len(record), width, source, row, is_last=_is_at_end(records))
    except csv.Error:
        raise DataError(UNCLOSED, source=source, row=row + 1) from None


def _is_at_end(records: Iterable[list[str]]) -> bool:
    """Tell whether only blank lines follow."""
    try:
        return not any(records)
    except csv.Error:
        return False


def _refuse_width(held: int, width: int, source: str, row: int, *, is_last: bool = False) -> NoReturn:
    footnote = ", or delete the row if it is a footnote" if is_last else ""
    raise DataError(
        f"it has {'fewer' if held < width else 'more'} cells than the header, which has {width}; "
        "every row needs as many as the header (put quotes around a cell that contains the "
        f"delimiter), or state the row of the header if it is another one{footnote}",
        confidential=f"{held} cell{'' if held == 1 else 's'}",
        source=source,
        row=row,
    )


DETECTED_COMMA = (
    "the decimal comma was detected, so one record may decide how all others are read; state the "
    "decimal sign when you open the file, or with --decimal ,"
)

UNDECIDED_SIGN = (
    "the decimal sign is in doubt, so one record may decide how all others are read; state the decimal sign "
    "when you open the file, or with --decimal"
)

MISFIT = r"In CSV column #(\d+): (?:Row #\d+: )?CSV conversion error to (\w+)"
"""pyarrow's error for a value that does not match its column's type; single-threaded reads name the row."""


STRAY_QUOTE = (
    "quotes within cells are not doubled, so one record may take others for a part of its cell; double the "
    "quotes within cells, or state another quote with --quote"
)

SINGLE_VALUE = "a last column without a name has a single value; give the column a name, or remove the value"

ROWS = 32
"""Fewest rows per block, roughly: each block costs time for every column."""

LARGEST_BLOCK = 1 << 24

COLUMNS = 100
"""Columns between two progress reports."""


def read_delimited(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a delimited text file.

    A blank line is a record without values, so that row numbers stay right.  Blank lines at the end of a file
    with several columns are skipped.
    """
    import pyarrow as pa

    dialect, names = header_of(file)
    text = file.text.laid_out(dialect.layout)
    doubtful = names_row_of(file, dialect)
    offered = names[: len(names) - dialect.empty_end]
    if doubtful is not None and not set(columns or ()) <= set(offered):
        read_delimited(file, None, silent)  # validate first: the suggested names must not be a record
    check_known(columns or [], offered, file.name)
    quotes, lines, blank = _survey(text, dialect, progress=part(progress, 0.0, 0.1))
    texts = [name for name, type_name in file.options.types if name in names and type_name != "number"]
    try:
        data = _Parser(text, dialect, names, columns, texts, doubtful, part(progress, 0.1, 0.95)).table()
    except pa.ArrowInvalid as error:
        refuse_fault(text.lines(progress), dialect, len(names), file.name)
        raise file.error("it is not delimited text", confidential=str(error)) from None
    problem = ""
    if quotes % 2 or (quotes and data.num_rows != lines - dialect.skipped):
        # the parser takes other records for a part of an unclosed cell
        refuse_fault(text.lines(progress), dialect, len(names), file.name)
        if quotes % 2 or _has_stray_quotes(text, dialect):
            problem = STRAY_QUOTE
    if len(names) > 1:
        data = data.slice(0, data.num_rows - blank)
    first = dialect.skipped + 1
    if not columns and dialect.empty_end:
        data, dialect = _without_empty_end(data, dialect, file)
    return Table(
        file.name,
        _with_spelled_numbers(data, file, dialect, first, texts, progress=part(progress, 0.95, 1.0)),
        first_row=first,
        format=_in_words(dialect, text),
        reading=FoundReading(
            FORMAT.name, _found(dialect, file), doubtful=dialect.doubtful, notes=dialect.notes
        ),
        release_problem=problem or problem_of_detection(dialect, file),
    )


def _without_empty_end(data: Any, dialect: Dialect, file: DataFile) -> tuple[Any, Dialect]:
    """Return the table without its last columns if they are empty, and its dialect."""
    end = len(dialect.header) - dialect.empty_end
    for index in range(len(dialect.header) - 1, end - 1, -1):
        values = data.column(index)
        if values.null_count < len(values):
            if dialect.shortened:
                row = dialect.skipped + 1 + values.is_valid().index(True).as_py()
                raise file.error(
                    f"it has more cells than the header, which has {end}; remove the surplus cell", row=row
                )
            is_single = 0 < values.null_count == len(values) - 1
            return data.select(range(index + 1)), dataclasses.replace(
                dialect,
                empty_end=len(dialect.header) - index - 1,
                problem=SINGLE_VALUE if is_single else dialect.problem,
            )
    return data.select(range(end)), dialect


def header_of(file: DataFile) -> tuple[Dialect, list[str]]:
    """Return the dialect of a file and the names of all columns, also of empty ones at the end."""
    dialect, sample = dialect_and_sample(file.beginning, file.options)
    row, rows = dialect.titles + 1, file.options.names_rows
    if rows and rows.start != dialect.titles:
        raise file.error("there is no such row; choose another row of names", row=rows.start + 1)
    if dialect.unclosed:
        raise file.error(UNCLOSED, row=dialect.unclosed)
    if dialect.narrow:
        _refuse_width(dialect.narrow + 1, dialect.narrow, file.name, dialect.skipped + 1)
    doubtful = names_row_of(file, dialect)
    if doubtful is not None:
        if dialect.other_row:
            raise NamesInDoubt(file.name, dialect.other_row, likely=True)
        doubtful.check_texts(sample)
    if not any(dialect.header) and dialect.named and not rows:
        raise file.error("it is blank; the names of the columns belong here", row=row)
    return dialect, dialect.names


def names_row_of(file: DataFile, dialect: Dialect) -> NamesRow | None:
    """Return the row taken for the header; None if the header is stated, or cannot be a record."""
    if not dialect.named or dialect.certain or file.options.header or not file.asks:
        return None
    return NamesRow(dialect.header, file.name, dialect.titles + 1)


DETECTED_WIDTHS = (
    "the columns of fixed width were detected, so one record may decide where all others are cut; state "
    'the widths, as in delimiter="fixed 8,4,9"'
)


def problem_of_detection(dialect: Dialect, file: DataFile) -> str:
    """Return why no release may be made if one record may have decided how others are read."""
    if dialect.layout and dialect.layout.columns and not any(map(str.isdecimal, file.options.delimiter)):
        return DETECTED_WIDTHS
    return dialect.problem or problem_of_decimals(dialect, file)


def problem_of_decimals(dialect: Dialect, file: DataFile) -> str:
    """Return why no release may be made if one record may have decided how others are read.

    The default is a decimal point, for any records; a decimal comma or a contradiction is detected from them.
    With a comma, the 1.234 of another record is 1234; without a sign, 1,234 is text.
    """
    if dialect.decimal == "." or file.options.decimal or file.options.thousands in (".", ","):
        return ""
    return DETECTED_COMMA if dialect.decimal else UNDECIDED_SIGN


def _in_words(dialect: Dialect, text: TextFile) -> str:
    if len(dialect.header) == 1:
        apart = "single column"
    else:
        apart = f"{DELIMITERS.get(dialect.delimiter, repr(dialect.delimiter))}-separated"
    if dialect.layout is not None:
        apart = "fixed width" if dialect.layout.columns else "separated by blanks"
    texts = ["text", apart, text.encoding.upper()]
    if dialect.decimal == ",":
        texts.append("decimal comma")
    if not dialect.named:
        texts.append("no names")
    elif dialect.titles or dialect.named > 1:
        texts.append(f"names in row{'s' if dialect.named > 1 else ''} {_names_rows(dialect)}")
    return ", ".join(texts)


def _names_rows(dialect: Dialect) -> str:
    return (
        f"{dialect.titles + 1}-{dialect.skipped}"
        if dialect.named > 1
        else str(dialect.titles + 1 if dialect.named else 0)
    )


def _found(dialect: Dialect, file: DataFile) -> dict[str, str]:
    return {
        "encoding": file.text.encoding,
        "delimiter": _delimiter(dialect, file),
        "quote": dialect.quote,
        "decimal": dialect.decimal,
        "thousands": file.options.thousands,
        "header": _names_rows(dialect),
        "comment": file.options.comment,
    }


def _delimiter(dialect: Dialect, file: DataFile) -> str:
    if dialect.layout is None:
        return dialect.delimiter
    return file.options.delimiter or (FIXED if dialect.layout.columns else BLANKS)


def _survey(file: TextFile, dialect: Dialect, *, progress: Progress) -> tuple[int, int, int]:
    """Count the quotes in a file, its lines, and the blank lines at its end."""
    import numpy as np

    quote, newline = dialect.quote.encode(), b"\n"
    quotes = lines = 0
    end = bytearray()
    for block in file.blocks(progress):
        signs = np.frombuffer(block, np.uint8)  # counts frequent bytes five times as fast as bytes.count
        quotes += int(np.count_nonzero(signs == quote[0])) if quote in block else 0
        lines += int(np.count_nonzero(signs == newline[0]))
        text = block.rstrip(b"\r\n")
        if text:
            end.clear()
        end += block[len(text) :]
    return quotes, lines + (not end), max(0, len(end.splitlines()) - 1)


def _has_stray_quotes(file: TextFile, dialect: Dialect) -> bool:
    """Tell whether a quote neither begins nor ends a cell, and is not doubled within one."""
    quote, edge = (re.escape(sign.encode()) for sign in (dialect.quote, dialect.delimiter))
    cell = rb"(?:^|(?<=%b))%b(?:[^%b]|%b%b)*+%b(?=%b|\r?$)" % (edge, quote, quote, quote, quote, quote, edge)
    text = b"".join(file.blocks())
    return dialect.quote.encode() in re.sub(cell, b"", text, flags=re.MULTILINE)


class _Parser:
    """Parses a file batch by batch, with one batch in memory beside the cells.

    Column types come from the first megabyte.  If a later cell does not match, parsing starts again with a
    wider type for its column.
    """

    def __init__(
        self,
        file: TextFile,
        dialect: Dialect,
        names: Sequence[str],
        columns: Sequence[str] | None,
        texts: Sequence[str],
        doubtful: NamesRow | None,
        progress: Progress,
    ) -> None:
        import pyarrow as pa

        self._file = file
        self._dialect = dialect
        self._names = names
        self._columns = list(columns or names)
        self._is_part = bool(columns)
        self._doubtful = doubtful
        self._progress = progress
        self._types: dict[str, Any] = dict.fromkeys(texts, pa.string())
        if self._is_part and doubtful is not None:  # searches the text, whatever types the columns have
            self._types |= {name: pa.string() for name in names if name not in self._columns}

    def table(self) -> Any:
        import pyarrow as pa

        while True:
            try:
                return self._attempt()
            except pa.ArrowInvalid as error:
                misfit = re.search(MISFIT, str(error))
                if misfit is None and self._dialect.header_only:  # without a final line break
                    return pa.table({name: pa.nulls(0) for name in self._names})
                if misfit is None:
                    raise
                self._widen(self._names[int(misfit[1])], misfit[2])

    def _attempt(self) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        with (
            self._file.open_for_arrow() as file,
            arrow_csv.open_csv(
                file,
                read_options=arrow_csv.ReadOptions(
                    column_names=self._names,
                    skip_rows_after_names=self._dialect.skipped,
                    block_size=min(LARGEST_BLOCK, max(BLOCK, ROWS * sum(map(len, self._names)))),
                ),
                **arrow_options(
                    self._dialect,
                    self._columns if self._is_part and self._doubtful is None else (),
                    self._types,
                ),
            ) as reader,
        ):
            for name, column_type in zip(reader.schema.names, reader.schema.types, strict=True):
                if pa.types.is_null(column_type):  # no values so far; a number is most likely
                    self._types.setdefault(name, pa.float64())
            size = max(1, file.size())
            kept = []
            for batch in reader:
                if self._doubtful is not None:
                    self._doubtful.check_columns(batch.columns)
                kept.append(batch.select(self._columns))
                self._progress(min(1.0, file.tell() / size), f"reading {self._file.name}")
            return pa.Table.from_batches(kept, pa.schema(map(reader.schema.field, self._columns)))

    def _widen(self, name: str, type_name: str) -> None:
        """Choose the next wider type for a column with a mismatch."""
        import pyarrow as pa

        if type_name == "null":
            wider = self._types[name]
        elif type_name == "string":
            wider = pa.binary()
        else:
            wider = pa.float64() if type_name == "int64" else pa.string()
        self._types[name] = wider


def _with_spelled_numbers(
    data: Any, file: DataFile, dialect: Dialect, first_row: int, texts: Sequence[str], *, progress: Progress
) -> Any:
    """Convert columns of numbers that Arrow does not parse (" 12 ", "$1,807.95")."""
    import pyarrow as pa

    columns = data.columns
    for index, (name, column) in enumerate(zip(data.column_names, columns, strict=True)):
        if index % COLUMNS == 0:
            progress(index / len(columns), f"reading {file.name}")
        if cells.is_binary(column.type):  # the parser's reading of text in another encoding
            cells.refuse_bytes(column, name, file.name, first_row)
        if cells.is_string(column.type) and name not in texts:
            missing = dialect.missing.texts(name)
            numbers = parse_numbers(column, dialect.decimal, file.options.thousands, missing)
            columns[index] = column if numbers is None else numbers
    progress(1.0, f"reading {file.name}")
    return pa.table(columns, data.column_names)


FORMAT = FileFormat(
    "delimited",
    "delimited text",
    (".csv", ".tsv", ".txt", ".tab"),
    recognised=lambda file: True,  # formats are asked in order, and this one is last
    reader=read_delimited,
    options=("encoding", "delimiter", "quote", "decimal", "thousands", "header", "comment"),
    is_text=True,
)

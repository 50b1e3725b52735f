"""Delimited text: comma, semicolon, tab or bar between the cells, names in row 1."""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.data import cells
from engine.data.dialect import DELIMITERS, Dialect, detect_dialect
from engine.data.names import check_known, check_names, tidied
from engine.data.stream import TextStream
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

FIRST_RECORD = 2
"""The row of the first record: the header is row 1."""


def read_delimited(
    path: Path, head: str, encoding: str, mark: int, columns: Sequence[str] | None, progress: Progress
) -> Table:
    """Read a delimited text file.

    A blank line is a record without any value, so that rows keep their numbers; blank
    lines at the end of a file with several columns are no records.

    Parameters
    ----------
    path : Path
    head : str
        The beginning of the file, from which the dialect is detected.
    encoding : str
    mark : int
        Length of the byte order mark.
    columns : sequence of str or None
        The columns to keep in memory; None for all.
    progress : Progress
        Called from the thread in which the parser reads.

    Raises
    ------
    DataError
        If the names are unusable, a row has too many or too few cells, a quoted cell
        never ends, or a cell is not text in the encoding.
    """
    dialect = detect_dialect(head)
    names = [tidied(name) for name in dialect.header]
    _check_header(names, path.name)
    check_known(columns or [], names, path.name)
    stream = functools.partial(
        TextStream, path, encoding, mark, progress, quote=dialect.quote.encode(), trim=len(names) > 1
    )
    data = _parse(stream, dialect, names, columns, path.name)
    words = "single column" if len(names) == 1 else f"{DELIMITERS[dialect.delimiter]}-separated"
    return Table(path.name, data, first_row=FIRST_RECORD, format=f"text, {words}, {encoding.upper()}")


def _check_header(names: Sequence[str], source: str) -> None:
    if not any(names):
        raise DataError("it is blank; the names of the columns belong here", source=source, row=1)
    if all(_is_number(name) for name in names):
        raise DataError(
            f"it holds numbers ({cells.quoted(names[0])}) where the names of the columns belong; "
            "put a row of names above",
            source=source,
            row=1,
        )
    check_names(names, source, row=1)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parse(
    stream: Callable[[], TextStream],
    dialect: Dialect,
    names: Sequence[str],
    columns: Sequence[str] | None,
    source: str,
) -> Any:
    """Return the cells as an Arrow table.

    A stream takes the types of the columns from the first block and then holds only one
    block beside the cells.  Where a later block does not agree, or something is wrong,
    the whole file is parsed at once: that finds types that suit every row and numbers
    the rows, but keeps the text in memory until it is done.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    options = {
        "read_options": arrow_csv.ReadOptions(
            use_threads=False, column_names=names, skip_rows_after_names=1
        ),  # threads would lose the numbers of the rows, and gain little
        "parse_options": arrow_csv.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char=dialect.quote,
            newlines_in_values=True,
            ignore_empty_lines=False,
        ),
        "convert_options": arrow_csv.ConvertOptions(
            null_values=list(cells.MISSING_WORDS), strings_can_be_null=True, include_columns=columns or None
        ),
    }
    try:
        with stream() as text, arrow_csv.open_csv(text, **options) as batches:
            data = batches.read_all()
            quotes = text.quotes
    except pa.ArrowInvalid:
        try:
            with stream() as text:
                data = arrow_csv.read_csv(text, **options)
                quotes = text.quotes
        except pa.ArrowInvalid as error:
            _refuse_open_quote(stream, dialect, source)
            if dialect.header_only:  # the parser cannot skip a header without a line break
                return pa.table({name: pa.nulls(0) for name in names})
            _refuse_uneven(error, source)
            raise DataError(f"it is not delimited text: {error}", source=source) from None
    if quotes % 2:
        _refuse_open_quote(stream, dialect, source)
    return _with_spelled_numbers(data, source)


def _refuse_uneven(error: Exception, source: str) -> None:
    """Raise `DataError` if the parser complains about a row with too many or too few cells."""
    complaint = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", str(error))
    if complaint:
        row, width, held = map(int, complaint.groups())
        raise DataError(
            f"it has {held} cell{'' if held == 1 else 's'} where the header has {width}; every row needs "
            "as many as the header (a delimiter within a cell needs quotes around the cell)",
            source=source,
            row=row,
        )


def _refuse_open_quote(stream: Callable[[], TextStream], dialect: Dialect, source: str) -> None:
    """Raise `DataError` if a quoted cell is not closed.

    The Arrow parser takes the rest of the file for the cell; the standard library's
    finds the row, but slowly, so it is asked only where something is amiss.
    """
    row = 0
    with stream() as raw, raw.as_text() as text:
        records = csv.reader(text, delimiter=dialect.delimiter, quotechar=dialect.quote, strict=True)
        try:
            for row, _ in enumerate(records, start=1):  # noqa: B007 - the last number is what is asked for
                pass
        except csv.Error:
            raise DataError(
                "a quoted cell is not closed; add the closing quote and double the quotes inside a cell "
                "(or the file is cut in the middle: get it again)",
                source=source,
                row=row + 1,
            ) from None


def _with_spelled_numbers(data: Any, source: str) -> Any:
    """Turn columns of nothing but padded numbers (" 12 ") into numbers.

    Raises
    ------
    DataError
        If a cell is no text in the encoding of the file.
    """
    for index, (name, column) in enumerate(zip(data.column_names, data.columns, strict=True)):
        if cells.is_binary(column.type):  # what the parser makes of text in another encoding
            cells.refuse_bytes(column, name, source, FIRST_RECORD)
        if cells.is_string(column.type):
            # most text columns show what they are in the first few cells
            begins = cells.parsed(cells.spelled_numbers(column.slice(0, 1000)))
            numbers = None if begins is None else cells.parsed(cells.spelled_numbers(column))
            if numbers is not None:
                data = data.set_column(index, name, numbers)
    return data

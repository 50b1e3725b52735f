"""Where delimited text is wrong: slow, and asked only once the parser has said that it is."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import NoReturn

from engine.data.formats.dialect import Dialect
from engine.errors import DataError

UNCLOSED = (
    "a quoted cell is not closed; add the closing quote and double the quotes inside a cell "
    "(or the file is cut in the middle: get it again)"
)


def refuse_fault(lines: Iterable[str], dialect: Dialect, width: int, source: str, first: int = 0) -> None:
    """Raise `DataError` at the first row of the wrong width or with a quoted cell not closed.

    The Arrow parser says that there is one, the standard library's where.  `first` rows are counted
    before these; titles are among the lines where it is 0.
    """
    row = first
    titles = 0 if first else dialect.titles
    records = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote, strict=True)
    try:
        for row, record in enumerate(records, start=first + 1):
            if row > titles and record and len(record) != width:
                _refuse_width(len(record), width, source, row)
    except csv.Error:
        raise DataError(UNCLOSED, source=source, row=row + 1) from None


def _refuse_width(held: int, width: int, source: str, row: int) -> NoReturn:
    raise DataError(
        f"it has {'fewer' if held < width else 'more'} cells than the header, which has {width}; every row "
        "needs as many as the header (a delimiter within a cell needs quotes around the cell)",
        confidential=f"{held} cell{'' if held == 1 else 's'}",
        source=source,
        row=row,
    )

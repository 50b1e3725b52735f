"""Cells in rows and columns, as a sheet has them: where the names stand, and what is below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.formats.dialect import RECORDS, names_row
from engine.data.formats.file_format import DataFile
from engine.data.formats.header import NamesRow
from engine.data.formats.values import column_of
from engine.data.names import check_known, check_names, tidied
from engine.data.reading_options import FoundReading
from engine.data.spelling import decimal_sign, spelled_out
from engine.data.table import Table
from engine.errors import DataError


def table_of_grid(
    file: DataFile,
    rows: Sequence[Sequence[Any]],
    above: int,
    columns: Sequence[str] | None,
    format: str,
    reading: FoundReading,
) -> Table:
    """Return the table in a grid of cells; None and "" are missing."""
    rows = _without_empty_end(rows)
    if not rows:
        raise DataError(
            "there is no cell with anything in it; choose another sheet or range", source=file.name
        )
    beginning = [[_text(cell) for cell in row] for row in rows[:RECORDS]]
    stated = int(file.options.header) - above if file.options.header not in ("", "0") else None
    position = -1 if file.options.header == "0" else names_row(beginning) if stated is None else stated - 1
    if not (0 if stated is not None else -1) <= position < len(rows):
        raise DataError(f"row {file.options.header} is not among its rows", source=file.name)
    used = [
        index for index in range(len(rows[0])) if any(_text(row[index]) for row in rows[max(position, 0) :])
    ]
    below = rows[position + 1 :]
    texts = [[text for row in beginning[position + 1 :] if (text := row[index])] for index in used]
    decimal = file.options.decimal or decimal_sign(texts, "", file.options.thousands)
    header = [_text(rows[position][index]) for index in used] if position >= 0 else []
    names = list(map(tidied, header)) or [f"column {number}" for number in range(1, len(used) + 1)]
    doubtful = file.asks and stated is None and position >= 0
    casts = dict(file.options.types)
    results = {
        index: _column([row[index] for row in below], decimal, file.options.thousands, name in casts)
        for name, index in zip(names, used, strict=True)
        if doubtful or not columns or name in columns
    }
    if doubtful:
        NamesRow(header, file.name, above + position + 1).check_columns([results[index] for index in used])
    check_names(names, file.name, row=above + position + 1 if position >= 0 else None, shown=not doubtful)
    check_known(columns or [], names, file.name)
    wanted = {
        name: results[index]
        for name, index in zip(names, used, strict=True)
        if not columns or name in columns
    }
    return _table(
        file, wanted, above + position + 2, format, reading, str(max(above + position + 1, 0)), decimal
    )


def _table(
    file: DataFile,
    results: dict[str, Any],
    first_row: int,
    format: str,
    reading: FoundReading,
    header: str,
    decimal: str,
) -> Table:
    import pyarrow as pa

    values = {**reading.values, "header": header, "decimal": decimal, "thousands": file.options.thousands}
    return Table(
        file.name,
        pa.table(results),
        first_row=first_row,
        format=format,
        reading=FoundReading(reading.format, values, reading.offered),
    )


def _column(values: Sequence[Any], decimal: str, thousands: str, cast: bool) -> Any:
    import pyarrow as pa

    there = [
        None if isinstance(value, str) and value.strip() in cells.MISSING_WORDS else value for value in values
    ]
    column = column_of(there)
    if cells.is_string(column.type) and not cast:
        numbers = spelled_out(pa.chunked_array([column]), decimal, thousands)
        return column if numbers is None else numbers
    return column


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _without_empty_end(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    last = next((index for index in range(len(rows), 0, -1) if any(map(_text, rows[index - 1]))), 0)
    return rows[:last]

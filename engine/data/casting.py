"""Convert columns to their stated types: numbers, categories or days."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.data import cells
from engine.data.arrays import array_of, fill_null
from engine.data.cells import SAMPLE, parse_numbers
from engine.data.names import check_known
from engine.data.reading_options import DATES, ReadingOptions
from engine.data.table import Table
from engine.errors import DataError
from engine.numerals import grouped

NAMED = 3
"""Number of wrong rows that a message lists."""


def cast_columns(table: Table, options: ReadingOptions) -> Table:
    """Return a table whose columns have the stated types.

    Dates become days since 1970-01-01; the time of day is the fraction.
    """
    if not options.types:
        return table
    import pyarrow as pa

    data = table.data
    for name, type_name in options.types:
        if name not in data.column_names:
            check_known([name], data.column_names, table.source)
        index = data.column_names.index(name)
        cast = {"number": _numbers, "category": _texts, "days": _days}[type_name]
        try:
            data = data.set_column(index, name, cast(table, name, options))
        except pa.ArrowException as error:
            reason = " ".join(str(error).split())[:200]
            problem = f"it cannot be read as {type_name}; leave its type to be detected"
            raise table.error(problem, name, confidential=reason) from None
    return dataclasses.replace(table, data=data)


def _texts(table: Table, name: str, options: ReadingOptions) -> Any:
    try:
        return cells.texts(table.data.column(name))
    except ValueError as error:
        raise table.error("it cannot be read as a category", name, confidential=str(error)) from None


def _numbers(table: Table, name: str, options: ReadingOptions) -> Any:
    import pyarrow as pa

    column = table.data.column(name)
    kind = cells.kind(column.type)
    if kind == "number":
        return column
    if kind == "boolean":
        return column.cast(pa.int64())
    if not cells.is_string(column.type):
        what = (
            "dates or times; read it as days"
            if kind == "date"
            else "lists, objects or bytes instead of single numbers"
        )
        raise table.error(f"it holds {what}", name)
    decimal, thousands = table.reading.values.get("decimal") or ".", options.thousands
    missing = options.missing
    numbers = parse_numbers(column, decimal, thousands, missing.texts(name))
    if numbers is not None:
        stated = missing.of(name)
        return numbers if stated is None else stated.replaced(numbers)
    result = cells.spelled_numbers(column, missing.texts(name))
    wrong = [
        index
        for index, text in enumerate(result.to_pylist())
        if text is not None
        and parse_numbers(pa.chunked_array([pa.array([text])]), decimal, thousands, ("",)) is None
    ]
    raise _fault(table, name, wrong, f"no number with a decimal {'point' if decimal == '.' else 'comma'}")


def _days(table: Table, name: str, options: ReadingOptions) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    column = table.data.column(name)
    if cells.kind(column.type) == "number" and options.dates != "YMD":
        raise table.error("it holds numbers already; use it as it is, or state the format of its dates", name)
    if column.null_count == len(column):
        return pa.nulls(len(column), pa.float64())
    if types.is_time(column.type) or types.is_duration(column.type) or types.is_nested(column.type):
        raise table.error("it holds no dates; leave its type to be detected", name)
    if not types.is_temporal(column.type):
        column = _dates(table, name, options)
    seconds = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    return pc.divide(seconds.cast(pa.float64()), 86_400e6)


def _dates(table: Table, name: str, options: ReadingOptions) -> Any:
    """Parse texts as dates in the stated format, or in the only one that fits all of them."""
    import pyarrow.compute as pc

    try:
        result = cells.spelled_numbers(cells.texts(table.data.column(name)))
    except ValueError as error:
        raise table.error("it holds no dates", name, confidential=str(error)) from None
    begins = result.slice(0, SAMPLE)
    ways = [options.dates] if options.dates else [way for way in DATES if not _wrong(begins, way)]
    if len(ways) > 1:
        raise table.error(
            f"its dates fit more than one of the formats {', '.join(DATES)}; state the format",
            name,
            confidential=f"{cells.quote(result.drop_null()[0])} fits both {' and '.join(ways)}",
        )
    if not ways:
        raise table.error(
            f"its cells are no dates in any of the ways {', '.join(DATES)}; state how dates are written, or "
            "read the column as a category",
            name,
            confidential=cells.quote(result.drop_null()[0]),
        )
    wrong = _wrong(result, ways[0])
    if wrong:
        raise _fault(table, name, wrong, f"not a date in the format {ways[0]}")
    return pc.strptime(result, format=DATES[ways[0]], unit="s")


def _wrong(dates: Any, way: str) -> list[int]:
    """Return the positions of texts that are no dates in this format."""
    import numpy as np
    import pyarrow.compute as pc

    read = pc.strptime(dates, format=DATES[way], unit="s", error_is_null=True)
    # pyarrow parses 31 April as 1 May
    same = fill_null(pc.equal(_tidy(pc.strftime(read, format=DATES[way])), _tidy(dates)), False)
    wrong = pc.and_(dates.is_valid(), pc.invert(same))
    places: list[int] = np.flatnonzero(array_of(wrong)).tolist()
    return places


def _tidy(dates: Any) -> Any:
    """Return dates without leading zeros in days and months."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(dates, r"\b0([1-9])\b", r"\1")


def _fault(table: Table, name: str, wrong: list[int], what: str) -> DataError:
    rows = ", ".join(str(table.row(index)) for index in wrong[:NAMED]) + (", …" if len(wrong) > NAMED else "")
    count = f"{grouped(len(wrong))} cells are" if len(wrong) > 1 else "1 cell is"
    first = table.data.column(name)[wrong[0]]
    return table.error(
        f"it is {what}; correct or empty the cell, or read the column as a category",
        name,
        wrong[0],
        f"{cells.quote(first)}; {count} wrong so (row{'s' * (len(wrong) > 1)} {rows})",
    )

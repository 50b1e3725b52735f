"""Convert columns to their stated types: numbers, categories, days or hours."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.array_types import Bools, Ints
from engine.data import cells
from engine.data.arrays import array_of
from engine.data.cells import SAMPLE, parse_numbers
from engine.data.names import check_known
from engine.data.reading_options import DETECTED_DATES, ReadingOptions
from engine.data.table import Table
from engine.data.times import DAY, HOUR, in_microseconds, microseconds_of_dates, microseconds_of_hours
from engine.errors import DataError
from engine.numerals import grouped

NAMED = 3
"""Number of wrong rows that a message lists."""


DAY_OR_MONTH = {"D/M/Y", "M/D/Y"}
"""Formats between which one record can decide: 13/2/2020 fits only the first."""


def cast_columns(table: Table, options: ReadingOptions) -> Table:
    """Return a table whose columns have the stated types.

    Dates become days since 1970-01-01; the time of day is the fraction.  Times of day and durations become
    hours.
    """
    if not options.types:
        return table
    import pyarrow as pa

    data, problem = table.data, table.release_problem
    for name, type_name in options.types:
        if name not in data.column_names:
            check_known([name], data.column_names, table.source)
        index = data.column_names.index(name)
        casts = {"number": _numbers, "category": _texts, "days": _days, "hours": _hours}
        try:
            data = data.set_column(index, name, casts[type_name](table, name, options))
        except pa.ArrowException as error:
            reason = " ".join(str(error).split())[:200]
            wrong = f"it cannot be read as {type_name}; leave its type to be detected"
            raise table.error(wrong, name, confidential=reason) from None
        if type_name == "days" and not problem and not options.dates:
            problem = _problem_of_dates(table, name, options)
    typed = tuple(name for name, _ in options.types)
    reading = dataclasses.replace(table.reading, typed=(*table.reading.typed, *typed))
    return dataclasses.replace(table, data=data, release_problem=problem, reading=reading)


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
        what = cells.HELD.get(cells.kind_of_time(column.type), "lists, objects or bytes, not single numbers")
        raise table.error(f"it holds {what}", name)
    decimal = options.decimal or table.reading.values.get("decimal") or "."
    thousands, missing = options.thousands, options.missing
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
    sign = "point" if decimal == "." else "comma"
    raise _fault(table, name, wrong, f"no number with a decimal {sign}", "state the decimal sign, ")


def _days(table: Table, name: str, options: ReadingOptions) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    column = table.data.column(name)
    if cells.kind(column.type) == "number" and options.dates != "YMD":
        raise table.error("it holds numbers already; use it as it is, or state the format of its dates", name)
    if column.null_count == len(column):
        return pa.nulls(len(column), pa.float64())
    if cells.kind_of_time(column.type) == "time":
        raise table.error("it holds times without a date; read it as hours", name)
    if types.is_nested(column.type):
        raise table.error("it holds no dates; leave its type to be detected", name)
    if types.is_temporal(column.type):
        microseconds = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return pc.divide(microseconds.cast(pa.float64()), float(DAY))
    result = _spelled(table, name, "dates", options)
    date_format = options.dates or _date_format(result, table, name)
    values, valid = microseconds_of_dates(result, date_format)
    wrong = _positions(result, valid)
    if wrong:
        raise _fault(table, name, wrong, f"not a date in the format {date_format}")
    return _share(values, DAY, result)


def _hours(table: Table, name: str, options: ReadingOptions) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    column = table.data.column(name)
    if column.null_count == len(column):
        return pa.nulls(len(column), pa.float64())
    if cells.kind_of_time(column.type) == "time":
        try:
            return pc.divide(in_microseconds(column).cast(pa.float64()), float(HOUR))
        except OverflowError as error:
            raise table.error("it cannot be read as hours", name, confidential=str(error)) from None
    if cells.kind(column.type) == "date":
        raise table.error("it holds dates, not times of day or durations; read it as days", name)
    if cells.kind(column.type) == "number":
        raise table.error("it holds numbers already; use it as it is", name)
    if types.is_nested(column.type):
        raise table.error("it holds no times; leave its type to be detected", name)
    result = _spelled(table, name, "times", options)
    values, valid = microseconds_of_hours(result)
    wrong = _positions(result, valid)
    if wrong:
        raise _fault(table, name, wrong, "no time such as 8:30, 27:15:00 or PT1H30M")
    return _share(values, HOUR, result)


def _spelled(table: Table, name: str, what: str, options: ReadingOptions) -> Any:
    try:
        return cells.spelled_numbers(cells.texts(table.data.column(name)), options.missing.texts(name))
    except ValueError as error:
        raise table.error(f"it holds no {what}", name, confidential=str(error)) from None


def _share(values: Ints, unit: int, texts: Any) -> Any:
    """Return microseconds as a column in a larger unit; null where the texts are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(texts.is_valid(), pa.array(values / unit), None)


def _fitting(texts: Any) -> list[str]:
    """Return the detected formats that fit the first dates."""
    begins = texts.slice(0, SAMPLE)
    return [one for one in DETECTED_DATES if not _positions(begins, microseconds_of_dates(begins, one)[1])]


def _date_format(texts: Any, table: Table, name: str) -> str:
    """Return the only format that fits all dates; `DataError` if there are several, or none."""
    formats = _fitting(texts)
    if len(formats) > 1:
        raise table.error(
            f"its dates fit more than one of the formats {', '.join(DETECTED_DATES)}; state the format",
            name,
            confidential=f"{cells.quote(texts.drop_null()[0])} fits both {' and '.join(formats)}",
        )
    if not formats:
        raise table.error(
            f"its cells have none of the date formats {', '.join(DETECTED_DATES)}; state the format of its "
            "dates (such as D/M/YY for years of two digits), or read the column as a category",
            name,
            confidential=cells.quote(texts.drop_null()[0]),
        )
    return formats[0]


def _problem_of_dates(table: Table, name: str, options: ReadingOptions) -> str:
    """Return why no release may be made if one record may have decided the order of day and month."""
    column = table.data.column(name)
    if not cells.is_string(column.type) or column.null_count == len(column):
        return ""
    formats = _fitting(_spelled(table, name, "dates", options))
    if not DAY_OR_MONTH & set(formats):
        return ""
    return (
        f"the order of day and month was detected in column '{name}', so one record may decide how all "
        f"others are read; state the format of dates when you open the file, or with --dates {formats[0]}"
    )


def _positions(texts: Any, valid: Bools) -> list[int]:
    """Return the positions of texts that are not valid."""
    positions: list[int] = np.flatnonzero(array_of(texts.is_valid()) & ~valid).tolist()
    return positions


def _fault(table: Table, name: str, wrong: list[int], what: str, remedy: str = "") -> DataError:
    rows = ", ".join(str(table.row(index)) for index in wrong[:NAMED]) + (", …" if len(wrong) > NAMED else "")
    count = f"{grouped(len(wrong))} cells are" if len(wrong) > 1 else "1 cell is"
    first = table.data.column(name)[wrong[0]]
    return table.error(
        f"it is {what}; correct or empty the cell, {remedy}or read the column as a category",
        name,
        wrong[0],
        f"{cells.quote(first)}; {count} wrong so (row{'s' * (len(wrong) > 1)} {rows})",
    )

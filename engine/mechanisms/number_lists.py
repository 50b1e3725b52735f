"""Read lists of public numbers from the text of a parameter or from a file."""

from __future__ import annotations

import csv
import functools
import math
from pathlib import Path

from engine.data.names import is_number
from engine.data.text import lines_of_list
from engine.errors import DataError, ParameterError


@functools.lru_cache(maxsize=64)
def positive_numbers(text: str, field: str) -> tuple[float, ...]:
    """Read numbers above 0, separated by commas; an empty text gives none."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        try:
            sensible = 0 < float(part) < math.inf
        except ValueError:
            sensible = False
        if not sensible:
            raise ParameterError(field, f"'{part}' is not a number above 0; write for example 1, 1, 2.5")
    return tuple(map(float, parts))


@functools.lru_cache(maxsize=64)
def number_list(text: str, field: str) -> tuple[float, ...]:
    """Read finite numbers separated by commas; an empty text gives none."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        try:
            finite = math.isfinite(float(part))
        except ValueError:
            finite = False
        if not finite:
            raise ParameterError(field, f"'{part}' is not a number; write for example 18, 25, 35, 65")
    return tuple(map(float, parts))


@functools.lru_cache(maxsize=64)
def point_list(text: str, field: str) -> tuple[tuple[float, ...], ...]:
    """Read points separated by semicolons, coordinates by commas; an empty text gives none."""
    lists = []
    for point in filter(None, map(str.strip, text.split(";"))):
        try:
            numbers = tuple(map(float, point.split(",")))
        except ValueError:
            numbers = (math.nan,)
        if not all(map(math.isfinite, numbers)):
            raise ParameterError(field, f"'{point}' is not a point; write for example 0,0; 1,0.5")
        lists.append(numbers)
    return tuple(lists)


def numbers_in_file(path: Path) -> str:
    """Read public numbers above 0 from a file and return them as the text of a parameter.

    The file has one number per line, or all numbers in one line with commas.  In a table the last column
    counts; the other columns may be labels.  A first line without a number is the header.
    """
    lines = lines_of_list(path, "numbers")
    rows = [
        (row_number, [cell.strip() for cell in row]) for row_number, row in enumerate(csv.reader(lines), 1)
    ]
    rows = [(row_number, row) for row_number, row in rows if any(row)]
    if len(rows) == 1:
        rows = [(1, [cell]) for cell in rows[0][1]]
    elif rows and not is_number(rows[0][1][-1]):
        rows = rows[1:]
    if not rows:
        raise DataError("contains no numbers; write one per line", source=path.name)
    for row_number, row in rows:
        if not is_number(row[-1]) or not 0 < float(row[-1]) < math.inf:
            raise DataError(f"'{row[-1]}' is not a number above 0", source=path.name, row=row_number)

    return ", ".join(row[-1] for _, row in rows)

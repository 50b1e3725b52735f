"""Lists of public numbers, as users write them into a parameter."""

from __future__ import annotations

import csv
import functools
import math
from pathlib import Path

from engine.data.text import lines_of_list
from engine.errors import DataError, ParameterError


@functools.lru_cache(maxsize=64)
def positive_numbers(text: str, field: str) -> tuple[float, ...]:
    """Read numbers above 0, separated by commas; none of an empty text."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        try:
            sensible = 0 < float(part) < math.inf
        except ValueError:
            sensible = False
        if not sensible:
            raise ParameterError(field, f"'{part}' is no number above 0; write such numbers as 1, 1, 2.5")
    return tuple(map(float, parts))


@functools.lru_cache(maxsize=64)
def point_list(text: str, field: str) -> tuple[tuple[float, ...], ...]:
    """Read points, separated by semicolons, their coordinates by commas; none of an empty text."""
    lists = []
    for point in filter(None, map(str.strip, text.split(";"))):
        try:
            numbers = tuple(map(float, point.split(",")))
        except ValueError:
            numbers = (math.nan,)
        if not all(map(math.isfinite, numbers)):
            raise ParameterError(field, f"'{point}' is no point; write for instance 0,0; 1,0.5")
        lists.append(numbers)
    return tuple(lists)


def numbers_in_file(path: Path) -> str:
    """Read a list of public numbers above 0 from a file, as it is written into a parameter.

    A number stands in each line, or all in one line between commas.  Of a table the last column is read,
    the others may name what the numbers are for; a first line without numbers is its head.
    """
    lines = lines_of_list(path, "numbers")
    rows = [
        (row_number, [cell.strip() for cell in row]) for row_number, row in enumerate(csv.reader(lines), 1)
    ]
    rows = [(row_number, row) for row_number, row in rows if any(row)]
    if len(rows) == 1:
        rows = [(1, [cell]) for cell in rows[0][1]]
    elif rows and not _is_number(rows[0][1][-1]):
        rows = rows[1:]
    if not rows:
        raise DataError("holds no numbers; write one in each line", source=path.name)
    for row_number, row in rows:
        if not _is_number(row[-1]) or not 0 < float(row[-1]) < math.inf:
            raise DataError(f"'{row[-1]}' is no number above 0", source=path.name, row=row_number)
    return ", ".join(row[-1] for _, row in rows)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

"""Lists of categories that need not be typed: bundled public ones, and those in files."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from engine.data.text import lines_of_list
from engine.errors import DataError
from engine.resources import resource


@cache
def public_lists() -> Mapping[str, tuple[str, ...]]:
    """Return the bundled lists, by their titles."""
    result = tomllib.loads(resource("categories.toml").read_text("utf-8"))["list"]
    return {one["title"]: tuple(one["labels"]) for one in result}


def read_list(path: Path, column: str) -> tuple[str, ...]:
    """Read the list of a column from a file: a category in each line, or all in one between commas.

    Of a table, the first column is read; a first line that names the column is left out.

    Raises
    ------
    DataError
        If there is no list in it.
    """
    lines = lines_of_list(path, "categories")
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]
    rows = [row for row in rows if any(row)]
    cells = rows[0] if len(rows) == 1 else [row[0] for row in rows]
    if len(cells) > 1 and cells[0].casefold() == column.casefold():
        cells = cells[1:]
    labels = tuple(dict.fromkeys(label for label in cells if label))
    if not labels:
        raise DataError("holds no categories; write one in each line", source=path.name)
    return labels

"""What histograms and tables of counts release, in a few words and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.model.wording.formatting import format_count
from app.model.wording.numbers import number, share

Table = tuple[list[str], list[list[Any]]]
"""Header and rows."""

SHOWN = 3
"""How many counts are written out."""


def table_words(value: Mapping[str, Any]) -> str:
    """Write a value that is made of named parts."""
    if "margins" in value:
        margins = value["margins"]
        cells = sum(len(margin["cells"]) for margin in margins)
        return f"{format_count(cells)} cells in {_many(len(margins), 'table')}"
    if "cells" in value:
        cells = value["cells"]
        words = _many(len(cells), "cell")
        if cells and "categories" in cells[0]:
            first = [f"{', '.join(cell['categories'])} {number(cell['count'])}" for cell in cells]
            return f"{words}: {_first(first, 1, '; ')}"
        return words
    if "shares" in value:
        shares = [f"{label} {share(part)}" for label, part in value["shares"].items()]
        return f"shares: {_first(shares)}"
    if "counts" in value:
        counts = value["counts"]
        return f"{_many(len(counts), 'count')}: {_first([number(one) for one in counts])}"
    if "points" in value:
        return _many(len(value["points"]), "point")
    return ", ".join(f"{name} of {_shape(part)}" for name, part in value.items())


def table_of(value: Mapping[str, Any], columns: Sequence[str], most: int | None = None) -> Table:
    """Return such a value as a table, or its first `most` rows.

    Parameters
    ----------
    columns : sequence of str
        The columns that were asked: the coordinates of points, or categories.
    """
    if "margins" in value:
        names = list(dict.fromkeys(name for margin in value["margins"] for name in margin["columns"]))
        rows = []
        for margin in value["margins"]:
            for cell in margin["cells"]:
                labels = dict(zip(margin["columns"], cell["categories"], strict=True))
                rows.append([*(labels.get(name, "") for name in names), cell["count"]])
        return [*names, "count"], rows[:most]
    if "cells" in value:
        cells = value["cells"][:most]
        if cells and "categories" in cells[0]:
            return [*columns, "count"], [[*cell["categories"], cell["count"]] for cell in cells]
        return _boxes(cells, columns)
    if "shares" in value:
        header = [columns[0] if columns else "category", "share", "standard error", "answers"]
        parts = [value[name] for name in ("shares", "standard_errors", "answers") if name in value]
        return header[: len(parts) + 1], [
            [label, *(part[label] for part in parts)] for label in value["shares"]
        ]
    if "counts" in value:
        return ["count"], [[one] for one in value["counts"][:most]]
    if "points" in value:
        return list(columns), [list(point) for point in value["points"][:most]]
    return _parts(value, columns)


def table_lines(value: Mapping[str, Any], columns: Sequence[str], most: int) -> list[str]:
    """Write such a value part by part, at most so many of them."""
    cells = value.get("cells", ())[:most]
    if cells and "lower" in cells[0]:
        return [_box_words(cell, columns) for cell in cells]
    if cells:
        return [f"{', '.join(cell['categories'])}: {number(cell['count'])}" for cell in cells]
    header, rows = table_of(value, columns, most)
    return [
        ", ".join(
            f"{name} {_written(part)}".strip() for name, part in zip(header, row, strict=True) if part != ""
        )
        for row in rows
    ]


def _box_words(cell: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Write a cell by the ends of its bounding box, and what it holds."""
    sides = zip(columns, cell["lower"], cell["upper"], strict=True)
    where = ", ".join(f"{name} {number(low)} to {number(high)}" for name, low, high in sides)
    return f"{where}: {number(cell['count'])}"


def _written(part: Any) -> str:
    return part if isinstance(part, str) else number(part)


def _boxes(cells: Sequence[Mapping[str, Any]], coordinates: Sequence[str]) -> Table:
    """Return the bounding boxes of cells side by side: smallest and largest value of each column."""
    header = [f"{name} {end}" for name in coordinates for end in ("lower", "upper")]
    own = [name for name in ("level", "count") if cells and name in cells[0]]
    rows = [
        [
            *(end for pair in zip(cell["lower"], cell["upper"], strict=True) for end in pair),
            *(cell[name] for name in own),
        ]
        for cell in cells
    ]
    return [*header, *own], rows


def _parts(value: Mapping[str, Any], coordinates: Sequence[str]) -> Table:
    """Return numbers, vectors and matrices one below the other, each row with its name."""
    rows: list[list[Any]] = []
    for name, part in value.items():
        if isinstance(part, list) and part and isinstance(part[0], list):
            names = coordinates if len(part) == len(coordinates) else range(1, len(part) + 1)
            rows += [[f"{name} {own}", *line] for own, line in zip(names, part, strict=True)]
        else:
            rows.append([name, *(part if isinstance(part, list) else [part])])
    widest = max(map(len, rows), default=1)
    return ["", *coordinates[: widest - 1]], [row + [""] * (widest - len(row)) for row in rows]


def _first(words: Sequence[str], most: int = SHOWN, between: str = ", ") -> str:
    """Write the first few of them."""
    return between.join(words[:most]) + (f"{between}…" if len(words) > most else "")


def _many(size: int, noun: str) -> str:
    return f"{format_count(size)} {noun}{'s' * (size != 1)}"


def _shape(part: Any) -> str:
    """Write the size of a vector or matrix; a single number as it is."""
    if not isinstance(part, list):
        return _written(part)
    return (
        f"{len(part)} × {len(part[0])}" if part and isinstance(part[0], list) else _many(len(part), "number")
    )

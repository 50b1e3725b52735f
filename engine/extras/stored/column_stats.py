"""One pass that finds what the pieces of columns hold, where their source does not say it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.data.arrays import array_of
from engine.errors import DataError
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.table import StoredPiece, StoredTable
from engine.progress import Progress
from engine.runners import in_order, runner

_Facts = tuple[int, float, float] | None
"""How many values there are, their least and greatest; None of what is no column of numbers."""


def surveyed(table: StoredTable, names: Sequence[str], progress: Progress) -> dict[str, StoredColumn | None]:
    """Return columns of which it is known what their pieces hold; None of one that holds text, too.

    A column with a value that is not finite is returned all the same, and refused once it is read.
    """
    columns: dict[str, StoredColumn | None] = {name: StoredColumn.of(table, name) for name in names}
    asked = [name for name, column in columns.items() if column is not None and not column.told]
    if not asked:
        return columns
    found: dict[str, list[_Facts]] = {name: [] for name in asked}
    now = runner()
    with now.opened() as pool:
        tasks = (pool.submit(_survey, table, place, tuple(asked)) for place in range(len(table.sizes)))
        for facts in in_order(tasks, now.width, len(table.sizes), progress, f"reading {table.source}"):
            for name, one in facts.items():
                found[name].append(one)
    for name, parts in found.items():
        column = columns[name]
        assert column is not None
        columns[name] = _with(column, parts)
    return columns


def _with(column: StoredColumn, parts: Sequence[_Facts]) -> StoredColumn | None:
    pieces = []
    for piece, facts in zip(column.pieces, parts, strict=True):
        if facts is None:
            return None
        present, lower, upper = facts
        pieces.append(StoredPiece(piece.first, piece.records, piece.records - present, lower, upper))
    return dataclasses.replace(column, pieces=tuple(pieces))


def _survey(table: StoredTable, place: int, names: tuple[str, ...]) -> Mapping[str, _Facts]:
    try:
        loaded: Mapping[str, Any] = _columns(table, place, names)
    except DataError:  # one of them holds something else: which one?
        loaded = {}
        for name in names:
            try:
                loaded |= _columns(table, place, (name,))
            except DataError:
                loaded[name] = None
    return {name: None if column is None else _facts(column) for name, column in loaded.items()}


def _columns(table: StoredTable, place: int, names: tuple[str, ...]) -> dict[str, Any]:
    import pyarrow as pa

    found = table.load(place, names)
    return {name: found.column(name).cast(pa.float64(), safe=False) for name in names}


def _facts(column: Any) -> tuple[int, float, float]:
    values = array_of(column.drop_null())
    if not values.size:
        return 0, np.inf, -np.inf
    lower, upper = float(values.min()), float(values.max())
    # NaN and infinity are found where values are read
    return values.size, *((lower, upper) if np.isfinite(lower + upper) else (-np.inf, np.inf))

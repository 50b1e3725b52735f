"""Deal the records of a stored table to parts, piece by piece; one number and one index of each are kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.data import cells
from engine.data.categories import CategoryDomain
from engine.data.look_only import look_only
from engine.data.names import check_known
from engine.data.parts import Parts
from engine.data.reading_parts import TRUTH, read_parts
from engine.data.rows import RowCondition, all_hold
from engine.data.table import Table
from engine.domain import Interval
from engine.errors import DataError
from engine.extras.stored.table import StoredTable
from engine.progress import Progress, silent


def stored_parts(
    table: StoredTable,
    column: str = "",
    bounds: Interval = TRUTH,
    *,
    by: CategoryDomain | None = None,
    where: Sequence[RowCondition] = (),
    fill: float | None = None,
    progress: Progress = silent,
) -> Parts:
    """Read one column of a stored table and deal its records to parts, as `read_parts` does in memory."""
    named = [*([column] if column else []), *(by.columns if by else ())]
    named += [name for condition in where for name in condition.columns]
    names = list(dict.fromkeys(named)) or [table.schema.names[0]]
    check_known(names, table.schema.names, table.source)
    texts = [name for name in names if cells.is_string(table.schema.field(name).type)]
    if texts and table.numbers_only:
        problem = "it is text, and a text file that is not read into memory gives numbers alone"
        raise DataError(f"{problem}; write it as Parquet", source=table.source, column=texts[0])
    works = {
        index: partial(_read, table.source, first + table.first_row, column, bounds, by, tuple(where), fill)
        for index, first in enumerate(table.firsts)
    }
    parts = list(table.over(names, works, progress, f"reading {table.source}"))
    values = np.concatenate([part.values for part in parts])
    index = np.concatenate([part.index for part in parts])
    domain = dataclasses.replace(parts[0].domain, every=all(part.domain.every for part in parts))
    return Parts(look_only(values, table.release_problem), index, domain)


def _read(
    source: str,
    first_row: int,
    column: str,
    bounds: Interval,
    by: CategoryDomain | None,
    where: tuple[RowCondition, ...],
    fill: float | None,
    piece: Any,
) -> Parts:
    table = Table(source, piece, first_row)
    return read_parts(table, column, bounds, by=by, holds=all_hold(where, table), fill=fill)

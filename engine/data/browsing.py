"""Browse a table: sort its rows, select them by conditions, summarize columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of
from engine.data.conditions import Condition
from engine.data.table import Table
from engine.progress import Progress, silent
from engine.shown import ShownInALine

Rows = Ints

COMMON_TEXTS = 3
"""Number of most frequent texts that a summary lists."""


@dataclasses.dataclass(frozen=True, repr=False)
class NumberSummary(ShownInALine):
    """Summary of a column of numbers; NaN where the column has no values."""

    count: int
    missing: int
    distinct: int
    least: float
    lower_quartile: float
    median: float
    mean: float
    upper_quartile: float
    most: float


@dataclasses.dataclass(frozen=True, repr=False)
class TextSummary(ShownInALine):
    """Summary of a column of other values: `common` lists the most frequent ones with their counts."""

    count: int
    missing: int
    distinct: int
    common: tuple[tuple[str, int], ...]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Browser(ShownInALine):
    """A table with the values that were edited by hand."""

    table: Table
    changed: Mapping[str, Mapping[int, float]] = dataclasses.field(default_factory=dict)

    def is_number(self, column: str) -> bool:
        """Tell whether a column holds numbers."""
        return self.table.column(column).type == "number"

    def values(self, column: str) -> Any:
        """Return a column: float64 with NaN for missing values, or an Arrow column of texts."""
        import pyarrow as pa

        values = self.table.data.column(column)
        if self.is_number(column):
            floats = array_of(values.cast(pa.float64(), safe=False)).copy()
            changed = self.changed.get(column, {})
            floats[list(changed)] = list(changed.values())
            return floats
        try:
            return cells.without_units(values).cast(pa.string()).combine_chunks()
        except pa.ArrowException:  # Arrow casts no lists, objects or bytes to text
            return pa.array([None if one is None else str(one) for one in values.to_pylist()], pa.string())

    def matching(self, conditions: Mapping[str, Condition], progress: Progress = silent) -> Rows:
        """Return the rows that meet the conditions of all columns, in file order."""
        result = np.ones(self.table.n, dtype=bool)
        for index, (column, condition) in enumerate(conditions.items()):
            progress(index / len(conditions))
            result &= condition.holds(self.values(column))
        return np.flatnonzero(result)

    def ordered(self, rows: Rows, column: str, *, descending: bool = False) -> Rows:
        """Return rows sorted by a column; the sort is stable, with missing values last."""
        values = self.values(column)
        if isinstance(values, np.ndarray):
            chosen = values[rows]
            return rows[np.argsort(-chosen if descending else chosen, kind="stable")]
        import pyarrow.compute as pc

        order = "descending" if descending else "ascending"
        places: Rows = array_of(pc.array_sort_indices(values.take(rows), order=order)).astype(np.int64)
        return rows[places]

    def summary(self, column: str, rows: Rows) -> NumberSummary | TextSummary:
        """Summarize a column over some rows."""
        values = self.values(column)
        if isinstance(values, np.ndarray):
            return _of_numbers(values[rows])
        chosen = values.take(rows)
        counts = chosen.drop_null().value_counts()
        total = sorted(zip(*counts.flatten(), strict=True), key=lambda one: -one[1].as_py())
        common = tuple((text.as_py(), count.as_py()) for text, count in total[:COMMON_TEXTS])
        return TextSummary(len(chosen) - chosen.null_count, chosen.null_count, len(total), common)


def _of_numbers(values: Floats) -> NumberSummary:
    there = values[~np.isnan(values)]
    missing = values.size - there.size
    if not there.size:
        return NumberSummary(0, missing, 0, *[np.nan] * 6)
    with np.errstate(all="ignore"):
        low, first, middle, third, high = np.percentile(there, [0, 25, 50, 75, 100]).tolist()
        mean = float(there.mean())
    return NumberSummary(there.size, missing, np.unique(there).size, low, first, middle, mean, third, high)

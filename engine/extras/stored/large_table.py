"""A `Table` whose records stay in their file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.data import cells
from engine.data.categories import check_choice
from engine.data.reading_options import FoundReading
from engine.data.table import Column, Numbers, Table
from engine.domain import Box, Interval
from engine.errors import DataError
from engine.extras.stored.column import StoredColumn, column_stats
from engine.extras.stored.points import StoredPoints
from engine.extras.stored.sample import StoredSample
from engine.extras.stored.table import StoredTable
from engine.numerals import grouped
from engine.progress import Progress, silent

HEAD = 1000
"""Records in memory, for previews."""

SOME_PIECES = 4
"""Pieces from which a column's example records are drawn."""


class LargeTable(Table):
    """The columns of numbers of a stored table; its other columns are left out."""

    def __init__(
        self,
        stored: StoredTable,
        format: str = "",
        reading: FoundReading | None = None,
        progress: Progress = silent,
    ) -> None:
        facts = {
            "source": stored.source,
            "first_row": stored.first_row,
            "format": format,
            "reading": reading or FoundReading(),
            "release_problem": stored.release_problem,
        }
        for name, value in {**facts, "units": {}, "vertices": (), "stored": stored}.items():
            object.__setattr__(self, name, value)
        numbers = [field.name for field in stored.schema if cells.kind(field.type) == "number"]
        result = column_stats(stored, numbers, progress=progress)
        kept = {name: column for name, column in result.items() if column is not None}
        if not kept:
            raise DataError("no column holds only numbers; choose another file", source=stored.source)
        object.__setattr__(self, "_kept", kept)
        head = stored.missing.replaced(stored.head(HEAD).select(list(kept)))
        object.__setattr__(self, "_head", head)

    stored: StoredTable
    _kept: dict[str, StoredColumn]
    _head: Any

    @property
    def data(self) -> Any:
        """Raise `DataError`: not all cells are in memory."""
        raise DataError(
            f"its {grouped(self.n)} records stay in the file, and this needs all of them in memory; open a "
            "part of them, or choose a page for a column or for points",
            source=self.source,
        )

    @property
    def n(self) -> int:
        return self.stored.n

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(name, "number", column.missing) for name, column in self._kept.items())

    def column(self, name: str) -> Column:
        """Return the column of that name; `DataError` if there is none."""
        result = next((column for column in self.columns if column.name == name), None)
        if result is None:
            raise DataError("it does not hold only numbers; choose another", source=self.source, column=name)
        return result

    def preview(self, rows: int = 20, columns: int | None = None) -> list[tuple[str, ...]]:
        texts = (cells.as_text(column.slice(0, rows)) for column in self._head.columns[:columns])
        return list(zip(*texts, strict=True))

    def numbers(self, column: str, missing: str = "refuse", fill: float | None = None) -> Numbers:
        self.column(column)
        self._check(missing)
        if missing == "drop":
            self._kept[column] = self._kept[column].with_nan_missing(silent)
        values = StoredValues(self._kept[column], missing)
        return Numbers(values, values.dropped)

    def points(
        self, columns: Sequence[str], missing: str = "refuse", fill: Sequence[float] | None = None
    ) -> Numbers:
        for name in columns:
            self.column(name)
        self._check(missing)
        values = StoredCoordinates(self.stored, tuple(columns), missing)
        return Numbers(values, values.dropped)

    def _check(self, missing: str) -> None:
        check_choice(missing)
        if missing == "fill":
            raise DataError(
                "a file that is not read into memory cannot fill missing values; leave out these records",
                source=self.source,
            )


class StoredValues:
    """The values of a column in place of an array; `sample` needs public bounds."""

    def __init__(self, column: StoredColumn, missing: str) -> None:
        self._column, self._missing = column, missing
        # the bounds have no influence on the number of values
        whole = StoredSample(column, Interval(-1.0, 1.0), missing)
        self._n, self.dropped = whole.n, whole.dropped

    def __len__(self) -> int:
        return self._n

    def sample(self, domain: Interval) -> StoredSample:
        """Return the sample with public bounds."""
        return StoredSample(self._column, domain, self._missing)

    def some(self, count: int) -> tuple[Ints, Floats]:
        """Return example records, always the same: their indices from 0, and their values."""
        pieces, rng = self._column.pieces, np.random.default_rng(count)
        ends = np.cumsum([piece.present for piece in pieces])
        full = [index for index, piece in enumerate(pieces) if piece.present]
        chosen = sorted(rng.choice(full, min(SOME_PIECES, len(full)), replace=False).tolist())
        indices, values = [], []
        for index, result in zip(chosen, self._column.over(chosen, np.copy, silent, ""), strict=True):
            some = np.sort(rng.choice(result.size, min(result.size, count // len(chosen)), replace=False))
            indices.append(int(ends[index]) - result.size + some)
            values.append(result[some])
        return np.concatenate(indices), np.concatenate(values)


class StoredCoordinates:
    """The coordinates of points in place of an array; `points` needs public bounds."""

    def __init__(self, stored: StoredTable, columns: tuple[str, ...], missing: str) -> None:
        self._stored, self._columns, self._missing = stored, columns, missing
        whole = self.points(Box.of([-1.0] * len(columns), [1.0] * len(columns)))
        self._n, self.dropped = whole.n, whole.dropped

    def __len__(self) -> int:
        return self._n

    def points(self, domain: Box, units: Sequence[str] = ()) -> StoredPoints:
        """Return the points with public bounds; one pass counts those outside."""
        return StoredPoints(self._stored, self._columns, domain, self._missing, units)

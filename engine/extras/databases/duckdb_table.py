"""Tables of a DuckDB database that stay there, and what a query returns."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.data.formats.file_format import DataFile
from engine.extras.databases.duckdb_connection import (
    DuckdbCatalog,
    answer_apart,
    asked,
    connected,
    opened,
    refusing,
)
from engine.extras.databases.row_by_row import origin_of
from engine.extras.stored.arrow_files import outwards
from engine.extras.stored.readers import reader_of
from engine.extras.stored.table import StoredTable
from engine.extras.stored.temp_table import spilled
from engine.progress import Progress

PIECE = 8 * 122_880
"""Row numbers of a piece: of whole row groups of the database."""


@dataclasses.dataclass(frozen=True)
class DuckTable(StoredTable):
    """A table of a DuckDB database, read by ranges of its row numbers.

    Attributes
    ----------
    path : Path
    table : str
        Its name.
    """

    path: Path
    table: str

    def _asked(self, words: str) -> Any:
        with refusing(self.source, asked=False):
            return reader_of(self.path, opened).sql(words).to_arrow_table()

    @cached_property
    def _pieces(self) -> tuple[list[int], list[int]]:
        """Which ranges of row numbers hold records, and how many."""
        found = self._asked(
            f"SELECT rowid // {PIECE} AS piece, count(*) AS records FROM {_quoted(self.table)} "
            "GROUP BY piece ORDER BY piece"
        )
        return found.column("piece").to_pylist(), found.column("records").to_pylist()

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self._pieces[1])

    def told(self, name: str) -> Sequence[tuple[int | None, float, float]]:
        """Return what the database finds of a column: values missing in each piece, and their ends."""
        column = _quoted(name)
        found = self._asked(
            f"SELECT count(*) - count({column}), CAST(min({column}) AS DOUBLE), "
            f"CAST(max({column}) AS DOUBLE) FROM {_quoted(self.table)} "
            f"GROUP BY rowid // {PIECE} ORDER BY rowid // {PIECE}"
        )
        told = []
        for missing, lower, upper in zip(*(column.to_pylist() for column in found.columns), strict=True):
            ends = (np.inf, -np.inf) if lower is None else outwards(lower, upper)
            told.append((int(missing), *ends))
        return told

    def load(self, place: int, names: Sequence[str]) -> Any:
        first = self._pieces[0][place] * PIECE
        columns = ", ".join(map(_quoted, names))
        return self._asked(
            f"SELECT {columns} FROM {_quoted(self.table)} WHERE rowid >= {first} AND rowid < {first + PIECE}"
        )

    def head(self, count: int) -> Any:
        return self._asked(f"SELECT * FROM {_quoted(self.table)} LIMIT {count}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def stored_duckdb(file: DataFile, progress: Progress) -> StoredTable:
    """Return a table that stays in its database; of a view, or of a query, what it returns, in a file."""
    with connected(file) as database:
        query, table, _ = asked(file, database)
        origin = origin_of(DuckdbCatalog(database), query, table)
        plain = database.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'main' "
            "AND table_name = ? AND table_type = 'BASE TABLE' AND NOT EXISTS (SELECT 1 FROM "
            "information_schema.columns WHERE table_schema = 'main' AND table_name = ? "
            "AND lower(column_name) = 'rowid')",  # it hides the numbers of rows
            [table, table],
        ).fetchall()
        if table and plain[0][0]:
            return DuckTable(file.name, file.path, table, release_problem=origin.release_problem)
    import pyarrow as pa

    schema, batches = answer_apart(file, query, progress, keeps=False)
    kept = spilled(file.name, pa.RecordBatchReader.from_batches(schema, batches), progress)
    return dataclasses.replace(kept, release_problem=origin.release_problem)

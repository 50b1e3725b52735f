"""DuckDB databases: a table, or what a query returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.data.formats.databases import answered
from engine.data.formats.duckdb_connection import BATCH, DuckdbCatalog, asked, connected, duckdb_problem
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.row_by_row import origin_of
from engine.data.names import check_known, check_names
from engine.data.stored.duckdb_table import stored_duckdb
from engine.data.table import Table
from engine.progress import Progress


def read_duckdb(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or what a query returns.

    Raises
    ------
    DataError
        If `duckdb` is not installed, or for what `read_sqlite` raises it.
    """
    import pyarrow as pa

    progress(0.0, f"reading {file.name}")
    with connected(file) as database:
        query, table, names = asked(file, database)
        origin = origin_of(DuckdbCatalog(database), query, table)
        reader: Any = database.sql(query).to_arrow_reader(BATCH)
        check_names(reader.schema.names, file.name)
        check_known(columns or [], reader.schema.names, file.name)
        batches = []
        for batch in reader:
            progress(0.5, f"reading {file.name}")
            batches.append(batch.select(list(columns)) if columns else batch)
        schema = pa.schema([reader.schema.field(name) for name in columns or reader.schema.names])
    data = pa.Table.from_batches(batches, schema)
    return answered(file, FORMAT.name, "DuckDB", table, names, data, origin)


FORMAT = FileFormat(
    "duckdb",
    "DuckDB database",
    (".duckdb", ".ddb"),
    recognised=lambda file: file.head[8:12] == b"DUCK",
    reader=read_duckdb,
    options=("table", "sql"),
    stored=stored_duckdb,
    release_problem=duckdb_problem,
)

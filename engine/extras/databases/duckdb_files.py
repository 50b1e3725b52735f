"""DuckDB databases: a table, or what a query returns."""

from __future__ import annotations

from collections.abc import Sequence

from engine.data.formats.apart import prepare
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.names import check_known, check_names
from engine.data.table import Table
from engine.extras.databases.databases import answered
from engine.extras.databases.duckdb_connection import (
    LIBRARIES,
    DuckdbCatalog,
    answer_apart,
    asked,
    connected,
    duckdb_problem,
)
from engine.extras.databases.duckdb_table import stored_duckdb
from engine.extras.databases.row_by_row import origin_of
from engine.progress import Progress


def read_duckdb(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or what a query returns.

    Raises
    ------
    DataError
        If `duckdb` is not installed, or for what `read_sqlite` raises it.
    """
    prepare(LIBRARIES)
    import pyarrow as pa

    progress(0.0, f"reading {file.name}")
    with connected(file) as database:
        query, table, names = asked(file, database)
        origin = origin_of(DuckdbCatalog(database), query, table)
    schema, batches = answer_apart(file, query, progress)
    check_names(schema.names, file.name)
    check_known(columns or [], schema.names, file.name)
    wanted = list(columns or schema.names)
    schema = pa.schema([schema.field(name) for name in wanted])
    data = pa.Table.from_batches([batch.select(wanted) for batch in batches], schema)
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

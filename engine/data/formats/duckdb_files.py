"""DuckDB databases, where the optional package `duckdb` is installed: a table, or a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.sqlite import statement
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress

BATCH = 1 << 16
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
}
"""A query sees this database and nothing else."""

READING = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "DESCRIBE", "SHOW", "SUMMARIZE")


def read_duckdb(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or what a query returns.

    Raises
    ------
    DataError
        If `duckdb` is not installed, or for what `read_sqlite` raises it.
    """
    import pyarrow as pa

    try:
        import duckdb
    except ImportError:
        raise DataError(
            "DuckDB is needed to read it; install it with: pip install 'sensiscope[databases]'",
            source=file.name,
        ) from None
    progress(0.0, f"reading {file.name}")
    query = file.options.sql
    if query and not query.lstrip("( \n\t").upper().startswith(READING):
        raise DataError("the query would write; write a SELECT statement", source=file.name)
    try:
        if query and len(duckdb.extract_statements(query)) != 1:
            raise DataError("the query is wrong; write one SELECT statement", source=file.name)
        with duckdb.connect(str(file.path), read_only=True, config=SETTINGS) as database:
            names = [
                name
                for (name,) in database.execute(
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1"
                ).fetchall()
            ]
            query, table = statement(file, names)
            reader: Any = database.sql(query).to_arrow_reader(BATCH)
            check_names(reader.schema.names, file.name)
            check_known(columns or [], reader.schema.names, file.name)
            batches = []
            for batch in reader:
                progress(0.5, f"reading {file.name}")
                batches.append(batch.select(list(columns)) if columns else batch)
            schema = pa.schema([reader.schema.field(name) for name in columns or reader.schema.names])
    except duckdb.Error as error:
        raise DataError(_problem(str(error), bool(query)), source=file.name) from None
    return Table(
        file.name,
        pa.Table.from_batches(batches, schema),
        format=f"DuckDB, {'table ' + table if table else 'query'}",
        reading=FoundReading(FORMAT.name, {"table": table, "sql": file.options.sql}, {"table": tuple(names)}),
    )


def _problem(words: str, asked: bool) -> str:
    words = " ".join(words.split())
    if "lock" in words.lower():
        return "another program has locked it; close that program, or copy the file"
    if asked:
        return f"the query is wrong ({words[:200]}); correct it"
    return f"it cannot be read ({words[:200]}); get the whole file again"


FORMAT = FileFormat(
    "duckdb",
    "DuckDB database",
    (".duckdb", ".ddb"),
    recognised=lambda file: file.head[8:12] == b"DUCK",
    reader=read_duckdb,
    options=("table", "sql"),
)

"""Connections to DuckDB databases, where the package `duckdb` is installed; nothing is ever written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.data.formats.apart import read_apart
from engine.data.formats.databases import statement
from engine.data.formats.file_format import DataFile
from engine.errors import DataError
from engine.progress import Progress

BATCH = 1 << 16

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
}
"""A query sees this database and nothing else."""

LIBRARIES = "duckdb pyarrow"
"""What a process apart loads."""

READING = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "DESCRIBE", "SHOW", "SUMMARIZE")

LONGEST = 200
"""Letters of what DuckDB says."""


@contextlib.contextmanager
def connected(file: DataFile) -> Iterator[Any]:
    """Open a database; `DataError` for whatever goes wrong with it meanwhile."""
    query = file.options.sql
    if query and not query.lstrip("( \n\t").upper().startswith(READING):
        raise DataError("the query would write; write a SELECT statement", source=file.name)
    with refusing(file.name, asked=bool(query)):
        import duckdb

        if query and len(duckdb.extract_statements(query)) != 1:
            raise DataError("the query is wrong; write one SELECT statement", source=file.name)
        with opened(file.path) as database:
            yield database


def opened(path: Path) -> Any:
    """Return a connection that can read a database."""
    import duckdb

    return duckdb.connect(str(path), read_only=True, config=SETTINGS)


def answer_apart(
    file: DataFile, query: str, progress: Progress, *, keeps: bool = True
) -> tuple[Any, Iterator[Any]]:
    """Return the schema of what a query returns, and its batches; `keeps` as for `read_apart`."""
    import pyarrow as pa

    pieces = read_apart(
        file,
        "duckdb_batches",
        LIBRARIES,
        (query, SETTINGS, BATCH),
        "ask for a part of it by a query, or write what the view returns to a table",
        progress,
        explain=lambda words: _problem(words, bool(file.options.sql)),
        keeps=keeps,
    )
    schema = pa.ipc.open_stream(next(pieces)).schema
    return schema, (batch for piece in pieces for batch in pa.ipc.open_stream(piece))


@contextlib.contextmanager
def refusing(source: str, *, asked: bool) -> Iterator[None]:
    """Turn what DuckDB says of a database, or of what it was asked, into `DataError`."""
    try:
        import duckdb
    except ImportError:
        raise DataError(
            "DuckDB is needed to read it; install it with: pip install 'sensiscope[databases]'",
            source=source,
        ) from None
    try:
        yield
    except duckdb.Error as error:
        raise DataError(_problem(str(error), asked), source=source) from None


def asked(file: DataFile, database: Any) -> tuple[str, str, list[str]]:
    """Return the statement that reads what is wanted, its table ("" for a query), and the names of all."""
    names = [
        name
        for (name,) in database.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1"
        ).fetchall()
    ]
    return *statement(file, names), names


def _problem(words: str, asked: bool) -> str:
    words = " ".join(words.split())
    if "lock" in words.lower():
        return "another program has locked it; close that program, or copy the file"
    if asked:
        return f"the query is wrong ({words[:LONGEST]}); correct it"
    return f"it cannot be read ({words[:LONGEST]}); get the whole file again"

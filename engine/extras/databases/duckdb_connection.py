"""Connections to DuckDB databases, where the package `duckdb` is installed; nothing is ever written."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from engine.data.formats.apart import read_apart
from engine.data.formats.file_format import DataFile
from engine.errors import DataError
from engine.extras.databases.databases import public_part, quoted, refused, statement
from engine.extras.databases.row_by_row import Names, Relation, origin_of, small
from engine.progress import Progress

BATCH = 1 << 16

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
}
"""A query sees this database and nothing else."""

GENERATED = re.compile(r"GENERATED\s+ALWAYS\s+AS", re.IGNORECASE)
"""How a table is made that has columns which are not stored."""


LIBRARIES = "duckdb pyarrow"
"""Loaded by the process apart."""

READING = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "DESCRIBE", "SHOW", "SUMMARIZE")

OF_THE_TEXT = ("Parser Error", "Binder Error", "Catalog Error")
"""How DuckDB begins to say that the text of a query is wrong, whatever the records hold."""

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
        words = " ".join(str(error).split())
        raise refused(_problem(words, asked), words[:LONGEST], source) from None


@dataclasses.dataclass(frozen=True)
class DuckdbCatalog:
    """The catalog of a database; a connection of our own knows no other tables and views."""

    database: Any
    dialect: ClassVar[str] = "duckdb"

    def relation(self, names: Names) -> Relation | None:
        """Return what the database means by a name; case does not count, nor do quotes."""
        own, schema = self._own, "main"
        if len(names) == 3 and small(names[0][0]) != small(own):
            return None
        if len(names) > 1 and not (len(names) == 2 and small(names[0][0]) == small(own)):
            schema = names[-2][0]
        where = "database_name = ? AND lower(schema_name) = lower(?)"
        entries = self.database.execute(
            f"SELECT schema_name, table_name, sql, FALSE, temporary FROM duckdb_tables() WHERE {where} "
            "UNION ALL SELECT schema_name, view_name, sql, TRUE, temporary FROM duckdb_views() "
            f"WHERE {where}",
            [own, schema, own, schema],
        ).fetchall()
        alike = [entry for entry in entries if small(entry[1]) == small(names[-1][0])]
        if len(alike) != 1:
            return None
        held, name, definition, is_view, temporary = alike[0]
        if temporary:
            return Relation(problem="is not stored in the database")
        if is_view and held != "main":  # names in its definition are looked up in its own schema first
            return Relation(
                problem="is a view of another schema, which is not looked through; make it in 'main'"
            )
        if is_view:
            return Relation(definition=definition or "")
        if GENERATED.search(definition or ""):
            return Relation(problem="has columns that are worked out whenever they are read")
        fields = self.database.execute(f"SELECT * FROM {quoted(held)}.{quoted(name)} LIMIT 0").description
        return Relation(tuple(field[0] for field in fields), name if held == "main" else "")

    @cached_property
    def _own(self) -> str:
        return str(self.database.execute("SELECT current_database()").fetchone()[0])

    def folded(self, name: str, quoted: bool) -> str:
        """Return a name in small letters."""
        return small(name)


def duckdb_problem(file: DataFile) -> str:
    """Return why a table or query of a database may only be looked at; "" where a release may be made."""
    with connected(file) as database:
        query, table, _ = asked(file, database)
        return origin_of(DuckdbCatalog(database), query, table).release_problem


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
    why = public_part(words[:LONGEST], words.startswith(OF_THE_TEXT))
    if asked:
        return f"the query is wrong{why}; correct it"
    return f"it cannot be read{why}; get the whole file again"

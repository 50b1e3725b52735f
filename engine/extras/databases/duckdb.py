"""DuckDB databases, with the optional package `duckdb`; nothing is ever written to them."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engine.data.formats.apart import database_error, prepare, read_apart
from engine.data.formats.file_format import DataFile
from engine.data.names import check_known, check_names, name_columns
from engine.data.table import Table
from engine.errors import DataError
from engine.extras.databases.databases import answered, quoted, shown_message, statement
from engine.extras.databases.row_by_row import Names, Relation, origin_of, small
from engine.extras.stored.arrow_files import outwards
from engine.extras.stored.table import StoredTable, reader_of
from engine.extras.stored.temp_table import copy_to_temp_table
from engine.optional_packages import install_command
from engine.progress import Progress

BATCH = 1 << 16

PIECE = 8 * 122_880
"""Row numbers of a piece: a multiple of the database's row groups."""

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
}
"""With these settings a query can read this database and nothing else."""

GENERATED = re.compile(r"GENERATED\s+ALWAYS\s+AS", re.IGNORECASE)
"""Matches the definition of a table with columns that are not stored."""


LIBRARIES = "duckdb pyarrow"
"""Modules that the separate process loads."""

READING = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "DESCRIBE", "SHOW", "SUMMARIZE")

WRONG_STATEMENT = ("Parser Error", "Binder Error", "Catalog Error")
"""Beginnings of DuckDB's messages about a wrong query, which do not depend on records."""

MAX_MESSAGE_LENGTH = 200
"""Characters of DuckDB's messages that are shown."""


@contextlib.contextmanager
def connected(file: DataFile) -> Iterator[Any]:
    """Open a database; convert all of its errors to `DataError`."""
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
    """Return a read-only connection to a database."""
    import duckdb

    return duckdb.connect(str(path), read_only=True, config=SETTINGS)


def answer_apart(
    file: DataFile, query: str, progress: Progress, *, keeps: bool = True
) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a query's result, and its batches; `keeps` as for `read_apart`."""
    import pyarrow as pa

    pieces = read_apart(
        file,
        "duckdb_batches",
        LIBRARIES,
        (query, SETTINGS, BATCH),
        "read a part of it by a query, or store the view's result as a table",
        progress,
        explain=lambda message: _problem(message, bool(file.options.sql)),
        keeps=keeps,
    )
    schema = pa.ipc.open_stream(next(pieces)).schema
    return schema, (batch for piece in pieces for batch in pa.ipc.open_stream(piece))


@contextlib.contextmanager
def refusing(source: str, *, asked: bool) -> Iterator[None]:
    """Convert DuckDB's errors to `DataError`."""
    try:
        import duckdb
    except ImportError:
        raise DataError(
            f"DuckDB is needed to read it; install it with: {install_command('databases')}",
            source=source,
        ) from None
    try:
        yield
    except duckdb.Error as error:
        message = " ".join(str(error).split())
        raise database_error(_problem(message, asked), message[:MAX_MESSAGE_LENGTH], source) from None


@dataclasses.dataclass(frozen=True)
class DuckdbCatalog:
    """The catalog of a database.  Our own connection has no other tables and views."""

    database: Any
    dialect: ClassVar[str] = "duckdb"

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that the database means by a name, ignoring case and quotes."""
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
                problem="is a view in another schema than 'main' and cannot be checked; create it in 'main'"
            )
        if is_view:
            return Relation(definition=definition or "")
        if GENERATED.search(definition or ""):
            return Relation(problem="has computed columns")
        fields = self.database.execute(f"SELECT * FROM {quoted(held)}.{quoted(name)} LIMIT 0").description
        return Relation(tuple(field[0] for field in fields), name if held == "main" else "")

    @cached_property
    def _own(self) -> str:
        return str(self.database.execute("SELECT current_database()").fetchone()[0])

    def folded(self, name: str, quoted: bool) -> str:
        """Return a name in lower case."""
        return small(name)


def duckdb_problem(file: DataFile) -> str:
    """Return why no release may be made from a table or query of a database; "" if one may."""
    with connected(file) as database:
        query, table, _ = asked(file, database)
        return origin_of(DuckdbCatalog(database), query, table).release_problem


def asked(file: DataFile, database: Any) -> tuple[str, str, list[str]]:
    """Return the SELECT statement, the table that it reads ("" for a query), and the names of all tables."""
    names = [
        name
        for (name,) in database.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1"
        ).fetchall()
    ]
    return *statement(file, names), names


def _problem(message: str, asked: bool) -> str:
    message = " ".join(message.split())
    if "lock" in message.lower():
        return "another program has locked it; close that program, or copy the file"
    why = shown_message(message[:MAX_MESSAGE_LENGTH], message.startswith(WRONG_STATEMENT))
    if asked:
        return f"the query is wrong{why}; correct it"
    return f"it cannot be read{why}; get the whole file again"


def read_duckdb(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or the result of a query."""
    prepare(LIBRARIES)
    import pyarrow as pa

    progress(0.0, f"reading {file.name}")
    with connected(file) as database:
        query, table, names = asked(file, database)
        origin = origin_of(DuckdbCatalog(database), query, table)
    schema, batches = answer_apart(file, query, progress)
    names = name_columns(schema.names)
    check_names(names, file.name)
    check_known(columns or [], names, file.name)
    wanted = [names.index(name) for name in columns or names]
    schema = pa.schema([schema.field(index).with_name(names[index]) for index in wanted])
    data = pa.Table.from_batches(
        [batch.select(wanted).rename_columns(schema.names) for batch in batches], schema
    )
    return answered(file, "duckdb", "DuckDB", table, names, data, origin)


@dataclasses.dataclass(frozen=True)
class DuckTable(StoredTable):
    """A table of a DuckDB database, read by ranges of its row numbers."""

    path: Path
    table: str

    def _asked(self, query: str) -> Any:
        with refusing(self.source, asked=False):
            return reader_of(self.path, opened).sql(query).to_arrow_table()

    @cached_property
    def _pieces(self) -> tuple[list[int], list[int]]:
        """The ranges of row numbers that contain records, and their numbers of records."""
        answer = self._asked(
            f"SELECT rowid // {PIECE} AS piece, count(*) AS records FROM {quoted(self.table)} "
            "GROUP BY piece ORDER BY piece"
        )
        return answer.column("piece").to_pylist(), answer.column("records").to_pylist()

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self._pieces[1])

    def piece_statistics(self, name: str) -> Sequence[tuple[int | None, float, float]]:
        """Return (missing values, minimum, maximum) of a column in each piece."""
        column = quoted(name)
        answer = self._asked(
            f"SELECT count(*) - count({column}), CAST(min({column}) AS DOUBLE), "
            f"CAST(max({column}) AS DOUBLE) FROM {quoted(self.table)} "
            f"GROUP BY rowid // {PIECE} ORDER BY rowid // {PIECE}"
        )
        statistics = []
        for missing, lower, upper in zip(*(column.to_pylist() for column in answer.columns), strict=True):
            ends = (np.inf, -np.inf) if lower is None else outwards(lower, upper)
            statistics.append((int(missing), *ends))
        return statistics

    def load(self, index: int, names: Sequence[str]) -> Any:
        first = self._pieces[0][index] * PIECE
        columns = ", ".join(map(quoted, names))
        return self._asked(
            f"SELECT {columns} FROM {quoted(self.table)} WHERE rowid >= {first} AND rowid < {first + PIECE}"
        )

    def head(self, count: int) -> Any:
        return self._asked(f"SELECT * FROM {quoted(self.table)} LIMIT {count}")


def stored_duckdb(file: DataFile, progress: Progress) -> StoredTable:
    """Return a table that stays in its database; the rows of a view or query in a temporary file."""
    with connected(file) as database:
        query, table, _ = asked(file, database)
        origin = origin_of(DuckdbCatalog(database), query, table)
        plain = database.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'main' "
            "AND table_name = ? AND table_type = 'BASE TABLE' AND NOT EXISTS (SELECT 1 FROM "
            "information_schema.columns WHERE table_schema = 'main' AND table_name = ? "
            "AND lower(column_name) = 'rowid')",  # such a column would hide the row numbers
            [table, table],
        ).fetchall()
        if table and plain[0][0]:
            return DuckTable(file.name, file.path, table, release_problem=origin.release_problem)
    import pyarrow as pa

    schema, batches = answer_apart(file, query, progress, keeps=False)
    kept = copy_to_temp_table(
        file.name, pa.RecordBatchReader.from_batches(schema, batches), progress=progress
    )
    return dataclasses.replace(kept, release_problem=origin.release_problem)

"""SQLite databases: a table, or the result of a SELECT statement; nothing is ever written."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from engine.data.formats.apart import database_error, prepare, read_apart
from engine.data.formats.file_format import DataFile
from engine.data.formats.values import column_of
from engine.data.missing_values import MissingList
from engine.data.table import Table
from engine.errors import DataError
from engine.extras.databases.databases import (
    answered,
    check_fields,
    fetch_rows,
    quoted,
    shown_message,
    statement,
)
from engine.extras.databases.row_by_row import Names, Relation, origin_of, small
from engine.extras.stored.table import StoredTable
from engine.extras.stored.temp_table import copy_to_temp_table
from engine.free_memory import lack_of_memory
from engine.progress import Progress, silent

BATCH = 1 << 13
"""Rows per batch; the next batch is read while this one becomes columns."""

STEPS = 100_000
"""Instructions of SQLite's virtual machine between two progress reports."""

MAX_VALUE_BYTES = 1 << 24
"""Size limit of a text or a row that a view or a query makes; those of a table are in the file anyway."""

WAIT = 2.0
"""Seconds to wait for another program that locks the database."""

WRONG_STATEMENT = re.compile(r"no such|syntax error|ambiguous|incomplete input|unrecognized token|misuse of")
"""Matches SQLite's messages about a wrong query, which do not depend on records."""

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def read_sqlite(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or the result of a query."""
    lack = lack_of_memory(file.path.stat().st_size)
    if lack:
        raise DataError(f"{lack}; read a part of it by a query", source=file.name)
    prepare("sqlite3")
    with _opened(file, progress=progress) as database:
        names = tables_of(database)
        query, table = statement(file, names)
        origin = origin_of(SqliteCatalog(database), query, table)
    batches = _answer(file, query, progress)
    data = fetch_rows(next(batches), batches, columns, file)
    return answered(file, "sqlite", "SQLite", table, names, data, origin)


def sqlite_problem(file: DataFile) -> str:
    """Return why no release may be made from a table or query of a database; "" if one may."""
    with _opened(file, progress=silent) as database:
        return origin_of(SqliteCatalog(database), *statement(file, tables_of(database))).release_problem


def stored_sqlite(file: DataFile, progress: Progress) -> StoredTable:
    """Return the rows of a table or a query in a temporary file.

    In SQLite each cell has its own type, so a first pass finds the columns in which all cells are numbers.
    """
    import pyarrow as pa

    with _opened(file, progress=progress) as database:
        query, table = statement(file, tables_of(database))
        origin = origin_of(SqliteCatalog(database), query, table)
    with contextlib.closing(_answer(file, query, progress, keeps=False)) as answer:
        fields = next(answer)
    check_fields(fields, None, file)
    missing = list(map(file.options.missing.of, fields))
    counts = ", ".join(
        f"sum(typeof({quoted(name)}) NOT IN ('integer', 'real', 'null') AND {_is_value(name, stated)})"
        for name, stated in zip(fields, missing, strict=True)
    )
    asked = query.rstrip("; \n\t")  # it may end in a comment
    _, texts = _answer(file, f"SELECT {counts} FROM ({asked}\n)", progress)
    types = [pa.string() if others else pa.float64() for (others,) in texts]
    schema = pa.schema(list(zip(fields, types, strict=True)))

    def batches() -> Iterator[Any]:
        answer = _answer(file, query, progress, keeps=False)
        next(answer)
        for cells in answer:
            columns = (
                column_of(own if stated is None else stated.without(own))
                for own, stated in zip(cells, missing, strict=True)
            )
            yield pa.record_batch(
                [column.cast(kind, safe=False) for column, kind in zip(columns, types, strict=True)],
                schema=schema,
            )

    kept = copy_to_temp_table(
        file.name, pa.RecordBatchReader.from_batches(schema, batches()), progress=progress
    )
    return dataclasses.replace(kept, release_problem=origin.release_problem)


def _is_value(name: str, stated: MissingList | None) -> str:
    """Return the SQL condition that a text is not missing."""
    if stated is None:
        return f"{quoted(name)} <> ''"
    texts = ", ".join(quoted(text, "'") for text in ("", *stated.texts))
    return f"trim({quoted(name)}) NOT IN ({texts})"


@dataclasses.dataclass(frozen=True)
class SqliteCatalog:
    """The catalog of a database.

    Our own connection has no temporary tables, no other databases and only built-in functions.
    """

    database: sqlite3.Connection
    dialect: ClassVar[str] = "sqlite"

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that the database means by a name, ignoring case and quotes."""
        if len(names) > 2 or (len(names) == 2 and small(names[0][0]) != "main"):
            return None
        entries = self.database.execute(
            "SELECT name, type, sql, rootpage FROM sqlite_master WHERE type IN ('table', 'view')"
        )
        alike = [entry for entry in entries if small(entry[0]) == small(names[-1][0])]
        if len(alike) != 1 or small(alike[0][0]).startswith("sqlite_"):
            return None
        name, kind, definition, pages = alike[0]
        if kind == "view":
            return Relation(definition=definition or "")
        if not pages:
            return Relation(problem="is a virtual table, so its rows are not stored")
        fields = self.database.execute(f"SELECT * FROM {quoted(name)} LIMIT 0").description
        return Relation(tuple(field[0] for field in fields), name)

    def folded(self, name: str, quoted: bool) -> str:
        """Return a name in lower case."""
        return small(name)


def _answer(
    file: DataFile, query: str, progress: Progress, *, keeps: bool = True
) -> Generator[Any, None, None]:
    """Yield the columns' names of a query's result, then its cells in batches."""
    return read_apart(
        file,
        "sqlite_columns",
        "sqlite3",
        (_address(file), query, max(MAX_VALUE_BYTES, file.path.stat().st_size), BATCH),
        "read a part of it by a query, or store the view's result as a table",
        progress,
        explain=lambda message: _problem(message, file),
        keeps=keeps,
    )


def tables_of(database: sqlite3.Connection) -> list[str]:
    """Return the names of the tables and views, in the order of their creation."""
    rows = database.execute(
        "SELECT name FROM sqlite_master "
        "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    )
    return [name for (name,) in rows]


@contextlib.contextmanager
def _opened(file: DataFile, *, progress: Progress) -> Iterator[sqlite3.Connection]:
    """Open a database that reports progress; convert all of its errors to `DataError`."""
    stopped: list[BaseException] = []

    def report() -> int:
        try:
            progress(0.0, f"reading {file.name}")
        except BaseException as error:  # re-raised below: SQLite lets no exception through
            stopped.append(error)
        return len(stopped)

    with _refusing(file), contextlib.closing(_connected(file)) as database:
        database.set_progress_handler(report, STEPS)
        try:
            yield database
        except sqlite3.OperationalError:
            if stopped:
                raise stopped[0] from None
            raise
        if stopped:
            raise stopped[0]


def _connected(file: DataFile) -> sqlite3.Connection:
    database = sqlite3.connect(_address(file), uri=True, timeout=WAIT)
    database.text_factory = lambda raw: raw.decode(errors="replace")
    database.set_authorizer(_only_reading)
    return database


def _address(file: DataFile) -> str:
    # a closed database with a write-ahead log is opened as immutable, so SQLite puts no file beside it
    closed = file.head[18:19] == b"\2" and not Path(f"{file.path}-wal").exists()
    return f"{file.path.resolve().as_uri()}?{'mode=ro&immutable=1' if closed else 'mode=ro'}"


def _only_reading(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


@contextlib.contextmanager
def _refusing(file: DataFile) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise database_error(_problem(str(error), file), str(error), file.name) from None
    except UnicodeError:
        raise DataError(
            "it is damaged (its names are not text); get the whole file again", source=file.name
        ) from None


def _problem(message: str, file: DataFile) -> str:
    """Return our message for an error message of SQLite."""
    if "locked" in message:
        return "another program has locked it; close that program, or copy the file"
    if "not authorized" in message or "prohibited" in message or "readonly" in message:
        return "the query would write or read elsewhere; write a SELECT statement on its tables"
    if "one statement at a time" in message:
        return f"the query is wrong ({message}); write one SELECT statement"
    if "too big" in message:
        longest = max(MAX_VALUE_BYTES, file.path.stat().st_size)
        return f"it has a text or a row of more than {longest:,} bytes; leave it out"
    if file.options.sql and ("malformed" not in message and "not a database" not in message):
        return (
            f"the query is wrong{shown_message(message, bool(WRONG_STATEMENT.search(message)))}; correct it"
        )
    return "it is damaged; get the whole file again"

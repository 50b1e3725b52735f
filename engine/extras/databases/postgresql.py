"""PostgreSQL databases: a file holds the address, and nothing is ever written to the database."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from engine.data.formats.apart import database_error
from engine.data.formats.columnar import collect_batches
from engine.data.formats.file_format import DataFile
from engine.data.names import check_known, check_names, name_columns
from engine.data.table import Table
from engine.errors import DataError
from engine.extras.databases.databases import (
    WRONG_STATEMENT,
    answered,
    confirm_address,
    quoted,
    shown_message,
    statement,
)
from engine.extras.databases.row_by_row import Names, Origin, Relation, origin_of, small
from engine.extras.stored.table import StoredTable
from engine.extras.stored.temp_table import copy_to_temp_table
from engine.optional_packages import install_command
from engine.progress import Progress

MAX_MESSAGE_LENGTH = 200
"""Characters of a server's message that are shown."""

TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = ANY (current_schemas(false)) "
    "ORDER BY table_name"
)
RELATION = " ".join(
    (
        "WITH RECURSIVE parts(part) AS (SELECT pg_catalog.to_regclass({0})::oid UNION",
        "SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN parts ON i.inhparent = part)",
        "SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname::text ELSE '' END,",
        "c.oid::bigint, c.relkind::text, c.relrowsecurity,",
        "n.nspname IN ('pg_catalog', 'information_schema', 'pg_toast'),",
        "EXISTS (SELECT 1 FROM parts JOIN pg_catalog.pg_class k ON k.oid = part WHERE k.relkind = 'f')",
        "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace",
        "WHERE c.oid = pg_catalog.to_regclass({0})",
    )
)
COLUMNS = (
    "SELECT attname::text FROM pg_catalog.pg_attribute WHERE attrelid = {} AND attnum > 0 "
    "AND NOT attisdropped ORDER BY attnum"
)
BY_SERVER = "[libpq]"
"""Part of the server's messages while rows are fetched; these may quote a value of a record."""

STORED = ("r", "p")
"""The server's codes for stored tables, ordinary and partitioned."""

SECRET = re.compile(r"(?<=:)[^:/@\s]+(?=@)|(?<=password=)[^\s&]+", re.IGNORECASE)


def read_postgresql(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or the result of a query.

    The file contains an address, such as ``postgresql://ann@db.example.org/staff``.
    """
    import pyarrow as pa

    progress(0.0, f"reading {file.name}")
    with _answer(file) as (reader, table, names, origin):
        own = name_columns(reader.schema.names)
        check_names(own, file.name)
        check_known(columns or [], own, file.name)
        chosen = [own.index(name) for name in columns or own]
        schema = pa.schema([reader.schema.field(index).with_name(own[index]) for index in chosen])
        batches = (_typed(batch.select(chosen).rename_columns(schema.names)) for batch in reader)
        first = next(batches, None)
        if first is None:
            data = schema.empty_table()
        else:
            data = collect_batches(
                first.schema, itertools.chain([first], batches), 1, file.name, progress=progress
            )
    return answered(file, "postgresql", "PostgreSQL", table, names, data, origin)


def postgresql_problem(file: DataFile) -> str:
    """Return why no release may be made from a table or query of a database; "" if one may."""
    with _connected(file) as (cursor, query, table, _):
        return origin_of(PostgresqlCatalog(cursor), query, table).release_problem


def stored_postgresql(file: DataFile, progress: Progress) -> StoredTable:
    """Return the rows of a table or a query in a temporary file."""
    import pyarrow as pa

    with _answer(file) as (reader, _, _, origin):
        first = _typed(reader.schema.empty_table())
        batches = pa.RecordBatchReader.from_batches(first.schema, map(_typed, reader))
        return dataclasses.replace(
            copy_to_temp_table(file.name, batches, progress=progress), release_problem=origin.release_problem
        )


@dataclasses.dataclass(frozen=True)
class PostgresqlCatalog:
    """The catalog of a server, as this connection sees it."""

    cursor: Any
    dialect: ClassVar[str] = "postgres"

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that the server itself means by a name."""
        written = ".".join(quoted(name) if is_quoted else name for name, is_quoted in names)
        if "\\" in written or "\0" in written:
            return None
        rows = self._rows(RELATION.format(text(written)))
        if len(rows) != 1:
            return None
        name, number, kind, secured, is_system, elsewhere = rows[0]
        if kind == "v":
            return Relation(definition=str(self._rows(f"SELECT pg_get_viewdef({int(number)}::oid)")[0][0]))
        if is_system:
            return Relation(problem="belongs to the server")
        if kind not in STORED or elsewhere:
            return Relation(
                problem="is not a stored table (but a stored query, or a table of another server)"
            )
        if secured:
            return Relation(problem="shows only some of its rows (row security)")
        return Relation(tuple(column for (column,) in self._rows(COLUMNS.format(int(number)))), name)

    def folded(self, name: str, quoted: bool) -> str:
        """Return a quoted name as it is, any other in lower case."""
        return name if quoted else small(name)

    def _rows(self, query: str) -> list[Any]:
        self.cursor.execute(query)
        return list(self.cursor.fetchall())


def text(value: str) -> str:
    """Return a text as an SQL literal."""
    return quoted(value, "'")


@contextlib.contextmanager
def _connected(file: DataFile) -> Iterator[tuple[Any, str, str, list[str]]]:
    """Yield a cursor in a read-only transaction, the statement, its table, and the names of all tables."""
    address = confirm_address(file)
    try:
        from adbc_driver_manager import Error
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise DataError(
            f"the driver of PostgreSQL is needed to read it; install it with: {install_command('databases')}",
            source=file.name,
        ) from None
    asked = bool(file.options.sql)
    try:
        with dbapi.connect(address) as database, database.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute(TABLES)
            names = [name for (name,) in cursor.fetchall()]
            yield cursor, *statement(file, names), names
    except Error as error:
        message = SECRET.sub("…", " ".join(str(error).split()))[:MAX_MESSAGE_LENGTH]
        problem = _problem(message, (error.sqlstate or "").startswith(WRONG_STATEMENT), asked=asked)
        raise database_error(problem, message, file.name) from None
    except OSError as error:  # raised while rows are fetched
        if BY_SERVER not in str(error):
            raise
        message = SECRET.sub("…", " ".join(str(error).split()))[:MAX_MESSAGE_LENGTH]
        raise database_error(_problem(message, False, asked=asked), message, file.name) from None


@contextlib.contextmanager
def _answer(file: DataFile) -> Iterator[tuple[Any, str, list[str], Origin]]:
    """Query the server; yield batches, the table, the names of all tables, and the origin of the rows."""
    with _connected(file) as (cursor, query, table, names):
        origin = origin_of(PostgresqlCatalog(cursor), query, table)
        cursor.execute(query)
        yield cursor.fetch_record_batch(), table, names, origin


def _typed(data: Any) -> Any:
    """Convert exact decimals, which the driver returns as text, to numbers."""
    import pyarrow as pa

    for index, field in enumerate(data.schema):
        if (field.metadata or {}).get(b"ADBC:postgresql:typname") == b"numeric":
            plain = pa.field(field.name, pa.float64())
            column = data.column(index)
            column = column.storage if isinstance(column, pa.ExtensionArray) else column
            data = data.set_column(index, plain, column.cast(pa.string()).cast(pa.float64()))
    return data


def _problem(message: str, wrong_statement: bool, *, asked: bool) -> str:
    why = shown_message(message, wrong_statement)
    if "read-only transaction" in message:
        return "the query would write; write a SELECT statement"
    if re.search(r"could not (connect|translate)|connection (to server|refused)|authentication", message):
        return f"the server does not answer ({message}); check the address and your right to read there"
    if asked:
        return f"the query is wrong{why}; correct it"
    return f"it cannot be read{why}; ask the administrator of the database"

"""Databases with an ODBC driver: a file holds the address, and nothing is ever written to the database."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from engine.data.formats.apart import database_error
from engine.data.formats.file_format import DataFile
from engine.data.table import Table
from engine.errors import DataError
from engine.extras.databases.databases import (
    WRONG_STATEMENT,
    answer_of,
    answered,
    choose_table,
    confirm_address,
    fetch_rows,
    quoted,
    shown_message,
)
from engine.extras.databases.row_by_row import Names, Relation, origin_of, small
from engine.optional_packages import install_command
from engine.progress import Progress

BATCH = 1 << 14
"""Rows per fetch."""

WAIT = 15
"""Seconds to wait for a server."""

MAX_MESSAGE_LENGTH = 200
"""Characters of a driver's message that are shown."""

READ_ONLY_STATEMENTS = {
    "SQLite": "PRAGMA query_only = ON",
    "PostgreSQL": "SET TRANSACTION READ ONLY",
    "MySQL": "SET TRANSACTION READ ONLY",
    "MariaDB": "SET TRANSACTION READ ONLY",
    "Oracle": "SET TRANSACTION READ ONLY",
}
"""Statements that make a server refuse to write, by the server's name."""

SECRET = re.compile(r"((?:pwd|password)\s*=\s*)(\{[^}]*\}|[^;\s]+)", re.IGNORECASE)


def read_odbc(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a table or a view, by default the first one, or the result of a query.

    The file contains a connection string, such as ``DRIVER=SQLite3;Database=/data/staff.db``.

    Nothing is written.  A table is read by our own SELECT statement.  A query runs only on servers that
    can refuse to write, inside a SELECT statement of ours, and is rolled back in the end.
    """
    reading = f"reading {file.name}"
    progress(0.0, reading)
    with _connected(file) as (cursor, query, table, names):
        origin = origin_of(OdbcCatalog(cursor), file.options.sql, table)
        cursor.execute(query)
        fields, batches = answer_of(cursor, BATCH, lambda: progress(0.5, reading))
        data = fetch_rows(fields, batches, columns, file)
    return answered(file, "odbc", "ODBC", table, names, data, origin)


def odbc_problem(file: DataFile) -> str:
    """Return why no release may be made from a table or query of a database; "" if one may."""
    with _connected(file) as (cursor, _, table, _):
        return origin_of(OdbcCatalog(cursor), file.options.sql, table).release_problem


@dataclasses.dataclass(frozen=True)
class OdbcCatalog:
    """The catalog of a server by ODBC, which does not show the definitions of views.

    Servers differ in how they read quotes and some names, so only plain column names are accepted.
    """

    cursor: Any
    dialect: ClassVar[str] = ""

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that a server means by a name; None for a name with a schema."""
        if len(names) > 1:
            return None
        name, exact = names[0]
        alike = [row for row in self.cursor.tables() if _same(row.table_name, name, exact)]
        if not alike:
            return None
        if {row.table_type for row in alike} != {"TABLE"}:
            return Relation(problem="may be a view, and ODBC does not show the definitions of views")
        columns = [row.column_name for row in self.cursor.columns() if _same(row.table_name, name, exact)]
        return Relation(tuple(columns), alike[0].table_name)

    def folded(self, name: str, quoted: bool) -> str:
        """Return a name in lower case."""
        return small(name)


def _same(one: str, other: str, exact: bool) -> bool:
    return one == other if exact else small(one) == small(other)


@contextlib.contextmanager
def _connected(file: DataFile) -> Iterator[tuple[Any, str, str, list[str]]]:
    """Yield a cursor, the statement, its table and the names of all tables; roll back in the end."""
    address = confirm_address(file)
    try:
        import pyodbc
    except ImportError:
        raise DataError(
            f"pyodbc is needed to read it; install it with: {install_command('databases')}",
            source=file.name,
        ) from None
    try:
        database = pyodbc.connect(address, readonly=True, autocommit=False, timeout=WAIT)
    except pyodbc.Error as error:
        raise DataError(
            f"the database does not answer ({_driver_message(error)}); check the driver and the address",
            source=file.name,
        ) from None
    try:
        cursor = database.cursor()
        server = str(database.getinfo(pyodbc.SQL_DBMS_NAME))
        safe = server in READ_ONLY_STATEMENTS
        if safe:
            cursor.execute(READ_ONLY_STATEMENTS[server])
        names = [row.table_name for row in cursor.tables() if row.table_type in ("TABLE", "VIEW")]
        query, table = _statement(file, names, str(database.getinfo(pyodbc.SQL_IDENTIFIER_QUOTE_CHAR)))
        if not table and not safe:
            raise DataError(
                f"{server} cannot refuse queries that write; choose a table or a view instead",
                source=file.name,
            )
        yield cursor, query, table, names
    except pyodbc.Error as error:
        message, wrong_statement = _driver_message(error), str(error.args[0]).startswith(WRONG_STATEMENT)
        problem = _problem(message, wrong_statement, asked=bool(file.options.sql))
        raise database_error(problem, message, file.name) from None
    finally:
        with contextlib.suppress(pyodbc.Error):
            database.rollback()
        database.close()


def _statement(file: DataFile, names: Sequence[str], quote: str) -> tuple[str, str]:
    """Return the SELECT statement, and the name of the table that it reads, "" for the user's own query."""
    if file.options.sql:
        asked = file.options.sql.rstrip("; \n\t")  # it may end in a comment
        if ";" in asked:  # a second statement could allow writing again
            raise DataError(_problem("a ';' begins a second statement", True, asked=True), source=file.name)
        return f"SELECT * FROM ({asked}\n) asked", ""
    table = choose_table(file, names)
    return f"SELECT * FROM {quoted(table, quote.strip())}", table


def _driver_message(error: Exception) -> str:
    """Return a driver's message without passwords."""
    return SECRET.sub(r"\1…", " ".join(str(error.args[-1]).split()))[:MAX_MESSAGE_LENGTH]


def _problem(message: str, wrong_statement: bool, *, asked: bool) -> str:
    why = shown_message(message, wrong_statement)
    if asked:
        return f"the query is wrong, or would write{why}; write one SELECT statement"
    return f"it cannot be read{why}; ask the administrator of the database"

"""A driver of ODBC that connects to nothing but a SQLite database, and counts how often it was asked to."""

from __future__ import annotations

import sqlite3
import types
from pathlib import Path
from typing import Any

ADDRESS = "DRIVER=/tmp/evil.so;Server=db.example.org;UID=ann;PWD={se;c}}ret}"
SHOWN = "DRIVER=/tmp/evil.so;Server=db.example.org;UID=ann;PWD=…"


class FakeOdbc(types.ModuleType):
    """Stands where `pyodbc` is imported.

    Attributes
    ----------
    connected : list of str
        The addresses that were connected to.
    """

    Error = sqlite3.Error
    SQL_DBMS_NAME, SQL_IDENTIFIER_QUOTE_CHAR = "name", "quote"

    def __init__(self, database: Path) -> None:
        super().__init__("pyodbc")
        self._database = database
        self.connected: list[str] = []

    def connect(self, address: str, **_: Any) -> Any:
        """Connect to the database of SQLite, whatever the address."""
        self.connected.append(address)
        made = sqlite3.connect(self._database)
        cursor = _Cursor(made)
        return types.SimpleNamespace(
            cursor=lambda: cursor,
            getinfo={"name": "SQLite", "quote": '"'}.__getitem__,
            rollback=made.rollback,
            close=made.close,
        )


class _Cursor:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._cursor = database.cursor()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def tables(self) -> list[Any]:
        """Return tables and views."""
        found = self._cursor.execute("SELECT name, upper(type) FROM sqlite_master ORDER BY name")
        return [types.SimpleNamespace(table_name=name, table_type=kind) for name, kind in found.fetchall()]

    def columns(self) -> list[Any]:
        """Return the columns of the one table."""
        names = [row[1] for row in self._cursor.execute("PRAGMA table_info(staff)").fetchall()]
        return [types.SimpleNamespace(table_name="staff", column_name=name) for name in names]


def staff_database(folder: Path) -> Path:
    """Return a database of five people."""
    path = folder / "staff.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE staff (age REAL, name TEXT)")
        made.executemany("INSERT INTO staff VALUES (?, ?)", [(20.0 + i, f"n{i}") for i in range(5)])
        made.execute("CREATE VIEW old AS SELECT age FROM staff WHERE age > 21")
    made.close()
    return path

"""The file of a ledger: connections, transactions, and what SQLite complains of in plain words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from engine.ledger.errors import LedgerDamaged, LedgerError
from engine.numerals import short

APPLICATION = 0x53454E53
"""``PRAGMA application_id``: "SENS"."""

VERSION = 3
"""``PRAGMA user_version``: which tables there are, and what they mean.

1 knew no joined accounts.  2 and 1 had a limit for each kind of neighbours, and would let through what is
beyond the one of all: they refuse a ledger as soon as this version has written to it.
"""

PATIENCE = 10.0
"""Seconds to wait for another program that writes."""

TABLES = (
    "CREATE TABLE event (id INTEGER PRIMARY KEY, kind BLOB NOT NULL, text BLOB NOT NULL, seal BLOB NOT NULL)",
    # the last event is known by its number and its seal: without that, it would not be missed
    "CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL, "
    "events INTEGER NOT NULL, seal BLOB NOT NULL)",
)

_TROUBLE = {
    "SQLITE_BUSY": f"another program has been writing to it for {short(PATIENCE)} seconds; try again",
    "SQLITE_LOCKED": "another program is writing to it; try again",
    "SQLITE_FULL": "there is no room for it, the disk is full; make room",
    "SQLITE_IOERR": "it cannot be read or written, the disk may be full or broken; make room, or try again",
    "SQLITE_READONLY": "it cannot be written; allow that, or choose another file",
    "SQLITE_PERM": "it must not be used; allow that, or choose another file",
    "SQLITE_AUTH": "it must not be used; allow that, or choose another file",
    "SQLITE_CANTOPEN": "neither it nor its folder may be used; allow that, or choose another file",
    "SQLITE_NOMEM": "memory does not suffice",
}
"""What to say by the beginning of SQLite's names of errors; any other means that the file is damaged."""


class Storage:
    """Where the tables of a ledger are: a file, opened anew for each transaction, or memory.

    A connection that does not outlive its transaction belongs to no thread and to no process, so
    threads and forked processes may share a `Storage` of a file.

    Parameters
    ----------
    path : Path or None
        An existing file.
    kept : Connection, optional
        The tables in memory, where there is no file; they are forgotten at the end.
    """

    def __init__(self, path: Path | None, kept: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._kept = kept
        if kept is not None:
            weakref.finalize(self, kept.close)

    @contextlib.contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """Hold a transaction: all of it or nothing is written, and when this ends, it is on the disk.

        Raises
        ------
        LedgerError
            If that cannot be done; `LedgerDamaged` if the file is not what it was.
        """
        with in_plain_words(self.path), self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._kept is not None:
            with self._lock:
                yield self._kept
            return
        assert self.path is not None
        check_place(self.path)
        connection = connect(self.path)
        try:
            check_header(connection, self.path)
            yield connection
        finally:
            connection.close()


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing file; what is committed is on the disk, even if the power fails next."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None
    )
    try:
        for pragma in ("journal_mode=DELETE", "synchronous=EXTRA", "fullfsync=ON", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def check_place(path: Path) -> None:
    """Refuse what is there but cannot be a ledger, before SQLite opens it and, being empty, takes it."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise LedgerError(f"{path}: the ledger is gone; put it back, or start again") from None
    except OSError as error:
        raise LedgerError(f"{path}: the ledger cannot be opened ({error.strerror})") from None
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "no file"
        raise LedgerError(f"{path}: this is {what} and no ledger; choose the name of a file")
    if found.st_size == 0:
        raise damaged(path, "the file is empty")


def exposure(path: Path) -> str:
    """Say in one line why others than its owner can write to a ledger; "" if they cannot."""
    if os.name != "posix":  # rights are told by other means
        return ""
    try:
        file, folder = path.stat().st_mode, path.parent.stat().st_mode
    except OSError:
        return ""
    if file & (stat.S_IWGRP | stat.S_IWOTH):
        mode = f"{file & 0o777:o}"
        return f"{path}: others can write to this ledger (mode {mode}); make it yours alone (chmod 600)"
    if folder & stat.S_IWOTH and not folder & stat.S_ISVTX:
        return (
            f"{path}: others can replace this ledger: its folder is open to all; make that yours (chmod 700)"
        )
    return ""


def check_header(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no ledger, or one of a newer version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION or version < 1:
        raise damaged(path, "it is no ledger, or no longer")
    if version > VERSION:
        raise LedgerError(
            f"{path}: a newer version of Sensiscope wrote this ledger (format {version}, this one knows "
            f"{VERSION}); use that version, or another file"
        )


def damaged(path: Path | None, what: str) -> LedgerDamaged:
    """Return the complaint that the file is not what was written."""
    return LedgerDamaged(
        f"{path or 'memory'}: the ledger is damaged ({' '.join(what.split())}) and was left as it is; "
        "put a copy in its place, or set it aside to begin a new one"
    )


@contextlib.contextmanager
def in_plain_words(path: Path | None) -> Iterator[None]:
    """Turn SQLite's errors into `LedgerError`."""
    try:
        yield
    except UnicodeDecodeError as error:  # in a name of the schema, or in SQLite's words about it
        raise damaged(path, "names in it are no text") from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        for beginning, words in _TROUBLE.items():
            if name.startswith(beginning):
                raise LedgerError(f"{path or 'memory'}: {words} ({error})") from error
        raise damaged(path, str(error)) from error

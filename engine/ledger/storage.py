"""The file of a ledger: connections, transactions, and readable messages for SQLite's errors."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import sqlite3
import stat
import threading
import weakref
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from engine import __version__
from engine.ledger.errors import LedgerDamaged, LedgerError
from engine.ledger.known import BEFORE, seal_event
from engine.numerals import short

APPLICATION = 0x53454E53
"""``PRAGMA application_id``: "SENS"."""

VERSION = 3
"""``PRAGMA user_version``: the version of the tables.

1 knew no joined accounts. 2 and 1 had a limit for each neighbouring relation, and would allow releases beyond
the common limit: they refuse a ledger once this version has written to it.
"""

LOCK_WAIT_SECONDS = 10.0
"""Seconds to wait for another program that writes."""

TABLES = (
    "CREATE TABLE event (id INTEGER PRIMARY KEY, kind BLOB NOT NULL, text BLOB NOT NULL, seal BLOB NOT NULL)",
    # the number and the seal of the last event reveal its removal
    "CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL, "
    "events INTEGER NOT NULL, seal BLOB NOT NULL)",
)

_TROUBLE = {
    "SQLITE_BUSY": f"another program has written to it for {short(LOCK_WAIT_SECONDS)} seconds; try again",
    "SQLITE_LOCKED": "another program is writing to it; try again",
    "SQLITE_FULL": "there is no room for it, the disk is full; make room",
    "SQLITE_IOERR": ("it cannot be read or written, the disk may be full or broken; make room, or try again"),
    "SQLITE_READONLY": "it cannot be written; allow that, or choose another file",
    "SQLITE_PERM": "it must not be used; allow that, or choose another file",
    "SQLITE_AUTH": "it must not be used; allow that, or choose another file",
    "SQLITE_CANTOPEN": "neither it nor its folder may be used; allow that, or choose another file",
    "SQLITE_NOMEM": "there is not enough memory",
}
"""Advice for SQLite's error names, by prefix; all other errors mean a damaged file."""


class Storage:
    """Storage of a ledger's tables: a file, opened anew for each transaction, or memory.

    Connections end with their transactions and so belong to no thread or process: threads and forked
    processes may share a `Storage` of a file.
    """

    def __init__(self, path: Path | None, kept: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._kept = kept
        if kept is not None:
            weakref.finalize(self, kept.close)

    @contextlib.contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """Run a transaction: it is written as a whole or not at all, and is on the disk at the end."""
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
        check_file(self.path)
        connection = connect(self.path)
        try:
            check_header(connection, self.path)
            yield connection
        finally:
            connection.close()


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing file; committed data are on the disk, even after a power failure."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=LOCK_WAIT_SECONDS, isolation_level=None
    )
    try:
        for pragma in ("journal_mode=DELETE", "synchronous=EXTRA", "fullfsync=ON", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def check_file(path: Path) -> None:
    """Refuse a file that cannot be a ledger, before SQLite opens it: SQLite would accept an empty one."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise LedgerError(f"{path}: the ledger no longer exists; put it back, or start again") from None
    except OSError as error:
        raise LedgerError(f"{path}: the ledger cannot be opened ({error.strerror})") from None
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a file"
        raise LedgerError(f"{path}: this is {what} and no ledger; choose the name of a file")
    if status.st_size == 0:
        raise damage_error(path, "the file is empty")


def exposure(path: Path) -> str:
    """Return one line that says why others can write to a ledger; "" if they cannot."""
    if os.name != "posix":  # other systems have other permissions
        return ""
    try:
        file, folder = path.stat().st_mode, path.parent.stat().st_mode
    except OSError:
        return ""
    if file & (stat.S_IWGRP | stat.S_IWOTH):
        mode = f"{file & 0o777:o}"
        return f"{path}: others can write to this ledger (mode {mode}); restrict it to yourself (chmod 600)"
    if folder & stat.S_IWOTH and not folder & stat.S_ISVTX:
        return (
            f"{path}: others can replace this ledger, since its folder is open to all; restrict "
            "the folder to yourself (chmod 700)"
        )
    return ""


def check_header(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no ledger, or one of a newer version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION or version < 1:
        raise damage_error(path, "it is no ledger, or no longer")
    if version > VERSION:
        raise LedgerError(
            f"{path}: a newer version of Sensiscope wrote this ledger (format {version}, this one knows "
            f"{VERSION}); use that version, or another file"
        )


def damage_error(path: Path | None, what: str) -> LedgerDamaged:
    """Return the error for a changed or damaged file."""
    return LedgerDamaged(
        f"{path or 'memory'}: the ledger is damaged ({' '.join(what.split())}) and was left "
        "unchanged; put a copy in its place, or set it aside to begin a new one"
    )


@contextlib.contextmanager
def in_plain_words(path: Path | None) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:  # in a name of the schema, or in SQLite's message about it
        raise damage_error(path, "its names are no valid text") from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        for beginning, advice in _TROUBLE.items():
            if name.startswith(beginning):
                raise LedgerError(f"{path or 'memory'}: {advice} ({error})") from error
        raise damage_error(path, str(error)) from error


COMPANIONS = ("-journal", "-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database."""


def begin(path: Path) -> None:
    """Create a new ledger, unless a file has that name.

    It appears under its name only when complete.  A missing folder is created; no other user may read the
    file.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
    try:
        if path.exists():
            return
        for companion in companions(path):
            # SQLite would apply an old journal to the new file
            raise damage_error(path, f"it no longer exists, but {companion.name} does")
        made = [folder for folder in path.parents if not folder.exists()]
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with in_plain_words(path):
            _write(draft, begun_after=str(aside(path, last)) if (last := asides(path)) else "")
        give_name(draft, path)
    except FileExistsError:
        return  # another program was faster: use its ledger
    except OSError as error:
        why = error.strerror or error
        raise LedgerError(
            f"{path}: the ledger cannot be created ({why}); name another file for it (--ledger)"
        ) from error
    finally:
        for end in ("", *COMPANIONS):
            with contextlib.suppress(OSError):
                draft.with_name(draft.name + end).unlink(missing_ok=True)
    for folder in (path.parent, *(each.parent for each in made)):
        _settle(folder)


def in_memory() -> sqlite3.Connection:
    """Return the tables of a new ledger in memory, which is lost at the end; threads may share it."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    fill(connection)
    return connection


def fill(connection: sqlite3.Connection, begun_after: str = "") -> None:
    key = secrets.token_bytes(32)
    now = datetime.now().astimezone().isoformat()
    first = seal_event(
        key, BEFORE, 1, "begin", {"when": now, "begun_after": begun_after, "program": __version__}
    )
    connection.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("INSERT INTO event VALUES (1, ?, ?, ?)", (b"begin", first.text, first.seal))
    connection.execute("INSERT INTO head VALUES (1, ?, 1, ?)", (key, first.seal))
    connection.execute("COMMIT")


def give_name(source: Path, target: Path) -> None:
    """Rename a file to a name that must not be in use."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        if target.exists():
            raise FileExistsError(str(target)) from None
        source.rename(target)
    else:
        source.unlink()


def in_use(path: Path) -> bool:
    """Tell whether there is a ledger with that name, or SQLite's files of one."""
    return path.exists() or bool(companions(path))


def companions(path: Path) -> list[Path]:
    """Return SQLite's files beside `path`."""
    beside = (path.with_name(path.name + end) for end in COMPANIONS)
    return [companion for companion in beside if companion.exists()]


def aside(path: Path, number: int) -> Path:
    """Return the name of a damaged ledger after it is set aside."""
    return path.with_name(f"{path.name}.damaged-{number}")


def asides(path: Path) -> int:
    """Return the number of ledgers, or remains of one, that were set aside."""
    return next(number for number in itertools.count() if not in_use(aside(path, number + 1)))


def move_aside(path: Path) -> Path:
    """Rename a damaged ledger with its SQLite files; return its new name."""
    moved = aside(path, asides(path) + 1)
    try:
        if path.exists():
            give_name(path, moved)
        for end in COMPANIONS:
            companion = path.with_name(path.name + end)
            if companion.exists():
                give_name(companion, moved.with_name(moved.name + end))
    except OSError as error:
        raise LedgerError(f"{path}: the ledger cannot be set aside ({error.strerror or error})") from error
    return moved


def _write(draft: Path, begun_after: str) -> None:
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection = connect(draft)
    try:
        fill(connection, begun_after)
    finally:
        connection.close()


def _settle(folder: Path) -> None:
    """Sync the folder to the disk, if the system can."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

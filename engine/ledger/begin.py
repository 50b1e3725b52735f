"""How a new ledger comes to be: whole, under another name, and only then where it belongs."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import sqlite3
from datetime import datetime
from pathlib import Path

from engine import __version__
from engine.ledger.errors import LedgerError
from engine.ledger.event import BEFORE, sealed
from engine.ledger.storage import APPLICATION, TABLES, VERSION, connect, damaged, in_plain_words

COMPANIONS = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside a file, by the end of its name."""


def begin(path: Path) -> None:
    """Make a new ledger, unless there is a file of that name.

    An empty or cut file is therefore never one that is being made.  The folder is made if it is
    missing; no other user may read the file.

    Raises
    ------
    LedgerError
        If it cannot be made.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
    try:
        if path.exists():
            return
        for companion in companions(path):
            # SQLite would undo in a new file what was begun in the old one
            raise damaged(path, f"it is gone, and {companion.name} was left of it")
        made = [folder for folder in path.parents if not folder.exists()]
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with in_plain_words(path):
            _write(draft, begun_after=str(aside(path, last)) if (last := asides(path)) else "")
        place(draft, path)
    except FileExistsError:
        return  # another program was faster: its ledger is the one
    except OSError as error:
        why = error.strerror or error
        raise LedgerError(
            f"{path}: the ledger cannot be made ({why}); name another file for it (--ledger)"
        ) from error
    finally:
        for end in ("", *COMPANIONS):
            with contextlib.suppress(OSError):
                draft.with_name(draft.name + end).unlink(missing_ok=True)
    for folder in (path.parent, *(each.parent for each in made)):
        _settle(folder)


def in_memory() -> sqlite3.Connection:
    """Return the tables of a new ledger that is forgotten at the end; threads may share it."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    fill(connection)
    return connection


def fill(connection: sqlite3.Connection, begun_after: str = "") -> None:
    """Write the tables of a new ledger, with a key of its own."""
    key = secrets.token_bytes(32)
    now = datetime.now().astimezone().isoformat()
    first = sealed(key, BEFORE, 1, "begin", {"when": now, "begun_after": begun_after, "program": __version__})
    connection.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("INSERT INTO event VALUES (1, ?, ?, ?)", (b"begin", first.text, first.seal))
    connection.execute("INSERT INTO head VALUES (1, ?, 1, ?)", (key, first.seal))
    connection.execute("COMMIT")


def place(source: Path, target: Path) -> None:
    """Give a file another name, which must not be in use.

    Raises
    ------
    FileExistsError
        If it is.
    """
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without second names
        if target.exists():
            raise FileExistsError(str(target)) from None
        source.rename(target)
    else:
        source.unlink()


def in_use(path: Path) -> bool:
    """Tell whether there is a ledger of that name, or what SQLite has left beside one."""
    return path.exists() or bool(companions(path))


def companions(path: Path) -> list[Path]:
    """Return the files that SQLite has left beside `path`."""
    beside = (path.with_name(path.name + end) for end in COMPANIONS)
    return [companion for companion in beside if companion.exists()]


def aside(path: Path, number: int) -> Path:
    """Return what a damaged ledger is called once it is set aside."""
    return path.with_name(f"{path.name}.damaged-{number}")


def asides(path: Path) -> int:
    """Return how many ledgers were set aside there, or what SQLite had left of one that was gone."""
    return next(number for number in itertools.count() if not in_use(aside(path, number + 1)))


def move_aside(path: Path) -> Path:
    """Give a damaged ledger, and what SQLite has left beside it, other names; return that of the ledger.

    Raises
    ------
    LedgerError
        If that cannot be done.
    """
    moved = aside(path, asides(path) + 1)
    try:
        if path.exists():
            place(path, moved)
        for end in COMPANIONS:
            companion = path.with_name(path.name + end)
            if companion.exists():
                place(companion, moved.with_name(moved.name + end))
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
    """Have the new name on the disk, where folders can be told to."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

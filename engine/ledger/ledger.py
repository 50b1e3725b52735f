"""A ledger: the releases of each dataset, written down before they are shown."""

from __future__ import annotations

import hmac
import os
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import ParameterError
from engine.ledger.account import Account
from engine.ledger.cost import LimitLike
from engine.ledger.errors import LedgerDamaged, LedgerError
from engine.ledger.known import Decision, LedgerState, LogEvent, keyed, seal_event, seal_of
from engine.ledger.storage import (
    VERSION,
    Storage,
    begin,
    damage_error,
    exposure,
    in_memory,
    in_use,
    move_aside,
)
from engine.numerals import given
from engine.signatures import Explained

if TYPE_CHECKING:
    from engine.data.sketch import TableSketch


def as_path(path: Any) -> Path:
    """Convert a text or path; raise `ParameterError` for anything else."""
    if isinstance(path, str | os.PathLike) and str(path):
        return Path(path).expanduser()
    raise ParameterError(
        "path", f"{given(path)} is no path; give the path of a file, or None to keep it in memory"
    )


class Ledger(metaclass=Explained):
    """Releases by dataset, in an append-only file.

    Every operation is a short transaction, on the disk when it returns.  Threads may share a ledger, and
    programs its file.

    Each event is sealed together with all events before it, which detects missing or changed events, unless
    they were changed with the key.  The key is in the same file: the seal detects accidents, not forgeries,
    and nothing detects that the file was replaced by an old copy.

    Parameters
    ----------
    path : Path or None
        The file, created with its folder if missing; None for a ledger in memory, which is lost at the end.

    Raises
    ------
    LedgerError
        If it cannot be read; `LedgerDamaged` if it was changed or damaged.

    See Also
    --------
    Limit, Cost, budget

    Examples
    --------
    Two means of ages, with epsilon 1 each; a third would exceed the limit.

    >>> from engine import Interval, LaplaceRelease, Ledger, Limit, Mean, Overspent, Sample
    >>> data, mechanism = Sample(range(100), Interval(0, 120)), LaplaceRelease(query=Mean())
    >>> account = Ledger().account("ages", first=Limit(2.0))
    >>> for _ in range(3):
    ...     try:
    ...         release = account.release(mechanism, data, 1.0)
    ...     except Overspent:
    ...         print("over the limit")
    over the limit
    >>> account.spent().basic
    Privacy(epsilon=2.0, delta=0.0)
    """

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})" if self.path is not None else "Ledger(None)"

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = path = None if path is None else Path(os.path.realpath(as_path(path)))
        if path is None:
            self._storage = Storage(None, in_memory())
        else:
            begin(path)
            self._storage = Storage(path)
        self._known = LedgerState()
        with self._storage.transaction(write=False) as connection:
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if answer != "ok":
                raise self._damaged(answer)
            (self._key,) = self._row(connection, "SELECT CAST(key AS BLOB) FROM head")
            self._known = self._read(connection)

    @property
    def key_id(self) -> str:
        """Identifies this ledger; reveals nothing about its key."""
        return self.keyed("key", b"")[:16]

    @staticmethod
    def begun(path: Path) -> bool:
        """Tell whether there is a ledger at this path, intact or damaged."""
        try:
            return in_use(path)
        except OSError:  # a file or folder exists, or access is denied
            return True

    @property
    def begun_after(self) -> str:
        """The damaged ledger that was set aside before this one was begun; "" without one."""
        return self._known.begun_after

    @property
    def exposed(self) -> str:
        """One line that says why others can write to the file; "" if they cannot."""
        return "" if self.path is None else exposure(self.path)

    def keyed(self, purpose: str, content: bytes) -> str:
        """Return HMAC-SHA256 of `content` with the ledger's key, in hexadecimal digits."""
        return keyed(self._key, f"for {purpose}", content).hex()

    def account(
        self,
        digest: str,
        title: str = "",
        first: LimitLike | None = None,
        former: str = "",
        sketch: TableSketch | None = None,
        others: Sequence[str] = (),
    ) -> Account:
        """Return the account of the dataset with this digest.

        Parameters
        ----------
        title : str
            Title of the dataset.
        first : Limit, optional
            The initial limit; the first release writes it down.
        former : str, optional
            Digest of the file's bytes, by which older versions identified the dataset.  The entries of that
            account are carried over, and both digests then identify the same account.  If the dataset has
            only this digest, the accounts of all parts of the file (tables, queries) are carried over.
        sketch : TableSketch, optional
            Finds similar data; stored with the releases.
        others : sequence of str, optional
            Digests of further datasets that the data come from, such as the tables of a query.  The first
            release joins all accounts.
        """
        name = self.keyed("dataset", digest.encode())
        file = self.keyed("dataset", former.encode()) if former else ""
        if file:
            name = self._carry_over(file, name)
        if digest == former:
            for part in self._parts_of(file):
                name = self._carry_over(part, name)
        # an account of a file's bytes includes all data read from the file
        apart = "" if digest == former else file
        more = [self.keyed("dataset", other.encode()) for other in others]
        return Account(self, self._known.named(name), title, first, sketch, apart, more)

    def _parts_of(self, file: str) -> list[str]:
        """Return the accounts of data that were read from a file with these bytes."""
        return [name for name, each in self.known().accounts.items() if file in each.files]

    def _carry_over(self, former: str, name: str) -> str:
        """Join the account `former` into `name`, unless that was done; return the account to use."""

        def join(known: LedgerState) -> tuple[str, dict[str, Any]]:
            both = known.named(former), known.named(name)
            if both[0] == both[1]:
                raise LedgerError("another program was faster")
            older, newer = both if both[1] in known.accounts else both[::-1]
            return "join", {"account": newer, "with": older}

        known = self._known
        if known.named(former) not in known.accounts or known.named(former) == known.named(name):
            return name
        try:
            self.append(join)
        except LedgerDamaged:
            raise
        except LedgerError:
            return former  # writing failed: continue with the account that has the entries
        return name

    def accounts(self) -> list[Account]:
        """Return all accounts with entries, in the order in which they were opened."""
        return [Account(self, name) for name in self.known().accounts]

    @classmethod
    def set_aside(cls, path: Path) -> Path:
        """Rename a damaged ledger and begin a new one that refers to it; return the new name of the old one.

        Only for a user who understands that earlier spending no longer counts.

        Raises
        ------
        LedgerError
            If there is no ledger, it is not damaged, or it cannot be renamed.
        """
        path = Path(os.path.realpath(path))
        if not cls.begun(path):
            raise LedgerError(f"{path}: there is no ledger to set aside")
        try:
            cls(path)
        except LedgerDamaged:
            pass
        else:
            raise LedgerError(f"{path}: the ledger is not damaged; it stays where it is")
        moved = move_aside(path)
        cls(path)
        return moved

    def known(self) -> LedgerState:
        """Return the present state."""
        with self._storage.transaction(write=False) as connection:
            self._known = known = self._read(connection)
        return known

    def append(self, decide: Decision) -> int:
        """Write one event, chosen from the present state, while nothing else can write; return its id."""
        with self._storage.transaction(write=True) as connection:
            known = self._read(connection)
            kind, content = decide(known)
            now = datetime.now().astimezone().isoformat()
            event = seal_event(self._key, known.seal, known.events + 1, kind, {"when": now, **content})
            known = known.after([event])
            connection.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?)", (event.id, kind.encode(), event.text, event.seal)
            )
            connection.execute("UPDATE head SET events = ?, seal = ?", (event.id, event.seal))
            connection.execute(f"PRAGMA user_version = {VERSION}")  # older versions must refuse it now
        self._known = known
        return event.id

    def _read(self, connection: sqlite3.Connection) -> LedgerState:
        """Return the state of the log, after checking all new events."""
        known = self._known
        key, events, seal = self._row(
            connection, "SELECT CAST(key AS BLOB), events, CAST(seal AS BLOB) FROM head"
        )
        if not hmac.compare_digest(bytes(key), self._key):
            raise LedgerError(f"{self.path}: this is another ledger than before; start again")
        if known.events:
            before = connection.execute(
                "SELECT CAST(seal AS BLOB) FROM event WHERE id = ?", (known.events,)
            ).fetchone()
            if before != (known.seal,):
                raise LedgerError(
                    f"{self.path}: events are missing that the ledger had before, as in an older "
                    "copy; put the newer file back, or start again"
                )
        rows = connection.execute(
            "SELECT id, CAST(kind AS BLOB), CAST(text AS BLOB), CAST(seal AS BLOB) FROM event "
            "WHERE id > ? ORDER BY id",
            (known.events,),
        )
        fresh: list[LogEvent] = []
        last = known.seal
        for expected, (number, kind, text, mark) in enumerate(rows, known.events + 1):
            event = LogEvent(number, kind.decode(errors="replace"), text, mark)
            if number != expected or event.seal != seal_of(self._key, last, number, event.kind, event.text):
                raise self._damaged(f"event {expected} was changed")
            fresh.append(event)
            last = event.seal
        if (events, bytes(seal)) != (known.events + len(fresh), last):
            raise self._damaged("its last events are missing")
        try:
            return known.after(fresh)
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(f"its content is invalid: {error}") from error

    def _row(self, connection: sqlite3.Connection, question: str, *values: Any) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = connection.execute(question, values).fetchone()
        if row is None or None in row:
            raise self._damaged("a row is missing")
        return row

    def _damaged(self, what: str) -> LedgerDamaged:
        return damage_error(self.path, what)

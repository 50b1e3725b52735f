"""The log of a ledger: events, each sealed together with all events before it."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from engine.ledger.cost import Cost, LedgerEntry, Limit, State
from engine.ledger.similar import KeptSketch
from engine.privacy import NO_PROMISE, Privacy

MAX_STORED_PARTS = 20_000
"""Largest number of parts, and of characters, of a stored value; its cost is stored in any case."""

BEFORE = b""
"""The seal before the first event."""


@dataclasses.dataclass(frozen=True)
class LogEvent:
    """One row of the log."""

    id: int  # 1, 2, 3 …
    kind: str  # "begin", "charge", "value", "void", "limit" or "join"
    text: bytes  # the content, as JSON
    seal: bytes  # depends on the key of the ledger, this row and all rows before it

    @property
    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.text)
        return content


def seal_event(key: bytes, before: bytes, id: int, kind: str, content: Mapping[str, Any]) -> LogEvent:
    """Return the event that follows the one whose seal is `before`."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
    return LogEvent(id, kind, text, seal_of(key, before, id, kind, text))


def seal_of(key: bytes, before: bytes, id: int, kind: str, text: bytes) -> bytes:
    """Return the seal of a row that follows the one with the seal `before`."""
    return keyed(key, "event", before + f"{id} {kind} ".encode() + text)


def keyed(key: bytes, purpose: str, content: bytes) -> bytes:
    """Return HMAC-SHA256 of `content`, different for each purpose."""
    name = purpose.encode()
    return hmac.digest(key, len(name).to_bytes(4, "big") + name + content, hashlib.sha256)


def fits(content: Any) -> bool:
    """Tell whether a value is short enough to be stored, without reading all of a long one."""
    parts, seen = [content], 0
    while parts and seen <= MAX_STORED_PARTS:
        part = parts.pop()
        seen += len(part) if isinstance(part, (str, Mapping, list, tuple)) else getattr(part, "size", 1)
        if seen <= MAX_STORED_PARTS and isinstance(part, (Mapping, list, tuple)):
            parts.extend(part.values() if isinstance(part, Mapping) else part)
    return seen <= MAX_STORED_PARTS


def plain(content: Any) -> Any:
    """Return `content` in JSON form: numpy's arrays and numbers as lists and numbers, no NaN."""
    if isinstance(content, Mapping):
        return {str(name): plain(part) for name, part in content.items()}
    if hasattr(content, "tolist"):
        content = content.tolist()
    if isinstance(content, (list, tuple)):
        return [plain(part) for part in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    if content is None or isinstance(content, (bool, int, float, str)):
        return content
    return str(content)


@dataclasses.dataclass(frozen=True)
class Holdings:
    """The contents of the account of one dataset.

    `limit_chosen` tells whether a limit was ever set or deliberately removed.  `sketches` are stored sketches
    of the data, to find similar data; entries of older versions have none.  `files` are keyed hashes of the
    files that held the data.
    """

    title: str = ""
    limit: Limit | None = None
    entries: Mapping[int, LedgerEntry] = dataclasses.field(default_factory=dict)
    limit_chosen: bool = False
    sketches: tuple[KeptSketch, ...] = ()
    files: frozenset[str] = frozenset()

    def together(self, other: Holdings) -> Holdings:
        limits = [limit for limit in (self.limit, other.limit) if limit is not None]
        least = None
        if limits:
            least = Limit(*(min(values) for values in zip(*map(dataclasses.astuple, limits), strict=True)))
        entries = {**self.entries, **other.entries}
        return Holdings(
            self.title or other.title,
            least,
            dict(sorted(entries.items())),
            self.limit_chosen or other.limit_chosen,
            (*self.sketches, *other.sketches),
            self.files | other.files,
        )


@dataclasses.dataclass(frozen=True)
class LedgerState:
    """The state after the first `events` events; the last one has the seal `seal`.

    `joined` maps former names of accounts to their present ones.
    """

    events: int = 0
    seal: bytes = BEFORE
    begun_after: str = ""
    accounts: Mapping[str, Holdings] = dataclasses.field(default_factory=dict)
    joined: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def named(self, name: str) -> str:
        """Return the present name of an account, which differs if it was joined with another one."""
        while name in self.joined:
            name = self.joined[name]
        return name

    def after(self, events: list[LogEvent]) -> LedgerState:
        """Return the state after further events."""
        if not events:
            return self
        state = LedgerState(begun_after=self.begun_after, accounts=self.accounts, joined=self.joined)
        changed: dict[str, _Changing] = {}
        for event in events:
            content = event.content
            if event.kind == "begin":
                state = dataclasses.replace(state, begun_after=content["begun_after"])
                continue
            if event.kind == "join":
                state = state.with_changes(changed).with_joined(content["account"], content["with"])
                changed = {}
                continue
            name = state.named(content["account"])
            if name not in changed:
                changed[name] = _Changing(state.accounts.get(name, Holdings()))
            changed[name].happen(event, content)
        return dataclasses.replace(state.with_changes(changed), events=events[-1].id, seal=events[-1].seal)

    def with_changes(self, changed: Mapping[str, _Changing]) -> LedgerState:
        now = {name: each.now() for name, each in changed.items()}
        return dataclasses.replace(self, accounts={**self.accounts, **now})

    def with_joined(self, name: str, other: str) -> LedgerState:
        """Return the state after joining account `other` into `name`."""
        name, other = self.named(name), self.named(other)
        if name == other:
            raise ValueError("an account cannot be joined with itself")
        accounts = dict(self.accounts)
        both = accounts.get(name, Holdings()), accounts.pop(other, Holdings())
        accounts[name] = both[0].together(both[1])
        return dataclasses.replace(self, accounts=accounts, joined={**self.joined, other: name})


Decision = Callable[[LedgerState], tuple[str, Mapping[str, Any]]]
"""Chooses the next event from the present state: returns its kind and content."""


class _Changing:
    """The account of one dataset while its events are read."""

    def __init__(self, before: Holdings) -> None:
        self._title, self._limit = before.title, before.limit
        self._entries = dict(before.entries)
        self._limit_chosen = before.limit_chosen
        self._sketches = before.sketches
        self._files = before.files

    def happen(self, event: LogEvent, content: Mapping[str, Any]) -> None:
        """Apply an event."""
        if event.kind == "charge":
            self._entries[event.id] = _entry(event.id, content)
            self._sketches += KeptSketch.read(content.get("sketch"))
            self._files |= {content["file"]} if content.get("file") else set()
        elif event.kind == "limit":
            self._limit = _limit(content["limit"])
            self._limit_chosen = True
        elif event.kind in ("value", "void"):
            state: State = "spent" if event.kind == "value" else "void"
            paid = self._entries[content["charge"]]
            value, facts = content.get("value"), content.get("facts")
            self._entries[paid.id] = dataclasses.replace(paid, state=state, value=value, facts=facts)
        else:
            raise ValueError(f"there is no event '{event.kind}'")
        self._title = content.get("title") or self._title

    def now(self) -> Holdings:
        kept = self._sketches, self._files
        return Holdings(self._title, self._limit, self._entries, self._limit_chosen, *kept)


def charge_content(cost: Cost, about: Mapping[str, Any], over: bool) -> dict[str, Any]:
    """Return the content of an entry, in JSON form."""
    rho = cost.concentrated
    return {
        **_promise(cost.privacy),
        "rho": rho.rho if rho is not None else None,
        "approximate": rho.delta if rho is not None else None,
        "neighbours": cost.neighbours,
        "inexact": cost.inexact,
        "loss": None if cost.loss is None else dataclasses.asdict(cost.loss),
        "row": _promise(cost.row.privacy),
        "about": dict(about),
        "over": over,
    }


def _promise(privacy: Privacy) -> dict[str, float | None]:
    if privacy == NO_PROMISE:
        return {"epsilon": None, "delta": None}
    return {"epsilon": privacy.epsilon, "delta": privacy.delta}


def limit_content(limit: Limit | None) -> dict[str, float] | None:
    return None if limit is None else dataclasses.asdict(limit)


def _limit(content: Mapping[str, float] | None) -> Limit | None:
    return None if content is None else Limit(**content)


def _entry(id: int, content: Mapping[str, Any]) -> LedgerEntry:
    return LedgerEntry(
        id=id,
        when=datetime.fromisoformat(content["when"]),
        cost=_cost(content),
        about=content["about"],
        over=content["over"],
        earlier="row" not in content,
    )


def _cost(content: Mapping[str, Any]) -> Cost:
    # ledgers from before exact releases lack it
    between, inexact = content["neighbours"], content.get("inexact", "")
    if content["epsilon"] is None:
        return Cost(NO_PROMISE, None, between, inexact)
    from engine.primitives.accounting import Concentrated
    from engine.primitives.losses import Loss

    concentrated = None if content["rho"] is None else Concentrated(content["rho"], content["approximate"])
    # ledgers from before privacy losses lack it
    loss = None if content.get("loss") is None else Loss(**content["loss"])
    return Cost(Privacy(content["epsilon"], content["delta"]), concentrated, between, inexact, loss)

"""What the log of a ledger says: the accounts, their limits and entries."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.ledger.cost import Cost, Limit
from engine.ledger.entry import Entry, State
from engine.ledger.event import BEFORE, Event
from engine.privacy import NO_PROMISE, Privacy


@dataclasses.dataclass(frozen=True)
class Holdings:
    """What is known of one dataset."""

    title: str = ""
    limit: Limit | None = None
    entries: Mapping[int, Entry] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Known:
    """All that follows from the first `events` events, the last of which has the seal `seal`."""

    events: int = 0
    seal: bytes = BEFORE
    begun_after: str = ""
    accounts: Mapping[str, Holdings] = dataclasses.field(default_factory=dict)

    def after(self, events: list[Event]) -> Known:
        """Return what is known once these have happened, too.

        Raises
        ------
        ValueError, KeyError, TypeError
            If they cannot have happened.
        """
        if not events:
            return self
        begun_after = self.begun_after
        accounts = dict(self.accounts)
        entries: dict[str, dict[int, Entry]] = {}
        for event in events:
            content = event.content
            if event.kind == "begin":
                begun_after = content["begun_after"]
                continue
            name = content["account"]
            old = accounts.get(name, Holdings())
            changed = entries.setdefault(name, dict(old.entries))
            if event.kind == "limit":
                old = dataclasses.replace(old, limit=_limit(content["limit"]))
            elif event.kind == "charge":
                changed[event.id] = _entry(event.id, content)
            elif event.kind in ("value", "void"):
                found = changed[content["charge"]]
                state: State = "spent" if event.kind == "value" else "void"
                changed[found.id] = dataclasses.replace(found, state=state, value=content.get("value"))
            else:
                raise ValueError(f"there is no event '{event.kind}'")
            accounts[name] = dataclasses.replace(
                old, title=content.get("title") or old.title, entries=changed
            )
        return Known(events[-1].id, events[-1].seal, begun_after, accounts)


def charge_content(cost: Cost, about: Mapping[str, Any], over: bool) -> dict[str, Any]:
    """Return what an entry says, as JSON holds it."""
    promised = cost.privacy != NO_PROMISE
    rho = cost.concentrated
    return {
        "epsilon": cost.privacy.epsilon if promised else None,
        "delta": cost.privacy.delta if promised else None,
        "rho": rho.rho if rho is not None else None,
        "approximate": rho.delta if rho is not None else None,
        "neighbours": cost.neighbours,
        "about": json.loads(json.dumps(about)),
        "over": over,
    }


def limit_content(limit: Limit | None) -> dict[str, float] | None:
    """Return a limit as JSON holds it."""
    return None if limit is None else dataclasses.asdict(limit)


def _limit(content: Mapping[str, float] | None) -> Limit | None:
    return None if content is None else Limit(**content)


def _entry(id: int, content: Mapping[str, Any]) -> Entry:
    return Entry(
        id=id,
        when=datetime.fromisoformat(content["when"]),
        cost=_cost(content),
        about=content["about"],
        over=content["over"],
    )


def _cost(content: Mapping[str, Any]) -> Cost:
    if content["epsilon"] is None:
        return Cost(NO_PROMISE, None, content["neighbours"])
    from engine.primitives.accounting import Concentrated

    concentrated = None if content["rho"] is None else Concentrated(content["rho"], content["approximate"])
    return Cost(Privacy(content["epsilon"], content["delta"]), concentrated, content["neighbours"])

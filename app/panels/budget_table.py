"""All releases ever made of a dataset, as the ledger has them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from app.model.wording.grids import inexact_words, sentence
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number
from app.panels.budget_words import state_words
from engine.catalog import questions

if TYPE_CHECKING:
    from engine.ledger import LedgerEntry

HEADER = ["When", "Query", "Of", "ε", "δ", "Released", "Kind"]
SAVED = (
    *("entry", "when", "release", "of", "place", "method", "parameters"),
    *("epsilon", "delta", "rho", "neighbours", "exact", "state", "over_limit", "value"),
)


def cells(entry: LedgerEntry) -> list[str]:
    """Return what users read of a release."""
    cost = entry.cost.privacy
    return [
        f"{entry.when.astimezone():%Y-%m-%d %H:%M}",
        query_words(entry),
        str(entry.about.get("of", "")),
        number(cost.epsilon),
        number(cost.delta, 2),
        value_words(entry.value),
        state_words(entry),
    ]


def _said(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def tip(entry: LedgerEntry) -> str:
    """Return what else is known of a release."""
    about = entry.about
    facts = {"method": about.get("method"), **dict(about.get("parameters") or {})}
    lines = [
        str(about.get("place", "")),
        f"{WORDS[entry.cost.neighbours].between}" if entry.cost.neighbours in WORDS else "",
        ", ".join(f"{name} = {_said(value)}" for name, value in facts.items() if value is not None),
        sentence(inexact_words(entry.exact, entry.cost.inexact)),
    ]
    return "\n".join(line for line in lines if line)


def query_words(entry: LedgerEntry) -> str:
    """Name what was asked."""
    query = str(entry.about.get("release", ""))
    return str(questions()[query].label) if query in questions() else query


def value_words(value: Any) -> str:
    """Write a released number, or how much else was released."""
    if isinstance(value, bool) or value is None:
        return "–"
    if isinstance(value, int | float):
        return number(value, 6)
    if isinstance(value, list):
        return f"{len(value)} parts"
    return value if isinstance(value, str) else ", ".join(value)


def saved(entries: tuple[LedgerEntry, ...]) -> tuple[list[str], list[list[Any]]]:
    """Return all of it as a table to be saved, the oldest release first."""
    return list(SAVED), [_saved(entry) for entry in entries]


def _saved(entry: LedgerEntry) -> list[Any]:
    about, cost = entry.about, entry.cost
    return [
        entry.id,
        entry.when.isoformat(),
        *(about.get(name, "") for name in ("release", "of", "place", "method")),
        json.dumps(about.get("parameters", {})),
        "" if math.isinf(cost.privacy.epsilon) else cost.privacy.epsilon,
        cost.privacy.delta,
        "" if cost.concentrated is None else cost.concentrated.rho,
        cost.neighbours,
        entry.exact,
        entry.state,
        entry.over,
        "" if entry.value is None else json.dumps(entry.value),
    ]

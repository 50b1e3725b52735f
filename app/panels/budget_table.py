"""All releases ever made of a dataset, as the ledger has them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from app.model.wording.grids import inexact_words, sentence
from app.model.wording.neighbours import WORDS, counts_words
from app.model.wording.numbers import number
from app.panels.budget_words import state_words
from engine.catalog import questions

if TYPE_CHECKING:
    from engine.ledger import LedgerEntry
    from engine.privacy import Privacy

SAVED = (
    *("entry", "when", "release", "of", "place", "method", "parameters"),
    *(
        "epsilon",
        "delta",
        "rho",
        "neighbours",
        "row_epsilon",
        "row_delta",
        "exact",
        "state",
        "over_limit",
        "value",
    ),
)


def _said(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def tip(entry: LedgerEntry) -> str:
    """Return what else is known of a release."""
    about = entry.about
    counted = f"{text} in the budget" if (text := counts_words(entry.cost, "ε", "δ")) else ""
    facts = {"method": about.get("method"), **dict(about.get("parameters") or {})}
    lines = [
        str(about.get("place", "")),
        f"{WORDS[entry.cost.neighbours].between}" if entry.cost.neighbours in WORDS else "",
        sentence(counted),
        ", ".join(f"{name} = {_said(value)}" for name, value in facts.items() if value is not None),
        sentence(inexact_words(entry.exact, entry.cost.inexact)),
    ]
    return "\n".join(line for line in lines if line)


def query_words(entry: LedgerEntry) -> str:
    """Name what was asked."""
    query = str(entry.about.get("release", ""))
    known = questions().get(query)
    return query if known is None else str(known.label)


def value_words(value: Any) -> str:
    """Write a released number, or how much else was released."""
    if isinstance(value, bool) or value is None:
        return "–"
    if isinstance(value, int | float):
        return number(value, 6)
    if isinstance(value, list):
        return f"{len(value)} parts"
    return value if isinstance(value, str) else ", ".join(value)


COLUMNS: Mapping[str, Callable[[LedgerEntry], str]] = {
    "When": lambda entry: f"{entry.when.astimezone():%Y-%m-%d %H:%M}",
    "Query": query_words,
    "Of": lambda entry: str(entry.about.get("of", "")),
    "ε": lambda entry: number(entry.cost.privacy.epsilon),
    "δ": lambda entry: number(entry.cost.privacy.delta, 2),
    "Released": lambda entry: value_words(entry.value),
    "Kind": state_words,
}
"""What users read of a release, by the heads of the columns: a table asks for each cell alone."""


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
        *_numbers(cost.privacy),
        "" if cost.concentrated is None else cost.concentrated.rho,
        cost.neighbours,
        *_numbers(cost.row.privacy),
        entry.exact,
        entry.state,
        entry.over,
        "" if entry.value is None else json.dumps(entry.value),
    ]


def _numbers(privacy: Privacy) -> tuple[float | str, float]:
    return "" if math.isinf(privacy.epsilon) else privacy.epsilon, privacy.delta

"""A comparison as JSON and CSV: one row for each mechanism and value of the sweep."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.mechanism_options import public_parameters
from app.model.wording.console import settings
from engine.components import asked_of
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from engine.comparison import Comparison, Outcome
    from engine.comparison.results import Needed

COLUMNS = (
    *("label", "mechanism", "parameters", "value", "epsilon", "delta", "n", "median", "mean", "p95"),
    *("refused", "runs", "seconds_per_run", "problem"),
)
"""Names of the columns of the CSV file."""


def content(comparison: Comparison, needed: Sequence[Needed]) -> dict[str, Any]:
    """Return everything for the JSON; the verdict is that at the last value of the sweep."""
    verdicts = [_verdict(comparison, index) for index in range(len(comparison.sweep.values))]
    facts: dict[str, Any] = {
        "runs": comparison.runs,
        "seed": comparison.seed,
        "simulated": True,
        "sweep": {"name": comparison.sweep.name, "values": list(comparison.sweep.values)},
        "complete": comparison.complete,
        "verdict": verdicts[-1],
        "mechanisms": [_outcome(comparison, outcome) for outcome in comparison.outcomes],
    }
    if len(verdicts) > 1:
        facts["verdicts"] = verdicts
    if needed:
        facts["needed"] = [
            _needed(each, comparison.contenders[index].label) for index, each in enumerate(needed)
        ]
    return facts


def csv_text(comparison: Comparison) -> str:
    """Return the rows under a header."""
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for outcome in comparison.outcomes:
        row = _outcome(comparison, outcome)
        writer.writerow({**row, **row["errors"], "parameters": settings(row["parameters"].items())})
    return sheet.getvalue()


def _outcome(comparison: Comparison, outcome: Outcome) -> dict[str, Any]:
    trial, answered = outcome.trial, outcome.answered
    cost = trial.mechanism.guarantee.cost(trial.privacy)
    return {
        "mechanism": asked_of(trial.mechanism).name,
        "label": comparison.contenders[trial.contender].label,
        "parameters": public_parameters(trial.mechanism),
        "epsilon": cost.epsilon if cost != NO_PROMISE else None,
        "delta": cost.delta if cost != NO_PROMISE else None,
        "n": trial.n,
        "value": trial.value,
        "errors": {
            "median": _possible(outcome.quantile(0.5)),
            "mean": float(answered.mean()) if answered.size else None,
            "p95": _possible(outcome.quantile(0.95)),
        },
        "refused": outcome.refused,
        "runs": outcome.runs,
        "seconds_per_run": outcome.seconds_per_run if outcome.runs else None,
        **({"problem": outcome.problem} if outcome.problem else {}),
    }


def _possible(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _verdict(comparison: Comparison, index: int) -> dict[str, Any] | None:
    """Return who wins at a value of the sweep; None where none was tried."""
    from engine.comparison.verdict import verdict

    won = verdict(comparison.at(index))
    if won is None:
        return None
    labels = [contender.label for contender in comparison.contenders]
    return {
        "value": comparison.sweep.values[index],
        "best": labels[won.best.trial.contender],
        "other": None if won.other is None else labels[won.other.trial.contender],
        "ratio": won.ratio,
        "low": won.low,
        "high": won.high,
        "confidence": won.confidence,
        "significant": won.significant,
        "useless": won.useless,
    }


def _needed(each: Needed, label: str) -> dict[str, Any]:
    """Return which epsilon a contender needs, and the share of runs that are near enough there."""
    return {
        "label": label,
        "epsilon": each.epsilon,
        "share": each.share_at,
        "low": each.low,
        "high": each.high,
        **({"problem": each.problem} if each.problem else {}),
    }

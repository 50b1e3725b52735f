"""The findings of a comparison, as text, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.mechanism_options import names_json, public_parameters
from app.model.wording.console import budget, columns, counted, facts, number, settings
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import grouped, short
from app.model.wording.releases import unit_of
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.comparison import AuditedContenders, Comparison, Outcome
    from engine.comparison.results import Needed
    from engine.privacy import Privacy

NOTHING = "-"

COLUMNS = (
    *("label", "mechanism", "parameters", "value", "epsilon", "delta", "n", "median", "mean", "p95"),
    *("refused", "runs", "seconds_per_run", "problem"),
)
"""Names of the columns of the CSV file."""


def error_unit(comparison: Comparison, data: LoadedRecords[Any]) -> str:
    """Return the unit of errors: that of the data; "" for counts and for functions without a unit."""
    mechanism = comparison.contenders[0].mechanism
    function = getattr(mechanism, "function", None)
    is_other = function is not None and not function.among_data
    return "" if is_other else unit_of(mechanism, data.unit)


def to_text(comparison: Comparison, data: LoadedRecords[Any], privacy: Privacy, confidentiality: str) -> str:
    """Return the comparison as text: the mechanisms, their errors (perhaps confidential) and the winner."""
    from app.plots.compare.view import measured_words

    unit = error_unit(comparison, data)
    at_each = f" at each value of {comparison.sweep.name}" if len(comparison.sweep.values) > 1 else ""
    rows = [
        ("of", f"{data.name}, {data.size_words}"),
        *_promise_rows(comparison, privacy),
        ("runs", f"{grouped(comparison.runs)} of each mechanism{at_each}"),
        *([] if comparison.complete else [("cancelled", "some runs are missing")]),
    ]
    head = f"SIMULATION with seed {comparison.seed}; nothing is a release\n{facts(rows)}"
    lines = [measured_words(comparison), *_winner_lines(comparison, unit)]
    parts = [head, f"{confidentiality}\n{_table(comparison, unit)}", "\n".join(filter(None, lines))]
    return "\n\n".join(filter(None, parts))


def _table(comparison: Comparison, unit: str) -> str:
    """Return one row for each mechanism and value of the sweep, and below the problems."""
    sweeping = len(comparison.sweep.values) > 1
    header = ["mechanism", *([comparison.sweep.name] if sweeping else [])]
    header += ["median error", "95 % within", "refused", "runs", "time per run"]
    rows: list[list[str]] = []
    reasons: dict[tuple[str, str], list[str]] = {}
    for outcome in comparison.outcomes:
        label, value = comparison.contenders[outcome.trial.contender].label, short(outcome.trial.value)
        rows.append([label, *([value] if sweeping else []), *_cells(outcome, unit)])
        if outcome.problem:
            reasons.setdefault((label, outcome.problem), []).append(value)
    problems = []
    for (label, reason), values in reasons.items():
        where = (
            f" at {comparison.sweep.name} = {', '.join(values)}"
            if len(values) < len(comparison.sweep.values)
            else ""
        )
        problems.append(f"  {label}{where}: {reason}")
    return "\n".join([columns(header, rows, left=1), *problems])


def _winner_lines(comparison: Comparison, unit: str) -> Iterator[str]:
    """Yield one sentence about the winner for each value of the sweep."""
    from app.plots.compare.view import sentence
    from engine.comparison.verdict import verdict

    labels = [contender.label for contender in comparison.contenders]
    for index, value in enumerate(comparison.sweep.values):
        outcomes = comparison.at(index)
        if outcomes:
            where = f"{comparison.sweep.name} = {short(value)}: " if len(comparison.sweep.values) > 1 else ""
            line = sentence(verdict(outcomes), unit, labels, comparison.largest_error(index))
            # a terminal has no narrow blanks, and no minus sign of its own
            yield where + re.sub("\u202f(?!\\d{3})", " ", line).replace("\u2212", "-")


def needed_table(needed: Sequence[Needed], comparison: Comparison) -> str:
    """Return a table of the epsilon that each mechanism needs."""
    return facts(
        [(comparison.contenders[index].label, _needed_text(each)) for index, each in enumerate(needed)]
    )


def _promise_rows(comparison: Comparison, privacy: Privacy) -> list[tuple[str, str]]:
    """Return the cost of a release, and the varied parameter."""
    relations, values = (
        dict.fromkeys(one.mechanism.relation for one in comparison.contenders),
        comparison.sweep.values,
    )
    neighbours, *others = relations
    varying = "".join(f", or {WORDS[other].between} where that is chosen" for other in others)
    if len(values) == 1:
        return [("privacy", budget(privacy.epsilon, privacy.delta, neighbours) + varying)]
    name, count = comparison.sweep.name, counted(len(values), "value")
    varied = f"{name} from {short(values[0])} to {short(values[-1])}, {count}"
    fixed = "" if name == "epsilon" else f"epsilon = {short(privacy.epsilon)}, "
    return [
        ("varied", varied),
        ("privacy", f"{fixed}delta = {short(privacy.delta)} {WORDS[neighbours].between}{varying}"),
    ]


def _cells(outcome: Outcome, unit: str) -> list[str]:
    """Return errors, refusals, runs and time; dashes without runs."""
    if not outcome.runs:
        return [NOTHING, NOTHING, NOTHING, "0", NOTHING]
    errors = [
        number(error, 4, unit) if math.isfinite(error) else "refused"
        for error in map(outcome.quantile, (0.5, 0.95))
    ]
    refused, seconds = f"{short(100 * outcome.refused / outcome.runs, 3)} %", outcome.seconds_per_run
    duration = f"{number(seconds, 3)} s" if seconds >= 1 else f"{number(1000 * seconds, 2)} ms"
    return [*errors, refused, grouped(outcome.runs), duration]


def _needed_text(each: Needed) -> str:
    if each.epsilon is None:
        return each.problem
    most = f"at most {short(each.high, 3)}" if math.isfinite(each.high) else "no upper limit is certain"
    return f"epsilon = {short(each.epsilon, 3)} (at least {short(each.low, 3)}, {most}, with 99 % confidence)"


def audits_text(audits: AuditedContenders) -> str:
    """Return the audit of each mechanism as text."""
    from app.plots.compare import view as wording

    rows = [
        (contender.label, wording.audit_text(audits, index).removeprefix(f"{contender.label}: "))
        for index, contender in enumerate(audits.contenders)
    ]
    head = f"audits with {short(100 * audits.confidence)} % confidence for each"
    return f"\n{head}\n{facts(rows)}\n{wording.audits_sentence(audits)}".replace("ε", "epsilon")


def audits_json(audits: AuditedContenders) -> list[dict[str, Any]]:
    """Return the audit of each mechanism as JSON."""
    rows: list[dict[str, Any]] = []
    for contender, each in zip(audits.contenders, audits.audits, strict=False):
        audit = each.audit
        rows.append(
            {
                "label": contender.label,
                "epsilon_lower_bound": None if audit is None else audit.epsilon_lower_bound,
                "verdict": each.verdict or None,
                "pair": each.pair or None,
                "pairs": each.pairs,
                "confidence": audits.confidence,
                "runs": audits.runs,
                **({"problem": each.problem} if each.problem else {}),
            }
        )
    return rows


def to_json(comparison: Comparison, needed: Sequence[Needed]) -> dict[str, Any]:
    """Return the JSON; its verdict belongs to the last value of the sweep."""
    verdicts = [_verdict_json(comparison, index) for index in range(len(comparison.sweep.values))]
    facts: dict[str, Any] = {
        "runs": comparison.runs,
        "seed": comparison.seed,
        "simulated": True,
        "sweep": {"name": comparison.sweep.name, "values": list(comparison.sweep.values)},
        "complete": comparison.complete,
        "verdict": verdicts[-1],
        "mechanisms": [_outcome_json(comparison, outcome) for outcome in comparison.outcomes],
    }
    if len(verdicts) > 1:
        facts["verdicts"] = verdicts
    if needed:
        facts["needed"] = [
            _needed_json(each, comparison.contenders[index].label) for index, each in enumerate(needed)
        ]
    return facts


def to_csv(comparison: Comparison) -> str:
    """Return a CSV table with a header."""
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for outcome in comparison.outcomes:
        row = _outcome_json(comparison, outcome)
        writer.writerow({**row, **row["errors"], "parameters": settings(row["parameters"].items())})
    return sheet.getvalue()


def _outcome_json(comparison: Comparison, outcome: Outcome) -> dict[str, Any]:
    trial, answered = outcome.trial, outcome.answered
    cost = trial.mechanism.guarantee.cost(trial.privacy)
    return {
        **names_json(trial.mechanism),
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


def _verdict_json(comparison: Comparison, index: int) -> dict[str, Any] | None:
    """Return the winner at a value of the sweep; None where nothing ran."""
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


def _needed_json(each: Needed, label: str) -> dict[str, Any]:
    """Return the epsilon that a mechanism needs, and the share of runs within the error there."""
    return {
        "label": label,
        "epsilon": each.epsilon,
        "share": each.share_at,
        "low": each.low,
        "high": each.high,
        **({"problem": each.problem} if each.problem else {}),
    }

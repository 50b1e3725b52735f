"""A comparison in words and tables for users."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.console import budget, columns, counted, facts, number
from app.model.wording.grids import unit_of
from app.model.wording.neighbours import WORDS
from app.model.wording.number_format import grouped, short

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.comparison import Comparison, Outcome
    from engine.comparison.results import Needed
    from engine.privacy import Privacy

NOTHING = "-"


def error_unit(comparison: Comparison, data: LoadedRecords[Any]) -> str:
    """Return the unit of errors: that of the data, but where records are counted or a function has none."""
    mechanism = comparison.contenders[0].mechanism
    function = getattr(mechanism, "function", None)
    is_other = function is not None and not function.among_data
    return "" if is_other else unit_of(mechanism, data.unit)


def text(comparison: Comparison, data: LoadedRecords[Any], privacy: Privacy, said: str) -> str:
    """Return what was compared, how far each was from the truth (`said` to be confidential), and who wins."""
    from app.plots.compare.view import measured_words

    unit = error_unit(comparison, data)
    rows = [
        ("of", f"{data.name}, {data.size_words}"),
        *_promised(comparison, privacy),
        ("runs", f"{grouped(comparison.runs)} of each mechanism{_at_each(comparison)}"),
        *([] if comparison.complete else [("cancelled", "not all of it was done")]),
    ]
    head = f"SIMULATION with seed {comparison.seed}; nothing is a release\n{facts(rows)}"
    lines = [measured_words(comparison), *winners(comparison, unit)]
    parts = [head, f"{said}\n{table(comparison, unit)}", "\n".join(filter(None, lines))]
    return "\n\n".join(filter(None, parts))


def table(comparison: Comparison, unit: str) -> str:
    """Return one row for each mechanism and value of the sweep, and below it what does not fit."""
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


def winners(comparison: Comparison, unit: str) -> Iterator[str]:
    """Yield one sentence for each value of the sweep: who wins there."""
    from app.plots.compare.view import sentence
    from engine.comparison.verdict import verdict

    labels = [contender.label for contender in comparison.contenders]
    for index, value in enumerate(comparison.sweep.values):
        outcomes = comparison.at(index)
        if outcomes:
            where = f"{comparison.sweep.name} = {short(value)}: " if len(comparison.sweep.values) > 1 else ""
            line = sentence(verdict(outcomes), unit, labels, comparison.largest_error(index))
            yield where + terminal(line)


def needed_table(needed: Sequence[Needed], comparison: Comparison) -> str:
    """Return which epsilon each mechanism needs, in words."""
    return facts([(comparison.contenders[index].label, _needed(each)) for index, each in enumerate(needed)])


def terminal(text: str) -> str:
    """Return words of a picture with numbers as a terminal writes them."""
    return re.sub("\u202f(?!\\d{3})", " ", text).replace("\u2212", "-")


def duration(seconds: float) -> str:
    """Return a time in words."""
    return f"{number(seconds, 3)} s" if seconds >= 1 else f"{number(1000 * seconds, 2)} ms"


def _promised(comparison: Comparison, privacy: Privacy) -> list[tuple[str, str]]:
    """Say what every release would cost, and what is varied."""
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


def _at_each(comparison: Comparison) -> str:
    return f" at each value of {comparison.sweep.name}" if len(comparison.sweep.values) > 1 else ""


def _cells(outcome: Outcome, unit: str) -> list[str]:
    """Return errors, refusals, runs and time; what there are no runs of has none."""
    if not outcome.runs:
        return [NOTHING, NOTHING, NOTHING, "0", NOTHING]
    errors = [
        number(error, 4, unit) if math.isfinite(error) else "refused"
        for error in map(outcome.quantile, (0.5, 0.95))
    ]
    refused = f"{short(100 * outcome.refused / outcome.runs, 3)} %"
    return [*errors, refused, grouped(outcome.runs), duration(outcome.seconds_per_run)]


def _needed(each: Needed) -> str:
    if each.epsilon is None:
        return each.problem
    most = f"at most {short(each.high, 3)}" if math.isfinite(each.high) else "no upper limit is sure"
    return f"epsilon = {short(each.epsilon, 3)} (at least {short(each.low, 3)}, {most}, with 99 % confidence)"

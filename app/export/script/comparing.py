"""The numbers of the workspace "Compare"."""

from __future__ import annotations

import dataclasses

from app.export.script.cell import ScriptCell
from app.export.script.data import data
from app.export.script.declared import drawn
from app.export.script.expressions import references, written
from app.export.script.page_script import NOT_WRITTEN, PageScript
from app.export.script.subject import Subject
from app.pages.compare.request import ComparisonRequest
from app.pages.compare.tabs import PICTURES, TITLES


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the room: nothing of it may leave in the release view."""
    request = subject.setup
    contenders = [
        f"privacy = {written(request.privacy)}",
        f"mechanisms = [{', '.join(map(written, request.mechanisms))}]",
        "contenders = labelled(mechanisms)",
    ]
    cell = ScriptCell.of("The contenders", contenders)
    names = tuple(one for mechanism in request.mechanisms for one in references(mechanism))
    found = [data(subject), dataclasses.replace(cell, imports=names)]
    searched = subject.view_state.compare.searched and subject.view_state.tab != "needed"
    if subject.curator and searched and request.choice.within is not None:
        found.append(_needed(request))
    return found


def _comparison(subject: Subject) -> list[ScriptCell]:
    return [_compared(subject.setup), _drawn(subject)]


def _with_times(subject: Subject) -> list[ScriptCell]:
    return [_compared(subject.setup), TIMES, _drawn(subject)]


def _search(subject: Subject) -> list[ScriptCell]:
    request = subject.setup
    if request.choice.within is None:
        return [NOT_WRITTEN]
    shown = "NeededView(needed, contenders, within, share, runs)"
    view = "app.plots.compare.needed:NeededView"
    return [_needed(request), _picture(subject, "needed", shown, view)]


def _drawn(subject: Subject) -> ScriptCell:
    """Draw the comparison at the value that is looked at."""
    look, many = subject.view_state.compare, len(subject.setup.sweep().values)
    place = many // 2 if look.place is None else min(look.place, many - 1)
    tab = subject.view_state.tab if subject.view_state.tab in PICTURES else "frontier"
    options = f"place={place}, mode={written(look.mode)}, spread={written(look.spread)}"
    return _picture(
        subject, tab, f"ComparisonView(found, {options})", "app.plots.compare.view:ComparisonView"
    )


def _picture(subject: Subject, tab: str, shown: str, view: str) -> ScriptCell:
    title, unit = TITLES[tab].shows, subject.setup.unit
    return drawn(
        PICTURES[tab], title, subject, shown="view", first=f"view = {shown}", unit=unit, imports=(view,)
    )


def _compared(request: ComparisonRequest) -> ScriptCell:
    sweep = request.sweep()
    values = written(tuple(sweep.values))
    return ScriptCell.of(
        "The comparison",
        [
            f"sweep = Sweep({written(sweep.name)}, {values})",
            "# All contenders draw from the same seeds; simulations spend no budget.",
            f"runs, seed = {written(request.runs)}, {written(request.choice.seed)}",
            "found = compare(contenders, data, privacy, sweep, runs, seed)",
            "for place, value in enumerate(sweep.values):",
            "    for outcome in found.at(place):",
            "        label = contenders[outcome.trial.contender].label",
            "        median = outcome.problem or outcome.quantile(0.5)",
            '        print(f"{sweep.name} = {value:g}, {label}: median error (private):", median)',
            "    won = verdict(found.at(place))",
            "    if won is not None:",
            "        best = contenders[won.best.trial.contender].label",
            '        print(f"{sweep.name} = {value:g}: best (private):", best, won.ratio)',
        ],
        "The ratio says how many times larger the next median error is.",
    )


def _needed(request: ComparisonRequest) -> ScriptCell:
    choice = request.choice
    return ScriptCell.of(
        "Which epsilon is needed",
        [
            f"within, share = {written(choice.within)}, {written(choice.share)}",
            f"runs, seed = {written(request.runs)}, {written(choice.seed)}",
            f"delta = {written(request.privacy.delta)}",
            "needed = needed_epsilons(contenders, data, delta, within, share, runs, seed)",
            "for contender, one in zip(contenders, needed, strict=True):",
            '    print(f"{contender.label}: epsilon (private):", one.low, one.epsilon, one.high)',
        ],
    )


TIMES = ScriptCell.of(
    "How long they take",
    [
        "for one in found.outcomes:",
        "    label = contenders[one.trial.contender].label",
        "    if not one.problem:",
        '        print(f"{label}: seconds to prepare, to draw:", one.preparing, one.drawing)',
    ],
)

SCRIPT = PageScript(
    cells,
    {
        "errors": _comparison,
        "frontier": _comparison,
        "time": _with_times,
        "table": _comparison,
        "needed": _search,
    },
    default="errors",
)

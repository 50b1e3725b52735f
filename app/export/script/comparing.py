"""The numbers of the workspace "Compare"."""

from __future__ import annotations

from app.export.script.cell import ScriptCell
from app.export.script.data import data
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript
from app.export.script.subject import Subject
from app.pages.compare.request import ComparisonRequest


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the room: nothing of it may leave in the release view."""
    request = subject.setup
    contenders = [
        f"privacy = {written(request.privacy)}",
        f"mechanisms = [{', '.join(map(written, request.mechanisms))}]",
        "contenders = labelled(mechanisms)",
    ]
    found = [data(subject), ScriptCell.of("The contenders", contenders)]
    searched = subject.view_state.compare.searched and subject.view_state.tab != "needed"
    if subject.curator and searched and request.choice.within is not None:
        found.append(_needed(request))
    return found


def _comparison(subject: Subject) -> list[ScriptCell]:
    return [_compared(subject.setup), PICTURE]


def _with_times(subject: Subject) -> list[ScriptCell]:
    return [_compared(subject.setup), TIMES, PICTURE]


def _search(subject: Subject) -> list[ScriptCell]:
    request = subject.setup
    return [NOT_WRITTEN if request.choice.within is None else _needed(request)]


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

PICTURE = ScriptCell(
    "A picture (private)",
    "for place, contender in enumerate(contenders):\n"
    "    medians = [one.quantile(0.5) for one in found.of(place)]\n"
    '    plt.loglog(sweep.values, medians, marker="o", label=contender.label)\n'
    "plt.xlabel(sweep.name)\n"
    'plt.ylabel("median error")\n'
    "plt.legend()",
    picture=True,
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

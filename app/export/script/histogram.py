"""The numbers of the page about histograms, and of what else is released of points and categories."""

from __future__ import annotations

from collections.abc import Callable

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript, PictureWriter, nothing_more
from app.export.script.subject import Subject
from app.pages.histogram.advice import radii_problem
from app.pages.histogram.mechanisms import alternatives
from engine.analysis.attack_sweep import isolation_threshold
from engine.analysis.histogram_errors import MOST_JUDGED
from engine.analysis.histogram_trees import MOST_TRUE
from engine.analysis.shared.projections import distinct_axes
from engine.mechanisms import CategoriesMechanism, HistogramMechanism, ShiftedHistogram

SIMULATED = "# A simulation: the same seed gives the same answer, and no budget is spent."


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the page."""
    if not subject.curator:
        return []
    if not isinstance(subject.setup.mechanism, HistogramMechanism):
        return [_other(subject)]
    return [_histogram(subject), *_judged(subject), _cells(subject)]


def _histogram(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "One simulated histogram",
        [
            SIMULATED,
            f"histogram = simulated_histogram(mechanism, data, privacy, seed={subject.seed})",
            said("cells", "histogram.size"),
            said("points in each cell", "histogram.counts"),
            "levels = histogram_levels(histogram)",
            said("cells of each level", "levels.cells - levels.cut"),
            said("points of each level", "levels.points"),
        ],
        r"Of each cell $C$ it says how many points it holds, $\#\{i: x_i \in C\}$, exactly or with noise.",
    )


def _judged(subject: Subject) -> list[ScriptCell]:
    if subject.setup.source.n > MOST_JUDGED:
        return []
    lines = [
        "error = expected_count_error(mechanism, data, privacy)",
        said("typical error of the counts of public boxes", "error"),
    ]
    return [ScriptCell.of("Expected error", lines)]


def _tree(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "Spanning trees",
        [
            f"trees = histogram_trees(histogram, data, {_axes(subject)}seed={subject.seed})",
            said("cost of the tree on cells", "trees.tree.cost"),
            said("cost of a tree of points drawn from the cells", "trees.resampled"),
            said("cost of the true tree", "trees.truth.cost") * (subject.setup.source.n <= MOST_TRUE),
        ],
    )


def _facilities(subject: Subject) -> ScriptCell:
    price = written(subject.view_state.histogram.price)
    return ScriptCell.of(
        "Facilities",
        [
            f"found = histogram_facilities(histogram, data, {_axes(subject)}price={price})",
            said("facilities, on cells", "len(found.tree.open)"),
            said("their cost, on cells", "found.tree.cost"),
            said("their cost for the records", "found.tree.in_truth"),
            said("cost of facilities that know the records", "found.truth.cost"),
        ],
    )


def _axes(subject: Subject) -> str:
    """Return the argument that says along which columns things are drawn, where it is not as usual."""
    axes = subject.view_state.across, subject.view_state.up
    drawn = distinct_axes(axes, subject.setup.source.domain.dimension)
    return "" if drawn == (0, 1) else f"axes={written(drawn)}, "


def _isolation(subject: Subject) -> ScriptCell:
    view_state = subject.view_state.histogram
    t = isolation_threshold(subject.setup.mechanism)
    how = ""
    if view_state.attack is not None:
        attack, seed = view_state.attack
        how = f", attack={written(attack)}, seed={written(seed)}"
    return ScriptCell.of(
        "Isolation",
        [
            f"query = isolation_guess(histogram, bounds{how}).query",
            *(
                f"query[{written(axis)}] += {written(value)}"
                for axis, value in sorted(view_state.moved.items())
            ),
            "query = np.clip(query, bounds.lower, bounds.upper)" * bool(view_state.moved),
            f"verdict = isolation_test(data, query, c={written(view_state.c)}, t={t})",
            said("distance of the nearest record", "verdict.distance"),
            said("records within c times that", "verdict.within"),
            said("does the guess isolate somebody?", "verdict.isolates"),
        ],
        r"A guess $q$ isolates a record at distance $\delta$ if fewer than $t$ records lie within $c\delta$.",
    )


def _attacks(subject: Subject) -> ScriptCell:
    view_state = subject.view_state.histogram
    options = f"swept={written(view_state.sweep)}, c={written(view_state.c)}, seed={subject.seed}"
    return ScriptCell.of(
        "Attacks",
        [
            f"sweep = attack_sweep(mechanism, data, privacy, {options})",
            said(f"values of {view_state.sweep}", "sweep.values", private=False),
            "for attack in sweep.attacks:",
            '    print(f"{attack.attack}: isolates (private):", attack.rates)',
        ],
    )


def _compare(subject: Subject) -> ScriptCell:
    mechanisms = ", ".join(written(one) for one in alternatives(subject.state))
    options = f"alternatives=kinds, seed={subject.seed}"
    return ScriptCell.of(
        "Kinds of histograms",
        [
            f"kinds = [{mechanisms}]",
            f"found = histogram_errors(mechanism, data, privacy, {options})",
            "for sample in found.samples:",
            "    if not sample.problem:",
            "        medians = [np.median(off) for off in (sample.counts, sample.tree) if off.size]",
            '        print(f"{sample.mechanism.label}: errors of counts, of trees (private):", medians)',
        ],
    )


def _radii(subject: Subject) -> ScriptCell:
    mechanism = subject.setup.mechanism
    if not isinstance(mechanism, ShiftedHistogram):
        return NOT_WRITTEN
    if radii_problem(subject.setup.source.n, mechanism.t):
        return ScriptCell("Diameters of cells", "# There are too few or too many points for this picture.")
    return ScriptCell.of(
        "Diameters of cells",
        [
            f"found = diameters_by_radius(mechanism, data, privacy, seed={subject.seed})",
            said("radius that holds 2t points", "found.radii"),
            said("mean diameter of the cells", "found.diameters"),
            said("bound on its expectation", "found.bound"),
        ],
    )


def _other(subject: Subject) -> ScriptCell:
    mechanism = subject.setup.mechanism
    lines = [
        SIMULATED,
        f"answer = simulated_answer(mechanism, data, privacy, seed={subject.seed})",
        said("one simulated release", "answer.value"),
    ]
    if mechanism.name == "mode":
        lines.append(said("true counts", "answer.true_value"))
    elif isinstance(mechanism, CategoriesMechanism) or mechanism.name != "synthetic":
        lines.append(said("true answer", "answer.true_answer"))
    return ScriptCell.of("One simulated release", lines)


def _cells(subject: Subject) -> ScriptCell:
    if subject.setup.source.domain.dimension == 1:
        code = 'plt.stairs(*np.histogram(data.values[:, 0], bins=50))\nplt.xlabel("data")'
        return ScriptCell("The data (private)", code, picture=True)
    code = (
        "middle = (histogram.lower + histogram.upper) / 2\n"
        'plt.scatter(*middle[:, :2].T, c=histogram.counts, marker="s")\n'
        'plt.colorbar(label="points in the cell")'
    )
    return ScriptCell("The cells (private)", code, picture=True)


def _if_histogram(write: Callable[[Subject], ScriptCell]) -> PictureWriter:
    """Let a picture of cells be written of what has cells alone."""

    def written_of(subject: Subject) -> list[ScriptCell]:
        has_cells = isinstance(subject.setup.mechanism, HistogramMechanism)
        return [write(subject) if has_cells else NOT_WRITTEN]

    return written_of


def _built(subject: Subject) -> ScriptCell:
    return _facilities(subject) if subject.view_state.histogram.price else _tree(subject)


SCRIPT = PageScript(
    cells,
    {
        "cells": nothing_more,
        "levels": nothing_more,
        "tree": _if_histogram(_built),
        "isolation": _if_histogram(_isolation),
        "attacks": _if_histogram(_attacks),
        "compare": _if_histogram(_compare),
        "radii": _if_histogram(_radii),
        "matrix": nothing_more,
        "points": nothing_more,
        "table": nothing_more,
        "bars": nothing_more,
    },
    default="cells",
)

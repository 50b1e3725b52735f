"""The numbers of the page about histograms, and of what else is released of points and categories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from app.export.script.cell import ScriptCell, said
from app.export.script.declared import drawn
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript, PictureWriter, nothing_more
from app.export.script.subject import Subject
from app.model.pages.histogram import SPECS
from app.pages.histogram.advice import radii_problem
from app.pages.histogram.mechanisms import alternatives
from engine.analysis.histogram_errors import MOST_JUDGED
from engine.analysis.histogram_maps import GRIDS, map_cells
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
    return [_histogram(subject), *_judged(subject)]


def _histogram(subject: Subject) -> ScriptCell:
    d, look = subject.setup.source.domain.dimension, _chosen(subject, "cells")
    axes = distinct_axes((look["across"], look["up"]), d)
    along = "" if axes == distinct_axes((0, 1), d) else f"axes={written(axes)}, "
    return ScriptCell.of(
        "One simulated histogram",
        [
            SIMULATED,
            f"shown = show_histogram(mechanism, data, privacy, {along}seed={look['seed']})",
            "histogram = shown.histogram",
            said("cells", "histogram.size"),
            said("points in each cell", "histogram.counts"),
            "levels = histogram_levels(histogram, mechanism)",
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
            f"found = map_trees(shown, seed={_chosen(subject, 'tree')['seed']})",
            said("cost of the tree on cells", "found.trees.tree.cost"),
            said("cost of a tree of points drawn from the cells", "found.trees.resampled"),
            said("cost of the true tree", "found.trees.truth.cost") * (subject.setup.source.n <= MOST_TRUE),
        ],
    )


def _facilities(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "Facilities",
        [
            f"found = map_trees(shown, price={written(_chosen(subject, 'tree')['price'])})",
            said("facilities, on cells", "len(found.trees.tree.open)"),
            said("their cost, on cells", "found.trees.tree.cost"),
            said("their cost for the records", "found.trees.tree.in_truth"),
            said("cost of facilities that know the records", "found.trees.truth.cost"),
        ],
    )


def _isolation(subject: Subject) -> ScriptCell:
    look = _chosen(subject, "isolation")
    c, near = f"c={written(look['c'])}", ", near=True" * look["near"]
    guess, lines = "", []
    if look["attack"] is not None:
        guess = f"attack={written(look['attack'])}, attack_seed={written(look['attack_seed'])}, "
    if any(look["moved"]):
        lines = [
            f"query = map_query(shown, {guess}{c}).query",
            *(f"query[{axis}] += {written(value)}" for axis, value in enumerate(look["moved"]) if value),
            "query = np.clip(query, bounds.lower, bounds.upper)",
        ]
        guess = "query=query, "
    return ScriptCell.of(
        "Isolation",
        [
            *lines,
            f"found = map_query(shown, {guess}{c}{near})",
            said("distance of the nearest record", "found.verdict.distance"),
            said("records within c times that", "found.verdict.within"),
            said("does the guess isolate somebody?", "found.verdict.isolates"),
        ],
        r"A guess $q$ isolates a record at distance $\delta$ if fewer than $t$ records lie within $c\delta$.",
    )


def _attacks(subject: Subject) -> ScriptCell:
    look = _chosen(subject, "attacks")
    options = f"swept={written(look['swept'])}, c={written(look['c'])}, seed={look['seed']}"
    return ScriptCell.of(
        "Attacks",
        [
            f"found = attack_sweep(mechanism, data, privacy, {options})",
            'print(f"values of {found.swept}:", found.values)',
            "for attack in found.attacks:",
            '    print(f"{attack.attack}: isolates (private):", attack.rates)',
        ],
    )


def _compare(subject: Subject) -> ScriptCell:
    mechanisms = ", ".join(written(one) for one in alternatives(subject.state))
    options = f"alternatives=kinds, seed={_chosen(subject, 'compare')['seed']}"
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
    seed = _chosen(subject, "radii")["seed"]
    return ScriptCell.of(
        "Diameters of cells",
        [
            f"found = diameters_by_radius(mechanism, data, privacy, seed={seed})",
            said("radius that holds 2t points", "found.radii"),
            said("mean diameter of the cells", "found.diameters"),
            said("bound on its expectation", "found.bound"),
        ],
    )


def _other(subject: Subject) -> ScriptCell:
    mechanism = subject.setup.mechanism
    lines = [
        SIMULATED,
        f"answer = simulated_answer(mechanism, data, privacy, seed={_chosen(subject, 'matrix')['seed']})",
        said("one simulated release", "answer.value"),
    ]
    if mechanism.name == "mode":
        lines.append(said("true counts", "answer.true_value"))
    elif isinstance(mechanism, CategoriesMechanism) or mechanism.name != "synthetic":
        lines.append(said("true answer", "answer.true_answer"))
    return ScriptCell.of("One simulated release", lines)


def _mapped(subject: Subject) -> list[ScriptCell]:
    """Draw the cells, as they are looked at."""
    look = _chosen(subject, "cells")
    chosen = {name: look[name] for name in ("level", "closely", "grid", "per_area")}
    if not isinstance(subject.setup.mechanism, ShiftedHistogram):
        chosen["grid"] = GRIDS[0]
    usual = signature(map_cells).parameters
    options = [f"{name}={written(own)}" for name, own in chosen.items() if own != usual[name].default]
    first = f"found = map_cells({', '.join(['shown', *options])})"
    return [drawn(SPECS["cells"].drawn_by, SPECS["cells"].title.shows, subject, shown="found", first=first)]


def _levels(subject: Subject) -> list[ScriptCell]:
    return [drawn(SPECS["levels"].drawn_by, SPECS["levels"].title.shows, subject, shown="levels")]


def _with_picture(tab: str, write: Callable[[Subject], ScriptCell]) -> PictureWriter:
    """Let what was found for a picture be drawn, where anything was."""

    def written_of(subject: Subject) -> list[ScriptCell]:
        cell = write(subject)
        if "found = " not in cell.code:
            return [cell]
        return [cell, drawn(SPECS[tab].drawn_by, SPECS[tab].title.shows, subject, shown="found")]

    return _if_histogram(written_of)


def _if_histogram(write: PictureWriter) -> PictureWriter:
    """Let a picture of cells be written of what has cells alone."""

    def written_of(subject: Subject) -> Sequence[ScriptCell]:
        return write(subject) if isinstance(subject.setup.mechanism, HistogramMechanism) else [NOT_WRITTEN]

    return written_of


def _built(subject: Subject) -> ScriptCell:
    return _facilities(subject) if _chosen(subject, "tree")["price"] else _tree(subject)


def _chosen(subject: Subject, tab: str) -> dict[str, Any]:
    """Return the options of a picture, each checked."""
    return SPECS[tab].settings(subject.view_state.options)


SCRIPT = PageScript(
    cells,
    {
        "cells": _if_histogram(_mapped),
        "levels": _if_histogram(_levels),
        "tree": _with_picture("tree", _built),
        "isolation": _with_picture("isolation", _isolation),
        "attacks": _with_picture("attacks", _attacks),
        "compare": _with_picture("compare", _compare),
        "radii": _with_picture("radii", _radii),
        "matrix": nothing_more,
        "points": nothing_more,
        "table": nothing_more,
        "bars": nothing_more,
    },
    default="cells",
)

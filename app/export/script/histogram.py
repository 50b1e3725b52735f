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
from app.model.pages.histogram import HISTOGRAM
from app.pages.histogram.advice import without_radii
from app.pages.histogram.mechanisms import alternatives
from engine.analysis.histogram_errors import MOST_JUDGED
from engine.analysis.histogram_maps import GRIDS, map_cells
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
            _told("shown"),
            "levels = histogram_levels(histogram, mechanism)",
            _told("levels"),
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
    look = _chosen(subject, "tree")
    if look["price"]:
        return _found("Facilities", f"map_trees(shown, price={written(look['price'])})")
    return _found("Spanning trees", f"map_trees(shown, seed={look['seed']})")


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
    return _found(
        "Isolation",
        f"map_query(shown, {guess}{c}{near})",
        *lines,
        words=r"A guess $q$ isolates a record at distance $\delta$ if fewer than $t$ records lie within "
        r"$c\delta$.",
    )


def _attacks(subject: Subject) -> ScriptCell:
    look = _chosen(subject, "attacks")
    options = f"swept={written(look['swept'])}, c={written(look['c'])}, seed={look['seed']}"
    return _found("Attacks", f"attack_sweep(mechanism, data, privacy, {options})")


def _compare(subject: Subject) -> ScriptCell:
    mechanisms = ", ".join(written(one) for one in alternatives(subject.state))
    options = f"alternatives=kinds, seed={_chosen(subject, 'compare')['seed']}"
    made = f"histogram_errors(mechanism, data, privacy, {options})"
    return _found("Kinds of histograms", made, f"kinds = [{mechanisms}]")


def _radii(subject: Subject) -> ScriptCell:
    mechanism = subject.setup.mechanism
    if not isinstance(mechanism, ShiftedHistogram):
        return NOT_WRITTEN
    if without_radii(subject.setup):
        return ScriptCell("Diameters of cells", "# There are too few or too many points for this picture.")
    seed = _chosen(subject, "radii")["seed"]
    return _found("Diameters of cells", f"diameters_by_radius(mechanism, data, privacy, seed={seed})")


def _found(title: str, made: str, *before: str, words: str = "") -> ScriptCell:
    """Return the section that finds something, and tells it."""
    return ScriptCell.of(title, [*before, f"found = {made}", _told("found")], words)


def _told(name: str) -> str:
    return f"print(findings_text({name}))"


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
    return [_drawn("cells", subject, "found", first)]


def _levels(subject: Subject) -> list[ScriptCell]:
    return [_drawn("levels", subject, "levels")]


def _drawn(tab: str, subject: Subject, shown: str, first: str = "") -> ScriptCell:
    spec = HISTOGRAM.picture(tab)
    return drawn(spec.drawn_by, spec.title.shows, subject, shown=shown, first=first)


def _with_picture(tab: str, write: Callable[[Subject], ScriptCell]) -> PictureWriter:
    """Let what was found for a picture be drawn, where anything was."""

    def written_of(subject: Subject) -> list[ScriptCell]:
        cell = write(subject)
        if "found = " not in cell.code:
            return [cell]
        return [cell, _drawn(tab, subject, "found")]

    return _if_histogram(written_of)


def _if_histogram(write: PictureWriter) -> PictureWriter:
    """Let a picture of cells be written of what has cells alone."""

    def written_of(subject: Subject) -> Sequence[ScriptCell]:
        return write(subject) if isinstance(subject.setup.mechanism, HistogramMechanism) else [NOT_WRITTEN]

    return written_of


def _chosen(subject: Subject, tab: str) -> dict[str, Any]:
    """Return the options of a picture, each checked."""
    return HISTOGRAM.picture(tab).settings(subject.view_state.options)


SCRIPT = PageScript(
    cells,
    {
        "cells": _if_histogram(_mapped),
        "levels": _if_histogram(_levels),
        "tree": _with_picture("tree", _tree),
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

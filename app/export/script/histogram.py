"""The numbers of the page about histograms, and of what else is released of points and categories."""

from __future__ import annotations

from collections.abc import Callable

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript, PictureWriter, nothing_more
from app.export.script.subject import Subject
from app.pages.histogram.attacks import CROWDS, DIMENSIONS, EVEN, FACTORS, TRIALS, threshold
from app.pages.histogram.compare import MOST_POINTS as MOST_COMPARED
from app.pages.histogram.compare import RUNS
from app.pages.histogram.error_estimates import MOST_JUDGED
from app.pages.histogram.error_estimates import RUNS as JUDGED
from app.pages.histogram.maps import CORNER
from app.pages.histogram.mechanisms import alternatives
from app.pages.histogram.radii import MOST_RADII, SHIFTS
from app.pages.histogram.trees import MOST_TRUE
from engine.histograms.attacks import BASELINE
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
            "ready = mechanism.prepare(data, privacy)",
            SIMULATED,
            f"histogram = ready.histogram(reproducible({subject.seed}))",
            said("cells", "histogram.size"),
            said("points in each cell", "histogram.counts"),
            "for level in range(histogram.deepest + 1):",
            "    held = histogram.level == level",
            '    print(f"level {level} (private):", held.sum(), histogram.counts[held].sum())',
        ],
        r"Of each cell $C$ it says how many points it holds, $\#\{i: x_i \in C\}$, exactly or with noise.",
    )


def _judged(subject: Subject) -> list[ScriptCell]:
    if subject.setup.source.n > MOST_JUDGED:
        return []
    lines = [
        f"answers = ready.draw(reproducible(1), {JUDGED})",
        'errors = mechanism.errors(answers, ready.diagnostics["true_value"], bounds)',
        said("typical error of the counts of public boxes", "np.median(errors)"),
    ]
    return [ScriptCell.of("Expected error", lines)]


def _tree(subject: Subject) -> ScriptCell:
    seed = subject.seed
    return ScriptCell.of(
        "Spanning trees",
        [
            "tree = spanning_tree(histogram)",
            said("cost of the tree on cells", "tree.cost"),
            f"resampled, _ = resampled_tree(histogram, reproducible({seed}))\n"
            + said("cost of a tree of points drawn from the cells", "resampled.cost"),
            "true_tree = euclidean_tree(data.values)\n" + said("cost of the true tree", "true_tree.cost")
            if subject.setup.source.n <= MOST_TRUE
            else "",
        ],
    )


def _facilities(subject: Subject) -> ScriptCell:
    price = written(subject.view_state.histogram.price)
    return ScriptCell.of(
        "Facilities",
        [
            f"price = {price}",
            "facilities = locate(histogram, price)",
            "places = places_of(histogram, facilities.open)",
            said("facilities, on cells", "len(places)"),
            said("their cost, on cells", "facilities.cost"),
            "in_truth = true_cost(data.values, places, price)",
            said("their cost for the records", "in_truth"),
            "on_records = locate_points(data.values, price, reproducible(0))",
            said("cost of facilities that know the records", "on_records.cost"),
        ],
    )


def _isolation(subject: Subject) -> ScriptCell:
    view_state = subject.view_state.histogram
    t = threshold(subject.setup.mechanism)
    if view_state.attack is None:
        guess = [f"query = bounds.lower + {CORNER} * bounds.width"]
    else:
        attack, seed = view_state.attack
        rng = f"reproducible({written(seed)})"
        guess = [
            f"guess, _ = guesses({written(attack)}, histogram, 1, {rng})",
            "query = np.clip(guess[0], bounds.lower, bounds.upper)",
        ]
        if attack == BASELINE:
            guess = [f"query = bounds.lower + {rng}.random(bounds.dimension) * bounds.width"]
    return ScriptCell.of(
        "Isolation",
        [
            *guess,
            *(
                f"query[{written(axis)}] += {written(value)}"
                for axis, value in sorted(view_state.moved.items())
            ),
            "query = np.clip(query, bounds.lower, bounds.upper)" * bool(view_state.moved),
            f"verdict = Isolation(data.values).verdict(query, c={written(view_state.c)}, t={t})",
            said("distance of the nearest record", "verdict.distance"),
            said("records within c times that", "verdict.within"),
            said("does the guess isolate somebody?", "verdict.isolates"),
        ],
        r"A guess $q$ isolates a record at distance $\delta$ if fewer than $t$ records lie within $c\delta$.",
    )


def _attacks(subject: Subject) -> ScriptCell:
    view_state, mechanism, source = (
        subject.view_state.histogram,
        subject.setup.mechanism,
        subject.setup.source,
    )
    c, t, seed = written(view_state.c), threshold(mechanism), subject.seed
    tail = f"reproducible({seed}), {TRIALS}"
    if view_state.sweep == "c":
        name = "c"
        cs = sorted({*FACTORS, view_state.c})
        swept = [f"steps = sweep_c(data.values, histogram, bounds, {written(cs)}, {t}, {tail})"]
    else:
        name = "t" if view_state.sweep == "t" else "d"
        swept = ["sanitize = mechanism.sanitize_with(privacy)"]
        if view_state.sweep == "t":
            ts = [crowd for crowd in sorted({*CROWDS, t}) if crowd <= source.n] or [t]
            swept += [
                f"rng = reproducible({seed})",
                f"steps = sweep_t(data.values, sanitize, bounds, {c}, {written(ts)}, rng, {TRIALS})",
            ]
        else:
            swept += [
                f"rng = reproducible({seed})",
                f"steps = sweep_d(sanitize, {written(list(DIMENSIONS))}, {EVEN}, {c}, {t}, rng, {TRIALS})",
            ]
    return ScriptCell.of(
        "Attacks",
        [
            *swept,
            "for step in steps:",
            "    for attempt in step.attempts:",
            f'        name = f"{name} = {{step.value}}, {{attempt.attack}}"',
            "        blind = attempt.baseline.rate",
            '        print(f"{name}: isolates, a blind guess (private):", attempt.hits.rate, blind)',
        ],
    )


def _compare(subject: Subject) -> ScriptCell:
    mechanisms = [written(one) for one in alternatives(subject.state)]
    trees = subject.setup.source.n <= MOST_COMPARED
    seed = subject.seed
    return ScriptCell.of(
        "Kinds of histograms",
        [
            f"kinds = [{', '.join(mechanisms)}]",
            "ranges = Ranges.within(bounds)",
            "truth = ranges.exact(data.values)",
            "tree = euclidean_tree(data.values).cost" * trees,
            "off = {}",
            "for kind in kinds:",
            "    if kind.problems(privacy, bounds, n):",
            "        continue",
            "    prepared, rows = kind.prepare(data, privacy), []",
            f"    for run in range({RUNS}):",
            f"        one = prepared.histogram(reproducible({seed} + run))",
            "        error = np.abs(ranges.answers(one) - truth).mean()",
            "        tree_error = np.nan",
            "        if tree > 0 and (one.counts > 0).any():\n"
            f"            again, _ = resampled_tree(one, reproducible({seed} + run), n)\n"
            "            tree_error = abs(again.cost / tree - 1)"
            if trees
            else "",
            "        rows.append((error, tree_error))",
            "    off[kind.name] = np.array(rows)",
            "    medians = np.median(off[kind.name], axis=0)",
            '    print(f"{kind.label}: errors of counts, of trees (private):", medians)',
        ],
    )


def _radii(subject: Subject) -> ScriptCell:
    n, mechanism = subject.setup.source.n, subject.setup.mechanism
    if not isinstance(mechanism, ShiftedHistogram):
        return NOT_WRITTEN
    if n > MOST_RADII or n < 2 * mechanism.t:
        return ScriptCell("Diameters of cells", "# There are too few or too many points for this picture.")
    return ScriptCell.of(
        "Diameters of cells",
        [
            "radii = neighbour_radii(data.values, 2 * mechanism.t - 1)",
            *_some(n),
            f"seeds = range({subject.seed}, {subject.seed + SHIFTS})",
            "histograms = map(ready.histogram, map(reproducible, seeds))",
            f"found = expected_diameters(points, histograms.__next__, {SHIFTS})",
            said("radius that holds 2t points", "radii"),
            said("mean diameter of the cells", "found.mean"),
            "bound = diameter_bound(radii, mechanism.t, bounds, mechanism.max_depth)",
            said("bound on its expectation", "bound"),
        ],
    )


def _some(n: int) -> list[str]:
    from app.pages.histogram.radii import MOST_POINTS

    if n <= MOST_POINTS:
        return ["points = data.values"]
    return [
        f"some = np.sort(reproducible(0).choice(n, {MOST_POINTS}, replace=False))",
        "points, radii = data.values[some], radii[some]",
    ]


def _other(subject: Subject) -> ScriptCell:
    mechanism = subject.setup.mechanism
    truth = "mechanism.true_answer(true_value, bounds)"
    if not isinstance(mechanism, CategoriesMechanism):
        truth = "mechanism.released(true_value, bounds)"
    lines = [
        "ready = mechanism.prepare(data, privacy)",
        'true_value = ready.diagnostics["true_value"]',
        said("true counts", "true_value") if mechanism.name == "mode" else said("true answer", truth),
        SIMULATED,
        f"simulated = mechanism.draw_value(ready, bounds, reproducible({subject.seed}))",
        said("one simulated release", "simulated"),
    ]
    if mechanism.name == "synthetic":
        lines = [line for line in lines if "true" not in line]
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

"""Scripts of the page about histograms find what the page shows, to the last digit."""

import dataclasses

import numpy as np
import pytest
from scripts import Task, choose, example, found, run

from app.export.script.cell import ScriptCell
from app.export.script.scripts import script_of
from app.export.script.writing import to_python
from app.model.kinds.category_choice import CategoryAnswers, CategoryChoice
from app.model.kinds.databases import DatabaseCache
from app.model.pages.histogram import HISTOGRAM, PICTURES
from app.model.selection import selection
from app.model.view_states import ViewState
from app.pages.base.answering import PictureWork
from app.pages.histogram.page import alternatives
from app.pages.histogram.request import HistogramRequest
from app.releases.registry import SHAPES
from engine.findings import findings_text
from engine.mechanisms import MECHANISMS
from engine.progress import silent

AXES = (0, 1)
POINTS = [name for name, kind in MECHANISMS.items() if kind.topic == "histograms" and kind.reads == "points"]
SLOW = ("histogram-voronoi-random",)  # seconds: many centers, many draws
HISTOGRAMS = [
    pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW))
    for name in POINTS
    if MECHANISMS[name].shape == "cells"
]
CATEGORIES = [name for name, kind in MECHANISMS.items() if kind.reads == "categories"]
MIDDLE = example("histogram", "around-the-middle", query="histogram-shifted")
SHIFTED = choose(MIDDLE, mechanism__histogram_shifted={"t": 8})


def shown(state, tab, seed=1, alternatives=(), **chosen):
    usual = {declared.name: declared.default for spec in PICTURES for declared in spec.declared}
    options = {**usual, "seed": seed, **chosen}
    picture = HISTOGRAM.picture(tab)
    request = HistogramRequest(selection(state), picture, options, alternatives=alternatives)
    task = Task()
    PictureWork(HISTOGRAM.estimate).answer(request, DatabaseCache(), task)
    return task


@pytest.mark.parametrize("query", HISTOGRAMS)
def test_every_histogram(query):
    state = MIDDLE.replaced({"query": query})
    task, names = shown(state, "levels", seed=2), run(state, ViewState(tab="levels", options={"seed": 2}))
    assert findings_text(task.last("levels")) in names["printed"]
    assert names["levels"].points.tolist() == task.last("levels").points.tolist()
    assert names["error"] == task.last("estimate")
    assert "mechanism.run(data, privacy)" not in names["printed"]


def test_cells_are_those_of_the_picture():
    view, names = shown(SHIFTED, "cells").last("cells"), run(SHIFTED, ViewState(tab="cells"))
    assert names["histogram"].counts.sum() == view.cells.counts.sum()
    assert sorted(names["histogram"].counts) == sorted(view.cells.counts[view.cells.counts > 0])


def test_trees():
    view, names = shown(SHIFTED, "tree").last("tree"), run(SHIFTED, ViewState(tab="tree"))
    assert findings_text(view) in names["printed"]
    trees = names["found"].trees
    assert (trees.tree.cost, trees.resampled) == (view.trees.tree.cost, view.trees.resampled)
    assert trees.truth.cost == view.trees.truth.cost
    assert trees.truth.starts.tolist() == view.trees.truth.starts.tolist()


def test_facilities():
    view, names = (
        shown(SHIFTED, "tree", price=3.0).last("tree"),
        run(SHIFTED, ViewState(tab="tree", options={"price": 3.0})),
    )
    assert findings_text(view) in names["printed"]
    trees, found = view.trees, names["found"].trees
    assert (found.tree.cost, found.tree.in_truth) == (trees.tree.cost, trees.tree.in_truth)
    assert found.truth.cost == trees.truth.cost


@pytest.mark.parametrize("attack", [None, ("uniform", 4), ("occupied", 4), ("singleton", 5)])
def test_a_guess_and_its_verdict(attack):
    name, seed = attack or (None, 1)
    guess = {"attack": name, "attack_seed": seed, "c": 3.0}
    view = shown(SHIFTED, "isolation", **guess).last("isolation")
    names = run(SHIFTED, ViewState(tab="isolation", options=guess))
    assert names["found"].query.tolist() == view.query.tolist()
    assert findings_text(view) in names["printed"]
    verdict = names["found"].verdict
    assert (verdict.distance, verdict.within, verdict.isolates) == (
        view.verdict.distance,
        view.verdict.within,
        view.verdict.isolates,
    )


def test_a_guess_that_was_moved_by_hand():
    look = ViewState(tab="isolation", options={"moved": (0.0, 0.25)})
    where, put = (run(SHIFTED, seen)["found"].query for seen in (look, ViewState(tab="isolation")))
    assert where.tolist() == [put[0], put[1] + 0.25, *put[2:]]  # by so much, and not there


@pytest.mark.parametrize("sweep", ["c", "t", "d"])
def test_attacks(sweep):
    view = shown(SHIFTED, "attacks", swept=sweep, c=3.0).last("attacks")
    names = run(SHIFTED, ViewState(tab="attacks", options={"swept": sweep, "c": 3.0}))
    assert findings_text(view) in names["printed"]
    assert names["found"].values.tolist() == view.values.tolist()
    for again, attack in zip(names["found"].attacks, view.attacks, strict=True):
        assert again.rates.tolist() == attack.rates.tolist()


@pytest.mark.parametrize(
    ("tab", "chosen"),
    [
        ("cells", {"level": 2, "grid": "before", "per_area": False}),
        ("levels", {}),
        ("tree", {}),
        ("tree", {"price": 3.0}),
        ("isolation", {"attack": "occupied", "attack_seed": 4, "near": True}),
        ("attacks", {"swept": "t"}),
    ],
)
def test_notebooks_draw_the_picture_of_the_window(tab, chosen):
    look = ViewState(tab=tab, options=chosen)
    code = "\n".join(cell.code for cell in script_of(SHIFTED, look))
    named = code.replace("export_picture(", "picture = export_picture(")
    cells = [
        ScriptCell("", named, imports=tuple(r for cell in script_of(SHIFTED, look) for r in cell.imports))
    ]
    drawn = found(to_python([ScriptCell("Test"), *cells]))["picture"]
    view = shown(SHIFTED, tab, **chosen).last(tab)
    assert type(drawn).__name__ == HISTOGRAM.picture(tab).drawn_by.partition(":")[2]
    again = type(drawn)(drawn.axes, drawn.palette, drawn.unit)
    again.update(view)
    assert drawn.table() == again.table()


@pytest.mark.slow
def test_kinds_of_histograms_compared():
    view = shown(SHIFTED, "compare", seed=3, alternatives=alternatives(SHIFTED)).last("compare")
    names = run(SHIFTED, ViewState(tab="compare", options={"seed": 3}))
    assert findings_text(view) in names["printed"]
    found = names["found"]
    for again, sample in zip(found.samples, view.samples, strict=True):
        assert again.mechanism == sample.mechanism
        assert again.counts.tolist() == sample.counts.tolist()
        assert np.array_equal(again.tree, sample.tree)


@pytest.mark.slow
def test_diameters():
    view, names = shown(SHIFTED, "radii").last("radii"), run(SHIFTED, ViewState(tab="radii"))
    assert findings_text(view) in names["printed"]
    assert names["found"].diameters.tolist() == view.diameters.tolist()
    assert names["found"].radii.tolist() == view.radii.tolist()


def test_a_matrix():
    state = MIDDLE.replaced({"query": "covariance"})
    view, names = (
        shown(state, "matrix", seed=6).last("matrix"),
        run(state, ViewState(tab="matrix", options={"seed": 6})),
    )
    assert names["answer"].value["matrix"] == view.released.tolist()


def test_synthetic_points():
    state = MIDDLE.replaced({"query": "synthetic", "epsilon": 4.0})
    view, names = shown(state, "points").last("points"), run(state, ViewState(tab="points"))
    assert np.reshape(names["answer"].value, view.released.shape).tolist() == view.released.tolist()


# Categories.


LISTS = {"gender": ("male", "female"), "admitted": ("yes",)}


def of_columns(state, *columns):
    answers = CategoryAnswers.read(state.dataset.table, columns, "refuse", silent)
    return CategoryChoice(columns=columns, lists=LISTS, unseen="other", answers=answers)


@pytest.fixture(scope="module")
def admissions():
    """Return the state of the page on two columns of categories, one with a list that lacks some."""
    state = example("histogram", "admissions", query="contingency-table")
    return state.replaced({"categories": of_columns(state, *LISTS)})


@pytest.mark.parametrize("query", CATEGORIES)
def test_every_mechanism_on_categories(admissions, query):
    state = admissions.replaced({"query": query, "delta": 1e-6})
    if query == "randomized-response":  # answers one question
        state = state.replaced({"categories": of_columns(state, "gender")})
    task, names = shown(state, "bars", seed=2), run(state, ViewState(tab="bars", options={"seed": 2}))
    view = task.last("bars")
    assert names["bounds"] == state.builder().domain
    if query == "mode":
        assert np.ravel(names["answer"].true_value).tolist() == view.truth.tolist()
        return
    # the same picture of what the script has simulated
    again = SHAPES[MECHANISMS[query].shape].bars(names["bounds"], names["answer"].value, None, True)
    assert again.values.tolist() == view.values.tolist()


def test_the_release_view_reads_no_data(admissions):
    for state in (SHIFTED, admissions):
        names = run(dataclasses.replace(state, view="release"), ViewState(tab="cells"))
        assert not names.keys() & {"data", "table", "ready", "histogram"}
        assert names["n"] == state.builder().n
        assert names["bounds"] == state.builder().domain

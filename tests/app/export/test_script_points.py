"""Scripts of the pages about clusters and balls find what the pages show, to the last digit."""

import dataclasses

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scripts import Task, choose, compute, example, of_file, python, run

from app.model.pages.registry import PAGES
from app.model.selection import selection
from app.model.trusted_code import TrustedFunction
from app.model.view_states import ViewState
from app.pages.base.request import PictureRequest
from engine.catalog import sanitizers
from engine.extras.libraries.library import Peer
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.modules_beside import modules_beside
from engine.mechanisms.aggregators import AGGREGATORS

GEYSER = example("clustering", "geyser", epsilon=2.0, query="clusters")
HEAPS = example("clustering", "four-heaps", query="clusters")
CLUSTERS = [
    name
    for name, kind in sanitizers().items()
    if kind.facts.topic == "clusters" and not issubclass(kind, Peer)
]


@pytest.fixture(scope="module")
def disc(tmp_path_factory):
    """Return the state of the page about balls on 400 points, half of them in a small disc."""
    rng = np.random.default_rng(2)
    near = rng.normal(0.6, 0.01, (200, 2))
    points = np.clip(np.concatenate([near, rng.random((200, 2))]), 0, 1)
    path = tmp_path_factory.mktemp("disc") / "disc.csv"
    pa.csv.write_csv(pa.table({"x": points[:, 0], "y": points[:, 1]}), path)
    fields = {"columns": ("x", "y"), "bounds": dict.fromkeys("xy", (0.0, 1.0)), "missing": "refuse"}
    state = of_file("one-cluster", path, fields, epsilon=20.0, query="one-cluster")
    chosen = {f"mechanism__{name}": {"t": 120, "grid": 256} for name in ("one_cluster", "k_balls")}
    return choose(state, **chosen, mechanism__screened_mean={"t": 120, "grid": 256})


def asked(page, state, picture, **options):
    """Return what a worker publishes for a picture."""
    task = Task()
    request = PictureRequest(selection(state), page.picture(picture), options)
    compute(request, page, task)
    return task


def shown(state, stage="release", **options):
    return asked(PAGES["clustering"], state, stage, **options)


def check_errors(names, task):
    errors, found = task.last("estimate").errors, names["found"].errors
    assert (found.typical, found.most) == (errors.typical, errors.most)


@pytest.mark.parametrize("query", CLUSTERS)
def test_every_mechanism_of_clusters(query):
    state = GEYSER.replaced({"query": query})
    task, names = shown(state, seed=3), run(state, ViewState(tab="release", options={"seed": 3}))
    check_errors(names, task)
    assert names["shown"].released.tolist() == task.last("release").released.tolist()
    others = {"cluster-cost": ("cost",), "perceptron": ("weight of eruptions", "offset")}
    drawn = others.get(query, selection(state).source.columns)
    assert [one.name for one in names["shown"].directions] == list(drawn)


@pytest.mark.parametrize(
    "aggregator",
    [pytest.param(name, marks=pytest.mark.slow if name == "one-cluster" else ()) for name in AGGREGATORS],
)
def test_every_aggregator(aggregator):
    points = GEYSER.dataset.table.points(["waiting"])
    one = GEYSER.replaced({"query": "sample-aggregate", "columns": ("waiting",), "points": points})
    state = one.replaced({"aggregator": aggregator, "noise": "laplace", "delta": 1e-3, "epsilon": 3.0})
    state = choose(state, sampling__partition={"blocks": 130})
    check_errors(run(state), shown(state))


@pytest.mark.parametrize("function", ["median", "k-means", "regression", "mixture"])
def test_functions_on_blocks(function):
    state = GEYSER.replaced({"query": "sample-aggregate", "function": function})
    task, names = shown(state, "compare"), run(state, ViewState(tab="compare"))
    check_errors(names, task)
    check_samples(names["shown"], task.last("compare"))
    shown(state, "release")


def check_samples(found, view):
    for one, other in zip(found.samples, view.samples, strict=True):
        assert (one.label, one.errors.tolist()) == (other.label, other.errors.tolist())


def asking_a_file(tmp_path):
    """Return a state that asks for a function from a file."""
    file = tmp_path / 'it\'s "mine".py'
    file.write_text("def spread(values):\n    return values.std(axis=0)\n", encoding="utf-8")
    box = BlackBox(str(file), "spread", (0.0, 0.0), (5.0, 50.0), seconds=30.0)
    state = GEYSER.replaced(
        {
            "query": "sample-aggregate",
            "function": "black-box",
            "parameters": {"function/black-box": vars(box)},
            "trusted": frozenset({TrustedFunction.of(box, modules_beside(file))}),
        }
    )
    return choose(state, sampling__partition={"blocks": 4}), box


def test_in_the_release_view_a_file_has_no_folders(tmp_path):
    state, _ = asking_a_file(tmp_path)
    text = python(dataclasses.replace(state, view="release"))
    assert str(tmp_path) not in text
    assert "mine" in text
    assert str(tmp_path) in python(state)


@pytest.mark.slow
def test_a_function_from_a_file(tmp_path):
    state, box = asking_a_file(tmp_path)
    names = run(state)
    assert names["mechanism"].function == box
    check_errors(names, shown(state))


def test_independent_subsets():
    state = GEYSER.replaced({"sampling": "subsets", "delta": 1e-3, "epsilon": 5.0})
    check_errors(run(state), shown(state))
    state = choose(state, sampling__subsets={"check": "delta", "blocks": 60})
    check_errors(run(state), shown(state))


def test_the_plan_and_the_center_of_attention():
    task, names = shown(GEYSER, "aggregate"), run(GEYSER, ViewState(tab="aggregate"))
    view = task.last("aggregate")
    assert (names["shown"].smooth, names["shown"].argmax_k) == (view.smooth, view.argmax_k)
    plan = selection(GEYSER).plan
    assert (names["plan"].blocks, names["plan"].noise_error) == (plan.blocks, plan.noise_error)


def test_a_stage_that_a_mechanism_does_not_have_is_said_to_be_left_out():
    for changes in ({"query": "lloyd"}, {"aggregator": "average"}):
        state = GEYSER.replaced(changes)
        assert "cannot be written as a script" in python(state, ViewState(tab="aggregate"))


@pytest.mark.slow
def test_against_the_number_of_blocks():
    state = choose(HEAPS, mechanism__clusters={"k": 2}, sampling__partition={"blocks": 10})
    view, names = shown(state, "blocks").last("blocks"), run(state, ViewState(tab="blocks"))
    for name in ("blocks", "smooth", "block_error", "error"):
        np.testing.assert_array_equal(getattr(names["shown"], name), getattr(view, name))


@pytest.mark.slow
def test_outputs_of_blocks_and_other_mechanisms():
    check_samples(run(GEYSER, ViewState(tab="compare"))["shown"], shown(GEYSER, "compare").last("compare"))
    outputs = run(GEYSER, ViewState(tab="outputs", options={"zoom": 1}))["shown"]
    view = shown(GEYSER, "outputs", zoom=1).last("outputs")
    np.testing.assert_array_equal(outputs.outputs, view.outputs)
    assert outputs.window == view.window


def test_the_release_view_plans_without_data():
    names = run(dataclasses.replace(GEYSER, view="release"), ViewState(tab="release"))
    assert names["plan"].blocks == selection(GEYSER).plan.blocks
    assert not names.keys() & {"data", "table", "ready"}


# Balls.


def balls(state, tab="ball", **options):
    return asked(PAGES["one-cluster"], state, tab, **options)


def check_balls(found, view):
    for one, other in zip((*found.balls, *found.truth), (*view.balls, *view.truth), strict=True):
        assert (one.center.tolist(), one.radius, one.held) == (
            other.center.tolist(),
            other.radius,
            other.held,
        )


def check_worth(found, worth):
    assert found.sample.typical == worth.sample.typical
    np.testing.assert_array_equal(found.sample.ratio, worth.sample.ratio)


@pytest.mark.slow
def test_a_simulated_ball_and_what_runs_are_worth(disc):
    task, names = balls(disc, seed=4), run(disc, ViewState(tab="ball", options={"seed": 4}))
    check_balls(names["shown"], task.last("ball"))
    check_worth(names["found"], task.last("estimate"))
    runs = run(disc, ViewState(tab="runs", options={"seed": 4}))["shown"]
    np.testing.assert_array_equal(runs.coverage, task.last("estimate").sample.coverage)


@pytest.mark.parametrize("step", ["first", "last"])
def test_how_a_radius_was_chosen(disc, step):
    view = balls(disc, "radius", step=step).last("radius")
    choice = run(disc, ViewState(tab="radius", options={"step": step}))["shown"]
    assert choice.radii.tolist() == view.radii.tolist()
    assert choice.counts.tolist() == view.counts.tolist()
    assert (choice.target, choice.chosen) == (view.target, view.chosen)


@pytest.mark.slow
def test_boxes(disc):
    view, names = balls(disc, "boxes").last("boxes"), run(disc, ViewState(tab="boxes"))
    assert names["shown"].boxes.counts.tolist() == view.boxes.counts.tolist()


@pytest.mark.parametrize("query", ["k-balls", "screened-mean"])
@pytest.mark.slow
def test_several_balls_and_the_mean_inside(disc, query):
    state = disc.replaced({"query": query})
    task, names = balls(state), run(state, ViewState(tab="ball"))
    view, worth = task.last("ball"), task.last("estimate")
    check_balls(names["shown"], view)
    check_worth(names["found"], worth)
    if query == "screened-mean":
        assert names["shown"].mean.tolist() == view.mean.tolist()
        assert names["found"].mean_error == worth.mean_error


def test_an_interior_point(disc):
    points = disc.dataset.table.points(["x"])
    state = disc.replaced({"columns": ("x",), "query": "interior-point", "points": points, "delta": 1e-6})
    view, names = balls(state, "number").last("number"), run(state, ViewState(tab="number"))
    assert names["shown"].released.tolist() == view.released.tolist()
    assert names["shown"].truth.tolist() == view.truth.tolist()


def test_a_demonstration_needs_no_data(disc):
    names = run(dataclasses.replace(disc, view="release"), ViewState(tab="axes"))
    assert names["shown"].inside == 0
    assert not names.keys() & {"data", "table"}


def test_what_theory_promises_is_public(disc):
    names = run(dataclasses.replace(disc, view="release"))
    promise = selection(disc).mechanism.search.promise(names["bounds"], 400, names["privacy"])
    assert names["found"].guarantee == promise
    assert not names.keys() & {"data", "table", "ready"}

"""Scripts of the pages about clusters and balls find what the pages show, to the last digit."""

import dataclasses

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scripts import Task, choose, example, of_file, python, run

from app.model.kinds.databases import DatabaseCache
from app.model.selection import selection
from app.model.trusted_code import TrustedFunction
from app.model.view_states import BallViewState, ViewState
from app.pages.clustering.analysis import ClusteringAnalysis
from app.pages.clustering.analysis import ClusteringRequest as ClusterQuestion
from app.pages.one_cluster.analysis import BallAnalysis, BallRequest
from engine.aggregation.black_box import BlackBox
from engine.catalog import sanitizers
from engine.mechanisms.aggregators import AGGREGATORS

AXES = (0, 1)
GEYSER = example("clustering", "geyser", epsilon=2.0)
HEAPS = example("clustering", "four-heaps")
CLUSTERS = [name for name, kind in sanitizers().items() if kind.topic == "clusters"]


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


def shown(state, stage="release", seed=1, **fields):
    task = Task()
    ClusteringAnalysis(DatabaseCache()).answer(
        ClusterQuestion(selection(state), stage, AXES, seed, **fields), task
    )
    return task


def check_errors(names, task):
    errors = task.last("judgement").errors
    assert (names["typical"], names["most"]) == (errors.typical, errors.most)


@pytest.mark.parametrize("query", CLUSTERS)
def test_every_mechanism_of_clusters(query):
    state = GEYSER.replaced({"query": query})
    task, names = shown(state, seed=3), run(state, ViewState(tab="release", seed=3))
    check_errors(names, task)
    view = task.last("release")
    released = np.reshape(names["simulated"], view.released.shape)
    # both are coordinates of the bounds, along the first two directions
    assert released.tolist() == view.released.tolist()


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_every_aggregator(aggregator):
    points = GEYSER.dataset.table.points(["waiting"])
    one = GEYSER.replaced({"query": "sample-aggregate", "columns": ("waiting",), "points": points})
    state = one.replaced({"aggregator": aggregator, "noise": "laplace", "delta": 1e-3, "epsilon": 3.0})
    state = choose(state, sampling__partition={"blocks": 90})
    check_errors(run(state), shown(state))


@pytest.mark.parametrize("function", ["median", "k-means", "regression", "mixture"])
def test_functions_on_blocks(function):
    state = GEYSER.replaced({"query": "sample-aggregate", "function": function})
    task, names = shown(state, "noise"), run(state, ViewState(tab="noise"))
    check_errors(names, task)
    samples = {one.label: one.errors for one in task.last("noise").samples if one.errors.size}
    assert {label: own.tolist() for label, own in names["errors_of"].items()} == {
        label: own.tolist() for label, own in samples.items()
    }
    shown(state, "release")


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
            "trusted": frozenset({TrustedFunction.of(box, file.read_bytes())}),
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


def test_independent_subsets_and_that_those_of_secret_coins_differ():
    state = GEYSER.replaced({"sampling": "subsets", "delta": 1e-3, "epsilon": 5.0})
    check_errors(run(state), shown(state))
    state = choose(state, sampling__subsets={"check": "delta", "blocks": 60})
    assert "coins that nobody has seen" in python(state, ViewState(tab="data"))
    # in this program they are the same
    check_errors(run(state), shown(state))
    assert "coins" not in python(GEYSER, ViewState(tab="data"))


def test_the_plan_and_the_center_of_attention():
    task, names = shown(GEYSER, "aggregate"), run(GEYSER, ViewState(tab="aggregate"))
    view = task.last("aggregate")
    assert (names["bound"].value, names["bound"].argmax_k) == (view.smooth, view.argmax_k)
    assert names["facts"]["smooth"] == task.last("pipeline")["smooth"]
    plan = selection(GEYSER).plan
    assert (names["plan"].blocks, names["plan"].noise_error) == (plan.blocks, plan.noise_error)


@pytest.mark.slow
def test_against_the_number_of_blocks():
    state = choose(HEAPS, mechanism__clusters={"k": 2}, sampling__partition={"blocks": 10})
    view, names = shown(state, "blocks").last("blocks"), run(state, ViewState(tab="blocks"))
    able = ~np.isnan(view.block_error)
    assert list(names["sweep"]) == view.blocks[able].tolist()
    errors = np.column_stack([view.block_error, view.noise_error])[able]
    assert [list(map(float, pair)) for pair in names["sweep"].values()] == errors.tolist()


@pytest.mark.slow
def test_outputs_of_blocks_and_other_mechanisms():
    task, names = shown(GEYSER, "noise"), run(GEYSER, ViewState(tab="noise"))
    samples = {one.label: one.errors for one in task.last("noise").samples if one.errors.size}
    assert names["errors_of"].keys() == samples.keys()
    assert all(np.array_equal(names["errors_of"][label], own) for label, own in samples.items())
    outputs = run(GEYSER, ViewState(tab="outputs"))["outputs"]
    assert np.array_equal(outputs, task.last("pipeline")["outputs"])


def test_the_release_view_plans_without_data():
    names = run(dataclasses.replace(GEYSER, view="release"), ViewState(tab="release"))
    assert names["plan"].blocks == selection(GEYSER).plan.blocks
    assert not names.keys() & {"data", "table", "ready"}


# Balls.


def balls(state, tab="ball", seed=1, **fields):
    task = Task()
    BallAnalysis(DatabaseCache()).answer(BallRequest(selection(state), tab, AXES, seed, **fields), task)
    return task


@pytest.mark.slow
def test_a_simulated_ball_and_what_runs_are_worth(disc):
    task, names = balls(disc, seed=4), run(disc, ViewState(tab="ball", seed=4))
    view, quality = task.last("ball"), task.last("judgement").quality.sample
    [disc_shown], [true] = view.balls, view.truth
    assert names["found"].ball.center == tuple(disc_shown.center)
    assert names["found"].ball.radius == disc_shown.radius
    assert names["held"].tolist() == (quality.coverage * 120).tolist()
    assert np.array_equal(names["ratio"], quality.ratio)
    assert (names["coverage"], names["size_by_smallest"]) == quality.typical
    assert names["truth"][-1] == true.radius
    assert names["promise"].promised / 120 == quality.promised_share


@pytest.mark.parametrize("step", ["first", "last"])
def test_how_a_radius_was_chosen(disc, step):
    view = balls(disc, "radius", step=step).last("radius")
    choice = run(disc, ViewState(tab="radius", ball=BallViewState(step=step)))["choice"]
    assert choice.radii.tolist() == view.radii.tolist()
    assert choice.counts.tolist() == view.counts.tolist()
    assert (choice.target, choice.chosen) == (view.target, view.chosen)


@pytest.mark.slow
def test_boxes(disc):
    view, names = balls(disc, "boxes").last("boxes"), run(disc, ViewState(tab="boxes"))
    assert sorted(names["tried"].cells.counts) == sorted(view.boxes.counts)


@pytest.mark.parametrize("query", ["k-balls", "screened-mean"])
@pytest.mark.slow
def test_several_balls_and_the_mean_inside(disc, query):
    state = disc.replaced({"query": query})
    task, names = balls(state), run(state, ViewState(tab="ball"))
    view, estimate = task.last("ball"), task.last("judgement")
    assert names["found"].ball.radius == view.balls[0].radius
    assert (names["coverage"], names["size_by_smallest"]) == estimate.quality.sample.typical
    if query == "screened-mean":
        assert names["mean"].tolist() == view.mean.tolist()
        assert np.nanmedian(names["errors"]) == estimate.quality.mean_error


def test_an_interior_point(disc):
    points = disc.dataset.table.points(["x"])
    state = disc.replaced({"columns": ("x",), "query": "interior-point", "points": points, "delta": 1e-6})
    task, names = balls(state, "number"), run(state, ViewState(tab="number"))
    view = task.last("number")
    assert [names["simulated"], names["truth"]] == [view.released[0, 0], view.truth[0, 0]]
    check_errors(names, task)


def test_what_theory_promises_is_public(disc):
    names = run(dataclasses.replace(disc, view="release"))
    assert names["promise"] == selection(disc).mechanism.guarantee(names["bounds"], 400, names["privacy"])
    assert not names.keys() & {"data", "table", "ready"}

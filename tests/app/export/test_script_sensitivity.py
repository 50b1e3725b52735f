"""Scripts of the pages about sensitivity find what the pages show, to the last digit."""

import dataclasses

import numpy as np
import pytest
from scripts import Task, choose, example, run

from app.model.kinds.databases import DatabaseCache
from app.model.selection import selection
from app.model.view_states import ViewState
from app.pages.sensitivity.analysis import SensitivityAnalysis, SensitivityRequest, certificate
from app.pages.sensitivity.graph_analysis import decided
from app.pages.sensitivity.path_targets import TARGETS
from engine.catalog import methods
from engine.noise import NOISES
from engine.queries import QUERIES

HEAPS = example("median", "two-heaps", epsilon=0.7)
KARATE = example("spanning-tree", "karate")
TRIANGLES = KARATE.replaced({"query": "triangles"})


def shown(state, tab="k", target="", seed=1, **views):
    task = Task()
    SensitivityAnalysis(DatabaseCache(), **views).answer(
        SensitivityRequest(selection(state), tab, target, seed), task
    )
    return task


def check_judgement(names, task):
    estimate = task.last("judgement")
    assert (names["typical"], names["most"]) == (estimate.errors.typical, estimate.errors.most)


@pytest.mark.parametrize("query", [name for name, query in QUERIES.items() if query.reads == "column"])
def test_every_query_of_a_column(query):
    state = HEAPS.replaced({"query": query, "modified_values": {3: 0.25, 40: 1.0}})
    task, names = shown(state), run(state, ViewState(tab="k"))
    profile = task.last("k")
    assert names["profile"].at_distance.tolist() == profile.at_distance.tolist()
    for name in ("value", "local", "smooth", "global_", "argmax_k", "beta", "n"):
        assert getattr(names["profile"], name) == getattr(profile, name)
    assert names["data"].outside == task.last("clamped")
    check_judgement(names, task)
    assert f"smooth sensitivity S* (private): {profile.smooth}" in names["printed"]


@pytest.mark.parametrize("method", methods())
def test_every_method(method):
    query = "quantile" if method == "exponential" else "trimmed-mean"
    state = HEAPS.replaced({"method": method, "delta": 1e-6, "query": query})
    state = choose(state, method__propose_test_release={"bound": 0.001}, query__quantile={"q": 0.3})
    task, names = shown(state), run(state)
    check_judgement(names, task)
    if method == "propose-test-release":
        assert names["answers"] == task.last("judgement").answers
    alternative = task.last("judgement").alternative_errors
    assert alternative is None or str(alternative.typical) in names["printed"]


def test_a_method_that_does_not_fit_leaves_the_sensitivity_to_look_at():
    state = HEAPS.replaced({"method": "exponential", "query": "mean"})
    task, names = shown(state), run(state, ViewState(tab="distribution"))
    assert names["profile"].smooth == task.last("k").smooth
    assert "ready" not in names


@pytest.mark.parametrize("noise", NOISES)
def test_every_noise_where_delta_is_above_0(noise):
    state = HEAPS.replaced({"noise": noise, "delta": 1e-6})
    state = choose(state, noise__student_t={"nu": 3.5}, method__smooth={"split": 0.4})
    task, names = shown(state, "noise"), run(state, ViewState(tab="noise"))
    curves = task.last("noise")
    assert [family.label for family in names["families"]] == [curve.label for curve in curves]
    assert names["scales"] == [curve.scale for curve in curves]
    check_judgement(names, task)
    certified = []
    task.publish = certified.append
    assert names["certificate"] == certificate(selection(state), task).found


def test_a_noise_that_cannot_give_the_privacy_leaves_the_sensitivity_of_the_usual_one():
    state = HEAPS.replaced({"noise": "laplace", "method": "exponential"})
    task, names = shown(state), run(state)
    assert names["profile"].smooth == task.last("k").smooth


@pytest.mark.parametrize("delta", [None, 1e-6])
def test_against_epsilon(delta):
    state = dataclasses.replace(HEAPS, delta=delta, epsilon=0.004)
    sweep, names = shown(state, "epsilon").last("epsilon"), run(state, ViewState(tab="epsilon"))
    assert names["epsilons"].tolist() == sweep.epsilons.tolist()
    assert names["sweep"].smooth.tolist() == sweep.sweep.smooth.tolist()


@pytest.mark.parametrize(
    ("state", "target"),
    [
        *((HEAPS, target) for target in TARGETS["column"]),
        (KARATE, "halves"),
        *(pytest.param(KARATE, target, marks=pytest.mark.slow) for target in ("lower", "upper")),
        (TRIANGLES, "empty"),
        pytest.param(TRIANGLES, "complete", marks=pytest.mark.slow),
    ],
)
def test_every_path(state, target):
    path, names = shown(state, "path", target).last("path"), run(state, ViewState(tab="path", target=target))
    for name in ("changed", "value", "local", "smooth"):
        assert getattr(names["path"], name).tolist() == getattr(path, name).tolist()


def test_the_distribution_of_what_would_be_released():
    state = HEAPS.replaced({"delta": 1e-6, "noise": "gaussian"})
    simulated, names = shown(state, "distribution", seed=5), run(state, ViewState(tab="distribution", seed=5))
    assert np.array_equal(names["simulation"].values, simulated.last("distribution").values)


@pytest.mark.parametrize("state", [KARATE.replaced({"modified_values": {0: 2.5}}), KARATE])
def test_a_spanning_tree_and_the_cut_that_decides(state):
    task, names = shown(state, after=[decided]), run(state, ViewState(tab="k", k=2))
    assert names["profile"].at_distance.tolist() == task.last("k").at_distance.tolist()
    check_judgement(names, task)
    request = SensitivityRequest(selection(state), "k", choice=2)
    view = decided(request, state.builder().build(), Task(), lambda name, key, work: work())
    assert names["profile"].at_distance[2] == view.decision.sensitivity


def test_triangles_and_the_pair_that_decides():
    state = TRIANGLES.replaced({"removed_edges": frozenset({1, 7}), "vertices": 40})
    task, names = shown(state), run(state, ViewState(tab="k", k=1))
    assert names["profile"].at_distance.tolist() == task.last("k").at_distance.tolist()
    assert names["pair_of_vertices"].sensitivity == names["profile"].at_distance[1]
    check_judgement(names, task)


@pytest.mark.parametrize("state", [HEAPS, KARATE, TRIANGLES])
def test_the_release_view_reads_no_data(state):
    state = state.replaced({"view": "release", "modified_values": {0: 0.5}})
    task = Task()
    SensitivityAnalysis(DatabaseCache()).public(SensitivityRequest(selection(state), "noise"), task)
    names = run(state, ViewState(tab="noise"))
    assert names["scales"] == [curve.scale for curve in task.last("noise")]
    assert not names.keys() & {"data", "table", "values", "edges", "profile"}
    assert "(private)" not in names["printed"]

"""Scripts of the pages about sensitivity find what the pages show, to the last digit."""

import pytest
from scripts import Task, choose, compute, example, run

from app.model.kept_data import DatabaseCache
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGES
from app.model.selection import selection
from app.model.view_states import ViewState
from app.pages.base.noise_cloud import publish_answers
from app.pages.base.request import ESTIMATE, PictureRequest
from engine.catalog import methods
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.extras.libraries.library import Peer
from engine.findings import findings_text
from engine.noise import NOISES
from engine.queries import QUERIES

HEAPS = example("median", "two-heaps", epsilon=0.7)
KARATE = example("spanning-tree", "karate")
TRIANGLES = KARATE.replaced({"query": "triangles"})


def worked_out(state, tab, options, *, public=False):
    page, task = PAGES[state.page], Task()
    request = PictureRequest(selection(state), page.picture(tab), options, public=public)
    compute(request, page, task)
    return task


def check(state, tab="k", **options):
    """Check that page and script find the same, and return what the page and the script found."""
    task = worked_out(state, tab, options)
    names = run(state, ViewState(tab=tab, options=options, k=2))
    assert findings_text(task.last(tab)) in names["printed"]
    assert findings_text(task.last(ESTIMATE)) in names["printed"]
    return task.last(tab), names


@pytest.mark.parametrize("query", [name for name, query in QUERIES.items() if query.reads == "column"])
def test_every_query_of_a_column(query):
    state = HEAPS.replaced({"query": query, "modified_values": {3: 0.25, 40: 1.0}})
    profile, names = check(state)
    assert names["shown"].at_distance.tolist() == profile.at_distance.tolist()
    assert f"smooth sensitivity S* (confidential): {profile.smooth}" in names["printed"]


@pytest.mark.slow
def test_a_method_of_another_library_that_takes_a_seed():
    if not DiffprivlibRelease.facts.library.is_installed:
        pytest.skip("diffprivlib is not installed (extra 'peers')")
    check(HEAPS.replaced({"method": "diffprivlib", "query": "mean"}))


@pytest.mark.parametrize("method", [name for name, kind in methods().items() if not issubclass(kind, Peer)])
def test_every_method(method):
    others = {
        "exponential": "quantile",
        "log-scale": "interquartile-range",
        "ladder": "interquartile-range",
        "lipschitz-extension": "triangles",
    }
    query = others.get(method, "trimmed-mean")
    page = KARATE if query == "triangles" else HEAPS
    state = page.replaced({"method": method, "delta": 1e-6, "query": query})
    check(choose(state, method__propose_test_release={"bound": 0.001}, query__quantile={"q": 0.3}))


def test_a_method_that_does_not_fit_leaves_the_sensitivity_to_look_at():
    names = run(HEAPS.replaced({"method": "exponential", "query": "mean"}), ViewState(tab="distribution"))
    assert "smooth sensitivity S* (confidential): " in names["printed"]
    assert "typical error" not in names["printed"]
    assert "shown" not in names


USUAL = ("laplace", "student-t", "arsinh-normal")
"""Noises of three kinds, one with a parameter; the others stand in a script like them."""


@pytest.mark.parametrize(
    "noise", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in NOISES]
)
def test_every_noise_where_delta_is_above_0(noise):
    state = HEAPS.replaced({"noise": noise, "delta": 1e-6})
    curves, names = check(
        choose(state, noise__student_t={"nu": 3.5}, method__smooth={"split": 0.4}), tab="noise"
    )
    assert names["shown"] == curves
    assert [curve.noise.name for curve in curves.curves if curve.chosen] == [noise]


@pytest.mark.parametrize("delta", [None, 1e-6])
def test_against_epsilon(delta):
    check(HEAPS.replaced({"delta": delta, "epsilon": 0.004}), tab="epsilon")


@pytest.mark.parametrize(
    ("state", "target"),
    [
        *((HEAPS, target) for target in KINDS["column"].far_ends(2)),
        (KARATE, "halves"),
        *(pytest.param(KARATE, target, marks=pytest.mark.slow) for target in ("lower", "upper")),
        (TRIANGLES, "empty"),
        pytest.param(TRIANGLES, "complete", marks=pytest.mark.slow),
    ],
)
def test_every_path(state, target):
    check(state, tab="path", target=target)


def test_the_distribution_of_what_would_be_released():
    simulated, names = check(HEAPS.replaced({"delta": 1e-6, "noise": "gaussian"}), tab="distribution")
    assert names["shown"].simulated.tolist() == simulated.simulated.tolist()


@pytest.mark.parametrize("state", [KARATE.replaced({"modified_values": {0: 2.5}}), TRIANGLES])
def test_a_graph_and_what_decides(state):
    _, names = check(state)
    assert "that determine A^(2) (confidential): " in names["printed"]


@pytest.mark.parametrize("state", [HEAPS, KARATE, TRIANGLES])
def test_the_release_view_reads_no_data(state):
    state = state.replaced({"view": "release", "modified_values": {0: 0.5}})
    names = run(state, ViewState(tab="noise"))
    assert findings_text(worked_out(state, "noise", {}, public=True).last("noise")) in names["printed"]
    assert not names.keys() & {"data", "table", "values", "edges", "profile"}
    assert "(confidential)" not in names["printed"]


def test_possible_answers_are_those_of_the_picture():
    task = PublishedAnswers()
    request = PictureRequest(selection(HEAPS), None, {})
    publish_answers(request, DatabaseCache(), None, None, task)
    names = run(HEAPS, ViewState(noise=True))
    assert [release.value for release in names["possible"]] == list(task.answers)
    assert f"possible answers (confidential): {list(task.answers)}" in names["printed"]


def test_possible_answers_are_in_no_public_script():
    assert "possible" not in run(HEAPS.replaced({"view": "release"}), ViewState(noise=True))
    assert "possible" not in run(HEAPS, ViewState())


class PublishedAnswers(Task):
    """Keeps the answers that are published first."""

    answers = ()

    def publish(self, drawn):
        self.answers = self.answers or drawn.answers

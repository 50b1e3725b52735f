"""Scripts of the room Compare and of the tab Audit find what these show, to the last digit."""

import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest
from scripts import Task, choose, example, found, notebook, python, run

from app.export.script import NOT_WRITTEN, script_of
from app.model.comparison_choice import ComparisonChoice
from app.model.kept_data import DatabaseCache
from app.model.pages.audit import AUDIT
from app.model.pages.workspaces import COMPARE
from app.model.selection import selection
from app.model.view_states import MOVED, AuditChoice, AuditViewState, ViewState
from app.pages.audit.analysis import AuditRequest
from app.pages.compare.request import Alternatives, request_of
from app.pages.compare.runner import ComparisonAnalysis
from app.plots.compare.view import ComparisonView
from engine import Lloyd
from engine.comparison.comparing import compare
from engine.comparison.needed import needed_epsilons
from engine.errors import ParameterError
from engine.findings import findings_text
from engine.mechanisms import PLANTED, Clusters
from engine.privacy import NO_PROMISE

HEAPS = example("median", "two-heaps", epsilon=0.7)
KARATE = example("spanning-tree", "karate")
FOUR = example("clustering", "four-heaps", query="clusters")
MIDDLE = example("histogram", "around-the-middle", query="privtree")


def room(state, **choice):
    chosen = ComparisonChoice(**{"runs": 60, "steps": 3, "seed": 5, **choice})
    return dataclasses.replace(state, workspace="compare", comparison=chosen)


def check_errors(names, outcomes):
    mine = names["shown"].outcomes
    assert len(mine) == len(outcomes)
    for one, other in zip(mine, outcomes, strict=True):
        assert (one.trial, one.problem) == (other.trial, other.problem)
        assert np.array_equal(one.errors, other.errors, equal_nan=True)


@pytest.mark.parametrize(
    "state",
    [
        room(HEAPS),
        room(HEAPS, sweep="n", steps=2),
        room(HEAPS, steps=1),
        room(KARATE, steps=2, runs=30),
        room(FOUR, mechanisms=(Clusters(k=2), Lloyd(k=2)), steps=2, runs=20),
    ],
)
def test_the_same_seeds_give_the_same_errors(state):
    request = request_of(state, Alternatives())
    data = DatabaseCache().get(request.source)
    made = compare(
        request.contenders,
        data,
        request.privacy,
        request.sweep(),
        runs=request.runs,
        seed=request.choice.seed,
    )
    names = run(state, ViewState(tab="errors"))
    assert names["contenders"] == [one.mechanism for one in request.contenders]
    assert names["shown"].sweep == request.sweep()
    check_errors(names, made.outcomes)


@pytest.mark.slow
def test_processes_of_the_room_find_the_same_errors():
    state = room(HEAPS, runs=400)
    request = request_of(state, Alternatives())
    comparer = ComparisonAnalysis(DatabaseCache())
    try:
        shown = comparer.comparison(request)(Task())
    finally:
        comparer.end()
    check_errors(run(state, ViewState(tab="errors")), shown.comparison.outcomes)


def test_which_epsilon_is_needed():
    state = room(HEAPS, within=40.0, share=0.9, runs=100)
    request = request_of(state, Alternatives())
    data = DatabaseCache().get(request.source)
    needed = needed_epsilons(request.contenders, data, 0.0, within=40.0, share=0.9, runs=request.runs, seed=5)
    names = run(state, ViewState(tab="needed"))
    assert findings_text(names["shown"]) == findings_text(needed)
    # without a chosen error, for 1 % of the width of the bounds
    assert NOT_WRITTEN not in script_of(room(HEAPS), ViewState(tab="needed"))


def test_a_comparison_that_makes_no_sense_is_refused_in_a_line():
    with pytest.raises(ParameterError, match="runs are not possible"):
        python(room(HEAPS, runs=0), ViewState(tab="errors"))


def test_nothing_of_a_comparison_leaves_in_the_release_view():
    names = run(dataclasses.replace(room(HEAPS), view="release"), ViewState(tab="errors"))
    assert not names.keys() & {"data", "table", "shown"}
    assert "(confidential)" not in names["printed"]


# Audits.


def audited(state, **choice):
    request = AuditRequest(selection(state), AuditChoice(**{"runs": 2000, **choice}))
    view = request.compute(DatabaseCache(), Task()).view
    return view.run, ViewState(tab="audit", audit=AuditViewState(choice=request.choice))


PAIRS = [
    (HEAPS, {}),
    (HEAPS, {"bug": "local-noise", "seed": 4}),
    (HEAPS, {"bug": "beta-is-epsilon", "confidence": 0.95}),
    (HEAPS.replaced({"modified_values": {2: 0.75}}), {"pair": MOVED, "record": 2, "value": "1"}),
    (HEAPS, {"pair": MOVED, "record": 7, "value": "0.5"}),
    (KARATE.replaced({"modified_values": {1: 2.0}}), {"pair": MOVED, "record": 1, "value": "4"}),
    (FOUR, {"pair": MOVED, "record": 0, "value": "0.5 : 0.25"}),
    (choose(FOUR, sampling__partition={"blocks": 20}), {}),
    pytest.param(MIDDLE, {"runs": 1000}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("state", "choice"), PAIRS)
def test_the_same_seed_gives_the_same_bound(state, choice):
    run_of_page, look = audited(state, **choice)
    audit = run(state, look)["shown"].run
    assert audit.audit == run_of_page.audit
    assert (audit.p_low, audit.q_high) == (run_of_page.p_low, run_of_page.q_high)
    assert audit.inside in (run_of_page.inside, run_of_page.inside[::-1])  # the page may exchange both


def test_low_bits_are_attacked_as_on_the_page():
    """Real releases have no seed: what is exact is called violated with probability 1e-6."""
    for bug, verdict in (("", "consistent"), ("naive-doubles", "violated")):
        look = ViewState(tab="audit", audit=AuditViewState(AuditChoice(runs=1000, bug=bug), shows="low-bits"))
        found = run(HEAPS, look)["shown"].run.found
        assert (found.verdict, found.runs) == (verdict, 1000)


def test_every_pair_that_a_page_offers_can_be_audited():
    setup = selection(HEAPS)
    offered = AuditRequest(setup, AuditChoice()).pairs(DatabaseCache(), Task()).pairs
    for pair in offered:
        if pair.name != MOVED:
            run_of_page, look = audited(HEAPS, pair=pair.name, runs=1000)
            assert run(HEAPS, look)["shown"].run.audit == run_of_page.audit


def test_the_release_view_audits_public_pairs_only():
    released = dataclasses.replace(HEAPS, view="release")
    run_of_page, look = audited(HEAPS)
    names = run(released, look)
    assert names["shown"].run.audit == run_of_page.audit
    assert "data" not in names
    choice = AuditChoice(pair=MOVED, record=1, value="0.5")
    assert "audit_neighbours" not in python(
        released, ViewState(tab="audit", audit=AuditViewState(choice=choice))
    )


def test_a_script_runs_by_itself(tmp_path):
    _, look = audited(HEAPS)
    (tmp_path / "audit.py").write_text(python(HEAPS, look), encoding="utf-8")
    out = subprocess.run(
        [sys.executable, "-W", "error", "audit.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout == found(python(HEAPS, look))["printed"]
    assert out.stderr == ""


def test_what_promises_nothing_says_so():
    state = MIDDLE.replaced({"query": "histogram-recursive"})
    assert selection(state).mechanism.guarantee.cost(selection(state).privacy) == NO_PROMISE
    assert "NOT differentially private" in python(state, ViewState(tab="cells"))


@pytest.mark.parametrize("tab", ["errors", "frontier", "time"])
def test_notebooks_draw_the_comparison_of_the_window(tab):
    state = room(HEAPS, runs=30)
    request = request_of(state, Alternatives())
    data = DatabaseCache().get(request.source)
    made = compare(request.contenders, data, request.privacy, request.sweep(), runs=30, seed=5)
    picture = notebook(state, ViewState(tab=tab, options={"mode": "box", "index": 1}))["picture"]
    assert type(picture).__name__ == COMPARE.drawn_by[tab]().__name__
    if tab != "time":
        again = type(picture)(picture.axes, picture.palette, picture.unit)
        again.update(ComparisonView(made, 1, mode="box"))
        assert picture.table() == again.table()


def test_notebooks_draw_which_epsilon_is_needed():
    picture = notebook(room(HEAPS, within=40.0, share=0.9, runs=100), ViewState(tab="needed"))["picture"]
    assert all(row[1] == "" or row[1] > 0 for row in picture.table()[1])


@pytest.mark.parametrize("shows", ["guess-who", "outcomes", "posterior", "trade-off", "low-bits"])
def test_notebooks_draw_the_audit_of_the_window(shows):
    choice = AuditChoice(runs=2000, bug="local-noise")
    look = ViewState(tab="audit", audit=AuditViewState(choice=choice, shows=shows, prior=30))
    picture = notebook(HEAPS, look)["picture"]
    assert type(picture).__name__ == AUDIT.drawn_by[f"audit {shows}"]().__name__
    assert PLANTED["local-noise"].label in picture.caption()

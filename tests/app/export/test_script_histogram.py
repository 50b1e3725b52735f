"""Scripts of the page about histograms find what the page shows, to the last digit."""

import dataclasses

import pytest
from scripts import choose, example, python, run, worked_out

from app.model.kinds.category_choice import CategoryAnswers, CategoryChoice
from app.model.view_states import ViewState
from app.pages.histogram.mechanisms import all_kinds
from engine.extras.libraries.library import Peer
from engine.findings import findings_text
from engine.mechanisms import MECHANISMS
from engine.progress import silent

POINTS = [
    name
    for name, kind in MECHANISMS.items()
    if kind.facts.topic == "histograms"
    and kind.reads == "points"
    and not issubclass(kind, Peer)  # most take no seed
]
SLOW = ("histogram-voronoi-random",)  # seconds: many centers, many draws
HISTOGRAMS = [
    pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW))
    for name in POINTS
    if MECHANISMS[name].facts.shape == "cells"
]
CATEGORIES = [name for name, kind in MECHANISMS.items() if kind.reads == "categories"]
MIDDLE = example("histogram", "around-the-middle", query="histogram-shifted")
SHIFTED = choose(MIDDLE, mechanism__histogram_shifted={"t": 8})


def check(state, tab, **options):
    """Check that page and script find the same, and return what the page and the script found."""
    view, names = worked_out(state, tab, **options).last(tab), run(state, ViewState(tab=tab, options=options))
    assert findings_text(view) in names["printed"]
    return view, names


@pytest.mark.parametrize("query", HISTOGRAMS)
def test_every_histogram(query):
    view, names = check(MIDDLE.replaced({"query": query}), "levels", seed=2)
    assert names["shown"].points.tolist() == view.points.tolist()
    assert "typical error of the counts of public boxes (confidential): " in names["printed"]
    assert "mechanism.run(data, privacy)" not in names["printed"]


@pytest.mark.parametrize("attack", [None, ("uniform", 4), ("occupied", 4), ("singleton", 5)])
def test_a_guess_and_its_verdict(attack):
    name, seed = attack or (None, 1)
    view, names = check(SHIFTED, "isolation", attack=name, attack_seed=seed, c=3.0)
    assert names["shown"].query.tolist() == view.query.tolist()


def test_a_guess_that_was_moved_by_hand():
    look = ViewState(tab="isolation", options={"moved": (0.0, 0.25)})
    where, put = (run(SHIFTED, seen)["shown"].query for seen in (look, ViewState(tab="isolation")))
    assert where.tolist() == [put[0], put[1] + 0.25, *put[2:]]  # by so much, and not there


@pytest.mark.parametrize("sweep", ["c", "t", "d"])
def test_attacks(sweep):
    view, names = check(SHIFTED, "attacks", swept=sweep, c=3.0)
    for again, attack in zip(names["shown"].attacks, view.attacks, strict=True):
        assert again.rates.tolist() == attack.rates.tolist()


def test_kinds_of_histograms_that_are_compared_are_those_of_the_page():
    text = python(SHIFTED, ViewState(tab="compare"))
    for kind in all_kinds(SHIFTED, ViewState())["alternatives"]:
        assert f"{type(kind).__name__}(" in text
    assert "ShiftedHistogram(t=8)" in text


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
    view, names = check(state, "table" if query == "contingency-table" else "bars", seed=2)
    assert names["bounds"] == state.builder().domain
    assert names["shown"].truth.tolist() == view.truth.tolist()


def test_the_release_view_reads_no_data(admissions):
    for state in (SHIFTED, admissions):
        names = run(dataclasses.replace(state, view="release"), ViewState(tab="cells"))
        assert not names.keys() & {"data", "table", "shown"}
        assert names["n"] == state.builder().n
        assert names["bounds"] == state.builder().domain

"""Files of format 1, in which the options of pages stood in groups, or beside each other."""

import pytest

from app.documents.page_documents import view_state_kind
from app.documents.schema import DocumentError
from app.model.view_states import CompareViewState, ViewState


def older(page, **groups):
    """Return the look of a page as such a file has it."""
    plain = view_state_kind(page).plain(ViewState())
    del plain["options"]
    return plain | {"seed": 3, "across": 1, "up": 0, "target": ""} | groups


def test_options_in_groups_are_found():
    stage = {"zoom": 2, "published": True}
    found = view_state_kind("clustering").read(older("clustering", tab="outputs", stage=stage), "look")
    assert found.tab == "outputs"
    assert found.options == {"seed": 3, "across": 1, "up": 0, **stage}
    ball = {"ball": 1, "tried": None, "step": "last", "near": True}
    found = view_state_kind("one-cluster").read(older("one-cluster", ball=ball), "look")
    assert found.options == {"seed": 3, "across": 1, "up": 0, **ball}


def test_they_are_checked():
    with pytest.raises(DocumentError, match="tried"):
        view_state_kind("one-cluster").read(older("one-cluster", ball={"tried": -5}), "look")


@pytest.mark.parametrize("seed", [3.0, 10**400, True, -1])
def test_whole_numbers_are_whole(seed):
    kind = view_state_kind("histogram")
    plain = kind.plain(ViewState(tab="isolation"))
    with pytest.raises(DocumentError, match=r"look\.options\.seed"):
        kind.read(plain | {"options": {"seed": seed}}, "look")


@pytest.mark.parametrize(
    ("moved", "words"),
    [(0.5, "moved: 0.5 is not a list"), ([0.5, "x"], r"moved\[1\]: 'x' is not a number"), ([1e999], "moved")],
)
def test_several_numbers_are_checked(moved, words):
    kind = view_state_kind("histogram")
    plain = kind.plain(ViewState(tab="isolation", options={"moved": (0.5,)}))
    assert plain["options"] == {"moved": [0.5]}
    with pytest.raises(DocumentError, match=words):
        kind.read(plain | {"options": {"moved": moved}}, "look")


def test_a_query_point_is_where_it_was():
    group = {"level": 2, "sweep": "t", "near": True, "attack": ["occupied", 3], "moved": {"1": 0.5}}
    found = view_state_kind("histogram").read(older("histogram", histogram=group), "look")
    shared = {"seed": 3, "across": 1, "up": 0, "level": 2, "near": True, "swept": "t"}
    assert found.options == {**shared, "attack": "occupied", "attack_seed": 3, "moved": (0.0, 0.5)}
    with pytest.raises(DocumentError, match=r"look.histogram.attack\[0\]"):
        view_state_kind("histogram").read(older("histogram", histogram=group | {"attack": ["x", 1]}), "look")


def test_what_a_comparison_had_of_pages_means_nothing():
    compare = {"mode": "box", "spread": "dots", "place": 2, "done": True, "searched": False}
    other = {"target": "", "seed": 3, "stage": {}, "ball": {}, "histogram": {"level": 2}}
    found = view_state_kind("compare").read(
        {"tab": "frontier", "log": {}, "compare": compare, **other}, "look"
    )
    chosen = {"mode": "box", "spread": "dots", "index": 2}
    assert found == ViewState(tab="frontier", options=chosen, compare=CompareViewState(done=True))


def test_the_seed_of_a_page_that_draws_no_more_simulations_is_ignored():
    kind = view_state_kind("median")
    plain = kind.plain(ViewState())
    assert kind.read(plain | {"options": {"seed": 3}}, "look").options == {}

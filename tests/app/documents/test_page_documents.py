"""How a file is read is in the session, and what makes no sense there is refused with its place."""

import pytest

from app.documents.page_documents import ReadingKind, view_state_kind
from app.documents.schema import DocumentError
from app.model.view_states import ViewState
from engine.data.reading_options import DETECTED, ReadingOptions

STATED = ReadingOptions(
    decimal=",", header="0", sql="SELECT 1", types=(("born", "days"), ("zip", "category"))
)


@pytest.mark.parametrize(
    "options",
    [
        DETECTED,
        STATED,
        ReadingOptions(missing_values="-999,.;age=99"),
        ReadingOptions.of({"missing_values": ""}),
    ],
)
def test_what_is_stated_comes_back(options):
    assert ReadingKind().read(ReadingKind().plain(options), "reading") == options


@pytest.mark.parametrize(
    ("plain", "place", "problem"),
    [
        ([], "reading", "not an object"),
        ({"colour": "red"}, "reading.colour", "is unknown"),
        ({"decimal": ";"}, "reading.decimal", "is not possible"),
        ({"decimal": 1}, "reading.decimal", "not text"),
        ({"types": {"born": "year"}}, "reading.types", "cannot be read as"),
        ({"missing_values": "1;2"}, "reading.missing_values", "two lists for all columns"),
        ({"types": "days"}, "reading.types", "not an object"),
        ({"table": "a", "sql": "SELECT 1"}, "reading.sql", "state one of the two"),
    ],
)
def test_what_makes_no_sense_is_refused(plain, place, problem):
    with pytest.raises(DocumentError) as caught:
        ReadingKind().read(plain, "reading")
    assert str(caught.value).startswith(place)
    assert problem in str(caught.value)


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


def test_options_are_read_by_their_earlier_names():
    kind = view_state_kind("compare")
    plain = kind.plain(ViewState())
    assert kind.read(plain | {"options": {"place": 2}}, "look").options == {"index": 2}


@pytest.mark.parametrize(("page", "tab"), [("clustering", "compare"), ("median", "noise")])
def test_a_tab_is_read_by_its_earlier_name_where_it_has_another_one(page, tab):
    kind = view_state_kind(page)
    plain = kind.plain(ViewState(tab=tab)) | {"tab": "noise", "log": {"noise": True}}
    read = kind.read(plain, "look")
    assert (read.tab, read.log) == (tab, {tab: True})
    assert kind.plain(read)["tab"] == tab


def test_the_seed_of_a_page_that_draws_no_more_simulations_is_ignored():
    kind = view_state_kind("median")
    plain = kind.plain(ViewState())
    assert kind.read(plain | {"options": {"seed": 3}}, "look").options == {}

"""For looking alone: a stated pattern of blocks; filled or dropped values where a record is left empty."""

import pytest
from loading import clusters, load_blocks, load_points
from seen import all_words
from sessions import desk

from app.documents import SessionSnapshot
from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.writing import save
from app.model.selection import problems, selection
from app.model.state import SessionState
from engine.ledger import Ledger

pytestmark = pytest.mark.usefixtures("undrawn")

EMPTY_PATTERN = "leave it empty for a release"


@pytest.fixture
def on_page(window_of, dataset):
    """Return a maker of windows on points."""
    from app.session import Session

    def make(page, load):
        session = Session()
        session.show_page(page)
        load(session, dataset(**clusters(600)), 0.0, 1.0)
        return window_of(session)

    return make


def run_is_offered(window):
    return window.body.column.release.run.isEnabled()


def settled(window):
    """Return what keeps from Run, by field."""
    assert window.wait_until_idle(30_000)
    return {one.field: one.message for one in problems(window.session.state)}


def test_a_stated_pattern_is_for_looking(on_page):
    window = on_page("clustering", load_blocks)
    assert settled(window) == {}
    window.session.set_parameter(5, "pattern")
    assert EMPTY_PATTERN in settled(window)["pattern"]
    assert not run_is_offered(window)
    assert EMPTY_PATTERN in all_words(window)
    assert selection(window.session.state).mechanism.pattern == 5  # pictures are made with it
    window.session.forget_parameter("pattern")
    assert settled(window) == {}
    assert run_is_offered(window)


def test_conditions_name_the_chosen_columns(on_page):
    window = on_page("histogram", load_points)
    window.session.edit("ask", query="counts")
    window.session.set_parameter("y > 0.25; z < 0.5", "where")
    assert settled(window)["where"] == "there is no column 'z'; try x, y"
    window.session.set_parameter("y > 0.25; x < 0.5", "where")
    assert settled(window) == {}
    assert selection(window.session.state).mechanism.where == "2: > 0.25; 1: < 0.5"
    assert run_is_offered(window)


@pytest.mark.parametrize("missing", ["fill", "drop"])
def test_no_release_for_a_record_left_empty_where_values_are_filled_or_dropped(missing, on_page):
    """From the choices alone: no value of these data is missing."""
    window = on_page("histogram", load_points)
    session = window.session
    session.edit("ask", query="counts")
    session.set_parameter("zero-out", "relation")
    assert settled(window) == {}
    session.edit("treat", missing=missing, fills={"x": 0.5, "y": 0.5}, complete=600)
    assert "replace-one" in settled(window)["missing"]
    assert not run_is_offered(window)
    assert "left empty" in window.body.column.data.form.row("missing").problem
    session.set_parameter("replace-one", "relation")
    assert settled(window) == {}
    assert run_is_offered(window)


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        (
            {"query": "contingency-table", "missing": "drop", "parameters": {"relation": "zero-out"}},
            "missing",
        ),
        ({"query": "clusters", "parameters": {"pattern": 1}}, "pattern"),
    ],
)
def test_a_session_of_an_earlier_version_opens_and_says_so(chosen, field, tmp_path):
    page = "histogram" if field == "missing" else "clustering"
    fields = desk(page)
    if page == "histogram":
        fields = desk(page, "penguins", query="contingency-table", missing="drop")
    state = SessionState(page=page, **{**SessionState().at(page).page_fields(), **fields})
    kind = chosen["query"]
    state = state.replaced({"query": kind, "parameters": {f"mechanism/{kind}": chosen["parameters"]}})
    ledger = Ledger(None)
    path = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", ledger)
    opened = load_session(read_session(path, ledger), {}, ledger).work.state
    assert opened.mechanism.plain() == chosen["parameters"]
    assert field in {one.field for one in problems(opened)}

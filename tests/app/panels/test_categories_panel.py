"""Columns of categories in the window: public lists, what is looked at, undone and remembered."""

import dataclasses

import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.kept_data import read_example
from app.model.kinds.category_choice import CategoryChoice, format_list, parse_list, public_lists
from app.model.kinds.histogram import CATEGORIES
from app.model.pages.registry import PAGE_KINDS
from app.model.selection import problems, selection
from app.model.state import SessionState
from app.panels.data_panel import DataPanel
from app.session import Session
from engine.data import Table
from engine.errors import DataError, ParameterError
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

DESK = PAGE_KINDS["histogram"]
PEOPLE = Table(
    "people.csv",
    pa.table(
        {
            "sex": ["f", "m", "f", None, "m"],
            "smokes": [True, False, False, True, True],
            "children": [0, 2, 10, 1, 1],
            "height": [1.6, 1.8, 1.7, 1.75, 1.85],
        }
    ),
)


@pytest.fixture
def dataset():
    """Return five records."""
    return Dataset(PEOPLE, "file:people.csv")


@pytest.fixture
def session(dataset):
    """Return a session on the answers in five records, with nothing listed yet."""
    made = Session()
    made.show_page("histogram")
    choice = CategoryChoice(columns=("smokes", "children"))
    fields = DESK.read(dataset, {"categories": choice}, silent)
    made.open_dataset(dataset, "open", **DESK.after_read(made.state, dataset, fields))
    return made


@pytest.fixture
def panel(session, qtbot):
    """Return the panel of that session."""
    panel = DataPanel(session, "histogram", CATEGORIES)
    session.changed.connect(panel.refresh)
    qtbot.addWidget(panel)
    return panel


def problems_of(session):
    """Return what is to be set right, by field."""
    return {problem.field: problem.message for problem in problems(session.state)}


def test_data_without_numbers_are_asked_for_their_categories(session):
    assert (session.state.query, session.state.reads) == ("contingency-table", "categories")
    assert session.state.location == "columns smokes, children"
    assert set(problems_of(session)) == {"categories of smokes"}


def test_lists_are_shown_and_declared_elsewhere(session, panel):
    lists = {"smokes": ("true", "false"), "children": ("0", "1", "2", "2")}
    session.edit("list", categories=dataclasses.replace(session.state.data.categories, lists=lists))
    assert "is listed twice" in problems_of(session)["categories of children"]
    lists = {**lists, "children": ("0", "1", "2", "10")}
    session.edit("list", categories=dataclasses.replace(session.state.data.categories, lists=lists))
    assert problems_of(session) == {}
    assert selection(session.state).source.build().table.tolist() == [[1, 2, 0, 0], [0, 0, 1, 1]]
    shown = panel.elsewhere.text().split("<br>")
    assert shown[:2] == ["Categories of smokes: true, false", "Categories of children: 0, 1, 2, 10"]
    assert "Change on Data" in shown[2]
    session.undo_stack.undo()
    assert "0, 1, 2, 2" in panel.elsewhere.text()


def test_the_public_lists_are_lists():
    for labels in public_lists().values():
        assert parse_list(format_list(labels)) == labels
        assert len(set(labels)) == len(labels)


def test_lists_from_the_data_are_marked(session, panel):
    assert panel.warning.isHidden()
    looked = dataclasses.replace(session.state.data.categories, bounds_source="looked")
    session.edit("take the lists from the data", categories=looked)
    assert panel.warning.text().startswith("Categories taken from the data are not public")
    session.undo_stack.undo()
    assert panel.warning.isHidden()


def test_the_release_view_shows_no_private_facts(session, panel):
    session.show_view("release")
    assert panel.facts.text() == "n = 5"


def test_missing_values_are_dropped_only_when_somebody_says_so(session, panel, dataset):
    asked = []
    panel.chosen.connect(asked.append)
    panel.form.box("columns").menu.actions()[0].setChecked(True)
    panel.form.box("columns").menu.triggered.emit(panel.form.box("columns").menu.actions()[0])
    [fields] = asked
    assert fields["categories"].columns == ("sex", "smokes", "children")
    loaded = DESK.read(dataset, DESK.on_change(session.state, fields), silent)
    session.edit("choose", **loaded)
    lists = {"sex": ("f", "m"), "smokes": ("true", "false"), "children": ("0", "1", "2", "10")}
    session.edit("list", categories=dataclasses.replace(session.state.data.categories, lists=lists))
    assert set(problems_of(session)) == {"missing"}
    assert not panel.form.row("missing").isHidden()
    panel.form.box("missing").setCurrentIndex(panel.form.box("missing").findData("drop"))
    panel.form.box("missing").activated.emit(panel.form.box("missing").currentIndex())
    session.edit("drop", **DESK.read(dataset, asked[-1], silent))
    assert set(problems_of(session)) == {"missing"}  # how many are left tells how many lack a value
    assert selection(session.state).source.n == 4
    assert "1 row left out" in panel.facts.text()
    assert panel.badge.isVisibleTo(panel)
    panel.form.box("complete").type_in("5")
    assert set(problems_of(session)) == {"missing"}
    panel.form.box("complete").type_in("4")
    assert problems_of(session) == {}


def test_missing_values_are_filled_with_a_category_that_is_typed(session, panel, dataset):
    panel.chosen.connect(lambda fields: session.edit("choose", **DESK.read(dataset, fields, silent)))
    lists = {"sex": ("f", "m"), "smokes": ("true", "false"), "children": ("0", "1", "2", "10")}
    columns = ("sex", "smokes", "children")
    chosen = dataclasses.replace(session.state.data.categories, lists=lists, columns=columns, missing="drop")
    session.edit("choose", **DESK.read(dataset, {"categories": chosen}, silent))
    box, fill = panel.form.box("missing"), panel.form.box("fills")
    box.setCurrentIndex(box.findData("fill"))
    box.activated.emit(box.currentIndex())
    assert "stands for a missing value" in problems_of(session)["missing"]
    for typed, wrong in (("m : true", "one value for each"), ("m : maybe : 2", "is not on the list of")):
        fill.setText(typed)
        fill.editingFinished.emit()
        assert wrong in panel.form.row("missing").problem + problems_of(session).get("missing", "")
    fill.setText("m : true : 2")
    fill.editingFinished.emit()
    assert problems_of(session) == {}
    assert selection(session.state).source.n == 5
    assert "1 filled" in panel.facts.text()
    assert "n = 5" in panel.facts.text()


def test_values_that_no_list_has_are_refused_or_counted_as_other(session, panel):
    lists = {"smokes": ("true", "false"), "children": ("0", "1")}
    session.edit("list", categories=dataclasses.replace(session.state.data.categories, lists=lists))
    source = selection(session.state).source
    with pytest.raises(DataError, match="children"):
        source.build()
    panel.form.box("unseen").setCurrentIndex(panel.form.box("unseen").findData("other"))
    panel.form.box("unseen").activated.emit(panel.form.box("unseen").currentIndex())
    source = selection(session.state).source
    assert source.domain.labels[1] == ("0", "1", "other")
    assert source.build().table.sum() == 5
    assert source.same(selection(session.state).source)


def test_points_and_categories_wait_for_each_other():
    fields = read_example("histogram", "penguins", silent)
    session = Session()
    session.show_page("histogram")
    session.open_dataset(
        fields.dataset, "open", **DESK.after_read(session.state, fields.dataset, fields.fields)
    )
    assert (session.state.reads, len(session.state.coordinates)) == ("points", 4)
    points = session.state.data.points
    session.edit("ask", query="mode")
    assert session.state.coordinates == ("species", "island")
    assert not problems(session.state)
    session.edit("ask", query="histogram-recursive")
    assert session.state.data.points is points
    assert not problems(session.state)


def test_examples_bring_their_public_lists_and_nothing_of_other_data_stays():
    session = Session()
    session.show_page("histogram")
    for name, query in (("admissions", "contingency-table"), ("airports", "privtree")):
        found = read_example("histogram", name, silent)
        session.open_dataset(
            found.dataset, "open", **DESK.after_read(session.state, found.dataset, found.fields)
        )
        assert session.state.query == query
        assert not problems(session.state)
    assert session.state.data.categories == CategoryChoice()


def test_a_label_may_hold_a_comma_and_quotes():
    labels = ("Washington, D.C.", 'the "x"', "a;b")
    assert parse_list(format_list(labels)) == labels
    assert parse_list(" , ,") == ()


def test_a_column_without_a_list_says_so():
    with pytest.raises(ParameterError, match="choose the columns"):
        SessionState().at("histogram").replaced({"query": "mode"}).builder()

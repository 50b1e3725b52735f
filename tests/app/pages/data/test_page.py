"""The page "Data": the table once, public statements about it, and pages that follow."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QWidget
from scripts import python
from tables import ask_on, declare, open_table

from app.model.kinds.declared import identifiers
from app.model.pages.registry import PAGE_KINDS
from app.model.questions import ReleasedQuestion
from app.model.selection import selection
from app.model.wording.numbers import quantity
from app.pages.data.column_bars import ColumnTile, ColumnTiles
from app.pages.data.column_row import GROUPS, IDENTIFIER, NOT_PUBLIC
from app.panels.reading_preview import ReadingPreviewDialog
from app.widgets.card import PUBLIC_DATA
from app.widgets.column_finder import select
from engine.data import Column
from engine.questions.declarations import ColumnDeclaration
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")

ROWS = [("p1", 10, 30, "Sales"), ("p1", 30, 41, "IT"), ("p2", "", 52, "Sales"), ("p3", 70, 63, "HR")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a table of persons with two rows each, one salary missing."""
    path = tmp_path / "staff.csv"
    lines = [",".join(map(str, row)) for row in ROWS * 10]
    path.write_text("person,salary,age,team\n" + "\n".join(lines), "utf-8")
    return path


def combine(window: Any, person: str, rule: str = "mean") -> None:
    """State that a record is a person."""
    card = window.page.record
    card.kind.setCurrentIndex(1)
    card.kind.activated.emit(1)
    select(card.person, person)
    card.person.activated.emit(card.person.currentIndex())
    assert window.wait_until_idle()
    card.rule.setCurrentIndex(card.rule.findData(rule))
    card.rule.activated.emit(card.rule.currentIndex())
    assert window.wait_until_idle()


def test_an_audience_sees_each_column_with_its_public_facts(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    declare(shared, "salary", lower=0, upper=100, unit="$")
    declare(shared, "team", categories=("Sales", "IT", "HR"))
    shared.controllers.appearance.set_presentation(True)
    assert shared.wait_until_idle()
    assert not any(
        one.isVisible() for one in (page.columns, page.record, page.tools[0], shared.body.navigation)
    )
    assert page.head.badge.isVisible()
    assert shared.body.sentence.isVisible()
    text = "40 rows, one record each. Ready for questions: 2 of 4 columns."
    assert shared.body.sentence.text() == text
    tiles = {tile.name: tile for tile in page.tiles.tiles}
    assert tiles["salary"].labels == ("0", "50", quantity(100.0, "$"))
    assert [name for name, tile in tiles.items() if tile.is_scale] == ["salary"]
    assert sum(tiles["team"].bars) == 40  # rows, not shares
    assert tiles["salary"].missing == "10 missing"
    assert tiles["team"].labels == ("Sales", "IT", "HR")
    assert tiles["age"].labels == (NOT_PUBLIC,)
    assert all(tile.bars for tile in tiles.values())
    area = page.tiles.width() * page.tiles.height()
    assert area >= 0.65 * shared.width() * shared.height()
    page.tiles.grab()  # draws them
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    assert not any(tile.bars or tile.missing for tile in page.tiles.tiles)
    shared.session.show_view("curator")
    shared.controllers.appearance.set_presentation(False)
    assert shared.wait_until_idle()
    assert page.columns.isVisible()
    assert not page.tiles.isVisible()


def test_only_the_curator_sees_how_many_rows_persons_have(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    assert page.headline.startswith("40 rows, one record each.")
    combine(shared, "person")
    assert page.headline.startswith("40 rows, one record per person.")
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    assert page.headline.startswith("One record per person. ")
    assert page.facts.text().startswith("4 columns · n = 3 persons (public)")
    shared.session.show_view("curator")


@pytest.mark.parametrize("bars", [(1.0, 0.5), (0.0, 0.0), (2.0, 3.0)])
def test_columns_without_room_or_rows_have_no_scale(qtbot: Any, bars: tuple[float, float]) -> None:
    tiles = ColumnTiles()
    qtbot.addWidget(tiles)
    tiles.show_tiles([ColumnTile("age", (NOT_PUBLIC,), "3 missing", bars)] * 3)
    for size in ((300, 2), (0, 300), (300, 200)):
        tiles.resize(*size)
        tiles.grab()


def test_a_table_is_opened_once_and_described(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    assert list(page.rows) == ["person", "salary", "age", "team"]
    assert page.head.title == "staff.csv"
    assert page.facts.text().startswith("40 rows, 4 columns · n is public · read as text")
    assert page.rows["salary"].lacking.text() == "10 missing"
    assert page.rows["person"].lacking.text() == "none missing"
    assert page.record.kind.currentText() == "one row"
    assert all(row.bars.bars for row in page.rows.values())
    assert page.head.badge.isVisible()
    assert shared.property(PUBLIC_DATA) is False
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    assert not any(row.bars.bars or row.lacking.isVisible() for row in page.rows.values())
    assert "10" not in page.facts.text()


def test_a_unit_reaches_pages_questions_and_reports(window: Any, file: Path) -> None:
    page = open_table(window, file)
    declare(window, "salary", lower=0, upper=100)
    declare(window, "age", lower=0, upper=120)
    ask_on(window, "median")
    window.session.show_page("data")
    page.rows["salary"].unit.setText("CHF")
    page.rows["salary"].unit.editingFinished.emit()
    ask_on(window, "median")
    state = window.session.state
    assert state.unit == "CHF"
    form = window.body.column.data.form
    bounds = next(editor for editor in form.editors if hasattr(editor, "unit"))
    assert bounds.unit.text() == "CHF"
    assert window.page.strip.canvas.picture.unit == "CHF"
    assert window.page.canvas.picture.unit == "CHF"
    asked = ReleasedQuestion(state.table, read_question("median of salary"), state.declarations)
    assert asked.unit == "CHF"
    assert dict(state.kind.report(state.read_data, state.dataset))["Declared bounds"] == "0 to 100\u202fCHF"
    ask_on(window, "clustering")
    assert selection(window.session.state).source.units == ("CHF", "")
    window.session.show_page("data")
    page.rows["salary"].unit.setText("")
    page.rows["salary"].unit.editingFinished.emit()
    ask_on(window, "clustering")
    assert selection(window.session.state).source.units == ("", "")


def test_pages_take_declared_columns_and_bounds(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    page.rows["age"].facts.lower_box.type_in("15")
    page.rows["age"].facts.upper_box.type_in("100")
    page.rows["team"].facts.type_in("Sales, IT, HR")
    ask_on(shared, "median")
    state = shared.session.state
    assert (state.dataset, state.data.column) == (state.table, "age")
    assert (state.data.lower, state.data.upper, state.data.missing) == (15, 100, "refuse")
    assert state.size_problem is None
    ask_on(shared, "histogram")
    state = shared.session.state
    assert state.data.columns == ("age",)
    assert state.data.categories.lists == {"team": ("Sales", "IT", "HR")}
    ask_on(shared, "clustering")  # one column is no point
    panel = shared.body.column.data
    assert shared.session.state.dataset.example
    assert "not two columns have public bounds" in panel.elsewhere.text()
    panel.elsewhere.linkActivated.emit("data")
    assert shared.wait_until_idle()
    assert shared.session.state.workspace == "data"


def test_a_declared_column_leads_to_questions(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    assert not page.questions_button.isEnabled()
    declare(shared, "age", lower=15, upper=100)
    assert page.questions_button.isEnabled()
    page.questions_button.click()
    assert shared.session.state.workspace == "questions"


def test_values_that_are_not_listed_are_a_group_or_left_out(shared: Any, file: Path) -> None:
    row = open_table(shared, file).rows["team"]
    assert not row.other_action.isVisible()
    row.facts.type_in("Sales, IT")
    assert row.other_action.isVisible()
    assert row.other_action.isChecked()
    row.other_action.trigger()
    declared = shared.session.state.declarations.column("team")
    assert declared.domain.labels == (("Sales", "IT"),)
    shared.session.stacks.undo()
    assert row.other_action.isChecked()


def test_bounds_on_a_page_are_those_on_data(shared: Any, file: Path) -> None:
    open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    declare(shared, "salary", lower=0, upper=100)
    ask_on(shared, "clustering")
    ask_on(shared, "median")
    assert shared.session.state.data.column == "salary"
    shared.body.column.data.form.box("upper").type_in("500")
    assert shared.session.state.declarations.column("salary").upper == 500
    assert shared.session.state.at("clustering").data.bounds["salary"] == (0, 500)
    shared.session.stacks.undo()
    assert shared.session.state.declarations.column("salary").upper == 100
    assert shared.session.state.data.upper == 100
    assert shared.session.state.at("clustering").data.bounds["salary"] == (0, 100)


def test_another_column_of_a_page_has_its_declared_bounds(shared: Any, file: Path) -> None:
    open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    declare(shared, "salary", lower=0, upper=100)
    ask_on(shared, "median")
    shared.controllers.data.choose(column="age")
    assert shared.wait_until_idle()
    data = shared.session.state.data
    assert (data.column, data.lower, data.upper) == ("age", 15, 100)
    shared.controllers.data.choose(column="salary")
    assert shared.wait_until_idle()
    assert shared.session.state.data.missing == "drop"  # as declared: rows without a value are left out
    assert shared.session.state.size_problem is not None


def test_missing_values_are_treated_as_declared(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    declare(shared, "salary", lower=0, upper=100)
    ask_on(shared, "median")
    assert shared.session.state.data.n == 30
    ask_on(shared, "data")
    row = page.rows["salary"]
    row.missing.setCurrentIndex(row.missing.findData("fill"))
    row.missing.activated.emit(row.missing.currentIndex())
    row.fill.setText("x")
    row.fill.editingFinished.emit()
    assert "is not a number" in row.problem.text()
    row.fill.setText("20")
    row.fill.editingFinished.emit()
    assert not row.problem.text()
    ask_on(shared, "median")
    data = shared.session.state.data
    assert (data.missing, data.fills, data.n) == ("fill", {"salary": 20.0}, 40)
    assert shared.session.state.size_problem is None


def test_crossed_bounds_are_shown_and_not_used(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    row = page.rows["age"]
    row.facts.lower_box.type_in("100")
    row.facts.upper_box.type_in("15")
    assert row.problem.text() == "The lower bound must be below the upper bound"
    ask_on(shared, "median")
    assert shared.session.state.dataset is not shared.session.state.table


def test_facts_from_the_data_are_marked(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    for name in ("age", "team"):
        page.rows[name].look_requested.emit()
        assert shared.wait_until_idle()
    declarations = shared.session.state.declarations
    age, team = declarations.column("age"), declarations.column("team")
    assert (age.lower, age.upper, age.source) == (30, 63, "looked")
    assert (team.categories, team.source) == (("HR", "IT", "Sales"), "looked")
    assert page.looked.isVisible()
    ask_on(shared, "median")
    assert shared.session.state.looked


def test_a_record_can_be_a_person(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    combine(shared, "person", "sum")
    assert "n = 3 persons (public)" in page.facts.text()
    assert "protect a whole person" in page.record.note.text()
    ask_on(shared, "median")
    state = shared.session.state
    assert (state.data.n, state.dataset.persons) == (3, ("person", "sum"))
    assert state.follows_table
    ask_on(shared, "data")
    page.record.rule.setCurrentIndex(page.record.rule.findData("most"))
    page.record.rule.activated.emit(page.record.rule.currentIndex())
    assert shared.session.state.declarations.most_rows == 5
    assert "costs a person 5 ε" in page.record.note.text()
    assert shared.session.state.records is None  # pages promise privacy to one record
    for _ in range(4):
        shared.session.stacks.undo()
        assert shared.wait_until_idle()
    assert shared.session.state.declarations.person == ""


def test_a_script_combines_the_rows_of_each_person(shared: Any, file: Path) -> None:
    open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    combine(shared, "person", "sum")
    ask_on(shared, "median")
    script = python(shared.session.state)
    assert "from sensiscope.engine.data.rows import combine_rows" in script
    names: dict[str, Any] = {}
    exec(script, names)
    assert names["n"] == 3


def test_a_column_of_text_names_the_value_that_is_no_number(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    page.rows["team"].numbers_requested.emit()
    assert shared.wait_until_idle()
    [message] = shared.body.messages.texts()
    assert "row 2" in message
    assert "Sales" in message
    shared.body.messages.clear()
    shared.session.show_view("release")
    page.rows["team"].numbers_requested.emit()
    assert shared.wait_until_idle()
    [message] = shared.body.messages.texts()
    assert "Sales" not in message


def test_the_groups_of_a_column_can_be_public(shared: Any, file: Path) -> None:
    page = open_table(shared, file)
    page.rows["team"].members.click()
    assert shared.session.state.declarations.public_groups == frozenset({"team"})
    shared.session.stacks.undo()
    assert not page.rows["team"].members.isChecked()


def test_tab_goes_down_the_bounds(shared: Any, file: Path, qtbot: Any) -> None:
    page = open_table(shared, file)
    shared.activateWindow()
    qtbot.waitUntil(shared.isActiveWindow)
    seen: list[QWidget] = []
    page.rows["salary"].facts.lower_box.setFocus()
    for _ in range(4):
        seen.append(shared.focusWidget())
        qtbot.keyClick(shared.focusWidget(), Qt.Key.Key_Tab)
    salary, age = page.rows["salary"].facts, page.rows["age"].facts
    assert seen == [salary.lower_box, salary.upper_box, age.lower_box, age.upper_box]


def test_opening_a_table_can_be_undone(shared: Any, file: Path) -> None:
    open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    ask_on(shared, "median")
    while shared.session.undo_stack.canUndo():
        shared.session.stacks.undo()
        assert shared.wait_until_idle()
    state = shared.session.state
    assert (state.table, state.dataset.title) == (None, "data.csv")
    assert shared.session.undo_stack.canRedo()


def test_an_example_is_a_table_with_the_facts_on_its_card(shared: Any) -> None:
    shared.session.show_page("data")
    shared.page.opening.example_chosen.emit("penguins")
    assert shared.wait_until_idle()
    state = shared.session.state
    assert state.table.example == "penguins"
    assert state.declarations.column("species").categories
    assert shared.property(PUBLIC_DATA) is True
    ask_on(shared, "histogram")
    assert shared.session.state.follows_table


def test_an_identifier_has_no_picture_and_no_bounds(shared: Any) -> None:
    shared.session.show_page("data")
    shared.page.opening.example_chosen.emit("karate")
    assert shared.wait_until_idle()
    rows = shared.page.rows
    assert [name for name, row in rows.items() if row.identifies] == ["source", "target"]
    assert [name for name, row in rows.items() if row.bars.bars] == ["weight"]
    assert rows["source"].tile(curator=True).labels == (IDENTIFIER,)
    assert rows["source"].unit.isHidden()  # it has categories
    assert rows["source"].source.isHidden()
    box = rows["source"].facts.box
    assert (box.placeholderText(), box.isEnabled(), rows["source"].facts.fill.isEnabled()) == (
        "none needed",
        False,
        False,
    )
    assert shared.page.record.kind.currentText() == "one row: an edge"
    heading = shared.page._headings[GROUPS]
    assert not heading.isVisible()
    rows["source"]._kind_action.trigger()
    assert box.isEnabled()
    rows["source"].facts.type_in("1, 2")
    assert shared.session.state.declarations.column("source").categories == ("1", "2")
    assert rows["source"].source.isVisible()
    assert heading.isVisible()
    assert rows["weight"].facts.boxes[0].value == 0
    columns = [Column(name, "number", 0) for name in ("target", "staffId", "age")]
    assert identifiers(columns) == {"staffId"}  # a target without a source may be a quantity


def test_a_doubtful_file_is_shown_before_it_is_taken(shared: Any, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n4.7,3.2,Iris-setosa\n", "utf-8")
    shared.controllers.files.open_path(path)
    assert shared.wait_until_idle()
    dialog = shared.controllers.imports.dialog
    assert type(dialog) is ReadingPreviewDialog
    assert not dialog.open_button.isEnabled()
    dialog.record_button.click()
    assert shared.wait_until_idle()
    assert shared.controllers.imports.dialog is None
    assert shared.session.state.table.table.n == 3


def test_lessons_leave_the_table_alone(shared: Any, file: Path) -> None:
    from app.lessons.reading import read_lesson
    from engine.resources import resource

    open_table(shared, file)
    declare(shared, "age", lower=15, upper=100)
    before = shared.session.state
    shared.controllers.lessons.player.start(read_lesson(resource("lessons", "global-sensitivity.toml")))
    assert shared.wait_until_idle()
    assert shared.session.state.table is before.table
    assert shared.session.state.dataset.example
    assert not shared.body.column.data.elsewhere.text()
    shared.controllers.lessons.player.leave()
    assert shared.wait_until_idle()
    assert shared.session.state.declarations == before.declarations


@pytest.mark.slow
def test_the_table_comes_back_with_the_next_window(window_on: Any, window_of: Any, file: Path) -> None:
    from app.session import Session

    store = QSettings(str(file.parent / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on(settings=store)
    open_table(window, file)
    declare(window, "age", lower=15, upper=100)
    ask_on(window, "median")
    window.close()
    again = window_of(Session(), settings=store)
    state = again.session.state
    assert state.table.path == file
    assert state.declarations.column("age") == ColumnDeclaration("age", lower=15, upper=100)
    assert state.follows_table


def test_every_page_says_whether_it_follows() -> None:
    follows = {page: data.follows for page, data in PAGE_KINDS.items()}
    assert not follows.pop("spanning-tree")
    assert all(follows.values())

"""The table of the data: sorted, filtered, edited, and seen in the Curator view alone."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from PySide6.QtCore import Qt

from app.model.data_table import Arrangement, DataTable, arranged, row_conditions
from engine.data.rows import all_hold, read_row_condition
from engine.progress import silent
from engine.questions.question import Question
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def dialog(shared):
    shared.actions_by_name["data_table"].trigger()
    assert shared.wait_until_idle()
    return shared.controllers.data_table.dialog


def column(dialog):
    model = dialog.model
    return [float(model.index(row, 0).data()) for row in range(model.rowCount())]


def ask(window, dialog, text):
    dialog.condition.setText(text)
    dialog.filter()
    assert window.wait_until_idle()


def test_records_are_sorted_and_filtered(shared, dialog):
    values = column(dialog)
    assert len(values) == 101
    assert dialog.count.text() == "101 records"
    dialog.view.horizontalHeader().setSortIndicator(0, Qt.SortOrder.DescendingOrder)
    assert shared.wait_until_idle()
    assert column(dialog) == sorted(values, reverse=True)
    ask(shared, dialog, "10..31.25")
    assert column(dialog) == sorted((one for one in values if 10 <= one <= 31.25), reverse=True)
    assert "of 101 records" in dialog.count.text()
    assert "median" in dialog.summary.text()
    ask(shared, dialog, "> ten")
    assert "not a number" in dialog.problem.text()
    dialog.clear.click()
    assert shared.wait_until_idle()
    assert column(dialog) == sorted(values, reverse=True)
    dialog.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    assert shared.wait_until_idle()
    assert column(dialog) == values


def test_a_value_is_changed_as_a_dot_is_moved_and_undone(shared, dialog):
    session = shared.session
    ask(shared, dialog, "31.25")
    assert dialog.model.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.DisplayRole) == "51"
    assert dialog.model.setData(dialog.model.index(0, 0), "420", Qt.ItemDataRole.EditRole)
    assert session.state.data.modified_values == {50: 100.0}  # within the bounds, as on the strip
    assert shared.wait_until_idle()
    assert dialog.model.rowCount() == 0  # it meets the condition no more
    session.stacks.undo()
    assert shared.wait_until_idle()
    assert column(dialog) == [31.25]


def click(qtbot, dialog, row):
    cell = dialog.view.visualRect(dialog.model.index(row, 0)).center()
    qtbot.mouseClick(dialog.view.viewport(), Qt.MouseButton.LeftButton, pos=cell)


def test_a_clicked_record_is_audited_if_the_audit_is_open(shared, dialog, qtbot):
    choice = shared.page.card.audit.choice
    click(qtbot, dialog, 3)
    assert shared.page.card.audit.choice == choice
    shared.page.show_tab("audit")
    assert shared.wait_until_idle()
    qtbot.keyClick(dialog.view, Qt.Key.Key_Down)
    assert dialog.view.currentIndex().row() == 4
    assert not shared.page.card.audit.choice.value
    click(qtbot, dialog, 2)
    moved = shared.page.card.audit.choice
    assert (moved.pair, moved.record, moved.value) == ("moved", 2, "100")
    shared.page.show_tab("k")


def test_the_record_of_the_keyboard_is_pointed_at(shared, dialog):
    dialog.view.horizontalHeader().setSortIndicator(0, Qt.SortOrder.DescendingOrder)
    assert shared.wait_until_idle()
    dialog.view.setCurrentIndex(dialog.model.index(1, 0))
    strip = shared.page.parts[0].canvas
    assert shared.session.pointer.pointed.record == 99
    assert strip.picture.mark.position[0] == pytest.approx(column(dialog)[1])
    dialog.close()
    assert shared.session.pointer.pointed is None
    assert strip.picture.mark.position is None


def test_letters_do_not_have_all_records_looked_through(qtbot, dialog):
    """Qt would ask for each of a million cells, in one turn of the window."""
    first = dialog.model.index(0, 0)
    dialog.view.setCurrentIndex(first)
    for table in (dialog.view, dialog.view.horizontalHeader()):
        qtbot.keyClick(table, Qt.Key.Key_Space)
        qtbot.keyClick(table, dialog.model.index(3, 0).data()[0])
    assert dialog.view.currentIndex() == first


def test_the_release_view_has_no_such_table(shared, dialog):
    shared.session.show_view("release")
    assert shared.controllers.data_table.dialog is None
    action = shared.actions_by_name["data_table"]
    assert not action.isEnabled()
    shared.controllers.data_table.show()
    assert shared.controllers.data_table.dialog is None
    assert not shared.body.column.data.table_button.isVisible()


def test_rows_without_a_value_are_no_records(dataset):
    data = dataset(x=pa.array([1.0, None, 3.0, 4.0]), name=pa.array(["a", "b", None, "d"]))
    table = DataTable(data, ("x",), "x", {1: 9.0})
    assert [table.record(row) for row in range(4)] == [0, None, 1, 2]
    assert [table.cell(row, 0) for row in range(4)] == [1.0, None, 9.0, 4.0]
    filled = DataTable(data, ("x",), "x", {1: 9.0}, drops=False)
    assert [filled.record(row) for row in range(4)] == [0, 1, 2, 3]
    assert np.array_equal(table.browser.values("x"), [1.0, np.nan, 9.0, 4.0], equal_nan=True)


@pytest.mark.parametrize(
    "conditions",
    [
        {"x": "-1.5..2"},
        {"x": "> 0.1 and != 2 or empty"},
        {"my text": "= a or = c"},
        {"my text": "not empty", "x": "<= 2"},
        {"yes": "= true"},
        {"day": "2024-01-02..2024-01-03"},
    ],
    ids=str,
)
def test_a_question_asks_about_the_rows_that_the_filter_shows(dataset, conditions):
    table = DataTable(
        dataset(
            **{
                "x": pa.array([-2.0, -1.5, 0.1, 2.0, None, 3.0]),
                "my text": pa.array(["a and b", "c", 'say "d"', None, "a", "c"]),
                "yes": pa.array([True, False, None, True, True, False]),
                "day": pa.array([date(2024, 1, 1 + index) for index in range(6)]),
            }
        ),
        (),
        "",
        {},
    )
    shown = arranged(table, Arrangement(conditions), silent).rows
    asked = Question("count", where=row_conditions(table, conditions))
    parsed = read_question(asked.as_text(), table.dataset.table.data.column_names)
    holds = all_hold(map(read_row_condition, parsed.where), table.dataset.table)
    assert np.flatnonzero(holds).tolist() == shown.tolist()
    assert 0 < len(shown) < 6

"""What is half typed belongs to what was open when it was typed, whatever is opened next."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import createdByPython

from app.widgets.column_facts import LabelsLine
from app.widgets.dialogs import FileDialog
from app.widgets.number_box import NumberBox

pytestmark = pytest.mark.usefixtures("undrawn")


def type_into(window, name, text):
    """Begin to type into a box of the form that is open."""
    boxes = window.body.column.findChildren(NumberBox)
    box = next(box for box in boxes if box.accessibleName() == name and box.isVisible())
    window.activateWindow()
    box.setFocus()
    assert QApplication.focusWidget() is box
    box.lineEdit().selectAll()
    QTest.keyClicks(box, text)
    return box


@pytest.mark.parametrize("page", ["histogram", "compare"])
@pytest.mark.parametrize(
    ("box", "field", "value"),
    [("Upper bound", "upper", 1e308), ("Resolution of released values", "resolution", 0.5)],
)
def test_a_page_is_left_with_what_is_half_typed_there(window, page, box, field, value):
    session = window.session
    window.body.column.release.tuning_button.setChecked(True)
    type_into(window, box, f"{value}")
    elsewhere = session.state.other_pages
    session.show_page(page)
    assert window.wait_until_idle(30_000)
    assert session.state.at("median").value(field) == value
    assert {name: fields for name, fields in session.state.other_pages.items() if name != "median"} == {
        name: fields for name, fields in elsewhere.items() if name != "median"
    }
    assert len(session.stacks.describe_steps()) == 1
    session.stacks.undo()
    assert window.wait_until_idle(30_000)
    assert session.state.page == "median"
    assert session.state.value(field) != value


def test_undo_undoes_what_is_half_typed(window):
    session = window.session
    upper = session.state.data.upper
    session.edit("change epsilon", epsilon=2.0)
    type_into(window, "Upper bound", "90")
    session.stacks.undo()
    assert session.state.data.upper == upper
    assert session.state.epsilon == 2.0
    session.stacks.redo()
    assert session.state.data.upper == 90


def test_other_data_do_not_get_what_is_half_typed(window, dataset):
    session = window.session
    type_into(window, "Upper bound", "90")
    table = dataset("other.csv", x=[1.0, 2.0])
    fields = {"column": "x", "numbers": table.table.numbers("x"), "lower": 0.0, "upper": 5.0}
    session.open_dataset(table, "open", **fields)
    assert window.wait_until_idle()
    assert session.state.data.upper == 5.0
    session.stacks.undo()
    assert window.wait_until_idle()
    assert session.state.data.upper == 90


def test_a_box_that_is_hidden_meanwhile_says_nothing(qtbot):
    form = QWidget()
    qtbot.addWidget(form)
    part = QWidget(form)
    box = NumberBox("Epsilon", parent=part)
    NumberBox("Delta", parent=form)
    box.set_value(1.0)
    heard = []
    box.edited.connect(lambda *edited: heard.append(edited))
    form.show()
    form.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.lineEdit().selectAll()
    QTest.keyClicks(box, "2")
    part.hide()
    assert not box.hasFocus()
    assert not heard
    assert box.lineEdit().text() == "1"


def test_an_edit_that_makes_no_sense_fails_before_qt_hears_of_it(window):
    """In Qt an exception would be the end of the program."""
    state = window.session.state
    with pytest.raises(TypeError, match="nonsense"):
        window.session.edit("change nonsense", nonsense=1.0)
    assert window.session.state is state
    assert window.session.undo_stack.count() == 0


def test_nothing_is_styled_that_qt_has_made_and_may_delete(window):
    assert all(map(createdByPython, window.body.parts))
    assert not any(map(createdByPython, window.body.bars))


@pytest.mark.parametrize("opened", ["menu", "dialog"])
def test_a_menu_and_a_dialog_of_a_form_close_when_its_page_is_left(window, opened):
    """A page that is chosen opens some turns later; a menu may be opened on the one before until then."""
    session = window.session
    window.controllers.data.open_table_example("admissions")
    assert window.wait_until_idle(30_000)
    lines = [row.facts for row in window.page.rows.values() if isinstance(row.facts, LabelsLine)]
    line = next(one for one in lines if one.fill.isVisible())
    line.menu.popup(line.fill.mapToGlobal(line.fill.rect().bottomLeft()))
    shown = line.menu
    if opened == "dialog":
        line.menu.actions()[0].trigger()
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, FileDialog)
        line.menu.close()
    assert shown.isVisible()
    session.show_page("median")
    before = session.state
    assert not shown.isVisible()
    assert QApplication.activePopupWidget() is None
    assert QApplication.activeModalWidget() is None
    assert window.wait_until_idle(30_000)
    assert session.state == before

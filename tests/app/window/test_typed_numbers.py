"""A number typed in the window is the one that its user means, or nothing runs."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.model.kinds.column import ColumnBuilder
from app.model.kinds.points import PointsBuilder
from app.model.wording.numbers import THIN, current, use
from engine.domain import Box, Interval
from engine.errors import ParameterError

pytestmark = pytest.mark.usefixtures("undrawn")

DOUBT = f"'1,234' can mean 1.234 or 1{THIN}234; write one of these"


@pytest.fixture
def window(window_on):
    window = window_on([1234.5] * 201, 0.0, 9999.5)
    assert current().group == THIN
    return window


def test_bounds_are_read_with_either_decimal_sign(window):
    boxes = window.body.column.data.form
    for name in ("si", "comma", "english"):
        window.settings.change(numbers=name)
        for text, value in (("1.234,5", 1234.5), ("600.000,00", 600_000.0), ("9 999,5", 9999.5)):
            boxes.box("upper").type_in(text)
            assert window.session.state.data.upper == value
    use("si")


def test_an_ambiguous_bound_stops_run_and_stays_in_its_field(window):
    form, run = window.body.column.data.form, window.controllers.run
    form.box("upper").type_in("1,234")
    assert form.row("upper").problem == DOUBT
    window.session.edit("change epsilon", epsilon=2.0)
    assert (form.box("upper").text(), form.row("upper").problem) == ("1,234", DOUBT)
    run.start()
    run.use_form()
    assert window.wait_until_idle()
    assert not window.session.state.releases
    assert window.session.state.data.upper == 9999.5
    form.box("upper").type_in("1234")
    assert (form.row("upper").problem, window.session.state.data.upper) == ("", 1234.0)
    run.start()
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 1


def test_run_takes_the_number_that_is_being_typed(window, qtbot):
    box = window.body.column.privacy.epsilon
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "2,5")
    assert window.session.state.epsilon == 1.0
    qtbot.keyClick(box, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    window.controllers.run.start()
    assert window.wait_until_idle()
    assert window.session.state.epsilon == 2.5
    assert {record.release.privacy.epsilon for record in window.session.state.releases} == {2.5}


def test_new_values_of_a_record_are_read_alike():
    column = ColumnBuilder(np.zeros(3), {}, Interval(0, 1))
    points = PointsBuilder(np.zeros((3, 2)), ("x", "y"), ("", ""), Box((Interval(0, 1), Interval(0, 2000))))
    assert column.record("1.234,5") == 1234.5
    assert points.record("0,5 : 1.234,5") == [0.5, 1234.5]
    for record in (column.record, lambda text: points.record(f"0 : {text}")):
        with pytest.raises(ParameterError) as caught:
            record("1,234")
        assert caught.value.problem == DOUBT


def test_conditions_and_cells_of_the_table_are_read_alike(window):
    window.actions_by_name["data_table"].trigger()
    dialog = window.controllers.data_table.dialog
    dialog.condition.setText("> 1,234")
    dialog.filter()
    assert dialog.problem.text() == f"{DOUBT}."
    assert not dialog.model.setData(dialog.model.index(0, 0), "1,234", Qt.ItemDataRole.EditRole)
    assert dialog.problem.text() == DOUBT
    assert dialog.model.setData(dialog.model.index(0, 0), "1.234,75", Qt.ItemDataRole.EditRole)
    assert window.session.state.data.modified_values == {0: 1234.75}

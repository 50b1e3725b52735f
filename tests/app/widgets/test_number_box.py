"""Numbers as users type them."""

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.model.wording.numbers import THIN, format_exact, format_like
from app.widgets.form_row import FormRow
from app.widgets.number_box import LogSlider, NumberBox, refused_box


@pytest.fixture
def box(qtbot):
    made = NumberBox("Epsilon", logarithmic=True, lower=0.0)
    qtbot.addWidget(made)
    made.set_value(1.0)
    made.heard = []
    made.edited.connect(lambda value, continuous: made.heard.append((value, continuous)))
    return made


def test_digits_fit_the_domain():
    assert format_like(48139.27, 500_000, "$") == f"48{THIN}139 $"
    assert format_like(3.14159, 1.0) == "3.1416"
    assert format_exact(None) == ""


def test_a_typed_number_is_announced_once(box):
    box.type_in("0.5")
    box.type_in("0.5")
    assert box.heard == [(0.5, False)]


def test_arrow_keys_move_by_a_ratio_and_say_that_they_go_on(box, qtbot):
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.heard == [(1.3, True)]


def test_a_refused_text_stays_until_it_is_corrected(box):
    told, corrected = [], []
    box.refused.connect(told.append)
    box.corrected.connect(lambda: corrected.append(box.value))
    box.type_in("lots")
    assert (box.text(), box.value, box.heard) == ("lots", None, [])
    assert told == [box.refusal]
    box.set_value(1.0)  # the window shows the same state again
    assert (box.text(), box.refusal) == ("lots", told[0])
    box.stepBy(1)
    assert box.text() == "lots"
    box.type_in("1")
    assert (box.value, box.refusal, corrected, box.heard) == (1.0, "", [1.0], [(1.0, False)])


def test_a_refused_text_goes_with_the_value_that_it_was_to_replace(box):
    box.type_in("1,234")
    box.set_value(2.0)
    assert (box.text(), box.value, box.refusal) == ("2", 2.0, "")
    box.type_in("1,234")
    box.type_in("")
    assert (box.text(), box.value, box.refusal) == ("2", 2.0, "")
    box.show()
    box.type_in("1,234")
    box.hide()
    assert (box.text(), box.value, box.refusal) == ("2", 2.0, "")


def test_no_empty_value_replaces_a_refused_text(box):
    box.type_in("1,234")
    box.set_value(None)
    assert (box.text(), box.value) == ("1,234", None)
    box.hide()
    box.type_in("")
    assert (box.text(), box.value, box.refusal) == ("", None, "")


def test_the_message_stands_beside_the_field_while_the_text_does(qtbot):
    box = NumberBox("Epsilon")
    row = FormRow("&Epsilon", box)
    qtbot.addWidget(row)
    row.show()
    row.show_problem("too large")
    box.type_in("1,234")
    assert row.problem == f"'1,234' can mean 1.234 or 1{THIN}234; write one of these"
    row.settle()
    row.show_problem("")
    assert row.problem.startswith("'1,234' can mean")
    assert box.property("wrong")
    assert refused_box(row) is box
    box.type_in("1.234")
    assert (row.problem, box.property("wrong"), refused_box(row)) == ("", False, None)


@pytest.mark.parametrize("way", ["Enter", "Tab", "paste"])
def test_keys_and_clipboard_are_read_alike(box, qtbot, way):
    box.show()
    box.selectAll()
    if way == "paste":
        QGuiApplication.clipboard().setText("1.234,5")
        box.lineEdit().paste()
    else:
        qtbot.keyClicks(box, "1.234,5")
    qtbot.keyClick(box, Qt.Key.Key_Tab if way == "Tab" else Qt.Key.Key_Return)
    if way == "Tab":
        box.editingFinished.emit()  # no other widget takes the focus here
    assert box.value == 1234.5


def test_numbers_that_make_no_sense_are_passed_on_to_be_explained(box):
    box.type_in("-1")
    assert box.heard == [(-1.0, False)]


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "10^400", "infinity"])
def test_what_is_no_finite_number_gets_no_further(box, text):
    told = []
    box.refused.connect(told.append)
    box.type_in(text)
    assert (box.value, box.text(), box.heard, len(told)) == (None, text, [], 1)


def test_a_whole_number_is_small_enough_to_be_exact(qtbot):
    box = NumberBox("Blocks", whole=True)
    qtbot.addWidget(box)
    told = []
    box.refused.connect(told.append)
    box.set_value(3.0)
    box.type_in("1e308")
    assert (box.value, box.text(), len(told)) == (None, "1e308", 1)
    box.set_value(2.0**53 - 1)
    box.stepBy(10)
    assert box.value == 2.0**53


@pytest.mark.parametrize("value", [5e-324, 1e-320, 1.0, -1.7e308, 1.7e308])
@pytest.mark.parametrize("form", [{}, {"logarithmic": True}, {"step": 0.01}, {"lower": 0.0, "upper": 1e300}])
def test_steps_from_any_number_end_at_a_finite_one(qtbot, value, form):
    box = NumberBox("Value", **form)
    qtbot.addWidget(box)
    for steps in (1, 1000, -1000, 2**31 - 1, -(2**31)):
        box.set_value(value)
        box.stepBy(steps)
        assert math.isfinite(box.value)


def test_an_empty_box_has_no_value_and_no_steps(qtbot):
    box = NumberBox("Lower bound")
    qtbot.addWidget(box)
    box.stepBy(1)
    assert box.value is None
    assert box.text() == ""


def test_only_an_optional_box_can_be_emptied(box, qtbot):
    box.type_in("")
    assert (box.value, box.text()) == (1.0, "1")
    optional = NumberBox("Resolution", optional=True)
    qtbot.addWidget(optional)
    cleared = []
    optional.cleared.connect(lambda: cleared.append(optional.value))
    optional.set_value(2.0)
    optional.type_in("")
    optional.type_in("")
    assert (optional.value, optional.text(), cleared) == (None, "", [None])


def test_the_slider_covers_its_decades_and_is_silent_when_set(qtbot):
    slider = LogSlider("Epsilon", 0.01, 10.0)
    qtbot.addWidget(slider)
    moved = []
    slider.moved.connect(moved.append)
    slider.show_value(1.0)
    assert not moved
    slider.setValue(slider.maximum())
    slider.setValue(slider.minimum())
    assert moved == [10.0, 0.01]


def test_a_slider_stands_at_its_end_for_numbers_beyond_it(qtbot):
    slider = LogSlider("Epsilon", 0.01, 10.0)
    qtbot.addWidget(slider)
    slider.show_value(1e308)
    assert slider.value() == slider.maximum()

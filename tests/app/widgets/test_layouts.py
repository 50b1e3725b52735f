"""A stack asks for the room of the widget in sight, whatever else was ever shown in it."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from app.plots.audit.outcomes import AuditOutcomes
from app.plots.sensitivity.against_k import AgainstK
from app.widgets.layouts import CurrentPageStack, least_size, stack
from app.widgets.plot_canvas import PlotCanvas

PROJECTOR = 1.5


@pytest.fixture
def outside(qtbot):
    """Return what holds a stack of two pictures that need different heights on a projector."""
    made = QWidget()
    pages = CurrentPageStack()
    stack(made, pages)
    for picture in (AgainstK, AuditOutcomes):
        canvas = PlotCanvas(picture, "")
        canvas.set_text_scale(PROJECTOR)
        pages.addWidget(canvas)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_picture_asks_for_no_more_than_it_needs_after_a_higher_one(outside):
    pages = outside.findChild(CurrentPageStack)
    low, high = (least_size(picture.good_height, PROJECTOR) for picture in (AgainstK, AuditOutcomes))
    assert low.height() < high.height()
    for place, needed in ((0, low), (1, high), (0, low)):
        pages.setCurrentIndex(place)
        QApplication.processEvents()
        assert pages.minimumSizeHint() == needed
        assert outside.minimumSizeHint() == needed


def test_what_is_in_sight_and_comes_to_need_more_gets_it(outside):
    pages = outside.findChild(CurrentPageStack)
    words = QWidget()
    pages.setCurrentIndex(pages.addWidget(words))
    for needed in (500, 300):
        words.setMinimumSize(240, needed)
        QApplication.processEvents()
        assert (outside.minimumSizeHint().width(), outside.minimumSizeHint().height()) == (240, needed)


def test_nothing_out_of_sight_makes_words_higher(outside):
    pages = outside.findChild(CurrentPageStack)
    words, high = QLabel("one two three four " * 8), QWidget()
    words.setWordWrap(True)
    high.setMinimumHeight(900)
    for widget in (words, high, words):
        pages.addWidget(widget)
        pages.setCurrentWidget(widget)
    assert outside.heightForWidth(300) == words.heightForWidth(300) < 900


def test_what_is_typed_goes_to_what_is_in_sight(outside, qtbot):
    pages = outside.findChild(CurrentPageStack)
    lines = QLineEdit(), QLineEdit()
    for line in lines:
        pages.addWidget(line)
    pages.setCurrentWidget(lines[0])
    outside.activateWindow()
    lines[0].setFocus()
    qtbot.waitUntil(lines[0].hasFocus)
    pages.setCurrentWidget(lines[1])
    assert lines[1].hasFocus()


def test_an_empty_stack_asks_for_nothing(qtbot):
    pages = CurrentPageStack()
    qtbot.addWidget(pages)
    assert pages.minimumSizeHint().isEmpty()
    assert not pages.hasHeightForWidth()
    assert pages.heightForWidth(100) == -1

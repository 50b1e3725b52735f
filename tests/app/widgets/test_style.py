"""Parts of a window are styled when they are seen, dialogs beside it before they are measured."""

import gc
from typing import ClassVar

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QDialog, QLabel, QMainWindow, QStackedWidget, QToolButton, QWidget

from app.model.theme import DARK, LIGHT
from app.plots.sensitivity.against_k import AgainstK
from app.widgets.layouts import stack
from app.widgets.plot_canvas import PlotCanvas
from app.widgets.style import ICON, THEME, LazyStyler, PaintedWidget, style_sheet


class Part(QWidget):
    """Counts how often its look was worked out."""

    def __init__(self) -> None:
        self.changes = 0
        super().__init__()
        self.label, self.button = QLabel("words"), QToolButton()
        self.button.setProperty("icon_name", "save")
        stack(self, self.label, self.button)

    def event(self, event: QEvent) -> bool:
        self.changes += event.type() == QEvent.Type.StyleChange
        return super().event(event)


@pytest.fixture
def window(qtbot):
    made = QMainWindow()
    qtbot.addWidget(made)
    made.parts = Part(), Part()
    made.middle = QStackedWidget()
    for part in made.parts:
        made.middle.addWidget(part)
    made.setCentralWidget(made.middle)
    made.styler = LazyStyler(made, made.parts, tuple)
    made.styler.change(LIGHT, 1.0)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_what_is_hidden_waits_until_it_is_shown(window):
    seen, hidden = window.parts
    assert (hidden.styleSheet(), hidden.changes) == ("", 0)
    window.middle.setCurrentWidget(hidden)
    window.middle.setCurrentWidget(seen)
    before = hidden.changes
    assert before == 1
    window.styler.change(DARK, 1.5)
    window.styler.change(LIGHT, 2.0)
    assert seen.label.fontInfo().pixelSize() == 26
    assert (hidden.label.fontInfo().pixelSize(), hidden.changes) == (13, before)
    window.middle.setCurrentWidget(hidden)
    assert hidden.label.fontInfo().pixelSize() == 26
    assert hidden.button.iconSize().width() == 2 * ICON
    assert hidden.changes == before + 1
    window.middle.setCurrentWidget(seen)
    window.middle.setCurrentWidget(hidden)
    assert hidden.changes == before + 1
    assert not window.middle.styleSheet()


def test_a_dialog_is_styled_before_it_is_measured_and_changes_with_the_window(window):
    window.styler.change(DARK, 2.0)
    dialog = QDialog(window)
    label = QLabel("words")
    stack(dialog, label)
    dialog.show()
    assert label.fontInfo().pixelSize() == 26
    assert dialog.height() >= label.sizeHint().height() >= 26
    dialog.hide()
    window.styler.change(LIGHT, 1.0)
    assert dialog.styleSheet() == style_sheet(LIGHT, 1.0)
    assert label.fontInfo().pixelSize() == 13


def test_a_hidden_picture_is_made_anew_when_it_is_seen(qtbot):
    canvas = PlotCanvas(AgainstK, "Sensitivity")
    qtbot.addWidget(canvas)
    canvas.resize(800, 400)
    hidden = canvas.picture
    canvas.set_palette(DARK)
    canvas.set_text_scale(1.5)
    assert canvas.picture is hidden
    canvas.show()
    seen = canvas.picture
    assert (seen.palette, canvas.figure.dpi) == (DARK, 150)
    canvas.hide()
    canvas.show()
    assert canvas.picture is seen


def test_parts_follow_the_theme_from_when_they_are_made_until_they_are_gone(qtbot):
    class Painted(PaintedWidget):
        seen: ClassVar = []

        def set_palette(self, palette):
            super().set_palette(palette)
            self.seen.append(palette)

    THEME.choose(DARK)
    part = Painted("part")
    THEME.choose(LIGHT, 1.5)
    assert Painted.seen == [DARK, LIGHT]
    del part
    gc.collect()
    THEME.choose(DARK)
    assert Painted.seen == [DARK, LIGHT]

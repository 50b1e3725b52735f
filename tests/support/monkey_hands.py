"""What the monkey does with its hands: clicks, drags, wheels, keys, words, and choices from lists."""

from __future__ import annotations

import random

from monkey_zoo import Zoo, place_in, said
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

WORDS = (
    *("nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0", "-1", "1", "2", "0.1", "1,5", "7e9", ""),
    *("10", "100", "0.5", "99999999999999999999", "x" * 500, "größe ☃\u202e", "<b>b</b>", "a,b,c", "people"),
)
KEYS = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Tab, Qt.Key.Key_Backtab),
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Delete,
        Qt.Key.Key_Backspace,
        Qt.Key.Key_F1,
        Qt.Key.Key_Menu,
    ),
)


def click(zoo: Zoo, rng: random.Random) -> str:
    """Click anywhere."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    button = rng.choices((Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton), (9, 1))[0]
    words = said(widget)
    act = rng.choices((click_once, QTest.mouseDClick), (9, 1))[0]
    act(widget, button, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    return words


def click_once(widget: QWidget, *how: object) -> None:
    """Press and let go, as far as what is clicked lives on: `QTest.mouseClick` lets go of what is gone.

    A button with a menu stays pressed in the loop of the menu, in which its dialog may be answered.
    """
    QTest.mousePress(widget, *how)
    if isValid(widget):
        QTest.mouseRelease(widget, *how)


def press_button(zoo: Zoo, rng: random.Random) -> str:
    """Click a button."""
    button = zoo.reach(rng, QAbstractButton)
    if button is None:
        return ""
    words = said(button)
    click_once(button, Qt.MouseButton.LeftButton)
    return words


def drag(zoo: Zoo, rng: random.Random) -> str:
    """Press, move and let go, as far as what is dragged lives on."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    words = said(widget)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(widget, left, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    for _ in range(rng.randrange(1, 6)):
        if isValid(widget):
            QTest.mouseMove(widget, place_in(rng, widget))
    if isValid(widget):
        QTest.mouseRelease(widget, left, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    return words


def turn_wheel(zoo: Zoo, rng: random.Random) -> str:
    """Turn the wheel over something."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    words, place = said(widget), QPointF(place_in(rng, widget))
    turn = QPoint(0, rng.choice((-1200, -120, 120, 1200)))
    event = QWheelEvent(
        *(place, QPointF(widget.mapToGlobal(place)), QPoint(), turn, Qt.MouseButton.NoButton),
        *(rng.choice((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)),),
        *(Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(widget, event)
    return words


def press_key(zoo: Zoo, rng: random.Random) -> str:
    """Press a key where the focus is, or where it could be."""
    widget = QApplication.focusWidget() if rng.random() < 0.6 else zoo.reach(rng, QWidget)
    if widget is None or widget.window() not in zoo.tops:
        return ""
    words, key = said(widget), rng.choice(KEYS)
    held = Qt.KeyboardModifier
    choices = (held.NoModifier, held.ControlModifier, held.ShiftModifier)
    modifier = rng.choices(choices, (8, 1, 1))[0]
    QTest.keyClick(widget, key, modifier)
    return f"{key.name} {words}"


def write(zoo: Zoo, rng: random.Random) -> str:
    """Write something into a field, and press a key."""
    field = zoo.reach(rng, QLineEdit)
    if field is None or field.isReadOnly():
        return ""
    words, text = said(field), rng.choice(WORDS)
    field.setFocus()
    field.selectAll()
    field.insert(text)
    for _ in range(rng.randrange(3)):
        if isValid(field):
            QTest.keyClick(field, rng.choice(KEYS))
    return f"{text[:30]!r} {words}"


def step_number(zoo: Zoo, rng: random.Random) -> str:
    """Step a number up or down."""
    box = zoo.reach(rng, QAbstractSpinBox)
    if box is None:
        return ""
    words, steps = said(box), rng.choice((-1000, -10, -1, 1, 10, 1000))
    box.stepBy(steps)
    return f"{steps} {words}"


def choose(zoo: Zoo, rng: random.Random) -> str:
    """Choose from a list, as if by hand."""
    box = zoo.reach(rng, QComboBox)
    if box is None or not box.count():
        return ""
    words, place = said(box), rng.randrange(box.count())
    if not box.model().index(place, 0).flags() & Qt.ItemFlag.ItemIsEnabled:
        return ""
    box.setCurrentIndex(place)
    box.activated.emit(place)
    return f"{place} {words}"


def choose_tab(zoo: Zoo, rng: random.Random) -> str:
    """Open a tab."""
    bar = zoo.reach(rng, QTabBar)
    if bar is None or not bar.count():
        return ""
    words, place = said(bar), rng.randrange(bar.count())
    bar.setCurrentIndex(place)
    return f"{place} {words}"


def choose_item(zoo: Zoo, rng: random.Random) -> str:
    """Choose an item of a list or table."""
    view = zoo.reach(rng, QAbstractItemView)
    if view is None or view.model() is None or not view.model().rowCount():
        return ""
    words, model = said(view), view.model()
    index = model.index(rng.randrange(model.rowCount()), 0)
    view.setCurrentIndex(index)
    view.activated.emit(index)
    return words

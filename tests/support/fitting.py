"""What of a window is clipped, overlaps, is too low or has to be scrolled sideways: told from its layout."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

from app.widgets.card import Title
from app.widgets.layouts import MIN_HEIGHT
from app.widgets.messages import MessageArea
from app.widgets.plot_canvas import PlotCanvas

WORDS = (QLabel, QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit)
"""What has words on it."""


def misfits(window: QWidget) -> list[str]:
    """Say everything that does not fit."""
    shown = [
        widget for widget in window.findChildren(QWidget) if widget.isVisible() and _is_here(widget, window)
    ]
    leaves = [
        widget for widget in shown if isinstance(widget, (*WORDS, PlotCanvas, QTabBar)) and _is_whole(widget)
    ]
    found = [f"{_name(one)} is clipped: {why}" for one in leaves for why in _clipped(one)]
    found += [f"{_name(one)} is cropped: {why}" for one in leaves for why in _cropped(one, window)]
    found += [f"{_name(one)} lies over {_name(other)}" for one, other in _overlapping(leaves, window)]
    found += [f"{_name(one)} is {one.height()} high" for one in shown if _is_low(one)]
    found += [f"{_name(one)} can be scrolled sideways" for one in shown if _is_scrolled_sideways(one)]
    least = window.minimumSizeHint()
    if least.width() > window.width() or least.height() > window.height():
        found.append(f"the window needs {least.width()}x{least.height()}")
    return found


def _is_here(widget: QWidget, window: QWidget) -> bool:
    """Tell whether a widget is a part of the window that nothing is meant to lie over."""
    parent: QWidget | None = widget
    while parent is not None and parent is not window:
        if isinstance(parent, MessageArea) or parent.isWindow():
            return False
        parent = parent.parentWidget()
    return parent is window


def _is_whole(widget: QWidget) -> bool:
    """Tell whether a widget is not only a part that Qt has made of another one."""
    parent = widget.parentWidget()
    return not (
        isinstance(parent, (QComboBox, QAbstractSpinBox, QTabBar)) or widget.objectName().startswith("qt_")
    )


def _clipped(widget: QWidget) -> Iterator[str]:
    """Say which words have less room than they need."""
    if isinstance(widget, Title):
        if widget.text() not in (widget.whole, Path(widget.whole).stem):  # a name without its ending
            yield f"“{widget.whole}” reads “{widget.text()}”"
    elif isinstance(widget, QLabel) and widget.wordWrap():
        need = widget.heightForWidth(widget.width())
        if widget.text() and widget.height() < need - 1:
            yield f"{widget.height()} of {need} pixels high"
        if widget.width() < widget.minimumSizeHint().width():
            yield f"{widget.width()} of {widget.minimumSizeHint().width()} pixels wide"
    elif isinstance(widget, (QLabel, QAbstractButton)):
        need = widget.minimumSizeHint()
        if widget.width() < need.width() or widget.height() < need.height() - 1:
            yield f"{widget.width()}x{widget.height()} of {need.width()}x{need.height()} pixels"
    elif isinstance(widget, QComboBox):
        room = _room_of(widget)
        need = widget.fontMetrics().horizontalAdvance(widget.currentText())
        if room < need:
            yield f"{room} of {need} pixels wide"
    elif isinstance(widget, QAbstractSpinBox):
        line = widget.lineEdit()
        need = line.fontMetrics().horizontalAdvance(line.text() or line.placeholderText())
        if line.width() < need:
            yield f"{line.width()} of {need} pixels wide"
        if widget.height() < widget.minimumSizeHint().height() - 1:
            yield f"{widget.height()} of {widget.minimumSizeHint().height()} pixels high"
    elif isinstance(widget, QTabBar):
        chosen = widget.tabRect(widget.currentIndex())
        if chosen.left() < 0 or chosen.right() > widget.width():
            yield f"the open tab, {widget.tabText(widget.currentIndex())}"


def _room_of(box: QComboBox) -> int:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    return int(box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width())


def _cropped(widget: QWidget, window: QWidget) -> Iterator[str]:
    """Say on which side a widget is cut off by what holds it; what scrolls upright may cut it off there."""
    place = _place(widget, window)
    parent, upright = widget.parentWidget(), False
    while parent is not None and parent is not window:
        area = parent.parentWidget()
        upright |= isinstance(area, QScrollArea) and area.verticalScrollBar().maximum() > 0
        room = _place(parent, window)
        if place.left() < room.left() or place.right() > room.right():
            yield f"sideways, by {type(parent).__name__} {parent.accessibleName()}"
            return
        if not upright and (place.top() < room.top() or place.bottom() > room.bottom()):
            yield f"upright, by {type(parent).__name__} {parent.accessibleName()}"
            return
        parent = area


def _overlapping(leaves: list[QWidget], window: QWidget) -> Iterator[tuple[QWidget, QWidget]]:
    """Find widgets that lie over each other, and where neither is a part of the other."""
    for one, other in combinations(leaves, 2):
        if one.isAncestorOf(other) or other.isAncestorOf(one):
            continue
        if _viewport(one) is not _viewport(other):  # what is scrolled out of sight lies nowhere
            continue
        both = _place(one, window).intersected(_place(other, window))
        if both.width() > 1 and both.height() > 1:
            yield one, other


def _viewport(widget: QWidget) -> QWidget | None:
    """Return what a widget is scrolled in; None if it stays where it is."""
    parent = widget.parentWidget()
    while parent is not None:
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            return parent
        parent = area
    return None


def _place(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def _is_low(widget: QWidget) -> bool:
    """Tell whether a picture is too low to be read; the height of a row of dots says nothing."""
    return (
        isinstance(widget, PlotCanvas)
        and bool(widget.picture_class.good_height)
        and widget.height() < MIN_HEIGHT
    )


def _is_scrolled_sideways(widget: QWidget) -> bool:
    from PySide6.QtCore import Qt

    upright = isinstance(widget, QScrollBar) and widget.orientation() == Qt.Orientation.Vertical
    return isinstance(widget, QScrollBar) and not upright and widget.maximum() > widget.minimum()


def _name(widget: QWidget) -> str:
    text: Any = getattr(widget, "text", None)
    words = text() if callable(text) else ""
    if isinstance(widget, QComboBox):
        words = widget.currentText()
    return f"{type(widget).__name__} “{widget.accessibleName() or words or widget.objectName()}”"


def settle(window: Any, rounds: int = 4) -> None:
    """Let all that was asked for be laid out."""
    for _ in range(rounds):
        QApplication.processEvents()

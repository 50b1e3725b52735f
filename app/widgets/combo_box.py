"""Combo boxes, and menus and windows that close with what opened them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from engine.data.examples import EXAMPLES, Example

TYPE_SIZE = 13
"""Pixels of ordinary type."""
AROUND = 40
"""Pixels around the words."""


class ComboBox(QComboBox):
    """Shows as much of the chosen words as fits; `QComboBox` cuts them within a letter."""

    def __init__(self) -> None:
        super().__init__()
        self._least: int | None = None

    def take_no_more(self, least: int) -> None:
        """Be no wider than the longest words need, or than `least` in type of ordinary size."""
        self._least = least
        metrics, scale = self.fontMetrics(), self.fontInfo().pixelSize() / TYPE_SIZE
        longest = max((metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0)
        self.setMaximumWidth(max(round(least * scale), longest + round(AROUND * scale)))

    def sizeHint(self) -> QSize:
        """Ask for the room of the longest words, where these are what limits it."""
        hint = super().sizeHint()
        return hint if self._least is None else QSize(self.maximumWidth(), hint.height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._least is not None:
            self.take_no_more(self._least)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        style, kind = self.style(), QStyle.ComplexControl.CC_ComboBox
        room = style.subControlRect(kind, option, QStyle.SubControl.SC_ComboBoxEditField, self).width()
        text = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room - 2)
        option.currentText = text
        painter = QStylePainter(self)
        painter.drawComplexControl(kind, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Chooser(QComboBox):
    """Opens a menu, whose actions can be checked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.addItem("")
        self.menu = QMenu(self)
        ClosesWith(self.menu, self)
        self.menu.setToolTipsVisible(True)

    def set_text(self, text: str) -> None:
        self.setItemText(0, text)

    def showPopup(self) -> None:
        self.menu.setMinimumWidth(self.width())
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class ClosesWith(QObject):
    """Closes a menu or a dialog once what it was opened from is out of sight: nobody sees what it is about.

    `opened`: the menu or the dialog, which owns this. `source`: what it is opened from.
    """

    def __init__(self, opened: QWidget, source: QWidget) -> None:
        super().__init__(opened)
        self._opened, self._source = opened, source
        opened.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._opened:
            if event.type() == QEvent.Type.Show:
                self._source.installEventFilter(self)
            elif event.type() == QEvent.Type.Hide:
                self._source.removeEventFilter(self)
        elif event.type() == QEvent.Type.Hide and not event.spontaneous():
            self._opened.close()
        return False


class ExamplesMenu(QMenu):
    """Offers bundled examples; reads their cards only when it is opened, or filled."""

    example_chosen = Signal(str)  # the name of an example

    def __init__(
        self, parent: QWidget, offers: Callable[[Example], bool] = lambda example: example.kind != "graph"
    ) -> None:
        super().__init__(parent)
        ClosesWith(self, parent)
        self._offers = offers
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(lambda action: self.example_chosen.emit(action.data()))

    def fill(self) -> None:
        """Add the examples, unless they are there."""
        if self.actions():
            return
        for example in filter(self._offers, EXAMPLES.values()):
            action = self.addAction(example.title)
            action.setData(example.name)
            action.setToolTip(example.description)

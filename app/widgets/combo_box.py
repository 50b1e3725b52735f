"""A combo box that ends words for which there is no room in an ellipsis."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QMenu, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter


class ComboBox(QComboBox):
    """Shows as much of the chosen words as fits; `QComboBox` cuts them within a letter."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box with words that fit."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        style, kind = self.style(), QStyle.ComplexControl.CC_ComboBox
        room = style.subControlRect(kind, option, QStyle.SubControl.SC_ComboBoxEditField, self).width()
        words = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room - 2)
        option.currentText = words
        painter = QStylePainter(self)
        painter.drawComplexControl(kind, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Chooser(QComboBox):
    """Opens a menu, whose actions can be checked.

    Attributes
    ----------
    menu : QMenu
        What can be chosen.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.addItem("")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)

    def set_text(self, words: str) -> None:
        """Say what is chosen."""
        self.setItemText(0, words)

    def showPopup(self) -> None:
        """Open the menu in the place of a list."""
        self.menu.setMinimumWidth(self.width())
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

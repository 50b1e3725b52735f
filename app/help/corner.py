"""The button in the corner of the window that asks what something is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget


def corner_button(action: QAction, parent: QWidget) -> QToolButton:
    """Return a button for "What is this?"."""
    button = QToolButton(parent)
    button.setProperty("icon_name", "help")
    button.setAccessibleName("What is this?")
    button.setToolTip("What is this? Press, then point at anything in the window (Shift+F1)")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(action.trigger)
    return button

"""Buttons for what stands in a menu, too."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QMenuBar, QPushButton, QSizePolicy, QToolButton, QWidget

from app.widgets.layouts import line_up


class ActionButton(QPushButton):
    """Says what its action says, and does what it does, while that can be done.

    The action lives at least as long.
    """

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self._action = action
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        _obey(self, action)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setText(_words(self._action))
        _show(self, self._action)


class ActionTool(QToolButton):
    """An icon that does what its action does.

    The action lives at least as long. `icon` is the name of the icon.
    """

    def __init__(self, action: QAction, icon: str) -> None:
        super().__init__()
        self._action = action
        self.setProperty("icon_name", icon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        _obey(self, action)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        _show(self, self._action)


def corner(bar: QMenuBar, *tools: ActionTool) -> QWidget:
    """Return icons side by side, for a corner of a menu bar."""
    line = QWidget(bar)  # Qt does not keep what has no parent
    line_up(line, *tools, spacing=2)
    return line


def _words(action: QAction) -> str:
    return action.text().replace("&", "")


def _obey(button: QAbstractButton, action: QAction) -> None:
    button.setCheckable(action.isCheckable())
    button.clicked.connect(action.trigger)


def _show(button: QAbstractButton, action: QAction) -> None:
    keys = action.shortcut().toString()
    button.setAccessibleName(_words(action))
    button.setToolTip(f"{action.toolTip()} ({keys})" if keys else action.toolTip())
    button.setEnabled(action.isEnabled())
    button.setChecked(action.isChecked())

"""The menu bar, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.actions import MENUS, action_specs

Handlers = Mapping[str, Callable[..., object]]
"""What the slots of the actions are bound to, by their names."""


def build_actions(window: QMainWindow) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Make all actions and menus of a window; the actions do nothing yet."""
    actions: dict[str, QAction] = {}
    menus = {title: window.menuBar().addMenu(title) for title in MENUS}
    for spec in action_specs():
        action = QAction(spec.text, window)
        action.setObjectName(spec.name)
        if spec.keys:
            action.setShortcuts(QKeySequence.listFromString(spec.keys))
        if spec.tip:
            action.setToolTip(spec.tip)
            action.setStatusTip(spec.tip)
        action.setEnabled(spec.enabled)
        action.setCheckable(spec.checkable or bool(spec.group))
        if spec.separator:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        window.addAction(action)
        actions[spec.name] = action
    return actions, menus


class ActionGroup(QActionGroup):
    """Actions that exclude each other; the chosen one calls the handler with its data."""

    def __init__(self, window: QMainWindow, handler: Callable[..., object]) -> None:
        super().__init__(window)
        self._handler = handler
        self.triggered.connect(self._on_triggered)

    def _on_triggered(self, action: QAction) -> None:
        self._handler(action.data())


def connect_actions(window: QMainWindow, actions: Mapping[str, QAction], handlers: Handlers) -> None:
    """Let each action call the handler that its slot names."""
    groups: dict[str, ActionGroup] = {}
    for spec in action_specs():
        action, handler = actions[spec.name], handlers[spec.slot]
        if spec.group:
            action.setData(spec.data)
            if spec.group not in groups:
                groups[spec.group] = ActionGroup(window, handler)
            groups[spec.group].addAction(action)
        elif spec.checkable:
            action.toggled.connect(handler)
        else:
            action.triggered.connect(handler)

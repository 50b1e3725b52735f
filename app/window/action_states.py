"""What the actions of the window say and whether they can be used, as the session is now."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.model.pages.workspaces import LESSONS
from app.model.views import CURATOR
from app.session import Session
from app.window.bounds_controller import can_suggest


class ActionStates(QObject):
    """Marks what is chosen among the actions of a window, and names what can be undone.

    Parameters
    ----------
    actions, examples : mapping of str to QAction
        The actions by name, and what shows the examples of each page.
    """

    def __init__(
        self, session: Session, actions: Mapping[str, QAction], examples: Mapping[str, QAction]
    ) -> None:
        super().__init__(session)
        self._session = session
        self._actions = actions
        self._examples = examples
        stacks = session.stacks.group
        stacks.canUndoChanged.connect(actions["undo"].setEnabled)
        stacks.canRedoChanged.connect(actions["redo"].setEnabled)
        stacks.undoTextChanged.connect(self._name_undo)
        stacks.redoTextChanged.connect(self._name_redo)
        actions["undo"].setEnabled(False)
        actions["redo"].setEnabled(False)
        session.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Follow the session."""
        state = self._session.state
        self._actions[state.view].setChecked(True)
        self._actions["put_back"].setEnabled(state.modified)
        held = state.dataset is not None and not state.dataset.stays_in_file
        self._actions["data_table"].setEnabled(state.view == CURATOR and held)
        self._actions["suggest_bounds"].setEnabled(can_suggest(state))
        self._actions["split"].setEnabled(state.visible_view != LESSONS.name)
        self._actions[f"page_{state.visible_view}"].setChecked(True)
        for page, action in self._examples.items():
            action.setVisible(page == state.page)

    def _name_undo(self, text: str) -> None:
        self._actions["undo"].setText(f"&Undo {text}".rstrip())

    def _name_redo(self, text: str) -> None:
        self._actions["redo"].setText(f"&Redo {text}".rstrip())

"""The list of the steps that can be undone."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.panels.undo_dialog import UndoDialog
from app.session import Session


class UndoController(QObject):
    """Shows the steps that can be undone."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(session)
        self._window = window
        self._session = session
        self.history: UndoDialog | None = None  # the list of all steps, while it is open

    def show_history(self) -> None:
        """Show all steps, or bring them to the front."""
        if self.history is None:
            self.history = UndoDialog(self._session, self._window)
            self.history.finished.connect(self._on_closed)
        self.history.show()
        self.history.raise_()

    def _on_closed(self) -> None:
        self.history = None

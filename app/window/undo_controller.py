"""The list of the steps that can be undone."""

from __future__ import annotations

from app.panels.undo_dialog import UndoDialog
from app.window.parts import Controller, WindowParts


class UndoController(Controller):
    """Shows the steps that can be undone."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
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

"""The list of the steps that can be undone."""

from __future__ import annotations

from app.panels.undo_dialog import UndoDialog
from app.window.parts import Controller


class UndoController(Controller):
    """Shows the steps that can be undone."""

    def show_history(self) -> None:
        """Show all steps, or bring them to the front."""
        if self.dialog is None:
            self._hold(UndoDialog(self._session, self._window))
        self.dialog.show()
        self.dialog.raise_()

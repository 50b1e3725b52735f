"""The one open dialog about an export; it closes when its subject changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.session import Session

SUBJECT = frozenset({"view", "page", "workspace", "lesson", "dataset"})
"""State fields that an export depends on."""


class DialogSlot(QObject):
    """Shows a dialog at a time."""

    outdated = Signal()  # its subject has changed, and the dialog is closed

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self.dialog: QDialog | None = None
        session.watch(SUBJECT, self, self._on_other_subject)

    def show(self, dialog: QDialog) -> None:
        """Replace the open dialog with another one."""
        self.dialog = dialog
        dialog.finished.connect(self._on_finished)
        dialog.open()

    def close(self) -> None:
        """Close the dialog without an answer."""
        if self.dialog is not None:
            self.dialog.close()
            self.dialog = None

    def _on_finished(self, _: int) -> None:
        if self.sender() is self.dialog:
            self.dialog = None

    def _on_other_subject(self) -> None:
        self.close()
        self.outdated.emit()

"""A line for a text that can be refused."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLineEdit

from app.widgets.card import mark_wrong


class TextBox(QLineEdit):
    """Edits a text; a refused one stays until it is corrected, or until another one is shown."""

    refused = Signal(str)  # the message says what to write
    corrected = Signal()  # a refused text has gone

    def __init__(self) -> None:
        super().__init__()
        self.refusal = ""  # the problem with the typed text; "" for none
        self._shown = ""

    def show_text(self, text: str) -> None:
        """Show an accepted text."""
        self._shown = text
        if self.text() != text:  # the cursor stays where one writes
            self.setText(text)
        self.judge("")

    def judge(self, refusal: str) -> None:
        """Announce the problem with the typed text, or that there is none any more."""
        before, self.refusal = self.refusal, refusal
        if refusal:
            mark_wrong(self, True)
            self.refused.emit(refusal)
        elif before:
            mark_wrong(self, False)
            self.corrected.emit()

    def commit(self) -> None:
        """Take the typed text, as when the box loses the focus."""
        self.editingFinished.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget a refused text once it is hidden."""
        super().hideEvent(event)
        if self.refusal and not event.spontaneous():
            self.show_text(self._shown)

"""Asking how a file is to be read that cannot be read as it was detected."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.panels.reading_form import ReadingForm
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack
from engine.data.reading_options import FoundReading, ReadingOptions


class ReadingDialog(FittingDialog):
    """Shows what can be stated about a file.

    Parameters
    ----------
    path : Path
    found : FoundReading
        What is known about it.
    stated : ReadingOptions
        What was stated before.
    problem : str
        Why it cannot be read so.

    Signals
    -------
    decided(Path, ReadingOptions)
        It is to be read so.
    """

    decided = Signal(object, object)

    def __init__(
        self, path: Path, found: FoundReading, stated: ReadingOptions, problem: str, parent: QWidget
    ) -> None:
        super().__init__(f"How {path.name} is read", 640, parent)
        self._path = path
        card = Card("How the file is read")
        card.body.addWidget(caption(problem, name="problem"))
        self.form = ReadingForm(found, stated, (), told=False)
        card.body.addWidget(self.form)
        self.buttons = QDialogButtonBox()
        self.open_button = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setObjectName("run")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._decide)
        self.buttons.rejected.connect(self.reject)
        stack(self, card, self.buttons, margins=12, spacing=10)

    def _decide(self) -> None:
        self.open_button.setFocus()  # what is being typed counts
        if not any(row.problem for row in self.form.rows.values()):
            self.accept()
            self.decided.emit(self._path, self.form.stated)

"""Before answers are recorded: in which file, and whether with a name."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QPushButton, QWidget

from app.widgets.card import Card, caption, plain
from app.widgets.dialogs import FittingDialog, SaveDialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import line_up, stack

WHY = (
    "Every answer to a question of a lesson adds a row to this file: time, name, lesson, step, question, "
    "answer, and whether it is right. The file stays on this computer. Recording ends with the program, or "
    "from the same menu."
)
FILTER = "CSV table (*.csv)"


class AnswerLogDialog(FittingDialog):
    """Asks for a file and a name.

    Signals
    -------
    chosen(Path, str)
        Record in this file, under this name, which may be empty.
    """

    chosen = Signal(object, str)

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__("Record answers", 520, parent)
        self.path = path
        card = Card("Record the answers to questions of lessons?")
        self.file = plain(str(path))
        self.file.setWordWrap(True)
        self.choose = QPushButton("&Choose…")
        self.choose.setToolTip("Record in another file; one that is there is continued")
        self.choose.clicked.connect(self._ask_file)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name in the record of answers")
        self.name.setPlaceholderText("none")
        self.name.setMaxLength(100)
        where = QWidget()
        line_up(where, (self.file, 1), self.choose, spacing=8)
        card.put(
            caption(WHY),
            where,
            FormRow("&Name", self.name, help="Who answers; it may stay empty"),
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton("&Record answers", QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setObjectName("run")
        self.start.setToolTip("Add a row to the file for each answer from now on")
        buttons.accepted.connect(self._on_start)
        buttons.rejected.connect(self.reject)
        stack(self, card, buttons, margins=12, spacing=10)

    def _ask_file(self) -> None:
        dialog = SaveDialog(self, "Record answers in", self.path, FILTER)
        dialog.setOption(SaveDialog.Option.DontConfirmOverwrite)  # it is continued
        dialog.fileSelected.connect(self.set_file)
        dialog.open()

    def set_file(self, path: str) -> None:
        """Record in another file."""
        self.path = Path(path)
        self.file.setText(path)

    def _on_start(self) -> None:
        self.chosen.emit(self.path, self.name.text().strip())
        self.accept()

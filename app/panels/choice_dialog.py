"""A question with a few answers, of which Cancel is one, that never keeps the window from working."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QWidget

from app.model.wording.formatting import escape
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack


class ChoiceDialog(FittingDialog):
    """Asks what is to be done.

    Parameters
    ----------
    title, subject : str
        Of the window, and what it is about.
    sentences : sequence of str
        What the user must know.
    answers : mapping of str to (str, str)
        What each answer is called, and what it does; Cancel comes beside them.
    safe : str, optional
        The answer that Return gives; without it, Return cancels.

    Signals
    -------
    answered(str)
        The key of an answer; "" where nothing is to be done.
    """

    answered = Signal(str)

    def __init__(
        self,
        title: str,
        subject: str,
        sentences: tuple[str, ...],
        answers: Mapping[str, tuple[str, str]],
        parent: QWidget,
        safe: str = "",
    ) -> None:
        super().__init__(title, 500, parent)
        self._answer = ""
        card = Card(subject)
        self.words: tuple[QLabel, ...] = tuple(caption(sentence) for sentence in sentences)
        for label in self.words:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            card.body.addWidget(label)
        card.body.addStretch(1)
        self.buttons = QDialogButtonBox()
        self.answers: dict[str, QPushButton] = {}
        for key, (text, tip) in answers.items():
            role = QDialogButtonBox.ButtonRole
            button = self.buttons.addButton(
                text, role.DestructiveRole if key == "discard" else role.ActionRole
            )
            button.setAutoDefault(False)
            button.clicked.connect(self._on_clicked)
            button.setProperty("answer", key)
            button.setToolTip(escape(tip))
            self.answers[key] = button
        cancel = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setToolTip("Leave everything as it is")
        self.buttons.rejected.connect(self.reject)
        first = self.answers.get(safe, cancel)
        if safe:
            first.setObjectName("run")
        stack(self, card, self.buttons, margins=12, spacing=10)
        first.setDefault(True)
        first.setFocus()
        self.finished.connect(self._on_finished)

    def answer(self, key: str) -> None:
        """Give an answer; "" cancels."""
        self._answer = key
        self.accept() if key else self.reject()

    def _on_clicked(self, _: bool) -> None:
        self.answer(str(self.sender().property("answer")))

    def _on_finished(self, _: int) -> None:
        self.answered.emit(self._answer)

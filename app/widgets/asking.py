"""Small windows that ask a question; they never keep the window from working."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QWidget

from app.model.wording.numbers import escape
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack

ButtonRole = QDialogButtonBox.ButtonRole


class AnswerDialog(FittingDialog):
    """Asks with a card, and below it a button for each answer, of (text, tip), and Cancel.

    Return gives the `default` answer; without one it cancels. `extras` stand between card and buttons.
    """

    chosen = Signal(object)  # the key of an answer

    def __init__(
        self,
        title: str,
        heading: str,
        answers: Mapping[Any, tuple[str, str]],
        parent: QWidget,
        *extras: QWidget,
        cancel: str = "",
        default: Any = "",
        role: ButtonRole = ButtonRole.ActionRole,
        width: int = 480,
    ) -> None:
        super().__init__(title, width, parent)
        self.card = Card(heading)
        self.buttons = QDialogButtonBox(self)
        self.answers: dict[Any, QPushButton] = {}
        for key, (text, tip) in answers.items():
            button = self.buttons.addButton(text, ButtonRole.DestructiveRole if key == "discard" else role)
            button.setAutoDefault(False)  # Return alone gives no answer that cannot be undone
            button.setToolTip(escape(tip))
            button.clicked.connect(self._on_clicked)
            self.answers[key] = button
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.cancel_button.setToolTip(cancel)
        self.buttons.rejected.connect(self.reject)
        stack(self, self.card, *extras, self.buttons, margins=12, spacing=10)
        first = self.answers.get(default, self.cancel_button)
        first.setDefault(True)
        first.setFocus()

    def answer(self, key: Any) -> None:
        """Close the dialog, and announce an answer."""
        self.accept()
        self.chosen.emit(key)

    def _on_clicked(self) -> None:
        self.answer(next(key for key, button in self.answers.items() if button is self.sender()))


class AskDialog(AnswerDialog):
    """Asks whether to do something, with `action` on the button that does it."""

    agreed = Signal()

    def __init__(
        self,
        title: str,
        heading: str,
        action: str,
        parent: QWidget,
        *extras: QWidget,
        tip: str = "",
        cancel: str = "",
    ) -> None:
        role = ButtonRole.AcceptRole
        super().__init__(title, heading, {"agree": (action, tip)}, parent, *extras, cancel=cancel, role=role)
        self.agree_button = self.answers["agree"]

    def answer(self, key: Any) -> None:
        self.agreed.emit()
        self.accept()


class ChoiceDialog(AnswerDialog):
    """Says some sentences and asks what is to be done; `safe` is the answer that Return gives."""

    answered = Signal(str)  # the key of an answer; "" where nothing is to be done

    def __init__(
        self,
        title: str,
        heading: str,
        sentences: tuple[str, ...],
        answers: Mapping[str, tuple[str, str]],
        parent: QWidget,
        safe: str = "",
    ) -> None:
        cancel = "Leave everything as it is"
        super().__init__(title, heading, answers, parent, cancel=cancel, default=safe, width=500)
        self._answer = ""
        self.sentences: tuple[QLabel, ...] = tuple(map(caption, sentences))
        for label in self.sentences:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.card.put(*self.sentences)
        self.card.body.addStretch(1)
        if safe:
            self.answers[safe].setObjectName("run")
        self.finished.connect(self._on_finished)

    def answer(self, key: str) -> None:
        """Give an answer; "" cancels."""
        self._answer = key
        self.accept() if key else self.reject()

    def _on_finished(self, _: int) -> None:
        self.answered.emit(self._answer)

"""The dialog that finds the epsilon of a row for a stated error."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.model.wording.numbers import number
from app.pages.questions.planning import NeededEpsilon
from app.widgets.buttons import push_button
from app.widgets.card import Card, caption, set_text
from app.widgets.dialogs import FittingDialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.number_box import NumberBox

ASK = "Type the largest error that you accept: 95 % of releases stay within it."


class NeededDialog(FittingDialog):
    """Asks for the largest error, shows the epsilon for it, and gives it to the row."""

    wanted = Signal(int, float)  # the key of the row, and the largest error
    taken = Signal(int, float)  # the key of the row, and the epsilon that it gets

    def __init__(self, key: int, question: str, parent: QWidget) -> None:
        super().__init__("Which ε do I need?", 440, parent)
        self._key = key
        self._result: NeededEpsilon | None = None
        card = Card(question)
        self.error = NumberBox("Largest error", logarithmic=True, lower=0.0)
        self.answer = caption()
        card.put(caption(ASK), FormRow("Largest error", self.error), self.answer)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        tip = "Give the row this share; the total ε changes, the other shares stay"
        self.take_button = push_button("&Use this ε", tip, self._take)
        self.take_button.setEnabled(False)
        self.take_button.setAutoDefault(False)
        self.buttons.addButton(self.take_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.rejected.connect(self.reject)
        self.error.edited.connect(self._on_edited)
        stack(self, card, self.buttons, margins=12, spacing=10)
        self.error.setFocus()

    def show_result(self, result: NeededEpsilon) -> None:
        self._result = result
        enough = f"ε = {number(result.epsilon)} is enough." if result.epsilon is not None else ""
        set_text(self.answer, enough or "Even ε = 100 is not enough: accept a larger error.")
        self.take_button.setEnabled(bool(enough))

    def _on_edited(self, value: float, _: bool) -> None:
        self.take_button.setEnabled(False)
        if value > 0:
            self.wanted.emit(self._key, value)

    def _take(self) -> None:
        if self._result is not None and self._result.epsilon is not None:
            self.taken.emit(self._key, self._result.epsilon)
        self.accept()

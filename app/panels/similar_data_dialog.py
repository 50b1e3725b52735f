"""Before the first release of data that resemble others: whether they are the same data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.panels.budget_words import total_words
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack

if TYPE_CHECKING:
    from engine.ledger import SimilarData

WHY = (
    "If they are about the same people (rows or columns were added, taken away or renamed), what was spent "
    "on {known} counts for them, too: from now on both have one budget, for good. Other people have "
    "a budget of their own."
)


class SimilarDataDialog(FittingDialog):
    """Says what the data resemble and what was spent on that, and asks whether both are the same data.

    Parameters
    ----------
    title : str
        What the data are called.
    similar : SimilarData

    Signals
    -------
    chosen(bool)
        Whether they are the same data.

    Attributes
    ----------
    name : str
        Of the account that they resemble.
    """

    chosen = Signal(bool)

    def __init__(self, title: str, similar: SimilarData, parent: QWidget) -> None:
        super().__init__("The same data?", 480, parent)
        self.name = similar.name
        known = similar.title or "other data"
        card = Card(f"{title} resembles {known}")
        self.words = caption(f"On {known}, {total_words(similar.spent)} was spent.", name="advice")
        card.put(self.words, caption(WHY.format(known=known)))
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.same_button = buttons.addButton("Count as the &same data", role)
        self.same_button.setToolTip("What was spent on either counts for both")
        self.other_button = buttons.addButton("Count as &other data", role)
        self.other_button.setToolTip("They are about other people, and have a budget of their own")
        self.cancel_button = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.cancel_button.setToolTip("Release nothing and spend nothing")
        for button in (self.other_button, self.cancel_button):
            button.setAutoDefault(False)
        self.same_button.setDefault(True)  # pressing Return never spends more than is known
        self.same_button.clicked.connect(self._on_same)
        self.other_button.clicked.connect(self._on_other)
        buttons.rejected.connect(self.reject)
        stack(self, card, buttons, margins=12, spacing=10)
        self.same_button.setFocus()

    def _on_same(self) -> None:
        self.accept()
        self.chosen.emit(True)

    def _on_other(self) -> None:
        self.accept()
        self.chosen.emit(False)

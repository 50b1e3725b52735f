"""Small windows that ask before something that cannot be undone; Return alone never does it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.widgets.card import Card
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack


class AskDialog(FittingDialog):
    """Asks whether to do something; what it says stands on `card`.

    Parameters
    ----------
    title, heading : str
        Of the window and the card.
    words : str
        On the button that does it.
    extras : widgets
        Between card and buttons.

    Signals
    -------
    agreed()
        It is to be done.
    """

    agreed = Signal()

    def __init__(self, title: str, heading: str, words: str, parent: QWidget, *extras: QWidget) -> None:
        super().__init__(title, 480, parent)
        self.card = Card(heading)
        self.buttons = QDialogButtonBox()
        self.agree_button = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        # what cannot be undone does not happen by pressing Return once too often
        self.agree_button.setAutoDefault(False)
        self.cancel_button.setDefault(True)
        self.buttons.accepted.connect(self.agree)
        self.buttons.rejected.connect(self.reject)
        stack(self, self.card, *extras, self.buttons, margins=12, spacing=10)
        self.cancel_button.setFocus()

    def agree(self) -> None:
        """Do it."""
        self.agreed.emit()
        self.accept()

"""The button beside the advice: another choice, one click away, that undo takes back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.model.wording.expected import SwitchOffer


class OfferButton(QPushButton):
    """Shows an offer, and is hidden while there is none.

    Signals
    -------
    taken(dict)
        The fields of the state that the offer changes.
    """

    taken = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.offer: SwitchOffer | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip("Choose this instead; Ctrl+Z takes it back")
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_offer(self, offer: SwitchOffer | None) -> None:
        """Show an offer; None: there is nothing to offer."""
        if offer != self.offer:
            self.offer = offer
            words = offer.words if offer else ""
            self.setText(words)
            self.setAccessibleName(f"Offer: {words}")
        self.setVisible(offer is not None)

    def _on_clicked(self) -> None:
        assert self.offer is not None
        self.taken.emit(dict(self.offer.fields))

"""The button beside the advice: another choice, one click away, that undo takes back."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.model.wording.expected import SwitchOffer
from app.session import Session


class OfferButton(QPushButton):
    """Shows an offer, and is hidden while there is none.

    An offer of other numbers than those on the screen cannot be taken; one of another mechanism goes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self.offer: SwitchOffer | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip("Choose this instead; Ctrl+Z takes it back")
        self.clicked.connect(self._on_clicked)
        self.hide()

    def serve(self, session: Session) -> None:
        """Change this session, and follow it."""
        self._session = session
        session.watch({"query", "method", "noise", "aggregator"}, self, self._on_other_choice)
        session.watch({"epsilon", "delta", "parameters"}, self, self._on_other_numbers)

    def show_offer(self, offer: SwitchOffer | None) -> None:
        """Show an offer; None: there is nothing to offer, as in a lesson, which has its own course."""
        if self._session is not None and self._session.state.lesson is not None:
            offer = None
        if offer != self.offer:
            self.offer = offer
            text = offer.words if offer else ""
            self.setText(text)
            self.setAccessibleName(f"Offer: {text}")
        self.setVisible(offer is not None)
        self.setEnabled(True)

    def _on_other_choice(self) -> None:
        self.show_offer(None)

    def _on_other_numbers(self) -> None:
        self.setEnabled(False)

    def _on_clicked(self) -> None:
        assert self.offer is not None
        assert self._session is not None
        self._session.edit("choose", **self.offer.fields)

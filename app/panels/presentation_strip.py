"""What stays of the privacy panel in presentation mode: epsilon, and delta where it is used, in one line."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QLabel

from app.panels.privacy_fields import PrivacyFields
from app.panels.privacy_panel import TOLD
from app.session import Session
from app.widgets.layouts import line_up

WIDEST = 130
"""Pixels of a number, in type of ordinary size."""


class PresentationStrip(QFrame):
    """Shows and edits epsilon and delta of the session below the page.

    It is docked, and does not float over the picture: at 1280×720 each of 27 pictures has some place for it
    at an edge, but no place is free in all of them (at 1024×768 three have none), so that it would jump from
    tab to tab, or cover ticks, labels or the verdict.  Docked, it costs 58 of 720 pixels, and stays.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._offers_delta = True
        self.setObjectName("card")
        self.setAccessibleName("Privacy")
        self._fields = PrivacyFields(session, self)
        self.epsilon, self.slider, self.delta = self._fields.epsilon, self._fields.slider, self._fields.delta
        self._delta_sign = QLabel("δ")
        line_up(
            self,
            QLabel("ε"),
            self.epsilon,
            (self.slider, 1),
            self._delta_sign,
            self.delta,
            margins=(12, 5, 12, 5),
            spacing=8,
        )
        session.watch(TOLD, self, self.refresh)
        self.set_scale(1.0)
        self.refresh()
        self.hide()

    def show_controls(self, used: frozenset[str] | None) -> None:
        """Show epsilon, and delta if it is among the controls of these names; None: all."""
        self._offers_delta = used is None or "delta" in used
        self.refresh()

    def refresh(self) -> None:
        """Show the state of the session."""
        state = self._session.state
        self._fields.show_state(state)
        for part in (self._delta_sign, self.delta):
            part.setVisible(self._offers_delta and state.uses_delta)

    def set_scale(self, scale: float) -> None:
        """Leave room for numbers in type of another size."""
        for box in (self.epsilon, self.delta):
            box.setFixedWidth(round(WIDEST * scale))

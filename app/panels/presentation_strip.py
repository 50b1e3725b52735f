"""What stays of the privacy panel in presentation mode: epsilon, and delta where it is used, in one line."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QLabel

from app.panels.privacy_panel import DATA, HIGHEST, LOWEST
from app.session import Session
from app.widgets.layouts import line_up
from app.widgets.log_slider import LogSlider
from app.widgets.number_box import NumberBox

WIDEST = 130
"""Pixels of a number, in type of ordinary size."""


class PresentationStrip(QFrame):
    """Shows and edits epsilon and delta of the session below the page."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("card")
        self.setAccessibleName("Privacy")
        self.epsilon = NumberBox("Epsilon", logarithmic=True, lower=0.0)
        self.slider = LogSlider("Epsilon, logarithmic slider", LOWEST, HIGHEST)
        self.delta = NumberBox("Delta", logarithmic=True, lower=0.0, upper=1.0)
        self._delta_sign = QLabel("δ")
        self.epsilon.edited.connect(self._on_epsilon)
        self.slider.moved.connect(self._on_slider)
        self.delta.edited.connect(self._on_delta)
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
        session.watch({"page", "epsilon", "delta", "query", "parameters"} | DATA, self, self.refresh)
        self.set_scale(1.0)
        self.refresh()
        self.hide()

    def refresh(self) -> None:
        """Show the state of the session."""
        state = self._session.state
        self.epsilon.set_value(state.epsilon)
        self.slider.show_value(state.epsilon)
        self.delta.set_value(state.delta_or_default)
        for part in (self._delta_sign, self.delta):
            part.setVisible(state.uses_delta)

    def set_scale(self, scale: float) -> None:
        """Leave room for numbers in type of another size."""
        for box in (self.epsilon, self.delta):
            box.setFixedWidth(round(WIDEST * scale))

    def _on_slider(self, value: float) -> None:
        self._session.edit("change epsilon", merge="epsilon", epsilon=value)

    def _on_epsilon(self, value: float, continuous: bool) -> None:
        self._session.edit("change epsilon", merge="epsilon" if continuous else "", epsilon=value)

    def _on_delta(self, value: float, continuous: bool) -> None:
        self._session.edit("change delta", merge="delta" if continuous else "", delta=value)

"""Epsilon, as a number and on a slider, and delta: what edits both, wherever it stands."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.model.state import SessionState
from app.session import Session
from app.widgets.log_slider import LogSlider
from app.widgets.number_box import NumberBox

LOWEST, HIGHEST = 0.01, 10.0
"""Ends of the slider."""


class PrivacyFields(QObject):
    """Makes the fields, and writes what is typed or dragged into the session.

    Attributes
    ----------
    epsilon, delta : NumberBox
    slider : LogSlider
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.slider = LogSlider("Epsilon, logarithmic slider", LOWEST, HIGHEST)
        self.slider.moved.connect(self._on_slider)
        self.epsilon = NumberBox("Epsilon", logarithmic=True, lower=0.0)
        self.epsilon.edited.connect(self._on_epsilon)
        self.delta = NumberBox("Delta", logarithmic=True, lower=0.0, upper=1.0)
        self.delta.edited.connect(self._on_delta)

    def show_state(self, state: SessionState) -> None:
        """Show epsilon and delta of a state."""
        self.epsilon.set_value(state.epsilon)
        self.delta.set_value(state.delta_or_default)
        self.slider.show_value(state.epsilon)

    def _on_slider(self, value: float) -> None:
        self._session.edit("change epsilon", merge="epsilon", epsilon=value)

    def _on_epsilon(self, value: float, continuous: bool) -> None:
        self._session.edit("change epsilon", merge="epsilon" if continuous else "", epsilon=value)

    def _on_delta(self, value: float, continuous: bool) -> None:
        self._session.edit("change delta", merge="delta" if continuous else "", delta=value)

"""A slider on a logarithmic scale."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

STEPS_PER_DECADE = 100


class LogSlider(QSlider):
    """Moves a positive number between two powers, in steps of equal ratio."""

    moved = Signal(float)  # the value that the user moved it to, rounded to two digits

    def __init__(self, name: str, lower: float, upper: float, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(name)
        self._lower = lower
        self.setRange(0, round(STEPS_PER_DECADE * math.log10(upper / lower)))
        self.setSingleStep(5)
        self.setPageStep(STEPS_PER_DECADE // 4)
        self._shown: float | None = None
        self.valueChanged.connect(self._on_value)

    def show_value(self, value: float) -> None:
        """Stand at `value` (or at the nearest end) without announcing it."""
        if value == self._shown or not (math.isfinite(value) and value > 0):
            return
        self._shown = value
        self.blockSignals(True)
        self.setValue(round(STEPS_PER_DECADE * (math.log10(value) - math.log10(self._lower))))
        self.blockSignals(False)

    def _on_value(self, position: int) -> None:
        value = float(f"{self._lower * 10 ** (position / STEPS_PER_DECADE):.2g}")
        if value != self._shown:
            self._shown = value
            self.moved.emit(value)

"""Tools above trees on cells: whether these or facilities are drawn, and what a facility costs."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import combo

BUILT = {"tree": "Spanning tree", "facilities": "Facilities"}
BUILT_HELP = (
    "What is built on the cells: a tree that joins them all, or facilities, so that these and the ways of "
    "all points to the nearest of them cost little"
)
PRICE_HELP = (
    "What a facility costs, in units of distance times points: at first as much as if all points went 1 % of "
    "the bounds' diameter. The dearer they are, the fewer are opened."
)


class FacilityOptions(QWidget):
    """Chooses what is built on cells.

    Signals
    -------
    asked()
        Something else is to be seen.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._default: float | None = None
        self.box = combo("What is built on the cells", stretch=False)
        self.box.setToolTip(BUILT_HELP)
        for key, words in BUILT.items():
            self.box.addItem(words, key)
        self.box.setMinimumContentsLength(12)
        self.box.activated.connect(self._on_choice)
        self.price_box = NumberBox("What a facility costs", logarithmic=True)
        self.price_box.setToolTip(PRICE_HELP)
        self.price_box.setMaximumWidth(110)
        self.price_box.edited.connect(self._on_price)
        self.price_box.refused.connect(self._on_refused)
        self._price = 1.0
        self._label, self._unit = QLabel("each for"), QLabel()
        self._unit.setObjectName("caption")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for widget in (self.box, self._label, self.price_box, self._unit):
            line.addWidget(widget)
        line.addStretch(1)
        self._show()

    @property
    def price(self) -> float | None:
        """What a facility costs; None for a spanning tree."""
        return self._price if self.box.currentData() == "facilities" else None

    def offer(self, default: float, unit: str) -> None:
        """Take the price that suits other public bounds, or another number of records."""
        self._unit.setText(unit)
        if default != self._default:
            self._default = self._price = default
            self.price_box.set_value(default)

    def choose(self, price: float | None) -> None:
        """Build facilities at that price, or a spanning tree."""
        self.box.setCurrentIndex(self.box.findData("tree" if price is None else "facilities"))
        if price is not None:
            self._price = price
            self.price_box.set_value(price)
        self._show()

    def _show(self) -> None:
        for widget in (self._label, self.price_box, self._unit):
            widget.setVisible(self.price is not None)

    def _on_choice(self, _: int) -> None:
        self._show()
        self.asked.emit()

    def _on_price(self, value: float, _: bool) -> None:
        if 0 < value < math.inf:
            self._price = value
        self.price_box.set_value(self._price)
        self.asked.emit()

    def _on_refused(self, _: str) -> None:
        self.price_box.set_value(self._price)

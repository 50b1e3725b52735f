"""What is built on cells: a tree that joins them, or facilities, and what one of these costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import FILLING, OptionsEditor
from app.widgets.form_row import combo
from app.widgets.number_box import NumberBox
from app.widgets.value_editors import NARROW
from engine.analysis.histogram_structures import default_facility_price

BUILT = {"tree": "Spanning tree", "facilities": "Facilities", "matching": "Matching"}
BUILT_HELP = (
    "What is built on the cells: a tree that joins them all; facilities, so that these and the ways of "
    "all points to the nearest of them cost little; or a matching of all points in pairs at little cost"
)
PRICE_HELP = (
    "What a facility costs, in units of distance times points: at first as much as if all points went 1 % of "
    "the bounds' diameter. The dearer they are, the fewer are opened."
)


class FacilityEditor(OptionsEditor):
    """Chooses what is built on cells."""

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._default: float | None = None
        self._price = 1.0
        self.box = combo("What is built on the cells", stretch=False)
        self.box.setToolTip(BUILT_HELP)
        for key, text in BUILT.items():
            self.box.addItem(text, key)
        self.box.setMinimumContentsLength(12)
        self.box.activated.connect(self._on_choice)
        self.price_box = NumberBox("What a facility costs", logarithmic=True)
        self.price_box.setToolTip(PRICE_HELP)
        self.price_box.setMaximumWidth(NARROW)
        self.price_box.edited.connect(self._on_price)
        self.price_box.refused.connect(self._on_refused)
        self._label, self._unit = QLabel("each for"), QLabel()
        self._unit.setObjectName("caption")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for widget in (self.box, self._label, self.price_box, self._unit):
            line.addWidget(widget)
        line.addStretch(1)
        self._show()

    @property
    def values(self) -> dict[str, Any]:
        built = self.box.currentData()
        return {"price": self._price if built == "facilities" else None, "matching": built == "matching"}

    @property
    def last_box(self) -> QWidget:
        return self.price_box

    def show_values(self, values: Mapping[str, Any]) -> None:
        asked = {**self.values, **values}
        price = asked["price"]
        without = "matching" if asked["matching"] else "tree"
        self.box.setCurrentIndex(self.box.findData(without if price is None else "facilities"))
        if price is not None:
            self._price = price
            self.price_box.set_value(price)
        self._show()

    def follow(self, selection: Any, *, public: bool) -> None:
        self._unit.setText(selection.unit)
        default = default_facility_price(selection.source.domain, selection.source.n)
        waiting = self._default is None and self.values["price"] is not None  # from a session file
        if default != self._default:
            self._default = default
            self._price = self._price if waiting else default
            self.price_box.set_value(self._price)

    def _show(self) -> None:
        for widget in (self._label, self.price_box, self._unit):
            widget.setVisible(self.values["price"] is not None)

    def _on_choice(self, _: int) -> None:
        self._show()
        self.changed.emit()

    def _on_price(self, value: float, _: bool) -> None:
        if 0 < value < float("inf"):
            self._price = value
        self.price_box.set_value(self._price)
        self.changed.emit()

    def _on_refused(self, _: str) -> None:
        self.price_box.set_value(self._price)

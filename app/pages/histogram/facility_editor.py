"""The structure built on cells: a tree that joins them, facilities with their price, or a matching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QLabel, QWidget

from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import FILLING, OptionsEditor
from app.widgets.layouts import line_up
from app.widgets.value_editors import ChoiceEditor, NumberEditor
from engine.analysis.histogram_structures import default_facility_price
from engine.parameters import Parameter

BUILT = Parameter(
    "built",
    "choice",
    "tree",
    "",
    "What is built on the cells: a tree that joins them all; facilities, so that these and the ways of all "
    "points to the nearest of them cost little; or a matching of all points in pairs at little cost",
    choices=("tree", "facilities", "matching"),
    choice_labels=("Spanning tree", "Facilities", "Matching"),
)
PRICE = Parameter(
    "price",
    "float",
    1.0,
    "each for",
    "What a facility costs, in units of distance times points: at first as much as if all points went 1 % of "
    "the bounds' diameter. The dearer they are, the fewer are opened.",
    lower=0.0,
    lower_open=True,
)


class FacilityEditor(OptionsEditor):
    """Chooses what is built on cells: a tree, facilities, and what one of these costs, or a matching."""

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._default: float | None = None
        self._built = ChoiceEditor(BUILT, "What is built on the cells", tool=True)
        self._built.edited.connect(self._on_choice)
        self._price = NumberEditor(PRICE, "What a facility costs", tool=True)
        self._price.edited.connect(self.changed)
        self.box, self.price_box = self._built.box, self._price.box
        self.box.setMinimumContentsLength(12)
        self._unit = QLabel()
        self._unit.setObjectName("caption")
        line_up(self, self.box, *self._price.widgets, self._unit, None)
        self._show()

    @property
    def values(self) -> dict[str, Any]:
        built = self._built.value
        return {
            "price": self._price.value if built == "facilities" else None,
            "matching": built == "matching",
        }

    @property
    def last_box(self) -> QWidget:
        return self.price_box

    def show_values(self, values: Mapping[str, Any]) -> None:
        asked = {**self.values, **values}
        without = "matching" if asked["matching"] else "tree"
        self._built.show_value(without if asked["price"] is None else "facilities")
        if asked["price"] is not None:
            self._price.show_value(asked["price"])
        self._show()

    def follow(self, selection: Any, *, public: bool) -> None:
        self._unit.setText(selection.unit)
        default = default_facility_price(selection.source.domain, selection.source.n)
        waiting = self._default is None and self.values["price"] is not None  # from a session file
        if default != self._default:
            self._default = default
            if not waiting:
                self._price.show_value(default)

    def _show(self) -> None:
        for widget in (*self._price.widgets, self._unit):
            widget.setVisible(self.values["price"] is not None)

    def _on_choice(self) -> None:
        self._show()
        self.changed.emit()

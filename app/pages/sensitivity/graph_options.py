"""The tools below a graph: the distance k, and the weight of an edge."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QSlider, QWidget

from app.model.wording.numbers import format_exact
from app.widgets.card import Title, mark_wrong, plain
from app.widgets.layouts import line_up
from app.widgets.number_box import NumberBox
from engine.domain import Interval

STEPS = 500
"""Steps of the weight slider."""


class DistanceOptionsBar(QWidget):
    """Chooses the distance k: the number of records that may change first."""

    chosen = Signal(int)  # the k that the user chose

    def __init__(self) -> None:
        super().__init__()
        self._k = 0
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("k, slider")
        self.slider.setMinimumWidth(48)
        self.slider.setPageStep(5)
        self.slider.valueChanged.connect(self._choose)
        self.box = NumberBox("k, the number of other records that may change first", whole=True, lower=0)
        self.box.setFixedWidth(58)
        self.box.edited.connect(self._on_box)
        label = QLabel("Changes &k")
        label.setBuddy(self.box)
        for widget in (label, self.slider, self.box):
            widget.setToolTip(
                "Number of other records that may change first. The picture shows the worst case for A⁽ᵏ⁾. "
                "Larger k change nothing, or more than the picture can show."
            )
        line_up(self, label, (self.slider, 1), self.box, spacing=6)

    def set_narrow(self, narrow: bool) -> None:
        """Hide the slider if it does not fit; the number box stays."""
        self.slider.setVisible(not narrow)
        policies = QSizePolicy.Policy
        self.setSizePolicy(policies.Fixed if narrow else policies.Preferred, policies.Preferred)

    def show_choice(self, k: int, farthest: int) -> None:
        """Show `k`, from 0 to `farthest`, without a signal."""
        self._k = k
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, farthest)
            self.slider.setValue(k)
        self.box.set_value(float(k))
        self.setEnabled(farthest > 0)

    def _on_box(self, value: float, continuous: bool) -> None:
        self._choose(round(min(max(value, 0), self.slider.maximum())))

    def _choose(self, k: int) -> None:
        different = k != self._k
        self.show_choice(k, self.slider.maximum())
        if different:
            self.chosen.emit(k)


class EdgeOptionsBar(QWidget):
    """Changes the weight of one edge, or removes it."""

    # the new weight, and whether a drag goes on
    weighed = Signal(float, bool)
    joined = Signal(bool)  # whether the edge exists
    refused = Signal(str)  # the problem of the typed number; "" once it is fixed

    def __init__(self) -> None:
        super().__init__()
        self._domain: Interval | None = None
        self.name = Title("")
        self.name.setObjectName("")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Weight of the chosen edge, slider")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 10)
        self.slider.setSingleStep(STEPS // 100)
        self.slider.setMinimumWidth(110)
        self.slider.valueChanged.connect(self._on_slider)
        self.box = NumberBox("Weight of the chosen edge", lower=0.0)
        self.box.setFixedWidth(84)
        self.box.edited.connect(self._on_box)
        self.box.refused.connect(self._refuse)
        self.unit = plain()
        self.present = QCheckBox("&Joined")
        self.present.setToolTip("Add or remove the edge between the two vertices")
        self.present.clicked.connect(self.joined)
        line_up(self, self.name, (self.slider, 1), self.box, self.unit, self.present, spacing=6)
        self.show_nothing("")

    def show_nothing(self, text: str) -> None:
        """Show a hint while no edge is chosen."""
        self._show(text, weight=False, toggle=False)

    def show_weight(self, name: str, weight: float, domain: Interval, unit: str) -> None:
        self._domain = domain
        self._show(name, weight=True, toggle=False)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(STEPS * (weight - domain.lower) / domain.width))
        self.box.set_value(float(f"{weight:.6g}"))
        self.unit.setText(unit)
        self._refuse("")

    def show_edge(self, name: str, present: bool) -> None:
        """Show an edge, present or removed."""
        self._show(name, weight=False, toggle=True)
        self.present.setChecked(present)

    def _show(self, name: str, *, weight: bool, toggle: bool) -> None:
        self.name.set_text(name)
        for part in (self.slider, self.box, self.unit):
            part.setVisible(weight)
        self.present.setVisible(toggle)

    def _on_slider(self, index: int) -> None:
        assert self._domain is not None
        value = self._domain.lower + self._domain.width * index / STEPS
        self.weighed.emit(float(f"{value:.4g}"), True)

    def _on_box(self, value: float, continuous: bool) -> None:
        assert self._domain is not None
        low, high = self._domain.lower, self._domain.upper
        if continuous:
            value = min(max(value, low), high)
        if not low <= value <= high:
            self._refuse(
                f"{format_exact(value)} is no weight; enter a number from {format_exact(low)} to Λ = "
                f"{format_exact(high)}"
            )
            return
        self._refuse("")
        self.weighed.emit(value, continuous)

    def _refuse(self, text: str) -> None:
        mark_wrong(self.box, bool(text))
        self.refused.emit(text)

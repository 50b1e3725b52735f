"""The search for the smallest sufficient epsilon, and its fields (private)."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.pages.compare.request import ComparisonRequest
from app.widgets.card import plain
from app.widgets.layouts import Flow, together
from app.widgets.number_box import NumberBox
from engine.comparison.results import NeededEpsilons


class NeededOptionsBar(QWidget):
    """Asks for an error and a probability."""

    # "within" or "share", its new value, and whether a drag goes on
    edited = Signal(str, float, bool)
    refused = Signal(str)  # the typed text is not a number
    search_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.within = NumberBox("Largest error", logarithmic=True, lower=0)
        self.share = NumberBox("Probability", step=0.01, lower=0, upper=1)
        for box in (self.within, self.share):
            box.setMinimumWidth(76)
            box.edited.connect(self._on_edited)
            box.refused.connect(self.refused)
        self.unit = plain()
        self.search = QPushButton("Find ε")
        self.search.setToolTip("Search for the smallest epsilon of each mechanism")
        self.search.setAccessibleName("Find the smallest epsilon")
        self.search.clicked.connect(self.search_requested)
        flow = Flow(gap=8)
        self.setLayout(flow)
        for parts in (
            (QLabel("An error of at most"), self.within, self.unit),
            (QLabel("with probability"), self.share),
            (self.search,),
        ):
            flow.addWidget(together(*parts))

    def show_question(self, request: ComparisonRequest) -> None:
        """Show the question."""
        self.within.set_value(request.choice.within)
        self.share.set_value(request.choice.share)
        self.unit.setText(request.unit)
        self.unit.setVisible(bool(request.unit))

    def show_running(self, running: bool) -> None:
        """Disable the button during a search."""
        self.search.setEnabled(not running)

    def _on_edited(self, value: float, continuous: bool) -> None:
        self.edited.emit("within" if self.sender() is self.within else "share", value, continuous)


@dataclasses.dataclass(frozen=True, eq=False)
class NeededResult:
    """Answers and their request."""

    request: ComparisonRequest
    view: NeededEpsilons

    def same(self, request: ComparisonRequest) -> bool:
        """Tell whether another question has the same answers."""
        mine, other = self.request, request
        asked = [(one.choice.within, one.choice.share, one.runs, one.choice.seed) for one in (mine, other)]
        alike = mine.mechanisms == other.mechanisms and mine.privacy.delta == other.privacy.delta
        return mine.same_data(other) and alike and asked[0] == asked[1]

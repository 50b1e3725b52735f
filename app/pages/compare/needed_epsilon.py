"""The search for the smallest sufficient epsilon, and its fields (private)."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.pages.compare.request import ComparisonRequest
from app.widgets.card import plain
from app.widgets.layouts import Flow, together
from app.widgets.value_editors import FieldLine
from engine.comparison.results import NeededEpsilons
from engine.parameters import Parameter

WITHIN = Parameter("within", "float", None, "An error of at most", "", lower=0, spoken="Largest error")
SHARE = Parameter("share", "float", None, "with probability", "", lower=0, upper=1, spoken="Probability")


class NeededOptionsBar(QWidget):
    """Asks for an error and a probability."""

    # "within" or "share", its new value, and whether a drag goes on
    edited = Signal(str, object, bool)
    refused = Signal(str)  # the typed text is not a number

    def __init__(self) -> None:
        super().__init__()
        error, probability = FieldLine(WITHIN), FieldLine(SHARE)
        self.fields = error.fields | probability.fields
        self.within, self.share = (field.box for field in self.fields.values())
        for line, box in ((error, self.within), (probability, self.share)):
            box.setMinimumWidth(108)  # for large type, too
            line.edited.connect(self.edited)
            line.refused.connect(self.refused)
        self.fields["within"].show_empty("e.g. 10")
        self.unit = plain()
        flow = Flow(gap=8)
        self.setLayout(flow)
        for widget in (together(error, self.unit), probability):
            flow.addWidget(widget)

    def show_question(self, request: ComparisonRequest) -> None:
        self.fields["within"].show_value(request.within)
        self.fields["share"].show_value(request.choice.share)
        self.unit.setText(request.unit)
        self.unit.setVisible(bool(request.unit))


@dataclasses.dataclass(frozen=True, eq=False)
class NeededResult:
    """Answers and their request."""

    request: ComparisonRequest
    view: NeededEpsilons

    def same(self, request: ComparisonRequest) -> bool:
        """Tell whether another question has the same answers."""
        mine, other = self.request, request
        asked = [(one.within, one.choice.share, one.runs, one.choice.seed) for one in (mine, other)]
        alike = mine.mechanisms == other.mechanisms and mine.privacy.delta == other.privacy.delta
        return mine.same_data(other) and alike and asked[0] == asked[1]

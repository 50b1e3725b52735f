"""Asks for a wide public range of a column, and for the ε that narrows it privately."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.model.kinds.base import IntervalChoice
from app.model.state import SessionState
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number
from app.widgets.asking import AskDialog
from app.widgets.card import Remarks, caption, set_text
from app.widgets.form_row import FormRow
from app.widgets.number_box import NumberBox
from engine import SuggestedBounds
from engine.domain import Interval
from engine.errors import ParameterError
from engine.privacy import NEIGHBOURS, Privacy

WIDE = (
    "Enter a range that holds all values, without looking at them. It may be a million times too wide. Two "
    "private quantiles then choose round bounds within it."
)
SHARE = 0.1
"""The default share of epsilon."""


class SuggestBoundsDialog(AskDialog):
    """Asks for a wide public range, and for the ε to narrow it."""

    decided = Signal(object, object)  # SuggestedBounds, Privacy

    def __init__(self, state: SessionState, parent: QWidget) -> None:
        super().__init__(
            "Suggest bounds",
            f"Bounds for {state.subject}",
            "&Spend and suggest",
            parent,
            tip="Use ε and set the suggested bounds",
            cancel="Use no budget",
        )
        choice = state.read_data
        assert isinstance(choice, IntervalChoice)
        self._n = choice.n or 1
        self.lowest = NumberBox("Lower end of the wide range")
        self.highest = NumberBox("Upper end of the wide range")
        self.lowest.set_value(choice.lower)
        self.highest.set_value(choice.upper)
        self.epsilon = NumberBox("Epsilon for both bounds", logarithmic=True)
        self.epsilon.set_value(float(f"{SHARE * state.epsilon:.2g}"))
        self.range_row = FormRow(
            "&Wide range", self.lowest, QLabel("to"), self.highest, help=WIDE, fields=("lower", "upper")
        )
        self.epsilon_row = FormRow(
            "&Epsilon",
            self.epsilon,
            help="The total cost of both bounds; it cannot be restored.",
            fields=("epsilon",),
        )
        self.cost = caption()
        self.warning = caption(name="warning")
        rows = self.range_row, self.epsilon_row
        self.card.remarks = Remarks(("caption",) * 3, lambda: rows, self.cost, self.warning)
        self.card.put(caption(WIDE), *rows, self.card.remarks)
        for box in (self.lowest, self.highest, self.epsilon):
            box.edited.connect(self._say_cost)
            box.refused.connect(self._say_cost)
        self.agreed.connect(self._on_agreed)
        self._say_cost()

    def _read_fields(self) -> tuple[SuggestedBounds, Privacy] | None:
        """Return the helper and its budget; None, with a shown problem, if a field is invalid."""
        for row in (self.range_row, self.epsilon_row):
            row.show_problem("")
        values = [box.value for box in (self.lowest, self.highest, self.epsilon)]
        try:
            lower, upper, epsilon = (float("nan") if value is None else value for value in values)
            helper, privacy = SuggestedBounds(Interval(lower, upper)), Privacy(epsilon)
            helper.check(privacy)
            return helper, privacy
        except ParameterError as error:
            row = self.epsilon_row if error.field == "epsilon" else self.range_row
            row.show_problem(error.problem)
            return None

    def _say_cost(self) -> None:
        """Show cost and accuracy, from public facts only."""
        asked = self._read_fields()
        problem = "" if asked is None else asked[0].problem(asked[1], self._n)
        text = ""
        if asked is not None:
            helper, privacy = asked
            share = 100 * min(1.0, helper.left_out(privacy, self._n) / self._n)
            text = (
                f"It costs ε = {number(privacy.epsilon)}, {WORDS[NEIGHBOURS].between}. With "
                f"probability 95 %, at most {number(share)} % of the records lie beyond each bound."
            )
        set_text(self.cost, "" if problem else text)
        set_text(self.warning, problem)
        self.agree_button.setEnabled(asked is not None and not problem)

    def _on_agreed(self) -> None:
        asked = self._read_fields()
        if asked is not None:
            self.decided.emit(*asked)

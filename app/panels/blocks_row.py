"""The number of blocks in the form: the planner's, or one's own, and what is to be expected."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from app.model.selection import Selection, blocks_are_planned
from app.model.wording.formatting import format_approx
from app.model.wording.number_format import short
from app.model.wording.numbers import share
from app.panels.component_boxes import PartView
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import ParameterForm
from engine.aggregation.blocks import Sampling
from engine.mechanisms import BlockMechanism
from engine.mechanisms.planning import Plan, fewest

BLOCKS_HELP = (
    "More blocks: less noise, but each sees fewer records. The planner takes the number with the smallest "
    "error to be expected, from public facts and an assumed block error, without looking at the data."
)
GUESS_HELP = (
    "For the planner: how far what the function gives for 100 records lies from what it gives for all, in "
    "three of four blocks, in percent of the largest distance. Assume it without looking at the data."
)


def plan_words(plan: Plan) -> str:
    """Say what is to be expected, or how many records would be needed."""
    if not plan.enough:
        return (
            f"Not enough data: you would need n ≈ {format_approx(plan.needed)} "
            "for a typical error of a quarter of the range."
        )
    error, noise = (share(part / plan.diameter) for part in (plan.error, plan.noise_error))
    return f"Typical error to be expected: {error} of the range, {noise} of it noise."


def blocks_words(setup: Selection) -> str:
    """Say why there are so many blocks, and what is to be expected; "" where the user chose them."""
    plan, mechanism, source = setup.plan, setup.mechanism, setup.source
    if plan is None or not isinstance(mechanism, BlockMechanism):
        return ""
    if not plan.stands_in:
        return plan_words(plan)
    if plan.blocks == fewest(mechanism, source.domain, source.n, setup.privacy):
        return f"As many as a {mechanism.aggregator.label} needs, at least."
    return "As for the center of attention."


class BlocksRow(QWidget):
    """The number of blocks: the planner's, or the user's own; below it what is to be expected."""

    about = Sampling
    edits = frozenset({"blocks"})

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__()
        self._session, self._path = session, path
        self.box = NumberBox("Number of blocks m", whole=True, lower=3)
        self.plan = QCheckBox("auto")
        self.plan.setToolTip(BLOCKS_HELP)
        self.row = FormRow("Bloc&ks m", self.box, self.plan, help=BLOCKS_HELP, fields=["blocks", "guess"])
        self.box.edited.connect(self._on_number)
        self.box.refused.connect(self.row.refuse)
        self.plan.clicked.connect(self._on_plan)
        self.words = caption()
        self.guess = NumberBox("Assumed block error in percent", lower=0.0, upper=100.0)
        self.guess_row = FormRow("Assumed &block error %", self.guess, help=GUESS_HELP, fields=["guess"])
        self.guess.edited.connect(self._on_guess)
        self.guess.refused.connect(self.guess_row.refuse)
        stack(self, self.row, self.words, self.guess_row, spacing=2)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.row, self.guess_row)

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches."""
        return (self.box, self.plan, self.guess)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        """Show the number, whether it is the planner's, and words about it."""
        blocks, text = view.chosen.values.get("blocks"), ""
        if view.setup is not None:
            blocks, text = view.setup.mechanism.sampling.blocks, blocks_words(view.setup)
        self.box.set_value(None if blocks is None else float(blocks))
        self.plan.setChecked(blocks_are_planned(view.state))
        self.row.settle()
        set_text(self.words, text)
        self.guess.set_value(float(f"{100 * view.state.guess:.6g}"))
        self.guess_row.settle()
        self.guess_row.setVisible(view.tuning)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.row.settle()
        if not float(value).is_integer():
            self.row.refuse(f"{short(value)} is no number of blocks; write a whole number")
            return
        self._choose(int(value), "blocks" if continuous else "")

    def _on_plan(self, on: bool) -> None:
        if on:
            self._session.forget_parameter(*self._path, "blocks")
        elif self.box.value is not None:
            self._choose(int(self.box.value))

    def _choose(self, blocks: int, merge: str = "") -> None:
        self._session.set_parameter(blocks, *self._path, "blocks", merge=merge)

    def _on_guess(self, percent: float, continuous: bool) -> None:
        merge = "guess" if continuous else ""
        self._session.edit("change the assumed block error", merge=merge, guess=percent / 100)

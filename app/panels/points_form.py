"""Rows of the form for mechanisms on points: the function, and the number of blocks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QVBoxLayout, QWidget

from app.model.mechanism_choice import FILE
from app.model.selection import PointsSelection
from app.model.state import SessionState
from app.model.wording.formatting import format_approx
from app.model.wording.numbers import share
from app.panels.component_boxes import TIP, offer, show_chosen
from app.widgets.card import caption, set_text
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow
from engine.aggregation.functions import FUNCTIONS
from engine.mechanisms import BlockMechanism
from engine.mechanisms.aggregators import CenterOfAttention
from engine.mechanisms.planner import Plan
from engine.mechanisms.planning import fewest

BLOCKS_HELP = (
    "More blocks: less noise, but each sees fewer records. The planner takes the number with the smallest "
    "error to be expected, from public facts and a guess, without looking at the data."
)
CHOOSE = "Choose a Python file…"


class FunctionRow(FormRow):
    """Chooses what is run on each block; a function from a file runs only after it was confirmed.

    Signals
    -------
    chosen(str)
        The name of a function that comes with Sensiscope.
    file_requested()
        A person wants to choose a Python file.
    confirm_requested()
        A person wants to look at the chosen file, and to confirm it.
    """

    chosen = Signal(str)
    file_requested = Signal()
    confirm_requested = Signal()

    def __init__(self, box: QComboBox) -> None:
        self.box = box
        self.confirm = QPushButton("Look and confirm…")
        self.confirm.setToolTip("Look at the file and say that it may be run, with all your rights")
        super().__init__("F&unction", box, help="What is computed on each block", fields=["function"])
        offer(box, FUNCTIONS)
        box.addItem(CHOOSE)
        box.setItemData(box.count() - 1, "Any function of a block, in a process of its own", TIP)
        box.activated.connect(self._on_activated)
        self.confirm.clicked.connect(self.confirm_requested)
        self.add_below(self.confirm)
        self._shown = ""

    def show_state(self, state: SessionState) -> None:
        """Show the function; one from a file by the names of both."""
        box, place = state.black_box, self.box.findData(FILE)
        if box is None and place >= 0:
            self.box.removeItem(place)
        elif box is not None:
            if place < 0:
                self.box.insertItem(len(FUNCTIONS), "", FILE)
            self.box.setItemText(len(FUNCTIONS), f"{Path(box.path).name}:{box.function_name}")
            self.box.setItemData(len(FUNCTIONS), box.path, TIP)
        self._shown = state.function
        show_chosen(self.box, state.function)
        self.confirm.setVisible(state.function == FILE)

    def _on_activated(self, index: int) -> None:
        name = self.box.itemData(index)
        if name is None:
            # the box shows the last good function until there is another one
            show_chosen(self.box, self._shown)
            self.file_requested.emit()
        else:
            self.chosen.emit(name)


def plan_words(plan: Plan) -> str:
    """Say what is to be expected, or how many records would be needed."""
    if not plan.enough:
        return (
            f"Not enough data: you would need n ≈ {format_approx(plan.needed)} "
            "for a typical error of a quarter of the range."
        )
    error, noise = (share(part / plan.diameter) for part in (plan.error, plan.noise_error))
    return f"Typical error to be expected: {error} of the range, {noise} of it noise."


def blocks_words(setup: PointsSelection) -> str:
    """Say why there are so many blocks, and what is to be expected; "" where a person chose them."""
    plan, mechanism, source = setup.plan, setup.mechanism, setup.source
    if plan is None or not isinstance(mechanism, BlockMechanism):
        return ""
    if isinstance(mechanism.aggregator, CenterOfAttention):
        return plan_words(plan)
    if plan.blocks == fewest(mechanism, source.domain, source.n, setup.privacy):
        return f"As many as a {mechanism.aggregator.label} needs, at least."
    return "As for the center of attention."


class BlocksRow(QWidget):
    """The number of blocks: the planner's, or a person's own; below it what is to be expected.

    Signals
    -------
    chosen(int, bool)
        A number, and whether it is one of a continuous movement.
    planned()
        Let the planner choose.
    """

    chosen = Signal(int, bool)
    planned = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = NumberBox("Number of blocks m", whole=True, lower=3)
        self.plan = QCheckBox("as &planned")
        self.plan.setToolTip(BLOCKS_HELP)
        self.row = FormRow("Bloc&ks m", self.box, self.plan, help=BLOCKS_HELP, fields=["blocks", "guess"])
        self.box.edited.connect(self._on_number)
        self.box.refused.connect(self.row.refuse)
        self.plan.clicked.connect(self._on_plan)
        self.words = caption()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.row)
        column.addWidget(self.words)

    def show_blocks(self, blocks: int | None, planned: bool, words: str) -> None:
        """Show the number, whether it is the planner's, and words about it."""
        self.box.set_value(None if blocks is None else float(blocks))
        self.plan.setChecked(planned)
        self.row.settle()
        set_text(self.words, words)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.row.settle()
        if not float(value).is_integer():
            self.row.refuse(f"{value:g} is no number of blocks; write a whole number")
            return
        self.chosen.emit(int(value), continuous)

    def _on_plan(self, on: bool) -> None:
        if on:
            self.planned.emit()
        elif self.box.value is not None:
            self.chosen.emit(int(self.box.value), False)

"""The form of a release of points: mechanism, function, blocks, aggregator, noise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.components import FAMILY_PLURALS
from app.model.kinds.registry import queries_of
from app.model.mechanism_choice import FILE, blocks_are_planned, uses_noise
from app.model.selection import PointsSelection, selection
from app.panels.component_boxes import editors, offer, show_chosen
from app.panels.points_form import BlocksRow, FunctionRow, blocks_words
from app.panels.release_panel import ReleasePanel
from app.session import Session
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, ParameterForm
from engine.aggregation.blocks import SAMPLINGS
from engine.aggregation.functions import FUNCTIONS
from engine.errors import ParameterError
from engine.mechanisms import SANITIZERS, BlockMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.noise import NOISES

TUNING = ("pattern", "restarts", "metric", "blocks")
"""Parameters that are right as they are for nearly everybody, or have a row of their own."""
GUESS_HELP = (
    "For the planner: how far what the function gives for 100 records lies from what it gives for all, in "
    "percent of the largest distance. A guess, made without looking at the data."
)


class SanitizerPanel(ReleasePanel):
    """Edits the mechanism of the session, and its parts.

    Signals
    -------
    file_requested(), confirm_requested()
        As in `FunctionRow`.
    """

    topic = "clusters"
    shown = ReleasePanel.shown | {
        "columns",
        "bounds",
        "points",
        "function",
        "black_box",
        "trusted",
        "sampling",
        "aggregator",
        "guess",
        "epsilon",
        "delta",
    }

    file_requested = Signal()
    confirm_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "noise, how blocks are drawn, pattern and guess")

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        drawn = [row for form in self._forms.values() for row in form.rows.values()]
        return (
            self.query_row,
            self.function,
            self.aggregator_row,
            self.noise_row,
            self.blocks.row,
            self.sampling_row,
            self.guess_row,
            *drawn,
        )

    def _make_rows(self) -> Sequence[QWidget]:
        self.query = self._components("Mechanism", {}, "mechanisms")
        self.query_row = FormRow("&Mechanism", self.query, help="What is released", fields=["query"])
        self.function = FunctionRow(self._components("Function of a block", {}, "functions"))
        self.aggregator = self._components(
            "How one output is made of those of the blocks", AGGREGATORS, "aggregators"
        )
        self.aggregator_row = FormRow(
            "Aggrega&tor",
            self.aggregator,
            help="How one output is made of those of the blocks",
            fields=["aggregator"],
        )
        self.noise = self._components("Family of the noise", NOISES, "noises")
        self.noise_row = FormRow("Noi&se", self.noise, help="The distribution of the noise", fields=["noise"])
        self.blocks = BlocksRow()
        self.sampling = self._components("How the blocks are drawn", SAMPLINGS, "samplings")
        self.sampling_row = FormRow(
            "Sampling", self.sampling, help="How the blocks are drawn, blind to the data", fields=["sampling"]
        )
        self.guess = NumberBox("Guess of the error of a block, in percent", lower=0.0, upper=100.0)
        self.guess_row = FormRow("&Guess %", self.guess, help=GUESS_HELP, fields=["guess"])
        self._forms = {
            kind: ParameterForm()
            for kind in ("function", "mechanism", "aggregator", "noise", "sampling", "tuning")
        }
        for kind, form in self._forms.items():
            form.edited.connect(getattr(self, f"_on_{kind}_parameter"))
        self.function.chosen.connect(self._on_function)
        self.function.file_requested.connect(self.file_requested)
        self.function.confirm_requested.connect(self.confirm_requested)
        self.blocks.chosen.connect(self._on_blocks)
        self.blocks.planned.connect(self._on_planned)
        self.guess.edited.connect(self._on_guess)
        self.guess.refused.connect(self.guess_row.refuse)
        return (
            self.query_row,
            self.function,
            self._forms["function"],
            self._forms["mechanism"],
            self.blocks,
            self.aggregator_row,
            self._forms["aggregator"],
            self.noise_row,
            self._forms["noise"],
            self.sampling_row,
            self._forms["sampling"],
            self._forms["tuning"],
            self.guess_row,
        )

    def _fill(self, fields: frozenset[str] | None) -> None:
        state = self._session.state
        if not self.query.count():
            offer(self.query, queries_of(state.page))
        for box, name in (
            (self.query, state.query),
            (self.aggregator, state.aggregator),
            (self.noise, state.noise),
            (self.sampling, state.sampling),
        ):
            show_chosen(box, name)
        self.function.show_state(state)
        self.guess.set_value(float(f"{100 * state.guess:.6g}"))
        self.guess_row.settle()
        self.set_title(f"Release: {SANITIZERS[state.query].label}")
        self._show_blocks()

    @property
    def _parts(self) -> set[str]:
        """The kinds of parts that the mechanism has."""
        return {declared.kind for declared in SANITIZERS[self._session.state.query].parameters()}

    def _show_blocks(self) -> None:
        state = self._session.state
        blocks, words = None, ""
        try:
            setup = selection(state)
            assert isinstance(setup, PointsSelection)
            if isinstance(setup.mechanism, BlockMechanism):
                blocks, words = setup.mechanism.sampling.blocks, blocks_words(setup)
        except ParameterError:
            blocks = state.chosen("sampling", state.sampling).get("blocks")
        self.blocks.show_blocks(blocks, blocks_are_planned(state), words)

    def _fill_forms(self) -> None:
        state, tuning = self._session.state, self.tuning_button.isChecked()
        on_blocks = "sampling" in self._parts
        file = "function" in self._parts and state.function == FILE
        mechanism = SANITIZERS[state.query].parameters()
        function = FUNCTIONS[state.function].parameters() if "function" in self._parts and not file else ()
        sampling = SAMPLINGS[state.sampling].parameters() if on_blocks and tuning else ()
        aggregator = AGGREGATORS[state.aggregator].parameters() if on_blocks else ()
        noise = NOISES[state.noise].parameters() if uses_noise(state) and tuning else ()
        shown = {
            "mechanism": (tuple(one for one in mechanism if one.name not in TUNING), state.query),
            "function": (tuple(one for one in function if tuning or one.name not in TUNING), state.function),
            "aggregator": (aggregator, state.aggregator),
            "noise": (noise, state.noise),
            "sampling": (tuple(one for one in sampling if one.name not in TUNING), state.sampling),
        }
        for kind, (declared, name) in shown.items():
            page = f"{FAMILY_PLURALS[kind]}/{name}"
            self._forms[kind].show_parameters(declared, state.chosen(kind, name), page)
        tuned = tuple(one for one in mechanism if one.name in TUNING) if tuning else ()
        page = f"mechanisms/{state.query}"
        self._forms["tuning"].show_parameters(tuned, state.chosen("mechanism", state.query), page)
        self.function.setVisible("function" in self._parts)
        self.noise_row.setVisible(uses_noise(state))
        for row in (self.blocks, self.aggregator_row):
            row.setVisible(on_blocks)
        for row in (self.sampling_row, self.guess_row):
            row.setVisible(on_blocks and tuning)
        self.tuning_button.setVisible(bool(on_blocks or any(one.name in TUNING for one in mechanism)))

    def _in_order(self) -> Sequence[QWidget]:
        forms = {kind: editors(form) for kind, form in self._forms.items()}
        return [
            self.query,
            self.function.box,
            self.function.confirm,
            *forms["function"],
            *forms["mechanism"],
            self.blocks.box,
            self.blocks.plan,
            self.aggregator,
            *forms["aggregator"],
            self.noise,
            *forms["noise"],
            self.sampling,
            *forms["sampling"],
            *forms["tuning"],
            self.guess,
        ]

    def _on_component(self) -> None:
        chosen = {
            "query": self.query,
            "aggregator": self.aggregator,
            "noise": self.noise,
            "sampling": self.sampling,
        }
        for field, box in chosen.items():
            if box.currentData() != getattr(self._session.state, field):
                words = "mechanism" if field == "query" else field
                self._session.edit(f"change the {words}", **{field: box.currentData()})

    def _on_function(self, name: str) -> None:
        self._session.edit("change the function", function=name)

    def _on_blocks(self, blocks: int, continuous: bool) -> None:
        self._set("sampling", self._session.state.sampling, "blocks", blocks, continuous)

    def _on_planned(self) -> None:
        self._session.forget_parameter("sampling", self._session.state.sampling, "blocks")

    def _on_guess(self, percent: float, continuous: bool) -> None:
        merge = "guess" if continuous else ""
        self._session.edit("change the guess", merge=merge, guess=percent / 100)

    def _on_mechanism_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("mechanism", self._session.state.query, name, value, continuous)

    _on_tuning_parameter = _on_mechanism_parameter

    def _on_function_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("function", self._session.state.function, name, value, continuous)

    def _on_aggregator_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("aggregator", self._session.state.aggregator, name, value, continuous)

    def _on_noise_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("noise", self._session.state.noise, name, value, continuous)

    def _on_sampling_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("sampling", self._session.state.sampling, name, value, continuous)

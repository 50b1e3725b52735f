"""Tools above the picture of an audit: neighbours, planted bug and runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.pages.audit import GUESS, LOW_BITS, SHOWS
from app.model.view_states import CONFIDENCES, MAX_RUNS, AuditChoice, AuditViewState, WallView
from app.model.wording.buttons import BUTTONS, without_mnemonic
from app.model.wording.numbers import share
from app.model.wording.releases import sentence
from app.pages.audit.analysis import PairOffer
from app.pages.audit.guess_player import GuessPlayer
from app.pages.audit.verdict_bar import VerdictBar
from app.widgets.buttons import Segmented, icon_button, push_button
from app.widgets.card import Badge, caption, mark_wrong, set_text, show_only
from app.widgets.layouts import Flow, line_up, stack
from app.widgets.progress_row import ProgressRow
from app.widgets.style import THEME
from app.widgets.value_editors import WIDE, FieldLine, ValueEditor
from engine.audit import MIN_RUNS, MOVED
from engine.mechanisms.problem import Problem
from engine.parameters import Parameter

FAULTY = "Faulty variant"
RIGHT = PairOffer("", "None", "The mechanism as it is; its audit should prove nothing")
NOT_DP = "Not DP"
WHY_PLANTED = (
    "A mechanism with a deliberate mistake, which an audit should catch. It is not DP, and never makes a "
    "release."
)
AUDIT_HELP = "Compare simulated releases of two neighboring databases, each time with a new seed"
RUNS_HELP = "Simulated releases from each database, 1000 to a million; more runs find smaller faults"
RECORD_HELP = "The record in which the neighboring database differs, counted from 1"
VALUE_HELP = "Value of this record in the neighboring database; separate coordinates by colons"
SETTINGS_HELP = "Choose neighbors, faulty variant, runs and confidence"
PRIOR_HELP = "How sure an attacker is beforehand of the database that the event points to"

PAIR = Parameter("pair", "choice", "", "Neighbors", "")
BUG = Parameter("bug", "choice", "", FAULTY, WHY_PLANTED, spoken="Faulty variant (planted bug)")
RUNS = Parameter("runs", "int", MIN_RUNS, "Runs", RUNS_HELP, lower=MIN_RUNS, upper=MAX_RUNS)
CONFIDENCE = Parameter(
    "confidence",
    "choice",
    "",
    "at",
    "Confidence of the bound",
    choices=tuple(map(str, CONFIDENCES)),
    spoken="Confidence",
)
RECORD = Parameter("record", "int", None, "Record", RECORD_HELP, lower=1, spoken="Record that is moved")
VALUE = Parameter("value", "text", "", "becomes", VALUE_HELP, spoken="New value")
PRIOR = Parameter("prior", "percent", 50, "Prior", PRIOR_HELP, lower=1, upper=99)

READ: dict[str, Callable[[Any], object]] = {
    "runs": int,
    "confidence": float,
    "record": lambda number: int(number) - 1,
}
"""Converts the value of a field into that of the `AuditChoice`; other fields have texts."""

RUNS_WIDTH, SLIDER_WIDTH = 112, 150
"""Widths for a million runs, and for a belief, in pixels."""


class AuditOptionsBar(QWidget):
    """Chooses the audit, and shows its progress."""

    asked = Signal()  # start the audit
    cancelled = Signal()  # stop it
    changed = Signal()  # the choices changed; no audit starts by itself
    shown = Signal()  # show another view of the result: see `picture` and `prior`

    def __init__(self) -> None:
        super().__init__()
        self.private = False  # whether the shown result depends on the data
        self.choice = AuditChoice()
        self._offered: tuple[PairOffer, ...] = ()
        self._bugs: tuple[PairOffer, ...] = ()
        self._shows = GUESS
        self._refused: Problem | None = None
        self._has_start = True
        self._wall: WallView | None = None
        self._lines = tuple(
            FieldLine(*line) for line in ((PAIR,), (BUG,), (RUNS, CONFIDENCE), (RECORD, VALUE))
        )
        self.fields: dict[str, ValueEditor] = {}
        for line in self._lines:
            line.edited.connect(self._on_edited)
            line.refused.connect(self._on_refused)
            self.fields |= line.fields
        self.prior_row = FieldLine(PRIOR)
        self.prior_row.edited.connect(self.shown)
        self._prior = self.prior_row.fields["prior"]
        self.boxes: dict[str, Any] = {name: field.box for name, field in self.fields.items()}
        self.boxes["confidence"].setMinimumContentsLength(4)
        self._build_buttons()
        self.wrong = caption()
        self.planted_badge = Badge(f"{FAULTY}: {NOT_DP}", WHY_PLANTED)
        self.planted_row = QWidget()
        self._planted = line_up(self.planted_row, self.planted_badge, (self.wrong, 1), spacing=6)
        choices, flow = QWidget(), Flow()
        buttons = self.segments, self.settings_button, self.audit_button
        for group in (*buttons, *self._lines):
            flow.addWidget(group)
        choices.setLayout(flow)
        self.player = GuessPlayer()  # its place is below the picture
        self.player.hide()
        self.progress = ProgressRow("Progress of the audit")
        self.progress.cancelled.connect(self.cancelled)
        self.problem = caption(name="problem")
        self.verdict = VerdictBar()
        self.verdict.unfolded.connect(self.shown)
        result = self.progress, self.problem, self.verdict, self.prior_row
        stack(self, choices, self.planted_row, *result, spacing=6)
        THEME.follow_scale(self.set_scale)
        self._show()

    def show_start(self, shown: bool) -> None:
        """Show or hide the button that starts the audit, which the large button may do as well."""
        if shown != self._has_start:
            self._has_start = shown
            self._show()

    def set_scale(self, scale: float) -> None:
        """Fit the fields to the font size."""
        self.boxes["runs"].setMinimumWidth(round(RUNS_WIDTH * scale))
        self._prior.box.setFixedWidth(round(SLIDER_WIDTH * scale))

    def _build_buttons(self) -> None:
        self.settings_button = icon_button("tune", SETTINGS_HELP, BUTTONS["settings"], checkable=True)
        self.settings_button.toggled.connect(self._show)
        self.audit_button = push_button(without_mnemonic(BUTTONS["audit"]), AUDIT_HELP, self.asked)
        self.segments = Segmented("Shows", SHOWS)
        self.segments.chosen.connect(self.show_picture)

    # Choices.

    @property
    def picture(self) -> str:
        """The name of the open picture of the result."""
        return f"audit {self._shows}"

    @property
    def plays(self) -> bool:
        """Whether the guessing game is open."""
        return self._shows == GUESS

    @property
    def low_bits(self) -> bool:
        """Whether the attack on the low bits is chosen."""
        return self._shows == LOW_BITS

    @property
    def prior(self) -> float:
        """The attacker's belief before the release."""
        return float(self._prior.value / 100)

    @property
    def view_state(self) -> AuditViewState:
        """The choices and the open picture."""
        return AuditViewState(self.choice, self._shows, self._prior.value)

    def restore_view_state(self, view_state: AuditViewState) -> None:
        """Set choices and picture."""
        self._prior.show_value(view_state.prior)
        self.choose(view_state.choice, view_state.shows)

    def pair(self) -> PairOffer | None:
        """Return the chosen pair of neighbours; None until the pairs are known."""
        return next((one for one in self._offered if one.name == self.choice.pair), None)

    def bug(self) -> PairOffer | None:
        return next((one for one in self._bugs if one.name == self.choice.bug), None)

    def choose(self, choice: AuditChoice, shows: str | None = None) -> None:
        self.choice, self._refused = choice, None
        self._shows = shows or self._shows
        self._show()

    def show_picture(self, name: str) -> None:
        """Show another picture of the result."""
        self._shows = name.removeprefix("audit ")
        self._show()
        self.shown.emit()

    def offer_pairs(self, offered: Sequence[PairOffer], complete: bool) -> None:
        """Offer pairs of neighbours; replace a choice that is not among them."""
        self._offered = tuple(offered)
        names, bug = [one.name for one in offered], self.bug()
        if self.choice.pair not in names and (complete or not self.choice.pair):
            worst = bug.worst if bug is not None and bug.worst in names else names[0]
            self.choice = self.choice.but(pair=worst)
        self._show()

    def offer_bugs(self, offered: Sequence[PairOffer]) -> None:
        self._bugs = tuple(offered)
        if self.bug() is None:
            self.choice = self.choice.but(bug="")
        self._show()

    def refuse(self, problem: Problem) -> None:
        """Show a problem of the choices until they change."""
        self._refused = problem
        self._say_problem()

    def _say_problem(self) -> None:
        """Show a problem beside the tools, and mark its field."""
        problem = self._refused or self.choice.problem()
        field, text = ("", "") if problem is None else (problem.field, problem.message)
        set_text(self.problem, f"{text[:1].upper()}{text[1:]}")
        for name, box in self.boxes.items():
            mark_wrong(box, name == field)

    def show_wall(self, wall: WallView | None) -> None:
        """Show only the verdict, and the controls that the task of a step names."""
        self._wall = wall
        if wall is None:
            self._planted.insertWidget(0, self.planted_badge)
        else:  # which has no room for the reason
            self.verdict.hold(self.planted_badge)
        self._show()
        self.shown.emit()

    def show_running(self, running: bool) -> None:
        self.progress.show_running(running)
        self.audit_button.setEnabled(not running)

    # Showing and changing the choices.

    def _show(self, _: object = None) -> None:
        choice, bug = self.choice, self.bug()
        opened = self.settings_button.isChecked()
        wall = self._wall or WallView()
        desk = self._wall is None
        self._offer("pair", self._offered)
        self._offer("bug", (RIGHT, *self._bugs))
        self.fields["confidence"].offer({str(value): share(value) for value in CONFIDENCES})
        record = None if choice.record is None else choice.record + 1
        shown = {**vars(choice), "confidence": str(choice.confidence), "record": record}
        for name, field in self.fields.items():
            field.show_value(shown[name])
        self._prior.show_value(self._prior.value)  # in the format of numbers of this time
        self.boxes["bug"].setEnabled(bool(self._bugs))
        self.segments.show_choice(self._shows)
        set_text(self.wrong, "" if bug is None else sentence(bug.why))
        show_only(
            {
                **dict.fromkeys(self._lines, opened),
                self._lines[-1]: opened and choice.pair == MOVED,
                self.settings_button: desk or wall.needs(self.settings_button.text()),
                self.audit_button: desk and self._has_start,
                self.segments: desk,
                self.verdict.explain: desk,
                self.prior_row: self._shows == "posterior" and (desk or PRIOR.name in wall.attempt),
                self.player.teams: opened or not desk,
                self.planted_row: bug is not None and desk,
                self.planted_badge: bug is not None,
            }
        )
        self._say_problem()

    def _offer(self, name: str, offered: Sequence[PairOffer]) -> None:
        labels, tips = {one.name: one.label for one in offered}, {one.name: one.why for one in offered}
        self.fields[name].offer(labels, tips)
        self.boxes[name].take_no_more(WIDE)

    def _change(self, **changes: object) -> None:
        self.choice, self._refused = self.choice.but(**changes), None
        self._show()
        self.changed.emit()

    def _on_edited(self, name: str, value: Any, continuous: bool) -> None:
        if name == "bug":
            self._plant(value)
        elif name != "value" or not continuous:  # half a value is another value
            self._change(**{name: READ.get(name, str)(value)})

    def _plant(self, name: str) -> None:
        """Plant another bug, and choose neighbours and runs that reveal it."""
        self.choice = self.choice.but(bug=name)
        bug = self.bug()
        if bug is not None and bug.low_bits and not self.plays:
            self._shows = LOW_BITS
        if bug is None:
            self._change()
        else:
            self._change(pair=bug.worst, runs=max(self.choice.runs, bug.runs))

    def _on_refused(self, text: str, name: str) -> None:
        self.refuse(Problem(name, text))

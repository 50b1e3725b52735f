"""Tools above the picture of an audit: neighbours, planted bug and runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QSlider, QWidget

from app.jobs.tasks import JobProgress
from app.model.pages.audit import LOW_BITS, SHOWS
from app.model.theme import Palette
from app.model.view_states import CONFIDENCES, AuditChoice, AuditViewState
from app.model.wording.numbers import share
from app.pages.audit.analysis import PairOffer
from app.pages.audit.verdict_bar import AuditProgress, VerdictBar, fill_box, row_of
from app.widgets.buttons import Segmented
from app.widgets.card import Badge, caption, mark_wrong, set_text, show_only
from app.widgets.form_row import combo
from app.widgets.layouts import Bend, Flow, stack
from app.widgets.number_box import NumberBox
from app.widgets.style import icon
from engine.audit import MOVED
from engine.mechanisms.problem import Problem

BUG = "Faulty variant (planted bug)"
FAULTY = "Faulty variant"
RIGHT = "None"
RIGHT_HELP = "The mechanism as it is; its audit should prove nothing"
NOT_DP = "Not DP"
WHY_PLANTED = (
    "A mechanism with a deliberate mistake, which an audit should catch. It is not DP, and never makes a "
    "release."
)
RUNS_HELP = "Simulated releases from each database, 1000 to a million; more runs find smaller faults"
SEED_HELP = "Audit again with another seed: one result may be luck"
RECORD_HELP = "The record in which the neighbouring database differs, counted from 1"
VALUE_HELP = "Value of this record in the neighbouring database; separate coordinates by colons"
SETTINGS_HELP = "Choose neighbours, faulty variant, runs and confidence"
RUNS_WIDTH, SLIDER_WIDTH = 112, 150
"""Widths for a million runs, and for a belief, in pixels."""
PRIOR_HELP = "How sure an attacker is beforehand that the data are the first of both databases"


class AuditOptionsBar(QWidget):
    """Chooses the audit, and shows its progress."""

    asked = Signal()  # start the audit
    cancelled = Signal()  # stop it
    changed = Signal()  # the choices changed; no audit starts by itself
    shown = Signal()  # show another view of the result: see `picture` and `prior`

    def __init__(self) -> None:
        super().__init__()
        self.private = False  # whether the shown result depends on the data
        self._choice = AuditChoice()
        self._offered: tuple[PairOffer, ...] = ()
        self._bugs: tuple[PairOffer, ...] = ()
        self._shows = "outcomes"
        self._refused: Problem | None = None
        self._folded = False
        choices, flow = QWidget(), Flow()
        self._mechanism = self._build_mechanism()
        self._build_settings()
        self._build_record()
        self._build_prior()
        self._build_planted()
        start = row_of(self.audit_button, self.seed_button)
        for group in (self.settings_button, self._runs, start, self.segments, self._record, self.prior_row):
            flow.addWidget(group)
        choices.setLayout(flow)
        self.progress = AuditProgress()
        self.progress.cancelled.connect(self.cancelled)
        self.problem = caption(name="problem")
        self.verdict = VerdictBar()
        self.verdict.unfolded.connect(self._on_unfolded)
        stack(
            self,
            self._mechanism,
            choices,
            self.planted_row,
            self.progress,
            self.problem,
            self.verdict,
            spacing=6,
        )
        self._show()

    @property
    def fields(self) -> dict[str, QWidget]:
        """The fields that can show a problem."""
        return {"runs": self.runs_box, "record": self.record_box, "value": self.value_box}

    @property
    def last_tool(self) -> QWidget:
        return self.progress.cancel_button

    def set_palette(self, palette: Palette) -> None:
        self.audit_button.setIcon(icon("play", palette.ink, size=14))

    def set_scale(self, scale: float) -> None:
        """Fit the fields to the font size."""
        self.runs_box.setMinimumWidth(round(RUNS_WIDTH * scale))
        self.prior_slider.setFixedWidth(round(SLIDER_WIDTH * scale))

    def _build_mechanism(self) -> QWidget:
        self.pair_box, self.bug_box = combo("Neighbours"), combo(BUG)
        self.bug_box.setToolTip(WHY_PLANTED)
        self.pair_box.activated.connect(self._on_choice)
        self.bug_box.activated.connect(self._on_bug)
        row = QWidget()
        line = Bend(row)
        for text, box in (("Neighbours", self.pair_box), (FAULTY, self.bug_box)):
            line.addWidget(row_of(QLabel(text), (box, 1), None))
        return row

    def _build_settings(self) -> None:
        self.settings_button = QPushButton("Settings")
        self.settings_button.setCheckable(True)
        self.settings_button.setToolTip(SETTINGS_HELP)
        self.settings_button.toggled.connect(self._show)
        self.runs_box = NumberBox("Runs", whole=True, logarithmic=True)
        self.runs_box.setToolTip(RUNS_HELP)
        self.runs_box.setMinimumWidth(RUNS_WIDTH)
        self.runs_box.edited.connect(self._on_runs)
        self.runs_box.refused.connect(self._on_refused)
        self.confidence_box = combo("Confidence")
        self.confidence_box.setMinimumContentsLength(4)
        self.confidence_box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.confidence_box.setToolTip("Confidence of the bound")
        self.confidence_box.activated.connect(self._on_choice)
        for confidence in CONFIDENCES:
            self.confidence_box.addItem("", confidence)
        self._runs = row_of(QLabel("Runs"), self.runs_box, QLabel("at"), self.confidence_box)
        self.audit_button, self.seed_button = QPushButton("Audit"), QPushButton("New seed")
        self.audit_button.setToolTip("Draw this many simulated releases from each database, and compare them")
        self.audit_button.clicked.connect(self.asked)
        self.seed_button.setToolTip(SEED_HELP)
        self.seed_button.clicked.connect(self._on_seed)
        self.segments = Segmented("Shows", SHOWS)
        self.segments.chosen.connect(self.show_picture)

    def _build_record(self) -> None:
        self.record_box = NumberBox("Record that is moved", whole=True, step=1, lower=1)
        self.record_box.setToolTip(RECORD_HELP)
        self.record_box.edited.connect(self._on_record)
        self.record_box.refused.connect(self._on_refused)
        self.value_box = QLineEdit()
        self.value_box.setAccessibleName("New value")
        self.value_box.setToolTip(VALUE_HELP)
        self.value_box.editingFinished.connect(self._on_value)
        self._record = row_of(QLabel("Record"), self.record_box, QLabel("becomes"), self.value_box)

    def _build_prior(self) -> None:
        self.prior_slider = QSlider(Qt.Orientation.Horizontal)
        self.prior_slider.setAccessibleName("Prior")
        self.prior_slider.setToolTip(PRIOR_HELP)
        self.prior_slider.setRange(1, 99)
        self.prior_slider.setValue(50)
        self.prior_slider.setFixedWidth(SLIDER_WIDTH)
        self.prior_slider.valueChanged.connect(self._on_prior)
        self.prior_text = QLabel()
        self.prior_text.setObjectName("caption")
        self.prior_row = row_of(QLabel("Prior"), self.prior_slider, self.prior_text)

    def _build_planted(self) -> None:
        self.wrong = caption()
        self.planted_badge = Badge(f"Faulty variant: {NOT_DP}", WHY_PLANTED)
        self.planted_row = row_of(self.planted_badge, (self.wrong, 1))

    # Choices.

    @property
    def choice(self) -> AuditChoice:
        return self._choice

    @property
    def picture(self) -> str:
        """The name of the open picture of the result."""
        return f"audit {self._shows}"

    @property
    def low_bits(self) -> bool:
        """Whether the attack on the low bits is chosen."""
        return self._shows == LOW_BITS

    @property
    def prior(self) -> float:
        """The attacker's belief in the first database before the release."""
        return self.prior_slider.value() / 100

    @property
    def view_state(self) -> AuditViewState:
        """The choices and the open picture."""
        return AuditViewState(self._choice, self._shows, self.prior_slider.value())

    def restore_view_state(self, view_state: AuditViewState) -> None:
        """Set choices and picture, and show the tools."""
        self.fold(False)
        self.prior_slider.setValue(view_state.prior)
        self.choose(view_state.choice, view_state.shows)

    @property
    def folded(self) -> bool:
        """Whether the settings are folded."""
        return self._folded

    def pair(self) -> PairOffer | None:
        """Return the chosen pair of neighbours; None until the pairs are known."""
        return next((one for one in self._offered if one.name == self._choice.pair), None)

    def bug(self) -> PairOffer | None:
        return next((one for one in self._bugs if one.name == self._choice.bug), None)

    def choose(self, choice: AuditChoice, shows: str | None = None) -> None:
        self._choice, self._refused = choice, None
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
        if self._choice.pair not in names and (complete or not self._choice.pair):
            worst = bug.worst if bug is not None and bug.worst in names else names[0]
            self._choice = self._choice.but(pair=worst)
        self._show()

    def offer_bugs(self, offered: Sequence[PairOffer]) -> None:
        self._bugs = tuple(offered)
        if self.bug() is None:
            self._choice = self._choice.but(bug="")
        self._show()

    def refuse(self, problem: Problem) -> None:
        """Show a problem of the choices until they change."""
        self._refused = problem
        self._say_problem()

    def _say_problem(self) -> None:
        """Show a problem beside the tools, and mark its field."""
        problem = self._refused or self._choice.problem()
        set_text(
            self.problem, "" if problem is None else f"{problem.message[:1].upper()}{problem.message[1:]}"
        )
        field = "" if problem is None else problem.field
        for name, box in self.fields.items():
            mark_wrong(box, name == field)

    def fold(self, folded: bool) -> None:
        """Fold or show the settings."""
        self._folded = folded
        self.settings_button.setChecked(False)
        self._show()
        self.shown.emit()

    # Progress.

    def show_running(self, running: bool) -> None:
        self.progress.show_running(running)
        for button in (self.audit_button, self.seed_button):
            button.setEnabled(not running)

    def show_progress(self, report: JobProgress) -> None:
        self.progress.show_progress(report)

    # Showing and changing the choices.

    def _show(self, _: object = None) -> None:
        choice, bug = self._choice, self.bug()
        chosen = not self._folded or self.settings_button.isChecked()
        fill_box(self.pair_box, self._offered, choice.pair)
        fill_box(self.bug_box, (PairOffer("", RIGHT, RIGHT_HELP), *map(_label_bug, self._bugs)), choice.bug)
        self.bug_box.setEnabled(bool(self._bugs))
        self.runs_box.set_value(choice.runs)
        for index, confidence in enumerate(CONFIDENCES):
            self.confidence_box.setItemText(index, share(confidence))
        self.confidence_box.setCurrentIndex(self.confidence_box.findData(choice.confidence))
        self.record_box.set_value(None if choice.record is None else choice.record + 1)
        if not self.value_box.isModified() or not self.value_box.hasFocus():
            self.value_box.setText(choice.value)
        self.segments.show_choice(self._shows)
        self.prior_text.setText(share(self.prior))
        set_text(self.wrong, "" if bug is None else f"{bug.why[:1].upper()}{bug.why[1:].rstrip('.')}.")
        show_only(
            {
                self.settings_button: self._folded,
                self._mechanism: chosen,
                self._runs: chosen,
                self._record: chosen and choice.pair == MOVED,
                self.prior_row: self._shows == "posterior",
                self.planted_row: bug is not None,
            }
        )
        self._say_problem()

    def _change(self, **changes: object) -> None:
        self._choice, self._refused = self._choice.but(**changes), None
        self._show()
        self.changed.emit()

    def _on_choice(self, _: int) -> None:
        self._change(
            pair=self.pair_box.currentData() or "", confidence=float(self.confidence_box.currentData())
        )

    def _on_bug(self, _: int) -> None:
        """Plant another bug, and choose neighbours and runs that reveal it."""
        self._choice = self._choice.but(bug=self.bug_box.currentData() or "")
        bug = self.bug()
        if bug is not None and bug.low_bits:
            self._shows = LOW_BITS
        if bug is None:
            self._change()
        else:
            self._change(pair=bug.worst, runs=max(self._choice.runs, bug.runs))

    def _on_runs(self, value: float, _: bool) -> None:
        self._change(runs=int(value))

    def _on_record(self, value: float, _: bool) -> None:
        self._change(record=int(value) - 1)

    def _on_value(self) -> None:
        if self.value_box.text() != self._choice.value:
            self._change(value=self.value_box.text())

    def _on_refused(self, text: str) -> None:
        self.refuse(Problem("runs" if self.sender() is self.runs_box else "record", text))

    def _on_seed(self) -> None:
        self._choice = self._choice.but(seed=self._choice.seed + 1)
        self.asked.emit()

    def _on_unfolded(self, _: bool) -> None:
        self.shown.emit()

    def _on_prior(self, _: int) -> None:
        self._show()
        self.shown.emit()


def _label_bug(bug: PairOffer) -> PairOffer:
    return PairOffer(bug.name, f"{bug.label} ({NOT_DP})", bug.why)

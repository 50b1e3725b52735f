"""The fields and buttons for what is audited."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QSlider, QVBoxLayout, QWidget

from app.model.audit_choice import CONFIDENCES
from app.model.pages.audit import SHOWS
from app.model.theme import Palette
from app.pages.audit.lines import row_of
from app.pages.audit.progress import AuditProgress
from app.pages.audit.verdict_bar import VerdictBar
from app.widgets.card import Badge, caption
from app.widgets.flow import Bend, Flow
from app.widgets.form_row import combo
from app.widgets.number_box import NumberBox
from app.widgets.segmented import Segmented
from app.widgets.style import icon

BUG = "Faulty variant (planted bug)"
FAULTY = "Faulty variant"
RIGHT = "None"
RIGHT_HELP = "The mechanism as it is; its audit should prove nothing"
NOT_DP = "Not DP"
WHY_PLANTED = (
    "A mechanism with a mistake in it on purpose, to see an audit catch it. It is not DP, "
    "and nothing is ever released with it."
)
RUNS_HELP = "Simulated releases of either database, 1000 to a million; more of them find smaller faults"
SEED_HELP = "Audit once more, with another seed: what is found with one may be chance"
RECORD_HELP = "Which record is another one in the neighbouring database, counted from 1"
VALUE_HELP = "What this record is in the neighbouring database; coordinates are separated by a colon"
SETTINGS_HELP = "Choose neighbours, faulty variant, runs and confidence"
RUNS_WIDTH, SLIDER_WIDTH = 112, 150
"""Room for a million, and for a belief."""
PRIOR_HELP = "How sure an attacker is beforehand that the data are the first of both databases"


class AuditForm(QWidget):
    """What can be chosen for an audit, and of what it found; what follows is for those who use it."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._build_mechanism())
        choices, flow = QWidget(), Flow()
        for group in (self._build_settings(), *self._build_runs(), self._build_record(), self._build_prior()):
            flow.addWidget(group)
        choices.setLayout(flow)
        column.addWidget(choices)
        column.addWidget(self._build_planted())
        self.progress = AuditProgress()
        column.addWidget(self.progress)
        self.problem = caption(name="problem")
        column.addWidget(self.problem)
        self.verdict = VerdictBar()
        column.addWidget(self.verdict)

    @property
    def fields(self) -> dict[str, QWidget]:
        """The fields beside which something can be wrong."""
        return {"runs": self.runs_box, "record": self.record_box, "value": self.value_box}

    @property
    def last_tool(self) -> QWidget:
        """The last that Tab reaches."""
        return self.progress.cancel_button

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.audit_button.setIcon(icon("play", palette.ink, size=14))

    def set_scale(self, scale: float) -> None:
        """Leave room for numbers of another size."""
        self.runs_box.setMinimumWidth(round(RUNS_WIDTH * scale))
        self.prior_slider.setFixedWidth(round(SLIDER_WIDTH * scale))

    def _build_mechanism(self) -> QWidget:
        self.pair_box = combo("Neighbours")
        self.bug_box = combo(BUG)
        self.bug_box.setToolTip(WHY_PLANTED)
        self.mechanism_row = QWidget()
        line = Bend(self.mechanism_row)
        for text, box in (("Neighbours", self.pair_box), (FAULTY, self.bug_box)):
            line.addWidget(row_of(QLabel(text), (box, 1), None))
        return self.mechanism_row

    def _build_settings(self) -> QWidget:
        self.settings_button = QPushButton("Settings")
        self.settings_button.setCheckable(True)
        self.settings_button.setToolTip(SETTINGS_HELP)
        return self.settings_button

    def _build_runs(self) -> tuple[QWidget, ...]:
        self.runs_box = NumberBox("Runs", whole=True, logarithmic=True)
        self.runs_box.setToolTip(RUNS_HELP)
        self.runs_box.setMinimumWidth(RUNS_WIDTH)
        self.confidence_box = combo("Confidence")
        self.confidence_box.setMinimumContentsLength(4)
        self.confidence_box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.confidence_box.setToolTip("With which confidence the bound is to hold")
        for confidence in CONFIDENCES:
            self.confidence_box.addItem("", confidence)
        self.audit_button = QPushButton("Audit")
        self.audit_button.setToolTip("Draw so many simulated releases of either database, and compare them")
        self.seed_button = QPushButton("New seed")
        self.seed_button.setToolTip(SEED_HELP)
        self.segments = Segmented("Shows", SHOWS)
        self.runs_row = row_of(QLabel("Runs"), self.runs_box, QLabel("at"), self.confidence_box)
        return self.runs_row, row_of(self.audit_button, self.seed_button), self.segments

    def _build_record(self) -> QWidget:
        self.record_box = NumberBox("Record that is moved", whole=True, step=1, lower=1)
        self.record_box.setToolTip(RECORD_HELP)
        self.value_box = QLineEdit()
        self.value_box.setAccessibleName("What it becomes")
        self.value_box.setToolTip(VALUE_HELP)
        self.record_row = row_of(QLabel("Record"), self.record_box, QLabel("becomes"), self.value_box)
        return self.record_row

    def _build_prior(self) -> QWidget:
        self.prior_slider = QSlider(Qt.Orientation.Horizontal)
        self.prior_slider.setAccessibleName("Prior")
        self.prior_slider.setToolTip(PRIOR_HELP)
        self.prior_slider.setRange(1, 99)
        self.prior_slider.setValue(50)
        self.prior_words = QLabel()
        self.prior_words.setObjectName("caption")
        self.prior_slider.setFixedWidth(SLIDER_WIDTH)
        self.prior_row = row_of(QLabel("Prior"), self.prior_slider, self.prior_words)
        return self.prior_row

    def _build_planted(self) -> QWidget:
        self.wrong = caption()
        self.planted_badge = Badge(f"Faulty variant: {NOT_DP}", WHY_PLANTED)
        self.planted_row = row_of(self.planted_badge, (self.wrong, 1))
        return self.planted_row

"""Tools above the picture of an audit: which neighbours, which planted bug, how many runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from app.jobs.tasks import JobProgress
from app.model.audit_choice import CONFIDENCES, AuditChoice
from app.model.pages.audit import LOW_BITS
from app.model.view_states import AuditViewState
from app.model.wording.numbers import share
from app.pages.audit.analysis import PairOffer
from app.pages.audit.form import NOT_DP, RIGHT, RIGHT_HELP, AuditForm
from app.pages.audit.lines import fill_box
from app.widgets.card import set_text, show_only
from app.widgets.form_row import mark_wrong
from engine.audit import MOVED
from engine.mechanisms.problem import Problem


class AuditOptionsBar(AuditForm):
    """Chooses what is audited, and shows how far an audit is.

    Signals
    -------
    asked()
        The audit is to be started.
    cancelled()
        It is to be stopped.
    changed()
        Another audit is chosen; nothing starts by itself.
    shown()
        Something else is to be seen of what was found: ask `picture` and `prior`.

    Attributes
    ----------
    private : bool
        Whether what is shown tells about the data.
    """

    asked = Signal()
    cancelled = Signal()
    changed = Signal()
    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.private = False
        self._choice = AuditChoice()
        self._offered: tuple[PairOffer, ...] = ()
        self._bugs: tuple[PairOffer, ...] = ()
        self._shows = "outcomes"
        self._refused: Problem | None = None
        self._folded = False
        for box in (self.pair_box, self.confidence_box):
            box.activated.connect(self._on_choice)
        self.bug_box.activated.connect(self._on_bug)
        self.settings_button.toggled.connect(self._show)
        self.runs_box.edited.connect(self._on_runs)
        self.runs_box.refused.connect(self._on_refused)
        self.audit_button.clicked.connect(self.asked)
        self.seed_button.clicked.connect(self._on_seed)
        self.segments.chosen.connect(self._on_shows)
        self.record_box.edited.connect(self._on_record)
        self.record_box.refused.connect(self._on_refused)
        self.value_box.editingFinished.connect(self._on_value)
        self.prior_slider.valueChanged.connect(self._on_prior)
        self.progress.cancelled.connect(self.cancelled)
        self.verdict.unfolded.connect(self._on_unfolded)
        self._show()

    # What is chosen.

    @property
    def choice(self) -> AuditChoice:
        """What is to be audited."""
        return self._choice

    @property
    def picture(self) -> str:
        """The name of the picture of what was found that is open."""
        return f"audit {self._shows}"

    @property
    def low_bits(self) -> bool:
        """Whether the attack on the low bits is chosen."""
        return self._shows == LOW_BITS

    @property
    def prior(self) -> float:
        """How sure an attacker is beforehand that the data are the first of both databases."""
        return self.prior_slider.value() / 100

    @property
    def view_state(self) -> AuditViewState:
        """What is chosen, and what is seen of it."""
        return AuditViewState(self._choice, self._shows, self.prior_slider.value())

    def restore_view_state(self, view_state: AuditViewState) -> None:
        """Choose that, and leave room for the tools."""
        self.fold(False)
        self.prior_slider.setValue(view_state.prior)
        self.choose(view_state.choice, view_state.shows)

    @property
    def folded(self) -> bool:
        """Whether the room is left to the picture."""
        return self._folded

    def pair(self) -> PairOffer | None:
        """Return the chosen pair of neighbours; None while it is not known which there are."""
        return next((one for one in self._offered if one.name == self._choice.pair), None)

    def bug(self) -> PairOffer | None:
        """Return the chosen bug, if there is one."""
        return next((one for one in self._bugs if one.name == self._choice.bug), None)

    def choose(self, choice: AuditChoice, shows: str | None = None) -> None:
        """Show other choices."""
        self._choice, self._refused = choice, None
        self._shows = shows or self._shows
        self._show()

    def show_picture(self, name: str) -> None:
        """Show another one of the pictures of what was found."""
        self._shows = name.removeprefix("audit ")
        self._show()
        self.shown.emit()

    def offer_pairs(self, offered: Sequence[PairOffer], complete: bool) -> None:
        """Offer pairs of neighbours; where the chosen one is not among all of them, choose another."""
        self._offered = tuple(offered)
        names, bug = [one.name for one in offered], self.bug()
        if self._choice.pair not in names and (complete or not self._choice.pair):
            worst = bug.worst if bug is not None and bug.worst in names else names[0]
            self._choice = self._choice.but(pair=worst)
        self._show()

    def offer_bugs(self, offered: Sequence[PairOffer]) -> None:
        """Offer planted bugs, and none."""
        self._bugs = tuple(offered)
        if self.bug() is None:
            self._choice = self._choice.but(bug="")
        self._show()

    def refuse(self, problem: Problem) -> None:
        """Say what is wrong with what was chosen, until something else is."""
        self._refused = problem
        self._say_problem()

    def _say_problem(self) -> None:
        """Say what is wrong beside the tools, and mark the field."""
        problem = self._refused or self._choice.problem()
        set_text(
            self.problem, "" if problem is None else f"{problem.message[:1].upper()}{problem.message[1:]}"
        )
        field = "" if problem is None else problem.field
        for name, box in self.fields.items():
            mark_wrong(box, name == field)

    def fold(self, folded: bool) -> None:
        """Leave the room to the picture: what is chosen is seen only when the user wants to change it."""
        self._folded = folded
        self.settings_button.setChecked(False)
        self._show()
        self.shown.emit()

    # How far it is.

    def show_running(self, running: bool) -> None:
        """Show or hide the progress of an audit."""
        self.progress.show_running(running)
        for button in (self.audit_button, self.seed_button):
            button.setEnabled(not running)

    def show_progress(self, report: JobProgress) -> None:
        """Show how far the audit is."""
        self.progress.show_progress(report)

    # What is shown, and what follows.

    def _show(self, _: object = None) -> None:
        choice, bug = self._choice, self.bug()
        chosen = not self._folded or self.settings_button.isChecked()
        fill_box(self.pair_box, self._offered, choice.pair)
        fill_box(self.bug_box, (PairOffer("", RIGHT, RIGHT_HELP), *map(_labelled, self._bugs)), choice.bug)
        self.bug_box.setEnabled(bool(self._bugs))
        self.runs_box.set_value(choice.runs)
        for index, confidence in enumerate(CONFIDENCES):
            self.confidence_box.setItemText(index, share(confidence))
        self.confidence_box.setCurrentIndex(self.confidence_box.findData(choice.confidence))
        self.record_box.set_value(None if choice.record is None else choice.record + 1)
        if not self.value_box.isModified() or not self.value_box.hasFocus():
            self.value_box.setText(choice.value)
        self.segments.show_choice(self._shows)
        self.prior_words.setText(share(self.prior))
        set_text(self.wrong, "" if bug is None else f"{bug.why[:1].upper()}{bug.why[1:].rstrip('.')}.")
        show_only(
            {
                self.settings_button: self._folded,
                self.mechanism_row: chosen,
                self.runs_row: chosen,
                self.record_row: chosen and choice.pair == MOVED,
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
        """Plant another bug, and choose neighbours and runs with which it shows."""
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

    def _on_shows(self, key: str) -> None:
        self.show_picture(f"audit {key}")

    def _on_unfolded(self, _: bool) -> None:
        self.shown.emit()

    def _on_prior(self, _: int) -> None:
        self._show()
        self.shown.emit()


def _labelled(bug: PairOffer) -> PairOffer:
    return PairOffer(bug.name, f"{bug.label} ({NOT_DP})", bug.why)

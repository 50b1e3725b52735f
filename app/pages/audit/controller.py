"""The audit of a page: what is offered, what runs, and what was found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Channel, Failure, Jobs
from app.model.pages.audit import LOW_BITS, TAB
from app.model.selection import Selection
from app.model.view_states import AuditChoice
from app.model.wording.numbers import format_count, format_exact, number, share
from app.pages.audit.analysis import AuditRequest, AuditResult, NeighbourPairs, PairOffer, planted_bugs
from app.session import Session
from engine.audit import LowBitsRun
from engine.errors import ParameterError
from engine.mechanisms import PLANTED
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.state import SessionState
    from app.pages.base.picture_panel import PicturePanel

STALE = "This was found with the choices before; press Audit to audit those of now."
UNDER_WAY = "This was found before; the audit of what is chosen now is under way."
SIMULATED = "simulated releases"
BARE = "Values are looked at before they are clamped or otherwise processed."
CANCELLED = "Cancelled. Press Audit to start again."


class AuditController(QObject):
    """Lets the mechanism of a page be audited in a worker, and shows what was found.

    `name`: of the page.
    `card`: has the tools, and shows the pictures.
    """

    failed = Signal(object)  # an audit ended with an error that has no place beside the tools
    shown = Signal()  # what is to be seen may be something else than before

    def __init__(self, name: str, session: Session, jobs: Jobs, card: PicturePanel) -> None:
        super().__init__(card)
        self._session = session
        self._card = card
        self._tools = card.audit
        self._setup: Selection | None = None
        self._kept: dict[bool, AuditResult] = {}  # by whether it is of the low bits
        self._offered: tuple[Selection | None, str] = None, ""
        self._wanted = self._resumes = False
        self._said = ""
        self._neighbours: Channel = jobs.channel(f"neighbours of {name}")
        self._neighbours.result.connect(self._on_neighbours)
        self._neighbours.failed.connect(self._on_failed)
        self.running: Channel = jobs.channel(f"audit of {name}")  # what audits
        self.running.result.connect(self._on_found)
        self.running.failed.connect(self._on_failed)
        self.running.progressed.connect(self._tools.show_progress)
        self.running.busy_changed.connect(self._on_busy)
        self.running.cancelled.connect(self._on_cancelled)
        self._tools.asked.connect(self.start)
        self._tools.cancelled.connect(self.running.cancel)
        self._tools.changed.connect(self._on_changed)
        self._tools.shown.connect(self.show)

    @property
    def is_open(self) -> bool:
        """Whether the tab is open."""
        return self._card.tab == TAB

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    @property
    def result(self) -> AuditResult | None:
        """What was found last of what is shown, if it may be seen."""
        return self._kept.get(self._tools.low_bits)

    @property
    def done(self) -> bool:
        """Whether just what is chosen was audited, or will be as soon as the user looks."""
        request = self._make_request()
        return self._resumes or (
            self.result is not None and request is not None and self.result.answers(request)
        )

    def request_of(self, setup: Selection, picture: str) -> AuditRequest:
        """Return what an audit of a setup asks for one of the pictures, with the choices of now."""
        return AuditRequest(setup, self._tools.choice, self._curator, picture == f"{TAB} {LOW_BITS}")

    def known(self, request: AuditRequest) -> AuditResult | None:
        """Return what was found of just this, if it was."""
        match = self._kept.get(request.low_bits)
        return match if match is not None and match.answers(request) else None

    def resume(self) -> None:
        """Audit what is chosen as soon as the user looks."""
        self._resumes = True

    def want(self, wanted: bool = True) -> None:
        """Start an audit as soon as there is a setup, or not."""
        self._wanted = wanted

    def ask(self, setup: Selection) -> None:
        """Offer what there is to audit of a setup, and show what was found of it."""
        self._setup, self._said = setup, ""
        self._tools.offer_bugs(tuple(planted_bugs(setup)))
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        if problems:
            self._refuse(problems[0].message)
            return
        self._look_for_neighbours()
        if self._wanted or self._resumes:
            self.start()
        else:
            self.show()

    def start(self) -> None:
        """Audit what is chosen now."""
        self._wanted = self._resumes = False
        self._said = ""
        request = self._make_request()
        if request is None:
            return
        if request.choice.problem() is None:  # else the tools say it
            self.running.request(partial(request.compute, self._session.databases))
            self.show()

    def stop(self) -> None:
        """Stop what is being worked out: the user looks at something else."""
        self.running.cancel()
        self._neighbours.cancel()

    def forget(self) -> None:
        """Drop what was found of other data; what follows from public facts may stay."""
        self.stop()
        self._setup, self._said, self._resumes = None, "", False
        self._kept = {kind: result for kind, result in self._kept.items() if result.public}

    def follow(self, seen: SessionState, state: SessionState) -> None:
        """Take the record that the user has moved by hand for the one that the neighbour has moved."""
        before, now = seen.data.changed_values(), state.data.changed_values()
        moved = [record for record, value in now.items() if before.get(record) != value]
        if len(moved) == 1:
            choice = self._tools.choice
            self._tools.choose(choice.but(record=moved[0], value=format_exact(float(f"{now[moved[0]]:.6g}"))))

    def show(self) -> None:
        """Show what was found, if it is about what the page asks now; else say what an audit would do."""
        if self.is_open:
            self._show()
        self.shown.emit()

    def _show(self) -> None:
        result, request = self.result, self._make_request()
        if result is None or request is None or not result.is_about(request, curator=self._curator):
            self._show_words()
            return
        if result.view.prior != self._tools.prior:
            result = self._kept[result.request.low_bits] = result.with_prior(self._tools.prior)
        self._tools.private = not result.public
        canvas = self._card.open()
        canvas.private = self._tools.private
        canvas.set_unit(self._session.state.unit)
        if canvas.result is not result.view:
            self._card.pictures.show_result(self._tools.picture, result.view)
        fresh = result.answers(request)
        self._tools.verdict.show_verdict(result.view.verdict, fresh)
        self._card.say(self._said or self._explanation(result, fresh))
        self._card.show_outdated(not fresh)

    def _explanation(self, result: AuditResult, fresh: bool) -> str:
        """Say what was found and what it means, where that is asked for; and what is not what it seems."""
        if self.running.busy:
            return UNDER_WAY
        asked = self._tools.verdict.explain.isChecked()
        return result_text(result, fresh) if asked or not fresh else ""

    def _make_request(self) -> AuditRequest | None:
        if self._setup is None:
            return None
        return AuditRequest(self._setup, self._tools.choice, self._curator, self._tools.low_bits)

    def _show_words(self) -> None:
        """Say what an audit would do, or why there is none."""
        busy = self.running.busy and not self._said
        text = self._said or waiting(self._tools.pair(), self._make_request(), busy)
        self._card.say("")
        self._tools.verdict.show_verdict(None)
        self._card.show_waiting(text)

    def _look_for_neighbours(self) -> None:
        """Find out which pairs there are; a mechanism with a mistake in it has some of its own."""
        request = self._make_request()
        if request is not None:
            self._offered = request.setup, request.choice.bug
            self._neighbours.request(partial(request.pairs, self._session.databases))

    def _on_changed(self) -> None:
        self._said = ""
        if self._setup is not None and self._offered != (self._setup, self._tools.choice.bug):
            self._look_for_neighbours()
        self.show()

    def _on_neighbours(self, neighbours: NeighbourPairs) -> None:
        if (neighbours.request.setup, neighbours.request.choice.bug) == self._offered:
            self._tools.offer_pairs(neighbours.pairs, neighbours.complete)
            self.show()

    def _on_found(self, result: AuditResult) -> None:
        if not (result.public or self._curator):
            return
        self._kept[result.request.low_bits], self._said = result, ""
        if not self._tools.choice.pair:
            self._tools.choose(self._tools.choice.but(pair=result.pair.name))
        self.show()

    def _on_busy(self, busy: bool) -> None:
        self._tools.show_running(busy)
        self.show()

    def _on_cancelled(self) -> None:
        self._said = CANCELLED
        self.show()

    def _on_failed(self, failure: Failure) -> None:
        """Say what is wrong beside the tools where it is theirs, in the place of the picture else."""
        error = failure.error
        if isinstance(error, ParameterError) and error.field in self._tools.fields:
            self._tools.refuse(Problem(error.field, error.problem))
            self.show()
        elif failure.expected:
            text = error.problem if isinstance(error, ParameterError) else failure.message
            self._refuse(text)
        else:
            self.failed.emit(failure)

    def _refuse(self, text: str) -> None:
        self._kept, self._said = {}, sentence(text)
        self.show()


def waiting(pair: PairOffer | None, request: AuditRequest | None, busy: bool) -> str:
    """Say what an audit would do, before there is one, or does."""
    if pair is None or request is None:
        return ""
    said = f"{pair.label}: {sentence(pair.why)}"
    many = f"{format_count(request.runs)} {_kind(request)} of either database"
    return f"{said}\n\n{f'Drawing {many} …' if busy else f'Press Audit to draw {many}.'}"


def result_text(audited: AuditResult, fresh: bool) -> str:
    """Say what was found, and what it means."""
    if not fresh:
        return STALE
    request, run = audited.request, audited.view.run
    choice, right = request.choice, request.setup.mechanism
    pair = f"{audited.pair.label}: {sentence(audited.pair.why)}"
    bare = "" if right.unprocessed() == right else f" {BARE}"
    if isinstance(run, LowBitsRun):
        many = f"{format_count(request.runs)} {_kind(request)} of each."
        return f"{_of_low_bits(run, choice)}{pair} {many}{bare}"
    drawn = f"{format_count(choice.runs)} {_kind(request)} of each, seed {choice.seed}.{bare}"
    promised = f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(run.audit.privacy.epsilon)}"
    if run.audit.violated and choice.bug:
        why = "The faulty variant is caught. "
    elif run.audit.violated and not right.facts.is_private:
        why = f"It must be: nothing is promised here; a mechanism that is DP would keep to {promised}. "
    elif run.audit.violated:
        odds = share(1 - run.audit.confidence)
        why = f"A right mechanism is called violated in at most {odds} of all audits: try other seeds. "
    elif choice.bug and PLANTED[choice.bug].shows_in_low_bits:
        why = "The faulty variant shows in the low bits alone: choose Low bits, and audit again. "
    elif choice.bug:
        why = "The faulty variant does not show: try other neighbours, or more runs. "
    else:
        why = ""
    return f"{why}{pair} {drawn}"


def _of_low_bits(run: LowBitsRun, choice: AuditChoice) -> str:
    """Say what the attack on the low bits means."""
    if run.result.violated:
        return "The faulty variant is caught. " if choice.bug else ""
    return "The faulty variant does not show in the low bits. " if choice.bug else ""


def _kind(request: AuditRequest) -> str:
    return "real releases, which are not shown and spend no budget," if request.low_bits else SIMULATED


def sentence(text: str) -> str:
    """Write words with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""

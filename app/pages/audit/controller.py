"""The audit of a page: choices, computation and result."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit

from app.jobs.channels import Failure, Jobs
from app.model.dataset import PointedRecord
from app.model.pages.audit import GUESS, LOW_BITS, SHOWS, TAB
from app.model.selection import Selection
from app.model.wording.guarantees import hit_sentence, origin_sentence, rule_sentence, unshown_sentence
from app.model.wording.numbers import format_count, format_exact, number, share
from app.model.wording.releases import sentence
from app.pages.audit.analysis import (
    AuditRequest,
    AuditResult,
    NeighbourPairs,
    PairOffer,
    planted_bugs,
)
from app.session import Session
from engine import audit
from engine.errors import ParameterError
from engine.mechanisms import PLANTED
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.state import SessionState
    from app.pages.base.picture_panel import PicturePanel

STALE = "This result belongs to earlier choices. Press Audit for a new one."
UNDER_WAY = "This result belongs to earlier choices; a new audit is running."
SIMULATED = "simulated releases"
HIDDEN = "They stay hidden and cost nothing."
BARE = "The audit reads values before clamping or other processing."
CAUGHT = "The faulty variant is caught. "
NOT_CAUGHT = "The faulty variant was not caught: try other neighbors, or more runs."
CANCELLED = "Cancelled. Press Audit to start again."
EDITORS = QAbstractSpinBox, QComboBox, QLineEdit
"""Widgets that keep the focus when a game begins."""


class AuditController(QObject):
    """Audits the mechanism of a page in a worker, and shows the result.

    `name`: of the page. `card`: has the tools, and shows the pictures.
    """

    failed = Signal(object)  # an audit failed with an error that no field can show
    shown = Signal()  # the visible result may have changed

    def __init__(self, name: str, session: Session, jobs: Jobs, card: PicturePanel) -> None:
        super().__init__(card)
        self._session = session
        self._card = card
        self._tools = card.audit
        self._setup: Selection | None = None
        self._kept: dict[bool, AuditResult] = {}  # by whether it attacks the low bits
        self._offered: tuple[Selection | None, str] = None, ""
        self._wanted = self._resumes = False
        self._said = ""
        self._has_bets = False  # whether the shown verdict is that of a game
        self._neighbours = jobs.channel(f"neighbors of {name}", self._on_neighbours, self._on_failed)
        self.running = jobs.channel(f"audit of {name}", self._on_found, self._on_failed)
        self.running.progressed.connect(self._tools.progress.show_progress)
        self.running.busy_changed.connect(self._on_busy)
        self.running.cancelled.connect(self._on_cancelled)
        self._tools.cancelled.connect(self.running.cancel)
        self._tools.changed.connect(self._on_changed)
        self._tools.shown.connect(self.show)
        self._tools.player.changed.connect(self._on_played)
        card.pictures.made.connect(self._on_made)
        card.tabs.currentChanged.connect(self._on_tab)

    @property
    def is_open(self) -> bool:
        """Whether the tab is open."""
        return self._card.tab == TAB

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    @property
    def result(self) -> AuditResult | None:
        """The latest result of the open picture, if it may be shown."""
        return self._kept.get(self._tools.low_bits)

    @property
    def done(self) -> bool:
        """Whether there is a result for the current choices, or an audit that starts once visible."""
        request = self._make_request()
        return self._resumes or (request is not None and self.known(request) is not None)

    def request_of(self, setup: Selection, picture: str) -> AuditRequest:
        """Return the request for an audit of a setup with the current choices, for one picture."""
        return AuditRequest(setup, self._tools.choice, self._curator, picture == f"{TAB} {LOW_BITS}")

    def known(self, request: AuditRequest) -> AuditResult | None:
        """Return the stored result of exactly this request, if any."""
        match = self._kept.get(request.low_bits)
        return match if match is not None and match.answers(request) else None

    def resume(self) -> None:
        """Audit the current choices once the tab is visible."""
        self._resumes = True

    def want(self) -> None:
        """Start an audit once there is a setup, unless another tab is opened first."""
        self._wanted = True

    def _on_tab(self) -> None:
        self._wanted = self._wanted and self.is_open

    def ask(self, setup: Selection) -> None:
        """Show the choices for a setup, and its result."""
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

    def start_anew(self) -> None:
        """Start the audit; with another seed if this one has been done."""
        request = self._make_request()
        if request is not None and not request.low_bits and self.known(request) is not None:
            self._tools.choose(self._tools.choice.but(seed=self._tools.choice.seed + 1))
        self.start()

    def start(self) -> None:
        self._wanted = self._resumes = False
        self._said = ""
        request = self._make_request()
        if request is None:
            return
        if request.choice.problem() is None:  # else the tools show it
            self.running.request(partial(request.compute, self._session.databases))
            self.show()

    def stop(self) -> None:
        """Stop the computation: the user has left the picture."""
        self.running.cancel()
        self._neighbours.cancel()

    def forget(self) -> None:
        """Drop results about other data; public results may stay."""
        self.stop()
        self._setup, self._said, self._resumes = None, "", False
        self._kept = {kind: result for kind, result in self._kept.items() if result.public}

    def follow(self, seen: SessionState, state: SessionState) -> None:
        """Use the record that the user moved or removed as the one in which the neighbours differ."""
        before, now = seen.data.changed_values(), state.data.changed_values()
        moved = [record for record, value in now.items() if before.get(record) != value]
        if len(moved) == 1:
            choice = self._tools.choice
            self._tools.choose(choice.but(record=moved[0], value=format_exact(float(f"{now[moved[0]]:.6g}"))))
        absent: list[frozenset[int]] = [
            getattr(one.data, "removed_edges", frozenset()) for one in (seen, state)
        ]
        removed = absent[1] - absent[0]
        edges, edges_before = (getattr(one.data, "edges", None) for one in (state, seen))
        if len(removed) == 1 and edges is edges_before and self._setup is not None:
            record, value = self._setup.source.distant_value(*removed, {})
            self._tools.choose(self._tools.choice.but(record=record, value=value))

    def pick(self, pointed: PointedRecord) -> None:
        """Use a clicked record, moved far away, as the one in which neighbours differ."""
        seen = self.is_open and self._curator and self._card.isVisible()
        source = self._setup.source if self._setup is not None and seen else None
        moved = None if source is None else source.distant_value(pointed.record, pointed.values)
        if moved is not None:
            record, value = moved
            self._tools.choose(self._tools.choice.but(pair=audit.MOVED, record=record, value=value))
            self._on_changed()

    def show(self) -> None:
        """Show the result if it fits the page; else describe the audit."""
        if self.is_open:
            self._show()
        self.shown.emit()

    def _show(self) -> None:
        result, request = self.result, self._make_request()
        if result is None or request is None or not result.is_about(request, curator=self._curator):
            self._show_words()
            return
        if result.view.prior != self._tools.prior:
            result = self._kept[result.request.low_bits] = result.but(prior=self._tools.prior)
        self._tools.private = not result.public
        canvas = self._card.open()
        canvas.private = self._tools.private
        canvas.set_unit(self._session.state.unit)
        fresh = result.answers(request)
        verdict = result.view.verdict
        if self._tools.plays and isinstance(result.view.run, audit.AuditRun):
            self._show_game()
            self._has_bets = self._tools.player.bets.size > 0
            game = result.view.run.game
            text = hit_sentence(game) if self._has_bets else f"{rule_sentence(game)} {origin_sentence(game)}"
            better = result.view.better_pair if self._has_bets else ""
            text += f" {unshown_sentence(better)}" if better else ""
            verdict = dataclasses.replace(verdict, numbers=text)
        elif canvas.result is not result.view:
            self._card.pictures.show_result(self._tools.picture, result.view)
        self._tools.verdict.show_verdict(verdict, fresh)
        self._tools.player.setVisible(self._tools.plays)
        self._card.say(self._said or self._explanation(result, fresh))
        self._card.show_outdated(not fresh)

    def _show_game(self) -> None:
        """Show the bets so far."""
        result, player = self.result, self._tools.player
        if result is not None and isinstance(result.view.run, audit.AuditRun):
            player.show_game(result.view.run.game, result.view.names)
            self._card.pictures.show_result(self._tools.picture, result.but(**player.playing).view)

    def _on_played(self) -> None:
        """Show the bets; the first one reveals how often the best guess is right."""
        if self._has_bets == (self._tools.player.bets.size > 0):
            self._show_game()
        else:
            self.show()

    def _on_made(self, picture: str) -> None:
        """Let the arrow keys bet in the picture of the game."""
        if picture == f"{TAB} {GUESS}":
            self._card.pictures.canvases[picture].nudged.connect(self._tools.player.nudge)

    def _explanation(self, result: AuditResult, fresh: bool) -> str:
        """Show the explanation if wanted, and always the caveats."""
        if self.running.busy:
            return UNDER_WAY
        asked = self._tools.verdict.explain.isChecked()
        return result_text(result, fresh) if asked or not fresh else ""

    def _make_request(self) -> AuditRequest | None:
        if self._setup is None:
            return None
        return AuditRequest(self._setup, self._tools.choice, self._curator, self._tools.low_bits)

    def _show_words(self) -> None:
        """Describe the audit, or say why there is none."""
        title, _, shows = SHOWS[self._tools.picture.removeprefix("audit ")]
        text = waiting(self._tools.pair(), self._make_request(), self.running.busy)
        self._card.say("")
        self._tools.verdict.show_verdict(None)
        self._tools.player.hide()
        if self._said or not text:
            self._card.show_waiting(self._said)
        else:
            self._card.show_waiting(f"{sentence(shows)}\n\n{text}", title, "guess")

    def _look_for_neighbours(self) -> None:
        """Look up the pairs; a faulty variant has pairs of its own."""
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
        canvas, busy = self._card.canvas, isinstance(QApplication.focusWidget(), EDITORS)
        if self.is_open and self._tools.plays and canvas is not None and canvas.isVisible() and not busy:
            canvas.setFocus(Qt.FocusReason.OtherFocusReason)  # so that arrow keys bet

    def _on_busy(self, busy: bool) -> None:
        self._tools.show_running(busy)
        self.show()

    def _on_cancelled(self) -> None:
        self._said = CANCELLED
        self.show()

    def _on_failed(self, failure: Failure) -> None:
        """Show a problem beside its tool, else instead of the picture."""
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
    """Describe an audit that has not finished."""
    if pair is None or request is None:
        return ""
    said = f"{pair.label}: {sentence(pair.why)}"
    many = f"{format_count(request.runs)} {_kind(request)} from each database"
    return f"{said}\n\n{f'Drawing {many} …' if busy else f'Audit draws {many}. {HIDDEN}'}"


def result_text(audited: AuditResult, fresh: bool) -> str:
    """Describe the result and its meaning."""
    if not fresh:
        return STALE
    request, run = audited.request, audited.view.run
    choice, right = request.choice, request.setup.mechanism
    pair = f"{audited.pair.label}: {sentence(audited.pair.why)}"
    bare = "" if right.unprocessed() == right else f" {BARE}"
    if isinstance(run, audit.LowBitsRun):
        many = f"{format_count(request.runs)} {_kind(request)} from each. {HIDDEN}"
        shown = CAUGHT if run.result.violated else "The low bits do not reveal the faulty variant. "
        return f"{shown if choice.bug else ''}{pair} {many}{bare}"
    drawn = f"{format_count(choice.runs)} {_kind(request)} from each, seed {choice.seed}.{bare}"
    promised, why = f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(run.audit.privacy.epsilon)}", ""
    if run.audit.violated and choice.bug:
        why = CAUGHT
    elif run.audit.violated and not right.facts.is_private:
        why = f"As expected: this mechanism has no guarantee. A DP mechanism would stay within {promised}. "
    elif run.audit.violated:
        odds = share(1 - run.audit.confidence)
        why = (
            f"A correct mechanism gets this verdict by chance in at most {odds} of all audits: "
            "try other seeds. "
        )
    elif choice.bug and PLANTED[choice.bug].shows_in_low_bits:
        why = "Only the low bits reveal this faulty variant: choose Low bits, and audit again. "
    elif choice.bug:
        better = getattr(audited.view, "better_pair", "")
        why = f"{unshown_sentence(better)} " if better else f"{NOT_CAUGHT} "
    return f"{why}{pair} {drawn}"


def _kind(request: AuditRequest) -> str:
    return "real releases" if request.low_bits else SIMULATED

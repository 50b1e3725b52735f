"""What all pages have in common: they follow the session, and ask a worker for what is to be seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

from PySide6.QtCore import QTimer, Signal

from app.jobs.channels import Channel, Failure, Jobs
from app.model.audit_choice import AuditChoice
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.selection import problems, selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.view_states import ViewState
from app.model.views import RELEASE
from app.pages.audit.controller import AuditController
from app.pages.base.following import CANCELLED, SHARED, STALE
from app.pages.base.picture_view import PictureView
from app.pages.base.plot_panel import PlotPanel
from app.session import Session
from engine.errors import ParameterError


class Page(PictureView):
    """Shows the session's data and what is released of them, while it is open.

    Parameters
    ----------
    declared : PageSpec
    card : PlotPanel
        The pictures.

    Signals
    -------
    judged(object)
        What can be expected of the chosen mechanism on these data, `ExpectedWords`; None: nothing.
    clamped(object)
        How many records the bounds move (private).
    certified(object)
        What the chosen noise was found to give, `NoiseCertificates` (public).
    outdated()
        What was announced until now is about older choices.

    Attributes
    ----------
    followed : frozenset of str
        The fields of the state on which something here depends.
    """

    followed: frozenset[str] = SHARED

    judged = Signal(object)
    clamped = Signal(object)
    certified = Signal(object)
    outdated = Signal()

    def __init__(
        self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette, card: PlotPanel
    ) -> None:
        self.declared = declared
        self.name = declared.name
        super().__init__(session, jobs, palette)
        self._seen = SessionState()
        self._estimated = True
        self.curves: Channel = jobs.channel(f"curves of {self.name}")
        self.curves.result.connect(self._on_drawn)
        self.curves.failed.connect(self._on_failed)
        self.curves.busy_changed.connect(self._settle)
        self._certificates: Channel = jobs.channel(f"certificate of {self.name}")
        self._certificates.result.connect(self.certified)
        self._certificates.failed.connect(self._on_failed)
        self.pictures.failed.connect(self.failed)
        self._ask = QTimer(self, singleShot=True, interval=0)
        self._ask.timeout.connect(self._start_request)
        self.card = card
        self.curves.progressed.connect(card.freshness.show_progress)
        self.card.asked.connect(self._ask.start)
        self.card.alternative.serve(session)
        self.audit = AuditController(self.name, session, jobs, card)
        self.audit.failed.connect(self.failed)
        session.changed.connect(self.refresh)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (self.curves, self.audit.running)

    @property
    def pending(self) -> bool:
        return self._ask.isActive()

    @property
    def busy(self) -> bool:
        return self.audit.running.busy

    def rewrite(self) -> None:
        """Write all numbers anew, with other signs: what was found is found again, or remembered."""
        super().rewrite()
        self._seen = SessionState()
        self.refresh()

    def rest(self) -> bool:
        """Drop pictures and what they show: whoever comes back finds the same, from choices and data."""
        if not self._made or self.is_open or self.busy:
            return False
        self._pending_view_state = self.view_state
        self.blockSignals(True)  # the page that is open says other things
        self._forget()
        self.blockSignals(False)
        self._seen = SessionState()
        return True

    def show_audit(self, choice: AuditChoice, shows: str | None = None, *, folded: bool = False) -> None:
        """Open the audit with these choices, and start it.

        Parameters
        ----------
        choice : AuditChoice
        shows : str, optional
            A key of `app.model.pages.audit.SHOWS`; by default what was shown last.
        folded : bool
            Whether what can be chosen leaves the room to the picture.
        """
        if folded:
            self.card.audit.fold(True)
        self.card.audit.choose(choice, shows)
        self.audit.want()
        self.show_tab(AUDIT)
        self._ask.start()

    def cancel(self) -> None:
        """Stop an audit, else drawing; an old picture must not pass for the new one."""
        if self.audit.running.busy:
            self.audit.running.cancel()
            return
        self._ask.stop()
        self.curves.cancel()
        self._show_cancelled()
        self._settle()

    def _show_cancelled(self) -> None:
        """Say that nothing is drawn any more."""
        self.card.show_waiting(CANCELLED)

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if not self._made:
            return
        state, seen = self._session.state, self._seen
        if not self.is_open:
            self._ask.stop()
            self.curves.cancel()
            self.audit.stop()
            self._certificates.cancel()
            if fields is not None and "view" in fields and state.view == RELEASE:
                self._forget()
                self._seen = SessionState()
                return
            if seen.dataset is not self._own_state.dataset:
                seen = SessionState()  # which keeps no data that were left
            # whoever comes back shall find everything drawn to its end
            self._seen = dataclasses.replace(seen, page="", other_pages={})
            return
        changed = self.followed & state.differences(seen)
        self._seen = state
        self.audit.follow(seen, state)
        self._follow(changed, seen)
        other = self._apply_pending_view_state()
        if other or changed - {"releases"} or (changed and self._shows_releases):
            self._outdate(changed)
            self._ask.start()

    def _view_state(self) -> ViewState:
        card = self.card
        audit = dataclasses.replace(card.audit.view_state, done=self.audit.done)
        return ViewState(tab=card.tab, log=dict(card.log), audit=audit)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.choose_log(view_state.log)
        self.card.audit.restore_view_state(view_state.audit)
        if view_state.audit.done:
            self.audit.resume()
        if view_state.tab in self._tabs and view_state.tab != self.card.tab:
            self.show_tab(view_state.tab)

    def _outdate(self, changed: frozenset[str]) -> None:
        """Dim what was found of other choices at once: it is replaced as soon as a worker answers."""
        if changed - {"page"}:
            self._estimated = False
            self.card.outdate()
            self.outdated.emit()

    def _settle(self) -> None:
        """Take back what no worker will replace, once none works."""
        if not (self.pending or self.curves.busy):
            self._take_back()

    def _take_back(self) -> None:
        """Say nothing any more that is about older choices."""
        self.card.freshness.end()
        if not self._estimated:
            self.judged.emit(None)

    # What each page does in its own way.

    @property
    def _tabs(self) -> Collection[str]:
        """The tabs that can be opened now."""
        raise NotImplementedError

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        """Show what changed in the state."""
        raise NotImplementedError

    def _forget(self) -> None:
        """Let nothing stay that belongs to other data, or to another view."""
        raise NotImplementedError

    @property
    def _own_state(self) -> SessionState:
        """The state with this page open."""
        return self._session.state.at(self.name)

    def _ask_about(self, setup: Any) -> None:
        """Ask a worker about a setup that makes sense."""
        raise NotImplementedError

    def _ask_beside(self, setup: Any) -> None:
        """Ask a worker about what stands beside the picture, while that is one of an audit."""

    def _on_drawn(self, drawn: Any) -> None:
        """Show what a worker has found."""
        raise NotImplementedError

    @property
    def _shows_releases(self) -> bool:
        """Whether the newest release is to be marked in the open picture."""
        raise NotImplementedError

    def _drop(self, unit: str) -> None:
        """Let no picture of other data stay, nor one that this view must not show."""
        self.curves.cancel()
        self.audit.forget()
        self.card.forget(unit)
        self.card.say("")
        self.card.alternative.show_offer(None)
        self.judged.emit(None)

    def _begin(self) -> None:
        super()._begin()
        self._ask.start()

    def _start_request(self) -> None:
        """Ask for what is to be seen; the newest question wins."""
        # the pictures may come when another page is open already
        if not (self._made and self.is_open):
            return
        try:
            setup = selection(self._session.state)
        except ParameterError as error:
            self._explain(error.problem)
            self._settle()
            return
        wrong = setup.source.problem()
        if wrong is not None:
            self._explain(wrong.message)
            self._settle()
            return
        if self.card.advice.text() == STALE:
            self.card.say("")
        if self.card.tab == AUDIT:
            self.audit.ask(setup)
            self._ask_beside(setup)
        else:
            self.audit.want(False)
            self._ask_about(setup)
        self._settle()

    def _explain(self, problem: str) -> None:
        """Say in the place of a picture why there is none, unless an older one still stands."""
        canvas = self.canvas
        if canvas is not None and canvas.has_result:
            self.card.open()  # another tab's may be in front
            self.card.say(STALE)
        else:
            self.card.say("")
            text = f"{problem[:1].upper()}{problem[1:]}."
            self.card.show_waiting(text if self._session.state.dataset else "")

    def _on_failed(self, failure: Failure) -> None:
        """Pass on what went wrong, unless it is explained beside its field."""
        error, fields = failure.error, {problem.field for problem in problems(self._session.state)}
        if not (isinstance(error, ParameterError) and error.field in fields):
            self.failed.emit(failure)

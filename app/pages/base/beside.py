"""Asks for the picture that stands beside the open one, and links the two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from app.jobs.channels import Jobs
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import queries_of
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.grids import sentence
from app.pages.base.answering import PictureRequest, PictureWork
from app.pages.base.asking_page import AskingPage
from app.pages.base.beside_audits import AUDITS, BesideAudit, BesideAudits
from app.pages.base.results import PictureResult
from app.pages.base.two_pictures import TwoPictures
from app.session import Session
from engine.catalog import methods
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism

NOTHING = "Nothing has been released yet."


class BesideController(TwoPictures):
    """Keeps the second picture of a page up to date.

    Attributes
    ----------
    channel : Channel
    """

    def __init__(self, page: AskingPage, session: Session, jobs: Jobs) -> None:
        self._page = page
        self._asked: PictureRequest | None = None
        super().__init__(page.card, session, page)
        self.channel = jobs.channel(f"beside on {page.name}")
        self.channel.result.connect(self._on_drawn)
        self.channel.failed.connect(page.failed)
        self.channel.progressed.connect(self.panel.freshness.show_progress)
        self.channel.busy_changed.connect(self._on_busy)
        page.card.picture_opened.connect(self._link)
        self._audits = BesideAudits(page, self.panel, session, self.channel)
        page.audit.shown.connect(self._on_audit)

    def cancel(self) -> None:
        """Stop what is worked on."""
        self.channel.cancel()

    def forget(self) -> None:
        """Stop, and drop what was found of other data, or in another view."""
        self.cancel()
        self._audits.forget()

    def ask(self) -> None:
        page, state = self._page, self._session.state
        if not page.is_ready_to_show:
            return
        # what shows a demonstration has nothing in common with the data
        lone = state.lesson is not None or page.card.spec is None or page.card.spec.is_demonstration
        tab = self._choose(automatic=not lone)
        if not tab:
            self.channel.cancel()
            self._link()
            return
        titles = page.declared.titles | AUDITS
        self.panel.offer({one: titles[one].name for one in page.card.paired}, alternatives(state))
        self._ask_about(tab)

    def _ask_about(self, tab: str) -> None:
        page, panel = self._page, self.panel
        try:
            setup = self._setup()
        except ParameterError as error:
            panel.show_waiting(sentence(error.problem))
            return
        self._asked = None
        if tab in AUDITS:
            self._audits.ask(setup)
            self._link()
            return
        spec = page.card.specs[tab]
        why = "" if spec.is_demonstration else page.why_not(setup, spec)
        request = None if why else page.request_for(setup, spec)
        if request is None:
            self.channel.cancel()
            panel.show_waiting(sentence(why) if why else NOTHING)
            return
        panel.open(private=not request.public)
        panel.freshness.newest = self._asked = request
        self._link()
        work = partial(PictureWork().answer, request, self._session.databases)
        self.channel.request(work, live=not request.public)

    def _setup(self) -> Selection:
        """Return what the second picture is of: what is chosen, or the same with another mechanism."""
        state, name = self._session.state, self.panel.mechanism
        if not name:
            return selection(state)
        scalar = issubclass(state.mechanism.component, ScalarMechanism)
        return selection(state.replaced({"method" if scalar else "query": name}))

    def _on_drawn(self, drawn: PictureResult[PictureRequest] | BesideAudit) -> None:
        asked, page = self._asked, self._page
        if isinstance(drawn, BesideAudit):
            self._audits.take(drawn)
            return
        if asked is None or drawn.picture != asked.name or drawn.public != asked.public:
            return
        if not page.is_alike(drawn.request.setup, asked.setup):
            return
        nothing = page.why_nothing(drawn.result)
        if nothing:
            self.panel.show_waiting(nothing)
        else:
            self.panel.show_result(drawn.picture, drawn.result)
        self.panel.freshness.answered(drawn.request, drawn.picture)

    def _on_audit(self) -> None:
        if self._page.card.tab == AUDIT or self.panel.tab in AUDITS:
            self.ask()

    def _on_busy(self, busy: bool) -> None:
        if not busy:
            self.panel.freshness.end()


def alternatives(state: SessionState) -> Mapping[str, str]:
    """Return the other mechanisms that answer the same question, by name with what they are called."""
    if issubclass(state.mechanism.component, ScalarMechanism):
        results = dict(methods())
    else:
        asked = queries_of(state.page).items()
        results = {name: one for name, one in asked if one.reads == state.reads}
    return {name: one.label for name, one in results.items() if name != state.mechanism.name}

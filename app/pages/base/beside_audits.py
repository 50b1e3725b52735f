"""Audits beside the open picture, with the choices of the tab "Audit", of the mechanism beside."""

from __future__ import annotations

import dataclasses
from functools import partial

from app.jobs.channels import Channel
from app.jobs.tasks import JobTask
from app.model.pages.audit import AUDIT, TAB, TITLE
from app.model.selection import Selection
from app.model.wording.formatting import format_count
from app.pages.audit.analysis import AuditAnalysis, AuditRequest, AuditResult
from app.pages.audit.text import sentence, waiting
from app.pages.base.asking_page import AskingPage
from app.pages.base.beside_panel import BesidePanel
from app.session import Session

AUDITS = {
    name: dataclasses.replace(title, name=f"{TITLE.name}: {title.name}")
    for name, title in AUDIT.titles.items()
}
"""The titles of the pictures of an audit where they stand among others."""
UNDER_WAY = "Drawing {} releases of either database …"


@dataclasses.dataclass(frozen=True, eq=False)
class BesideAudit:
    """What was asked beside, and what an audit of it found."""

    asked: AuditRequest
    found: AuditResult


class BesideAudits:
    """Audits what stands beside the open picture.

    Where the tab "Audit" is open and both are of the same mechanism, nothing starts by itself: both show
    what was found there.
    """

    def __init__(self, page: AskingPage, panel: BesidePanel, session: Session, channel: Channel) -> None:
        self._page = page
        self._panel = panel
        self._session = session
        self._channel = channel
        self._analysis = AuditAnalysis(session.databases)
        self._asked: AuditRequest | None = None
        self._kept: dict[bool, BesideAudit] = {}  # by whether it is of the low bits

    def ask(self, setup: Selection) -> None:
        """Show what is found of a setup, and look for it if it is not known."""
        page, panel = self._page, self._panel
        request = page.audit.request_of(setup, panel.tab)
        self._asked = request
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        wrong = request.choice.problem() or next(iter(problems), None)
        known = page.audit.known(request) or self._known(request)
        if known is not None:
            self._channel.cancel()
            self._show(known)
        elif wrong is not None:
            self._channel.cancel()
            panel.show_waiting(sentence(wrong.message))
        elif page.card.tab == TAB and not panel.mechanism:
            self._channel.cancel()
            panel.show_waiting(waiting(page.card.audit.pair(), request, page.audit.running.busy))
        else:
            if not panel.open(private=request.private).has_result:
                panel.show_waiting(UNDER_WAY.format(format_count(request.runs)))
            panel.outdate()
            self._channel.request(partial(self._work, request))

    def take(self, done: BesideAudit) -> None:
        """Take what was found, and show it if it is still asked for."""
        self._kept[done.asked.low_bits] = done
        if self._asked is not None and self._known(self._asked) is done.found:
            self._show(done.found)

    def forget(self) -> None:
        """Drop what was found of other data, or in another view."""
        self._asked, self._kept = None, {}

    def _known(self, request: AuditRequest) -> AuditResult | None:
        done = self._kept.get(request.low_bits)
        if done is None or request.private != done.asked.private or not done.asked.same(request):
            return None
        same_data = done.found.public or done.asked.setup.source.same(request.setup.source)
        return done.found if same_data else None

    def _work(self, request: AuditRequest, task: JobTask) -> BesideAudit:
        fitted = self._analysis.fitted(request, task)
        return BesideAudit(request, self._analysis.answer(fitted, task))

    def _show(self, result: AuditResult) -> None:
        panel = self._panel
        result = result.believed(self._page.card.audit.prior)
        canvas = panel.open(private=not result.public)
        canvas.set_unit(self._session.state.unit)
        panel.show_result(panel.tab, result.view)
        panel.freshness.renew(panel.tab)
        panel.say(result.view.verdict.sentence)

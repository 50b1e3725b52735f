"""The second picture beside the open one: choice, link to the first, and requests."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT, TAB, TITLE
from app.model.pages.registry import queries_of
from app.model.picture_spec import PictureSpec
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.numbers import format_count
from app.model.wording.releases import sentence
from app.pages.audit.analysis import AuditRequest, AuditResult
from app.pages.audit.controller import AuditController, waiting
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureRequester, PictureResult
from app.session import Session
from engine.catalog import methods
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism

if TYPE_CHECKING:
    from app.widgets.linked_canvases import CanvasLink
    from app.widgets.plot_canvas import PlotCanvas

NOTHING = "Nothing has been released yet."
UNDER_WAY = "Drawing {} releases from each database …"
AUDITS = {
    name: dataclasses.replace(title, name=f"{TITLE.name}: {title.name}")
    for name, title in AUDIT.titles.items()
}
"""The titles of an audit's pictures in a list with others."""


class SecondPicture(QObject):
    """Chooses, shows and links the second picture of a panel."""

    def __init__(self, card: PicturePanel, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._session = session
        self.split = card.split
        self.panel = self.split.second
        self.link: CanvasLink | None = None  # shares axes, zoom and pointer
        self._linked: tuple[PlotCanvas, PlotCanvas] | None = None
        self._opened = ""
        self.split.asked.connect(self.ask)
        self.panel.asked.connect(self._on_chosen)
        self.panel.pictures.pointed.connect(session.pointer.point_at)
        self.panel.swapped.connect(self._on_swapped)
        self.panel.closed.connect(self._on_closed)
        card.split_button.clicked.connect(self.toggle)
        card.tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        card.tabs.customContextMenuRequested.connect(self._open_menu)

    def ask(self) -> None:
        """Show the second picture of the current choices, if there is one."""
        raise NotImplementedError

    @property
    def canvas(self) -> PlotCanvas | None:
        return None if self.panel.isHidden() else self.panel.canvas

    def show(self, tab: str, mechanism: str = "") -> None:
        """Show a second picture, perhaps of another mechanism; "" for none."""
        if mechanism != self.panel.mechanism:
            self.panel.forget(self._session.state.unit)
        self.split.wanted = tab
        self.panel.choose(tab, mechanism)
        self.ask()

    def toggle(self) -> None:
        """Toggle the second picture: the last one, else the first other one."""
        others = [name for name in self._card.pairable if name != self._card.picture_name]
        on = self.panel.isHidden() and bool(others)
        self.show((self.panel.tab if self.panel.tab in others else others[0]) if on else "")

    def _choose(self, *, automatic: bool) -> str:
        """Choose the second picture, and lay it out; "" for none."""
        card, opened = self._card, self._card.picture_name
        if opened != self._opened:
            self.split.make_way(opened, self._opened)
            self._opened = opened
        drawn = card.automatic if automatic else []
        tab = self.split.second_tab(opened, card.pairable, drawn)
        self.split.show_second(bool(tab))
        card.split_button.setChecked(bool(tab))
        card.split_button.setVisible(bool(tab) or not self.split.is_narrow)
        if tab:
            self.panel.choose(tab, self.panel.mechanism)
        return tab

    def _link(self) -> None:
        """Link the two visible pictures, and no others."""
        first, second = self._card.canvas, self.panel.canvas
        pair = None
        if not self.panel.isHidden() and first is not None and second is not None:
            pair = first, second
        self.split.take_maps(pair is not None and all(canvas.picture_class.is_map for canvas in pair))
        if pair == self._linked:
            return
        if self.link is not None:
            self.link.end()
        self.link, self._linked = None, pair
        if pair is not None:
            from app.widgets.linked_canvases import CanvasLink

            self.link = CanvasLink(*pair, self)

    def _on_chosen(self) -> None:
        """Follow the boxes above the second picture."""
        self.panel.forget(self._session.state.unit)
        self.split.wanted = self.panel.tab
        self.ask()

    def _on_swapped(self) -> None:
        opened, second = self._card.picture_name, self.panel.tab
        self.split.wanted = second  # it gives way
        if self.panel.mechanism:
            self.show(opened)
        self._card.show_picture(second)

    def _on_closed(self) -> None:
        self.show("")

    def _open_menu(self, position: QPoint) -> None:
        """Show a menu to open a tab's picture beside the open one."""
        tabs = self._card.tabs
        index = tabs.tabAt(position)
        picture = self._card.picture_of(tabs.key(index)) if index >= 0 else ""
        if picture not in self._card.pairable:
            return
        menu = QMenu(tabs)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        both = menu.addAction("Show &beside")
        both.setData(picture)
        both.setEnabled(picture != self._card.picture_name)
        alone = menu.addAction("Show &one picture alone")
        alone.setData("")
        alone.setEnabled(not self.panel.isHidden())
        menu.triggered.connect(self._on_menu)
        menu.popup(tabs.mapToGlobal(position))

    def _on_menu(self, action: QAction) -> None:
        self.show(action.data())


class PictureSource(Protocol):
    """A page: knows the available pictures, and makes their requests."""

    declared: PageSpec
    card: PicturePanel
    audit: AuditController

    @property
    def is_ready_to_show(self) -> bool:
        """Whether pictures can be made and are visible."""

    def why_not(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why a picture of a selection cannot be shown; "" if it can."""

    def request_for(self, setup: Selection, spec: PictureSpec) -> PictureRequest | None:
        """Return the request for a picture; None where there is no release to show."""

    def why_nothing(self, result: object) -> str:
        """Say why a result cannot be drawn; "" if it can."""

    def is_alike(self, one: Selection, other: Selection) -> bool:
        """Tell whether the picture of a selection may stay until that of another is ready."""


@dataclasses.dataclass(frozen=True, eq=False)
class _SecondAudit:
    """A request for an audit, and its result."""

    request: AuditRequest
    result: AuditResult


class RequestedSecondPicture(SecondPicture):
    """The second picture of a page, also of an audit, computed by its own worker.

    Audits use the choices of the tab "Audit". If that is open with the same mechanism, both pictures show one
    result.
    """

    def __init__(self, page: PictureSource, name: str, session: Session, jobs: Jobs, parent: QObject) -> None:
        self._page = page
        self._request: PictureRequest | None = None
        self._audit: AuditRequest | None = None
        self._audits: dict[bool, _SecondAudit] = {}  # by whether it attacks the low bits
        super().__init__(page.card, session, parent)
        purpose = f"beside on {name}"
        self.requester = PictureRequester(purpose, jobs, session.databases, self.panel.stale, self)
        self.requester.result.connect(self._on_result)
        self.requester.ended.connect(self._on_ended)
        page.card.picture_opened.connect(self._link)
        page.audit.shown.connect(self._on_audit_shown)

    @property
    def channel(self) -> Channel:
        """The worker of the second picture."""
        return self.requester.channel

    def cancel(self) -> None:
        """Stop the work."""
        self.requester.cancel()

    def forget(self) -> None:
        """Stop, and drop results about other data or another view."""
        self.cancel()
        self._audit, self._audits = None, {}

    def ask(self) -> None:
        page, state = self._page, self._session.state
        if not page.is_ready_to_show:
            return
        # a demonstration does not use the data
        lone = state.lesson is not None or page.card.spec is None or page.card.spec.is_demonstration
        tab = self._choose(automatic=not lone)
        if not tab:
            self.cancel()
            self._link()
            return
        titles = page.card.titles | AUDITS
        self.panel.offer({one: titles[one].name for one in page.card.pairable}, alternatives(state))
        try:
            setup = self._selection()
        except ParameterError as error:
            self.panel.show_waiting(sentence(error.problem))
            return
        self._request = None
        if tab in AUDITS:
            self._ask_for_audit(setup)
            self._link()
        else:
            self._ask_for_picture(setup, page.card.specs[tab])

    def _selection(self) -> Selection:
        """Return the current selection, with the mechanism of the second picture if chosen."""
        state, name = self._session.state, self.panel.mechanism
        if not name:
            return selection(state)
        scalar = issubclass(state.mechanism.component, ScalarMechanism)
        return selection(state.replaced({"method" if scalar else "query": name}))

    def _ask_for_picture(self, setup: Selection, spec: PictureSpec) -> None:
        page, panel = self._page, self.panel
        why = "" if spec.is_demonstration else page.why_not(setup, spec)
        request = None if why else page.request_for(setup, spec)
        if request is None:
            self.cancel()
            panel.show_waiting(sentence(why) if why else NOTHING)
            return
        panel.open(private=not request.public)
        self._link()
        self._request = request
        self.requester.send(request)

    def _on_result(self, result: PictureResult | _SecondAudit) -> None:
        request, page = self._request, self._page
        if isinstance(result, _SecondAudit):
            self._audits[result.request.low_bits] = result
            if self._audit is not None and self._known(self._audit) is result.result:
                self._show_audit(result.result)
            return
        if request is None or result.picture != request.name or result.public != request.public:
            return
        if not page.is_alike(result.request.setup, request.setup):
            return
        nothing = page.why_nothing(result.result)
        if nothing:
            self.panel.show_waiting(nothing)
        else:
            self.panel.pictures.show_result(result.picture, result.result)
        self.panel.stale.accept(result.request, result.picture)

    def _on_ended(self) -> None:
        self.panel.stale.end()

    # Audits.

    def _ask_for_audit(self, setup: Selection) -> None:
        """Show the audit of a selection; start it if there is none."""
        page, panel = self._page, self.panel
        request = self._audit = page.audit.request_of(setup, panel.tab)
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        wrong = request.choice.problem() or next(iter(problems), None)
        known = page.audit.known(request) or self._known(request)
        if known is not None:
            self.cancel()
            self._show_audit(known)
        elif wrong is not None:
            self.cancel()
            panel.show_waiting(sentence(wrong.message))
        elif page.card.tab == TAB and not panel.mechanism:
            self.cancel()
            panel.show_waiting(waiting(page.card.audit.pair(), request, page.audit.running.busy))
        else:
            if not panel.open(private=request.private).has_result:
                panel.show_waiting(UNDER_WAY.format(format_count(request.runs)))
            panel.outdate()
            self.channel.request(partial(self._compute_audit, request))

    def _compute_audit(self, request: AuditRequest, task: JobTask) -> _SecondAudit:
        databases = self._session.databases
        return _SecondAudit(request, request.fitted(databases, task).compute(databases, task))

    def _known(self, request: AuditRequest) -> AuditResult | None:
        done = self._audits.get(request.low_bits)
        if done is None or request.private != done.request.private or not done.request.same(request):
            return None
        same_data = done.result.public or done.request.setup.source.same(request.setup.source)
        return done.result if same_data else None

    def _show_audit(self, result: AuditResult) -> None:
        page, panel = self._page, self.panel
        result = result.but(prior=page.card.audit.prior)
        canvas = panel.open(private=not result.public)
        canvas.set_unit(self._session.state.unit)
        panel.pictures.show_result(panel.tab, result.view)
        panel.stale.renew(panel.tab)
        above = page.audit.result if page.card.tab == TAB else None
        is_said = above is not None and above.view.run is result.view.run
        panel.say("" if is_said else result.view.verdict.sentence)

    def _on_audit_shown(self) -> None:
        if self._page.card.tab == TAB or self.panel.tab in AUDITS:
            self.ask()


def alternatives(state: SessionState) -> Mapping[str, str]:
    """Return labels by name of the other mechanisms for the same question."""
    if issubclass(state.mechanism.component, ScalarMechanism):
        results = dict(methods())
    else:
        offered = queries_of(state.page).items()
        results = {name: one for name, one in offered if one.reads == state.reads}
    return {name: one.label for name, one in results.items() if name != state.mechanism.name}

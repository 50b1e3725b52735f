"""Asks for the picture that stands beside the open one, and links the two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.jobs.channels import Jobs
from app.model.pages.registry import queries_of
from app.model.picture_spec import PictureSpec
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.grids import sentence
from app.pages.base.answering import PictureRequest, PictureWork
from app.pages.base.asking_page import AskingPage
from app.pages.base.results import PictureResult
from app.session import Session
from engine.catalog import methods
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism

if TYPE_CHECKING:
    from app.widgets.linked_canvases import CanvasLink
    from app.widgets.plot_canvas import PlotCanvas

NOTHING = "Nothing has been released yet."


class BesideController(QObject):
    """Keeps the second picture of a page up to date.

    Attributes
    ----------
    channel : Channel
    link : CanvasLink or None
        What keeps both pictures alike.
    """

    def __init__(self, page: AskingPage, session: Session, jobs: Jobs) -> None:
        super().__init__(page)
        self._page = page
        self._session = session
        self._asked: PictureRequest | None = None
        self.split = page.card.split
        self.panel = self.split.beside
        self.link: CanvasLink | None = None
        self._linked: tuple[PlotCanvas, PlotCanvas] | None = None
        self.channel = jobs.channel(f"beside on {page.name}")
        self.channel.result.connect(self._on_drawn)
        self.channel.failed.connect(page.failed)
        self.channel.progressed.connect(self.panel.freshness.show_progress)
        self.channel.busy_changed.connect(self._on_busy)
        self.split.asked.connect(self.ask)
        self.panel.asked.connect(self._on_chosen)
        self.panel.pointed.connect(session.pointer.point_at)
        self.panel.swapped.connect(self._on_swapped)
        self.panel.closed.connect(self._on_closed)
        page.card.split_button.clicked.connect(self.toggle)
        page.card.tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        page.card.tabs.customContextMenuRequested.connect(self._open_menu)
        page.card.picture_opened.connect(self._link)

    @property
    def canvas(self) -> PlotCanvas | None:
        """The second picture, while it is seen."""
        return None if self.panel.isHidden() else self.panel.canvas

    def show(self, tab: str, mechanism: str = "") -> None:
        """Show a picture beside the open one, perhaps of another mechanism; "" for none."""
        if mechanism != self.panel.mechanism:
            self.panel.forget(self._session.state.unit)
        self.split.wanted = tab
        self.panel.choose(tab, mechanism)
        self.ask()

    def toggle(self) -> None:
        """Show a second picture, the one that was there last if there was one; or the open one alone."""
        card = self._page.card
        others = [tab for tab in card.shown if tab in card.specs and tab != card.tab]
        on = self.panel.isHidden() and bool(others)
        self.show((self.panel.tab if self.panel.tab in others else others[0]) if on else "")

    def cancel(self) -> None:
        """Stop what is worked on."""
        self.channel.cancel()

    def ask(self) -> None:
        """Show what is to stand beside the open picture now, as far as anything is."""
        page, state = self._page, self._session.state
        if not page.is_ready_to_show:
            return
        tabs = [tab for tab in page.card.shown if tab in page.card.specs]
        automatic = state.lesson is None and page.card.spec is not None
        tab = self.split.tab_beside(page.card.tab, tabs, automatic=automatic)
        self.split.show_beside(bool(tab))
        page.card.split_button.setChecked(bool(tab))
        page.card.split_button.setVisible(bool(tab) or not self.split.is_narrow)
        if not tab:
            self.channel.cancel()
            self._link()
            return
        titles = page.declared.titles
        self.panel.choose(tab, self.panel.mechanism)
        self.panel.offer({one: titles[one].name for one in tabs}, alternatives(state))
        self._ask_about(page.card.specs[tab])

    def _ask_about(self, spec: PictureSpec) -> None:
        page, panel = self._page, self.panel
        try:
            setup = self._setup()
        except ParameterError as error:
            panel.show_waiting(sentence(error.problem))
            return
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

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        asked, page = self._asked, self._page
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

    def _on_busy(self, busy: bool) -> None:
        if not busy:
            self.panel.freshness.end()

    def _link(self) -> None:
        """Link the two pictures that are seen, and no others."""
        first, second = self._page.card.canvas, self.panel.canvas
        pair = None
        if not self.panel.isHidden() and first is not None and second is not None:
            pair = first, second
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
        opened, beside = self._page.card.tab, self.panel.tab
        self.split.wanted = beside  # it makes way
        if self.panel.mechanism:
            self.show(opened)
        self._page.show_tab(beside)

    def _on_closed(self) -> None:
        self.show("")

    def _open_menu(self, place: QPoint) -> None:
        """Offer to show the picture of a tab beside the open one."""
        tabs = self._page.card.tabs
        index = tabs.tabAt(place)
        if index < 0 or tabs.key(index) not in self._page.card.specs:
            return
        menu = QMenu(tabs)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        beside = menu.addAction("Show &beside")
        beside.setData(tabs.key(index))
        beside.setEnabled(tabs.key(index) != self._page.card.tab)
        alone = menu.addAction("Show &one picture alone")
        alone.setData("")
        alone.setEnabled(not self.panel.isHidden())
        menu.triggered.connect(self._on_menu)
        menu.popup(tabs.mapToGlobal(place))

    def _on_menu(self, action: QAction) -> None:
        self.show(action.data())


def alternatives(state: SessionState) -> Mapping[str, str]:
    """Return the other mechanisms that answer the same question, by name with what they are called."""
    if issubclass(state.mechanism.component, ScalarMechanism):
        found = dict(methods())
    else:
        asked = queries_of(state.page).items()
        found = {name: one for name, one in asked if one.reads == state.reads}
    return {name: one.label for name, one in found.items() if name != state.mechanism.name}

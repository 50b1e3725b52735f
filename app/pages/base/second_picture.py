"""The second picture beside the open one: its panel, its link to the first, its requests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QToolButton, QWidget

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT, TAB, TITLE
from app.model.pages.registry import queries_of
from app.model.picture_spec import PictureSpec, TabTitle
from app.model.references import ClassLoader
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.view_states import BesideViewState
from app.model.wording.numbers import format_count
from app.model.wording.releases import sentence
from app.pages.audit.analysis import AuditRequest, AuditResult
from app.pages.audit.controller import AuditController, waiting
from app.pages.audit.controller import sentence as audit_sentence
from app.pages.base.picture_panel import PicturePanel, PictureStack
from app.pages.base.request import PictureRequest, PictureRequester, PictureResult
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.combo_box import ComboBox
from app.widgets.layouts import line_up, stack
from engine.catalog import methods
from engine.errors import ParameterError
from engine.mechanisms import ScalarMechanism

if TYPE_CHECKING:
    from app.widgets.linked_canvases import CanvasLink
    from app.widgets.plot_canvas import PlotCanvas


GAP, WIDE = 2, 120
"""Pixels below the line of boxes, and the width of a box whose entries need no more."""
AS_CHOSEN = "as chosen"
"""The entry for the mechanism that is chosen on the page."""
MIN_WIDTH_FOR_TWO = 1000
"""Width from which a second picture is shown unless the user has closed it."""
MAX_SCALE_FOR_TWO = 1.4
"""Size of type, that of a projector, from which one picture has all the space."""
MIN_WIDTH_ABREAST, MIN_WIDTH_OF_MAPS = 880, 600
"""Width below which the second picture stands below the first: side by side, titles would be cut off.

Maps keep their shape: below each other they would be smaller still.
"""


class SecondPanel(QWidget):
    """Shows a second picture, below two boxes in which another picture and mechanism are chosen.

    `drawn_by`, `title_of`: as for `PictureStack`.
    """

    asked = Signal()  # another picture or mechanism was chosen
    swapped = Signal()
    closed = Signal()

    def __init__(self, drawn_by: Mapping[str, ClassLoader], title_of: Callable[[str], TabTitle]) -> None:
        super().__init__()
        # the picture; and the name of its mechanism, "" for the one that is chosen on the page
        self.tab = self.mechanism = ""
        self.tabs = _box("Picture beside", "Which picture stands beside the other one")
        self.tabs.activated.connect(self._on_tab)
        self.mechanisms = _box("Mechanism beside", "Of which mechanism the picture beside is")
        self.mechanisms.activated.connect(self._on_mechanism)
        self.swap = _tool("swap", "Swap the two pictures")
        self.swap.clicked.connect(self.swapped)
        self.close_button = _tool("close", "Show one picture alone")
        self.close_button.clicked.connect(self.closed)
        self.caption = caption(name="advice")
        self.caption.hide()
        self.pictures = PictureStack(drawn_by, title_of, self.caption)
        self.stale = self.pictures.stale
        self._head = QWidget()
        line_up(self._head, self.tabs, self.mechanisms, None, self.swap, self.close_button, spacing=6)
        stack(self, self._head, (self.pictures, 1), self.caption, spacing=GAP)

    def minimumSizeHint(self) -> QSize:
        """Ask for all lines of the caption: a splitter asks for no height of a width."""
        hint, layout = super().minimumSizeHint(), self.layout()
        needed = layout.totalMinimumHeightForWidth(self.width()) if layout is not None else 0
        return QSize(hint.width(), max(hint.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask anew: the caption has other lines in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def head_height(self) -> int:
        """How far the picture stands below the top."""
        return self._head.sizeHint().height() + GAP

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture, once it was made."""
        return self.pictures.canvases.get(self.tab)

    def offer(self, tabs: Mapping[str, str], mechanisms: Mapping[str, str]) -> None:
        """Offer pictures and mechanisms: labels by name."""
        if self.tab not in tabs:
            self.tab = ""
        if self.mechanism not in mechanisms:
            self.mechanism = ""
        _fill(self.tabs, tabs, self.tab)
        _fill(self.mechanisms, {"": AS_CHOSEN, **mechanisms}, self.mechanism)
        self.mechanisms.setVisible(bool(mechanisms))

    def choose(self, tab: str, mechanism: str) -> None:
        """Choose another picture and mechanism."""
        self.tab, self.mechanism = tab, mechanism
        for box, name in ((self.tabs, tab), (self.mechanisms, mechanism)):
            with QSignalBlocker(box):
                box.setCurrentIndex(box.findData(name))

    def open(self, *, private: bool) -> PlotCanvas:
        """Make the picture if need be; it is seen once there is a result."""
        set_text(self.caption, "")
        return self.pictures.open(self.tab, private=private)

    def show_other(self) -> None:
        """Show the widget in place of the picture."""
        set_text(self.caption, "")
        self.pictures.show_other(self.tab)

    def say(self, text: str) -> None:
        """Change the caption below the picture."""
        set_text(self.caption, text)
        self.stale.renew_captions()

    def show_waiting(self, text: str) -> None:
        """Show a text in place of the picture."""
        set_text(self.caption, "")
        self.pictures.show_text(text)

    def outdate(self) -> None:
        """Dim everything: it shows older choices."""
        self.pictures.outdate()

    def forget(self, unit: str) -> None:
        """Drop results of other data, of another view, or of another mechanism."""
        self.pictures.forget(unit)
        self.show_waiting("")

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.pictures.set_palette(palette)

    def _on_tab(self, _: int) -> None:
        self.tab = self.tabs.currentData()
        self.asked.emit()

    def _on_mechanism(self, _: int) -> None:
        self.mechanism = self.mechanisms.currentData()
        self.asked.emit()


class SplitView(QSplitter):
    """Holds the open picture and, if it is wanted or there is space, a second one.

    Side by side where the width allows, else one below the other.
    """

    asked = Signal()  # there is space for more pictures than before, or for fewer

    def __init__(self, pictures: QWidget, second: SecondPanel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.second = second
        self.wanted: str | None = None  # the second picture; "" for none; None leaves it to the width
        self._scale = 1.0
        self._maps = False
        self._space = False, True  # for a second picture of itself, and none side by side
        first = QWidget()
        self._first = stack(first, (pictures, 1))
        for widget in (first, second):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, 1)
        second.hide()

    @property
    def view_state(self) -> BesideViewState:
        """The second picture, as it was chosen."""
        return BesideViewState(self.wanted, self.second.mechanism)

    def restore_view_state(self, view_state: BesideViewState) -> None:
        """Choose the second picture as it was."""
        self.wanted = view_state.tab
        self.second.choose(self.second.tab, view_state.mechanism)

    def second_tab(self, opened: str, tabs: Sequence[str], *, automatic: bool) -> str:
        """Return the picture that is shown with the open one; "" for none.

        With `automatic` it is the first other one where there is space and the user has not chosen.
        """
        if self.wanted is None:
            others = [tab for tab in tabs if tab != opened]
            return others[0] if automatic and self._space[0] and others else ""
        alone = self.wanted == opened and not self.second.mechanism
        return self.wanted if self.wanted in tabs and not alone else ""

    def make_way(self, opened: str, before: str) -> None:
        """Swap the pictures where the second one is opened as the first."""
        if opened == self.wanted and not self.second.mechanism and before:
            self.wanted = before

    def show_second(self, on: bool) -> None:
        """Show the second picture, or the first one alone."""
        if on == self.second.isHidden():
            self.second.setVisible(on)
            self._turn()
            half = (self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()) // 2
            self.setSizes([half, half])

    def take_maps(self, both: bool) -> None:
        """Know whether both pictures are maps."""
        if both != self._maps:
            self._maps = both
            self._turn()
            self._measure()

    def set_scale(self, scale: float) -> None:
        """Show type at another size, which needs the space."""
        self.second.pictures.set_scale(scale)
        self._scale = scale
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
        self._measure()

    @property
    def is_narrow(self) -> bool:
        """Whether two pictures do not fit side by side."""
        return self.width() < (MIN_WIDTH_OF_MAPS if self._maps else MIN_WIDTH_ABREAST) * self._scale

    def _turn(self) -> None:
        """Stand side by side, as high as each other, or one below the other."""
        self.setOrientation(Qt.Orientation.Vertical if self.is_narrow else Qt.Orientation.Horizontal)
        level = not self.is_narrow and not self.second.isHidden()
        self._first.setContentsMargins(0, self.second.head_height if level else 0, 0, 0)

    def _measure(self) -> None:
        """Ask anew where there is space for more or for fewer pictures than before."""
        wide = self.width() >= MIN_WIDTH_FOR_TWO * self._scale
        space = self._scale < MAX_SCALE_FOR_TWO and wide, self.is_narrow
        if space != self._space:
            self._space = space
            self.asked.emit()


def _box(name: str, tip: str) -> ComboBox:
    box = ComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)
    return box


def _tool(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setProperty("icon_name", name)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _fill(box: ComboBox, choices: Mapping[str, str], chosen: str) -> None:
    if [box.itemData(index) for index in range(box.count())] != list(choices):
        with QSignalBlocker(box):
            box.clear()
            for name, text in choices.items():
                box.addItem(text, name)
        box.take_no_more(WIDE)
    with QSignalBlocker(box):
        box.setCurrentIndex(box.findData(chosen))


NOTHING = "Nothing has been released yet."
UNDER_WAY = "Drawing {} releases of either database …"
AUDITS = {
    name: dataclasses.replace(title, name=f"{TITLE.name}: {title.name}")
    for name, title in AUDIT.titles.items()
}
"""The titles of the pictures of an audit in a list with others."""


class SecondPicture(QObject):
    """Chooses, shows and links the second picture of a panel."""

    def __init__(self, card: PicturePanel, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._session = session
        self.split = card.split
        self.panel = self.split.second
        self.link: CanvasLink | None = None  # gives both pictures the same axes, zoom and pointer
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
        """The second picture, while it is seen."""
        return None if self.panel.isHidden() else self.panel.canvas

    def show(self, tab: str, mechanism: str = "") -> None:
        """Show a second picture, perhaps of another mechanism; "" for none."""
        if mechanism != self.panel.mechanism:
            self.panel.forget(self._session.state.unit)
        self.split.wanted = tab
        self.panel.choose(tab, mechanism)
        self.ask()

    def toggle(self) -> None:
        """Show the second picture that was seen last, else the first other one; or the open one alone."""
        others = [name for name in self._card.pairable if name != self._card.picture_name]
        on = self.panel.isHidden() and bool(others)
        self.show((self.panel.tab if self.panel.tab in others else others[0]) if on else "")

    def _choose(self, *, automatic: bool) -> str:
        """Choose the second picture, and make room for it; "" for none."""
        card, opened = self._card, self._card.picture_name
        if opened != self._opened:
            self.split.make_way(opened, self._opened)
            self._opened = opened
        tab = self.split.second_tab(opened, list(card.pairable), automatic=automatic)
        self.split.show_second(bool(tab))
        card.split_button.setChecked(bool(tab))
        card.split_button.setVisible(bool(tab) or not self.split.is_narrow)
        if tab:
            self.panel.choose(tab, self.panel.mechanism)
        return tab

    def _link(self) -> None:
        """Link the two pictures in sight, and no others."""
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
        self.split.wanted = second  # it makes way
        if self.panel.mechanism:
            self.show(opened)
        self._card.show_picture(second)

    def _on_closed(self) -> None:
        self.show("")

    def _open_menu(self, position: QPoint) -> None:
        """Offer to show the picture of a tab beside the open one."""
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
    """Knows which pictures can be shown, and makes the requests for them: a page."""

    declared: PageSpec
    card: PicturePanel
    audit: AuditController

    @property
    def is_ready_to_show(self) -> bool:
        """Whether pictures can be made, and are looked at."""

    def why_not(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why a picture of a selection cannot be shown; "" if it can."""

    def request_for(self, setup: Selection, spec: PictureSpec) -> PictureRequest | None:
        """Return the request for a picture; None where there is no release to show."""

    def why_nothing(self, result: object) -> str:
        """Say why a result cannot be drawn; "" if it can."""

    def is_alike(self, one: Selection, other: Selection) -> bool:
        """Tell whether a picture of a selection can stand for that of another, until that is there."""


@dataclasses.dataclass(frozen=True, eq=False)
class _SecondAudit:
    """A request for an audit as it was made, and the result."""

    request: AuditRequest
    result: AuditResult


class RequestedSecondPicture(SecondPicture):
    """The second picture of a page, also one of an audit, computed by a worker of its own.

    Audits have the choices of the tab "Audit".  Where that is open and both are of the same mechanism,
    no second audit starts: both pictures show one result.
    """

    def __init__(self, page: PictureSource, name: str, session: Session, jobs: Jobs, parent: QObject) -> None:
        self._page = page
        self._request: PictureRequest | None = None
        self._audit: AuditRequest | None = None
        self._audits: dict[bool, _SecondAudit] = {}  # by whether it is of the low bits
        super().__init__(page.card, session, parent)
        purpose = f"beside on {name}"
        self.requester = PictureRequester(purpose, jobs, session.databases, self.panel.stale, self)
        self.requester.result.connect(self._on_result)
        self.requester.ended.connect(self._on_ended)
        page.card.picture_opened.connect(self._link)
        page.audit.shown.connect(self._on_audit_shown)

    @property
    def channel(self) -> Channel:
        """The work on the second picture."""
        return self.requester.channel

    def cancel(self) -> None:
        """Stop the work."""
        self.requester.cancel()

    def forget(self) -> None:
        """Stop, and drop results of other data, or of another view."""
        self.cancel()
        self._audit, self._audits = None, {}

    def ask(self) -> None:
        page, state = self._page, self._session.state
        if not page.is_ready_to_show:
            return
        # a demonstration has nothing in common with the data
        lone = state.lesson is not None or page.card.spec is None or page.card.spec.is_demonstration
        tab = self._choose(automatic=not lone)
        if not tab:
            self.cancel()
            self._link()
            return
        titles = page.declared.titles | AUDITS
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
        """Return the current selection, or the same with the mechanism of the second picture."""
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
        """Show the audit of a selection, and make it if there is none."""
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
            panel.show_waiting(audit_sentence(wrong.message))
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
        panel = self.panel
        result = result.with_prior(self._page.card.audit.prior)
        canvas = panel.open(private=not result.public)
        canvas.set_unit(self._session.state.unit)
        panel.pictures.show_result(panel.tab, result.view)
        panel.stale.renew(panel.tab)
        panel.say(result.view.verdict.sentence)

    def _on_audit_shown(self) -> None:
        if self._page.card.tab == TAB or self.panel.tab in AUDITS:
            self.ask()


def alternatives(state: SessionState) -> Mapping[str, str]:
    """Return the other mechanisms that answer the same question: labels by name."""
    if issubclass(state.mechanism.component, ScalarMechanism):
        results = dict(methods())
    else:
        offered = queries_of(state.page).items()
        results = {name: one for name, one in offered if one.reads == state.reads}
    return {name: one.label for name, one in results.items() if name != state.mechanism.name}

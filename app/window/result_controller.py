"""The card of the newest release: where it stands, and to which choices it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent

from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.theme import Palette
from app.pages.base.analysis_page import AnalysisPage
from app.session import Session
from app.widgets.deferred import deferred_call
from app.widgets.emptiest_rect import emptiest_rect
from app.widgets.layouts import stack, tab_before
from app.window.appearance import Appearance
from app.window.layout import WindowLayout
from app.window.release_controller import ReleaseController

if TYPE_CHECKING:
    from app.panels.result_card import ResultCard

OF_OTHERS = frozenset(
    {"epsilon", "delta", "releases", "view", "workspace", "page", "other_pages"}
    | {"remembered", "comparison", "guess", "trusted"}
)
"""Fields of the state that change nothing in what is released; the budget is compared by its numbers."""


EDGE = 8
"""Pixels between the card and the edges of the picture."""
DRAWN = 60
"""Milliseconds between two looks whether a picture is drawn."""
LOW = 0.55
"""Share of the height of a picture above which the card would hide too much of it."""


class ResultController(QObject):
    """Shows each release on the picture of its page, until it is closed or other data are opened.

    It stands where the picture is emptiest; below it in presentation, where there is less room, and once it
    would hide words or curves.
    """

    report_wanted = Signal()  # a report on the releases of the page is to be saved

    def __init__(
        self, session: Session, body: WindowLayout, releases: ReleaseController, appearance: Appearance
    ) -> None:
        super().__init__(session)
        self._session = session
        self._body = body
        self._releases = releases
        self._appearance = appearance
        self._made = SessionState()
        self._page: AnalysisPage | None = None
        self._corner = QPoint(0, 0)
        self._low = False
        self._rows = stack(body.below)
        self._looking = deferred_call(self, self._look, DRAWN)
        self._revealing = deferred_call(self, self._reveal)
        self.card: ResultCard | None = None  # of the newest release
        releases.released.connect(self._show)
        appearance.restyled.connect(self._set_look)

    @property
    def looking(self) -> bool:
        """Whether it is not settled yet where the card is to stand."""
        return self._looking.isActive() or self._revealing.isActive()

    def dismiss(self) -> bool:
        """Close the card; False when there is none in sight."""
        card, seen = self.card, self.card is not None and self.card.isVisible()
        if card is not None and self._page is not None:
            self._page.card.pictures.removeEventFilter(self)
            self._page.card.pictures.currentChanged.disconnect(self._arrange)
            self._looking.stop()
            self._body.below.hide()
            card.hide()
            card.deleteLater()
            self.card = self._page = None
            self._low = False
            self._made = SessionState()  # else it kept the data
        return seen

    def rewrite(self) -> None:
        """Write the numbers of the card anew, with other signs."""
        if self.card is not None:
            self._show_made(self.card.record, self._made)

    def _show(self, record: ReleaseRecord) -> None:
        """Show a release on the page that it was made on."""
        self._show_made(record, self._releases.made)

    def _show_made(self, record: ReleaseRecord, made: SessionState) -> None:
        from app.panels.result_card import ResultCard

        self.dismiss()
        self._made = made
        page = self._body.pages[self._made.page]
        assert isinstance(page, AnalysisPage)
        self._page = page
        self.card = ResultCard(record)
        self.card.setParent(page)  # never a window of its own
        self.card.closed.connect(self.dismiss)
        self.card.report_wanted.connect(self.report_wanted)
        tab_before(self.card, self._body.history)
        page.card.pictures.installEventFilter(self)
        page.card.pictures.currentChanged.connect(self._arrange)
        self._set_look(self._appearance.palette, self._appearance.font_scale)
        self.card.show()
        self._session.watch_others((), self.card, self._follow)
        self._follow(frozenset())
        QAccessible.updateAccessibility(QAccessibleEvent(self.card, QAccessible.Event.Alert))

    def _follow(self, fields: frozenset[str]) -> None:
        """Say whether the card still belongs to what is chosen; of other data, or another lesson, it goes."""
        if self.card is None:
            return
        state = self._session.state.at(self._made.page)
        if state.dataset is not self._made.dataset or state.lesson is not self._made.lesson:
            self.dismiss()
            return
        same = state.epsilon == self._made.epsilon and state.delta_or_default == self._made.delta_or_default
        self.card.show_current(same and not (state.differences(self._made) - OF_OTHERS))
        self._body.below.setVisible(self._lies_below)
        self._place()

    def _set_look(self, palette: Palette, scale: float) -> None:
        if self.card is not None:
            self.card.set_look(palette, scale)
            self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._arrange()
        return False

    def _arrange(self, _: int = 0) -> None:
        """Let the card stand below the picture where there is no room on it, else where it is emptiest.

        A card that stands below stays there: the page has then given its room to one picture.
        """
        if self.card is None or self._page is None:
            return
        room = self._page.card.pictures.size()
        self._low = self._low or self.card.size_on(room).height() > LOW * room.height()
        below = self._is_below
        self.card.lie(below)
        if below != (self.card.parentWidget() is self._body.below):
            self.card.setParent(self._page)
            if below:
                self._rows.addWidget(self.card)
                self._revealing.start()
            self.card.show()
        self._body.below.setVisible(self._lies_below)
        self._place()
        if not below:
            self._looking.start()

    @property
    def _is_below(self) -> bool:
        """Whether the card belongs below the picture."""
        return self._appearance.presenting or self._low

    @property
    def _lies_below(self) -> bool:
        """Whether the card is in sight below the picture."""
        shown = self._session.state.visible_view == self._made.page
        return self._is_below and self.card is not None and shown

    def _reveal(self) -> None:
        """Scroll to a card that has come to stand below: the answer is the event."""
        if self.card is not None and self._lies_below:
            self._body.middle.ensureWidgetVisible(self.card, 0, 0)

    def _look(self) -> None:
        """Look where the picture is emptiest, once it is drawn."""
        if self.card is None or self._page is None or not self.card.isVisible():
            return
        canvas, room = self._page.canvas, self._page.card.pictures
        if canvas is not None and canvas.drawing:
            self._looking.start()
        else:
            self._corner, free = emptiest_rect(room, self.card.size_on(room.size()), EDGE)
            if free or self._is_below:
                self._place()
            else:
                self._low = True
                self._arrange()

    def _place(self) -> None:
        if self.card is not None and self._page is not None and not self._is_below:
            room = self._page.card.pictures
            self.card.move_into(QRect(room.mapTo(self._page, QPoint(0, 0)), room.size()), self._corner)

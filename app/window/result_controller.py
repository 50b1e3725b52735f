"""The card of the newest release: where it stands, and to which choices it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent

from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.pages.base.page import Page
from app.session import Session
from app.theme import Palette
from app.widgets.layouts import tab_before
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


class ResultController(QObject):
    """Shows each release on the picture of its page, until it is closed or other data are opened.

    Signals
    -------
    report_wanted()
        A report on the releases of the page is to be saved.

    Attributes
    ----------
    card : ResultCard or None
        That of the newest release.
    """

    report_wanted = Signal()

    def __init__(
        self, session: Session, body: WindowLayout, releases: ReleaseController, appearance: Appearance
    ) -> None:
        super().__init__(session)
        self._session = session
        self._body = body
        self._releases = releases
        self._appearance = appearance
        self._made = SessionState()
        self._page: Page | None = None
        self.card: ResultCard | None = None
        releases.released.connect(self._show)
        session.changed.connect(self._follow)
        appearance.restyled.connect(self._set_look)

    def dismiss(self) -> bool:
        """Close the card; False when there is none in sight."""
        card, seen = self.card, self.card is not None and self.card.isVisible()
        if card is not None and self._page is not None:
            self._page.card.pictures.removeEventFilter(self)
            self._page.card.pictures.currentChanged.disconnect(self._place)
            card.hide()
            card.deleteLater()
            self.card = self._page = None
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
        assert isinstance(page, Page)
        self._page = page
        self.card = ResultCard(record)
        self.card.setParent(page)
        self.card.closed.connect(self.dismiss)
        self.card.report_wanted.connect(self.report_wanted)
        tab_before(self.card, self._body.history)
        page.card.pictures.installEventFilter(self)
        page.card.pictures.currentChanged.connect(self._place)
        self._set_look(self._appearance.palette, self._appearance.font_scale)
        self.card.show()
        self._follow(frozenset())
        self._place()
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
        self._place()

    def _set_look(self, palette: Palette, scale: float) -> None:
        if self.card is not None:
            self.card.set_look(palette, scale)
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the picture that the card stands on."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def _place(self, _: int = 0) -> None:
        if self.card is not None and self._page is not None:
            room, canvas = self._page.card.pictures, self._page.canvas
            is_map = canvas is not None and canvas.has_picture and canvas.picture.axes.get_aspect() != "auto"
            corner = room.mapTo(self._page, QPoint(0, 0))
            self.card.place(QRect(corner, room.size()), beside=is_map)

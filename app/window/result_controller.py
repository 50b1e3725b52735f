"""The card of a release: the newest one, or one chosen in the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent

from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.widgets.deferred import deferred_call
from app.widgets.layouts import stack
from app.widgets.style import THEME
from app.window.appearance import Appearance
from app.window.parts import Controller, WindowParts
from app.window.release_controller import ReleaseController

if TYPE_CHECKING:
    from app.panels.result_card import ResultCard

OF_OTHERS = frozenset(
    {"epsilon", "delta", "releases", "view", "workspace", "page", "other_pages"}
    | {"remembered", "comparison", "guess", "trusted"}
)
"""Fields of the state that change nothing in what is released; the budget is compared by its numbers."""


class ResultController(Controller):
    """Shows a release in place of the list of releases, until it is closed or other data are opened.

    In presentation, where there is no list, it stands below the picture.
    """

    report_wanted = Signal()  # save a report on the releases of the page

    def __init__(self, parts: WindowParts, releases: ReleaseController, appearance: Appearance) -> None:
        super().__init__(parts)
        body = parts.body
        self._releases = releases
        self._appearance = appearance
        self._made = SessionState()
        self._below = stack(body.below)
        self._revealing = deferred_call(self, self._reveal)
        self.card: ResultCard | None = None
        releases.released.connect(self._on_released)
        body.history.record_chosen.connect(self.show_earlier)
        THEME.changed.connect(self._place)

    def dismiss(self) -> bool:
        """Close the card; return whether it was visible."""
        card = self.card
        if card is None:
            return False
        visible = card.isVisible()
        self.card = None
        self._made = SessionState()  # else it kept the data
        self._body.below.hide()
        self._body.history.show_card(None)
        card.hide()
        card.deleteLater()
        return visible

    def rewrite(self) -> None:
        """Write the numbers of the card in another format."""
        if self.card is not None:
            self._show(self.card.record, self._made, earlier=self.card.earlier)

    def show_earlier(self, record: ReleaseRecord) -> None:
        self._show(record, self._session.state, earlier=True)

    def _on_released(self, record: ReleaseRecord) -> None:
        self._show(record, self._releases.made, earlier=False)

    def _show(self, record: ReleaseRecord, made: SessionState, *, earlier: bool) -> None:
        from app.panels.result_card import ResultCard

        self.dismiss()
        self._made = made
        self.card = card = ResultCard(record, earlier=earlier)
        card.report.setVisible(record in self._session.state.releases and not record.release.simulated)
        card.closed.connect(self.dismiss)
        card.report_wanted.connect(self.report_wanted)
        self._place()
        self._session.watch_others((), card, self._follow)
        self._follow(frozenset())
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.Alert))

    def _follow(self, fields: frozenset[str]) -> None:
        """Dim the card if settings have changed; close it if other data or another lesson are open."""
        if self.card is None:
            return
        state = self._session.state.at(self._made.page)
        if state.dataset is not self._made.dataset or state.lesson is not self._made.lesson:
            self.dismiss()
            return
        same = state.epsilon == self._made.epsilon and state.delta_or_default == self._made.delta_or_default
        self.card.show_current(same and not (state.differences(self._made) - OF_OTHERS))
        self._place()

    def _place(self) -> None:
        """Show the card on the page of its release: in the list, or below the picture in presentation."""
        card, presenting = self.card, self._appearance.presenting
        shown = card is not None and self._session.state.visible_view == self._made.page
        if card is not None and presenting:
            self._below.addWidget(card)
            card.show()  # the list has hidden it
        self._body.below.setVisible(presenting and shown)
        self._body.history.show_card(card if shown and not presenting else None)
        if shown:
            self._revealing.start()

    def _reveal(self) -> None:
        """Scroll to a card out of sight: the answer is the event."""
        if self.card is not None and self.card.isVisible():
            self._body.middle.ensureWidgetVisible(self.card, 0, 0)

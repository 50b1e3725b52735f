"""A second picture of the same comparison, beside the open one."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.model.pages.workspaces import COMPARE
from app.pages.base.two_pictures import TwoPictures
from app.pages.compare.plot_panel import ComparePlotPanel
from app.plots.compare.view import ComparisonView
from app.session import Session


class CompareBeside(TwoPictures):
    """Shows what was compared in another picture, too."""

    def __init__(self, card: ComparePlotPanel, session: Session, parent: QObject) -> None:
        self._view: ComparisonView | None = None
        self._outdated = False
        super().__init__(card, session, parent)

    def show_view(self, view: ComparisonView | None, *, outdated: bool = False) -> None:
        """Show what was compared, which may be `outdated`; None: nothing was."""
        self._view, self._outdated = view, outdated
        self.ask()

    def ask(self) -> None:
        """Show it in the picture that is to stand beside the open one, if any is."""
        view, panel = self._view, self.panel
        if view is None:
            self.split.show_beside(False)
            self._card.split_button.hide()
            self._link()
            return
        tab = self._choose(
            automatic=self._session.state.lesson is None and self._card.tab in self._card.paired
        )
        if tab:
            panel.offer({one: COMPARE.titles[one].name for one in self._card.paired}, {})
            panel.open(private=True)
            panel.show_result(tab, view)
            panel.freshness.renew(tab)
            if self._outdated:
                panel.outdate()
                panel.freshness.end()
        self._link()

"""A second picture of the same comparison, or of the search for epsilon, beside the open one."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.model.pages.workspaces import COMPARE
from app.pages.base.two_pictures import TwoPictures
from app.pages.compare.plot_panel import ComparePlotPanel
from app.plots.compare.view import ComparisonView
from app.session import Session
from engine.comparison.results import NeededEpsilons

CHOOSE = "Choose how large an error may be, and how often it may be larger; Find ε searches for the rest."
NOTHING = "Nothing has been compared yet."


class CompareBeside(TwoPictures):
    """Shows what was found in another picture, too."""

    def __init__(self, card: ComparePlotPanel, session: Session, parent: QObject) -> None:
        self._compared = card
        self._view: ComparisonView | None = None
        self._needed: NeededEpsilons | None = None
        self._outdated = False
        super().__init__(card, session, parent)

    def show_results(
        self, view: ComparisonView | None, needed: NeededEpsilons | None, *, outdated: bool = False
    ) -> None:
        """Show what was compared, which may be `outdated`, and which epsilons were found."""
        self._view, self._needed, self._outdated = view, needed, outdated
        self.ask()

    def show_nothing(self) -> None:
        """Show nothing that was found."""
        self.show_results(None, None)

    def ask(self) -> None:
        panel, card = self.panel, self._compared
        if self._view is None and self._needed is None:
            self.split.show_beside(False)
            card.split_button.hide()
        else:
            drawn = self._session.state.lesson is None and card.tab in COMPARED and self._view is not None
            tab = self._choose(automatic=drawn)
            if tab:
                panel.offer({one: COMPARE.titles[one].name for one in card.paired}, {})
                self._fill(tab)
        card.show_tools()
        self._link()

    def _fill(self, tab: str) -> None:
        """Show what there is of a picture."""
        panel, view = self.panel, self._view
        result = self._needed if tab == "needed" else view
        if result is None:
            panel.show_waiting(CHOOSE if tab == "needed" else NOTHING)
            return
        if tab in COMPARE.drawn_by:
            panel.open(private=True)
            panel.show_result(tab, result)
        elif view is not None:
            self._compared.table_beside.show_comparison(view.comparison)
            panel.show_held()
        panel.freshness.renew(tab)
        if self._outdated and tab != "needed":
            panel.outdate()
            panel.freshness.end()


COMPARED = tuple(spec.name for spec in COMPARE.pictures if spec.drawn_by and spec.view)
"""Pictures of a comparison; where there is room, another one stands beside."""

"""A card whose pictures have tabs, of which some may be left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from app.model.picture_spec import TabTitle
from app.pages.base.plot_panel import PlotPanel
from app.widgets.tabs import Tabs


class TabbedPlotPanel(PlotPanel):
    """Shows the picture of one tab, and the tools that belong to it.

    Parameters
    ----------
    name, tab, pictures
        As of `PlotPanel`.
    titles : dict of str to TabTitle
        What each tab says.
    dense : bool
        As of `Tabs`.
    """

    def __init__(
        self,
        name: str,
        tab: str,
        pictures: Mapping[str, str],
        titles: dict[str, TabTitle],
        dense: bool = False,
    ) -> None:
        self._titles = titles
        self._dense = dense
        self._shown: tuple[str, ...] = tuple(pictures)
        super().__init__(name, tab, pictures)

    @property
    def shown(self) -> tuple[str, ...]:
        """The tabs that there are now."""
        return self._shown

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.choose(tab)

    def show_only(self, tabs: Collection[str]) -> None:
        """Leave out all other tabs."""
        if tuple(tabs) == self._shown:
            return
        self._shown = tuple(tabs)
        if self.tab not in self._shown:
            self.show_tab(self._shown[0])
        self.tabs.show_only(self._shown)

    def show_view(self, curator: bool) -> None:
        """Show everything, or what was released."""
        super().show_view(curator)
        self._show_tools()

    def _words(self, tab: str) -> TabTitle:
        return self._titles[tab]

    def _build_head(self) -> None:
        self.tabs = Tabs("Pictures", self._titles, dense=self._dense)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)

    def _on_tab(self, index: int) -> None:
        self._open_tab(self.tabs.key(index))

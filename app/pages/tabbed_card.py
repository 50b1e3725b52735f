"""A card whose pictures have tabs, of which some may be left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from app.pages.picture_card import PictureCard
from app.widgets.tabs import Tabs, TabTitle

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class TabbedCard(PictureCard):
    """Shows the picture of one tab, and the tools that belong to it.

    Parameters
    ----------
    name, tab, pictures
        As of `PictureCard`.
    titles : dict of str to TabTitle
        What each tab says.
    dense : bool
        As of `Tabs`.
    """

    def __init__(
        self,
        name: str,
        tab: str,
        pictures: Mapping[str, tuple[str, str]],
        titles: dict[str, TabTitle],
        dense: bool = False,
    ) -> None:
        self._titles = titles
        self._dense = dense
        self._shown: tuple[str, ...] = tuple(pictures)
        super().__init__(name, tab, pictures)

    # What depends on the pictures.

    def _show_tools(self) -> None:
        """Show the tools of the tab that is open, as far as there is something to choose."""
        raise NotImplementedError

    @property
    def _is_private(self) -> bool:
        """Whether the open tab shows what is private, if there is a picture."""
        return self._curator

    # What does not.

    @property
    def shown(self) -> tuple[str, ...]:
        """The tabs that there are now."""
        return self._shown

    def open(self) -> PlotCanvas:
        """Show the picture that is open, and make it if need be."""
        canvas = super().open()
        self._show_badge()
        return canvas

    def show_waiting(self, words: str) -> None:
        """Say what is missing while there is nothing to draw."""
        super().show_waiting(words)
        self._show_badge()

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

    def _show_badge(self) -> None:
        """Call private what is; a sentence in the place of a picture is not."""
        says = self.pictures.currentWidget() is self.waiting and bool(self.waiting.text())
        self.badge.setVisible(self._is_private and not says)

    def _on_tab(self, index: int) -> None:
        self.tab = self.tabs.key(index)
        self._show_tools()
        if self._palette is not None:
            self._show_log()
            self.asked.emit()

"""A tab bar whose tabs keep their words, and move together, then scroll, where room is scarce."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QTabBar

from app.model.picture_spec import TabTitle

AIR, LITTLE_AIR = 14, 9
"""Pixels that a tab is wider than its title: a bold one, and at least where room is scarce."""
TIGHT = "tight"
"""The property by which the style sheet knows that all titles have room only close to each other."""


class Tabs(QTabBar):
    """Gives every tab the room that its title needs in bold, so that nothing jumps.

    Where that is more than there is, the titles stand closer, and the open one is not bold; where that does
    not do either, they stand as before and scroll.

    Parameters
    ----------
    name : str
        What the pictures are about.
    titles : dict of str to TabTitle

    Attributes
    ----------
    titles : dict of str to TabTitle
        What each tab says, by its key.
    """

    def __init__(self, name: str, titles: dict[str, TabTitle]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self._keys = list(titles)
        self._tight = False
        self._offered = self._limit = frozenset(titles)
        for title in titles.values():
            self.addTab(title.name)
        self.set_titles(titles)

    def set_titles(self, titles: dict[str, TabTitle]) -> None:
        """Say other things about the same tabs."""
        self.titles = titles
        for index, title in enumerate(titles.values()):
            self.setTabToolTip(index, f"{title.shows}. {title.why}")
            self.setAccessibleTabName(index, title.name)

    def key(self, index: int) -> str:
        """Return the key of a tab."""
        return self._keys[index]

    def choose(self, key: str) -> None:
        """Open a tab by its key."""
        self.setCurrentIndex(self._keys.index(key))

    def show_only(self, keys: Collection[str]) -> None:
        """Hide all other tabs."""
        self._offered = frozenset(keys)
        self._show()

    def limit(self, keys: Collection[str] | None) -> None:
        """Hide what is offered besides these and the open one; None: show all that is offered."""
        self._limit = frozenset(self._keys if keys is None else keys)
        self._show()

    def _show(self) -> None:
        limit = self._limit | {self.key(self.currentIndex())}
        for index, key in enumerate(self._keys):
            self.setTabVisible(index, key in self._offered and key in limit)
        self._lay_out()  # Qt forgets that a tab was hidden when it hears that the next one is as it was

    def sizeHint(self) -> QSize:
        """Ask for the room that all need side by side, also while they stand closer than that."""
        return QSize(self._loose_width(), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the tabs together, or apart again."""
        tight = self.least_width <= self.width() < self._loose_width()
        if tight != self._tight:
            self._tight = tight
            self.setProperty(TIGHT, tight)
            self.style().polish(self)
            self._lay_out()
        super().resizeEvent(event)

    @property
    def least_width(self) -> int:
        """The width in which no tab scrolls yet."""
        shown = self._shown()
        return sum(map(self._bare, shown)) + self._little_air() * len(shown)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab; the same whether it is open or not, or others would begin to scroll."""
        title = self.tabText(index)
        width = self._bare(title) + self._air_left() if self._tight else self._loose(title)
        return QSize(width, super().tabSizeHint(index).height())

    def _lay_out(self) -> None:
        self.setIconSize(self.iconSize())  # the only call that has Qt ask for all sizes again

    def _shown(self) -> list[str]:
        return [self.tabText(index) for index in range(self.count()) if self.isTabVisible(index)]

    def _loose_width(self) -> int:
        return sum(map(self._loose, self._shown()))

    def _air_left(self) -> int:
        """Return what each tab gets of the room that titles leave that are not bold."""
        shown = self._shown()
        left = self.width() - sum(map(self._bare, shown))
        return max(self._little_air(), left // max(1, len(shown)))

    def _little_air(self) -> int:
        """Return the least between two titles: more than a blank within one, in type of any size."""
        return max(LITTLE_AIR, self._bare("n") + 1)

    def _bare(self, title: str) -> int:
        return self.fontMetrics().horizontalAdvance(title)

    def _loose(self, title: str) -> int:
        """Return the width of a tab whose title is bold."""
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(title) + AIR

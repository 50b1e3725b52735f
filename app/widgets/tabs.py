"""A tab bar whose tabs keep their words and their width, and scroll where room is scarce."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar

from app.model.picture_spec import TabTitle

ROUNDING = 2
"""Pixels by which Qt's width of a title and ours may differ."""


class Tabs(QTabBar):
    """Gives every tab the room that its title needs in bold, so that nothing jumps.

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
        self._widths: dict[tuple[str, str], int] = {}
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
        # Qt forgets that a tab was hidden when it hears that the next one is as it was
        self.setIconSize(self.iconSize())

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab whose title is bold; always the same, or others would begin to scroll."""
        hint = super().tabSizeHint(index)
        text, font = self.tabText(index), self.font().toString()
        extra = 0
        if index != self.currentIndex():
            extra = max(0, self._bold(text) - self.fontMetrics().horizontalAdvance(text))
        width = max(self._widths.get((text, font), hint.width() + extra + ROUNDING), hint.width() + extra)
        self._widths[text, font] = width
        return QSize(width, hint.height())

    def _bold(self, text: str) -> int:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(text)

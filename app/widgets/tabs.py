"""A tab bar whose tabs keep their words and their width, and scroll where room is scarce."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar

from app.model.picture_spec import TabTitle


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
        # letters in bold are as wide as the font has them, which may be a pixel more than was measured
        self.currentChanged.connect(self._ask_for_room)
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
        """Return the size of a tab whose title is bold."""
        hint = super().tabSizeHint(index)
        if index == self.currentIndex():
            return hint
        text = self.tabText(index)
        extra = self._bold(text) - self.fontMetrics().horizontalAdvance(text)
        return QSize(hint.width() + max(0, extra), hint.height())

    def _ask_for_room(self, _: int) -> None:
        """Ask for the width of now: with less, there would be arrows to scroll."""
        self.updateGeometry()

    def _bold(self, text: str) -> int:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(text)

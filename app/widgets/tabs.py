"""A tab bar whose tabs keep their width when they are chosen, and shorten where room is scarce."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QTabBar

from app.model.picture_spec import TabTitle

SLACK = 10
"""Pixels around its title that a tab gives up where tabs are dense, as the style sheet says."""


class Tabs(QTabBar):
    """Gives every tab the room that its title needs in bold, so that nothing jumps.

    Parameters
    ----------
    name : str
        What the pictures are about.
    titles : dict of str to TabTitle
    dense : bool
        Whether tabs stand closer in a narrow window, as there are many of them.
    """

    def __init__(self, name: str, titles: dict[str, TabTitle], dense: bool = False) -> None:
        super().__init__()
        self._slack = SLACK * dense
        self._narrow = False
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(False)
        self._titles = titles
        self._keys = list(titles)
        for title in titles.values():
            self.addTab(title.long)
        self.set_titles(titles)

    def set_titles(self, titles: dict[str, TabTitle]) -> None:
        """Say other things about the same tabs."""
        self._titles = titles
        for index, title in enumerate(titles.values()):
            self.setTabToolTip(index, f"{title.shows}. {title.why}")
            self.setAccessibleTabName(index, title.long)

    def key(self, index: int) -> str:
        """Return the key of a tab."""
        return self._keys[index]

    def choose(self, key: str) -> None:
        """Open a tab by its key."""
        self.setCurrentIndex(self._keys.index(key))

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab whose title is bold."""
        return self._bold_hint(index)

    def sizeHint(self) -> QSize:
        """Ask for the room of the long titles."""
        return QSize(self._room("long"), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Be content with the room of the short titles."""
        return QSize(self._room("short"), super().minimumSizeHint().height())

    def show_only(self, keys: Collection[str]) -> None:
        """Hide all other tabs."""
        for index, key in enumerate(self._keys):
            self.setTabVisible(index, key in keys)
        self.updateGeometry()
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write the titles that fit."""
        super().resizeEvent(event)
        self._write()

    def _write(self) -> None:
        narrow = self.width() < self._room("long")
        if narrow != self._narrow:
            self._narrow = narrow
            self.setProperty("dense", narrow and self._slack > 0)
            self.style().polish(self)
            self.setIconSize(self.iconSize())  # has all tabs laid out anew
        kind = "short" if narrow else "long"
        for index, title in enumerate(self._titles.values()):
            if self.tabText(index) != getattr(title, kind):
                self.setTabText(index, getattr(title, kind))

    def _bold_hint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        if index == self.currentIndex():
            return hint
        text = self.tabText(index)
        extra = self._bold(text) - self.fontMetrics().horizontalAdvance(text)
        return QSize(hint.width() + max(0, extra), hint.height())

    def _bold(self, text: str) -> int:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font).horizontalAdvance(text)

    def _room(self, kind: str) -> int:
        """Return the width of all visible tabs with titles of that kind."""
        # rounding makes the frames of tabs differ by a pixel
        frame = max(self._bold_hint(i).width() - self._bold(self.tabText(i)) for i in range(self.count()))
        frame += self._slack * (self._narrow - (kind == "short"))
        shown = [title for index, title in enumerate(self._titles.values()) if self.isTabVisible(index)]
        return sum(frame + self._bold(getattr(title, kind)) for title in shown)

"""A tab bar whose tabs keep their width when they are chosen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar


class Tabs(QTabBar):
    """Gives every tab the room that its title needs in bold, so that nothing jumps."""

    def __init__(self, name: str, titles: dict[str, tuple[str, str]]) -> None:
        """Take `titles` as key -> (title, tip)."""
        super().__init__()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(False)
        self._keys = list(titles)
        for index, (title, tip) in enumerate(titles.values()):
            self.addTab(title)
            self.setTabToolTip(index, tip)

    def key(self, index: int) -> str:
        """Return the key of a tab."""
        return self._keys[index]

    def choose(self, key: str) -> None:
        """Open a tab by its key."""
        self.setCurrentIndex(self._keys.index(key))

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab whose title is bold."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        text = self.tabText(index)
        hint = super().tabSizeHint(index)
        if index == self.currentIndex():
            return hint
        extra = QFontMetrics(bold).horizontalAdvance(text) - self.fontMetrics().horizontalAdvance(text)
        return QSize(hint.width() + max(0, extra), hint.height())

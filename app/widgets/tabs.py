"""A tab bar whose tabs keep their words: where room is scarce they move together, then some go to a menu."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton

from app.model.picture_spec import TabTitle
from app.widgets.combo_box import ClosesWith

AIR, LITTLE_AIR = 14, 9
"""Pixels that a tab is wider than its title: a bold one, and at least where room is scarce."""
TIGHT = "tight"
"""The property by which the style sheet knows that all titles have room only close to each other."""
MORE = "{} more ▾"
"""The button with the menu of tabs that do not fit."""
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class Tabs(QTabBar):
    """Tabs with room for a bold title each, so that nothing moves.

    If they do not fit, the titles move closer and the open one is not bold. If that is not enough, the first
    spacing returns, and a button at the end opens a menu of the others.

    `name`: what the pictures are about.
    """

    def __init__(self, name: str, titles: dict[str, TabTitle]) -> None:
        super().__init__()
        # first: Qt asks for the size of tabs with every line below
        self._keys = list(titles)
        self._tight = False
        self._offered = self._limit = frozenset(titles)
        self.more = QToolButton(self)  # opens the menu of the tabs that are offered and have no room
        self.more.setObjectName("more")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.clicked.connect(self._open_menu)
        self.more.hide()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(False)
        self.currentChanged.connect(self._show)
        for _ in titles:
            self.addTab("")
        self.set_titles(titles)

    def set_titles(self, titles: dict[str, TabTitle]) -> None:
        """Set names and tooltips of the same tabs."""
        self.titles = titles  # by key
        for index, title in enumerate(titles.values()):
            self.setTabToolTip(index, f"{title.shows}. {title.why}")
            self.setTabText(index, title.name)
            self.setAccessibleTabName(index, title.name)

    def key(self, index: int) -> str:
        """Return the key of a tab."""
        return self._keys[index]

    def choose(self, key: str) -> None:
        self.setCurrentIndex(self._keys.index(key))

    def mark(self, on: bool) -> None:
        """Mark the open tab, or none while something else is shown."""
        if self.property("unmarked") != (not on):
            self.setProperty("unmarked", not on)
            self.style().polish(self)

    def show_only(self, keys: Collection[str]) -> None:
        """Hide all other tabs."""
        self._offered = frozenset(keys)
        self._show()

    def limit(self, keys: Collection[str] | None) -> None:
        """Hide what is offered besides these and the open one; None: show all that is offered."""
        self._limit = frozenset(self._keys if keys is None else keys)
        self._show()

    @property
    def offered(self) -> tuple[str, ...]:
        """The keys of all tabs that can be opened now, also of those that have no room."""
        return tuple(map(self.key, self._places()))

    def _places(self) -> list[int]:
        offered = (self._offered & self._limit) | {self.key(self.currentIndex())}
        return [index for index, key in enumerate(self._keys) if key in offered]

    def _show(self, _: int = 0) -> None:
        places, width = self._places(), self.width()
        tight = self.least_width <= width < self._loose_width()
        if tight != self._tight:
            self._tight = tight
            self.setProperty(TIGHT, tight)
            self.style().polish(self)
        seen = places if self.least_width <= width else self._fitting(places)
        self.setTabVisible(self.currentIndex(), True)  # first: Qt would open another one
        for index in range(self.count()):
            self.setTabVisible(index, index in seen)
        self._name_others([self.tabText(index) for index in places if index not in seen])
        self._lay_out()  # Qt forgets that a tab was hidden when it hears that the next one is as it was

    def _fitting(self, places: list[int]) -> list[int]:
        """Return the first tabs that have room beside the open one and the button."""
        opened = self.currentIndex()
        left = self.width() - self._width_of_more() - self._loose(self.tabText(opened))
        seen = [opened]
        for index in places:
            if index != opened:
                left -= self._loose(self.tabText(index))
                if left < 0:
                    break
                seen.append(index)
        return seen

    def _name_others(self, titles: list[str]) -> None:
        self.more.setVisible(bool(titles))
        self.more.setText(MORE.format(len(titles)))
        self.more.setAccessibleName(f"{len(titles)} more: {', '.join(titles)}")
        self.more.setToolTip(", ".join(titles))

    def _open_menu(self) -> None:
        """Offer the tabs that have no room."""
        menu = QMenu(self, toolTipsVisible=True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ClosesWith(menu, self.more)
        for index in self._places():
            if not self.isTabVisible(index):
                action = menu.addAction(self.tabText(index))
                action.setToolTip(self.tabToolTip(index))
                action.setData(self.key(index))
        menu.triggered.connect(self._on_menu)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _on_menu(self, action: QAction) -> None:
        self.choose(action.data())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the tab before or after, whether it has room or not."""
        step, places = STEPS.get(Qt.Key(event.key())), self._places()
        if step is None or self.currentIndex() not in places:
            super().keyPressEvent(event)
            return
        to = places.index(self.currentIndex()) + step
        if 0 <= to < len(places):
            self.setCurrentIndex(places[to])

    def tabLayoutChange(self) -> None:
        """Keep the button behind the last tab."""
        super().tabLayoutChange()
        last = max((self.tabRect(index).right() for index in range(self.count())), default=0)
        self.more.setGeometry(QRect(last + 1, 0, self._width_of_more(), self.height()))

    def minimumSizeHint(self) -> QSize:
        """Ask for the room of any title, and of the button if there is another one."""
        widths = [self._loose(title) for title in self._shown()]
        least = max(widths, default=0) + self._width_of_more()
        return QSize(min(least, self.least_width), super().sizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for the room that all need side by side, also while they stand closer than that."""
        return QSize(self._loose_width(), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show()  # which ends in what Qt does

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show()

    @property
    def least_width(self) -> int:
        """The width in which all tabs have room."""
        shown = self._shown()
        return sum(map(self._bare, shown)) + self._little_air() * len(shown)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab; the same whether it is open or not, or others would move."""
        title = self.tabText(index)
        width = self._bare(title) + self._air_left() if self._tight else self._loose(title)
        return QSize(width, super().tabSizeHint(index).height())

    def _lay_out(self) -> None:
        self.setIconSize(self.iconSize())  # the only call that has Qt ask for all sizes again
        super().resizeEvent(QResizeEvent(self.size(), self.size()))  # and this one to scroll back

    def _shown(self) -> list[str]:
        return [self.tabText(index) for index in self._places()]

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

    def _width_of_more(self) -> int:
        """Return the width of the button, whatever the number on it."""
        return self._loose(MORE.format(len(self._keys)))

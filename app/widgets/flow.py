"""Widgets one after the other, in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QLayout, QLayoutItem, QWidget

from app.widgets.layouts import line_up


class Flow(QLayout):
    """Lays out widgets like words: what does not fit into a line begins the next one."""

    def __init__(self, gap: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(gap)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        self._place(room, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, room: QRect, move: bool) -> int:
        """Go through the lines; return the height of all of them."""
        x, y, line = room.x(), room.y(), list[tuple[QLayoutItem, QRect]]()
        for item in self._items:
            if item.isEmpty():
                continue
            wish = item.sizeHint()
            wish.setWidth(min(wish.width(), room.width()))
            if line and x + wish.width() > room.right() + 1:
                y = _align(line, y, move) + self.spacing()
                x, line = room.x(), []
            line.append((item, QRect(QPoint(x, y), wish)))
            x += wish.width() + self.spacing()
        return _align(line, y, move) - room.y()


def _align(line: list[tuple[QLayoutItem, QRect]], top: int, move: bool) -> int:
    """Center the items of a line on each other; return where it ends."""
    height = max((rect.height() for _, rect in line), default=0)
    for item, rect in line:
        if move:
            item.setGeometry(rect.translated(0, (height - rect.height()) // 2))
    return top + height


class Bend(QBoxLayout):
    """Lays out widgets side by side, or below each other where the line is too short for all of them."""

    def __init__(self, inside: QWidget | None = None) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self._heights: dict[int, int] = {}
        self.setContentsMargins(0, 0, 0, 0)
        if inside is not None:
            inside.setLayout(self)

    def hasHeightForWidth(self) -> bool:
        return True

    def minimumSize(self) -> QSize:
        widths = (item.minimumSize().width() for item in self._visible_items())
        return QSize(max(widths, default=0), super().minimumSize().height())

    def invalidate(self) -> None:
        self._heights = {}
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:  # what is around it asks again and again
            self._heights[width] = self._height_for(width)
        return self._heights[width]

    def _height_for(self, width: int) -> int:
        seen = self._visible_items()
        if self._direction(width) == QBoxLayout.Direction.TopToBottom:
            return sum(_height(item, width) for item in seen) + self.spacing() * (len(seen) - 1)
        wrapped = [item for item in seen if item.hasHeightForWidth()]
        others = sum(_wish(item) + self.spacing() for item in seen if item not in wrapped)
        share = (width - others) // max(1, len(wrapped))
        return max((_height(item, share) for item in seen), default=0)

    def setGeometry(self, room: QRect) -> None:
        direction = self._direction(room.width())
        if direction != self.direction():
            self.setDirection(direction)
        super().setGeometry(room)

    def _visible_items(self) -> list[QLayoutItem]:
        items = (self.itemAt(index) for index in range(self.count()))
        return [
            item for item in items if item is not None and item.widget() is not None and not item.isEmpty()
        ]

    def _direction(self, width: int) -> QBoxLayout.Direction:
        """Return the direction in which all items are as wide as they like."""
        seen, sides = self._visible_items(), QBoxLayout.Direction
        need = sum(_wish(item) for item in seen) + self.spacing() * (len(seen) - 1)
        return sides.LeftToRight if need <= width else sides.TopToBottom


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _wish(item: QLayoutItem) -> int:
    """Return how wide an item likes to be; words that wrap are content with half of that."""
    wish = item.sizeHint().width()
    return max(wish // 2, item.minimumSize().width()) if item.hasHeightForWidth() else wish


def together(*parts: QWidget) -> QWidget:
    """Return widgets that stay on one line."""
    row = QWidget()
    line_up(row, *parts, spacing=6)
    return row

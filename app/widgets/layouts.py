"""Layouts: stacks, lines that wrap, and widgets no larger than their visible parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, takewhile
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

Item = QWidget | QLayout | tuple[Any, ...] | None
"""A widget, a layout, either with its stretch (and alignment), or None for the room that is left."""

Margins = int | tuple[int, int, int, int]

LayoutT = TypeVar("LayoutT", bound=QBoxLayout)


def stack(
    inside: QWidget | None, *items: Item, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Put items below each other in a widget, or in a layout that stands in no widget yet."""
    return _fill(QVBoxLayout(), inside, items, margins, spacing)


def line_up(
    inside: QWidget | None, *items: Item, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Put items side by side in a widget, or in a layout that stands in no widget yet."""
    return _fill(QHBoxLayout(), inside, items, margins, spacing)


def scroll_upright(area: QScrollArea, inside: QWidget | None = None) -> QScrollArea:
    """Let an area scroll what is as wide as itself; nothing of it is seen but the scroll bar."""
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if inside is not None:
        area.setWidget(inside)
    return area


def tab_through(*parts: QWidget) -> None:
    """Let Tab reach these parts one after the other, each in the order of its layouts."""
    for first, second in pairwise(stop for part in parts for stop in _tab_stops(part)):
        QWidget.setTabOrder(first, second)


def _tab_stops(inside: QWidget | QLayout | None) -> Iterator[QWidget]:
    """Iterate over the widgets at which Tab stops, in the order of the layouts."""
    if isinstance(inside, QWidget) and _is_reached(inside):
        yield inside
    if isinstance(inside, QSplitter):
        for index in range(inside.count()):
            yield from _tab_stops(inside.widget(index))
    layout = inside.layout() if isinstance(inside, QWidget) else inside
    if layout is None:
        return
    for part in contents(layout):
        yield from _tab_stops(part)


def ancestors(widget: QWidget | None) -> Iterator[QWidget]:
    """Iterate over a widget and everything that it stands in, from the inside out."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


def contents(layout: QLayout) -> Iterator[QWidget | QLayout | None]:
    """Iterate over the parts of a layout; None for a gap.

    Python forgets the items around them: Qt deletes these unseen, and Python would take the next part at the
    address of one for it.
    """
    for index in range(layout.count()):
        item = layout.itemAt(index)
        assert item is not None
        part = item.widget() or item.layout()
        if not isinstance(item, QLayout) and not isinstance(layout, Flow):
            Shiboken.invalidate(item)
        yield part


def tab_before(part: QWidget, later: QWidget) -> None:
    """Let Tab reach what stands in a part before `later`; what is added to a window would come last."""
    inside = list(takewhile(part.isAncestorOf, _chain(part, QWidget.nextInFocusChain)))
    before = _chain(later, QWidget.previousInFocusChain)
    last = next(filter(_is_reached, before), None)
    for widget in filter(_is_reached, inside):
        if last is not None:
            QWidget.setTabOrder(last, widget)
        last = widget


def _chain(widget: QWidget, step: Callable[[QWidget], QWidget | None]) -> Iterator[QWidget]:
    """Iterate over what follows a widget in the order of Tab, once around the window."""
    other = step(widget)
    while other is not None and other is not widget:
        yield other
        other = step(other)


def _is_reached(widget: QWidget) -> bool:
    """Tell whether Tab stops at a widget: not at one that another one stands for."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def _fill(
    layout: LayoutT, inside: QWidget | None, items: tuple[Item, ...], margins: Margins, spacing: int | None
) -> LayoutT:
    if inside is not None:
        inside.setLayout(layout)
    edges = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(*edges)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
            continue
        first, *facts = item if isinstance(item, tuple) else (item,)
        (layout.addLayout if isinstance(first, QLayout) else layout.addWidget)(first, *facts)
    return layout


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
        self.setSpacing(8)
        if inside is not None:
            inside.setLayout(self)

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        """Return the size of a single line."""
        seen = self._visible_items()
        width = sum(item.sizeHint().width() for item in seen) + self.spacing() * max(0, len(seen) - 1)
        return QSize(width, max((item.sizeHint().height() for item in seen), default=0))

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
        wrapped = [item for item in seen if _wraps(item)]
        others = sum(_wish(item) for item in seen if item not in wrapped)
        share = (width - others - self.spacing() * (len(seen) - 1)) // max(1, len(wrapped))
        return max((_height(item, share if _wraps(item) else _wish(item)) for item in seen), default=0)

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
    return max(wish // 2, item.minimumSize().width()) if _wraps(item) else wish


def _wraps(item: QLayoutItem) -> bool:
    """Tell whether an item says by its policy that it wraps, as words do; not so a row of buttons."""
    widget = item.widget()
    return widget is not None and widget.sizePolicy().hasHeightForWidth()


def together(*parts: Item) -> QWidget:
    """Return items that stay on one line."""
    row = QWidget()
    line_up(row, *parts, spacing=6)
    return row


QWIDGETSIZE_MAX = (1 << 24) - 1
MIN_HEIGHT = 200
"""Height in which a picture can be read, in type of ordinary size."""
SPARED = 0.375
"""By how much less than type pictures grow at least: with that, every lesson fits a screen of 1280×720."""
NARROWEST, LOWEST = 220, 90
"""Least width of a picture, and the least height of one in which the height says nothing."""


def least_size(good_height: int, scale: float) -> QSize:
    """Return the room that a picture needs, whose type is that much larger than ordinary.

    It gets less than type of that size would have: where room is scarce, its own type is smaller.
    """
    growth = max(1.0, scale - SPARED)
    height = max(MIN_HEIGHT, round(min(good_height, MIN_HEIGHT) * growth)) if good_height else LOWEST
    return QSize(NARROWEST, height)


class ShrinkableWidget(QWidget):
    """Takes what the others leave, and asks only for the width that it needs."""

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())


class CurrentPageStack(QWidget):
    """Shows one of several widgets; the others keep nothing around it wide or high.

    A `QStackedWidget` asks for the least sizes of all that it holds, wherever words wrap in one of them.
    """

    # the place of the widget that is in sight now
    currentChanged = Signal(int)  # noqa: N815 - as in Qt

    def __init__(self) -> None:
        super().__init__()
        self._line = stack(self)
        self._shown: QWidget | None = None

    def addWidget(self, widget: QWidget) -> int:
        """Take in a widget, out of sight unless it is the first one; return its place."""
        widget.hide()  # else Qt shows it, as a window of its own where it has no place yet
        self._line.addWidget(widget)
        if self.currentWidget() is None:
            self.setCurrentWidget(widget)
        return self._line.indexOf(widget)

    def currentWidget(self) -> QWidget | None:
        """Return the widget in sight; None if there is none, or if it has been taken away."""
        return next((widget for widget in self._widgets() if widget is self._shown), None)

    def setCurrentIndex(self, index: int) -> None:
        """Show the widget at a place."""
        self.setCurrentWidget(self._widgets()[index])

    def setCurrentWidget(self, widget: QWidget) -> None:
        """Show a widget instead of the visible one; the keyboard focus moves with it."""
        before = self.currentWidget()
        if widget is before:
            return
        self._shown = widget
        self.setUpdatesEnabled(False)
        typed = before is not None and before.isAncestorOf(QApplication.focusWidget() or self)
        for other in self._widgets():
            if other is not widget:
                other.hide()
        widget.setGeometry(self.rect())  # at once: what it draws first is to have the size that it keeps
        widget.show()
        if typed:
            (widget.focusWidget() or widget).setFocus()
        self.setUpdatesEnabled(True)
        self.currentChanged.emit(self._line.indexOf(widget))

    def _widgets(self) -> list[QWidget]:
        items = map(self._line.itemAt, range(self._line.count()))
        result = (item.widget() for item in items if item is not None)
        return [widget for widget in result if widget is not None]


class ScrolledColumn(QScrollArea):
    """Widgets below each other, the first as high as there is room for; they scroll where there is none."""

    room_left = Signal(int)  # the height that all others leave to the widget that is to spare

    def __init__(self, first: QWidget, *others: QWidget, spacing: int) -> None:
        super().__init__()
        self._inside = ShrinkableWidget()
        self._parts = first, *others
        self._spacing = spacing
        self._sparing: QWidget | None = None
        self._left: int | None = None
        self._fitted = 0
        stack(self._inside, (first, 1), *others, spacing=spacing)
        scroll_upright(self, self._inside)
        for part in (self.viewport(), self._inside):  # what it stands on is seen between the widgets
            part.setAutoFillBackground(False)

    def let_spare(self, part: QWidget) -> None:
        """Tell by `room_left`, before anything scrolls, how high one of the widgets can be."""
        self._sparing = part

    def forget_room(self) -> None:
        """Let the widget that is to spare take all the room again that the others leave now."""
        self._left = None

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of all that it holds, and of the bar that scrolls it."""
        scrolls = self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        beside = self.verticalScrollBar().sizeHint().width() if scrolls else 0
        return QSize(self._inside.minimumSizeHint().width() + beside, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return self._inside.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for another width when what it holds does."""
        if event.type() == QEvent.Type.LayoutRequest:  # also of a window that is about to go
            self._fit()
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Decide by the whole width: what is less high beside a bar would make it come and go for ever."""
        inside, sparing = self._inside, self._sparing
        if self.height() != self._fitted:
            self._fitted = self.height()
            self.forget_room()
        if sparing is not None and not sparing.isHidden():
            left = self.height() - self._taken_beside(sparing)
            if self._left is None or left < self._left:  # never more: else it moves with each tab
                self._left = left
                self.room_left.emit(left)
        need = max(inside.minimumSizeHint().height(), inside.heightForWidth(self.width()))
        policies = Qt.ScrollBarPolicy
        policy = policies.ScrollBarAlwaysOn if need > self.height() else policies.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)

    def _taken_beside(self, part: QWidget) -> int:
        """Return the height that all other widgets take, with what is between them."""
        others = (other for other in self._parts if other is not part and not other.isHidden())
        return sum(self._height_of(other) + self._spacing for other in others)

    def _height_of(self, part: QWidget) -> int:
        return max(part.minimumSizeHint().height(), part.heightForWidth(self.width()))

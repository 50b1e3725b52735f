"""Widgets that ask for no more space than their visible parts need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.widgets.layouts import scroll_upright, stack

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
        self._cover: QWidget | None = None

    def cover(self, cover: QWidget) -> None:
        """Let something lie over whatever is shown, until it is uncovered."""
        self._cover = cover

    def uncover(self) -> None:
        """Let nothing lie over it any more."""
        cover, self._cover = self._cover, None
        if cover is not None:
            cover.hide()
            cover.deleteLater()

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
        """Show a widget in the place of the one in sight; what is typed goes to it, if it went to that."""
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
        stack(self._inside, (first, 1), *others, spacing=spacing)
        scroll_upright(self, self._inside)
        for part in (self.viewport(), self._inside):  # what it stands on is seen between the widgets
            part.setAutoFillBackground(False)

    def let_spare(self, part: QWidget) -> None:
        """Tell by `room_left`, before anything scrolls, how high one of the widgets can be."""
        self._sparing = part

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of all that it holds, and of the bar that scrolls it."""
        beside = self.verticalScrollBar().sizeHint().width() if self._scrolls else 0
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

    @property
    def _scrolls(self) -> bool:
        return self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOn

    def _fit(self) -> None:
        """Decide by the whole width: what is less high beside a bar would make it come and go for ever."""
        inside, sparing = self._inside, self._sparing
        if sparing is not None and not sparing.isHidden():
            left = self.height() - self._taken_beside(sparing)
            if left != self._left:
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

"""Widgets that ask for no more room than is needed for what is seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from app.widgets.layouts import scroll_upright, stack

LEAST = 200
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
    height = max(LEAST, round(min(good_height, LEAST) * growth)) if good_height else LOWEST
    return QSize(NARROWEST, height)


class Modest(QWidget):
    """Takes what the others leave, and asks only for the width that it needs."""

    def sizeHint(self) -> QSize:
        """Ask for the least width."""
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())


class Rooms(QStackedWidget):
    """A stack whose hidden widgets keep nothing around it wide or high."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """Ask for what the widget in sight needs."""
        shown = self.currentWidget()
        if shown is None:
            return super().minimumSizeHint()
        return shown.minimumSizeHint().expandedTo(shown.minimumSize())  # a picture is told its least size

    def sizeHint(self) -> QSize:
        """Ask for what the widget in sight would like."""
        shown = self.currentWidget()
        return super().sizeHint() if shown is None else shown.sizeHint()

    def hasHeightForWidth(self) -> bool:
        """Tell whether words wrap in the widget in sight."""
        shown = self.currentWidget()
        return shown is not None and shown.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """Ask for the height of the widget in sight."""
        shown = self.currentWidget()
        return -1 if shown is None else shown.heightForWidth(width)


class ScrolledColumn(QScrollArea):
    """Widgets below each other, the first as high as there is room for; they scroll where there is none."""

    def __init__(self, first: QWidget, *others: QWidget, spacing: int) -> None:
        super().__init__()
        self._inside = Modest()
        stack(self._inside, (first, 1), *others, spacing=spacing)
        scroll_upright(self, self._inside)
        for part in (self.viewport(), self._inside):  # what it stands on is seen between the widgets
            part.setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of all that it holds, and of the bar that scrolls it."""
        beside = self.verticalScrollBar().sizeHint().width() if self._scrolls else 0
        return QSize(self._inside.minimumSizeHint().width() + beside, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for the room of all that it holds."""
        return self._inside.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll where the height does not do."""
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
        inside = self._inside
        need = max(inside.minimumSizeHint().height(), inside.heightForWidth(self.width()))
        policies = Qt.ScrollBarPolicy
        policy = policies.ScrollBarAlwaysOn if need > self.height() else policies.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)

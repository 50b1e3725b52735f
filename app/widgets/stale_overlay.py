"""Dims a widget that shows results of older choices, until they are replaced."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.widgets.deferred import deferred_call
from app.widgets.layouts import ancestors
from app.widgets.style import PaintedWidget

DIM, FIRST = 0.5, 0.2
"""Opacity of the overlay, and of its first moments, so that quick replacements do not flicker."""
AT_ONCE_MS, FIRST_MS = 40, 100
"""Delay before the overlay appears, so that slider moves show none; duration of `FIRST`."""
LINE = 2
"""Height of the line that shows progress."""
MIN_SHARE = 0.03
"""Share of the line that is drawn of work which has just begun."""


def is_dimmed(widget: QWidget) -> bool:
    """Return whether a widget, or one of its parents, shows results of older choices."""
    beside = (child for one in ancestors(widget) for child in one.children())
    return any(isinstance(child, StaleOverlay) and child.is_drawn for child in beside)


class StaleOverlay(PaintedWidget):
    """Lies over a widget while what that shows is outdated; the mouse reaches through it."""

    def __init__(self, covered: QWidget) -> None:
        super().__init__("", covered)
        self._covered = covered
        self._fraction: float | None = None
        self.is_drawn = False  # whether what lies below is outdated
        self._soon = deferred_call(self, self._cover, AT_ONCE_MS)
        self._first = deferred_call(self, self.update, FIRST_MS)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        covered.installEventFilter(self)

    def draw(self, outdated: bool) -> None:
        """Dim what lies below, or show it as it is."""
        if outdated == self.is_drawn:
            return
        self._fraction, self.is_drawn = None, outdated
        if outdated:
            self._soon.start()
        else:
            self._soon.stop()
            self._first.stop()
            self.hide()

    def _cover(self) -> None:
        self.setGeometry(self._covered.rect())
        self._first.start()
        self.raise_()
        self.show()

    def show_progress(self, fraction: float | None) -> None:
        """Show how far the work on what comes instead is; None where nothing is worked out."""
        if fraction != self._fraction:
            self._fraction = fraction
            self.update(0, 0, self.width(), LINE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isHidden() and event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            self.setGeometry(self._covered.rect())
            self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = QColor(self._palette.card)
        colour.setAlphaF(FIRST if self._first.isActive() else DIM)
        painter.fillRect(self.rect(), colour)
        if self._fraction is not None:
            done = max(MIN_SHARE, min(self._fraction, 1.0)) * self.width()
            painter.fillRect(QRectF(0, 0, done, LINE), QColor(self._palette.accent))
        painter.end()

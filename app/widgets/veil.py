"""What says that something on the screen belongs to older choices: it is dimmed until it is replaced."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.model.theme import LIGHT, Palette

DIM, FIRST = 0.5, 0.2
"""Opacity of the veil, and of its first moments: what is replaced at once must not flicker."""
FIRST_MS = 100
LINE = 2
"""Height of the line that shows progress."""
LEAST = 0.03
"""Share of the line that is drawn of work which has just begun."""


def is_dimmed(widget: QWidget) -> bool:
    """Tell whether a widget, or one that it stands in, shows something of older choices."""
    place: QObject | None = widget
    while place is not None:
        if any(isinstance(child, Veil) and child.is_drawn for child in place.children()):
            return True
        place = place.parent()
    return False


class Veil(QWidget):
    """Lies over a widget while what that shows is outdated; the mouse reaches through it.

    Parameters
    ----------
    covered : QWidget

    Attributes
    ----------
    is_drawn : bool
        Whether what lies below is outdated.
    """

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self._covered = covered
        self._palette = LIGHT
        self._fraction: float | None = None
        self._first = QTimer(self)
        self._first.setSingleShot(True)
        self._first.setInterval(FIRST_MS)
        self._first.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        covered.installEventFilter(self)

    @property
    def is_drawn(self) -> bool:
        """Whether what lies below is outdated."""
        return not self.isHidden()

    def draw(self, outdated: bool) -> None:
        """Dim what lies below, or show it as it is."""
        if outdated == self.is_drawn:
            return
        self._fraction = None
        if outdated:
            self.setGeometry(self._covered.rect())
            self._first.start()
            self.raise_()
        else:
            self._first.stop()
        self.setVisible(outdated)

    def show_progress(self, fraction: float | None) -> None:
        """Show how far the work on what comes instead is; None where nothing is worked out."""
        if fraction != self._fraction:
            self._fraction = fraction
            self.update(0, 0, self.width(), LINE)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what lies below, and above whatever is put there."""
        if self.is_drawn and event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            self.setGeometry(self._covered.rect())
            self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw half a card over it, and the line at the top."""
        painter = QPainter(self)
        colour = QColor(self._palette.card)
        colour.setAlphaF(FIRST if self._first.isActive() else DIM)
        painter.fillRect(self.rect(), colour)
        if self._fraction is not None:
            done = max(LEAST, min(self._fraction, 1.0)) * self.width()
            painter.fillRect(QRectF(0, 0, done, LINE), QColor(self._palette.accent))
        painter.end()

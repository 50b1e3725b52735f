"""A picture as it was drawn at another time, in its place until it is drawn anew."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget


class StartPictureOverlay(QWidget):
    """Lies in a window where it was drawn, as long as its room reaches there; the mouse reaches through it.

    Parameters
    ----------
    room : QWidget
    image : QImage
    place : QRect
        Of the image in the room.
    around : QRect
        Where the room stood in its window when the image was drawn: what stands beside it may come later.

    Attributes
    ----------
    painted : bool
        Whether it was seen.
    """

    def __init__(self, room: QWidget, image: QImage, place: QRect, around: QRect) -> None:
        super().__init__(room)
        self._room, self._image, self._place, self._around = room, image, place, around
        self.painted = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._size = room.window().size()
        room.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in its place, above whatever is put there."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.ChildAdded):
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the image, pixel by pixel."""
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()
        self.painted = True

    def _fit(self) -> None:
        now = place_in_window(self._room)
        self.setGeometry(self._place.translated(self._around.topLeft() - now.topLeft()))
        self.setVisible(now.contains(self._around) and self.window().size() == self._size)
        self.raise_()


def place_in_window(widget: QWidget) -> QRect:
    """Return where a widget stands in its window."""
    return QRect(widget.mapTo(widget.window(), widget.rect().topLeft()), widget.size())

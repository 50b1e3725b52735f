"""Draws a released number and its 95 % interval on a scale."""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.model.theme import Palette


def paint_interval(
    painter: QPainter,
    rect: QRectF,
    scale: tuple[float, float],
    numbers: tuple[float, float, float],
    palette: Palette,
    size: float,
) -> None:
    """Draw `numbers`, the lower end, the value and the upper end, on a scale as wide as `rect`.

    `size` is that of type, as a multiple of its ordinary one.
    """
    lower, upper = scale
    middle, half = rect.center().y(), 4.5 * size
    low, value, high = (rect.left() + rect.width() * (one - lower) / (upper - lower) for one in numbers)
    colour = QColor(palette.released)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(palette.grid), size))
    painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.right(), middle))
    painter.setPen(QPen(colour, 1.8 * size))
    painter.drawLine(QPointF(low, middle), QPointF(high, middle))
    for end in (low, high):
        painter.drawLine(QPointF(end, middle - half), QPointF(end, middle + half))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(value, middle), 0.8 * half, 0.8 * half)
    painter.restore()


@functools.lru_cache(maxsize=512)
def interval_image(
    scale: tuple[float, float],
    numbers: tuple[float, float, float],
    palette: Palette,
    size: float,
    width: int,
    ratio: float,
) -> QImage:
    """Return such a drawing as an image; `ratio` is that of the pixels of a screen to those of Qt."""
    margin, height = round(6 * size), round(14 * size)
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_interval(painter, QRectF(margin, 0, width - 2 * margin, height), scale, numbers, palette, size)
    painter.end()
    return image

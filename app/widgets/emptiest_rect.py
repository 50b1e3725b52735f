"""Find the rectangle of a widget on which least is drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

GRAIN = 4
"""Side in pixels of the blocks that are compared."""
PLACES = 24
"""Places along each side that are tried."""
PALE = 16
"""Brightness difference, of at most 255, that grid lines stay below in every theme."""
FIRST = 1 << 16
"""Weight of a pixel above `PALE` against a pale one: more than the number of pixels."""
LITTLE = 2
"""Mean square difference that counts as little; curves and tick labels are above it."""


def emptiest_rect(widget: QWidget, size: QSize, edge: int) -> tuple[QPoint, bool]:
    """Return the rectangle of a size that hides least of a widget's drawing, and whether that is little.

    It minimises the squared difference in brightness from the widget's most frequent one. Words and curves
    thus count; a pale grid hardly does. Ties go to the highest place, then to the leftmost.
    """
    seen = widget.grab().toImage()
    small = QSize(max(1, widget.width() // GRAIN), max(1, widget.height() // GRAIN))
    smooth = Qt.TransformationMode.SmoothTransformation
    seen = seen.scaled(small, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    seen = seen.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(seen.constBits(), np.uint8).reshape(seen.height(), seen.bytesPerLine())
    bright = rows[:, : seen.width()].astype(np.int64)
    difference = np.abs(bright - int(np.bincount(bright.ravel()).argmax()))
    ink = FIRST * np.maximum(difference - PALE, 0) ** 2 + np.minimum(difference, PALE)
    sums = np.pad(ink.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    high, wide = -(-size.height() // GRAIN), -(-size.width() // GRAIN)
    tops = _places(edge, bright.shape[0] - high)
    lefts = _places(edge, bright.shape[1] - wide)
    bottoms, rights = np.minimum(tops + high, bright.shape[0]), np.minimum(lefts + wide, bright.shape[1])
    hidden = (
        sums[np.ix_(bottoms, rights)]
        - sums[np.ix_(tops, rights)]
        - sums[np.ix_(bottoms, lefts)]
        + sums[np.ix_(tops, lefts)]
    )
    row, column = np.unravel_index(hidden.argmin(), hidden.shape)
    corner = QPoint(int(lefts[column]) * GRAIN, int(tops[row]) * GRAIN)
    return corner, bool(hidden[row, column] // FIRST <= LITTLE * high * wide)


def _places(edge: int, last: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return places along a side, from one edge to the other."""
    first = -(-edge // GRAIN)
    return np.unique(np.linspace(first, max(first, last - first), PLACES).astype(np.int64))

"""Find the rectangle of a widget on which least is drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

GRAIN = 4
"""Pixels of a side of what is looked at as a whole."""
PLACES = 24
"""Places along each side that are tried."""
PALE = 16
"""Difference in brightness, of at most 255, that a line of a grid stays below in every theme."""
FIRST = 1 << 16
"""What is more than pale counts so many times as much as what is pale: more than there is of it."""
LITTLE = 2
"""Mean square of what differences are more than pale; a curve, or the number at a tick, is above it."""


def emptiest_rect(widget: QWidget, size: QSize, edge: int) -> tuple[QPoint, bool]:
    """Return where something of that size hides least of what is drawn on a widget; and whether it is little.

    It is the place with the least difference in brightness from what most of the widget shows, squared, so
    that words and curves count and a pale grid hardly does; of several, the highest, and then the one
    farthest to the left.

    Parameters
    ----------
    widget : QWidget
    size : QSize
        Of what is to be laid over it.
    edge : int
        Pixels that it keeps from the edges.
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

"""Formulas as paths of Qt: for pictures on the screen, and for paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath

from app.plots.formula_outlines import CLOSE, CUBIC, LINE, MOVE, QUADRATIC, Outline


def path_of(drawn: Outline) -> QPainterPath:
    """Return the outline of a formula set at size 1, with the baseline at y = 0 and y upwards."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for code, points in drawn.parts():
        ends = [QPointF(x, y) for x, y in points]
        if code == MOVE:
            path.moveTo(ends[0])
        elif code == LINE:
            path.lineTo(ends[0])
        elif code == QUADRATIC:
            path.quadTo(*ends)
        elif code == CUBIC:
            path.cubicTo(*ends)
        elif code == CLOSE:
            path.closeSubpath()
    return path

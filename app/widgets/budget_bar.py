"""The used share of a limit: a thin bar, with a mark at the limit once it is passed."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.widgets.style import PaintedWidget

NEARLY = 0.8
"""Share of the limit above which the bar warns."""

WIDTH, HEIGHT, THICK = 130, 14, 8
_MAX_TIMES = 4.0  # times the limit: what is more is drawn as that much


class BudgetBar(PaintedWidget):
    """Shows the used share of a limit, and the share after one more release.

    Hatching marks the part beyond the limit, so that it does not depend on colour.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.spent = self.after = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)

    def show_share(self, spent: float, after: float = 0.0) -> None:
        """Show the used share of the limit and, if larger, the share after one more release."""
        self.spent, self.after = spent, max(spent, after)
        texts = [_said(spent), *([f"{_said(after)} after this release"] if after > spent else [])]
        self.setAccessibleDescription(", ".join(texts))
        self.update()

    @property
    def colour(self) -> str:
        """The colour of the used share: a warning colour close to the limit."""
        return self._palette.private if self.after >= NEARLY else self._palette.accent

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self._palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        spent, after = min(self.spent, _MAX_TIMES), min(self.after, _MAX_TIMES)
        whole = max(1.0, after)
        top = (self.height() - THICK) / 2

        def piece(start: float, end: float) -> QRectF:
            left, right = (self.width() * share / whole for share in (start, end))
            return QRectF(left, top, max(0.0, right - left), THICK)

        painter.setBrush(QColor(palette.border))
        painter.drawRoundedRect(piece(0, whole), 3, 3)
        painter.setBrush(QColor(self.colour))
        painter.drawRoundedRect(piece(0, min(spent, 1.0)), 3, 3)
        if after > spent and spent < 1:
            painter.setBrush(QColor(palette.tint(self.colour, 0.5)))
            painter.drawRect(piece(spent, min(1.0, after)))
        if whole > 1:
            painter.setBrush(QColor(palette.tint(palette.error, 0.35)))
            painter.drawRect(piece(1, whole))
            painter.setBrush(QBrush(QColor(palette.error), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(piece(1, whole))
            limit = self.width() / whole
            painter.setPen(QPen(QColor(palette.ink), 2))
            painter.drawLine(round(limit), 0, round(limit), self.height())
        painter.end()


def _said(share: float) -> str:
    return "more than can be promised" if math.isinf(share) else f"{share:.0%} of the limit"

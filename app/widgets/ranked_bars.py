"""How several things compare in one number: a line for each, with a bar and the number."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.widgets.style import PaintedWidget

MAX_TIMES = 10.0
"""Times the least: what is more is drawn as that much, with its number beside it."""

THICK, GAP = 7, 6
NAMES, NUMBERS = 0.5, 0.16
"""Shares of the width for the names and for the numbers."""


@dataclasses.dataclass(frozen=True)
class RankedBar:
    """One line: its name, its size against the least, and the number as it is written."""

    name: str
    times: float
    text: str


class RankedBars(PaintedWidget):
    """Shows lines from the least to the most; the first is the one that is taken."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.lines: tuple[RankedBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_lines(self, lines: Sequence[RankedBar]) -> None:
        if tuple(lines) != self.lines:
            height, self.lines = self.sizeHint().height(), tuple(lines)
            self.setAccessibleDescription("; ".join(f"{line.name}: {line.text}" for line in self.lines))
            if self.sizeHint().height() != height:
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, len(self.lines) * self._height())

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self._palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, height = QFontMetrics(self._font()), self._height()
        start, end = self.width() * NAMES + GAP, self.width() * (1 - NUMBERS) - GAP
        most = min(MAX_TIMES, max((line.times for line in self.lines), default=MAX_TIMES))
        painter.setFont(self._font())
        for index, line in enumerate(self.lines):
            top = index * height
            painter.setPen(QColor(palette.ink if index == 0 else palette.muted))
            name = metrics.elidedText(line.name, Qt.TextElideMode.ElideRight, int(start - GAP))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, top, start, height), Qt.AlignmentFlag.AlignLeft | middle, name)
            number = QRectF(end, top, self.width() - end, height)
            painter.drawText(number, Qt.AlignmentFlag.AlignRight | middle, line.text)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.accent if index == 0 else palette.tint(palette.accent, 0.35)))
            length = max(2.0, (end - start) * min(line.times, most) / most)
            painter.drawRoundedRect(QRectF(start, top + (height - THICK) / 2, length, THICK), 2, 2)
        painter.end()

    def _height(self) -> int:
        return QFontMetrics(self._font()).height() + 2

    def _font(self) -> QFont:
        return self._small_font(0.86)

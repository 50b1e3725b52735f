"""Words on paper: fonts, and lines that fit a width, in points."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPdfWriter, QTextLayout, QTextOption

from app.export.report.text import clean
from app.theme import LIGHT

FAMILIES = (
    "Segoe UI",
    "Helvetica Neue",
    "Noto Sans",
    "Open Sans",
    "Liberation Sans",
    "DejaVu Sans",
    "sans-serif",
)
BODY, SMALL, TITLE, PART, SUBPART = 9.5, 8.0, 20.0, 13.5, 10.5
LEADING = 1.42
_ENDLESS = 1e6


class Type:
    """Letters of one size on one device.

    Parameters
    ----------
    device : QPdfWriter
        What is written on; one point is `resolution` / 72 of its units.
    size : float
        In points.
    """

    def __init__(self, device: QPdfWriter, size: float, bold: bool = False, colour: str = LIGHT.ink) -> None:
        self.font = QFont()
        self.font.setFamilies(list(FAMILIES))
        self.font.setPointSizeF(size)
        self.font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        self.font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        # a ligature is one letter to whoever searches the file for a word
        self.font.setFeature(QFont.Tag("liga"), 0)
        self.colour = QColor(colour)
        self.leading = size * LEADING
        self._device = device
        self._points = 72 / device.logicalDpiX()
        metrics = QFontMetricsF(self.font, device)
        self._drop = (self.leading - metrics.height() * self._points) / 2

    def lines(self, text: str, width: float = _ENDLESS) -> list[str]:
        """Break a text so that it fits a width; words that are too long are torn."""
        found: list[str] = []
        for paragraph in clean(text).split("\n"):
            layout = QTextLayout(paragraph, self.font, self._device)
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(width / self._points)
                found.append(paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip())
            layout.endLayout()
        return found or [""]

    def width(self, text: str) -> float:
        """Return the width of one line."""
        return QFontMetricsF(self.font, self._device).horizontalAdvance(clean(text)) * self._points

    def draw(
        self, painter: QPainter, x: float, y: float, line: str, width: float = 0.0, right: bool = False
    ) -> None:
        """Write a line of which the top is at y, from x on, or to the right end of a width."""
        painter.setFont(self.font)
        painter.setPen(self.colour)
        start = x + width - self.width(line) if right else x
        metrics = QFontMetricsF(self.font, self._device)
        baseline = y + self._drop + metrics.ascent() * self._points
        # the painter counts in points, and letters have their size in points of the device
        painter.save()
        painter.translate(start, baseline)
        painter.scale(self._points, self._points)
        painter.drawText(QPointF(0, 0), line)
        painter.restore()


def fill(
    painter: QPainter, x: float, y: float, width: float, height: float, colour: str, round: float = 0.0
) -> None:
    """Fill a rectangle."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(x, y, width, height), round, round)

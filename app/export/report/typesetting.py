"""Words on paper: fonts, and lines that fit a width, in points."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPdfWriter, QTextLayout, QTextOption

from app.export.report.text import clean
from app.model.theme import LIGHT

FAMILIES = (
    "Segoe UI",
    "Helvetica Neue",
    "Noto Sans",
    "Open Sans",
    "Liberation Sans",
    "DejaVu Sans",
    "sans-serif",
)
CODE = ("Cascadia Mono", "Menlo", "Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", "monospace")
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

    Attributes
    ----------
    leading : float
        From the top of a line to the top of the next one, in points.
    baseline, low : float
        How far below the top of a line letters stand; how high a small letter is.
    """

    def __init__(
        self,
        device: QPdfWriter,
        size: float,
        bold: bool = False,
        colour: str = LIGHT.ink,
        italic: bool = False,
        families: tuple[str, ...] = FAMILIES,
    ) -> None:
        self.font = QFont()
        self.font.setFamilies(list(families))
        self.font.setItalic(italic)
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
        self.low = metrics.xHeight() * self._points
        drop = (self.leading - metrics.height() * self._points) / 2
        self.baseline = drop + metrics.ascent() * self._points

    def lines(self, text: str, width: float = _ENDLESS) -> list[str]:
        """Break a text so that it fits a width; words that are too long are torn."""
        results: list[str] = []
        for paragraph in clean(text).split("\n"):
            layout = QTextLayout(paragraph, self.font, self._device)
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(width / self._points)
                results.append(paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip())
            layout.endLayout()
        return results or [""]

    def width(self, text: str) -> float:
        """Return the width of one line."""
        return QFontMetricsF(self.font, self._device).horizontalAdvance(clean(text)) * self._points

    def draw(
        self, painter: QPainter, x: float, y: float, line: str, width: float = 0.0, right: bool = False
    ) -> None:
        """Write a line of which the top is at y, from x on, or to the right end of a width."""
        self.write(painter, x + width - self.width(line) if right else x, y + self.baseline, line)

    def write(self, painter: QPainter, x: float, baseline: float, line: str) -> None:
        """Write a line from x on, on a baseline."""
        painter.setFont(self.font)
        painter.setPen(self.colour)
        # the painter counts in points, and letters have their size in points of the device
        painter.save()
        painter.translate(x, baseline)
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

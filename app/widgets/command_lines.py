"""Draws a line of the command palette: heading, text with the letters that fit, and keys."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.model.theme import LIGHT, Palette

ENTRY, LETTERS = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
"""Where a model keeps an entry, and which letters of its name fit what was typed."""
MARGIN, GAP, MARK = 10, 18, "✓"
MIN_NAME_SHARE = 0.45
"""Share of a line that its name is never robbed of by what stands at the right."""


class CommandLines(QStyledItemDelegate):
    """Draws lines in the colours of a theme."""

    _palette: Palette = LIGHT
    _height = 30

    def set_palette(self, palette: Palette, height: int) -> None:
        """Take the colours of a theme, and the height of a line."""
        self._palette = palette
        self._height = height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a line; it takes the width there is."""
        return QSize(100, self._height)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw a line."""
        palette, entry = self._palette, index.data(ENTRY)
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            strength = 0.12 if state & QStyle.StateFlag.State_Selected else 0.05
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.tint(palette.ink, strength)))
            painter.drawRoundedRect(area, 6, 6)
        metrics = QFontMetrics(font)
        mark = metrics.horizontalAdvance(MARK) + MARGIN
        inside = area.adjusted(MARGIN, 0, -MARGIN, 0)
        painter.setFont(font)
        painter.setPen(QColor(palette.text(palette.accent)))
        if entry.chosen:
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, MARK)
        inside.setLeft(inside.left() + mark)
        beside = entry.keys if entry.enabled else entry.why
        room = round((1 - MIN_NAME_SHARE) * inside.width())
        beside = metrics.elidedText(beside, Qt.TextElideMode.ElideRight, room)
        painter.setPen(QColor(palette.muted))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, beside)
        taken = metrics.horizontalAdvance(beside) + GAP if beside else 0
        inside.setRight(inside.right() - taken)
        self._draw_name(painter, inside, font, index)
        painter.restore()

    def _draw_name(
        self, painter: QPainter, area: QRect, font: QFont, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw heading and text; letters that fit stand out by weight as well as by colour."""
        palette, entry = self._palette, index.data(ENTRY)
        heading = len(entry.heading)
        ink = palette.ink if entry.enabled else palette.muted
        spans = [_span(0, heading, palette.muted), _span(heading, len(entry.name) - heading, ink)]
        fitting = palette.text(palette.accent) if entry.enabled else palette.muted
        spans += [_span(letter, 1, fitting, bold=True) for letter in index.data(LETTERS)]
        # bold letters are wider than the others
        wide = QFont(font)
        wide.setWeight(QFont.Weight.Bold)
        extra = sum(
            QFontMetrics(wide).horizontalAdvance(entry.name[letter])
            - QFontMetrics(font).horizontalAdvance(entry.name[letter])
            for letter in index.data(LETTERS)
        )
        room = area.width() - extra
        name = QFontMetrics(font).elidedText(entry.name, Qt.TextElideMode.ElideRight, room)
        layout = QTextLayout(name, font)
        layout.setFormats(spans)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        top = area.top() + (area.height() - line.height()) / 2
        layout.draw(painter, QPointF(area.left(), top))


def _span(start: int, length: int, colour: str, bold: bool = False) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    form = QTextCharFormat()
    form.setForeground(QColor(colour))
    if bold:
        form.setFontWeight(QFont.Weight.Bold)
    span.start, span.length, span.format = start, length, form
    return span

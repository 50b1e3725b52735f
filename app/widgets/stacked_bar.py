"""A stacked bar: each piece has a name and a value; boundaries between pieces can be dragged."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import accumulate, pairwise

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.model.wording.numbers import escape
from app.widgets.style import PaintedWidget

PAD = 6
GAP = 2
"""Gap between two pieces, which may share a colour."""
BREAK = ", "
MIN_WIDTH = 22
"""Width below which a piece has no room for words."""
TINT = 0.16
GRIP = 5
"""Distance from a boundary within which the mouse takes hold of it."""
STEP = 0.02
"""Share of the bar that an arrow key moves a boundary."""
MIN_SHARE = 0.01
"""Smallest share that a moved boundary leaves to a piece."""


@dataclasses.dataclass(frozen=True)
class BarPiece:
    """One piece: what it is, how large, a line about it, and another name for it."""

    name: str
    size: float
    text: str
    other_name: str = ""


class StackedBar(PaintedWidget):
    """Shows pieces side by side, each as wide as its share."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.pieces: tuple[BarPiece, ...] = ()
        self.locked: frozenset[int] = frozenset()  # pieces that keep their size
        self._lines = 1
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_pieces(self, pieces: Sequence[BarPiece]) -> None:
        if tuple(pieces) != self.pieces:
            self.pieces = tuple(pieces)
            self.setAccessibleDescription("; ".join(map(_said, self.pieces)))
            self._fit()
            self.update()

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        text = self._lines * QFontMetrics(self._font()).height()
        return QSize(0, QFontMetrics(self._font(bold=True)).height() + text + 2 * PAD)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the words more lines where they have no room side by side."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Break the words of all pieces after each comma if those of one are too wide for it."""
        if not self.pieces:
            return  # the height stays
        metrics = QFontMetrics(self._font())
        pairs = zip(self.pieces, self.places(), strict=True)
        narrow = any(
            MIN_WIDTH <= rect.width() < metrics.horizontalAdvance(piece.text) + 2 * PAD
            for piece, rect in pairs
        )
        lines = max((len(piece.text.split(BREAK)) for piece in self.pieces), default=1) if narrow else 1
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    def places(self) -> list[QRectF]:
        """Return where the pieces are drawn."""
        whole = sum(piece.size for piece in self.pieces)
        ends = accumulate((piece.size for piece in self.pieces), initial=0.0)
        return [
            QRectF(start, 0, max(1.0, end - start - GAP), self.height())
            for start, end in pairwise(self.width() * end / (whole or 1.0) for end in ends)
        ]

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            pairs = zip(self.pieces, self.places(), strict=True)
            text = next((_said(piece) for piece, rect in pairs if rect.contains(event.pos())), "")
            QToolTip.showText(event.globalPos(), escape(text), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, painter = self._palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, (piece, rect) in enumerate(zip(self.pieces, self.places(), strict=True)):
            colour = palette.muted if index in self.locked else palette.accent
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.tint(colour, TINT)))
            painter.drawRoundedRect(rect, 4, 4)
            room = rect.toRect().adjusted(PAD, PAD, -PAD, -PAD)
            if rect.width() >= MIN_WIDTH:
                room = self._write(painter, piece.name, room, self._font(bold=True), palette.ink)
                for text in piece.text.split(BREAK) if self._lines > 1 else (piece.text,):
                    room = self._write(painter, text, room, self._font(), palette.muted)
        painter.end()

    def _write(self, painter: QPainter, text: str, room: QRect, font: QFont, colour: str) -> QRect:
        """Write a line at the top, and return the room below it."""
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(
            room,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop,
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width()),
        )
        return room.adjusted(0, metrics.height(), 0, 0)

    def _font(self, *, bold: bool = False) -> QFont:
        font = self._small_font(0.92)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font


class ShareBar(StackedBar):
    """A stacked bar whose boundaries are dragged, or moved by the arrow keys.

    Up and Down choose a boundary, Left and Right move it.
    """

    moved = Signal(int, float)  # the piece before the boundary, and its new share of the whole

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._held: int | None = None
        self._chosen = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def boundaries(self) -> list[int]:
        """The pieces before a boundary that can move: the next piece changes with each of them."""
        pairs = pairwise(range(len(self.pieces)))
        return [first for first, second in pairs if not {first, second} & self.locked]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = self._boundary_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        over = self._held is not None or self._boundary_at(x) is not None
        self.setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.ArrowCursor)
        if self._held is not None:
            self._move(self._held, x / max(1, self.width()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        boundaries, key = self.boundaries, event.key()
        steps: dict[int, float] = {Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}
        turns: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if not boundaries or key not in (*steps, *turns):
            super().keyPressEvent(event)
            return
        self._chosen = (self._chosen + turns.get(key, 0)) % len(boundaries)
        if key in steps:
            index = boundaries[self._chosen]
            self._move(index, self._ends()[index] + steps[key])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        boundaries, places = self.boundaries, self.places()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, index in enumerate(boundaries):
            chosen = self.hasFocus() and number == self._chosen % len(boundaries)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._palette.accent if chosen else self._palette.border))
            painter.drawRoundedRect(QRectF(places[index].right() - 1, PAD, 4, self.height() - 2 * PAD), 2, 2)
        painter.end()

    def _ends(self) -> list[float]:
        whole = sum(piece.size for piece in self.pieces) or 1.0
        return [end / whole for end in accumulate(piece.size for piece in self.pieces)]

    def _boundary_at(self, x: float) -> int | None:
        places = self.places()
        near = [index for index in self.boundaries if abs(places[index].right() + GAP / 2 - x) <= GRIP]
        return near[0] if near else None

    def _move(self, index: int, end: float) -> None:
        """Move the boundary after a piece to a share of the bar."""
        ends = [0.0, *self._ends()]
        least, most = ends[index] + MIN_SHARE, ends[index + 2] - MIN_SHARE
        share = min(max(end, least), max(most, least)) - ends[index]
        self.moved.emit(index, share)


def _said(piece: BarPiece) -> str:
    return f"{', '.join(filter(None, dict.fromkeys((piece.name, piece.other_name))))}: {piece.text}"

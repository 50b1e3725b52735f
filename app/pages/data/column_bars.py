"""A small confidential picture of each column: bars of its values, computed in a worker."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.jobs.tasks import JobTask
from app.model.dataset import Dataset
from app.model.kinds.declared import has_bounds
from app.model.theme import Palette
from app.model.wording.numbers import number
from app.widgets.style import THEME, PaintedWidget
from engine.data.arrays import array_of
from engine.errors import DataError
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.round_numbers import nice

BINS = 24
"""Number of bars of a column of numbers, and the most of one with categories."""
WIDTH, HEIGHT = 76, 22

Bars = tuple[float, ...]
"""The number of rows in each bar."""


@dataclasses.dataclass(frozen=True)
class ColumnTile:
    """A column as an audience sees it: its name, its range or categories, and more if it may be seen."""

    name: str
    labels: tuple[str, ...]
    missing: str = ""
    bars: Bars = ()
    is_scale: bool = False  # whether the labels are the ends and the middle of a range


def bars_of(
    dataset: Dataset, declarations: Declarations, names: Sequence[str], task: JobTask
) -> Mapping[str, Bars]:
    """Return the bars of columns (in a worker); none for columns that cannot be drawn."""
    results: dict[str, Bars] = {}
    for step, name in enumerate(names):
        task(step / len(names), "drawing the columns")
        counts = _counts(dataset, declarations.column(name))
        if any(counts):
            results[name] = tuple(counts)
    return results


def _counts(dataset: Dataset, declared: ColumnDeclaration) -> list[float]:
    column = dataset.column(declared.name)
    if column is None or column.missing == dataset.table.n:
        return []
    if column.type == "number" and not declared.categories:
        try:
            values = dataset.table.numbers(declared.name, "drop").values
        except DataError:  # infinite values
            return []
        bounds = (declared.lower, declared.upper) if has_bounds(declared) else (values.min(), values.max())
        lower, upper = (float(bound) for bound in bounds if bound is not None)
        counts, _ = np.histogram(np.clip(values, lower, upper), BINS, (lower, upper))
        return [float(count) for count in counts]
    return _category_counts(dataset.table.data.column(declared.name), declared.categories)


def _category_counts(column: Any, labels: Sequence[str]) -> list[float]:
    """Return the counts of listed categories, or the largest counts of a column without a list."""
    try:
        counted = column.drop_null().value_counts()
    except NotImplementedError:  # lists and objects
        return []
    counts = array_of(counted.field("counts")).astype(float)
    if not labels:
        return sorted((float(count) for count in counts), reverse=True)[:BINS]
    by_label = dict(zip((str(value) for value in counted.field("values")), counts, strict=True))
    return [float(by_label.get(label, 0.0)) for label in labels[:BINS]]


def paint_bars(painter: QPainter, rect: QRectF, bars: Bars, palette: Palette) -> None:
    """Draw bars on a line, as wide and high as `rect`."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.tint(palette.ink, 0.45)))
    width, height = rect.width() / len(bars), rect.height() - 1
    gap, highest = min(1.0, width / 4), max(bars)
    for index, count in enumerate(bars):
        high = max(1.0, count / highest * height) if count else 0.0
        left = rect.left() + index * width
        painter.drawRect(QRectF(left, rect.top() + height - high, max(1.0, width - gap), high))
    painter.setBrush(QColor(palette.border))
    painter.drawRect(QRectF(rect.left(), rect.top() + height, rect.width(), 1))


class ColumnBars(PaintedWidget):
    """Draws the bars of a column; nothing while there are none."""

    def __init__(self, column: str) -> None:
        super().__init__(f"Picture of {column} (confidential)")
        self.bars: Bars = ()
        self.setToolTip("How the values are spread (confidential)")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: Bars) -> None:
        self.bars = bars
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(WIDTH * THEME.scale), round(HEIGHT * THEME.scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.bars:
            return
        painter = QPainter(self)
        paint_bars(painter, QRectF(self.rect()), self.bars, self._palette)
        painter.end()


class ColumnTiles(PaintedWidget):
    """Draws the columns side by side for an audience: name, bars, public facts and missing values."""

    def __init__(self) -> None:
        super().__init__("Columns of the table (confidential)")
        self.tiles: Sequence[ColumnTile] = ()

    def show_tiles(self, tiles: Sequence[ColumnTile]) -> None:
        self.tiles = tiles
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        gap, line = 28 * THEME.scale, self.fontMetrics().height()
        room = QRectF(self.rect()).adjusted(0, 0.5 * line, 0, 0)
        if not self.tiles or not room.isValid():
            return
        # the number of tiles side by side that makes them about twice as wide as high
        abreast = math.ceil(math.sqrt(len(self.tiles) * room.width() / (2 * room.height())))
        abreast = min(abreast, len(self.tiles))
        rows = math.ceil(len(self.tiles) / abreast)
        width = (room.width() - gap * (abreast - 1)) / abreast
        height = (room.height() - gap * (rows - 1)) / rows
        painter = QPainter(self)
        for index, tile in enumerate(self.tiles):
            row, column = divmod(index, abreast)
            left, top = room.left() + column * (width + gap), room.top() + row * (height + gap)
            self._paint_tile(painter, QRectF(left, top, width, height), tile)
        painter.end()

    def _paint_tile(self, painter: QPainter, rect: QRectF, tile: ColumnTile) -> None:
        line, bold = painter.fontMetrics().height(), QFont(self.font())
        bold.setBold(True)
        middle, right = Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight
        inside, highest = rect.adjusted(0, 1.3 * line, 0, -1.2 * line), max(tile.bars, default=0.0)
        if highest >= 1 and rect.height() > 6 * line:
            left = self._paint_scale(painter, inside, highest)
            for room in (rect, inside):
                room.setLeft(left)
        above = QRectF(rect.left(), rect.top(), rect.width(), line)
        wide, labels = painter.fontMetrics().horizontalAdvance, tile.labels
        self._write(painter, above, tile.missing, right)
        sides = (Qt.AlignmentFlag.AlignLeft, middle, right) if tile.is_scale else (middle,) * len(labels)
        if max(map(wide, labels)) > rect.width() / len(labels):
            labels, sides = (labels[::2], sides[::2]) if tile.is_scale else ((", ".join(labels),), sides[:1])
        share = rect.width() / len(labels)
        for index, (label, side) in enumerate(zip(labels, sides, strict=False)):
            below = QRectF(rect.left() + index * share, rect.bottom() - line, share, line)
            self._write(painter, below, label, side)
        if tile.bars:
            paint_bars(painter, inside, tile.bars, self._palette)
        painter.setFont(bold)
        self._write(painter, above, tile.name, Qt.AlignmentFlag.AlignLeft, "ink")
        painter.setFont(self.font())

    def _paint_scale(self, painter: QPainter, rect: QRectF, highest: float) -> float:
        """Draw a scale of whole rows, at the left of bars; return where these begin."""
        line, wide = painter.fontMetrics().height(), painter.fontMetrics().horizontalAdvance
        step, right = max(1, int(nice(highest / 2, up=False))), Qt.AlignmentFlag.AlignRight
        steps = range(step, int(highest) + 1, step)
        width = max(map(wide, ("rows", *map(number, steps))))
        left = rect.left() + width + 0.4 * line
        heights = [(rect.bottom() - 1 - one / highest * (rect.height() - 1), number(one)) for one in steps]
        for y, _ in heights:
            painter.fillRect(QRectF(left, y, rect.right() - left, 1), QColor(self._palette.border))
        for y, text in (*heights, (rect.top() - 0.8 * line, "rows")):
            self._write(painter, QRectF(rect.left(), y - line / 2, width, line), text, right)
        return left

    def _write(
        self, painter: QPainter, rect: QRectF, text: str, side: Qt.AlignmentFlag, role: str = "muted"
    ) -> None:
        painter.setPen(QColor(getattr(self._palette, role)))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(rect.width()) + 1)
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)

"""A small confidential picture of each column: bars of its values, computed in a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.jobs.tasks import JobTask
from app.model.dataset import Dataset
from app.model.kinds.declared import has_bounds
from app.widgets.style import THEME, PaintedWidget
from engine.data.arrays import array_of
from engine.errors import DataError
from engine.questions.declarations import ColumnDeclaration, Declarations

BINS = 24
"""Number of bars of a column of numbers, and the most of one with categories."""
WIDTH, HEIGHT = 76, 22

Bars = tuple[float, ...]
"""Heights of bars, as shares of the highest."""


def bars_of(
    dataset: Dataset, declarations: Declarations, names: Sequence[str], task: JobTask
) -> Mapping[str, Bars]:
    """Return the bars of columns (in a worker); none for columns that cannot be drawn."""
    results: dict[str, Bars] = {}
    for step, name in enumerate(names):
        task(step / len(names), "drawing the columns")
        counts = _counts(dataset, declarations.column(name))
        highest = max(counts, default=0.0)
        if highest > 0:
            results[name] = tuple(count / highest for count in counts)
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
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._palette.tint(self._palette.ink, 0.45)))
        width, height = self.width() / len(self.bars), self.height() - 1
        gap = min(1.0, width / 4)
        for index, share in enumerate(self.bars):
            high = max(1.0, share * height) if share else 0.0
            painter.drawRect(QRectF(index * width, height - high, max(1.0, width - gap), high))
        painter.setBrush(QColor(self._palette.border))
        painter.drawRect(QRectF(0, height, self.width(), 1))
        painter.end()

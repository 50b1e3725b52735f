"""What was compared as a table that can be sorted, and as rows for a file (private)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from app.pages.compare_chips import Swatch
from app.plots.contender_style import contender_style
from app.theme import Palette
from app.widgets.plot_table import TableModel
from engine.comparison import Comparison, Outcome

PRIVATE = "not private"
"""What each row of a saved table says of itself."""

RAW = Qt.ItemDataRole.UserRole

Table = tuple[list[str], list[list[Any]]]


def outcome_table(comparison: Comparison) -> Table:
    """Return header and rows: one for each contender at each value."""
    swept = comparison.sweep.name
    header = ["Contender", swept, "Median error", "Mean error", "95 % within"]
    header += ["Runs", "Refused", "Seconds per run", "Remark"]
    return header, [_row(comparison, outcome) for outcome in comparison.outcomes]


def saved_table(comparison: Comparison) -> Table:
    """Return the table with what a file must say of itself."""
    header, rows = outcome_table(comparison)
    return [*header, "Status"], [[*map(_known, row), PRIVATE] for row in rows]


def _row(comparison: Comparison, outcome: Outcome) -> list[Any]:
    answered = outcome.answered
    return [
        comparison.contenders[outcome.trial.contender].label,
        outcome.trial.value,
        outcome.quantile(0.5),
        float(np.mean(answered)) if answered.size else math.nan,
        outcome.quantile(0.95),
        outcome.runs,
        outcome.refused,
        outcome.seconds_per_run if outcome.runs else math.nan,
        outcome.problem or ("" if outcome.complete else f"of {outcome.asked} runs"),
    ]


def _known(value: Any) -> Any:
    """Return a value, or nothing where it is not known."""
    return "" if isinstance(value, float) and math.isnan(value) else value


class _Model(TableModel):
    """Tells what to sort by, too, and marks contenders by the lines that they have in pictures."""

    def __init__(self) -> None:
        super().__init__([], [])
        self._places: list[int] = []
        self._marks: dict[int, QPixmap] = {}
        self._palette: Palette | None = None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        """Return a cell as people read it, or as it is sorted."""
        if role == RAW:
            value = self._rows[index.row()][index.column()]
            # what is unknown comes last, and no comparison with it holds
            return math.inf if isinstance(value, float) and math.isnan(value) else value
        if role == Qt.ItemDataRole.DecorationRole:
            return self._mark(self._places[index.row()]) if index.column() == 0 else None
        return super().data(index, role)

    def show(self, header: list[str], rows: list[list[Any]], places: list[int]) -> None:
        """Take other rows, and the number of the contender of each."""
        self.beginResetModel()
        self._header, self._rows, self._places = header, rows, places
        self.endResetModel()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self._marks.clear()
        self.layoutChanged.emit()

    def _mark(self, place: int) -> QPixmap | None:
        if place not in self._marks and self._palette is not None:
            swatch = Swatch()
            swatch.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            swatch.show_style(contender_style(place, self._palette))
            self._marks[place] = swatch.grab()
        return self._marks.get(place)


class CompareTable(QWidget):
    """Shows all outcomes; a click on a header sorts them."""

    def __init__(self) -> None:
        super().__init__()
        self.view = QTableView()
        self.view.setAccessibleName("Errors and run times of all contenders")
        self._model = _Model()
        self._model.setParent(self)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self._model)
        self.sorted.setSortRole(RAW)
        self.view.setModel(self.sorted)
        self.view.setSortingEnabled(True)
        self.view.setAlternatingRowColors(True)
        self.view.setShowGrid(False)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setTabKeyNavigation(False)
        self.view.verticalHeader().hide()
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._sized = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._model.set_palette(palette)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show what was found; None forgets it."""
        if comparison is None:
            self._model.show([], [], [])
            self._sized = False
            return
        places = [outcome.trial.contender for outcome in comparison.outcomes]
        self._model.show(*outcome_table(comparison), places)
        if not self._sized and comparison.outcomes:
            self._sized = True
            self.view.resizeColumnsToContents()

"""What was compared as a table that can be sorted (private)."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from app.pages.compare.chips import Swatch
from app.plots.compare.contender_style import contender_style, looks
from app.plots.compare.outcome_table import CELLS, SWEPT, known
from app.theme import Palette
from app.widgets.parameter_form import combo
from app.widgets.plot_table import Index, TableModel, quiet_table
from engine.comparison import Comparison

DIGITS = 4
"""Of numbers in the window; tips and files have all."""

MEASURED = 20
"""Rows from which the widths of columns are found."""

NARROWEST = 130
"""Pixels of the names of contenders, where numbers need the room; the rest of them is in the tip."""

RAW = Qt.ItemDataRole.UserRole


class _Model(TableModel):
    """Outcomes in an order; cells are worked out when they are looked at."""

    def __init__(self) -> None:
        super().__init__([], [])
        self._comparison: Comparison | None = None
        self._looks: list[int] = []
        self._order: list[int] = []
        self._sorting = (-1, Qt.SortOrder.AscendingOrder)
        self._marks: dict[int, QPixmap] = {}
        self._palette: Palette | None = None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of outcomes."""
        return 0 if parent.isValid() else len(self._order)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the short names of columns, and the long ones as tips."""
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            name = list(CELLS)[section]
            return self._header[section] if name == SWEPT else name
        return super().headerData(section, orientation, role)

    def cell(self, row: int, column: int) -> Any:
        """Return what stands in a cell."""
        assert self._comparison is not None
        outcome = self._comparison.outcomes[self._order[row]]
        return _COLUMNS[column](self._comparison, outcome)

    def data(self, index: Index, role: int = 0) -> Any:
        """Return a cell as users read it, or as it is sorted; contenders have their mark."""
        if self._comparison is None:
            return None
        if role == RAW:
            return self.cell(index.row(), index.column())
        if role == Qt.ItemDataRole.DecorationRole:
            outcome = self._comparison.outcomes[self._order[index.row()]]
            return self._mark(self._looks[outcome.trial.contender]) if index.column() == 0 else None
        return self.cell_data(self.cell(index.row(), index.column()), role, DIGITS)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; what is not known comes last in both directions.  -1 undoes it."""
        self.layoutAboutToBeChanged.emit()
        self._sorting = column, order
        self._sort()
        self.layoutChanged.emit()

    def show(self, comparison: Comparison | None) -> None:
        """Take other outcomes; they are in the same order as those before."""
        self.beginResetModel()
        self._comparison = comparison
        self._header = [] if comparison is None else _header(comparison)
        self._looks = [] if comparison is None else looks(comparison.contenders)
        self._sort()
        self.endResetModel()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self._marks.clear()
        self.layoutChanged.emit()

    def _sort(self) -> None:
        column, order = self._sorting
        outcomes = () if self._comparison is None else self._comparison.outcomes
        places = list(range(len(outcomes)))
        if self._comparison is not None and column >= 0:
            keys = [_COLUMNS[column](self._comparison, outcome) for outcome in outcomes]
            unknown = [place for place in places if known(keys[place]) == ""]
            last = set(unknown)
            sortable = [place for place in places if place not in last]
            sortable.sort(key=keys.__getitem__, reverse=order == Qt.SortOrder.DescendingOrder)
            places = sortable + unknown
        self._order = places

    def _mark(self, look: int) -> QPixmap | None:
        if look not in self._marks and self._palette is not None:
            swatch = Swatch()
            swatch.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            swatch.show_style(contender_style(look, self._palette))
            self._marks[look] = swatch.grab()
        return self._marks.get(look)


_COLUMNS = [cell for _, cell in CELLS.values()]


def _header(comparison: Comparison) -> list[str]:
    return [short or comparison.sweep.name for short, _ in CELLS.values()]


class CompareTable(QWidget):
    """Shows all outcomes; a click on a header, or a choice above, sorts them."""

    def __init__(self) -> None:
        super().__init__()
        self.view = QTableView()
        quiet_table(self.view, "Errors and run times of all mechanisms")
        self.model = _Model()
        self.model.setParent(self)
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
        self.view.setAlternatingRowColors(True)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setResizeContentsPrecision(MEASURED)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.by = combo("Sort by", stretch=False)
        self.by.setMinimumContentsLength(14)
        self.by.activated.connect(self._sort)
        self.down = QCheckBox("&largest first")
        self.down.clicked.connect(self._sort)
        label = QLabel("Sort b&y")
        label.setBuddy(self.by)
        tools = QHBoxLayout()
        tools.setSpacing(8)
        for widget in (label, self.by, self.down):
            tools.addWidget(widget)
        tools.addStretch(1)
        self._sized, self._natural = False, 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(tools)
        column.addWidget(self.view)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.model.set_palette(palette)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show what was found; None forgets it."""
        self.model.show(comparison)
        if comparison is None:
            self._sized = False
            return
        names = [comparison.sweep.name if name == SWEPT else name for name in CELLS]
        if [self.by.itemText(place) for place in range(1, self.by.count())] != names:
            self.by.clear()
            self.by.addItems(["as compared", *names])
            self._on_sorted(-1, Qt.SortOrder.AscendingOrder)
        if not self._sized and comparison.outcomes:
            self._sized = True
            self.view.resizeColumnsToContents()
            self._natural = self.view.columnWidth(0)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let names have the room that numbers leave."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make the column of names so narrow that all others are in sight, but not unreadable."""
        if self._sized:
            others = sum(self.view.columnWidth(place) for place in range(1, self.model.columnCount()))
            room = self.view.viewport().width() - others
            self.view.setColumnWidth(0, min(self._natural, max(room, NARROWEST)))

    def _sort(self) -> None:
        order = Qt.SortOrder.DescendingOrder if self.down.isChecked() else Qt.SortOrder.AscendingOrder
        self.view.sortByColumn(self.by.currentIndex() - 1, order)

    def _on_sorted(self, column: int, order: Qt.SortOrder) -> None:
        """Follow the header."""
        self.by.setCurrentIndex(column + 1)
        self.down.setChecked(order == Qt.SortOrder.DescendingOrder)

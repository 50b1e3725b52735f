"""The table of a comparison, which can be sorted (private)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QCheckBox, QHeaderView, QLabel, QTableView, QWidget

from app.model.wording.numbers import escape
from app.pages.compare.contenders_panel import Swatch
from app.plots.compare.contender_style import contender_style, looks
from app.plots.compare.view import CELLS, SWEPT, known
from app.widgets.form_row import combo
from app.widgets.layouts import line_up, stack
from app.widgets.plot_table import Index, TableModel, quiet_table
from app.widgets.style import THEME
from engine.comparison import Comparison

DIGITS, OF_TIMES = 4, 2
"""Digits of numbers, and of run times, which vary; tooltips and files have all."""

MEASURED = 60
"""Rows that determine the widths of columns."""

AIR, ARROW = 1.4, 14
"""Width of the padding of numbers, in heights of a line, and of the sort arrow, in pixels."""

RAW = Qt.ItemDataRole.UserRole


class _Model(TableModel):
    """Outcomes in an order; cells are computed when needed."""

    def __init__(self) -> None:
        super().__init__([], [])
        self._comparison: Comparison | None = None
        self._looks: list[int] = []
        self._order: list[int] = []
        self._sorting = (-1, Qt.SortOrder.AscendingOrder)
        self._marks: dict[int, QPixmap] = {}
        THEME.changed.connect(self._forget_marks)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._order)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            name = list(CELLS)[section]
            return self._header[section] if name == SWEPT else name
        return super().headerData(section, orientation, role)

    def cell(self, row: int, column: int) -> Any:
        assert self._comparison is not None
        outcome = self._comparison.outcomes[self._order[row]]
        return _COLUMNS[column](self._comparison, outcome)

    def data(self, index: Index, role: int = 0) -> Any:
        """Return a cell for display or for sorting; mechanisms have their mark."""
        if self._comparison is None:
            return None
        if role == RAW:
            return self.cell(index.row(), index.column())
        if role == Qt.ItemDataRole.DecorationRole:
            outcome = self._comparison.outcomes[self._order[index.row()]]
            return self._mark(self._looks[outcome.trial.contender]) if index.column() == 0 else None
        digits = OF_TIMES if index.column() == _TIMES else DIGITS
        value = self.cell(index.row(), index.column())
        shown = self.cell_data(value, role, digits)
        remark = self.cell(index.row(), _REMARK) if role == Qt.ItemDataRole.ToolTipRole else ""
        if remark and index.column() != _REMARK:
            return escape(remark) if known(value) == "" else f"{shown} ({escape(remark)})"
        return shown

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; unknown values come last. -1 restores the order."""
        self.layoutAboutToBeChanged.emit()
        self._sorting = column, order
        self._sort()
        self.layoutChanged.emit()

    def show(self, comparison: Comparison | None) -> None:
        """Show other outcomes in the current order."""
        self.beginResetModel()
        self._comparison = comparison
        self._header = [] if comparison is None else _header(comparison)
        self._looks = [] if comparison is None else looks(comparison.contenders)
        self._sort()
        self.endResetModel()

    def _forget_marks(self) -> None:
        self._marks.clear()
        self.layoutChanged.emit()

    def _sort(self) -> None:
        column, order = self._sorting
        outcomes = () if self._comparison is None else self._comparison.outcomes
        places = list(range(len(outcomes)))
        if self._comparison is not None and column >= 0:
            keys = [_COLUMNS[column](self._comparison, outcome) for outcome in outcomes]
            unknown = [index for index in places if known(keys[index]) == ""]
            last = set(unknown)
            sortable = [index for index in places if index not in last]
            sortable.sort(key=keys.__getitem__, reverse=order == Qt.SortOrder.DescendingOrder)
            places = sortable + unknown
        self._order = places

    def _mark(self, look: int) -> QPixmap:
        if look not in self._marks:
            swatch = Swatch()
            swatch.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            swatch.show_style(contender_style(look, THEME.palette))
            self._marks[look] = swatch.grab()
        return self._marks[look]


_COLUMNS = [cell for _, cell in CELLS.values()]
_TIMES, _REMARK = list(CELLS).index("Seconds per run"), len(CELLS) - 1


def _header(comparison: Comparison) -> list[str]:
    return [short or comparison.sweep.name for short, _ in CELLS.values()]


class CompareTable(QWidget):
    """Shows all outcomes; a click on a header, or the box above, sorts them."""

    def __init__(self) -> None:
        super().__init__()
        self._sized = False
        self.view = QTableView()
        quiet_table(self.view, "Errors and run times of all mechanisms")
        self.model = _Model()
        self.model.setParent(self)
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
        self.view.setAlternatingRowColors(True)
        self.view.viewport().installEventFilter(self)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.by = combo("Sort by", stretch=False)
        self.by.setMinimumContentsLength(14)
        self.by.activated.connect(self._sort)
        self.down = QCheckBox("&largest first")
        self.down.clicked.connect(self._sort)
        label = QLabel("Sort b&y")
        label.setBuddy(self.by)
        self.tools = QWidget()
        line_up(self.tools, label, self.by, self.down, None, spacing=8)
        self._natural = self._folded = self._numbers = self._remarks = 0
        stack(self, self.tools, self.view, spacing=6)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show results; None clears them."""
        self.model.show(comparison)
        if comparison is None:
            self._sized = False
            return
        names = [comparison.sweep.name if name == SWEPT else name for name in CELLS]
        if [self.by.itemText(index) for index in range(1, self.by.count())] != names:
            self.by.clear()
            self.by.addItems(["as compared", *names])
            self._on_sorted(-1, Qt.SortOrder.AscendingOrder)
        if comparison.outcomes:
            self._sized = True
            self._measure()
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the names to the width that numbers and scroll bar leave."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._sized:
            self._measure()
            self._fit()

    def _measure(self) -> None:
        """Measure names in one and two lines, and fit the numeric columns."""
        rows = range(min(MEASURED, self.model.rowCount()))
        names = [str(self.model.cell(row, 0)) for row in rows]
        wide = self.view.fontMetrics().horizontalAdvance
        air = round(AIR * self.view.fontMetrics().lineSpacing())
        self._natural = self.view.sizeHintForColumn(0) + air
        beside = self._natural - max(map(wide, names))  # the mark and its padding
        self._folded = beside + max(min(wide(one) for one in _folds(name)) for name in names)
        sorting = self.view.horizontalHeader().sortIndicatorSection()
        widths = []
        for column in range(1, self.model.columnCount()):
            texts = [self.model.index(row, column).data() for row in rows]
            head = wide(self.model._header[column]) + ARROW * (column == sorting)
            widths.append(air + max(head, *map(wide, texts)))
            self.view.setColumnWidth(column, widths[-1])
        *numbers, self._remarks = widths  # a hidden column has no width, and the last one stretches
        self._numbers = sum(numbers)

    def _fit(self) -> None:
        """Fit the names to the remaining width, in two lines if necessary.

        Remarks, the last column, are shown if they fit; else only as tooltips.
        """
        if self._sized:
            room = self.view.viewport().width() - self._numbers
            width = min(self._natural, max(room, self._folded))
            self.view.setColumnWidth(0, width)
            self.view.setColumnHidden(_REMARK, room < width + self._remarks)
            rows = self.view.verticalHeader()
            rows.setDefaultSectionSize(
                rows.minimumSectionSize() + self.view.fontMetrics().lineSpacing() * (width < self._natural)
            )

    def _sort(self) -> None:
        order = Qt.SortOrder.DescendingOrder if self.down.isChecked() else Qt.SortOrder.AscendingOrder
        self.view.sortByColumn(self.by.currentIndex() - 1, order)

    def _on_sorted(self, column: int, order: Qt.SortOrder) -> None:
        """Update the box from the header."""
        self.by.setCurrentIndex(column + 1)
        self.down.setChecked(order == Qt.SortOrder.DescendingOrder)
        if self._sized:
            self._measure()
            self._fit()


def _folds(name: str) -> Iterator[str]:
    """Yield the longer line of each split of a name in two; a single word whole."""
    texts = name.split(" ")
    for index in range(1, max(2, len(texts))):
        yield max(" ".join(texts[:index]), " ".join(texts[index:]), key=len)

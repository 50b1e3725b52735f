"""The table of a comparison, which can be sorted (private)."""

from __future__ import annotations

import itertools
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QFont, QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHeaderView, QLabel, QTableView, QWidget

from app.model.wording.numbers import escape, number
from app.pages.compare.contenders_panel import Swatch
from app.plots.compare.contender_rows import duration, time_unit
from app.plots.compare.contender_style import contender_style, looks
from app.plots.compare.view import CELLS, SWEPT, known
from app.widgets.form_row import combo
from app.widgets.layouts import line_up, stack
from app.widgets.plot_table import Index, TableModel, quiet_table
from app.widgets.style import THEME
from engine.comparison import Comparison

DIGITS = 3
"""Significant digits, as in pictures; tooltips and files have all."""

MEASURED = 60
"""Rows that determine the widths of columns."""

AIR, ARROW = 1.3, 14
"""Width of the padding of a column, in heights of a line, and of the sort arrow, in pixels."""

ROW, GAP = 26, 6
"""Height of a row, and of the space above the table, in pixels."""

MARK = 38
"""Width of the sample of a line, with its distance from the name, in pixels."""

RAW = Qt.ItemDataRole.UserRole


class _Model(TableModel):
    """Outcomes in an order; cells are computed when needed."""

    def __init__(self) -> None:
        super().__init__([], [])
        self._comparison: Comparison | None = None
        self.unit = ""  # of the errors
        self._looks: list[int] = []
        self._order: list[int] = []
        self._groups: list[int] = []  # for each row, the number of its group
        self._time = (1.0, "")  # the unit of the times, without its name
        self._sorting = (-1, Qt.SortOrder.AscendingOrder)
        self._marks: dict[int, QPixmap] = {}
        self._bold = QFont()
        self._bold.setBold(True)
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
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.BackgroundRole:
            return QColor(THEME.palette.background) if self._groups[row] % 2 else None
        grouped = column == self._grouped and row > 0 and self._groups[row] == self._groups[row - 1]
        if role == Qt.ItemDataRole.DecorationRole:
            outcome = self._comparison.outcomes[self._order[row]]
            return None if column or grouped else self._mark(self._looks[outcome.trial.contender])
        value = self.cell(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            if grouped:  # written once
                return ""
            if column == _TIMES:
                return duration(value, self._time)
            if column in _ERRORS:
                return number(value, DIGITS, strip=False)
        if role == Qt.ItemDataRole.FontRole:
            return self._bold if column == _ERRORS[0] and self._wins(row) else None
        shown = self.cell_data(value, role, DIGITS)
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
        size, name = (1.0, "") if comparison is None else time_unit(comparison)
        self._header = [] if comparison is None else _header(comparison, self.unit, name)
        self._time = size, ""
        self._looks = [] if comparison is None else looks(comparison.contenders)
        self._sort()
        self.endResetModel()

    def _wins(self, row: int) -> bool:
        """Whether a row belongs to the clear winner at its value."""
        assert self._comparison is not None
        trial = self._comparison.outcomes[self._order[row]].trial
        return self._comparison.winner(trial.position) == trial.contender

    def _forget_marks(self) -> None:
        self._marks.clear()
        self.layoutChanged.emit()

    @property
    def _grouped(self) -> int | None:
        """The column whose equal values are written once."""
        return {-1: 0, 0: 0, _SWEPT: _SWEPT}.get(self._sorting[0])

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
        elif self._comparison is not None and self._comparison.complete:  # before, no row moves
            fitting = self._comparison.fitting()
            places.sort(
                key=lambda at: (outcomes[at].trial.contender not in fitting, outcomes[at].trial.contender)
            )
        self._order = places
        same = self._grouped
        named = [row if same is None else self.cell(row, same) for row in range(len(places))]
        self._groups = [at for at, (_, rows) in enumerate(itertools.groupby(named)) for _ in rows]

    @property
    def constant(self) -> list[int]:
        """The counts that are alike in all rows with runs."""
        comparison = self._comparison
        if comparison is None:
            return []
        tried = [outcome for outcome in comparison.outcomes if outcome.runs]
        return [at for at in _COUNTS if len({_COLUMNS[at](comparison, one) for one in tried}) < 2]

    def _mark(self, look: int) -> QPixmap:
        if look not in self._marks:
            swatch = Swatch()
            swatch.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            swatch.show_style(contender_style(look, THEME.palette))
            self._marks[look] = swatch.grab()
        return self._marks[look]


_COLUMNS = [cell for _, cell in CELLS.values()]
_SWEPT, _TIMES, _REMARK = (list(CELLS).index(name) for name in (SWEPT, "Seconds per run", "Remark"))
_ERRORS = [list(CELLS).index(name) for name in ("Median error", "Mean error", "95 % within")]
_COUNTS = [list(CELLS).index(name) for name in ("Refused", "Runs")]


def _header(comparison: Comparison, unit: str, time: str) -> list[str]:
    """Return the names of the columns with their units, in two lines."""
    units = dict.fromkeys(_ERRORS, unit) | {_TIMES: time}
    names = [short or comparison.sweep.name for short, _ in CELLS.values()]
    return [f"{name} ({units[at]})" if units.get(at) else name for at, name in enumerate(names)]


class CompareTable(QWidget):
    """Shows all outcomes; a click on a header, or the box above, sorts them."""

    def __init__(self) -> None:
        super().__init__()
        self._sized = False
        self.view = QTableView()
        quiet_table(self.view, "Errors and run times of all mechanisms", ROW)
        self.view.horizontalHeader().setStretchLastSection(False)  # but the first column
        self.model = _Model()
        self.model.setParent(self)
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
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
        self._widths: list[int] = []
        stack(self, self.tools, (self.view, 100), None, spacing=GAP)

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
        """Show remarks where they fit beside numbers and scroll bar."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._sized:
            self._measure()
            self._fit()

    def _measure(self) -> None:
        """Fit all columns to their contents."""
        rows = range(min(MEASURED, self.model.rowCount()))
        wide = self.view.fontMetrics().horizontalAdvance
        air = round(AIR * self.view.fontMetrics().lineSpacing())
        sorting = self.view.horizontalHeader().sortIndicatorSection()
        widths = []
        for column, head in enumerate(self.model._header):
            texts = [*head.split("\n"), *(str(self.model.index(row, column).data()) for row in rows)]
            widths.append(air + max(map(wide, texts)) + ARROW * (column == sorting))
        self._widths = [widths[0] + MARK, *widths[1:]]
        for column, width in enumerate(self._widths):
            self.view.setColumnWidth(column, width)

    def _fit(self) -> None:
        """Hide what tooltips tell, too, and then columns that say nothing, until the others fit."""
        if not self._sized:
            return
        room, needed = self.view.viewport().width(), sum(self._widths)
        for column in (_REMARK, *self.model.constant):
            self.view.setColumnHidden(column, needed > room)
            needed -= self._widths[column] * (needed > room)
        self.view.setColumnWidth(0, self._widths[0] + max(0, room - needed))
        self._end_with_row()

    def _end_with_row(self) -> None:
        """Cut no row through at the lower end."""
        above = 0 if self.tools.isHidden() else self.tools.sizeHint().height() + GAP
        head = self.view.horizontalHeader().height() + 2 * self.view.frameWidth()
        row = self.view.verticalHeader().defaultSectionSize()
        self.view.setMaximumHeight(head + max(1, (self.height() - above - head) // row) * row)

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

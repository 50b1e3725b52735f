"""The table of a comparison, which can be sorted (private)."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QFont, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from app.model.theme import Palette
from app.model.wording.numbers import escape, number
from app.pages.compare.contenders_panel import Swatch
from app.plots.compare.contender_rows import duration, time_unit
from app.plots.compare.contender_style import contender_style, looks
from app.plots.compare.view import CELLS, SWEPT, known, symbol
from app.widgets.layouts import stack
from app.widgets.plot_table import LOOKED_AT, Index, TableModel, quiet_table
from app.widgets.style import THEME
from engine.comparison import Comparison
from engine.comparison.results import Outcome

DIGITS = 3
"""Significant digits, as in pictures; tooltips and files have all."""

AIR, ARROW = 1.3, 14
"""Width of the padding of a column, in heights of a line, and of the sort arrow, in pixels."""

ROW, MARK = 26, 38
"""Height of a row in ordinary type, and width of the sample of a line with its distance from the name, in
pixels."""

RAW = Qt.ItemDataRole.UserRole


class _Model(TableModel):
    """Outcomes in an order; cells are computed when needed."""

    def __init__(self) -> None:
        super().__init__([], [])
        self._comparison: Comparison | None = None
        self.unit = ""  # of the errors
        self._looks: list[int] = []
        self._outcomes: list[Outcome] = []  # in their order
        self.position = -1  # of the shown value, whose rows are tinted, or shown alone
        self.alone = False
        self._time = (1.0, "")  # the unit of the times, without its name
        self._sorting = FIRST_SORTING
        self._marks: dict[tuple[int, Palette, float], QPixmap] = {}
        self._bold = QFont()
        self._bold.setBold(True)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._outcomes)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            name = list(CELLS)[section]
            return self._header[section] if name == SWEPT else name
        if role == Qt.ItemDataRole.TextAlignmentRole and section == self._sorting[0] > 0:
            return Qt.AlignmentFlag.AlignCenter  # beside the arrow
        return super().headerData(section, orientation, role)

    def cell(self, row: int, column: int) -> Any:
        assert self._comparison is not None
        return _COLUMNS[column](self._comparison, self._outcomes[row])

    def data(self, index: Index, role: int = 0) -> Any:
        """Return a cell for display or for sorting; mechanisms have their mark."""
        if self._comparison is None:
            return None
        row, column = index.row(), index.column()
        if role == RAW:
            return self.cell(row, column)
        trial = self._outcomes[row].trial
        if role == Qt.ItemDataRole.BackgroundRole:
            tinted = trial.position == self.position and not self.alone
            return QColor(THEME.palette.background) if tinted else None
        if role == Qt.ItemDataRole.DecorationRole:
            return None if column else self._mark(self._looks[trial.contender])
        value = self.cell(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            if column == _TIMES:
                return duration(value, self._time)
            if column in _ERRORS:
                return number(value, DIGITS, strip=False)
        if role == Qt.ItemDataRole.FontRole:
            wins = self._comparison.winner(trial.position) == trial.contender
            return self._bold if column == _ERRORS[0] and wins else None
        shown = self.cell_data(value, role, DIGITS)
        remark = self.cell(index.row(), _REMARK) if role == Qt.ItemDataRole.ToolTipRole else ""
        return f"{shown} ({escape(remark)})" if remark and index.column() != _REMARK else shown

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; unknown values come last."""
        self.layoutAboutToBeChanged.emit()
        self._sorting = column, order
        self._sort()
        self.layoutChanged.emit()

    def show(self, comparison: Comparison | None, position: int, *, alone: bool) -> None:
        """Show other outcomes in the current order, and tint those at a position, or show them `alone`."""
        self.beginResetModel()
        self._comparison, self.position, self.alone = comparison, position, alone
        size, name = (1.0, "") if comparison is None else time_unit(comparison)
        self._header = [] if comparison is None else _header(comparison, self.unit, name)
        self._time = size, ""
        self._looks = [] if comparison is None else looks(comparison.contenders)
        self._sort()
        self.endResetModel()

    @property
    def tinted(self) -> list[int]:
        """The rows at the shown value."""
        return [row for row, one in enumerate(self._outcomes) if one.trial.position == self.position]

    def _sort(self) -> None:
        comparison, (column, order) = self._comparison, self._sorting
        if comparison is None:
            self._outcomes = []
            return
        read = partial(_COLUMNS[column], comparison)
        values = {read(one) for one in comparison.outcomes if known(read(one)) != ""}
        sorted_values = sorted(values, reverse=order == Qt.SortOrder.DescendingOrder)
        ranks = {value: rank for rank, value in enumerate(sorted_values)}  # unknown values come last
        # at each value the best come first; before it is complete, no row moves
        ranked = column == _SWEPT and comparison.complete

        def sort_key(one: Outcome) -> tuple[int, float]:
            error = one.quantile(0.5) if ranked and one.runs else math.inf
            return ranks.get(read(one), len(ranks)), error

        shown = (one for one in comparison.outcomes if not one.problem)
        if self.alone:
            shown = (one for one in shown if one.trial.position == self.position)
        self._outcomes = sorted(shown, key=sort_key)

    @property
    def constant(self) -> list[int]:
        """The counts that are alike in all rows with runs."""
        comparison = self._comparison
        if comparison is None:
            return []
        tried = [outcome for outcome in comparison.outcomes if outcome.runs]
        return [at for at in _COUNTS if len({_COLUMNS[at](comparison, one) for one in tried}) < 2]

    def _mark(self, look: int) -> QPixmap:
        key = look, THEME.palette, THEME.scale
        if key not in self._marks:
            swatch = Swatch()
            swatch.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            swatch.show_style(contender_style(look, THEME.palette))
            self._marks[key] = swatch.grab()
        return self._marks[key]


_COLUMNS = [cell for _, cell in CELLS.values()]
_SWEPT, _TIMES, _REMARK = (list(CELLS).index(name) for name in (SWEPT, "Seconds per run", "Remark"))
_ERRORS = [list(CELLS).index(name) for name in ("Median error", "Mean error", "95 % within")]
_COUNTS = [list(CELLS).index(name) for name in ("Refused", "Runs")]
FIRST_SORTING = _SWEPT, Qt.SortOrder.AscendingOrder  # all mechanisms at one value side by side


def _header(comparison: Comparison, unit: str, time: str) -> list[str]:
    """Return the names of the columns with their units, in two lines."""
    units = dict.fromkeys(_ERRORS, unit) | {_TIMES: time}
    names = [short or symbol(comparison.sweep.name) for short, _ in CELLS.values()]
    return [f"{name} ({units[at]})" if units.get(at) else name for at, name in enumerate(names)]


class CompareTable(QWidget):
    """Shows all outcomes; a click on a header sorts them, and so does the context menu, for the keyboard."""

    def __init__(self) -> None:
        super().__init__()
        self.view = QTableView()
        quiet_table(self.view, "Errors and run times of all mechanisms", ROW)
        self.model = _Model()
        self.model.setParent(self)
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
        self.view.horizontalHeader().setStretchLastSection(False)  # but the first column
        self.view.horizontalHeader().setSortIndicator(*FIRST_SORTING)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._fit)
        self.view.viewport().installEventFilter(self)  # its width changes with the scroll bar
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for column in range(len(CELLS)):
            self.view.addAction("").triggered.connect(partial(self._sort_by, column))
        stack(self, (self.view, 100), None)

    def show_comparison(
        self, comparison: Comparison | None, position: int = -1, *, alone: bool = False
    ) -> None:
        """Show results without columns that say nothing, and the rows at a position; None clears them.

        `alone`: only these rows, for an audience.
        """
        moved = position != self.model.position
        self.model.show(comparison, position, alone=alone)
        for column, action in enumerate(self.view.actions()[: self.model.columnCount()]):
            # tooltips tell remarks, too
            hidden = column == _REMARK or column in self.model.constant or (alone and column == _SWEPT)
            self.view.setColumnHidden(column, hidden)
            action.setVisible(not hidden)
            header = self.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
            action.setText(f"Sort by {header}")
        self._fit()
        self._fit_rows()
        if moved:
            self._scroll()

    def _scroll(self) -> None:
        """Scroll to the rows of the shown value."""
        for row in self.model.tinted[:1]:
            self.view.scrollTo(self.model.index(row, 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def _sort_by(self, column: int) -> None:
        """Sort by a column, the other way round if it decides already."""
        header = self.view.horizontalHeader()
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        again = (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (column, up)
        self.view.sortByColumn(column, down if again else up)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._fit()
            self._scroll()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Cut no row through at the lower end; few rows for an audience are higher."""
        head = self.view.horizontalHeader().height() + 2 * self.view.frameWidth()
        room, row = self.height() - head, round(ROW * THEME.scale)
        if self.model.alone:
            row = max(row, min(2 * row, room // max(1, self.model.rowCount())))
        self.view.verticalHeader().setDefaultSectionSize(row)
        self.view.setMaximumHeight(head + max(1, room // row) * row)

    def _fit(self) -> None:
        """Fit columns to their contents; the first one takes the rest, or all share it before an audience."""
        view, metrics = self.view, self.view.fontMetrics()
        rows = range(min(LOOKED_AT, self.model.rowCount()))
        sorting = view.horizontalHeader().sortIndicatorSection()
        widths = {}
        for column, head in enumerate(self.model._header):
            if view.isColumnHidden(column):
                continue
            texts = [*head.split("\n"), *(str(self.model.index(row, column).data()) for row in rows)]
            extra = round(AIR * metrics.lineSpacing()) + ARROW * (column == sorting)
            mark = round(MARK * THEME.scale) * (column == 0)
            widths[column] = extra + max(map(metrics.horizontalAdvance, texts)) + mark
        left = max(0, view.viewport().width() - sum(widths.values()))
        share = left // len(widths) if self.model.alone else 0
        for column, width in widths.items():
            view.setColumnWidth(column, width + share if column else width + left - share * (len(widths) - 1))

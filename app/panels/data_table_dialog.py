"""A window with the records of the data, to sort and filter (confidential)."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QItemSelection, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTableView,
    QWidget,
)

from app.jobs.channels import Channel
from app.model.data_table import (
    ArrangedRows,
    Arrangement,
    DataTable,
    arranged,
    check_condition,
    row_conditions,
)
from app.model.wording.numbers import escape, format_count, format_exact, number
from app.model.wording.releases import sentence
from app.model.wording.typed_numbers import NumberError, parse_number
from app.widgets.buttons import push_button
from app.widgets.card import ConfidentialBadge, caption, mark_wrong, plain, set_text
from app.widgets.deferred import deferred_call
from app.widgets.layouts import line_up, stack
from app.widgets.plot_table import LOOKED_AT, Index, UnsearchedTable
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.data.browsing import NumberSummary, Rows, TextSummary

MAX_QUOTED_LENGTH = 30
"""The most characters of a quoted value."""
DIGITS = 5


def rows_words(shown: int, n: int) -> str:
    """Return the number of shown records as text."""
    if shown == n:
        return f"{format_count(n)} records" if n != 1 else "1 record"
    return f"{format_count(shown)} of {format_count(n)} records"


def summary_words(summary: NumberSummary | TextSummary | None) -> str:
    """Summarize a column in the shown rows."""
    from engine.data.browsing import NumberSummary

    if summary is None or not summary.count:
        return "no value in these records"
    said = [f"{format_count(summary.distinct)} different values"]
    if isinstance(summary, NumberSummary):
        said += [
            f"min {number(summary.least, DIGITS)}",
            f"quartiles {number(summary.lower_quartile, DIGITS)} and "
            f"{number(summary.upper_quartile, DIGITS)}",
            f"median {number(summary.median, DIGITS)}",
            f"mean {number(summary.mean, DIGITS)}",
            f"max {number(summary.most, DIGITS)}",
        ]
    else:
        said += [f"{_short(text)} × {format_count(count)}" for text, count in summary.common]
    return " · ".join([*said, *([f"{format_count(summary.missing)} missing"] if summary.missing else [])])


def _short(text: str) -> str:
    return text if len(text) <= MAX_QUOTED_LENGTH else f"{text[: MAX_QUOTED_LENGTH - 1]}…"


MAX_CELL_LENGTH = 200
"""The most characters of a cell; its tooltip has more."""


class DataTableModel(UnsearchedTable):
    """Shows the rows of a table, in an order."""

    changed = Signal(int, float)  # the user changed a value
    refused = Signal(str)  # the typed text is not a number

    def __init__(self) -> None:
        super().__init__()
        self.table: DataTable | None = None
        self._rows: Rows | None = None

    def show_table(self, table: DataTable | None) -> None:
        """Show a table in the order of its file."""
        self.beginResetModel()
        self.table, self._rows = table, None
        self.endResetModel()

    def show_rows(self, rows: Rows | None) -> None:
        """Show only these rows, in this order; None: all, as in the file. No change if shown already."""
        if rows is self._rows or _alike(rows, self._rows):
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def show_changes(self, table: DataTable) -> None:
        """Show the same table with other values in it."""
        self.table = table
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def row(self, index: int) -> int:
        """Return the row of the file at a position."""
        return index if self._rows is None else int(self._rows[index])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self.table is None:
            return 0
        return self.table.dataset.table.n if self._rows is None else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.table is None else len(self.table.dataset.table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self.table is None:
            return None
        table = self.table.dataset.table
        if orientation == Qt.Orientation.Vertical:
            return format_exact(table.row(self.row(section)))
        return self.table.title(table.columns[section])

    def data(self, index: Index, role: int = 0) -> Any:
        table = self.table
        if table is None:
            return None
        row, column = self.row(index.row()), table.dataset.table.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.type == "number" else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(True)
            return font if self._is_changed(row, column.name) else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return _words(table.cell(row, index.column()))[:MAX_CELL_LENGTH]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, index.column())
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Make those cells editable that the page lets users change."""
        flags, table = super().flags(index), self.table
        if table is None or table.dataset.table.columns[index.column()].name != table.editable:
            return flags
        is_record = table.record(self.row(index.row())) is not None
        return flags | Qt.ItemFlag.ItemIsEditable if is_record else flags

    def setData(self, index: Index, value: Any, role: int = 0) -> bool:
        """Emit a new value of a record; the session makes it one step to undo."""
        record = None if self.table is None else self.table.record(self.row(index.row()))
        if record is None or str(value) == self.data(index, Qt.ItemDataRole.EditRole):
            return False
        try:
            number = parse_number(str(value))
        except NumberError as error:
            self.refused.emit(str(error))
            return False
        self.changed.emit(record, number)
        return True

    def _is_changed(self, row: int, column: str) -> bool:
        table = self.table
        if table is None or column != table.editable or not table.changed:
            return False
        return table.record(row) in table.changed

    def _tip(self, row: int, column: int) -> str:
        assert self.table is not None
        cells = self.table.dataset.table
        if self._is_changed(row, cells.columns[column].name):
            return f"Changed by hand; the file has {_words(cells.data.column(column)[row].as_py())}"
        return escape(_words(self.table.cell(row, column)))


def _alike(one: Rows | None, other: Rows | None) -> bool:
    return one is not None and other is not None and bool(np.array_equal(one, other))


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"  # as conditions name them
    return format_exact(value) if isinstance(value, int | float) else str(value)


SIZE = (860, 560)
TYPING_MS = 250
"""Delay between the last key and the search, in milliseconds."""
AROUND = 8
MEASURED = 60
"""Number of columns that are measured."""
NARROWEST, WIDEST = 90, 320
ARROW = 14
"""Width of the sort arrow beside a name, in pixels."""
HINT = "for instance > 100, 10..20, empty"
ASK_TIP = "Filter, then ask a question about the rows that satisfy the conditions, which become public"
HINT_OF_TEXT = "a part of the text, or = text, empty"


class DataTableDialog(QDialog):
    """Shows the records of the open data and their changes; `channel` finds and sorts rows."""

    changed = Signal(int, float)  # the user changed a value
    pointed = Signal(object)  # the `PointedRecord` that has the keyboard focus; None for none
    picked = Signal(object)  # the `PointedRecord` that is clicked
    asked = Signal(object)  # conditions for a question, a tuple of texts

    def __init__(self, channel: Channel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self._channel = channel
        self._table: DataTable | None = None
        self._arrangement = Arrangement()
        channel.result.connect(self._on_arranged)
        self.model = DataTableModel()
        self.model.setParent(self)
        self.model.changed.connect(self.changed)
        self.count = plain()
        self.badge = ConfidentialBadge()
        self.problem = caption(name="problem")
        self.model.refused.connect(partial(set_text, self.problem))
        self._build_filter()
        self._build_view()
        self.summary = caption()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        head = line_up(
            None, self.column, (self.condition, 1), self.clear, None, self.count, self.badge, spacing=8
        )
        self.ask = buttons.addButton("As&k about these rows", QDialogButtonBox.ButtonRole.ActionRole)
        self.ask.setAutoDefault(False)
        self.ask.clicked.connect(self._on_ask)
        foot = line_up(None, (self.summary, 1), buttons, spacing=8)
        stack(self, head, self.problem, (self.view, 1), foot, margins=12, spacing=8)

    def _build_filter(self) -> None:
        self.column = QComboBox()
        self.column.setAccessibleName("Column to filter")
        self.column.setToolTip("The column to filter; the line below summarizes it")
        self.column.currentIndexChanged.connect(self._on_column)
        self.condition = QLineEdit(clearButtonEnabled=True)
        self.condition.setAccessibleName("Condition")
        self.condition.setMinimumWidth(250)
        self.condition.setToolTip(
            "> 100 · <= 5 · 10..20 · = text · != 3 · empty · not empty, joined by “and” or “or”; a single "
            "word is searched for. Conditions on several columns must all hold."
        )
        self._typed = deferred_call(self, self.filter, TYPING_MS)
        self.condition.textEdited.connect(self._typed.start)
        self.condition.returnPressed.connect(self.filter)
        self.condition.textChanged.connect(self._on_cleared)
        self.clear = push_button("Show &all", "Remove all conditions", self.show_all)
        self.clear.setAutoDefault(False)
        self.clear.setEnabled(False)

    def _build_view(self) -> None:
        self.view = QTableView()
        self.view.setAccessibleName("Records of the data")
        self.view.setModel(self.model)
        self.view.setAlternatingRowColors(True)
        self.view.setTabKeyNavigation(False)
        self.view.setCornerButtonEnabled(False)
        self.view.setWordWrap(False)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        number = plain("file row", "caption")
        number.setToolTip("Numbered as in a spreadsheet: the first row may have the names of the columns")
        stack(self.view.findChild(QAbstractButton), number, margins=(6, 0, 0, 0))  # the corner
        header = self.view.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setResizeContentsPrecision(LOOKED_AT)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.view.selectionModel().selectionChanged.connect(self._on_selected)
        self.view.clicked.connect(self._on_clicked)

    # Showing.

    def show_table(self, table: DataTable) -> None:
        """Show other data, or changed values."""
        before, self._table = self._table, table
        if before is not None and before.dataset is table.dataset:
            self.model.show_changes(table)
            self._ask()
            return
        self.setWindowTitle(f"Data: {table.dataset.title}")
        self.model.show_table(table)
        self.problem.hide()
        self._channel.cancel()
        names = [column.name for column in table.dataset.table.columns]
        shown = table.editable or (table.columns[0] if table.columns else names[0])
        with QSignalBlocker(self.column):
            self.column.clear()
            self.column.addItems(names)
            self.column.setCurrentText(shown)
        self.arrange(Arrangement(summary=shown))
        if self.isVisible():
            self._fit_columns()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.ensurePolished()
        self.view.verticalHeader().setDefaultSectionSize(self.view.fontMetrics().height() + AROUND)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Fit the first columns to their first values; measuring all would be slow."""
        header = self.view.horizontalHeader()
        for index in range(min(header.count(), MEASURED)):
            self.view.resizeColumnToContents(index)
            header.resizeSection(index, min(max(header.sectionSize(index) + ARROW, NARROWEST), WIDEST))

    def arrange(self, arrangement: Arrangement) -> None:
        """Show the rows in the found order."""
        self._arrangement = arrangement
        table = self._table
        assert table is not None
        names = [column.name for column in table.dataset.table.columns]
        header = self.view.horizontalHeader()
        index = names.index(arrangement.order) if arrangement.order else -1
        down = Qt.SortOrder.DescendingOrder if arrangement.descending else Qt.SortOrder.AscendingOrder
        with QSignalBlocker(header):
            header.setSortIndicator(index, down)
        self.clear.setEnabled(bool(arrangement.conditions))
        self._show_condition()
        self._ask()

    def filter(self) -> None:
        """Show the rows that match the condition."""
        self._typed.stop()
        table, column, text = self._table, self.column.currentText(), self.condition.text().strip()
        if table is None:
            return
        wrong = check_condition(table, column, text)
        mark_wrong(self.condition, bool(wrong))
        set_text(self.problem, f"{wrong[:1].upper()}{wrong[1:]}." if wrong else "")
        others = {name: one for name, one in self._arrangement.conditions.items() if name != column}
        conditions = {**others, column: text} if text else others
        if not wrong and conditions != self._arrangement.conditions:
            self._arrangement = dataclasses.replace(self._arrangement, conditions=conditions, summary=column)
            self.clear.setEnabled(bool(conditions))
            self._ask()

    def show_all(self) -> None:
        mark_wrong(self.condition, False)
        set_text(self.problem, "")
        self.arrange(dataclasses.replace(self._arrangement, conditions={}))

    def done(self, result: int) -> None:
        self._channel.cancel()
        self.pointed.emit(None)
        super().done(result)

    # Finding and sorting rows.

    def _ask(self) -> None:
        self._enable_ask()
        if self._table is not None:
            self._channel.request(partial(arranged, self._table, self._arrangement))

    def _on_arranged(self, result: ArrangedRows) -> None:
        if result.table is not self._table or result.arrangement != self._arrangement:
            return
        bare = Arrangement(summary=result.arrangement.summary)
        self.model.show_rows(None if result.arrangement == bare else result.rows)
        self.count.setText(rows_words(result.rows.size, result.table.dataset.table.n))
        name = result.table.title(result.table.dataset.table.column(result.arrangement.summary))
        conditions = " · ".join(f"{name}: {text}" for name, text in result.arrangement.conditions.items())
        said = [f"{name}: {summary_words(result.summary)}", f"Shown: {conditions}" if conditions else ""]
        set_text(self.summary, "\n".join(filter(None, said)))

    def _on_ask(self) -> None:
        assert self._table is not None
        self.asked.emit(row_conditions(self._table, self._arrangement.conditions))
        self.accept()

    def _enable_ask(self) -> None:
        """Offer a question about the shown rows, if it can have these conditions."""
        table, tip, possible = self._table, ASK_TIP, bool(self._arrangement.conditions)
        self.ask.setVisible(table is not None and table.is_asked)
        try:
            if table is not None:
                row_conditions(table, self._arrangement.conditions)
        except ParameterError as error:
            tip, possible = sentence(error.problem), False
        self.ask.setEnabled(possible)
        self.ask.setToolTip(tip)

    def _show_condition(self) -> None:
        column = self.column.currentText()
        number = self._table is not None and self._table.browser.is_number(column)
        self.condition.setPlaceholderText(HINT if number else HINT_OF_TEXT)
        self.condition.setText(self._arrangement.conditions.get(column, ""))

    def _on_column(self, _: int) -> None:
        self.arrange(dataclasses.replace(self._arrangement, summary=self.column.currentText()))

    def _on_cleared(self, text: str) -> None:
        if not text and self.column.currentText() in self._arrangement.conditions:
            self._typed.start()

    def _on_sorted(self, index: int, order: Qt.SortOrder) -> None:
        if self._table is None:
            return
        name = self._table.dataset.table.columns[index].name if index >= 0 else ""
        down = order == Qt.SortOrder.DescendingOrder
        self.arrange(Arrangement(self._arrangement.conditions, name, down, name or self._arrangement.summary))
        if name:
            self.column.setCurrentText(name)

    def _on_clicked(self, index: QModelIndex) -> None:
        pointed = None if self._table is None else self._table.pointed(self.model.row(index.row()))
        if pointed is not None:
            self.picked.emit(pointed)

    def _on_selected(self, selected: QItemSelection, _: QItemSelection) -> None:
        places = selected.indexes()
        if self._table is None or not places:
            self.pointed.emit(None)
            return
        self.pointed.emit(self._table.pointed(self.model.row(places[0].row())))
        name = self._table.dataset.table.columns[places[0].column()].name
        self.column.setCurrentText(name)

"""The records of a file as Qt asks for them: one cell at a time, so that a million rows open at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from app.model.data_table import DataTable
from app.model.wording.formatting import escape, format_exact, parse_number
from app.model.wording.number_format import current
from app.widgets.plot_table import Index, UnsearchedTable

if TYPE_CHECKING:
    from engine.data.browsing import Rows

LONGEST = 200
"""Letters of a cell that are shown; its tip has more."""


class DataTableModel(UnsearchedTable):
    """Shows the rows of a table, in an order.

    Signals
    -------
    changed(int, float)
        The user gave a record another value.
    refused(str)
        What was typed is no number.
    """

    changed = Signal(int, float)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.table: DataTable | None = None
        self._rows: Rows | None = None

    def show_table(self, table: DataTable | None) -> None:
        """Show another table, in the order of its file."""
        self.beginResetModel()
        self.table, self._rows = table, None
        self.endResetModel()

    def show_rows(self, rows: Rows | None) -> None:
        """Show these rows alone, in this order, None: those of the file; nothing moves if they are shown."""
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
        """Return the row of the file that stands at a place."""
        return index if self._rows is None else int(self._rows[index])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return how many rows are shown."""
        if parent.isValid() or self.table is None:
            return 0
        return self.table.dataset.table.n if self._rows is None else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() or self.table is None else len(self.table.dataset.table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the names of columns with their units, and the numbers of rows as a spreadsheet has them."""
        if role != Qt.ItemDataRole.DisplayRole or self.table is None:
            return None
        table = self.table.dataset.table
        if orientation == Qt.Orientation.Vertical:
            return format_exact(table.row(self.row(section)))
        column = table.columns[section]
        return f"{column.name} ({column.unit})" if column.unit else column.name

    def data(self, index: Index, role: int = 0) -> Any:
        """Return a cell as it is read; what was changed by hand is bold."""
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
            return _words(table.cell(row, index.column()))[:LONGEST]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, index.column())
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Tell which cells can be edited: those that the page lets users change by hand."""
        flags, table = super().flags(index), self.table
        if table is None or table.dataset.table.columns[index.column()].name != table.editable:
            return flags
        is_record = table.record(self.row(index.row())) is not None
        return flags | Qt.ItemFlag.ItemIsEditable if is_record else flags

    def setData(self, index: Index, value: Any, role: int = 0) -> bool:
        """Announce another value of a record; the session makes it one step to undo."""
        record = None if self.table is None else self.table.record(self.row(index.row()))
        if record is None or str(value) == self.data(index, Qt.ItemDataRole.EditRole):
            return False
        try:
            number = parse_number(str(value))
        except ValueError:
            self.refused.emit(f"'{value}' is not a number; write it like {current().example}")
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

"""The first rows of a table, as the dialogs show them before it is opened."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.model.dataset import Dataset
from app.model.wording.formatting import format_count
from app.widgets.plot_table import Index, TableModel

MAX_COLUMNS = 100
"""Columns that are shown; in a table with more, users do not look for one here."""
AROUND, ROWS = 8, 3
"""Pixels around the words of a row, and how many rows are in sight at least."""


class PreviewModel(TableModel):
    """The first rows of a table, with type and missing values of each column in its header."""

    def __init__(self, dataset: Dataset, *, named: bool = False) -> None:
        self._columns = dataset.table.columns[:MAX_COLUMNS]
        self._first = dataset.table.row(int(named))
        missing = [f", {format_count(one.missing)} missing" if one.missing else "" for one in self._columns]
        header = [f"{one.name}\n{one.type}{lost}" for one, lost in zip(self._columns, missing, strict=True)]
        rows = dataset.table.preview(20, MAX_COLUMNS)
        super().__init__(rows[0] if named else header, rows[named:])

    def data(self, index: Index, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._columns[index.column()].type == "number":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Vertical:
            return self._first + section
        return super().headerData(section, orientation, role)


class Preview(QTableView):
    """Shows the first rows of a table.

    Parameters
    ----------
    dataset : Dataset
    named : bool
        Whether its first record is shown as the names of the columns.
    """

    def __init__(self, dataset: Dataset, *, named: bool = False) -> None:
        super().__init__()
        self._model = PreviewModel(dataset, named=named)
        self.setModel(self._model)
        self.setAccessibleName("Preview of the first rows")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)

    def showEvent(self, event: QShowEvent) -> None:
        """Give every column the room that it needs, once: measured again and again, many take long."""
        super().showEvent(event)
        self.ensurePolished()
        row = self.fontMetrics().height() + AROUND
        self.verticalHeader().setDefaultSectionSize(row)
        self.setMinimumHeight(self.horizontalHeader().sizeHint().height() + ROWS * row)
        self.resizeColumnsToContents()

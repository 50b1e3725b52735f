"""The first rows of a table, as the dialogs show them before it is opened."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from app.model.dataset import Dataset
from app.model.wording.formatting import format_count


class Preview(QAbstractTableModel):
    """The first rows of a table, with the type of each column in its header."""

    def __init__(self, dataset: Dataset, parent: QWidget) -> None:
        super().__init__(parent)
        self._columns = dataset.table.columns
        self._rows = dataset.table.preview(20)
        self._number = dataset.table.row

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of rows in the preview."""
        return len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of columns."""
        return len(self._columns)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a cell as a person would read it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._columns[index.column()].type == "number":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return name, type and missing values of a column."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            # as messages number them
            return self._number(section)
        column = self._columns[section]
        missing = f", {format_count(column.missing)} missing" if column.missing else ""
        return f"{column.name}\n{column.type}{missing}"

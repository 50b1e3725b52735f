"""The numbers behind a picture, in a window of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QDialog, QDialogButtonBox, QTableView, QVBoxLayout, QWidget

from app.model.wording.numbers import escape, number

Index = QModelIndex | QPersistentModelIndex
LOOKED_AT = 60
"""Rows that decide how wide a column is."""
WIDEST = 0.7
"""Share of the window that a column takes at first."""


class UnsearchedTable(QAbstractTableModel):
    """A table of a million rows: Qt would look through all of them at each letter that is typed."""

    def match(self, *_: Any) -> list[QModelIndex]:
        return []


class TableModel(UnsearchedTable):
    """Header and rows as `Picture.table` returns them; fast for a million rows."""

    def __init__(self, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        super().__init__()
        self._header = header
        self._rows = rows

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._header)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return self.data(self.index(0, section), role) if self.rowCount() else None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._header[section] if orientation == Qt.Orientation.Horizontal else section + 1

    def data(self, index: Index, role: int = 0) -> Any:
        return self.cell_data(self._rows[index.row()][index.column()], role)

    def cell_data(self, value: Any, role: int, digits: int = 6) -> Any:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(repr(value))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if isinstance(value, bool):
            return "yes" if value else "no"
        return number(value, digits) if numeric else str(value)


def quiet_table(view: QTableView, name: str, height: int | None = None) -> None:
    """Let a table of rows speak for itself: no grid, no numbers of rows, and Tab leads out of it."""
    view.setAccessibleName(name)
    view.verticalHeader().hide()
    if height is not None:
        view.verticalHeader().setDefaultSectionSize(height)
        view.setWordWrap(False)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.horizontalHeader().setStretchLastSection(True)


class TableDialog(QDialog):
    """Shows a table; it can be read with the keyboard and a screen reader."""

    def __init__(self, parent: QWidget, title: str, header: list[str], rows: list[list[Any]]) -> None:
        super().__init__(parent)
        self._over = parent
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.view = QTableView()
        self.view.setAccessibleName(f"Numbers behind: {title}")
        self.view.setModel(TableModel(header, rows))
        self.view.model().setParent(self.view)
        self.view.setAlternatingRowColors(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.view)
        column.addWidget(buttons)
        self.resize(520, 600)

    def showEvent(self, event: QShowEvent) -> None:
        """Give every column the room that its first rows need, in the type of now."""
        super().showEvent(event)
        self.view.ensurePolished()
        columns = self.view.horizontalHeader()
        columns.setResizeContentsPrecision(LOOKED_AT)
        self.view.resizeColumnsToContents()
        most = round(WIDEST * self._over.window().width())
        for index in range(columns.count()):
            columns.resizeSection(index, min(columns.sectionSize(index), most))
        around = self.width() - self.view.viewport().width()
        self.resize(min(max(self.width(), columns.length() + around), round(most / WIDEST)), self.height())
        columns.setStretchLastSection(True)

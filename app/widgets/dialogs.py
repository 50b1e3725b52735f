"""Small windows beside the main one: the numbers behind a picture, the keyboard, about."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTableView, QVBoxLayout, QWidget

from app.widgets.card import badge


class Rows(QAbstractTableModel):
    """A header and rows of anything that can be written."""

    def __init__(self, header: list[str], rows: list[list[Any]], parent: QWidget) -> None:
        super().__init__(parent)
        self.header = header
        self.rows = rows

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of columns."""
        return len(self.header)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell, with the digits that a person can use."""
        value = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{value:.8g}" if isinstance(value, float) else str(value)
        if role == Qt.ItemDataRole.TextAlignmentRole and not isinstance(value, str):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column or the number of a row."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.header[section] if orientation == Qt.Orientation.Horizontal else section + 1


class TableDialog(QDialog):
    """Shows a table that can be copied into a spreadsheet."""

    def __init__(
        self,
        title: str,
        header: list[str],
        rows: list[list[Any]],
        parent: QWidget,
        *,
        private: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(560, 520)
        self._model = Rows(header, rows, self)
        self.table = QTableView()
        self.table.setAccessibleName(title)
        self.table.setModel(self._model)
        self.table.setShowGrid(False)
        self.table.verticalHeader().setDefaultSectionSize(24)
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setStretchLastSection(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy all", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        if private:
            column.addWidget(badge())
        column.addWidget(self.table, 1)
        column.addWidget(buttons)

    def copy(self) -> None:
        """Copy everything, tab between cells."""
        lines = [self._model.header, *self._model.rows]
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(str, line)) for line in lines))


class TextDialog(QDialog):
    """Shows a short text."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setOpenExternalLinks(True)
        label.setMinimumWidth(420)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 12)
        column.addWidget(label)
        column.addWidget(buttons)

"""What the history says of each release, as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.model.release_record import ReleaseRecord
from app.model.wording.expected import give_or_take
from app.model.wording.formatting import escape
from app.model.wording.numbers import number
from app.releases.shape import half_width
from app.releases.text import asked_words, details, kind_words, mechanism_words, value_words
from app.session import Session
from app.widgets.plot_table import Index, TableModel

HEADER = ("Time", "Query", "Released", "95 % within", "ε", "δ", "Kind", "Mechanism")
RELEASED, ERROR = HEADER.index("Released"), HEADER.index("95 % within")
NUMBERS = (2, 3, 4, 5)
"""Columns that are read from the right."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cells(record: ReleaseRecord, open_title: str = "") -> list[str]:
    """Return what the history says about one release; the dataset is named once, and not if open."""
    release, width = record.release, half_width(record)
    known = record.title in (open_title, record.subject)
    elsewhere = "" if known else f", {record.title}"
    return [
        f"{record.when:%H:%M:%S}",
        f"{asked_words(record)}{elsewhere}",
        value_words(record),
        "" if width is None else give_or_take(width, record.unit),
        number(release.privacy.epsilon),
        number(release.privacy.delta) if record.promises else "",
        kind_words(record),
        mechanism_words(release),
    ]


class HistoryModel(TableModel):
    """The releases, newest first."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(HEADER, [])
        self.setParent(parent)
        self._session = session
        self._records: list[ReleaseRecord] = []

    def refresh(self) -> None:
        """Read the releases of the session."""
        self.beginResetModel()
        self._records = list(reversed(self._session.state.releases))
        dataset = self._session.state.dataset
        title = dataset.title if dataset is not None else ""
        self._rows = [cells(record, title) for record in self._records]
        self.endResetModel()

    def record(self, row: int) -> ReleaseRecord:
        """Return the release in a row."""
        return self._records[row]

    def data(self, index: Index, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(details(self._records[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in NUMBERS:
            return RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return super().headerData(section, orientation, role)

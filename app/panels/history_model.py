"""What the history says of each release, as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from app.model.release_record import ReleaseRecord
from app.model.wording.formatting import escape
from app.model.wording.grids import sentence
from app.model.wording.inexact import INEXACT
from app.model.wording.neighbours import WORDS
from app.model.wording.not_private import NOT_PRIVATE
from app.model.wording.numbers import number, quantity
from app.releases.text import all_words, mechanism_words, query_words, rounded_words, value_words
from app.session import Session
from engine.catalog import questions

HEADER = ("Time", "Query", "Released", "ε", "δ", "Kind", "Mechanism")
RELEASED = HEADER.index("Released")
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cells(record: ReleaseRecord, open_title: str = "") -> list[str]:
    """Return what the history says about one release; the dataset is named unless it is the open one."""
    release = record.release
    elsewhere = f", {record.title}" if record.title != open_title else ""
    return [
        f"{record.when:%H:%M:%S}",
        f"{query_words(release)} of {record.subject}{elsewhere}",
        value_words(record),
        number(release.privacy.epsilon),
        number(release.privacy.delta) if record.promises else "",
        kind_words(record),
        mechanism_words(release),
    ]


def kind_words(record: ReleaseRecord) -> str:
    """Say whether it is a release, and whether its guarantee holds."""
    if record.release.simulated:
        return "simulated, not a release"
    flaws = [
        words
        for flaw, words in (
            (not record.promises, "not private"),
            (record.looked, f"{declared_words(record)} looked at"),
            (record.edited, "data moved by hand"),
            (not record.release.exact, INEXACT),
            (record.elsewhere, "by another's session"),
        )
        if flaw
    ]
    return f"release ({', '.join(flaws)})" if flaws else "release"


def declared_words(record: ReleaseRecord) -> str:
    """Name what should be public about the data."""
    query = questions().get(record.release.query)
    return "categories" if query is not None and query.reads == "categories" else "bounds"


def details(record: ReleaseRecord) -> str:
    """Say everything about a release that may leave the room."""
    release = record.release
    facts = {**release.parameters, **release.noise}
    lines = [
        f"{record.title}, {record.place}, {record.when:%Y-%m-%d %H:%M:%S}",
        cost_words(record),
        mechanism_words(release),
        all_words(record),
        sentence(rounded_words(record)).rstrip("."),
        ", ".join(f"{name} = {_plain(value)}" for name, value in facts.items() if value is not None),
    ]
    if release.error is not None:
        lines.append(f"95 % of such releases err by less than {quantity(release.error, record.unit)}")
    return "\n".join(line for line in lines if line)


def kept_words(record: ReleaseRecord) -> str:
    """Say in short what a release costs, or that it is none."""
    if record.release.simulated:
        return "simulated"
    if not record.promises:
        return "not private"
    return ", ".join([f"ε = {number(record.release.privacy.epsilon)}", *([INEXACT] * bool(record.flaw))])


def cost_words(record: ReleaseRecord) -> str:
    """Say what a release costs, and between which databases that is meant."""
    if not record.promises:
        return NOT_PRIVATE
    cost = record.release.privacy
    between = WORDS[record.release.neighbours].between
    words = f"ε = {number(cost.epsilon)}, δ = {number(cost.delta)}, {between}"
    return f"{words}; {record.flaw}" if record.flaw else words


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(_plain, value))})"
    return number(value) if isinstance(value, float) else str(value)


class HistoryModel(QAbstractTableModel):
    """The releases, newest first."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._records: list[ReleaseRecord] = []
        self._rows: list[list[str]] = []

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

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of releases."""
        return len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of facts about each."""
        return len(HEADER)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return one fact."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(details(self._records[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (2, 3, 4):
            return RIGHT
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADER[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (
                RIGHT if section in (2, 3, 4) else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            )
        return None

"""The history: every release of this session, and what it cost."""

from __future__ import annotations

import csv
import io
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedWidget, QTableView, QWidget

from app.dataset import ReleaseRecord
from app.neighbours import WORDS
from app.panels.release_words import mechanism_words, query_words, release_table, value_words
from app.plots.numbers import number, quantity
from app.session import Session
from app.widgets.card import Card, caption

HEADER = ("Time", "Query", "Released", "ε", "δ", "Kind", "Mechanism")
ROW = 25
HEAD = 52
MOST_ROWS = 4
NOTHING = "Nothing has left the room yet. Run makes the first release."
TOTAL_HELP = (
    "What all releases on this dataset in this session cost together (basic composition), {neighbours}. "
    "Spent budget cannot be undone."
)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cells(record: ReleaseRecord) -> list[str]:
    """Return what the history says about one release."""
    release = record.release
    return [
        f"{record.when:%H:%M:%S}",
        f"{query_words(release)} of {record.subject}",
        value_words(record),
        number(release.privacy.epsilon),
        number(release.privacy.delta),
        kind_words(record),
        mechanism_words(release),
    ]


def kind_words(record: ReleaseRecord) -> str:
    """Say whether it is a release, and whether its guarantee holds."""
    if record.release.simulated:
        return "simulated, not a release"
    flaws = [
        words
        for flaw, words in ((record.looked, "bounds looked at"), (record.edited, "data moved by hand"))
        if flaw
    ]
    return f"release ({', '.join(flaws)})" if flaws else "release"


def details(record: ReleaseRecord) -> str:
    """Say everything about a release that may leave the room."""
    release = record.release
    facts = {**release.parameters, **release.noise}
    lines = [
        f"{record.title}, {record.place}, {record.when:%Y-%m-%d %H:%M:%S}",
        f"ε = {number(release.privacy.epsilon)}, δ = {number(release.privacy.delta)}, "
        f"{WORDS[release.neighbours].between}",
        mechanism_words(release),
        ", ".join(f"{name} = {_plain(value)}" for name, value in facts.items()),
    ]
    if release.error is not None:
        lines.append(f"95 % of such releases err by less than {quantity(release.error, record.unit)}")
    return "\n".join(line for line in lines if line)


def _plain(value: object) -> str:
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
        self._rows = [cells(record) for record in self._records]
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
            return details(self._records[index.row()])
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


class HistoryPanel(Card):
    """Shows the releases, and the total spent on the dataset in this session.

    Signals
    -------
    save_requested(list, list)
        Header and rows of a release are to be saved.
    """

    save_requested = Signal(object, object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Releases", parent=parent)
        self._session = session
        self.total = caption("nothing spent yet")
        self.total.setWordWrap(False)
        self.head.insertWidget(2, self.total)
        self.model = HistoryModel(session, self)
        self.table = QTableView()
        self.table.setAccessibleName("History of releases")
        self.table.setModel(self.model)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self._build_menu()
        self.empty = caption(NOTHING)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self.body.addWidget(self._stack, 1)
        self._scale = 1.0
        session.changed.connect(self.refresh)
        self.refresh()

    def _build_menu(self) -> None:
        """Offer to take the numbers of a release away; the first row stands for a choice."""
        self.copy_numbers = QAction("&Copy the numbers", self.table)
        self.copy_numbers.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy_numbers.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy_numbers.triggered.connect(self._on_copy)
        self.save_numbers = QAction("&Save the numbers…", self.table)
        self.save_numbers.triggered.connect(self._on_save)
        self.table.addActions([self.copy_numbers, self.save_numbers])
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _chosen(self) -> tuple[list[str], list[list[Any]]]:
        """Return the table of the chosen release."""
        row = max(0, self.table.currentIndex().row())
        return release_table(self.model.record(row))

    def _on_copy(self) -> None:
        text = io.StringIO()
        header, rows = self._chosen()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
        QGuiApplication.clipboard().setText(text.getvalue())

    def _on_save(self) -> None:
        self.save_requested.emit(*self._chosen())

    def set_scale(self, scale: float) -> None:
        """Show type at another size; on a projector the newest release has to do."""
        self._scale = scale
        self._show_rows()

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show the releases of the session."""
        if fields is not None and not fields & {"releases", "dataset", "query"}:
            return
        self.model.refresh()
        spent = self._session.spent()
        if spent is None:
            words = "nothing spent on this dataset yet"
        else:
            delta = f", δ = {number(spent.delta)}" if spent.delta else ""
            words = f"spent on this dataset: ε = {quantity(spent.epsilon)}{delta}"
        self.total.setText(words)
        self.total.setToolTip(TOTAL_HELP.format(neighbours=WORDS[self._session.state.neighbours].between))
        self.total.show()
        self._show_rows()

    def _show_rows(self) -> None:
        """Take the height of the newest releases, and hardly any before the first one."""
        large = self._scale > 1
        rows = 0 if large else min(self.model.rowCount(), MOST_ROWS)
        self._stack.setCurrentIndex(1 if rows else 0)
        latest = self._session.state.releases[-1:] if large else ()
        words = [f"{cells(one)[1]}: {value_words(one)} (ε = {cells(one)[3]})" for one in latest]
        self.empty.setText("".join(words) or NOTHING)
        room = ROW * rows + self.table.horizontalHeader().sizeHint().height() + 4 if rows else 20
        self.setFixedHeight(round((HEAD + room) * self._scale))

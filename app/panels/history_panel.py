"""The history: every release of this session, and what it cost."""

from __future__ import annotations

import csv
import io
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QStackedWidget, QTableView, QWidget

from app.neighbours import WORDS
from app.panels.history_model import HEADER, RELEASED, HistoryModel, cells, kept_words
from app.panels.release_words import release_table, value_words
from app.plots.numbers import number, quantity
from app.session import Session
from app.unprotected import NO_MORE, NOT_PRIVATE
from app.widgets.card import Card, caption
from engine.privacy import NO_PROMISE

LAST = 100
"""Pixels that are kept for the last column, and at least those of what was released."""
ROW = 25
MOST_ROWS = 4
NOTHING = "Nothing has left the room yet. Run makes the first release."
SIMULATED = "Run simulates a release here: nothing leaves the room."
TOTAL_HELP = (
    "What all releases on this dataset in this session cost together (basic composition), {neighbours}. "
    "Spent budget cannot be undone."
)


class HistoryTable(QTableView):
    """The releases; what was released is cut short before the kind of a release is."""

    def fit(self) -> None:
        """Give what was released the room that the other columns leave."""
        others = [column for column in range(len(HEADER)) if column not in (RELEASED, len(HEADER) - 1)]
        left = self.viewport().width() - sum(self.columnWidth(column) for column in others) - LAST
        header = self.horizontalHeader()
        whole = max(self.sizeHintForColumn(RELEASED), header.sectionSizeHint(RELEASED))
        self.setColumnWidth(RELEASED, min(whole, max(LAST, left)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the room."""
        super().resizeEvent(event)
        self.fit()


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
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._session = session
        self.total = caption("nothing spent yet")
        self.total.setWordWrap(False)
        self.head.insertWidget(2, self.total)
        self.model = HistoryModel(session, self)
        self.table = HistoryTable()
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
        self.table.horizontalHeader().setSectionResizeMode(RELEASED, QHeaderView.ResizeMode.Interactive)
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
        if fields is not None and not fields & {"releases", "dataset", "query", "lesson"}:
            return
        self.model.refresh()
        spent = self._session.spent()
        if self._session.state.lesson is not None:
            words = "a lesson spends nothing"
        elif spent is None:
            words = "nothing spent on this dataset yet"
        elif spent == NO_PROMISE:
            words = NO_MORE
        else:
            delta = f", δ = {number(spent.delta)}" if spent.delta else ""
            words = f"spent on this dataset: ε = {quantity(spent.epsilon)}{delta}"
        self.total.setText(words)
        between = WORDS[self._session.state.neighbours].between
        self.total.setToolTip(NOT_PRIVATE if spent == NO_PROMISE else TOTAL_HELP.format(neighbours=between))
        self.total.show()
        self._show_rows()

    def _show_rows(self) -> None:
        """Take the height of the newest releases, and hardly any before the first one."""
        large = self._scale > 1
        rows = 0 if large else min(self.model.rowCount(), MOST_ROWS)
        self._stack.setCurrentIndex(1 if rows else 0)
        latest = self._session.state.releases[-1:] if large else ()
        words = [f"{cells(one)[1]}: {value_words(one)} ({kept_words(one)})" for one in latest]
        nothing = NOTHING if self._session.state.lesson is None else SIMULATED
        self.empty.setText("".join(words) or nothing)
        # a header that was never shown does not know its style yet
        self.table.horizontalHeader().ensurePolished()
        header = self.table.horizontalHeader().sizeHint().height()
        room = ROW * rows + header + 2 * self.table.frameWidth() if rows else 20
        self.table.fit()
        self._stack.setFixedHeight(round(room * self._scale))

"""The releases of the open data, in this session and earlier ones, and the budget used."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QStackedWidget, QTableView, QWidget

from app.model.budget import Budget
from app.model.release_record import ReleaseRecord
from app.model.wording.numbers import escape, number
from app.model.wording.releases import give_or_take
from app.panels.budget_text import line_words, share, tip_words
from app.releases.shape import half_width
from app.releases.text import (
    asked_words,
    details,
    flaws_of,
    kept_words,
    mechanism_words,
    release_table,
    table_csv,
    value_words,
    when_words,
)
from app.session import Session
from app.widgets.budget_bar import BudgetBar
from app.widgets.buttons import push_button
from app.widgets.card import Card, Title, caption
from app.widgets.plot_table import Index, TableModel, quiet_table
from app.widgets.style import THEME

HEADER = ("Time", "Query", "Released", "95 % within", "ε", "δ", "Note", "Mechanism")
QUERY, RELEASED, ERROR, NOTE = map(HEADER.index, ("Query", "Released", "95 % within", "Note"))
NUMBERS = (2, 3, 4, 5)
"""Right-aligned columns."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cells(record: ReleaseRecord) -> list[str]:
    release, width = record.release, half_width(record)
    return [
        when_words(record),
        asked_words(record),
        value_words(record),
        "" if width is None else give_or_take(width, record.unit),
        number(release.privacy.epsilon),
        number(release.privacy.delta) if record.promises else "",
        "simulated" if release.simulated else ", ".join(flaws_of(record)),
        mechanism_words(release),
    ]


class HistoryModel(TableModel):
    """Releases, newest first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(HEADER, [])
        self.setParent(parent)
        self.records: list[ReleaseRecord] = []

    def show_records(self, records: list[ReleaseRecord]) -> None:
        self.beginResetModel()
        self.records = records
        self._rows = [cells(record) for record in records]
        self.endResetModel()

    def data(self, index: Index, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(details(self.records[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in NUMBERS:
            return RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return super().headerData(section, orientation, role)


ROW = 35
"""Height of a row, in pixels: with the header as high as the card of a result."""
LINE = 16
"""Height of the line that stands for the list where that has no room, in pixels."""
NOTHING = "No releases of these data yet"
EARLIER = "Budget… lists the releases of these data"
SIMULATED = "Run simulates a release here: nothing is released."
IN_A_LESSON = "a lesson spends nothing"
BUDGET_HELP = "Budget used on this dataset in all sessions, and its limit (Ctrl+B)"


class HistoryPanel(Card):
    """Shows the releases of the open data, or the card of one of them, and the budget ever used."""

    budget_requested = Signal()  # open the budget
    record_chosen = Signal(object)  # ReleaseRecord: show its card
    save_requested = Signal(object, object)  # list, list: save header and rows of a release

    def __init__(self, session: Session) -> None:
        super().__init__("Releases")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._session = session
        self._budget: Budget | None = None
        self._build_head()
        self.model = HistoryModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        quiet_table(self.table, "History of releases", ROW)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        modes, header = QHeaderView.ResizeMode, self.table.horizontalHeader()
        header.setSectionResizeMode(modes.ResizeToContents)
        for column in (QUERY, RELEASED):  # long ones are elided; so is the mechanism
            header.setSectionResizeMode(column, modes.Stretch)
        self._build_menu()
        self.empty = caption(NOTHING)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self._card: QWidget | None = None
        self.body.addWidget(self._stack, 1)
        THEME.scaled.connect(self._show_rows)
        self._room: int | None = None
        session.watch({"releases"}, self, self.refresh)
        session.watch({"dataset", "lesson"}, self, self._show_session)
        self._show_session()

    def _build_head(self) -> None:
        """Put the budget beside the title: a bar, a line, and a button for details."""
        self.bar = BudgetBar("Share of the limit used")
        self.total = Title("")
        self.total.setObjectName("caption")
        self.total.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.budget_button = push_button("Budget…", BUDGET_HELP, self.budget_requested)
        self.budget_button.setAccessibleName("Budget of this dataset")
        self.head.insertWidget(1, self.bar)
        self.head.setStretch(2, 0)  # the line takes the remaining width, and shrinks first
        self.head.insertWidget(2, self.total, 1)
        self.head.addWidget(self.budget_button)

    def _build_menu(self) -> None:
        """Offer to copy or save the numbers of a release; without a selection, of the newest."""
        self.copy_numbers = QAction("&Copy the numbers", self.table)
        self.copy_numbers.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy_numbers.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy_numbers.triggered.connect(self._on_copy)
        self.save_numbers = QAction("&Save the numbers…", self.table)
        self.save_numbers.triggered.connect(self._on_save)
        self.table.addActions([self.copy_numbers, self.save_numbers])
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _chosen_record(self) -> ReleaseRecord:
        return self.model.records[max(0, self.table.currentIndex().row())]

    def _on_chosen(self, index: QModelIndex) -> None:
        self.record_chosen.emit(self.model.records[index.row()])

    def show_card(self, card: QWidget | None) -> None:
        """Show a card in place of the list; None shows the list."""
        if card is not self._card:
            if self._card is not None:
                self._stack.removeWidget(self._card)
            self._card = card
            if card is not None:
                self._stack.addWidget(card)
        self._show_rows()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(table_csv(self._chosen_record()))

    def _on_save(self) -> None:
        self.save_requested.emit(*release_table(self._chosen_record()))

    def fit_into(self, room: int) -> None:
        """Show fewer releases, or none, if that keeps everything above visible."""
        self._room = room
        self._show_rows()

    def refresh(self) -> None:
        """Show the releases of the open data; in a lesson, its simulations."""
        stored = () if self._budget is None else self._budget.records
        self.model.show_records(self._session.releases_here(stored)[::-1])
        for column in (ERROR, NOTE):
            texts = (self.model.index(row, column).data() for row in range(self.model.rowCount()))
            self.table.setColumnHidden(column, not any(texts))
        self._show_rows()

    def _show_session(self) -> None:
        """Show releases and budget of the open data, or those of a lesson."""
        self.refresh()
        self._show_budget()

    def show_budget(self, budget: Budget | None) -> None:
        """Show the budget used; None: not known yet."""
        self._budget = budget
        self._show_session()

    def _show_budget(self) -> None:
        budget, lesson = self._budget, self._session.state.lesson is not None
        limited = budget is not None and budget.limit is not None and not budget.problem
        self.bar.setVisible(limited)
        if budget is not None and budget.limit is not None:
            self.bar.show_share(share(budget.spent, budget.limit))
        self.total.setProperty("wrong", bool(budget and budget.problem))
        self.total.style().polish(self.total)
        tip = "" if budget is None else tip_words(budget)
        self.total.set_text(IN_A_LESSON if lesson else line_words(budget) if budget else "", tip)
        self.bar.setToolTip(escape(tip))
        self.budget_button.setVisible(not lesson)
        self._show_rows()

    def _show_rows(self) -> None:
        """Keep the height of a row, so that nothing moves at the first release; less in a lesson.

        Where there is no room for a row, a line names the newest release.
        """
        large, lesson = THEME.scale > 1, self._session.state.lesson is not None
        count = self.model.rowCount()
        row = bool(count and not large) if lesson else True
        # a header has no style before it is shown
        self.table.horizontalHeader().ensurePolished()
        around = self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth()
        left = self._left()
        height, line = round(ROW * THEME.scale) + around, round(LINE * THEME.scale)
        tight = not row or (left is not None and height > left)
        card = None if tight else self._card
        height = line if tight else height
        if card is not None:
            height = max(height, card.heightForWidth(self._stack.width()))
        listed = count and not tight and not large
        latest = () if listed else self._session.state.releases[-1:]
        texts = [f"{asked_words(one)}: {value_words(one)} ({kept_words(one)})" for one in latest]
        budget = self._budget
        nothing = EARLIER if budget is not None and budget.entries else NOTHING
        self.empty.setText("".join(texts) or (SIMULATED if lesson else nothing))
        self._stack.setCurrentWidget(card or (self.table if listed else self.empty))
        self._stack.setFixedHeight(height)
        self._stack.setVisible(left is None or height <= left or card is not None)
        self.updateGeometry()

    def _left(self) -> int | None:
        """Return the height below the title line. None: no limit, also if the whole panel scrolls."""
        if self._room is None:
            return None
        margins = self.contentsMargins() + self.body.contentsMargins()
        left = self._room - self.head.sizeHint().height() - margins.top() - margins.bottom()
        return None if left < 0 else left - self.body.spacing()

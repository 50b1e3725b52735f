"""The history: all releases of this session, and the budget used in all sessions."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QPushButton, QSizePolicy, QStackedWidget, QTableView, QWidget

from app.model.budget import Budget
from app.model.release_record import ReleaseRecord
from app.model.theme import Palette
from app.model.wording.numbers import escape, number
from app.model.wording.releases import give_or_take
from app.panels.budget_text import line_words, share, tip_words
from app.releases.shape import half_width
from app.releases.text import (
    asked_words,
    details,
    kept_words,
    kind_words,
    mechanism_words,
    release_table,
    table_csv,
    value_words,
)
from app.session import Session
from app.widgets.budget_bar import BudgetBar
from app.widgets.card import Card, Title, caption
from app.widgets.plot_table import Index, TableModel, quiet_table

HEADER = ("Time", "Query", "Released", "95 % within", "ε", "δ", "Kind", "Mechanism")
QUERY, RELEASED, ERROR = map(HEADER.index, ("Query", "Released", "95 % within"))
NUMBERS = (2, 3, 4, 5)
"""Right-aligned columns."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cells(record: ReleaseRecord) -> list[str]:
    """Return the row of a release, without the title of its dataset."""
    release, width = record.release, half_width(record)
    return [
        f"{record.when:%H:%M:%S}",
        asked_words(record),
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
        self._open_title = ""

    def refresh(self) -> None:
        """Show the releases of the session."""
        self.beginResetModel()
        self._records = list(reversed(self._session.state.releases))
        self._rows = [cells(record) for record in self._records]
        self.endResetModel()

    def show_titles(self) -> None:
        """Name the datasets of the releases, except the open one."""
        dataset = self._session.state.dataset
        title = dataset.title if dataset is not None else ""
        if title != self._open_title:
            self._open_title = title
            if self._records:
                self.dataChanged.emit(self.index(0, QUERY), self.index(len(self._records) - 1, QUERY))

    def _title(self, record: ReleaseRecord) -> str:
        """Return the title of a dataset that is neither open nor named by the query; "" for others."""
        return "" if record.title in (self._open_title, record.subject) else f", {record.title}"

    def record(self, row: int) -> ReleaseRecord:
        return self._records[row]

    def data(self, index: Index, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            title = self._title(self._records[index.row()]) if index.column() == QUERY else ""
            return f"{self._rows[index.row()][index.column()]}{title}"
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


LAST = 100
"""Width of the last column, and least width of the released value, in pixels."""
CUT = (QUERY, RELEASED)
"""Columns that are elided first."""
ROW = 25
MAX_ROWS = 4
NOTHING = "No releases yet. Run makes the first one."
EARLIER = "No releases in this session; Budget… shows earlier ones."
SIMULATED = "Run simulates a release here: nothing is released."
IN_A_LESSON = "a lesson spends nothing"
BUDGET_HELP = "Budget used on this dataset in all sessions, and its limit (Ctrl+B)"


class HistoryTable(QTableView):
    """The releases. Query and value are elided before the kind."""

    def fit(self) -> None:
        """Share the remaining width among the elastic columns: half each, plus unused width."""
        others = [column for column in range(len(HEADER)) if column not in (*CUT, len(HEADER) - 1)]
        left = self.viewport().width() - sum(self.columnWidth(column) for column in others) - LAST
        header = self.horizontalHeader()
        whole = {
            column: max(self.sizeHintForColumn(column), header.sectionSizeHint(column)) for column in CUT
        }
        for index, column in enumerate(sorted(CUT, key=whole.__getitem__)):
            self.setColumnWidth(column, min(whole[column], max(LAST, left // (len(CUT) - index))))
            left -= self.columnWidth(column)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class HistoryPanel(Card):
    """Shows the releases of this session, and the budget ever used on the dataset."""

    budget_requested = Signal()  # open the budget
    save_requested = Signal(object, object)  # list, list: save header and rows of a release

    def __init__(self, session: Session) -> None:
        super().__init__("Releases")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._session = session
        self._budget: Budget | None = None
        self._build_head()
        self.model = HistoryModel(session, self)
        self.table = HistoryTable()
        self.table.setModel(self.model)
        quiet_table(self.table, "History of releases", ROW)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in CUT:
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
        self._build_menu()
        self.empty = caption(NOTHING)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        self.body.addWidget(self._stack, 1)
        self._scale = 1.0
        self._room: int | None = None
        session.watch({"releases"}, self, self.refresh)
        session.watch({"dataset", "lesson"}, self, self._show_session)
        self.refresh()
        self._show_session()

    def _build_head(self) -> None:
        """Put the budget beside the title: a bar, a line, and a button for details."""
        self.bar = BudgetBar("Share of the limit used")
        self.total = Title("")
        self.total.setObjectName("caption")
        self.total.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.budget_button = QPushButton("Budget…")
        self.budget_button.setToolTip(BUDGET_HELP)
        self.budget_button.setAccessibleName("Budget of this dataset")
        self.budget_button.clicked.connect(self.budget_requested)
        self.head.insertWidget(1, self.bar)
        self.head.setStretch(2, 0)  # the line takes the remaining width, and shrinks first
        self.head.insertWidget(2, self.total, 1)
        self.head.addWidget(self.budget_button)

    def set_palette(self, palette: Palette) -> None:
        self.bar.set_palette(palette)

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
        return self.model.record(max(0, self.table.currentIndex().row()))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(table_csv(self._chosen_record()))

    def _on_save(self) -> None:
        self.save_requested.emit(*release_table(self._chosen_record()))

    def set_scale(self, scale: float) -> None:
        """Set the font size; in presentation mode, show only the newest release."""
        self._scale = scale
        self._show_rows()

    def fit_into(self, room: int) -> None:
        """Show fewer releases, or none, if that keeps everything above visible."""
        self._room = room
        self._show_rows()

    def refresh(self) -> None:
        """Show the releases of the session."""
        self.model.refresh()
        errors = (self.model.index(row, ERROR).data() for row in range(self.model.rowCount()))
        self.table.setColumnHidden(ERROR, not any(errors))
        self._show_rows()

    def _show_session(self) -> None:
        """Adapt titles and budget to the open data and to a lesson."""
        self.model.show_titles()
        self._show_budget()

    def show_budget(self, budget: Budget | None) -> None:
        """Show the budget used; None: not known yet."""
        self._budget = budget
        self._show_budget()

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
        """Fit the height to the newest releases; stay low before the first one."""
        large = self._scale > 1
        rows = 0 if large else min(self.model.rowCount(), MAX_ROWS)
        self._stack.setCurrentIndex(1 if rows else 0)
        latest = self._session.state.releases[-1:] if large else ()
        texts = [f"{self.model.index(0, 1).data()}: {value_words(one)} ({kept_words(one)})" for one in latest]
        budget = self._budget
        nothing = EARLIER if budget is not None and budget.entries else NOTHING
        if self._session.state.lesson is not None:
            nothing = SIMULATED
        self.empty.setText("".join(texts) or nothing)
        # a header has no style before it is shown
        self.table.horizontalHeader().ensurePolished()
        around = self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth()
        left = self._left()
        if rows and left is not None:
            rows = max(1, min(rows, int((left / self._scale - around) // ROW)))
        height = round((ROW * rows + around if rows else 20) * self._scale)
        self.table.fit()
        self._stack.setFixedHeight(height)
        self._stack.setVisible(left is None or height <= left)
        self.updateGeometry()

    def _left(self) -> int | None:
        """Return the height below the title line. None: no limit, also if the whole panel scrolls."""
        if self._room is None:
            return None
        margins = self.contentsMargins() + self.body.contentsMargins()
        left = self._room - self.head.sizeHint().height() - margins.top() - margins.bottom()
        return None if left < 0 else left - self.body.spacing()

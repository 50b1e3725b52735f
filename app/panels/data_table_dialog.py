"""The table of the data in a window of its own: to be sorted, filtered and looked at (confidential)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from app.jobs.channels import Channel
from app.model.data_table import ArrangedRows, Arrangement, DataTable, arranged, check_condition
from app.panels.data_table_model import DataTableModel
from app.panels.data_table_words import rows_words, summary_words
from app.widgets.card import ConfidentialBadge, caption, plain, set_text
from app.widgets.form_row import mark_wrong
from app.widgets.layouts import line_up, stack
from app.widgets.plot_table import LOOKED_AT

if TYPE_CHECKING:
    from app.jobs.tasks import JobTask

SIZE = (860, 560)
TYPING_MS = 250
"""Milliseconds after the last key when a condition is looked for."""
AROUND = 8
MEASURED = 60
"""Columns that are as wide as they need."""
NARROWEST, WIDEST = 90, 320
ARROW = 14
"""Room beside a name for the arrow that says how it is sorted."""
HINT = "for instance > 100, 10..20, empty"
HINT_OF_TEXT = "a part of the text, or = text, empty"


class DataTableDialog(QDialog):
    """Shows the records of the open data, and follows them while it is open.

    Parameters
    ----------
    channel : Channel
        Finds and sorts rows.

    Signals
    -------
    changed(int, float)
        The user gave a record another value.
    pointed(object)
        The `PointedRecord` on which the keyboard is; None for none.
    """

    changed = Signal(int, float)
    pointed = Signal(object)

    def __init__(self, channel: Channel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self._channel = channel
        self._table: DataTable | None = None
        self._arrangement = Arrangement()
        channel.result.connect(self._on_arranged)
        self.model = DataTableModel()
        self.model.setParent(self)
        self.model.changed.connect(self.changed)
        self.count = plain()
        self.badge = ConfidentialBadge()
        self.problem = caption(name="problem")
        self.model.refused.connect(partial(set_text, self.problem))
        self._build_filter()
        self._build_view()
        self.summary = caption()
        self.summary.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        head = line_up(
            None, self.column, (self.condition, 1), self.clear, None, self.count, self.badge, spacing=8
        )
        foot = line_up(None, (self.summary, 1), buttons, spacing=8)
        stack(self, head, self.problem, (self.view, 1), foot, margins=12, spacing=8)

    def _build_filter(self) -> None:
        self.column = QComboBox()
        self.column.setAccessibleName("Column to filter")
        self.column.setToolTip("The column that is filtered, and of which is said below what it holds")
        self.column.currentIndexChanged.connect(self._on_column)
        self.condition = QLineEdit()
        self.condition.setAccessibleName("Condition")
        self.condition.setClearButtonEnabled(True)
        self.condition.setMinimumWidth(250)
        self.condition.setToolTip(
            "> 100 · <= 5 · 10..20 · = text · != 3 · empty · not empty, joined by “and” or “or”; a word "
            "alone is searched for. Conditions on several columns hold together."
        )
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(TYPING_MS)
        self._typed.timeout.connect(self.filter)
        self.condition.textEdited.connect(self._typed.start)
        self.condition.returnPressed.connect(self.filter)
        self.condition.textChanged.connect(self._on_cleared)
        self.clear = QPushButton("Show &all")
        self.clear.setAutoDefault(False)
        self.clear.setToolTip("Take back all conditions")
        self.clear.clicked.connect(self.show_all)
        self.clear.setEnabled(False)

    def _build_view(self) -> None:
        self.view = QTableView()
        self.view.setAccessibleName("Records of the data")
        self.view.setModel(self.model)
        self.view.setAlternatingRowColors(True)
        self.view.setTabKeyNavigation(False)
        self.view.setWordWrap(False)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.view.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setResizeContentsPrecision(LOOKED_AT)
        header.sortIndicatorChanged.connect(self._on_sorted)
        self.view.selectionModel().selectionChanged.connect(self._on_selected)

    # What is shown.

    def show_table(self, table: DataTable) -> None:
        """Show other data, or other values in the same."""
        before, self._table = self._table, table
        if before is not None and before.dataset is table.dataset:
            self.model.show_changes(table)
            self._ask()
            return
        self.setWindowTitle(f"Data: {table.dataset.title}")
        self.model.show_table(table)
        self.problem.hide()
        self._channel.cancel()
        self.column.blockSignals(True)
        self.column.clear()
        names = [column.name for column in table.dataset.table.columns]
        self.column.addItems(names)
        shown = table.editable or (table.columns[0] if table.columns else names[0])
        self.column.setCurrentText(shown)
        self.column.blockSignals(False)
        self.arrange(Arrangement(summary=shown))
        if self.isVisible():
            self._fit_columns()

    def showEvent(self, event: QShowEvent) -> None:
        """Give columns their room in the type of now."""
        super().showEvent(event)
        self.view.ensurePolished()
        self.view.verticalHeader().setDefaultSectionSize(self.view.fontMetrics().height() + AROUND)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Give the first columns the room that their first values need: of many, each takes its time."""
        header = self.view.horizontalHeader()
        for index in range(min(header.count(), MEASURED)):
            self.view.resizeColumnToContents(index)
            header.resizeSection(index, min(max(header.sectionSize(index) + ARROW, NARROWEST), WIDEST))

    def arrange(self, arrangement: Arrangement) -> None:
        """Show the rows of an arrangement."""
        self._arrangement = arrangement
        table = self._table
        assert table is not None
        names = [column.name for column in table.dataset.table.columns]
        header = self.view.horizontalHeader()
        header.blockSignals(True)
        index = names.index(arrangement.order) if arrangement.order else -1
        down = Qt.SortOrder.DescendingOrder if arrangement.descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(index, down)
        header.blockSignals(False)
        self.clear.setEnabled(bool(arrangement.conditions))
        self._show_condition()
        self._ask()

    def filter(self) -> None:
        """Show the rows that meet what was typed."""
        self._typed.stop()
        table, column, text = self._table, self.column.currentText(), self.condition.text().strip()
        if table is None:
            return
        wrong = check_condition(table, column, text)
        mark_wrong(self.condition, bool(wrong))
        set_text(self.problem, f"{wrong[:1].upper()}{wrong[1:]}." if wrong else "")
        others = {name: one for name, one in self._arrangement.conditions.items() if name != column}
        conditions = {**others, column: text} if text else others
        if not wrong and conditions != self._arrangement.conditions:
            self._arrangement = Arrangement(
                conditions, self._arrangement.order, self._arrangement.descending, column
            )
            self.clear.setEnabled(bool(conditions))
            self._ask()

    def show_all(self) -> None:
        """Take back all conditions."""
        now = self._arrangement
        mark_wrong(self.condition, False)
        set_text(self.problem, "")
        self.arrange(Arrangement({}, now.order, now.descending, now.summary))

    def done(self, result: int) -> None:
        """Point at nothing any more."""
        self._channel.cancel()
        self.pointed.emit(None)
        super().done(result)

    # On the way.

    def _ask(self) -> None:
        if self._table is not None:
            self._channel.request(partial(_arranged, self._table, self._arrangement))

    def _on_arranged(self, result: ArrangedRows) -> None:
        if result.table is not self._table or result.arrangement != self._arrangement:
            return
        bare = Arrangement(summary=result.arrangement.summary)
        self.model.show_rows(None if result.arrangement == bare else result.rows)
        self.count.setText(rows_words(result.rows.size, result.table.dataset.table.n))
        column = result.table.dataset.table.column(result.arrangement.summary)
        name = f"{column.name} ({column.unit})" if column.unit else column.name
        conditions = " · ".join(f"{name}: {text}" for name, text in result.arrangement.conditions.items())
        said = [f"{name}: {summary_words(result.summary)}", f"Shown: {conditions}" if conditions else ""]
        set_text(self.summary, "\n".join(filter(None, said)))

    def _show_condition(self) -> None:
        column = self.column.currentText()
        number = self._table is not None and self._table.browser.is_number(column)
        self.condition.setPlaceholderText(HINT if number else HINT_OF_TEXT)
        self.condition.setText(self._arrangement.conditions.get(column, ""))

    def _on_column(self, _: int) -> None:
        now = self._arrangement
        self.arrange(Arrangement(now.conditions, now.order, now.descending, self.column.currentText()))

    def _on_cleared(self, text: str) -> None:
        if not text and self.column.currentText() in self._arrangement.conditions:
            self._typed.start()

    def _on_sorted(self, index: int, order: Qt.SortOrder) -> None:
        if self._table is None:
            return
        name = self._table.dataset.table.columns[index].name if index >= 0 else ""
        down = order == Qt.SortOrder.DescendingOrder
        self.arrange(Arrangement(self._arrangement.conditions, name, down, name or self._arrangement.summary))
        if name:
            self.column.setCurrentText(name)

    def _on_selected(self, selected: QItemSelection, _: QItemSelection) -> None:
        places = selected.indexes()
        if self._table is None or not places:
            self.pointed.emit(None)
            return
        self.pointed.emit(self._table.pointed(self.model.row(places[0].row())))
        name = self._table.dataset.table.columns[places[0].column()].name
        self.column.setCurrentText(name)


def _arranged(table: DataTable, arrangement: Arrangement, task: JobTask) -> ArrangedRows:
    return arranged(table, arrangement, task)

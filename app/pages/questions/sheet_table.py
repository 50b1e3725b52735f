"""The rows of the sheet: questions, shares, expected errors, methods and answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QDropEvent, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.wording.numbers import number, quantity, share
from app.pages.questions.planning import RowPlan
from app.releases.answers import PERHAPS_EMPTY, AnswerWithInterval, answers, scale_of
from app.releases.labels import mechanism_label
from app.widgets.interval_bar import paint_interval
from app.widgets.style import THEME
from engine.questions.question import BY_RANK

HEADER = ("Question", "ε", "Expected error", "Method", "Answer", "95 % interval", "On one scale")
QUESTION, SHARE, ERROR, METHOD, ANSWER, INTERVAL, WHISKER = range(len(HEADER))
TIPS = {
    SHARE: "Its share of the total ε. Double-click to type another one",
    METHOD: "Click a method to see the others",
    ERROR: "95 % of releases stay within it. A large error is also a percentage of the possible range",
    INTERVAL: "Holds the answer without noise with probability 95 %. Only “for the population” includes the "
    "chance of who is in the table",
    WHISKER: "The intervals of all groups on one scale; its ends stand above them",
}
"""Help for the headings."""
KEY, WHISKERS = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole.value + 1
PROBLEM = Qt.ItemDataRole.AccessibleTextRole  # drawn over several columns
WIDTHS = {SHARE: 60, ERROR: 158, METHOD: 158, ANSWER: 104, INTERVAL: 170, WHISKER: 136}
"""Pixels of columns in type of ordinary size; the question takes the rest."""
BUY = "none: click to add"
"""The interval of a row that could have one."""
MAY_BE_EMPTY = "Perhaps no row is in it; its number is then noise alone"
QUESTION_WIDTH = 250
"""Least width of the question: where there is no room, columns hide."""
HIDEABLE = (WHISKER, METHOD, ERROR)
"""Columns that hide in a narrow window, the first one first."""
ROW_HEIGHT, PADDING = 26, 11
MAX_AIRY = 17
"""Most rows that have room in presentation mode with air between them."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
MAX_OPENED = 8
"""Answers that have so many groups at most open at once."""

Index = QModelIndex | QPersistentModelIndex


@dataclasses.dataclass(frozen=True)
class Whisker:
    """The scale of all groups of a row, or an interval with its value on it."""

    lower: float
    upper: float
    unit: str
    answer: AnswerWithInterval | None = None


class WhiskerDelegate(QStyledItemDelegate):
    """Writes the ends of a scale, or draws the interval of a group on it."""

    def __init__(self, parent: SheetTable) -> None:
        super().__init__(parent)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        whisker = index.data(WHISKERS)
        rect: QRectF = QRectF(option.rect).adjusted(PADDING, 4, -PADDING, -4)
        if not isinstance(whisker, Whisker):
            return
        answer = whisker.answer
        if answer is None or answer.value is None or answer.low is None or answer.high is None:
            self._write_ends(painter, rect, whisker)
            return
        scale, numbers = (whisker.lower, whisker.upper), (answer.low, answer.value, answer.high)
        paint_interval(painter, rect, scale, numbers, THEME.palette, THEME.scale)

    def _write_ends(self, painter: QPainter, rect: QRectF, scale: Whisker) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(THEME.palette.muted))
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, number(scale.lower))
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, quantity(scale.upper, scale.unit))


def lock_words(record: ReleaseRecord) -> str:
    """Say when a row was released and for how much."""
    when = f"{record.when:%Y-%m-%d at %H:%M}"
    spent = number(record.release.privacy.epsilon)
    return f"Released on {when} for ε = {spent}; the row is locked."


class SheetTable(QTreeWidget):
    """Lists the rows; groups open below the row that they answer."""

    moved = Signal(int, int)  # the key of a row, and its new position
    share_typed = Signal(int, str)
    method_wanted = Signal(int)
    interval_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._opened: set[int] = set()
        self._seen: set[int] = set()
        self._shown: tuple[object, ...] = ()
        self._unneeded: frozenset[int] = frozenset()  # columns that presentation mode hides
        self.whiskers = WhiskerDelegate(self)
        self.setObjectName("sheet")
        self.setAccessibleName("Questions of the sheet")
        self.setHeaderLabels(HEADER)
        for column, tip in TIPS.items():
            self.headerItem().setToolTip(column, tip)
        self.setItemDelegateForColumn(WHISKER, self.whiskers)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setFrameShape(self.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for column in (SHARE, ANSWER):
            self.headerItem().setTextAlignment(column, RIGHT)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QUESTION, QHeaderView.ResizeMode.Stretch)
        self.itemDoubleClicked.connect(self._on_double_click)
        self.itemClicked.connect(self._on_click)
        self.itemChanged.connect(self._on_changed)
        for toggled in (self.itemExpanded, self.itemCollapsed):
            toggled.connect(self._on_toggled)
        THEME.follow_scale(self.set_scale)

    def set_scale(self, scale: float) -> None:
        """Set the font size."""
        for column, width in WIDTHS.items():
            self.setColumnWidth(column, round(width * scale))
        self._widen()
        self._fit()

    def _widen(self) -> None:
        """Show numbers whole."""
        for column in (ANSWER, INTERVAL):
            self.setColumnWidth(column, max(self.columnWidth(column), self.sizeHintForColumn(column)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide columns for which there is no room."""
        room, hidden = self.viewport().width(), set(self._unneeded)
        order = HIDEABLE[::-1] if hidden else HIDEABLE  # an audience sees the intervals to the last
        for column in (*order, None):
            width = QUESTION_WIDTH + sum(WIDTHS[one] for one in WIDTHS if one not in hidden)
            if width * THEME.scale <= room or column is None:
                break
            hidden.add(column)
        for column in WIDTHS:
            self.setColumnHidden(column, column in hidden)

    def show_wall(self, on: bool, rows: Sequence[AskedQuestion]) -> None:
        """Show the columns that an audience needs: before the first answer, or after it."""
        answered = any(row.released is not None for row in rows)
        needed = {ANSWER, INTERVAL, WHISKER} if answered else {SHARE, ERROR}
        unneeded = frozenset(WIDTHS.keys() - needed) if on else frozenset[int]()
        if on:
            self.clearSelection()
        items = (self.topLevelItem(index) for index in range(self.topLevelItemCount()))
        count = sum(1 + item.childCount() * item.isExpanded() for item in items if item is not None)
        if bool(self.property("tight")) != (on and count > MAX_AIRY):
            self.setProperty("tight", on and count > MAX_AIRY)
            self.style().polish(self)
        if unneeded != self._unneeded:  # else widths that the user has chosen stay
            self._unneeded = unneeded
            mode = QHeaderView.ResizeMode.Stretch if on else QHeaderView.ResizeMode.Interactive
            self.header().setSectionResizeMode(WHISKER, mode)
            if not on and (item := self.currentItem()) is not None:
                item.setSelected(True)
            self.set_scale(THEME.scale)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Write the problem of a row over the columns that it leaves empty."""
        super().drawRow(painter, option, index)
        row, problem = option.rect, index.sibling(index.row(), ERROR).data(PROBLEM)
        if problem:
            left = self.columnViewportPosition(SHARE) + self.columnWidth(SHARE) + PADDING
            room = QRect(left, row.top(), self.viewport().width() - left - PADDING, row.height())
            text = self.fontMetrics().elidedText(problem, Qt.TextElideMode.ElideRight, room.width())
            painter.setPen(QColor(THEME.palette.error))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    @property
    def key(self) -> int | None:
        """The key of the selected row; None if there is none."""
        item = self.currentItem()
        while item is not None and item.parent() is not None:
            item = item.parent()
        return None if item is None else int(item.data(QUESTION, KEY))

    def show_rows(self, rows: Sequence[AskedQuestion], plans: Mapping[int, RowPlan]) -> None:
        """Show other rows, and keep the selected one."""
        known = THEME.palette, *((row.key, row, plans.get(row.key)) for row in rows)
        if known == self._shown:
            return
        old = [row.key for row in rows if row.key in self._opened]
        self._shown, chosen = known, self.key
        with QSignalBlocker(self):
            self.clear()
            for row in rows:
                item = self._item(row, plans.get(row.key, RowPlan(row.key)))
                self.addTopLevelItem(item)
                fresh = row.key not in self._seen and 0 < item.childCount() <= MAX_OPENED
                if item.childCount():
                    self._seen.add(row.key)
                if fresh or row.key in old:
                    self._opened.add(row.key)
                    item.setExpanded(True)
                if row.key == chosen:
                    self.setCurrentItem(item)
        self._widen()

    def choose(self, key: int) -> None:
        """Select a row, and scroll to it."""
        for index in range(self.topLevelItemCount()):
            item = self.topLevelItem(index)
            if item is not None and item.data(QUESTION, KEY) == key:
                self.setCurrentItem(item)
                self.scrollToItem(item)

    def _item(self, row: AskedQuestion, plan: RowPlan) -> QTreeWidgetItem:
        texts = [row.question.title, *[""] * (len(HEADER) - 1)]
        texts[SHARE] = "" if plan.privacy is None else number(plan.privacy.epsilon)
        texts[ERROR], texts[METHOD] = plan.error or plan.reason, plan.method
        item = QTreeWidgetItem(texts)
        item.setData(QUESTION, KEY, row.key)
        item.setData(ERROR, PROBLEM, plan.problem)
        item.setTextAlignment(SHARE, RIGHT)
        item.setToolTip(QUESTION, row.question.title)
        item.setToolTip(ERROR, plan.problem or plan.reason or plan.warning)
        if plan.reason or plan.warning:
            amber = THEME.palette.text(THEME.palette.private)
            item.setForeground(ERROR, QColor(amber if plan.warning else THEME.palette.muted))
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDragEnabled
        item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if row.released is None else flags)
        if row.released is not None:
            self._show_release(item, row, row.released, bool(plan.warning))
        else:
            item.setForeground(INTERVAL, QColor(THEME.palette.muted))
            if row.question.interval:
                covered = "population, " if row.question.population else ""
                item.setText(INTERVAL, f"{covered}for {share(row.question.interval)} of ε")
            elif plan.lacks_interval:
                item.setText(INTERVAL, BUY if row.question.statistic in BY_RANK else "none")
        item.setSizeHint(QUESTION, QSize(0, ROW_HEIGHT))
        return item

    def _show_release(
        self, item: QTreeWidgetItem, row: AskedQuestion, record: ReleaseRecord, is_noise: bool
    ) -> None:
        results = answers(record)
        item.setText(SHARE, number(record.release.privacy.epsilon))
        item.setText(METHOD, mechanism_label(record.release))
        item.setToolTip(METHOD, item.text(METHOD))
        item.setToolTip(ANSWER, lock_words(record))
        bold = QFont()  # of the size of the others
        bold.setBold(True)
        item.setFont(ANSWER, bold)
        if len(results) == 1 and not results[0].group:
            self._write(item, results[0], record.unit, is_noise)
            return
        item.setTextAlignment(ANSWER, RIGHT)
        item.setText(ANSWER, f"{len(results)} groups" if row.question.by else f"{len(results)} cells")
        ends = scale_of(results)
        scale = None if ends is None else Whisker(*ends, record.unit)
        item.setData(WHISKER, WHISKERS, scale)
        for result in results:
            child = QTreeWidgetItem([result.group, *[""] * (len(HEADER) - 1)])
            child.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
            self._write(child, result, record.unit, is_noise or result.may_be_empty)
            if result.may_be_empty:
                child.setText(QUESTION, f"{result.group} ({PERHAPS_EMPTY})")
                child.setToolTip(QUESTION, MAY_BE_EMPTY)
            elif scale is not None and result.interval:
                child.setData(WHISKER, WHISKERS, dataclasses.replace(scale, answer=result))
            item.addChild(child)

    def _write(self, item: QTreeWidgetItem, answer: AnswerWithInterval, unit: str, is_noise: bool) -> None:
        item.setText(ANSWER, answer.value_words(unit))
        item.setText(INTERVAL, answer.interval_words(unit))
        item.setToolTip(INTERVAL, item.text(INTERVAL))
        item.setTextAlignment(ANSWER, RIGHT)
        for column, muted in ((ANSWER, is_noise), (INTERVAL, not answer.interval)):
            if muted:
                item.setForeground(column, QColor(THEME.palette.muted))

    def type_share(self) -> None:
        """Edit the share of the selected row."""
        item = self.currentItem()
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.editItem(item, SHARE)

    def dropEvent(self, event: QDropEvent) -> None:
        """Announce the new position; the rows follow the session."""
        chosen, over = self.key, self.indexAt(event.position().toPoint())
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if chosen is None:
            return
        while over.parent().isValid():
            over = over.parent()
        to = over.row() if over.isValid() else self.topLevelItemCount() - 1
        self.moved.emit(chosen, to)

    def _on_click(self, item: QTreeWidgetItem, column: int) -> None:
        if column == METHOD and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.method_wanted.emit(int(item.data(QUESTION, KEY)))
        elif column == INTERVAL and item.text(INTERVAL) == BUY:
            self.interval_wanted.emit(int(item.data(QUESTION, KEY)))

    def _on_double_click(self, item: QTreeWidgetItem, column: int) -> None:
        if column == SHARE:
            self.type_share()

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == SHARE and item.parent() is None:
            self._shown = ()  # the typed text gives way to the new share, or to the old one
            self.share_typed.emit(int(item.data(QUESTION, KEY)), item.text(SHARE))

    def _on_toggled(self, item: QTreeWidgetItem) -> None:
        change = self._opened.add if item.isExpanded() else self._opened.discard
        change(int(item.data(QUESTION, KEY)))

"""The rows of the sheet: questions, shares, expected errors, methods and answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QDropEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
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
from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, quantity, share
from app.pages.questions.planning import RowPlan
from app.releases.answers import AnswerWithInterval, answers
from app.releases.labels import mechanism_label

HEADER = ("Question", "ε", "Expected error", "Method", "Answer", "95 % interval", "Released")
QUESTION, SHARE, ERROR, METHOD, ANSWER, INTERVAL, WHISKER = range(len(HEADER))
KEY, WHISKERS = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole.value + 1
PROBLEM = Qt.ItemDataRole.AccessibleTextRole  # drawn over several columns
WIDTHS = {SHARE: 72, ERROR: 140, METHOD: 196, ANSWER: 110, INTERVAL: 160, WHISKER: 100}
"""Pixels of columns in type of ordinary size; the question takes the rest."""
QUESTION_WIDTH = 230
"""Least width of the question: where there is no room, columns hide."""
HIDEABLE = (WHISKER, METHOD, ERROR)
"""Columns that hide in a narrow window, the first one first."""
ROW_HEIGHT, PADDING = 26, 11
MAX_OPENED = 8
"""Answers that have so many groups at most open at once."""

Index = QModelIndex | QPersistentModelIndex


@dataclasses.dataclass(frozen=True)
class Whisker:
    """An interval with its value, on the scale of all groups of a row."""

    answer: AnswerWithInterval
    lower: float
    upper: float


class WhiskerDelegate(QStyledItemDelegate):
    """Draws the interval of a group beside those of the others."""

    def __init__(self, parent: SheetTable) -> None:
        super().__init__(parent)
        self.palette: Palette = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        whisker = index.data(WHISKERS)
        rect: QRectF = QRectF(option.rect).adjusted(8, 4, -8, -4)
        if not isinstance(whisker, Whisker) or whisker.answer.value is None or whisker.upper <= whisker.lower:
            return

        def x_of(value: float) -> float:
            return rect.left() + rect.width() * (value - whisker.lower) / (whisker.upper - whisker.lower)

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, middle = QColor(self.palette.released), rect.center().y()
        painter.setPen(QPen(colour, 1.6))
        low, high = whisker.answer.low, whisker.answer.high
        if low is not None and high is not None:
            painter.drawLine(QPointF(x_of(low), middle), QPointF(x_of(high), middle))
            for end in (low, high):
                painter.drawLine(QPointF(x_of(end), middle - 4), QPointF(x_of(end), middle + 4))
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(QPointF(x_of(whisker.answer.value), middle), 3.5, 3.5)
        painter.restore()


def lock_words(record: ReleaseRecord) -> str:
    """Say when a row was released and for how much."""
    when = f"{record.when:%Y-%m-%d at %H:%M}"
    spent = number(record.release.privacy.epsilon)
    return f"Released on {when} for ε = {spent}. The row is locked: a release cannot be undone."


class SheetTable(QTreeWidget):
    """Lists the rows; groups open below the row that they answer."""

    moved = Signal(int, int)  # the key of a row, and its new position
    removed = Signal(int)
    duplicated = Signal(int)
    share_typed = Signal(int, str)
    method_wanted = Signal(int)
    menu_wanted = Signal(int, object)  # the key of a row, and where on the screen

    def __init__(self) -> None:
        super().__init__()
        self._palette = LIGHT
        self._opened: set[int] = set()
        self._seen: set[int] = set()
        self._shown: tuple[object, ...] = ()
        self.whiskers = WhiskerDelegate(self)
        self.setObjectName("sheet")
        self.setAccessibleName("Questions of the sheet")
        self.setHeaderLabels(HEADER)
        self.setItemDelegateForColumn(WHISKER, self.whiskers)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setFrameShape(self.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.headerItem().setTextAlignment(SHARE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QUESTION, QHeaderView.ResizeMode.Stretch)
        self.itemDoubleClicked.connect(self._on_double_click)
        self.itemClicked.connect(self._on_click)
        self.itemChanged.connect(self._on_changed)
        self.itemExpanded.connect(self._on_expanded)
        self.itemCollapsed.connect(self._on_collapsed)
        self.set_scale(1.0)

    def set_palette(self, palette: Palette) -> None:
        self._palette = self.whiskers.palette = palette
        self._shown = ()

    def set_scale(self, scale: float) -> None:
        """Set the font size."""
        self._scale = scale
        for column, width in WIDTHS.items():
            self.setColumnWidth(column, round(width * scale))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide columns for which there is no room."""
        room, hidden = self.viewport().width(), set[int]()
        for column in (*HIDEABLE, None):
            width = QUESTION_WIDTH + sum(WIDTHS[one] for one in WIDTHS if one not in hidden)
            if width * self._scale <= room or column is None:
                break
            hidden.add(column)
        for column in HIDEABLE:
            self.setColumnHidden(column, column in hidden)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Write the problem of a row over the columns that it leaves empty."""
        super().drawRow(painter, option, index)
        row, problem = option.rect, index.sibling(index.row(), ERROR).data(PROBLEM)
        if problem:
            left = self.columnViewportPosition(SHARE) + self.columnWidth(SHARE) + PADDING
            room = QRect(left, row.top(), self.viewport().width() - left - PADDING, row.height())
            text = self.fontMetrics().elidedText(problem, Qt.TextElideMode.ElideRight, room.width())
            painter.setPen(QColor(self._palette.error))
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
        known = tuple((row.key, row, plans.get(row.key)) for row in rows)
        if known == self._shown:
            return
        old = [row.key for row in rows if row.key in self._opened]
        self._shown, chosen = known, self.key
        self.blockSignals(True)
        self.clear()
        for row in rows:
            item = self._item(row, plans.get(row.key))
            self.addTopLevelItem(item)
            fresh = row.key not in self._seen and 0 < item.childCount() <= MAX_OPENED
            if item.childCount():
                self._seen.add(row.key)
            if fresh or row.key in old:
                self._opened.add(row.key)
                item.setExpanded(True)
            if row.key == chosen:
                self.setCurrentItem(item)
        self.blockSignals(False)

    def choose(self, key: int) -> None:
        """Select a row, and scroll to it."""
        for index in range(self.topLevelItemCount()):
            item = self.topLevelItem(index)
            if item is not None and item.data(QUESTION, KEY) == key:
                self.setCurrentItem(item)
                self.scrollToItem(item)

    def _item(self, row: AskedQuestion, plan: RowPlan | None) -> QTreeWidgetItem:
        texts = [row.question.title, *[""] * (len(HEADER) - 1)]
        if plan is not None:
            texts[SHARE] = "" if plan.privacy is None else number(plan.privacy.epsilon)
            texts[ERROR], texts[METHOD] = plan.error or plan.reason, plan.method
        item = QTreeWidgetItem(texts)
        item.setData(QUESTION, KEY, row.key)
        item.setTextAlignment(SHARE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(QUESTION, row.question.title)
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if row.released is None:
            item.setFlags(flags | Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsEditable)
            self._show_plan(item, plan)
            if row.question.interval:
                covered = "population, " if row.question.population else ""
                item.setText(INTERVAL, f"{covered}for {share(row.question.interval)} of ε")
                item.setForeground(INTERVAL, QBrush(QColor(self._palette.muted)))
        else:
            item.setFlags(flags | Qt.ItemFlag.ItemIsDragEnabled)
            self._show_release(item, row)
        item.setSizeHint(QUESTION, QSize(0, ROW_HEIGHT))
        return item

    def _show_plan(self, item: QTreeWidgetItem, plan: RowPlan | None) -> None:
        if plan is None:
            return
        item.setToolTip(SHARE, "Double-click to type another share of the total")
        item.setToolTip(METHOD, "Click to see the other methods")
        item.setToolTip(ERROR, plan.problem or plan.reason)
        item.setData(ERROR, PROBLEM, plan.problem)
        if plan.reason:
            item.setForeground(ERROR, QBrush(QColor(self._palette.muted)))

    def _show_release(self, item: QTreeWidgetItem, row: AskedQuestion) -> None:
        record = row.released
        assert record is not None
        results = answers(record)
        item.setText(SHARE, number(record.release.privacy.epsilon))
        item.setText(ERROR, "")
        item.setText(METHOD, mechanism_label(record.release))
        item.setText(WHISKER, f"{record.when:%d %b}")
        item.setToolTip(WHISKER, lock_words(record))
        item.setForeground(WHISKER, QBrush(QColor(self._palette.muted)))
        bold = QFont(self.font())
        bold.setBold(True)
        item.setFont(ANSWER, bold)
        if len(results) == 1 and not results[0].group:
            self._write(item, results[0], record.unit)
            return
        item.setText(ANSWER, f"{len(results)} groups" if row.question.by else f"{len(results)} cells")
        ends = [end for one in results for end in (one.low, one.value, one.high) if end is not None]
        for result in results:
            child = QTreeWidgetItem([result.group, *[""] * (len(HEADER) - 1)])
            child.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
            self._write(child, result, record.unit)
            child.setData(WHISKER, WHISKERS, Whisker(result, min(ends), max(ends)) if ends else None)
            item.addChild(child)

    def _write(self, item: QTreeWidgetItem, answer: AnswerWithInterval, unit: str) -> None:
        item.setText(ANSWER, answer.value_words(unit))
        item.setText(INTERVAL, answer.interval_words(unit))
        if answer.value is not None and answer.interval is not None:
            reach = max(abs(end - answer.value) for end in answer.interval)
            item.setText(ERROR, f"± {quantity(reach, unit)}")
        if not answer.interval:
            item.setForeground(INTERVAL, QBrush(QColor(self._palette.muted)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        steps: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        chosen = self.key
        if chosen is None:
            super().keyPressEvent(event)
        elif alt and key in steps:
            self.moved.emit(chosen, self._position(chosen) + steps[key])
        elif key == Qt.Key.Key_Delete:
            self.removed.emit(chosen)
        elif key == Qt.Key.Key_Insert:
            self.duplicated.emit(chosen)
        elif key == Qt.Key.Key_F2:
            self.type_share()
        else:
            super().keyPressEvent(event)

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

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        chosen = self.key
        if chosen is not None:
            self.menu_wanted.emit(chosen, event.globalPos())

    def _position(self, key: int) -> int:
        items = (self.topLevelItem(index) for index in range(self.topLevelItemCount()))
        return [item.data(QUESTION, KEY) for item in items if item is not None].index(key)

    def _on_click(self, item: QTreeWidgetItem, column: int) -> None:
        if column == METHOD and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.method_wanted.emit(int(item.data(QUESTION, KEY)))

    def _on_double_click(self, item: QTreeWidgetItem, column: int) -> None:
        if column == SHARE:
            self.type_share()

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == SHARE and item.parent() is None:
            self._shown = ()  # the typed text gives way to the new share, or to the old one
            self.share_typed.emit(int(item.data(QUESTION, KEY)), item.text(SHARE))

    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        self._opened.add(int(item.data(QUESTION, KEY)))

    def _on_collapsed(self, item: QTreeWidgetItem) -> None:
        self._opened.discard(int(item.data(QUESTION, KEY)))

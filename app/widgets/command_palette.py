"""The command palette: a list of all commands over the window, searched by words."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.model.wording.numbers import escape
from app.widgets.form_row import line_edit
from app.widgets.layouts import stack
from app.widgets.plot_table import quiet_table
from app.widgets.style import THEME

WIDTH, ROW_HEIGHT, MAX_ROWS = 640, 30, 11
"""Pixels of the list and of a row, at the ordinary font size; most visible rows."""
TOP_SHARE, HINT_SHARE = 0.09, 0.55
"""Distance from the top as a share of the window; most of a row for its keys, or why it is disabled."""
CHOSEN_MARK, NO_MARK = "✓  ", "     "
MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Tab: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Backtab: -1}
PAGES = {Qt.Key.Key_PageDown: MAX_ROWS - 1, Qt.Key.Key_PageUp: 1 - MAX_ROWS}
"""Keys that move by a row or by a page, and the number of rows."""
POPUP = Qt.FocusReason.PopupFocusReason
KEYS = (*MOVES, *PAGES, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


@dataclasses.dataclass(frozen=True)
class Command:
    """A command, such as "Method: Exponential mechanism"; `why` explains why it is disabled."""

    group: str
    text: str
    keys: str
    run: Callable[[], object]
    enabled: bool = True
    why: str = ""
    chosen: bool = False
    tip: str = ""
    keywords: str = ""

    @property
    def name(self) -> str:
        return f"{self.group}: {self.text}"

    @property
    def spoken(self) -> str:
        """The text for screen readers."""
        hint = "" if self.enabled or not self.why else f"not now: {self.why}"
        return ", ".join(filter(None, (self.name, "chosen" if self.chosen else "", self.keys, hint)))


NOTHING = Command("No match", "try “quantile” or “histogram”", "", bool, enabled=False)


def rank(commands: Iterable[Command], typed: str, used: Sequence[str]) -> list[Command]:
    """Return the commands that match every typed word: best match, then enabled, then last used first."""
    terms, last_used = typed.lower().split(), {name: index for index, name in enumerate(used)}
    matches = []
    for command in commands:
        level = sum(_match_level(term, command) for term in terms)
        if level < NO_MATCH:
            matches.append((level, not command.enabled, last_used.get(command.name, len(used)), command))
    return [command for *_, command in sorted(matches, key=lambda match: match[:3])]


NO_MATCH = 1_000_000
"""More than the levels of all typed words together."""


def _match_level(term: str, command: Command) -> int:
    """Return 0 for a whole word of the text, 1 to 3 for the beginning of a word, 4 within a word."""
    parts = [re.findall(r"\w+", text.lower()) for text in (command.text, command.keywords, command.group)]
    if term in parts[0]:
        return 0
    starts = (level for level, own in enumerate(parts, 1) if any(word.startswith(term) for word in own))
    return next(starts, 4 if term in command.name.lower() else NO_MATCH)


class CommandPalette(QWidget):
    """An overlay that dims the window while the user searches a command.

    `of_typed` returns commands made from the typed text itself, which come first in `shown`.
    """

    ran = Signal(object)  # the command that runs next

    def __init__(self, over: QWidget, of_typed: Callable[[str], Iterable[Command]]) -> None:
        super().__init__(over)
        self.setObjectName("shade")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._over, self._of_typed = over, of_typed
        self._commands: Sequence[Command] = ()
        self._used: Sequence[str] = ()
        self._before: QWidget | None = None
        self.shown: list[Command] = []
        self.frame = QFrame(self)
        self.frame.setObjectName("commands")
        tip = "A few letters of it; ↑ ↓ choose, Enter does it, Esc closes"
        self.field = line_edit("Find a command", "What do you want to do?", tip)
        self.field.textChanged.connect(self._search)
        self.list = QTableWidget(0, 2)
        quiet_table(self.list, "Commands", ROW_HEIGHT)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.horizontalHeader().hide()
        self.list.horizontalHeader().setStretchLastSection(False)
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self.run)
        stack(self.frame, self.field, self.list, margins=6, spacing=4)
        self.hide()
        THEME.follow_scale(self.set_scale)

    @property
    def current(self) -> Command | None:
        row = self.list.currentRow()
        return self.shown[row] if row >= 0 else None

    def open(self, commands: Sequence[Command], used: Sequence[str] = ()) -> None:
        """Offer commands; `used` are the names of the last used ones, newest first."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
            self.field.clear()
        self._commands, self._used = commands, used
        self._search()
        for watched in (self._over, self.field):
            watched.installEventFilter(self)
        self.show()
        self.raise_()
        self.field.setFocus(POPUP)

    def dismiss(self) -> None:
        """Close without running a command, and return the keyboard focus."""
        if not self.isVisible():
            return
        self.hide()
        for watched in (self._over, self.field):
            watched.removeEventFilter(self)
        self._commands, self.shown = (), []  # they hold on to the objects that run them
        self.list.setRowCount(0)
        if self._before is not None and self.window().isActiveWindow():
            self._before.setFocus(POPUP)

    def run(self) -> None:
        """Run the chosen command if it is enabled."""
        command = self.current
        if command is not None and command.enabled:
            self.dismiss()
            self.ran.emit(command)
            command.run()

    def set_scale(self, scale: float) -> None:
        """Show rows in this size of type."""
        self.list.verticalHeader().setDefaultSectionSize(round(ROW_HEIGHT * scale))
        self._fit()

    def mousePressEvent(self, event: QEvent) -> None:
        self.dismiss()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the window; handle the keys of the list before menus, shortcuts and the focus do."""
        if watched is self._over:
            if event.type() == QEvent.Type.Resize:
                self._fit()
        elif isinstance(event, QKeyEvent) and event.key() in KEYS:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._press(Qt.Key(event.key()))
            return True
        elif isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() != POPUP:
            self.dismiss()  # but not for the context menu of the field
        return False

    def _press(self, key: Qt.Key) -> None:
        row, rows = self.list.currentRow(), len(self.shown)
        if key in MOVES:
            self._choose((row + MOVES[key]) % rows)
        elif key in PAGES:
            self._choose(min(max(row + PAGES[key], 0), rows - 1))
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            self.run()

    def _search(self) -> None:
        typed = self.field.text()
        self.shown = [*self._of_typed(typed), *rank(self._commands, typed, self._used)] or [NOTHING]
        self.list.setRowCount(len(self.shown))
        for row, command in enumerate(self.shown):
            name = QTableWidgetItem(f"{CHOSEN_MARK if command.chosen else NO_MARK}{command.name}")
            name.setData(Qt.ItemDataRole.AccessibleTextRole, command.spoken)
            name.setToolTip(escape(command.tip))
            hint = QTableWidgetItem(command.keys if command.enabled else command.why)
            hint.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for item in (hint,) if command.enabled else (name, hint):
                item.setForeground(QColor(THEME.palette.muted))
            self.list.setItem(row, 0, name)
            self.list.setItem(row, 1, hint)
        self._choose(0)
        self._fit()

    def _choose(self, row: int) -> None:
        self.list.setCurrentCell(row, 0)
        if self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, self.shown[row].spoken))

    def _fit(self) -> None:
        """Cover the window, and show as many rows as fit."""
        self.setGeometry(self._over.rect())
        height, row = self.height() * (1 - 2 * TOP_SHARE), self.list.verticalHeader().defaultSectionSize()
        fitting = int((height - self.field.sizeHint().height()) // row) - 1
        self.list.setFixedHeight(min(len(self.shown), MAX_ROWS, max(1, fitting)) * row + 2)
        width = min(round(WIDTH * THEME.scale), self.width() - 32)
        self.list.setColumnWidth(1, min(self.list.sizeHintForColumn(1), round(HINT_SHARE * width)))
        self.frame.setFixedWidth(width)
        self.frame.adjustSize()
        self.frame.move((self.width() - width) // 2, round(TOP_SHARE * self.height()))

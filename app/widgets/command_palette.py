"""A list of everything that can be done, over a window: found by words and run by Enter."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QBrush, QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.model.theme import Palette
from app.model.wording.numbers import escape
from app.widgets.layouts import stack

WIDTH, ROW, MAX_ROWS = 640, 30, 11
"""Pixels of the list and of a row, at ordinary size of type; rows in sight."""
TOP = 0.09
"""Where it begins, as a share of the height of the window."""
CHOSEN, OTHER = "✓  ", "     "
"""In front of a choice that holds already, and of all else."""
MAX_HINT_SHARE = 0.55
"""Share of a row that keys may take, or why it cannot be run."""
MAX_RECENT = 8
"""How many of the commands used last stand higher than their words alone would have them."""
BEGINNING, LATER, HEADING, KEYWORD, INSIDE, DISABLED = 10, 4, 30, 25, 50, 25
"""Costs of a match: at the beginning of a longer word, for each word before it, in the heading, in a keyword,
inside a word; and of a command that cannot be run now."""
MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MAX_ROWS - 1,
    Qt.Key.Key_PageUp: 1 - MAX_ROWS,
    Qt.Key.Key_Tab: 1,
    Qt.Key.Key_Backtab: -1,
}
"""Keys that move in the list, by so many rows."""
ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


@dataclasses.dataclass(frozen=True)
class Command:
    """One thing that can be done, such as "Method: Exponential mechanism"."""

    group: str
    text: str
    keys: str
    run: Callable[[], object]
    enabled: bool = True
    why: str = ""  # it is not enabled
    chosen: bool = False
    tip: str = ""
    keywords: str = ""

    @property
    def name(self) -> str:
        """Group and text."""
        return f"{self.group}: {self.text}"

    @property
    def spoken(self) -> str:
        """The text for screen readers."""
        hint = "" if self.enabled else f"not now: {self.why}"
        return ", ".join(filter(None, (self.name, "chosen" if self.chosen else "", self.keys, hint)))


def rank(commands: Iterable[Command], typed: str, used: Sequence[str]) -> list[Command]:
    """Return the commands that hold all words of `typed`, best first; `used` are names, the newest first."""
    terms = typed.lower().split()
    bonus = {name: (MAX_RECENT - i) * (1 if terms else 100) for i, name in enumerate(used[:MAX_RECENT])}
    costs = (
        (_cost(terms, one) + DISABLED * (not one.enabled) - bonus.get(one.name, 0), one) for one in commands
    )
    return [
        command
        for _, command in sorted((pair for pair in costs if pair[0] < float("inf")), key=lambda pair: pair[0])
    ]


def _cost(terms: Sequence[str], command: Command) -> float:
    """Return how badly all terms fit a command; infinity where one of them is nowhere in it."""
    places = ((command.text, 0, LATER), (command.group, HEADING, LATER), (command.keywords, KEYWORD, 0))
    targets = [
        (word, base + later * i)
        for text, base, later in places
        for i, word in enumerate(re.findall(r"\w+", text.lower()))
    ]
    total, name = 0.0, command.name.lower()
    for term in terms:
        fits = [cost + BEGINNING * (word != term) for word, cost in targets if word.startswith(term)]
        total += min(fits) if fits else INSIDE if term in name else float("inf")
    return total


def _hint(text: str, colour: QBrush) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setForeground(colour)
    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item


class CommandPalette(QWidget):
    """Lies over a window, which it dims, while the user looks for a command.

    `of_typed` returns the commands that follow from the typed text itself; they stand first in `shown`. `ran`
    tells of a command that is run now.
    """

    ran = Signal(object)

    def __init__(self, over: QWidget, of_typed: Callable[[str], Iterable[Command]]) -> None:
        super().__init__(over)
        self.setObjectName("shade")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._over, self._of_typed = over, of_typed
        self._scale, self._muted = 1.0, QBrush()
        self._commands: Sequence[Command] = ()
        self._used: Sequence[str] = ()
        self._before: QWidget | None = None
        self.shown: list[Command] = []
        self.frame = QFrame(self)
        self.frame.setObjectName("commands")
        self.field = QLineEdit()
        self.field.setAccessibleName("Find a command")
        self.field.setPlaceholderText("What do you want to do?")
        self.field.setToolTip("A few letters of it; ↑ ↓ choose, Enter does it, Esc closes")
        self.field.textChanged.connect(self._search)
        self.list = QTableWidget(0, 2)
        self.list.setAccessibleName("Commands")
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setShowGrid(False)
        self.list.verticalHeader().hide()
        self.list.horizontalHeader().hide()
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self.run)
        self.nothing = QLabel("Nothing is called like that.")
        self.nothing.setObjectName("caption")
        stack(self.frame, self.field, self.list, self.nothing, margins=6, spacing=4)
        self.hide()
        self.field.installEventFilter(self)

    @property
    def current(self) -> Command | None:
        """The chosen command."""
        row = self.list.currentRow()
        return self.shown[row] if row >= 0 else None

    def open(self, commands: Sequence[Command], used: Sequence[str] = ()) -> None:
        """Offer commands; those whose names are in `used`, newest first, stand before others."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
            self.field.clear()
        self._commands, self._used = commands, used
        self._search()
        self._over.installEventFilter(self)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Close without running anything; the keyboard goes back to where it was."""
        if not self.isVisible():
            return
        self.hide()
        self._over.removeEventFilter(self)
        self._commands, self.shown = (), []  # they hold on to the objects that run them
        self.list.setRowCount(0)
        before, self._before = self._before, None
        if before is not None and self.window().isActiveWindow():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def run(self) -> None:
        """Run the chosen command, if it can be run."""
        command = self.current
        if command is not None and command.enabled:
            self.dismiss()
            self.ran.emit(command)
            command.run()

    def set_palette(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme, and a size of type."""
        self._scale = scale
        self._muted = QBrush(QColor(palette.muted))
        self.list.verticalHeader().setDefaultSectionSize(round(ROW * scale))
        self._fit()

    def mousePressEvent(self, event: QEvent) -> None:
        self.dismiss()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the window; take the keys of the list before menus, shortcuts and the focus do."""
        if watched is self._over:
            if event.type() == QEvent.Type.Resize:
                self._fit()
        elif isinstance(event, QKeyEvent) and (event.key() in MOVES or event.key() in ENDS):
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._press(Qt.Key(event.key()))
            return True
        elif isinstance(event, QFocusEvent) and event.lostFocus():
            self._leave(event.reason())
        return False

    def _leave(self, reason: Qt.FocusReason) -> None:
        if reason != Qt.FocusReason.PopupFocusReason:  # which the field's own menu gives
            self.dismiss()

    def _press(self, key: Qt.Key) -> None:
        if key == Qt.Key.Key_Escape:
            self.dismiss()
        elif key in ENDS:
            self.run()
        elif rows := len(self.shown):
            row = self.list.currentRow() + MOVES[key]
            self._choose(row % rows if abs(MOVES[key]) == 1 else min(max(row, 0), rows - 1))

    def _search(self) -> None:
        typed = self.field.text()
        self.shown = [*self._of_typed(typed), *rank(self._commands, typed, self._used)]
        self.list.setRowCount(len(self.shown))
        for row, command in enumerate(self.shown):
            hint = command.keys if command.enabled else command.why
            name = QTableWidgetItem(f"{CHOSEN if command.chosen else OTHER}{command.name}")
            name.setData(Qt.ItemDataRole.AccessibleTextRole, command.spoken)
            name.setToolTip(escape(command.tip))
            if not command.enabled:
                name.setForeground(self._muted)
            self.list.setItem(row, 0, name)
            self.list.setItem(row, 1, _hint(hint, self._muted))
        self.list.setVisible(bool(self.shown))
        self.nothing.setVisible(not self.shown)
        if self.shown:
            self._choose(0)
        self._fit()

    def _choose(self, row: int) -> None:
        self.list.setCurrentCell(row, 0)
        if self.isVisible() and self.current is not None:
            said = QAccessibleAnnouncementEvent(self.field, self.current.spoken)
            QAccessible.updateAccessibility(said)

    def _fit(self) -> None:
        """Lie over the window, with as many rows as there are and fit."""
        self.setGeometry(self._over.rect())
        room, row = self.height() * (1 - 2 * TOP) - self.field.sizeHint().height(), round(ROW * self._scale)
        rows = min(len(self.shown), MAX_ROWS, max(1, int(room // row) - 1))
        self.list.setFixedHeight(rows * row + 2)
        width = min(round(WIDTH * self._scale), self.width() - 32)
        self.list.setColumnWidth(1, min(self.list.sizeHintForColumn(1), round(MAX_HINT_SHARE * width)))
        self.frame.setFixedWidth(width)
        self.frame.adjustSize()
        self.frame.move((self.width() - width) // 2, round(TOP * self.height()))

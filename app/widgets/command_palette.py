"""A list of everything that can be done, over a window: found by a few letters, run by Enter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QListView, QWidget

from app.model.theme import Palette
from app.model.wording.formatting import escape
from app.widgets.command import Command, ranked
from app.widgets.command_lines import ENTRY, LETTERS, CommandLines
from app.widgets.layouts import stack

WIDTH, ROW, MAX_ROWS = 640, 30, 11
"""Pixels of the list and of a line of it, at ordinary size of type; lines in sight."""
TOP = 0.09
"""Where it begins, as a share of the height of the window."""


class FoundCommands(QAbstractListModel):
    """What was found, for the list."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[tuple[Command, tuple[int, ...]]] = []

    def show(self, lines: list[tuple[Command, tuple[int, ...]]]) -> None:
        """Take other lines."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return how many there are."""
        return len(self.lines)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        """Return a line, its words, or more about it."""
        if not index.isValid():
            return None
        entry, letters = self.lines[index.row()]
        return {
            Qt.ItemDataRole.DisplayRole: entry.name,
            Qt.ItemDataRole.ToolTipRole: escape(entry.tip),
            Qt.ItemDataRole.AccessibleTextRole: entry.spoken,
            ENTRY: entry,
            LETTERS: letters,
        }.get(role)


class Field(QLineEdit):
    """Takes the letters; keys that move in the list, run or close go to the palette, and to no menu."""

    moved = Signal(int)
    run_asked = Signal()
    close_asked = Signal()

    steps = {  # noqa: RUF012
        Qt.Key.Key_Down: 1,
        Qt.Key.Key_Up: -1,
        Qt.Key.Key_PageDown: MAX_ROWS - 1,
        Qt.Key.Key_PageUp: 1 - MAX_ROWS,
        Qt.Key.Key_Tab: 1,
        Qt.Key.Key_Backtab: -1,
    }
    ends = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the palette from the shortcuts of the window, and Tab from other widgets."""
        if isinstance(event, QKeyEvent) and (event.key() in self.steps or event.key() in self.ends):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.keyPressEvent(event)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, run or close."""
        key = Qt.Key(event.key())
        if key in self.steps:
            self.moved.emit(self.steps[key])
        elif key == Qt.Key.Key_Escape:
            self.close_asked.emit()
        elif key in self.ends:
            self.run_asked.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close with the focus, which only the field's own menu may borrow."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.close_asked.emit()


class CommandPalette(QWidget):
    """Lies over a window, which it dims, while the user looks for a command.

    Signals
    -------
    ran(Command)
        It was closed, and is run now.
    """

    ran = Signal(object)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("shade")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._over = over
        self._scale = 1.0
        self._entries: tuple[Command, ...] = ()
        self.of_typed: Callable[[str], Iterable[Command]] = lambda _: ()
        self._used: tuple[str, ...] = ()
        self._before: QWidget | None = None
        self.frame = QFrame(self)
        self.frame.setObjectName("commands")
        self.field = Field()
        self.field.setAccessibleName("Find a command")
        self.field.setPlaceholderText("What do you want to do?")
        self.field.setToolTip("A few letters of it; ↑ ↓ choose, Enter does it, Esc closes")
        self.field.textChanged.connect(self._search)
        self.field.moved.connect(self._move)
        self.field.run_asked.connect(self.run)
        self.field.close_asked.connect(self.hide_again)
        self.found = FoundCommands(self)
        self.list = QListView()
        self.list.setAccessibleName("Commands")
        self.list.setModel(self.found)
        self.drawing = CommandLines(self.list)
        self.list.setItemDelegate(self.drawing)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.clicked.connect(self._on_clicked)
        self.nothing = QLabel("Nothing is called like that.")
        self.nothing.setObjectName("caption")
        stack(self.frame, self.field, self.list, self.nothing, margins=6, spacing=4)
        self.hide()
        over.installEventFilter(self)

    def open(self, entries: Sequence[Command], used: Sequence[str] = ()) -> None:
        """Offer `entries`; those whose names are in `used`, newest first, stand before others."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
            self.field.clear()
        self._entries, self._used = tuple(entries), tuple(used)
        self._search()
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def hide_again(self) -> None:
        """Go away without doing anything; the keyboard goes back to where it was."""
        if not self.isVisible():
            return
        self.hide()
        # entries hold on to what they do it with
        self._entries = ()
        self.found.show([])
        before, self._before = self._before, None
        if before is not None and self.window().isActiveWindow():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def run(self) -> None:
        """Do what is chosen in the list, if it can be done."""
        entry = self.current
        if entry is not None and entry.enabled:
            self.hide_again()
            self.ran.emit(entry)
            entry.run()

    @property
    def current(self) -> Command | None:
        """What is chosen in the list."""
        row = self.list.currentIndex().row()
        return self.found.lines[row][0] if row >= 0 else None

    def set_palette(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme, and a size of type."""
        self._scale = scale
        self.drawing.set_palette(palette, round(ROW * scale))
        self._place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close: the user clicked beside it."""
        self.hide_again()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window that this lies over."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _search(self) -> None:
        typed = self.field.text()
        values = [(entry, ()) for entry in self.of_typed(typed)]
        self.found.show([*values, *ranked(self._entries, typed, self._used)])
        some = bool(self.found.lines)
        self.list.setVisible(some)
        self.nothing.setVisible(not some)
        if some:
            self._choose(0)
        self._place()

    def _move(self, steps: int) -> None:
        last = len(self.found.lines) - 1
        row = self.list.currentIndex().row() + steps
        if abs(steps) == 1:
            row = 0 if row > last else last if row < 0 else row
        if last >= 0:
            self._choose(min(max(row, 0), last))

    def _choose(self, row: int) -> None:
        # what cannot be done now can be looked at all the same
        self.list.setCurrentIndex(self.found.index(row))
        if self.isVisible():
            text = self.found.lines[row][0].spoken
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, text))

    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index.row())
        self.run()

    def _place(self) -> None:
        self.setGeometry(self._over.rect())
        rows = min(len(self.found.lines), MAX_ROWS)
        room = self.height() * (1 - 2 * TOP)
        height = round(ROW * self._scale)
        fitting = max(1, int((room - self.field.sizeHint().height()) // height) - 1)
        self.list.setFixedHeight(min(rows, fitting) * height + 2)
        width = min(round(WIDTH * self._scale), self.width() - 32)
        self.frame.setFixedWidth(width)
        self.frame.adjustSize()
        self.frame.move((self.width() - width) // 2, round(TOP * self.height()))

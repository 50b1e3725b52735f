"""The command palette of the window: what it offers, and in what order it was used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QWidget

from app.model.theme import Palette
from app.recent_files import texts
from app.widgets.command import Command
from app.widgets.command_palette import CommandPalette
from app.window.command_sources import RECENT, CommandSource

KEY = "palette/used"
KEPT = 20
"""How many of what was used last are remembered."""


class CommandProvider(QObject):
    """Opens the palette of a window, and remembers what was used.

    Parameters
    ----------
    action : QAction
        Opens the palette.
    of_typed : callable
        Returns what follows from the typed text itself, which stands first.

    Attributes
    ----------
    sources : list of callable
        Each `CommandSource` offers more.
    """

    def __init__(
        self,
        window: QWidget,
        action: QAction,
        sources: Sequence[CommandSource],
        store: QSettings | None,
        of_typed: Callable[[str], Iterable[Command]] = lambda _: (),
    ) -> None:
        super().__init__(window)
        self._window = window
        self._action = action
        self._store = store
        self.sources = list(sources)
        self.used: list[str] = [] if store is None else texts(store.value(KEY, ""))[:KEPT]
        self.palette = CommandPalette(window)
        self.palette.of_typed = of_typed
        self.palette.ran.connect(self._on_ran)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the keys of the palette from a field: on many systems Ctrl+K deletes to the end of a line."""
        taken = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and QKeySequence(event.keyCombination()) == self._action.shortcut()
        )
        if taken:
            event.ignore()
        return taken

    def open(self) -> None:
        """Open the palette, or close it when it is open."""
        if self.palette.isVisible():
            self.palette.hide_again()
        else:
            self.palette.open(self.entries(), self.used)

    def entries(self) -> list[Command]:
        """Return everything that can be done now."""
        return [entry for source in self.sources for entry in source()]

    def refresh(self) -> None:
        """Offer what can be done now, after something was read or chosen in the meantime."""
        if self.palette.isVisible():
            self.palette.open(self.entries(), self.used)

    def set_look(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme and the size of type."""
        self.palette.set_palette(palette, scale)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Watch the keys of the field that has the focus, and of no other widget."""
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, QLineEdit | QAbstractSpinBox | QPlainTextEdit) and new.window() is self._window:
            new.installEventFilter(self)

    def _on_ran(self, entry: Command) -> None:
        if entry.group == RECENT:
            return
        self.used = [entry.name, *(name for name in self.used if name != entry.name)][:KEPT]
        if self._store is not None:
            self._store.setValue(KEY, json.dumps(self.used))

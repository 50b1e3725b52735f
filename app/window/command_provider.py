"""What the command palette of the window offers, and in what order it was used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from app.actions import ACTIONS
from app.lessons.lesson import Lesson
from app.lessons.lessons_page import read_all
from app.recent_files import names, texts
from app.settings import SETTINGS
from app.widgets.command_palette import Command, CommandPalette
from app.widgets.tabs import Tabs
from engine.errors import DataError

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Provider = Callable[[], Iterable[Command]]
"""Says, each time the palette is opened, what can be done."""

KEY = "palette/used"
KEPT = 20
"""How many of what was used last are remembered."""
FORGOTTEN = "Recent file"
"""What is remembered elsewhere, and can be forgotten there."""
GROUPS = {"view": "View", "theme": "Colours", "page": "Page"}
"""What actions are called that exclude each other; others by their menu."""
WHY_NOT = {
    "undo": "there is nothing to undo",
    "redo": "there is nothing to do again",
    "put_back": "nothing was moved by hand",
    "run": "first set right what is explained at the right",
    "controls": "only in a lesson, where the right column has no room",
}
"""Why an action cannot be used now; others are left out then."""


class CommandProvider(QObject):
    """Opens the palette of a window, and remembers what was used.

    Attributes
    ----------
    providers : list of callable
        Whoever has more to offer adds a `Provider`.
    """

    def __init__(self, window: MainWindow, store: QSettings | None) -> None:
        super().__init__(window)
        self._window = window
        self._store = store
        self._lessons: Sequence[Lesson] = ()
        self.used: list[str] = [] if store is None else texts(store.value(KEY, ""))[:KEPT]
        self.palette = CommandPalette(window)
        self.palette.ran.connect(self._on_ran)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        self.reading = window.jobs.channel("lessons for the palette")
        self.reading.result.connect(self._on_read)
        window.helper.loaded.connect(self._offer_again)
        self.providers: list[Provider] = [
            partial(provider, window) for provider in (actions, pictures, choices, examples, recent_files)
        ]
        self.providers += [self._offer_lessons, partial(settings, window), partial(help_pages, window)]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the keys of the palette from a field: on many systems Ctrl+K deletes to the end of a line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            keys = self._window.actions_by_name["palette"].shortcut()
            if QKeySequence(event.keyCombination()) == keys:
                event.ignore()
                return True
        return False

    def open(self) -> None:
        """Open the palette, or close it when it is open."""
        if self.palette.isVisible():
            self.palette.hide_again()
            return
        if not self._lessons:
            self.reading.request(read_all)
        self.palette.open(self.entries(), self.used)

    def entries(self) -> list[Command]:
        """Return everything that can be done now."""
        return [entry for provider in self.providers for entry in provider()]

    def _offer_lessons(self) -> list[Command]:
        return [
            Command("Lesson", lesson.title, "", partial(self._window.play, lesson), tip=lesson.summary)
            for lesson in self._lessons
        ]

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Watch the keys of the field that has the focus, and of no other widget."""
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, QLineEdit | QAbstractSpinBox | QPlainTextEdit) and new.window() is self._window:
            new.installEventFilter(self)

    def _on_read(self, found: tuple[Sequence[Lesson], Sequence[DataError]]) -> None:
        self._lessons, _ = found
        self._offer_again()

    def _offer_again(self) -> None:
        """Offer what has been read in the meantime."""
        if self.palette.isVisible():
            self.palette.open(self.entries(), self.used)

    def _on_ran(self, entry: Command) -> None:
        if entry.group == FORGOTTEN:
            return
        self.used = [entry.name, *(name for name in self.used if name != entry.name)][:KEPT]
        if self._store is not None:
            self._store.setValue(KEY, json.dumps(self.used))


def plain(text: str) -> str:
    """Return the words of a label or a menu without its marks."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…:")


def actions(window: MainWindow) -> Iterable[Command]:
    """Offer what stands in the menus."""
    for spec in ACTIONS:
        action = window.actions_by_name[spec.name]
        why = WHY_NOT.get(spec.name, "")
        if spec.name == "palette" or not (action.isEnabled() or why):
            continue
        yield Command(
            GROUPS.get(spec.group) or plain(spec.menu),
            plain(action.text()),
            keys_of(action),
            action.trigger,
            action.isEnabled(),
            why,
            action.isCheckable() and action.isChecked(),
            spec.tip,
        )


def keys_of(action: QAction) -> str:
    """Return the keys of an action as people know them."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def pictures(window: MainWindow) -> Iterable[Command]:
    """Offer the pictures of the open page that this view shows."""
    page = window.page
    for tabs in page.findChildren(Tabs):
        for index in range(tabs.count()) if tabs.isVisibleTo(page) else ():
            if tabs.isTabVisible(index):
                yield Command(
                    "Picture",
                    tabs.accessibleTabName(index),
                    "",
                    partial(page.show_tab, tabs.key(index)),
                    chosen=index == tabs.currentIndex(),
                    tip=tabs.tabToolTip(index),
                )


def choices(window: MainWindow) -> Iterable[Command]:
    """Offer what can be chosen in the form of the open page: queries, mechanisms, methods, noises, parts."""
    form = window.release
    if window.page is window.lessons:
        return
    for row in form.rows:
        for box in row.editors:
            if not (isinstance(box, QComboBox) and row.isVisibleTo(form) and box.isEnabled()):
                continue
            for index in range(box.count()):
                if box.model().index(index, 0).flags() & Qt.ItemFlag.ItemIsEnabled and box.itemText(index):
                    yield Command(
                        plain(row.label.text()),
                        plain(box.itemText(index)),
                        "",
                        partial(choose, box, index),
                        chosen=index == box.currentIndex(),
                        tip=str(box.itemData(index, Qt.ItemDataRole.ToolTipRole) or ""),
                    )


def choose(box: QComboBox, index: int) -> None:
    """Choose as a person does."""
    box.setCurrentIndex(index)
    box.activated.emit(index)


def examples(window: MainWindow) -> Iterable[Command]:
    """Offer the examples of the open page."""
    for action in window.column.data.examples.actions():
        yield Command("Example", plain(action.text()), "", action.trigger, tip=action.toolTip())


def recent_files(window: MainWindow) -> Iterable[Command]:
    """Offer the files that were opened last."""
    paths = window.recent.paths
    for path, name in zip(paths, names(paths), strict=True):
        yield Command(FORGOTTEN, name, "", partial(window.open_path, path), tip=str(path))


def help_pages(window: MainWindow) -> Iterable[Command]:
    """Yield all pages of the help."""
    for heading in window.helper.headings:
        show = partial(window.helper.show_page, heading.key)
        yield Command("Help", heading.title, "", show, tip=heading.summary)


def settings(window: MainWindow) -> Iterable[Command]:
    """Offer each setting."""
    for name, setting in SETTINGS.items():
        yield Command(
            "Setting", plain(setting.label), "", partial(window.show_setting, name), tip=setting.help
        )

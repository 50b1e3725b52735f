"""The commands of the palette, and the memory of those used last."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from app.actions import action_specs
from app.jobs.channels import Jobs
from app.lessons.lesson import Lesson
from app.model.pages.workspaces import FULL_WIDTH
from app.model.preferences import SETTINGS, SHOWN_WITH
from app.model.wording.buttons import without_mnemonic
from app.model.wording.numbers import format_exact
from app.model.wording.typed_numbers import parse_number
from app.recent_files import names, texts
from app.session import Session
from app.widgets.command_palette import Command, CommandPalette
from app.widgets.tabs import Tabs
from app.window.file_controller import FileController
from app.window.help_controller import HelpController
from app.window.layout import WindowLayout
from engine.errors import DataError

KEY, MAX_USED = "palette/used", 20
"""The key of the names of the last used commands in the settings, and their number."""
RECENT = "Recent file"
"""The group of recent files; the palette remembers none, so that `app.recent_files` can forget them."""
GROUPS = {"view": "View", "theme": "Colors", "page": "Page"}
"""Groups of exclusive actions; other actions are in the group of their menu."""
VALUE = re.compile(r"(?P<name>ε|δ|eps(?:ilon)?|del(?:ta)?)\s*=?\s*(?P<value>[\d.][\d.,e^⁻+-]*)")
"""A typed privacy parameter and its value."""
WHY_NOT = {
    "undo": "there is nothing to undo",
    "redo": "there is nothing to redo",
    "put_back": "no record was moved by hand",
    "public_data": "the bundled data are already public",
    "suggest_bounds": "open your own numeric column, with a public number of records",
    "data_table": "the records are confidential: switch to the Curator view first",
    "run": "fix the fields with a message at the right first",
    "controls": "the forms are hidden in this layout",
}
"""Reasons why an action is disabled; the palette hides other disabled actions."""


class CommandController(QObject):
    """Opens the palette of a window with all commands, and remembers the last used ones.

    `sources` are functions without arguments that return commands; a plug-in may add more.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        action: QAction,
        sources: Iterable[Callable[[], Iterable[Command]]],
        store: QSettings | None,
    ) -> None:
        super().__init__(window)
        self._window, self._action, self._store = window, action, store
        self.sources = list(sources)
        self.used: list[str] = [] if store is None else texts(store.value(KEY, ""))[:MAX_USED]
        self.palette = CommandPalette(window, partial(value_commands, session))
        self.palette.ran.connect(self._on_ran)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the shortcut of the palette from a field: Ctrl+K often deletes the end of a line."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        is_shortcut = QKeySequence(event.keyCombination()) == self._action.shortcut()
        if is_shortcut:
            event.ignore()
        return is_shortcut

    def open(self) -> None:
        """Open the palette, or close it when it is open."""
        if self.palette.isVisible():
            self.palette.dismiss()
        else:
            self.palette.open(self.commands(), self.used)

    def commands(self) -> list[Command]:
        """Return all commands that are possible now."""
        return [command for source in self.sources for command in source()]

    def refresh(self) -> None:
        """Update an open palette, after a change of the data or the choices."""
        if self.palette.isVisible():
            self.palette.open(self.commands(), self.used)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, QLineEdit | QAbstractSpinBox | QPlainTextEdit) and new.window() is self._window:
            new.installEventFilter(self)

    def _on_ran(self, command: Command) -> None:
        if command.group != RECENT:
            self.used = [command.name, *(name for name in self.used if name != command.name)][:MAX_USED]
            if self._store is not None:
                self._store.setValue(KEY, json.dumps(self.used))


def value_commands(session: Session, typed: str) -> Iterator[Command]:
    """Yield the command that sets a typed privacy parameter, such as "epsilon 0.5"."""
    with contextlib.suppress(ValueError):
        if match := VALUE.fullmatch(typed.strip().lower()):
            name, value = "epsilon" if match["name"][0] in "eε" else "delta", parse_number(match["value"])
            if value > 0 if name == "epsilon" else 0 <= value < 1:
                change = partial(session.edit, f"change {name}", **{name: value})  # type: ignore[arg-type]
                tip = f"Set {name} for all further results and releases; you can undo it"
                yield Command("Set", f"{name} = {format_exact(value)}", "", change, tip=tip)


class LessonCommands(QObject):
    """Offers all lessons; reads them in the background on first use."""

    def __init__(self, jobs: Jobs, play: Callable[[Lesson], object], parent: QObject) -> None:
        super().__init__(parent)
        self._play = play
        self._lessons: Sequence[Lesson] = ()
        self.reading = jobs.channel("lessons for the palette", self._on_read)

    def commands(self) -> Iterator[Command]:
        """Yield the lessons read so far; start reading on the first call."""
        from app.lessons.reading import read_all

        if not self._lessons and not self.reading.busy:
            self.reading.request(read_all)
        for lesson in self._lessons:
            yield Command("Lesson", lesson.title, "", partial(self._play, lesson), tip=lesson.summary)

    def _on_read(self, results: tuple[Sequence[Lesson], Sequence[DataError]]) -> None:
        self._lessons, _ = results


def action_commands(actions: Mapping[str, QAction]) -> Iterator[Command]:
    """Yield the actions of the menus."""
    for spec in action_specs():
        action, why = actions[spec.name], WHY_NOT.get(spec.name, "")
        if spec.name != "palette" and (action.isEnabled() or why):
            group, text = (
                GROUPS.get(spec.group) or without_mnemonic(spec.menu),
                without_mnemonic(action.text()),
            )
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            enabled, chosen = action.isEnabled(), action.isCheckable() and action.isChecked()
            yield Command(group, text, keys, action.trigger, enabled, why, chosen, spec.tip, spec.keywords)


def page_commands(body: WindowLayout) -> Iterator[Command]:
    """Yield the pictures, the choices and the examples of the open page."""
    page, form = body.pages.shown, body.column.release
    for tabs in page.findChildren(Tabs):
        for index in range(tabs.count()) if tabs.isVisibleTo(page) else ():
            if (key := tabs.key(index)) in tabs.offered:
                name, show = tabs.accessibleTabName(index), partial(page.show_tab, key)
                chosen, tip = index == tabs.currentIndex(), tabs.tabToolTip(index)
                yield Command("Picture", name, "", show, chosen=chosen, tip=tip)
    for row in form.rows if page.name not in FULL_WIDTH else ():
        for box in row.editors:
            if isinstance(box, QComboBox) and row.isVisibleTo(form) and box.isEnabled():
                yield from box_commands(without_mnemonic(row.label.text()), box)
    body.column.data.examples.fill()
    for action in body.column.data.examples.actions():
        yield Command("Example", without_mnemonic(action.text()), "", action.trigger, tip=action.toolTip())


def box_commands(group: str, box: QComboBox) -> Iterator[Command]:
    """Yield the choices of a combo box."""
    for index in range(box.count()):
        text, enabled = without_mnemonic(box.itemText(index)), box.model().index(index, 0).flags()
        if text and enabled & Qt.ItemFlag.ItemIsEnabled:
            tip = str(box.itemData(index, Qt.ItemDataRole.ToolTipRole) or "")
            chosen, run = index == box.currentIndex(), partial(choose, box, index)
            yield Command(group, text, "", run, chosen=chosen, tip=tip)


def choose(box: QComboBox, index: int) -> None:
    """Choose an item as the user does."""
    box.setCurrentIndex(index)
    box.activated.emit(index)


def other_commands(
    files: FileController, show_setting: Callable[[str], object], help_controller: HelpController
) -> Iterator[Command]:
    """Yield the recent files, the settings and the help pages."""
    paths = files.recent.paths
    for path, name in zip(paths, names(paths), strict=True):
        yield Command(RECENT, name, "", partial(files.open_path, path), tip=str(path))
    for name, setting in SETTINGS.items():
        show, keywords = partial(show_setting, name), SHOWN_WITH[name]["found_by"]
        yield Command(
            "Setting", without_mnemonic(setting.label), "", show, tip=setting.help, keywords=keywords
        )
    for heading in help_controller.headings:
        read = partial(help_controller.show_page, heading.key)
        yield Command("Help", heading.title, "", read, tip=heading.summary)

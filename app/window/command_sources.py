"""What the command palette of the window offers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox

from app.actions import action_specs
from app.jobs.channels import Jobs
from app.lessons.lesson import Lesson
from app.lessons.lessons_page import read_all
from app.model.pages.workspaces import LESSONS
from app.model.preferences import FOUND_BY, SETTINGS
from app.model.wording.formatting import format_exact, parse_number
from app.panels.column import FormColumn
from app.recent_files import names
from app.session import Session
from app.widgets.command import Command
from app.widgets.tabs import Tabs
from app.window.file_controller import FileController
from app.window.help_controller import HelpController
from app.window.layout import WindowLayout
from app.window.pages import Pages
from engine.errors import DataError

CommandSource = Callable[[], Iterable[Command]]
"""Returns, each time the palette is opened, what can be done."""

RECENT = "Recent file"
"""The group of what `app.recent_files` remembers, and can forget."""
GROUPS = {"view": "View", "theme": "Colours", "page": "Page"}
"""What actions are called that exclude each other; others by their menu."""
VALUE = re.compile(r"(?P<name>ε|δ|eps(?:ilon)?|del(?:ta)?)\s*=?\s*(?P<value>[\d.][\d.,e^⁻+-]*)")
"""A parameter of privacy and its value, as it is typed."""
WHY_NOT = {
    "undo": "there is nothing to undo",
    "redo": "there is nothing to do again",
    "put_back": "nothing was moved by hand",
    "public_data": "the bundled data are public already",
    "suggest_bounds": "it takes a column of numbers of one's own, with a public number of records",
    "data_table": "the records are confidential: open the Curator view first",
    "run": "first set right what is explained at the right",
    "controls": "they are folded away here",
}
"""Why an action cannot be used now; others are left out then."""


class LessonCommands(QObject):
    """Offers all lessons, once they have been read.

    Signals
    -------
    loaded()

    Attributes
    ----------
    reading : Channel
    """

    loaded = Signal()

    def __init__(self, jobs: Jobs, play: Callable[[Lesson], object], parent: QObject) -> None:
        super().__init__(parent)
        self._play = play
        self._lessons: Sequence[Lesson] | None = None
        self.reading = jobs.channel("lessons for the palette")
        self.reading.result.connect(self._on_read)

    def commands(self) -> Iterable[Command]:
        """Offer the lessons; the first time they are read."""
        if self._lessons is None and not self.reading.busy:
            self.reading.request(read_all)
        for lesson in self._lessons or ():
            yield Command("Lesson", lesson.title, "", partial(self._play, lesson), tip=lesson.summary)

    def _on_read(self, results: tuple[Sequence[Lesson], Sequence[DataError]]) -> None:
        self._lessons, _ = results
        self.loaded.emit()


def window_commands(
    actions: Mapping[str, QAction],
    body: WindowLayout,
    file_controller: FileController,
    lessons: LessonCommands,
    show_setting: Callable[[str], object],
    help_controller: HelpController,
) -> list[CommandSource]:
    """Return all sources, in the order in which they are offered."""
    return [
        partial(action_commands, actions),
        partial(picture_commands, body.pages),
        partial(choice_commands, body.pages, body.column),
        partial(example_commands, body.column),
        partial(recent_commands, file_controller),
        lessons.commands,
        partial(setting_commands, show_setting),
        partial(help_commands, help_controller),
    ]


def plain(text: str) -> str:
    """Return the words of a label or a menu without its marks."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…:")


def action_commands(actions: Mapping[str, QAction]) -> Iterable[Command]:
    """Offer what stands in the menus."""
    for spec in action_specs():
        action = actions[spec.name]
        why = WHY_NOT.get(spec.name, "")
        if spec.name == "palette" or not (action.isEnabled() or why):
            continue
        yield Command(
            GROUPS.get(spec.group) or plain(spec.menu),
            plain(action.text()),
            action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            action.trigger,
            action.isEnabled(),
            why,
            action.isCheckable() and action.isChecked(),
            spec.tip,
            spec.words,
        )


def value_commands(session: Session, typed: str) -> Iterable[Command]:
    """Offer to set what was typed with a value: "epsilon 0.5"."""
    match = VALUE.fullmatch(typed.strip().lower())
    if match is None:
        return
    name = "epsilon" if match["name"][0] in "eε" else "delta"
    try:
        value = parse_number(match["value"])
    except ValueError:
        return
    fields: dict[str, Any] = {name: value}
    if value > 0 if name == "epsilon" else 0 <= value < 1:
        yield Command(
            "Set",
            f"{name} = {format_exact(value)}",
            "",
            partial(session.edit, f"change {name}", **fields),
            tip=f"Sets {name} for all that is computed and released from now on; it can be undone",
        )


def picture_commands(pages: Pages) -> Iterable[Command]:
    """Offer the pictures of the open page that this view shows."""
    page = pages.shown
    for tabs in page.findChildren(Tabs):
        offered = tabs.offered if tabs.isVisibleTo(page) else ()
        for index in range(tabs.count()):
            if tabs.key(index) in offered:
                yield Command(
                    "Picture",
                    tabs.accessibleTabName(index),
                    "",
                    partial(page.show_tab, tabs.key(index)),
                    chosen=index == tabs.currentIndex(),
                    tip=tabs.tabToolTip(index),
                )


def choice_commands(pages: Pages, column: FormColumn) -> Iterable[Command]:
    """Offer what can be chosen in the form of the open page: queries, mechanisms, methods, noises, parts."""
    form = column.release
    if pages.shown.name == LESSONS.name:
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
    """Choose as the user does."""
    box.setCurrentIndex(index)
    box.activated.emit(index)


def example_commands(column: FormColumn) -> Iterable[Command]:
    """Offer the examples of the open page."""
    for action in column.data.examples.actions():
        yield Command("Example", plain(action.text()), "", action.trigger, tip=action.toolTip())


def recent_commands(file_controller: FileController) -> Iterable[Command]:
    """Offer the files that were opened last."""
    paths = file_controller.recent.paths
    for path, name in zip(paths, names(paths), strict=True):
        yield Command(RECENT, name, "", partial(file_controller.open_path, path), tip=str(path))


def setting_commands(show_setting: Callable[[str], object]) -> Iterable[Command]:
    """Offer each setting."""
    for name, setting in SETTINGS.items():
        show = partial(show_setting, name)
        yield Command("Setting", plain(setting.label), "", show, tip=setting.help, words=FOUND_BY[name])


def help_commands(help_controller: HelpController) -> Iterable[Command]:
    """Offer all pages of the help."""
    for heading in help_controller.headings:
        show = partial(help_controller.show_page, heading.key)
        yield Command("Help", heading.title, "", show, tip=heading.summary)

"""Rows that choose a component: one of its kind, and of functions one from a file, too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.model.components import KindWords
from app.model.state import SessionState
from app.model.wording.parameters import ABOUT
from app.panels.component_boxes import TIP, add_heading, offer, show_chosen
from app.releases.registry import SHAPES
from app.widgets.form_row import FormRow, combo
from engine.catalog import from_files
from engine.components import runs_file
from engine.specification import Specification

FROM_FILE = "Choose a Python file…"


class ComponentChooser(FormRow):
    """Chooses one of a kind of components.

    Signals
    -------
    chosen(str)
        The name of another one.
    """

    chosen = Signal(str)

    def __init__(self, kind: str, words: KindWords, field: str) -> None:
        self.kind = kind
        self.box = combo(words.name)
        self.box.setProperty(ABOUT, words.plural)
        super().__init__(words.label, self.box, help=words.help, fields=[field])
        self.box.activated.connect(self._on_activated)
        self._offered: tuple[str, ...] = ()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches."""
        return (self.box,)

    def show_state(self, state: SessionState, chosen: Specification, offered: Mapping[str, Any]) -> None:
        """Show what is chosen among what can be."""
        if tuple(offered) != self._offered:
            self._offer(offered)
        show_chosen(self.box, chosen.name)

    def _offer(self, offered: Mapping[str, Any]) -> None:
        """Add the choices in groups, under headings where there are several; last what promises nothing."""
        self._offered = tuple(offered)
        self.box.clear()
        groups = _grouped(offered)
        for heading, group in groups.items():
            if len(groups) > 1 and heading:
                add_heading(self.box, heading)
            elif self.box.count():
                self.box.insertSeparator(self.box.count())
            offer(self.box, group)

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self.box.itemData(index))


def _grouped(offered: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the choices by their headings, in the order in which they are offered."""
    groups: dict[str, dict[str, Any]] = {}
    for name, one in sorted(offered.items(), key=lambda item: _is_unprotected(item[1])):
        groups.setdefault(_heading(one), {})[name] = one
    return groups


def _is_unprotected(component: Any) -> bool:
    return component.family == "mechanism" and not component.facts.is_private


def _heading(component: Any) -> str:
    """Say what kind of thing a mechanism releases, and whether nothing protects it."""
    if component.family != "mechanism":
        return ""
    heading = SHAPES[component.facts.shape].heading
    return f"{heading}: Not DP" if _is_unprotected(component) else heading


class FileChooser(ComponentChooser):
    """Chooses one of a kind of which one runs a function from a file, which must be confirmed first.

    Signals
    -------
    file_requested()
        The user wants to choose a Python file.
    confirm_requested()
        The user wants to look at the chosen file, and to confirm it.
    """

    file_requested = Signal()
    confirm_requested = Signal()

    def __init__(self, kind: str, words: KindWords, field: str) -> None:
        super().__init__(kind, words, field)
        self.confirm = QPushButton("Look and confirm…")
        self.confirm.setToolTip("Look at the file and say that it may be run")
        self.confirm.clicked.connect(self.confirm_requested)
        self.add_below(self.confirm)
        self._shown = ""

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        return (self.box, self.confirm)

    def show_state(self, state: SessionState, chosen: Specification, offered: Mapping[str, Any]) -> None:
        """Show the function; one from a file by the names of both."""
        if tuple(offered) != self._offered:
            self._offer(offered)
            self.box.addItem(FROM_FILE)
            self.box.setItemData(
                self.box.count() - 1, "Any function of a block, in a process of its own", TIP
            )
        self._show_file(state.from_file(self.kind))
        self._shown = chosen.name
        show_chosen(self.box, chosen.name)
        self.confirm.setVisible(runs_file(chosen.component))

    def _show_file(self, function: Any) -> None:
        [name] = from_files(self.kind)
        index = self.box.findData(name)
        if function is None and index >= 0:
            self.box.removeItem(index)
        elif function is not None:
            if index < 0:
                index = self.box.count() - 1
                self.box.insertItem(index, "", name)
            self.box.setItemText(index, f"{Path(function.path).name}:{function.function_name}")
            self.box.setItemData(index, function.path, TIP)

    def _on_activated(self, index: int) -> None:
        name = self.box.itemData(index)
        if name is None:
            # the box shows the last good function until there is another one
            show_chosen(self.box, self._shown)
            self.file_requested.emit()
        else:
            self.chosen.emit(name)


def chooser_of(kind: str) -> type[ComponentChooser]:
    """Return the row that chooses one of a kind."""
    return FileChooser if from_files(kind) else ComponentChooser

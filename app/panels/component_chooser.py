"""Rows that choose a component: one of its kind, and of functions one from a file, too."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.model.components import KindWords
from app.model.state import SessionState
from app.model.wording.parameters import ABOUT
from app.panels.component_boxes import TIP, offer, show_chosen
from app.widgets.parameter_form import FormRow, combo
from engine.catalog import from_files
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
        """Add the choices: what promises nothing, and what reads other data, stands apart."""
        self._offered = tuple(offered)
        self.box.clear()
        for _, group in groupby(offered.items(), key=lambda item: _group(item[1])):
            if self.box.count():
                self.box.insertSeparator(self.box.count())
            offer(self.box, dict(group))

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self.box.itemData(index))


def _group(component: Any) -> tuple[object, ...]:
    return (component.is_private, component.reads) if component.family == "mechanism" else ()


class FileChooser(ComponentChooser):
    """Chooses one of a kind of which one runs a function from a file, which must be confirmed first.

    Signals
    -------
    file_requested()
        A person wants to choose a Python file.
    confirm_requested()
        A person wants to look at the chosen file, and to confirm it.
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
        """All that Tab reaches."""
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
        self.confirm.setVisible(chosen.component.runs_file)

    def _show_file(self, function: Any) -> None:
        [name] = from_files(self.kind)
        place = self.box.findData(name)
        if function is None and place >= 0:
            self.box.removeItem(place)
        elif function is not None:
            if place < 0:
                place = self.box.count() - 1
                self.box.insertItem(place, "", name)
            self.box.setItemText(place, f"{Path(function.path).name}:{function.function_name}")
            self.box.setItemData(place, function.path, TIP)

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

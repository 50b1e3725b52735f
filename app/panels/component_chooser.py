"""Boxes that choose a component: one of its kind, and of functions one from a file, too."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from app.model.selection import Selection
from app.model.state import SessionState
from app.model.wording.components import ABOUT, KindWords
from app.releases.registry import SHAPES
from app.widgets.form_row import FormRow, combo
from engine.catalog import from_files
from engine.components import runs_file
from engine.specification import Specification

TIP = Qt.ItemDataRole.ToolTipRole


@dataclasses.dataclass(frozen=True)
class PartView:
    """The values that a part of the form shows.

    `setup` is None while the state makes no sense; advanced parameters are shown with `tuning`.
    """

    chosen: Specification
    state: SessionState
    setup: Selection | None
    tuning: bool


def add_heading(box: QComboBox, text: str) -> None:
    """Add a line that cannot be chosen, above what follows."""
    box.addItem(text)
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.item(box.count() - 1).setEnabled(False)


def offer(box: QComboBox, classes: Mapping[str, Any]) -> None:
    """Add components of the catalog to the choices, with a line about each."""
    for key, component in classes.items():
        box.addItem(component.label, key)
        box.setItemData(box.count() - 1, component.summary, TIP)


def show_chosen(box: QComboBox, name: str) -> None:
    """Show a chosen component, and in the tip what it is."""
    box.setCurrentIndex(box.findData(name))
    box.setToolTip(box.itemData(box.currentIndex(), TIP) or "")


def with_help(widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Yield all that Tab reaches, each box with the small button beside it."""
    for widget in widgets:
        yield widget
        row = widget.parentWidget()
        if isinstance(row, FormRow) and row.help_button is not None:
            yield row.help_button


FROM_FILE = "Choose a Python file…"


class ComponentChooser(FormRow):
    """Chooses one of a kind of components."""

    chosen = Signal(str)  # the name of another one

    def __init__(self, kind: str, labels: KindWords, field: str) -> None:
        self.kind = kind
        self.box = combo(labels.name)
        self.box.setProperty(ABOUT, labels.plural)
        super().__init__(labels.label, self.box, help=labels.help, fields=[field])
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
        groups = _group(offered)
        for heading, group in groups.items():
            if len(groups) > 1 and heading:
                add_heading(self.box, heading)
            elif self.box.count():
                self.box.insertSeparator(self.box.count())
            offer(self.box, group)

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self.box.itemData(index))


def _group(offered: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
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
    """Chooses one of a kind that has a function from a file, too; the user must confirm the file first."""

    file_requested = Signal()  # the user wants to choose a Python file
    confirm_requested = Signal()  # the user wants to look at the chosen file, and to confirm it

    def __init__(self, kind: str, labels: KindWords, field: str) -> None:
        super().__init__(kind, labels, field)
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

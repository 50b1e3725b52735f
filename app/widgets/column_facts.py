"""Editors of the public facts about one column: its bounds, or its list of categories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from app.model.kinds.category_choice import format_list, parse_list, public_lists, read_list
from app.widgets.combo_box import ClosesWith
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import line_edit
from app.widgets.number_box import NumberBox
from engine.errors import DataError

FILES = "Lists (*.txt *.csv);;All files (*)"
"""File filter for lists with one category per line."""


class EachEditor(QObject):
    """Edits the declaration of one column: `boxes` among `editors`, with layout `stretches`."""

    # the column, its declaration, and whether a drag goes on
    edited = Signal(str, object, bool)
    refused = Signal(str)  # the problem with the typed text
    stretches: tuple[int, ...] = ()

    def __init__(self, column: str) -> None:
        super().__init__()
        self.column = column
        self.boxes: tuple[QWidget, ...] = ()
        self.editors: tuple[QWidget, ...] = ()

    def show_value(self, value: Any) -> None:
        """Show the declaration; None for none."""
        raise NotImplementedError


class PairBoxes(EachEditor):
    """The bounds of one column."""

    stretches = (1, 0, 1)

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.lower_box = NumberBox(f"Lower bound of {column}")
        self.upper_box = NumberBox(f"Upper bound of {column}")
        self.boxes = (self.lower_box, self.upper_box)
        self.editors = (self.lower_box, QLabel("to"), self.upper_box)
        self.lower_box.lineEdit().setPlaceholderText("smallest")
        self.upper_box.lineEdit().setPlaceholderText("largest")
        for box in (self.lower_box, self.upper_box):
            box.edited.connect(self._on_edited)
            box.refused.connect(self.refused)

    def show_value(self, value: Any) -> None:
        lower, upper = value or (None, None)
        self.lower_box.set_value(lower)
        self.upper_box.set_value(upper)

    def _on_edited(self, _: float, continuous: bool) -> None:
        self.edited.emit(self.column, (self.lower_box.value, self.upper_box.value), continuous)


class LabelsLine(EachEditor):
    """The public list of one column: typed, from a file, or a well-known one."""

    stretches = (2, 0)

    def __init__(self, column: str, hint: str = "") -> None:
        super().__init__(column)
        self.box = line_edit(f"Categories of {column}", hint)
        self.fill = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.fill.setText("Fill from…")
        self.fill.setAccessibleName(f"Fill the categories of {column}")
        self.fill.setToolTip("Take the categories from a public list, or from a file")
        self.fill.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu = QMenu(self.fill)
        ClosesWith(self.menu, self.fill)
        self.menu.aboutToShow.connect(self._build_menu)
        self.menu.triggered.connect(self._on_list)
        self.fill.setMenu(self.menu)
        self.boxes = self.editors = (self.box, self.fill)
        self._shown: tuple[str, ...] = ()
        self.box.editingFinished.connect(self._on_edited)

    def show_value(self, value: Any) -> None:
        self._shown = value or ()
        if not (self.box.hasFocus() and self.box.isModified()):
            self.box.setText(format_list(self._shown))
            self.box.setCursorPosition(0)

    def type_in(self, text: str) -> None:
        """Enter `text` as if the user typed it."""
        self.box.setText(text)
        self._on_edited()

    def read_file(self, path: str) -> None:
        try:
            self.type_in(format_list(read_list(Path(path), self.column)))
        except DataError as error:
            self.refused.emit(str(error))

    def _build_menu(self) -> None:
        if self.menu.isEmpty():
            self.menu.addAction("From a &file…")
            self.menu.addSeparator()
            for title, labels in public_lists().items():
                action = self.menu.addAction(title)
                action.setData(labels)

    def _on_list(self, action: QAction) -> None:
        if action.data() is None:
            dialog = open_dialog(self.box.window(), f"Categories of {self.column}", FILES)
            ClosesWith(dialog, self.fill)
            dialog.fileSelected.connect(self.read_file)
            dialog.open()
        else:
            self.type_in(format_list(action.data()))

    def _on_edited(self) -> None:
        self.box.setModified(False)
        labels = parse_list(self.box.text())
        if labels != self._shown:
            self._shown = labels
            self.edited.emit(self.column, labels, False)

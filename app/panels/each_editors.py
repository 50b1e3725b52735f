"""What is declared of one of several columns: a pair of bounds, or a list of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QToolButton, QWidget

from app.model.kinds.category_lists import format_list, parse_list
from app.model.kinds.fields import EachField
from app.model.kinds.list_files import public_lists, read_list
from app.model.wording.formatting import escape
from app.panels.field_editor import SHORT_UNIT
from app.widgets.card import plain
from app.widgets.closing import ClosesWith
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import ColumnName, FormRow
from app.widgets.number_box import NumberBox
from engine.errors import DataError

FILES = "Lists (*.txt *.csv);;All files (*)"
"""Files with a category in each line."""


class EachEditor(QObject):
    """Edits what is declared of one column.

    Signals
    -------
    edited(str, object, bool)
        The column, what is declared, and whether it is one of a continuous movement.
    refused(str)
        What was typed makes no sense; the words say what would.

    Attributes
    ----------
    boxes, editors : tuple of QWidget
        What can be edited, and all that stands in the line.
    stretches : tuple of int
        How much of the room each of `editors` gets.
    """

    edited = Signal(str, object, bool)
    refused = Signal(str)
    stretches: tuple[int, ...] = ()

    def __init__(self, column: str) -> None:
        super().__init__()
        self.column = column
        self.boxes: tuple[QWidget, ...] = ()
        self.editors: tuple[QWidget, ...] = ()

    def show_value(self, value: Any) -> None:
        """Show what is declared; None for nothing."""
        raise NotImplementedError

    def hint(self) -> None:
        """Say in empty boxes what they are for."""

    def wrong_box(self) -> QWidget:
        """Return the box in which something is wrong."""
        return self.boxes[0]


class PairBoxes(EachEditor):
    """The bounds of one column."""

    stretches = (1, 0, 1)

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.lower_box = NumberBox(f"Lower bound of {column}")
        self.upper_box = NumberBox(f"Upper bound of {column}")
        self.boxes = (self.lower_box, self.upper_box)
        self.editors = (self.lower_box, QLabel("to"), self.upper_box)
        for box in (self.lower_box, self.upper_box):
            box.edited.connect(self._on_edited)
            box.refused.connect(self.refused)

    def show_value(self, value: Any) -> None:
        lower, upper = value or (None, None)
        self.lower_box.set_value(lower)
        self.upper_box.set_value(upper)

    def hint(self) -> None:
        self.lower_box.lineEdit().setPlaceholderText("smallest")
        self.upper_box.lineEdit().setPlaceholderText("largest")

    def wrong_box(self) -> QWidget:
        return self.lower_box if self.lower_box.value is None else self.upper_box

    def _on_edited(self, _: float, continuous: bool) -> None:
        self.edited.emit(self.column, (self.lower_box.value, self.upper_box.value), continuous)


class LabelsLine(EachEditor):
    """The public list of one column: typed, from a file, or one of those that everyone knows."""

    stretches = (2, 0)

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.box = QLineEdit()
        self.box.setAccessibleName(f"Categories of {column}")
        self.box.setPlaceholderText("one, another, …")
        self.fill = QToolButton()
        self.fill.setText("From…")
        self.fill.setAccessibleName(f"Fill the categories of {column}")
        self.fill.setToolTip("Take the categories from a public list, or from a file")
        self.fill.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
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
        """Enter `text` as the user does."""
        self.box.setText(text)
        self._on_edited()

    def read_file(self, path: str) -> None:
        """Take the categories from a file."""
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


def each_of(field: EachField, column: str) -> EachEditor:
    """Return what edits what is declared of a column."""
    return LabelsLine(column) if field.labels else PairBoxes(column)


class EachRow(FormRow):
    """What is declared of one column."""

    def __init__(self, field: EachField, column: str, unit: str) -> None:
        self.each = each_of(field, column)
        short = [plain(unit)] if 0 < len(unit) <= SHORT_UNIT else []
        name = f"{field.words} of {column}"
        super().__init__(ColumnName(column), *self.each.editors, *short, help=field.help, fields=[name])
        self.each.setParent(self)
        self.label.setToolTip(escape(f"{column}{f' ({unit})' if unit else ''}. {field.help}"))
        self.each.edited.connect(self.settle)
        self.each.refused.connect(self.refuse)

    def show_value(self, value: Any) -> None:
        """Show what is declared."""
        self.each.show_value(value)
        self.settle()

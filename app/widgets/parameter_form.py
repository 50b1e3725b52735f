"""Forms drawn from declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QToolButton, QWidget

from app.model.wording.components import parameter_words
from app.model.wording.numbers import escape
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.value_editors import editor_of
from engine.errors import DataError
from engine.parameters import Parameter

FILES = "Lists (*.txt *.csv);;All files (*)"
"""Files with a number in each line."""


class NumbersButton(QToolButton):
    """Asks for a file: `read` takes its numbers as one text, or `refused` why there are none."""

    def __init__(self, name: str, read: Callable[[str], None], refused: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._refused = read, refused
        self._name = name
        self.setText("…")
        self.setAccessibleName(f"{name} from a file")
        self.setToolTip(f"{name} from a file, with a number in each line")
        self.clicked.connect(self._ask)

    def read_file(self, path: str) -> None:
        from engine.mechanisms.number_lists import numbers_in_file

        try:
            self._read(numbers_in_file(Path(path)))
        except DataError as error:
            self._refused(str(error))

    def _ask(self) -> None:
        dialog = open_dialog(self.window(), self._name, FILES)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()


AUTOMATIC = "automatic"
"""The text in an empty field whose value follows from others."""


class ParameterRow(FormRow):
    """The row of one declared parameter."""

    edited = Signal(str, object, bool)  # name, value, and whether it is one of a continuous movement

    def __init__(self, declared: Parameter) -> None:
        self.declared = declared
        name = declared.spoken or declared.label.replace("&", "")
        self._editor = editor_of(declared, name)
        box = self._editor.box
        ticked = isinstance(box, QCheckBox)  # its label stands behind the tick
        label = "" if ticked else declared.label[:1].upper() + declared.label[1:]
        editors = (box, QLabel(declared.unit)) if declared.unit else (box,)
        super().__init__(
            label, *editors, help=f"{declared.help}\n{declared.source}".strip(), fields=[declared.name]
        )
        self._editor.setParent(self)
        self._editor.edited.connect(self._on_edited)
        self._editor.refused.connect(self.refuse)
        if declared.in_file:
            self.add_beside(NumbersButton(name, self._on_file, self.refuse))
        self.show_empty(AUTOMATIC if declared.may_be_empty else "")

    def show_page(self, page: str | None) -> None:
        """Lead from "What is this?" to a help page, by its key; None: only to the help of the parameter."""
        text = escape(self.declared.help) if page is None else parameter_words(self.declared, page)
        self.box.setWhatsThis(text)

    def set_value(self, value: Any) -> None:
        """Show `value` without announcing it."""
        self._editor.show_value(value)

    def show_automatic(self, text: str) -> None:
        """Write into an empty field what it means, if that is known."""
        self.show_empty(f"{AUTOMATIC}: {text}" if text else AUTOMATIC)

    def show_empty(self, text: str) -> None:
        """Write something into an empty field."""
        self._editor.show_empty(text)

    def _on_edited(self, value: object, continuous: bool) -> None:
        self.settle()
        self.edited.emit(self.declared.name, value, continuous)

    def _on_file(self, text: str) -> None:
        self._on_edited(text, True)


class ParameterForm(QWidget):
    """All rows of one component; empty when it has no parameters.

    It has a parent, or a position in a layout, before it shows any: else it were a window of its own.
    """

    edited = Signal(str, object, bool)  # as of `ParameterRow`

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 6) -> None:
        super().__init__(parent)
        self._column = stack(self, spacing=spacing)
        self.rows: dict[str, ParameterRow] = {}  # by the names of their parameters
        self.hide()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """The editors, from the top."""
        return tuple(row.box for row in self.rows.values())

    def show_parameters(
        self, declared: tuple[Parameter, ...], values: Mapping[str, Any], page: str | None = None
    ) -> None:
        """Draw the parameters (components from the catalog excepted) with these values.

        `page` is the key of the help page about the mechanism that they belong to; None for none.
        """
        plain = tuple(one for one in declared if not one.is_component)
        if plain != tuple(row.declared for row in self.rows.values()):
            self._rebuild(plain)
        for one in plain:
            self.rows[one.name].set_value(values.get(one.name, one.default))
            self.rows[one.name].show_page(page)

    def _rebuild(self, declared: tuple[Parameter, ...]) -> None:
        before, self.rows = {row.declared: row for row in self.rows.values()}, {}
        for one, row in before.items():
            self._column.removeWidget(row)
            if one not in declared:
                row.hide()
                row.deleteLater()
        for one in declared:
            row = self.rows[one.name] = before.get(one) or ParameterRow(one)
            row.edited.connect(self.edited, Qt.ConnectionType.UniqueConnection)
            self._column.addWidget(row)
            row.show()  # at once, so that problems find it
        self.setVisible(bool(declared))

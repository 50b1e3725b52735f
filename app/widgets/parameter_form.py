"""Forms drawn from declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from app.model.wording.parameters import DECLARED, parameter_words
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import FormRow, combo
from app.widgets.layouts import stack
from app.widgets.number_box import NumberBox
from engine.errors import DataError
from engine.parameters import Parameter

FILES = "Lists (*.txt *.csv);;All files (*)"
"""Files with a number in each line."""


class NumbersButton(QToolButton):
    """Asks for a file, and passes on the numbers in it.

    Parameters
    ----------
    name : str
        What the numbers are.
    read, refused : callable
        Take the numbers, as they are written into a parameter, or the words that say why there are none.
    """

    def __init__(self, name: str, read: Callable[[str], None], refused: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._refused = read, refused
        self._name = name
        self.setText("…")
        self.setAccessibleName(f"{name} from a file")
        self.setToolTip(f"{name} from a file, with a number in each line")
        self.clicked.connect(self._ask)

    def read_file(self, path: str) -> None:
        """Take the numbers in a file."""
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
"""What stands in a field that may be left empty."""


def text_box(name: str) -> QLineEdit:
    """Return a line for a text."""
    box = QLineEdit()
    box.setAccessibleName(name)
    return box


def number_box(declared: Parameter, name: str) -> NumberBox:
    """Return a box for a declared number; arrow keys multiply where it may be of any size."""
    wide = declared.upper is None or (declared.upper or 0) > 10 * max(declared.lower or 0, 0.1)
    return NumberBox(
        name,
        whole=declared.kind == "int",
        logarithmic=wide and declared.kind == "float" and (declared.lower or 0) >= 0,
        lower=declared.lower,
        upper=declared.upper,
        optional=declared.optional,
    )


class ParameterRow(FormRow):
    """The row of one declared parameter.

    Signals
    -------
    edited(str, object, bool)
        Name, new value, and whether it is one of a continuous movement.
    """

    edited = Signal(str, object, bool)

    def __init__(self, declared: Parameter) -> None:
        self.declared = declared
        self._box: QComboBox | QLineEdit | NumberBox
        name = declared.label.replace("&", "")
        if declared.choices:
            self._box = combo(name)
            for choice in declared.choices:
                self._box.addItem(declared.words_of(choice), choice)
        elif declared.kind == "text":
            self._box = text_box(name)
        else:
            self._box = number_box(declared, name)
        label = declared.label[:1].upper() + declared.label[1:]
        editors = (self._box, QLabel(declared.unit)) if declared.unit else (self._box,)
        text = f"{declared.help}\n{declared.source}".strip()
        super().__init__(label, *editors, help=text, fields=[declared.name])
        if declared.in_file:
            self.add_beside(NumbersButton(name, self._on_text, self.refuse))
        self._box.setProperty(DECLARED, True)
        self.show_page("")
        if isinstance(self._box, QComboBox):
            self._box.activated.connect(self._on_choice)
        elif isinstance(self._box, QLineEdit):
            self._box.textEdited.connect(self._on_text)
        else:
            self._box.edited.connect(self._on_number)
            self._box.refused.connect(self.refuse)
            self._box.cleared.connect(self._on_cleared)
        self.show_empty(AUTOMATIC if declared.may_be_empty else "")

    @property
    def box(self) -> QComboBox | QLineEdit | NumberBox:
        """The editor."""
        return self._box

    def show_page(self, page: str) -> None:
        """Lead from "What is this?" to a help page, by its key."""
        self._box.setWhatsThis(parameter_words(self.declared, page))

    def set_value(self, value: Any) -> None:
        """Show `value` without announcing it."""
        if isinstance(self._box, QComboBox):
            self._box.setCurrentIndex(self._box.findData(value))
        elif isinstance(self._box, QLineEdit):
            if self._box.text() != value:  # the cursor stays where one writes
                self._box.setText(value)
        else:
            self._box.set_value(None if value is None else float(value))

    def show_automatic(self, text: str) -> None:
        """Say what is meant where the field is left empty, as far as that is known."""
        self.show_empty(f"{AUTOMATIC}: {text}" if text else AUTOMATIC)

    def show_empty(self, text: str) -> None:
        """Write something where the field is left empty."""
        line = self._box.lineEdit() if isinstance(self._box, NumberBox) else self._box
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(text)

    def _on_choice(self, index: int) -> None:
        if isinstance(self._box, QComboBox):
            self.edited.emit(self.declared.name, self._box.itemData(index), False)

    def _on_text(self, text: str) -> None:
        self.settle()
        self.edited.emit(self.declared.name, text, True)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.settle()
        whole = self.declared.kind == "int" and float(value).is_integer()
        self.edited.emit(self.declared.name, int(value) if whole else value, continuous)

    def _on_cleared(self) -> None:
        self.settle()
        self.edited.emit(self.declared.name, None, False)


class ParameterForm(QWidget):
    """All rows of one component; empty when it has no parameters.

    It has a parent, or a place in a layout, before it shows any: else it were a window of its own.

    Signals
    -------
    edited(str, object, bool)
        As in `ParameterRow`.
    """

    edited = Signal(str, object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = stack(self, spacing=6)
        self._rows: dict[str, ParameterRow] = {}
        self.hide()

    @property
    def rows(self) -> dict[str, ParameterRow]:
        """The rows, by the names of their parameters."""
        return self._rows

    def show_parameters(
        self, declared: tuple[Parameter, ...], values: Mapping[str, Any], page: str = ""
    ) -> None:
        """Draw the parameters (components from the catalog excepted) with these values.

        `page` is the key of the help page about what they belong to.
        """
        plain = tuple(one for one in declared if not one.is_component)
        if plain != tuple(row.declared for row in self._rows.values()):
            self._rebuild(plain)
        for one in plain:
            self._rows[one.name].set_value(values.get(one.name, one.default))
            self._rows[one.name].show_page(page)

    def _rebuild(self, declared: tuple[Parameter, ...]) -> None:
        before, self._rows = {row.declared: row for row in self._rows.values()}, {}
        for one, row in before.items():
            self._column.removeWidget(row)
            if one not in declared:
                row.hide()
                row.deleteLater()
        for one in declared:
            row = self._rows[one.name] = before.get(one) or ParameterRow(one)
            row.edited.connect(self.edited, Qt.ConnectionType.UniqueConnection)
            self._column.addWidget(row)
            row.show()  # at once, so that problems find it
        self.setVisible(bool(declared))

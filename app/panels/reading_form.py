"""The reading options of a file: detected values, and the user's own."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.model.wording.numbers import TWO_READINGS, first_names
from app.widgets.card import Card, Remarks, caption
from app.widgets.combo_box import ComboBox
from app.widgets.dialogs import FittingDialog
from app.widgets.form_row import combo, line_edit
from app.widgets.layouts import stack
from app.widgets.value_editors import EDITORS, ParameterForm, ValueEditor
from engine.data.formats.registry import FORMATS
from engine.data.missing_values import join, parse
from engine.data.reading_options import OF_TYPES, OPTIONS, TYPES, FoundReading, ReadingOption, ReadingOptions
from engine.errors import ParameterError
from engine.parameters import Parameter

DETECTED = "detected"
ASIDE = 2
"""Rows per line."""

TITLES = {
    "": DETECTED,
    "number": "numbers",
    "category": "categories",
    "days": "days since 1970-01-01",
    "hours": "hours (8:30 is 8.5)",
}
TYPES_HELP = (
    "The type of the column. If a code has a label, numbers are codes and categories are labels. If cells do "
    "not fit, a message counts them and names the first rows."
)

MISSING_HELP = (
    "The values that count as missing instead of the usual ones, separated by commas: -999, ., ? and so on. "
    'Write "" for the empty cell alone.'
)


def points_in_doubt(result: FoundReading) -> str:
    """Return an HTML line that asks for the decimal sign of ambiguous columns; "" if none are.

    The targets of its links are decimal signs.
    """
    if not result.doubtful:
        return ""
    names = html.escape(first_names(result.doubtful))
    shown = TWO_READINGS[result.values.get("decimal", "")]
    return (
        f"{names} has two readings. {shown[:1].upper()}{shown[1:]}. "
        '<a href=".">Points are decimal</a> · <a href=",">Commas are decimal</a>'
    )


def names_given(result: FoundReading) -> str:
    """Return a line about column names that the file does not hold; "" without one."""
    text = "; ".join(result.notes)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


class TypesEditor(ValueEditor):
    """Edits the types of columns: `box` chooses a column, `type_box` its type."""

    box: ComboBox

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        super().__init__(declared, combo(name), tool=tool)
        self.box.addItems(list(declared.choices))
        self.beside = self.type_box = combo("Type of the column")
        for key in ("", *TYPES):
            self.type_box.addItem(TITLES[key], key)
        self._types: dict[str, str] = {}
        self.box.activated.connect(self._show_type)
        self.type_box.activated.connect(self._on_type)

    @property
    def value(self) -> tuple[tuple[str, str], ...]:
        return tuple((column, name) for column, name in self._types.items() if name)

    def show_value(self, value: tuple[tuple[str, str], ...]) -> None:
        self._types = dict(value)
        if value:
            self.box.setCurrentText(value[0][0])
        self._show_type()

    def _show_type(self) -> None:
        chosen = self._types.get(self.box.currentText(), "")
        self.type_box.setCurrentIndex(self.type_box.findData(chosen))

    def _on_type(self) -> None:
        self._types[self.box.currentText()] = self.type_box.currentData()
        self.edited.emit(self.value, False)


EDITORS["types"] = TypesEditor


class MissingValuesEditor(ValueEditor):
    """Edits the missing values: `box` chooses a column or all, `line` holds their list."""

    box: ComboBox

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        super().__init__(declared, combo(name), tool=tool)
        self.box.setMinimumContentsLength(3)
        self.box.addItem("all", "")
        for column in declared.choices:
            self.box.addItem(column, column)
        self.beside = self.line = line_edit("List of missing values")
        self._lists: dict[str, str] = {}
        self.box.activated.connect(self._show_list)
        self.line.editingFinished.connect(self._on_finished)

    @property
    def value(self) -> str:
        return join(self._lists)

    def show_value(self, value: str) -> None:
        self._lists = parse(value).written
        if self._lists and "" not in self._lists:
            self.box.setCurrentIndex(self.box.findData(next(iter(self._lists))))
        self._show_list()

    def _show_list(self) -> None:
        column = self.box.currentData()
        self.line.setText(self._lists.get(column, ""))
        self.line.setPlaceholderText("as in all" if column else "usual")

    def _on_finished(self) -> None:
        lists = {**self._lists, self.box.currentData(): self.line.text().strip()}
        lists = {column: text for column, text in lists.items() if text}
        if lists != self._lists:
            self._lists = lists
            self.edited.emit(self.value, False)


EDITORS["missing values"] = MissingValuesEditor


class ReadingForm(ParameterForm):
    """Edits the reading options that the file's format leaves open.

    `detected` selects the options. Its values depend on the data, so they appear only with `shows_detected`.
    """

    changed = Signal(object)  # ReadingOptions: the user changed them

    def __init__(
        self, detected: FoundReading, stated: ReadingOptions, columns: Sequence[str], *, shows_detected: bool
    ) -> None:
        super().__init__(columns=ASIDE)
        self.stated = stated
        self._detected = detected
        self._shows_detected = shows_detected
        names = dict.fromkeys((*FORMATS[detected.format].options, *detected.offered))
        declared = [self._declare(OPTIONS[name]) for name in names]
        known, spoken = tuple(columns), "Column with missing values"
        label = OPTIONS["missing_values"].label
        declared.append(
            Parameter(
                "missing_values", "missing values", "", label, MISSING_HELP, choices=known, spoken=spoken
            )
        )
        # usually hidden, and between two wide rows, so that both share a column
        self._of_types = {name: kind for name, kind in OF_TYPES.items() if name not in names}
        declared += [self._declare(OPTIONS[name]) for name in self._of_types]
        if columns:
            spoken = "Column with a type of its own"
            declared.append(
                Parameter("types", "types", (), "Type of column", TYPES_HELP, choices=known, spoken=spoken)
            )
        self.show_parameters(tuple(declared), vars(stated))
        for name, row in self.rows.items():
            row.show_empty(OPTIONS[name].help if name == "sql" else "all")
        self.edited.connect(self._on_edited)
        self._show_of_types()

    def _declare(self, option: ReadingOption) -> Parameter:
        stated, text = getattr(self.stated, option.name), self._detected.values.get(option.name, "")
        offered = {value: value for value in self._detected.offered.get(option.name, ())}
        choices = offered or dict(option.choices)
        about = f"{option.help[:1].upper()}{option.help[1:]}."
        declared = Parameter(
            option.name, "text", "", option.label, about, spoken=f"{option.label} of the file"
        )
        if not choices:
            return declared
        known = choices.get(text, text) if self._shows_detected and not stated else ""
        first = "none" if option.name == "comment" else f"{DETECTED}: {known}" if known else DETECTED
        choices = {"": first, **choices, **({stated: stated} if stated not in choices and stated else {})}
        kind = "choice or text" if option.free and not offered else "choice"
        return replace(declared, kind=kind, choices=tuple(choices), choice_labels=tuple(choices.values()))

    def _show_of_types(self) -> None:
        """Show an option that belongs to a type while a column has that type."""
        for name, kind in self._of_types.items():
            self.rows[name].setVisible(self.stated.casts_to(kind))

    def _on_edited(self, name: str, value: Any, continuous: bool) -> None:
        if continuous:  # half a name is another name
            return
        self.rows[name].show_problem("")
        if self.rows[name].declared.kind == "text":
            value = value.strip()
        try:
            stated = replace(self.stated, **{name: value})
        except ParameterError as error:
            self.rows[name].show_problem(error.problem)
            return
        if stated != self.stated:
            self.stated = stated
            self._show_of_types()
            self.changed.emit(stated)


class ReadingDialog(FittingDialog):
    """Asks for new reading options after the stated ones failed; `problem` says why."""

    decided = Signal(object, object)  # Path, ReadingOptions: read the file with them

    def __init__(
        self, path: Path, detected: FoundReading, stated: ReadingOptions, problem: str, parent: QWidget
    ) -> None:
        super().__init__(f"Reading options of {path.name}", 640, parent)
        self._path = path
        card = Card("Reading options")
        self.form = form = ReadingForm(detected, stated, (), shows_detected=False)
        why = caption(problem, name="problem")
        card.remarks = Remarks(("caption",) * 2, lambda: form.rows.values(), why)
        card.put(card.remarks, form)
        self.buttons = QDialogButtonBox()
        self.open_button = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setObjectName("run")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._decide)
        self.buttons.rejected.connect(self.reject)
        stack(self, card, self.buttons, margins=12, spacing=10)

    def _decide(self) -> None:
        self.open_button.setFocus()  # commits the text of the focused field
        if not any(row.problem for row in self.form.rows.values()):
            self.accept()
            self.decided.emit(self._path, self.form.stated)

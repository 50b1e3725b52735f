"""The reading options of a file: detected values, and the user's own."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QGridLayout, QLineEdit, QWidget

from app.model.wording.numbers import escape, first_names
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.form_row import FormRow, combo
from app.widgets.layouts import stack
from engine.data.formats.registry import FORMATS
from engine.data.reading_options import OPTIONS, TYPES, FoundReading, ReadingOption, ReadingOptions
from engine.errors import ParameterError

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


def points_in_doubt(result: FoundReading) -> str:
    """Return an HTML line that asks for the meaning of ambiguous points; "" if none are.

    The targets of its links are decimal signs.
    """
    if not result.doubtful:
        return ""
    names = html.escape(first_names(result.doubtful))
    return (
        f"{names} has two readings. Now 1.234 is just above 1. "
        '<a href=".">Points are decimal</a> · <a href=",">Points separate thousands</a>'
    )


class ReadingForm(QWidget):
    """Edits the reading options that the file's format leaves open.

    `detected` selects the options. Its values depend on the data, so they appear only with `shows_detected`.
    """

    changed = Signal(object)  # ReadingOptions: the user changed them

    def __init__(
        self, detected: FoundReading, stated: ReadingOptions, columns: Sequence[str], *, shows_detected: bool
    ) -> None:
        super().__init__()
        self.stated = stated
        self._detected = detected
        self._shows_detected = shows_detected
        self.boxes: dict[str, QComboBox | QLineEdit] = {}
        self.rows: dict[str, FormRow] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(20)
        for column in range(ASIDE):
            self._grid.setColumnStretch(column, 1)
        for name in dict.fromkeys((*FORMATS[detected.format].options, *detected.offered)):
            self._add(name)
        if columns:
            self._add_types(columns)
        self._add("dates")
        self.rows["dates"].setVisible("days" in dict(stated.types).values())

    def _add(self, name: str) -> None:
        option = OPTIONS[name]
        offered = self._detected.offered.get(name, ())
        box = self._combo(option, offered) if option.choices or offered else self._line(option)
        box.setAccessibleName(f"{option.label} of the file")
        text = f"{option.help[:1].upper()}{option.help[1:]}."
        box.setWhatsThis(f"<p><b>{escape(option.label)}</b></p><p>{escape(text)}</p>")
        self.boxes[name] = box
        self._add_row(name, FormRow(option.label, box, help=text, fields=(name,)))

    def _add_row(self, name: str, row: FormRow) -> None:
        self.rows[name] = row
        index = len(self.rows) - 1
        self._grid.addWidget(row, index // ASIDE, index % ASIDE)

    def _combo(self, option: ReadingOption, offered: Sequence[str]) -> QComboBox:
        box = combo(option.label)
        choices = {value: value for value in offered} or dict(option.choices)
        text, stated = self._detected.values.get(option.name, ""), getattr(self.stated, option.name)
        known = choices.get(text, text) if self._shows_detected else ""
        first = f"{DETECTED}: {known}" if known and not stated else DETECTED
        box.addItem("none" if option.name == "comment" else first, "")
        if stated and stated not in choices:
            choices[stated] = stated
        for value, title in choices.items():
            box.addItem(title, value)
        box.setCurrentIndex(box.findData(stated))
        if option.free and not offered:
            line = QLineEdit()
            box.setEditable(True)
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            box.setLineEdit(line)
            line.setCursorPosition(0)
            line.editingFinished.connect(lambda: self._on_text(option.name, box))
        box.activated.connect(lambda: self._state(option.name, str(box.currentData() or "")))
        return box

    def _line(self, option: ReadingOption) -> QLineEdit:
        line = QLineEdit(getattr(self.stated, option.name))
        line.setPlaceholderText(option.help if option.name == "sql" else "all")
        line.editingFinished.connect(lambda: self._state(option.name, line.text().strip()))
        return line

    def _on_text(self, name: str, box: QComboBox) -> None:
        """Take the text of a box, or the value of the matching entry."""
        text = box.currentText()
        entry = box.findText(text)
        self._state(name, str(box.itemData(entry) or "") if entry >= 0 else text.strip())

    def _add_types(self, columns: Sequence[str]) -> None:
        self._column, self._type = combo("Column with a type of its own"), combo("Type of the column")
        self._column.addItems(list(columns))
        for name in ("", *TYPES):
            self._type.addItem(TITLES[name], name)
        text = "The type of the column. If cells do not fit, a message counts them and names the first rows."
        for box in (self._column, self._type):
            box.setWhatsThis(f"<p><b>{escape(box.accessibleName())}</b></p><p>{escape(text)}</p>")
        self._add_row(
            "types", FormRow("Type of column", self._column, self._type, help=text, fields=("types",))
        )
        stated = dict(self.stated.types)
        if stated:
            self._column.setCurrentText(next(iter(stated)))
        self._on_column()
        self._column.activated.connect(self._on_column)
        self._type.activated.connect(self._on_type)

    def _on_column(self) -> None:
        chosen = dict(self.stated.types).get(self._column.currentText(), "")
        self._type.setCurrentIndex(self._type.findData(chosen))

    def _on_type(self) -> None:
        types = {**dict(self.stated.types), self._column.currentText(): str(self._type.currentData())}
        kept = tuple((column, name) for column, name in types.items() if name)
        self._take(dataclasses.replace(self.stated, types=kept))

    def _state(self, name: str, value: str) -> None:
        self.rows[name].show_problem("")
        if value == getattr(self.stated, name):
            return
        changes: dict[str, Any] = {name: value}
        try:
            self._take(dataclasses.replace(self.stated, **changes))
        except ParameterError as error:
            self.rows[name].show_problem(error.problem)

    def _take(self, stated: ReadingOptions) -> None:
        if stated != self.stated:
            self.stated = stated
            self.rows["dates"].setVisible("days" in dict(stated.types).values())
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
        card.body.addWidget(caption(problem, name="problem"))
        self.form = ReadingForm(detected, stated, (), shows_detected=False)
        card.body.addWidget(self.form)
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

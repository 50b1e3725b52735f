"""The dialog for a function from a Python file: its code, its public bounds, and permission to run it."""

from __future__ import annotations

import ast
import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from app.model.trusted_code import TrustedFunction
from app.model.wording.typed_numbers import NumberError, format_number_list, parse_number_list
from app.widgets.card import Card, caption, set_text
from app.widgets.form_row import FormRow, combo, line_edit
from app.widgets.layouts import ScrolledColumn, stack
from app.widgets.number_box import refused_box
from app.widgets.value_editors import ParameterForm
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox

MIN_HEIGHT = 72
"""Minimum height of the code view in pixels; it scrolls."""
WARNING = (
    "The function runs on every block, with your rights and all protections that this system offers. Confirm "
    "only code that you have read or trust. If it fails on a block or takes too long, the output is the "
    "center of the bounds. The program does not show which blocks failed, since that is confidential."
)
BOUNDS_HELP = (
    "Public bounds of each number that the function returns, one per number, separated by commas or "
    "semicolons. Choose them from common knowledge, not from the data."
)


class BlackBoxDialog(QDialog):
    """Shows a file and asks for a function in it and the bounds of its output.

    `modules` are the contents of the file and of the modules beside it that it imports, by path, the file
    first; the user confirms exactly these. `before` is the previous choice.
    """

    confirmed = Signal(object, object)  # the `BlackBox`, and the `TrustedFunction` that may run

    def __init__(
        self, path: Path, modules: Mapping[str, bytes], before: BlackBox | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._path, self._modules = path, modules
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Function from {path.name}")
        self.setMinimumSize(QSize(640, 640))
        source, *beside = (content.decode("utf-8", errors="replace") for content in modules.values())
        names = (os.path.relpath(name, path.absolute().parent) for name in [*modules][1:])
        self.source = QPlainTextEdit(
            source
            + "".join(f"\n\n# {name}, imported:\n\n{text}" for name, text in zip(names, beside, strict=True))
        )
        self.source.setReadOnly(True)
        self.source.setObjectName("code")
        self.source.setAccessibleName(f"Content of {path.name}")
        self.source.setTabChangesFocus(True)
        self.function = combo("Function")
        self.function.setPlaceholderText("choose…")
        self.function.addItems(functions_in(source))
        self.function_row = FormRow(
            "&Function", self.function, help="A function of an array (rows, columns)."
        )
        self.lower_box = line_edit("Lower bounds of the output", "0, 0")
        self.upper_box = line_edit("Upper bounds of the output", "1, 1")
        self.lower_row = FormRow("Output &from", self.lower_box, help=BOUNDS_HELP)
        self.upper_row = FormRow("&to", self.upper_box, help=BOUNDS_HELP)
        self.form = ParameterForm()
        self.form.edited.connect(self._on_parameter)
        self._settings: dict[str, Any] = {}
        if before is not None:
            self._begin(before)
        else:
            self.function.setCurrentIndex(0 if self.function.count() == 1 else -1)
        choices = Card("Function and public bounds")
        rows = (self.function_row, self.lower_row, self.upper_row, self.form)
        self.left_open = caption(name="warning")
        choices.put(*rows, caption(BOUNDS_HELP), caption(WARNING, name="warning"))
        self.form.show_parameters(BlackBox.parameters(), self._settings)
        look = Card(str(path))
        look.body.addWidget(self.source, 1)
        self.buttons = QDialogButtonBox()
        self.confirm_button = self.buttons.addButton(
            "&Confirm and use", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.confirm_button.setObjectName("run")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.confirm)
        self.buttons.rejected.connect(self.reject)
        self.source.setMinimumHeight(MIN_HEIGHT)
        self.source.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        area = ScrolledColumn(look, choices, spacing=10)
        # outside the scrolled area, since users must see it before they confirm
        stack(self, (area, 1), self.left_open, self.buttons, margins=12, spacing=10)

    def show_left_open(self, text: str) -> None:
        """Show which protections this system lacks, if any."""
        set_text(self.left_open, text)

    def confirm(self) -> None:
        """Emit `confirmed`, or show which entry is missing or wrong."""
        for row in (self.function_row, self.lower_row, self.upper_row):
            row.show_problem("")
        if refused_box(self) is not None:
            return
        name = self.function.currentText()
        if not name:
            what = "choose one" if self.function.count() else f"{self._path.name} defines no function"
            self.function_row.show_problem(what)
            return
        pairs = (self.lower_box, self.lower_row), (self.upper_box, self.upper_row)
        lower, upper = (self._bounds(*pair) for pair in pairs)
        if lower is None or upper is None:
            return
        if len(lower) != len(upper):
            self.upper_row.show_problem(
                f"{len(lower)} lower and {len(upper)} upper; enter one pair for each number"
            )
            return
        try:
            box = BlackBox(str(self._path), name, lower, upper, **self._settings)
        except ParameterError as error:
            row = self.form.rows.get(error.field, self.upper_row)
            row.show_problem(error.problem)
            return
        self.confirmed.emit(box, TrustedFunction.of(box, self._modules))
        self.accept()

    def _begin(self, before: BlackBox) -> None:
        self.function.setCurrentIndex(self.function.findText(before.function_name))
        self.lower_box.setText(format_number_list(before.lower))
        self.upper_box.setText(format_number_list(before.upper))
        fields = dataclasses.asdict(before)
        self._settings = {declared.name: fields[declared.name] for declared in BlackBox.parameters()}

    def _bounds(self, box: QLineEdit, row: FormRow) -> tuple[float, ...] | None:
        try:
            numbers = parse_number_list(box.text())
        except NumberError as error:
            row.show_problem(str(error))
            return None
        if not numbers:
            row.show_problem("enter one bound for each number that the function returns")
            return None
        return numbers

    def _on_parameter(self, name: str, value: object, _: bool) -> None:
        self._settings[name] = value
        self.form.rows[name].show_problem("")


def functions_in(source: str) -> list[str]:
    """Return the functions that a Python file defines, without running it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]

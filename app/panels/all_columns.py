"""Several columns with something declared of each: all of a file, below each other."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QGridLayout, QScrollArea, QWidget

from app.model.kinds.fields import ColumnsField
from app.model.wording.formatting import escape
from app.panels.column_finder import ColumnFinder, checked_names
from app.panels.each_editors import each_of
from app.panels.field_editor import FieldEditor, FormData, possible_columns
from app.widgets.form_row import mark_wrong
from app.widgets.layouts import scroll_upright, stack

SHOWN = 5
"""Columns that are in sight at once."""
LINE = 34


class AllColumnsEditor(FieldEditor[ColumnsField]):
    """Shows all columns of a file with boxes to check, and beside each what is declared of it."""

    def _make(self) -> None:
        self._edits: dict[str, Any] = {}
        self._grid = QGridLayout()
        self.finder = ColumnFinder()
        self.finder.textChanged.connect(self._build)
        self.area = scroll_upright(QScrollArea())
        inside = QWidget()
        stack(inside, self.finder, self.area, spacing=4)
        self._row("columns", inside)

    def _label(self) -> str:
        return self.field.all_label

    def _fill(self, data: FormData) -> None:
        self._data = data
        if not self.each:
            self._build()
        else:
            self._show_choice()
        self.rows["columns"].show_problem("" if self.answerable else self.field.empty)

    def _show_choice(self) -> None:
        choice = self._data.choice
        for name, (check, *boxes) in self.each.items():
            with QSignalBlocker(check):
                check.setChecked(name in choice.columns)
            for box in boxes:
                box.setEnabled(check.isChecked())
            self._edits[name].show_value(getattr(choice, self.field.each.name).get(name))

    def tabs(self) -> list[QWidget]:
        return [widget for line in self.each.values() for widget in line]

    def lead_to(self, field: str) -> None:
        column = field.partition(" of ")[2]
        if not self.answerable:
            self.rows["columns"].show_problem(self.field.empty)
        elif column in self._edits:
            box = self._edits[column].wrong_box()
            mark_wrong(box, True)
            box.setFocus()

    def take(self, column: str) -> None:
        if column not in self.each:
            self.finder.setText(column)
        if column in self.each:
            self.each[column][0].toggle()

    def _build(self) -> None:
        """Make a line for each column: of all, or of those that are being looked for."""
        data = self._data
        inside = QWidget()
        inside.setObjectName("column")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 6, 0)
        grid.setVerticalSpacing(4)
        self._edits, self.each = {}, {}
        possible = possible_columns(data, self.field)
        for index, column in enumerate(self.finder.listed(possible, data.choice.columns)):
            check = QCheckBox(column.name.replace("&", "&&"))
            kind = "number, if all are whole" if column.type == "number" else column.type
            check.setToolTip(escape(column.unit if self.field.of_numbers else kind))
            check.toggled.connect(self._on_toggled)
            each = each_of(self.field.each, column.name)
            each.setParent(self)
            each.edited.connect(self._on_each)
            each.refused.connect(self.rows["columns"].refuse)
            each.hint()
            self._edits[column.name] = each
            self.each[column.name] = check, *each.boxes
            grid.addWidget(check, index, 0)
            for at, (editor, stretch) in enumerate(zip(each.editors, each.stretches, strict=True), 1):
                grid.addWidget(editor, index, at)
                grid.setColumnStretch(at, stretch)
        grid.setColumnStretch(0, 1 if self.field.each.labels else 2)
        self.answerable = bool(possible)
        self.area.setFixedHeight(LINE * min(SHOWN, max(1, len(self.each))) + 4)
        self.area.setWidget(inside)
        self._show_choice()

    def _on_each(self, column: str, value: Any, _: bool) -> None:
        self.rows["columns"].show_problem("")
        for box in self.each[column][1:]:
            mark_wrong(box, False)
        name = self.field.each.name
        self.target.edit("", merge="", **{name: {**getattr(self._data.choice, name), column: value}})

    def _on_toggled(self) -> None:
        chosen = self._data.choice.columns
        shown = {name: check.isChecked() for name, (check, *_) in self.each.items()}
        checked = checked_names(possible_columns(self._data, self.field), shown, chosen)
        if checked != chosen:
            self.target.choose(columns=checked)

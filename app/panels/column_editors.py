"""Editors of several columns, and of the declared bounds or categories of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QWidget,
    QWidgetAction,
)

from app.model.kinds.fields import ColumnsField, EachField
from app.model.wording.numbers import escape
from app.panels.field_editors import SHORT_UNIT, FieldEditor, FormData, count_missing, possible_columns
from app.widgets.card import plain
from app.widgets.column_facts import EachEditor, LabelsLine, PairBoxes
from app.widgets.column_finder import MAX_COLUMNS, ColumnFinder, checked_names
from app.widgets.combo_box import Chooser
from app.widgets.form_row import ColumnName, FormRow
from app.widgets.layouts import stack
from engine.data import Column


def each_of(field: EachField, column: str) -> EachEditor:
    """Return the editor of the declaration of a column."""
    return LabelsLine(column) if field.labels else PairBoxes(column)


class EachRow(FormRow):
    """The declaration of one column."""

    def __init__(self, field: EachField, column: str, unit: str) -> None:
        self.each = each_of(field, column)
        short = [plain(unit)] if 0 < len(unit) <= SHORT_UNIT else []
        name = f"{field.label} of {column}"
        super().__init__(ColumnName(column), *self.each.editors, *short, help=field.help, fields=[name])
        self.each.setParent(self)
        self.label.setToolTip(escape(f"{column}{f' ({unit})' if unit else ''}. {field.help}"))
        self.each.edited.connect(self.settle)
        self.each.refused.connect(self.refuse)

    def show_value(self, value: Any) -> None:
        """Show the declaration."""
        self.each.show_value(value)
        self.settle()


def describe(column: Column, field: ColumnsField) -> str:
    """Return the unit of a numeric column, else its type."""
    if field.of_numbers:
        return column.unit
    return "number, if all are integers" if column.type == "number" else str(column.type)


class EachColumnEditor(FieldEditor[ColumnsField]):
    """Edits the declarations of several columns."""

    def _on_each(self, column: str, value: Any, continuous: bool) -> None:
        field = self.field.each
        declared = {**getattr(self._data.choice, field.name), column: value}
        text = f"{field.label} of {column}"
        merge = text if continuous else ""
        self.target.edit(f"change the {text}", merge=merge, **{field.name: declared})


class ColumnsEditor(EachColumnEditor):
    """Chooses columns in a menu, with a line for the declaration of each below."""

    roots = ("columns",)

    def _make(self) -> None:
        chooser = self.boxes["columns"] = Chooser(self.field.title)
        self.menu = chooser.menu
        self.finder = ColumnFinder()
        self.finder.textChanged.connect(self._list)
        self._finding = QWidgetAction(self.menu)
        self._finding.setDefaultWidget(self.finder)
        self._actions: list[QAction] = []
        self._units: Mapping[str, str] = {}
        self.menu.triggered.connect(self._on_column)
        self._row("columns", chooser, fields=self.field.problems)
        inside = QWidget()
        text = self.field.each.label
        inside.setAccessibleName(f"{text[:1].upper()}{text[1:]}")
        self.below.append(inside)
        self._column = stack(inside, spacing=6)

    def follows(self) -> frozenset[str]:
        return super().follows() | {self.field.each.name, "units"}

    def each_rows(self) -> tuple[FormRow, ...]:
        return tuple(self.each.values())

    def tabs(self) -> list[QWidget]:
        return [*super().tabs(), *(box for row in self.each.values() for box in row.each.boxes)]

    def _fill(self, data: FormData) -> None:
        self._data = data
        chosen = data.choice.columns
        self._list()
        box = self.boxes["columns"]
        box.set_text(", ".join(chosen) if len(chosen) <= 2 else f"{len(chosen)} columns")
        box.setToolTip(escape(f"{', '.join(chosen)}. {self.field.help}") if chosen else self.field.help)
        units = {name: data.choice.unit_of(name, data.dataset) for name in chosen}
        if units != self._units:
            self._rebuild(units)
        declared = getattr(data.choice, self.field.each.name)
        for name, row in self.each.items():
            row.show_value(declared.get(name))

    def _list(self) -> None:
        """Fill the menu with all columns, or with those that match the search."""
        for action in self._actions:
            self.menu.removeAction(action)
            action.deleteLater()
        self._actions = []
        possible, chosen = possible_columns(self._data, self.field), self._data.choice.columns
        listed = self.finder.list_matches(possible, chosen)
        if len(possible) > MAX_COLUMNS:
            self.menu.addAction(self._finding)
        else:
            self.menu.removeAction(self._finding)
        for column in listed:
            action = QAction(column.name, self.menu)
            self.menu.addAction(action)
            action.setCheckable(True)
            action.setChecked(column.name in chosen)
            about = describe(column, self.field) or "number"
            action.setToolTip(escape(f"{about}{count_missing(column, self._data.curator)}"))
            self._actions.append(action)

    def _rebuild(self, units: Mapping[str, str]) -> None:
        for old in self.each.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._units = units
        self.each = {name: EachRow(self.field.each, name, unit) for name, unit in units.items()}
        for row in self.each.values():
            row.each.edited.connect(self._on_each)
            self._column.addWidget(row)
            row.show()  # at once, so that problems can be shown there

    def _on_column(self, action: QAction) -> None:
        shown = {one.text(): one.isChecked() for one in self._actions}
        names = checked_names(possible_columns(self._data, self.field), shown, self._data.choice.columns)
        # the menu shows the last good columns until the new ones have been read
        action.setChecked(action.text() in self._data.choice.columns)
        if names:
            self.target.choose(columns=names)
        else:
            self.rows["columns"].refuse(self.field.fewest)

"""Editors of several columns, and of the declared bounds or categories of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QScrollArea,
    QWidget,
    QWidgetAction,
)

from app.model.kinds.fields import ColumnsField, EachField
from app.model.wording.numbers import escape
from app.panels.field_editors import SHORT_UNIT, FieldEditor, FormData, count_missing, possible_columns
from app.widgets.card import caption, mark_wrong, plain
from app.widgets.column_facts import EachEditor, LabelsLine, PairBoxes
from app.widgets.column_finder import MAX_COLUMNS, ColumnFinder, checked_names
from app.widgets.combo_box import Chooser
from app.widgets.form_row import ColumnName, FormRow
from app.widgets.layouts import scroll_upright, stack
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
        self.menu.triggered.connect(self._on_column)
        self._row("columns", chooser, fields=self.field.problems)
        inside = QWidget()
        text = self.field.each.label
        inside.setAccessibleName(f"{text[:1].upper()}{text[1:]}")
        self.below.append(inside)
        self._column = stack(inside, spacing=6)

    def follows(self) -> frozenset[str]:
        return super().follows() | {self.field.each.name}

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
        if tuple(self.each) != chosen:
            self._rebuild(chosen)
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

    def _rebuild(self, columns: Sequence[str]) -> None:
        for old in self.each.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        dataset = self._data.dataset
        units = {name: dataset.column(name).unit if dataset else "" for name in columns}
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


SHOWN = 5
"""Number of columns that are visible without scrolling."""
LINE = 34


class AllColumnsEditor(EachColumnEditor):
    """Shows all columns of a file with check boxes, and the declaration beside each."""

    def _make(self) -> None:
        self._edits: dict[str, Any] = {}
        self.finder = ColumnFinder()
        self.finder.textChanged.connect(self._build)
        self.area = scroll_upright(QScrollArea())
        inside = QWidget()
        stack(inside, self.finder, self.area, spacing=4)
        self._row("columns", inside)
        self.widgets.append(caption(self.field.each.help))

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
        """Make a line for each column, or for each that matches the search."""
        data = self._data
        inside = QWidget()
        inside.setObjectName("column")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 6, 0)
        grid.setVerticalSpacing(4)
        self._edits, self.each = {}, {}
        possible = possible_columns(data, self.field)
        for index, column in enumerate(self.finder.list_matches(possible, data.choice.columns)):
            check = QCheckBox(column.name.replace("&", "&&"))
            check.setToolTip(escape(describe(column, self.field)))
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

    def _on_each(self, column: str, value: Any, continuous: bool) -> None:
        self.rows["columns"].show_problem("")
        for box in self.each[column][1:]:
            mark_wrong(box, False)
        super()._on_each(column, value, continuous)

    def _on_toggled(self) -> None:
        chosen = self._data.choice.columns
        shown = {name: check.isChecked() for name, (check, *_) in self.each.items()}
        checked = checked_names(possible_columns(self._data, self.field), shown, chosen)
        if checked != chosen:
            self.target.choose(columns=checked)

"""Several columns with something declared of each: in a menu, and a line for each that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget, QWidgetAction

from app.model.kinds.fields import ColumnsField
from app.model.wording.formatting import escape
from app.panels.column_finder import MAX_COLUMNS, ColumnFinder, checked_names
from app.panels.each_editors import EachRow
from app.panels.field_editor import FieldEditor, FormData, lost, possible_columns
from app.widgets.combo_box import Chooser
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack


class ColumnsEditor(FieldEditor[ColumnsField]):
    """Chooses columns in a menu; the lines below have what is declared of each."""

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
        text = self.field.each.words
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
        """Put columns into the menu: all, or those that are being looked for."""
        for action in self._actions:
            self.menu.removeAction(action)
            action.deleteLater()
        self._actions = []
        possible, chosen = possible_columns(self._data, self.field), self._data.choice.columns
        listed = self.finder.listed(possible, chosen)
        if len(possible) > MAX_COLUMNS:
            self.menu.addAction(self._finding)
        else:
            self.menu.removeAction(self._finding)
        for column in listed:
            action = QAction(column.name, self.menu)
            self.menu.addAction(action)
            action.setCheckable(True)
            action.setChecked(column.name in chosen)
            action.setToolTip(escape(f"{self._words(column)}{lost(column, self._data.curator)}"))
            self._actions.append(action)

    def _words(self, column: Any) -> str:
        if self.field.of_numbers:
            return str(column.unit or "number")
        return "number, if all are whole" if column.type == "number" else str(column.type)

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
            row.show()  # at once, so that problems find it

    def _on_each(self, column: str, value: Any, continuous: bool) -> None:
        field = self.field.each
        declared = {**getattr(self._data.choice, field.name), column: value}
        text = f"{field.words} of {column}"
        merge = text if continuous else ""
        self.target.edit(f"change the {text}", merge=merge, **{field.name: declared})

    def _on_column(self, action: QAction) -> None:
        shown = {one.text(): one.isChecked() for one in self._actions}
        names = checked_names(possible_columns(self._data, self.field), shown, self._data.choice.columns)
        # the menu shows the last good columns until the new ones have been read
        action.setChecked(action.text() in self._data.choice.columns)
        if names:
            self.target.choose(columns=names)
        else:
            self.rows["columns"].refuse(self.field.fewest)

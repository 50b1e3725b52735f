"""The editor of several columns."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QWidgetAction,
)

from app.model.kinds.fields import ColumnsField
from app.model.wording.numbers import escape
from app.panels.field_editors import FieldEditor, FormData, count_missing, possible_columns
from app.widgets.column_finder import MAX_COLUMNS, ColumnFinder, checked_names
from app.widgets.combo_box import Chooser
from engine.data import Column


def describe(column: Column, field: ColumnsField) -> str:
    """Return the unit of a numeric column, else its type."""
    if field.of_numbers:
        return column.unit
    return "number, if all are integers" if column.type == "number" else str(column.type)


class ColumnsEditor(FieldEditor[ColumnsField]):
    """Chooses columns in a menu."""

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

    def _fill(self, data: FormData) -> None:
        self._data = data
        chosen = data.choice.columns
        self._list()
        box = self.boxes["columns"]
        box.set_text(", ".join(chosen) if len(chosen) <= 2 else f"{len(chosen)} columns")
        box.setToolTip(escape(f"{', '.join(chosen)}. {self.field.help}") if chosen else self.field.help)

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

    def _on_column(self, action: QAction) -> None:
        shown = {one.text(): one.isChecked() for one in self._actions}
        names = checked_names(possible_columns(self._data, self.field), shown, self._data.choice.columns)
        # the menu shows the last good columns until the new ones have been read
        action.setChecked(action.text() in self._data.choice.columns)
        if names:
            self.target.choose(columns=names)
        else:
            self.rows["columns"].refuse(self.field.fewest)

"""The form of a kind of data, made from the fields that it declares, in side panel and import dialog."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtWidgets import QWidget

from app.model.kinds import fields
from app.model.kinds.kind import DataKind
from app.panels import field_editors as editors
from app.panels.column_editors import AllColumnsEditor, ColumnsEditor
from app.panels.field_editor import FieldEditor, FormData, FormTarget
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack

Editor = type[FieldEditor[Any]]

EDITORS: dict[type[fields.FormField], tuple[Editor, Editor | None]] = {
    fields.ColumnField: (editors.ColumnEditor, editors.ColumnEditor),
    fields.ColumnsField: (ColumnsEditor, AllColumnsEditor),
    fields.BoundsField: (editors.BoundsEditor, editors.BoundsEditor),
    fields.CountField: (editors.CountEditor, editors.CountEditor),
    fields.VerticesField: (editors.VerticesEditor, editors.VerticesEditor),
    fields.OptionField: (editors.OptionEditor, editors.OptionEditor),
    fields.LookField: (editors.LookEditor, None),
    fields.MissingField: (editors.MissingEditor, editors.DraftMissingEditor),
    fields.SourceField: (editors.SourceEditor, editors.SourceEditor),
    fields.ResolutionField: (editors.ResolutionEditor, editors.ResolutionEditor),
}
"""The editor of each kind of field in the side panel, and in the dialog that opens a file (None: none).

A plug-in adds the editors of its own fields.
"""


class DataForm(QWidget):
    """Asks what a kind of data declares, line by line; `target` takes what is entered.

    As a `draft` it stands in the dialog that opens a file.
    """

    def __init__(self, kind: DataKind[Any], target: FormTarget, spacing: int, *, draft: bool = False) -> None:
        super().__init__()
        self.kind = kind
        made = ((field, EDITORS[type(field)][draft]) for field in kind.fields)
        self.editors = [editor(field, kind, target, draft) for field, editor in made if editor is not None]
        self._chain: list[QWidget] = []
        self.rows: tuple[FormRow, ...] = ()  # beside which problems are explained
        column = stack(self, spacing=spacing)
        for editor in self.editors:
            for widget in editor.widgets:
                column.addWidget(widget)
            editor.setParent(self)
            editor.refused.connect(self.refuse)
            if isinstance(editor.field, fields.MissingField):
                for other in self.editors:
                    for widget in other.below:
                        column.addWidget(widget)
        self._list_rows()

    def _list_rows(self) -> None:
        self.rows = tuple(
            row for editor in self.editors for row in (*editor.rows.values(), *editor.each_rows())
        )

    @property
    def each(self) -> Mapping[str, Any]:
        """The editors of the declaration of each column, by its name."""
        return next((editor.each for editor in self.editors if editor.each), {})

    def box(self, name: str) -> Any:
        return next(editor.boxes[name] for editor in self.editors if name in editor.boxes)

    def row(self, name: str) -> FormRow:
        return next(editor.rows[name] for editor in self.editors if name in editor.rows)

    def show_data(self, data: FormData, changed: frozenset[str] | None = None) -> None:
        """Show the declared values that depend on the fields that `changed`; None: all."""
        for editor in self.editors:
            if changed is None or changed & editor.follows():
                editor.show(data)
        self._list_rows()
        chain = [box for editor in self.editors for box in editor.tabs()]
        if chain != self._chain:
            self._chain = chain
            for before, after in pairwise(chain):
                self.setTabOrder(before, after)

    def forget(self) -> None:
        """Keep nothing of data that are not shown."""
        for editor in self.editors:
            editor.forget()
        self._list_rows()

    def refuse(self, field: str, text: str) -> None:
        """Say what is wrong beside a field, until the next edit."""
        for row in self.rows:
            if field in row.fields:
                row.refuse(text)

    def show_problem(self, field: str, text: str) -> None:
        """Say what is wrong beside a field, and lead there."""
        columns = field.partition(" of ")[2]
        location = "columns" if columns else field
        next(row for row in self.rows if location in row.fields).show_problem(text)
        self.lead_to(field)

    def lead_to(self, field: str) -> None:
        """Put the cursor where a field is edited."""
        for editor in self.editors:
            editor.lead_to(field)

    def take(self, column: str) -> None:
        """Follow a click on a column of the preview."""
        for editor in self.editors:
            editor.take(column)

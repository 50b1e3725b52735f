"""The data panel: the file, and the form with its declarations."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget, QWidgetAction

from app.model.dataset import Dataset
from app.model.kinds import fields
from app.model.kinds.base import FOUND, fields_of
from app.model.kinds.fields import ColumnsField
from app.model.kinds.kind import DataKind, confidential_words
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import DATA_VIEW
from app.model.state import SessionState
from app.model.wording.numbers import escape
from app.panels import field_editors as editors
from app.panels.field_editors import FieldEditor, FormData, FormTarget, count_missing, possible_columns
from app.session import Session
from app.widgets.card import Card, Remarks, caption, linked_caption, set_text
from app.widgets.column_finder import MAX_COLUMNS, ColumnFinder, checked_names
from app.widgets.combo_box import Chooser, ExamplesMenu
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.style import THEME
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


EDITORS: dict[type[fields.FormField], type[FieldEditor[Any]]] = {
    fields.ColumnField: editors.ColumnEditor,
    fields.ColumnsField: ColumnsEditor,
    fields.GroupField: editors.GroupEditor,
    fields.BoundsField: editors.BoundsEditor,
    fields.VerticesField: editors.VerticesEditor,
    fields.OptionField: editors.OptionEditor,
    fields.MissingField: editors.MissingEditor,
    fields.SourceField: editors.OptionEditor,
    fields.ResolutionField: editors.ResolutionEditor,
}
"""The editor of each kind of field; a plug-in adds those of its own fields."""


class DataForm(QWidget):
    """Edits the declarations of a kind of data, line by line; `target` receives them."""

    def __init__(self, kind: DataKind[Any], target: FormTarget, spacing: int) -> None:
        super().__init__()
        self.kind = kind
        self.editors = [EDITORS[type(field)](field, kind, target) for field in kind.fields]
        self._chain: list[QWidget] = []
        column = stack(self, spacing=spacing)
        for editor in self.editors:
            for widget in editor.widgets:
                column.addWidget(widget)
            editor.setParent(self)
        # those that can show a problem
        self.rows = tuple(row for editor in self.editors for row in editor.rows.values())

    def box(self, name: str) -> Any:
        return next(editor.boxes[name] for editor in self.editors if name in editor.boxes)

    def row(self, name: str) -> FormRow:
        return next(editor.rows[name] for editor in self.editors if name in editor.rows)

    def advanced_rows(self, choice: Any) -> dict[FormRow, bool]:
        """Return the rows of advanced fields, with whether they have another value than usual."""
        advanced = (editor for editor in self.editors if editor.field.advanced)
        rows = ((editor, name, row) for editor in advanced for name, row in editor.rows.items())
        return {row: getattr(choice, name, None) != editor.field.usual for editor, name, row in rows}

    def show_data(self, data: FormData, changed: frozenset[str] | None = None) -> None:
        """Show the declarations that depend on the fields that `changed`; None: all."""
        for editor in self.editors:
            if changed is None or changed & editor.follows():
                editor.show(data)
        chain = [box for editor in self.editors for box in editor.tabs()]
        if chain != self._chain:
            self._chain = chain
            for before, after in pairwise(chain):
                self.setTabOrder(before, after)

    def forget(self) -> None:
        """Drop all references to hidden data."""
        for editor in self.editors:
            editor.forget()


MOVING = frozenset(
    {"page", "dataset", "missing", "group", "column", "columns", "edge_columns", "lower", "upper", "bounds"}
)
"""Fields that change how many records the bounds move, besides the records and manual edits."""


LINES = ("caption",) * 2
"""The lines below the form: most problems have two."""
LOOKED = "{} taken from the data are not public: no guarantee holds for this release."
MAX_FACTS = 6
"""Columns whose public facts are listed."""

PUBLISHED = "called public"
"""Marks data that the user has declared public or synthetic."""


class DataPanel(Card):
    """Shows and edits data of one kind on one page of the session."""

    # changes that need another read of the file: fields of the state and their new values
    open_requested = Signal()
    table_requested = Signal()  # show the records
    reading_requested = Signal()  # show how the file is read
    example_chosen = Signal(str)
    chosen = Signal(object)  # dict
    declare_requested = Signal()  # show the columns on the page Data
    ask_requested = Signal()  # add the question of the page to the sheet

    def __init__(self, session: Session, page: str, kind: DataKind[Any]) -> None:
        super().__init__("Data")
        self._session = session
        self._page = page
        self._kind = kind
        self._reads = kind.name
        self._clamped: int | None = None
        self._build_tools()
        self.form = DataForm(kind, self, self.body.spacing())
        self.body.addWidget(self.form)
        self.elsewhere = linked_caption(self._on_link)
        self.elsewhere.setAccessibleName("Declare columns on the page Data")
        self.body.addWidget(self.elsewhere)
        self.warning = caption(name="warning")
        self.body.addWidget(self.warning)
        self.facts = caption()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.remarks = Remarks(LINES, lambda: self.rows, self.facts)
        self.body.addWidget(self.remarks)
        self.use_words()  # private here: the numbers of clamped and dropped records
        THEME.changed.connect(self._recolour)
        self.refresh()

    def _recolour(self) -> None:
        self.refresh()

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows that can show a problem."""
        return self.form.rows

    def fits(self, state: SessionState) -> bool:
        """Tell whether the page uses such data."""
        return state.page == self._page and isinstance(state.read_data, self._kind.choice)

    def show_clamped(self, clamped: int | None) -> None:
        """Show the number of values that the bounds move (private; None while unknown)."""
        self._clamped = clamped
        self._say_facts(self._session.state)

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show changes of `fields` (None: all) while the page uses such data.

        A hidden panel follows the view too, which may forbid its contents.
        """
        state = self._session.state
        if not self.fits(state):
            self.form.forget()
            if fields is None or "view" not in fields:
                return
            state = state.at(self._page)
            if not self.fits(state):
                return
        whole, part = state.data, state.read_data
        if fields is not None and part is not whole and fields & set(whole.with_part(state.reads, {})):
            fields |= fields_of(type(part))
        curator = state.view == "curator"
        self.form.show_data(FormData(part, state.dataset, state, curator), fields)
        moving = MOVING | set(part.names(FOUND)) | {"modified_values"}
        if (fields is not None and fields & moving) or state.reads != self._reads:
            self._clamped = None
        self._reads = state.reads
        title = state.dataset.title if state.dataset else ""
        self.set_title(title or "Data")
        self.setAccessibleName(f"Data: {title}" if title else "Data")
        path = (
            state.dataset.path if state.dataset and curator else None
        )  # the path may name users and folders
        self.setStatusTip(str(path or ""))
        self.table_button.setVisible(curator and state.dataset is not None)
        self.reading_button.setVisible(state.dataset is not None and self._has_file(state.dataset))
        set_text(self.elsewhere, self._undeclared(state) or self._declared(state))
        set_text(self.warning, LOOKED.format(self._kind.declared.capitalize()) if state.looked else "")
        self._say_facts(state)

    def _undeclared(self, state: SessionState) -> str:
        """Return the reason why the page does not follow the table; "" if it does, or without a table."""
        data, table = PAGE_KINDS[state.page], state.table
        if table is None or not data.follows or state.lesson is not None or state.follows_table:
            return ""
        title = escape(table.title)
        if state.records is None and state.declarations.person:
            return f"An example: only Questions can ask about several records of a person in {title}."
        if state.records is not None and data.columns_in(state.records, state.declarations):
            return ""
        lacking = "column has" if data.least_columns == 1 else "two columns have"
        none = f"no {lacking}" if data.least_columns == 1 else f"not {lacking}"
        return f"An example: in {title}, {none} public bounds yet. {self._link('Declare them on Data')}."

    def _declared(self, state: SessionState) -> str:
        """Return the public facts of the columns that the page Data declares; "" for other data."""
        choice, dataset = state.read_data, state.dataset
        if dataset is None or not self._kind.follows or self._kind.has_bounds:
            return ""
        facts = [f"{label}: {text}" for label, text in self._kind.report(choice, dataset)]
        more = len(facts) - MAX_FACTS
        listed = [*facts[:MAX_FACTS], f"and {more} more"] if more > 0 else facts
        lines = "<br>".join(map(escape, listed))
        return lines if state.lesson is not None else f"{lines}<br>{self._link('Change on Data')}"

    def _link(self, text: str) -> str:
        return (
            f'<a href="{DATA_VIEW.name}" style="color: {THEME.palette.text(THEME.palette.accent)}">{text}</a>'
        )

    def _has_file(self, dataset: Dataset) -> bool:
        """Return whether the page has opened a file of its own that can be read in another way."""
        return dataset.path is not None and bool(dataset.table.reading.format) and not self._kind.follows

    def edit(self, text: str, *, merge: str = "", **fields: Any) -> None:
        """Change a declaration, as one step to undo."""
        state = self._session.state
        self._session.edit(text, merge=merge, **state.data.with_part(state.reads, fields))

    def choose(self, **fields: Any) -> None:
        """Ask for a read of the file; drop a declared n, which belonged to the earlier columns."""
        state = self._session.state
        old, new = state.read_data, dataclasses.replace(state.read_data, **fields)
        if old.complete is not None and self._kind.columns_of(new) != self._kind.columns_of(old):
            fields["complete"] = None
        self.chosen.emit(state.data.with_part(state.reads, fields))

    def ask(self) -> None:
        """Add the question of the page to the sheet."""
        self.ask_requested.emit()

    def _build_tools(self) -> None:
        self.table_button = self.add_tool("table", "Data table (Ctrl+D)")
        self.table_button.clicked.connect(self.table_requested)
        self.reading_button = self.add_tool("tune", "How the file is read…")
        self.reading_button.clicked.connect(self.reading_requested)
        self.open_button = self.add_tool("open", "Open a file… (Ctrl+O)")
        self.open_button.clicked.connect(self.open_requested)
        self.examples_button = self.add_tool("examples", "Open a bundled example")
        self.examples = ExamplesMenu(self, self._kind.offers)
        self.examples.example_chosen.connect(self.example_chosen)
        self.examples_button.setMenu(self.examples)
        self.examples_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _say_facts(self, state: SessionState) -> None:
        private: tuple[str, ...] = ()
        public, text = private, ""
        if self.fits(state) and state.read_data.n is not None:
            result = state.kind.facts(state.read_data, self._clamped)
            public, text = result.public, result.about_public
            if state.dataset is not None and state.dataset.content in state.published:
                public += (PUBLISHED,)
            if state.view == "curator":
                private, text = result.private, result.about_all
            if state.size_problem is not None:
                private = (*public, *private) if state.view == "curator" else ()
                public, text = (), confidential_words(state.size_problem)
        set_text(self.facts, " · ".join(public + private))
        self.facts.setToolTip(text)
        self.badge.setVisible(bool(text) and state.view == "curator")

    def _on_link(self, _: str) -> None:
        self.declare_requested.emit()

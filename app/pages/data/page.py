"""The page "Data"."""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QToolButton, QWidget

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.dataset import Dataset
from app.model.declaring import look_at
from app.model.kinds.declared import identifiers, is_declared
from app.model.pages.workspaces import QUESTIONS_VIEW
from app.model.view_states import WallView
from app.model.views import CURATOR
from app.model.wording.console import counted
from app.pages.base.view import View
from app.pages.data.column_bars import ColumnTiles, bars_of
from app.pages.data.column_row import GROUPS, HEADINGS, LARGE, ORIGIN, UNIT, ColumnRow
from app.pages.data.record_card import RecordCard
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import Card, caption, keep_room, plain, set_text
from app.widgets.column_finder import ColumnFinder
from app.widgets.deferred import deferred_call, take_frame_slot
from app.widgets.layouts import scroll_upright, stack
from app.widgets.open_invitation import OpenInvitation
from app.widgets.style import THEME
from engine.questions.declarations import ColumnDeclaration, Declarations

FOLLOWED = frozenset({"table", "declarations", "view", "workspace", "lesson"})
PER_TURN = 2
"""Rows that are made in one turn of the event loop."""
FACTS_CELL = 2
"""Index of the cell that takes the spare width."""
MAX_TILES = 24
"""Columns that an audience sees."""
NO_HEADLINE = "Every question is about a table: people in its rows, facts about them in its columns."
NO_TABLE = (
    "Open a text file, workbook, database, Parquet, SPSS or Stata file and more, or drop it here. "
    "Until then, each page shows an example."
)
NOT_DECLARED = "First enter public bounds or categories of a column"
WHY_LOOKED = "Bounds or categories were taken from the data: no guarantee holds for releases that use them."


class DataPage(View):
    """The table of the program, and the public statements about its columns."""

    name = "data"
    opening: OpenInvitation

    paste_requested = Signal()
    reading_requested = Signal()  # show how the file is read
    records_requested = Signal()  # show the records

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self.rows: dict[str, ColumnRow] = {}
        self._table: Dataset | None = None
        self._leads = False  # whether a new table leads to its first bounds
        self._waiting: list[Any] = []
        self._headings: dict[str, QLabel] = {}
        self._turn = deferred_call(self, self._make_rows)
        self.drawing = jobs.channel("pictures of columns", self._on_bars)
        self.looking = jobs.channel("look at a column", self._on_looked, self.failed)
        self.combining = jobs.channel("combine rows", self._on_combined, self.failed)
        self.head = Card("Data", private=True)
        self.head.use_words()
        self.paste_button = push_button("Pas&te data…", clicked=self.paste_requested)
        self.opening = OpenInvitation("Open your data", NO_TABLE, self.paste_button)
        self._build_tools()
        self.facts = caption()
        self.record = RecordCard()
        self.record.edited.connect(self._on_record)
        self.tiles = ColumnTiles()  # in presentation mode
        self.head.put(self.facts, self.opening, self.record)
        self.head.body.addWidget(self.tiles, 1)
        self.columns = Card("Columns")
        self.finder = ColumnFinder()
        self.finder.textChanged.connect(self._build)
        self.looked = caption(WHY_LOOKED, "warning")
        self.questions_button = push_button("Ask &questions", clicked=self._show_questions, name="run")
        self.columns.head.insertWidget(1, plain("Only columns that you ask about need bounds.", "caption"))
        self.columns.head.addWidget(self.questions_button)
        self._grid_area = scroll_upright(QScrollArea())
        self.columns.put(self.finder, self.looked)
        self.columns.body.addWidget(self._grid_area, 1)
        self._on_wall = False
        stack(self, self.head, (self.columns, 1), spacing=8)
        session.watch(FOLLOWED, self, self.refresh)
        THEME.scaled.connect(self._show_headings)

    @property
    def headline(self) -> str:
        table, declarations = self._session.state.table, self._session.state.declarations
        if table is None:
            return NO_HEADLINE
        stated, columns = sum(map(is_declared, declarations.columns)), len(table.table.columns)
        record = f"one record {'per person' if declarations.person else 'each'}"
        text = ", ".join((*self._rows(table), record))
        ready = counted(columns, "column")
        some = f"{stated} of {ready}" if stated < columns else ready
        return f"{text[:1].upper()}{text[1:]}. Ready for questions: {some}."

    def _rows(self, table: Dataset) -> tuple[str, ...]:
        """Return the number of rows where it may be seen: of persons with several rows it is confidential."""
        state = self._session.state
        hidden = state.declarations.person and state.view != CURATOR
        return () if hidden else (counted(table.table.n, "row"),)

    def show_wall(self, wall: WallView | None) -> None:
        self._on_wall = wall is not None
        if self.is_open:
            self._show_head()

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self.combining, self.looking

    @property
    def pending(self) -> bool:
        return self._turn.isActive()

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if not self.is_open:
            return
        state = self._session.state
        if state.table is not self._table:
            self._table = state.table
            self.record.offer_columns(None if state.table is None else state.table.table)
            self.finder.clear()
            self._leads = True
            self._build()
        self._show_head()
        self._show_rows()

    def _show_headings(self) -> None:
        listed = any(one.categories for one in self._session.state.declarations.columns)
        for text, label in self._headings.items():
            label.setVisible(
                (THEME.scale < LARGE or text not in (UNIT, ORIGIN)) and (listed or text != GROUPS)
            )

    def _show_questions(self) -> None:
        self._session.show_page(QUESTIONS_VIEW.name)

    # The head.

    def _build_tools(self) -> None:
        tools = (
            ("table", "Data table (Ctrl+D)", "Records", self.records_requested),
            ("tune", "How the file is read…", "Reading", self.reading_requested),
            ("open", "Open another file… (Ctrl+O)", "Open", self.opening.file_requested),
        )
        self.tools: tuple[QToolButton, ...] = ()
        for name, tip, text, signal in tools:
            tool = self.head.add_tool(name, tip, text)
            tool.clicked.connect(signal)
            self.tools += (tool,)
        examples = self.head.add_tool("examples", "Open a bundled example", "Examples")
        examples.setMenu(self.opening.examples)
        examples.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.tools += (examples,)

    def _show_head(self) -> None:
        state, table = self._session.state, self._session.state.table
        curator = state.view == CURATOR
        self.opening.setVisible(table is None)
        desk = table is not None and not self._on_wall
        self.record.setVisible(desk)
        self.columns.setVisible(desk)
        self.tiles.setVisible(table is not None and self._on_wall)
        self.purpose_changed.emit()
        self.head.badge.setVisible(table is not None and curator)
        self.head.set_title("Data" if table is None else table.title)
        for tool in self.tools:
            tool.setVisible(desk)
        self.record.show_declared(state.declarations)
        if table is None:
            set_text(self.facts, "")
            return
        records, reading, looks = self.tools[0], self.tools[1], curator and not table.stays_in_file
        records.setVisible(looks and desk)
        reading.setVisible(desk and table.path is not None and bool(table.table.reading.format))
        combined = state.records
        persons = combined is not None and combined is not table
        facts = [", ".join((*self._rows(table), counted(len(table.table.columns), "column")))]
        if persons and combined is not None:
            facts.append(f"n = {counted(combined.table.n, 'person')} (public)")
        elif not state.declarations.person:
            facts.append("n is public")
        if table.table.format:
            facts.append(f"read as {table.table.format}")
        set_text(self.facts, " · ".join(facts) if desk else "")
        self.head.setStatusTip(str(table.path or "") if curator else "")

    # The columns.

    def _build(self, _: str = "") -> None:
        """Make a row for each column, a few in each turn of the event loop."""
        for row in self.rows.values():
            row.deleteLater()
        self.rows = {}
        inside = QWidget()
        inside.setObjectName("column")
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 6, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(FACTS_CELL, 1)
        for index, text in enumerate(HEADINGS):
            label = self._headings[text] = plain(text, "caption")
            keep_room(label, text == GROUPS)
            self._grid.addWidget(label, 0, index)
        self._show_headings()
        if (old := self._grid_area.takeWidget()) is not None:
            old.deleteLater()  # setWidget would delete it at once, with a menu that is open in it
        self._grid_area.setWidget(inside)
        columns = self._table.table.columns if self._table is not None else ()
        stated = {one.name for one in self._session.state.declarations.columns}
        self._waiting = self.finder.list_matches(columns, stated)
        if self._waiting:
            self._turn.start()

    def _make_rows(self) -> None:
        if not take_frame_slot():
            self._turn.start()
            return
        some, self._waiting = self._waiting[:PER_TURN], self._waiting[PER_TURN:]
        named = identifiers(self._table.table.columns) if self._table else ()
        for column in some:
            row = ColumnRow(column, self, identifies=column.name in named)
            row.edited.connect(self._on_edited)
            row.public_groups.connect(partial(self._on_public_groups, column.name))
            row.look_requested.connect(partial(self._on_look, column.name))
            row.numbers_requested.connect(partial(self._on_numbers, column.name))
            self.rows[column.name] = row
            for index, cell in enumerate(row.cells):
                self._grid.addWidget(cell, len(self.rows), index, Qt.AlignmentFlag.AlignVCenter)
            self._show_row(row)
        if self._waiting:
            self._turn.start()
            return
        self._grid.setRowStretch(len(self.rows) + 1, 1)
        self._order_tabs()
        self._draw()
        if self._leads:
            self._leads = False
            self._lead()

    def _lead(self) -> None:
        """Focus the first column of numbers without bounds."""
        rows = [row for row in self.rows.values() if row.column.type == "number" and not row.identifies]
        row = next((row for row in rows if not is_declared(row.declared)), None)
        if row is not None and self.is_open:
            row.facts.boxes[0].setFocus()

    def _order_tabs(self) -> None:
        """Let Tab go down each column of fields."""
        chains = [row.chain for row in self.rows.values()]
        fields = [box for column in zip(*chains, strict=True) for boxes in column for box in boxes]
        for before, after in pairwise((*self.record.boxes, *fields)):
            QWidget.setTabOrder(before, after)

    def _show_rows(self) -> None:
        for row in self.rows.values():
            self._show_row(row)
        self._show_headings()
        declared = self._session.state.declarations.columns
        ready = any(map(is_declared, declared))
        self.questions_button.setEnabled(ready)
        self.questions_button.setToolTip("" if ready else NOT_DECLARED)
        self.looked.setVisible(any(one.source == "looked" for one in declared))
        if self.rows and not self.pending:
            self._order_tabs()
            self._draw()

    def _show_row(self, row: ColumnRow) -> None:
        state, name = self._session.state, row.column.name
        curator = state.view == CURATOR or (self._table is not None and self._table.is_public)
        declared = state.declarations.column(name)
        if not declared.unit and row.column.unit:
            declared = dataclasses.replace(declared, unit=row.column.unit)
        row.show(declared, name in state.declarations.public_groups, curator)

    def _draw(self) -> None:
        """Draw the small pictures of the columns, where they may be seen."""
        table = self._table
        if table is None or table.stays_in_file or self._session.state.view != CURATOR:
            self.drawing.cancel()
            for row in self.rows.values():
                row.bars.show_bars(())
            self._show_tiles()
            return
        declarations = self._session.state.declarations
        names = tuple(name for name, row in self.rows.items() if not row.identifies)
        self.drawing.request(partial(_drawn, table, declarations, names))

    def _on_bars(self, result: tuple[Dataset, dict[str, Any]]) -> None:
        table, bars = result
        if table is self._table and self._session.state.view == CURATOR:
            for name, row in self.rows.items():
                row.bars.show_bars(bars.get(name, ()))
            self._show_tiles()

    def _show_tiles(self) -> None:
        curator = self._session.state.view == CURATOR
        self.tiles.show_tiles([row.tile(curator) for row in self.rows.values()][:MAX_TILES])

    # Edits.

    def _on_edited(self, text: str, declared: ColumnDeclaration, continuous: bool) -> None:
        declarations = self._session.state.declarations.with_column(declared)
        self._session.edit(text, merge=text if continuous else "", declarations=declarations)

    def _on_public_groups(self, name: str, on: bool) -> None:
        declarations = self._session.state.declarations
        groups = declarations.public_groups | {name} if on else declarations.public_groups - {name}
        text = f"change who may know the groups of {name}"
        self._session.edit(text, declarations=dataclasses.replace(declarations, public_groups=groups))

    def _on_look(self, name: str) -> None:
        if self._table is not None:
            declared = self._session.state.declarations.column(name)
            self.looking.request(partial(_look, self._table, declared))

    def _on_numbers(self, name: str) -> None:
        """Read a column as numbers, which names the first value that is none."""
        if self._table is not None:
            self.looking.request(partial(_numbers, self._table, name))

    def _on_looked(self, declared: ColumnDeclaration) -> None:
        self._on_edited(f"look at {declared.name}", declared, False)

    def _on_record(self, text: str, declarations: Declarations) -> None:
        """Combine the rows of each person before they become records."""
        table = self._table
        if table is None or not declarations.person or declarations.most_rows is not None:
            self._session.edit(text, declarations=declarations)
        else:
            self.combining.request(partial(_combine, table, text, declarations))

    def _on_combined(self, result: tuple[Dataset, str, Declarations]) -> None:
        table, text, declarations = result
        if table is self._table:
            self._session.edit(text, declarations=declarations)


def _drawn(
    table: Dataset, declarations: Declarations, names: tuple[str, ...], task: JobTask
) -> tuple[Dataset, Any]:
    return table, bars_of(table, declarations, names, task)


def _look(table: Dataset, declared: ColumnDeclaration, task: JobTask) -> ColumnDeclaration:
    task(0.0, f"reading column '{declared.name}'")
    return look_at(table.table, declared)


def _numbers(table: Dataset, name: str, task: JobTask) -> None:
    task(0.0, f"reading column '{name}'")
    table.table.numbers(name, "drop")


def _combine(
    table: Dataset, text: str, declarations: Declarations, task: JobTask
) -> tuple[Dataset, str, Declarations]:
    task(0.0, "combining the rows of each person")
    table.combine(declarations.person, declarations.person_rule)
    return table, text, declarations

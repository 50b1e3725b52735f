"""The data table: the present records of the open file (confidential)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.dataset import Dataset, PointedRecord
from app.model.state import SessionState
from app.model.wording.typed_numbers import NumberError, parse_number
from engine.errors import ParameterError
from engine.progress import Progress

if TYPE_CHECKING:
    from engine.data import Column
    from engine.data.browsing import Browser, NumberSummary, Rows, TextSummary


@dataclasses.dataclass(frozen=True, eq=False)
class DataTable:
    """The records of a dataset, with the columns that the page reads."""

    dataset: Dataset
    columns: tuple[str, ...]  # columns that the page reads
    editable: str  # the column whose values can be changed by hand; "" if there is none
    changed: Mapping[int, float]  # new values by record number
    drops: bool = True  # whether rows with an empty cell in these columns are left out
    is_asked: bool = False  # whether questions of the sheet are about these records
    rows: Rows | None = None  # the row of each record, where the page reads one group
    units: Mapping[str, str] = dataclasses.field(default_factory=dict)  # declared units by column

    @classmethod
    def of(cls, state: SessionState) -> DataTable | None:
        """Return the visible data; None if there are none, or they stay in their file."""
        dataset = state.visible_dataset
        if dataset is None or dataset.stays_in_file:
            return None
        is_asked = dataset is (state.records or state.table)
        units = {one.name: one.unit for one in state.declarations.columns} if is_asked else {}
        if dataset is not state.dataset:  # the table of the program, before a page reads it
            return cls(dataset, (), "", {}, drops=False, is_asked=is_asked, units=units)
        choice = state.read_data
        read = choice.n is not None
        columns = state.kind.columns_of(choice) if read else ()
        editable = state.kind.changed_column(choice) if read else ""
        changed = choice.changed_values()
        rows = getattr(choice, "rows", None) if read else None
        return cls(dataset, columns, editable, changed, choice.missing == "drop", is_asked, rows, units)

    def title(self, column: Column) -> str:
        unit = self.units.get(column.name) or column.unit
        return f"{column.name} ({unit})" if unit else str(column.name)

    @cached_property
    def browser(self) -> Browser:
        """The search over its rows."""
        from engine.data.browsing import Browser

        rows = {self.row(record): value for record, value in self.changed.items()}
        return Browser(self.dataset.table, {self.editable: rows} if rows else {})

    @cached_property
    def _rows(self) -> Rows | None:
        """The row of each record; None if every row is a record."""
        if self.rows is not None:
            return self.rows
        table = self.dataset.table
        if not (self.drops and any(table.column(name).missing for name in self.columns)):
            return None
        return np.flatnonzero(table.complete(self.columns, "drop"))

    def row(self, record: int) -> int:
        """Return the row, from 0, of a record that the page reads."""
        return record if self._rows is None else int(self._rows[record])

    def record(self, row: int) -> int | None:
        """Return the record, from 0, in a row; None if the page does not read this row."""
        if self._rows is None:
            return row if self.columns else None
        index = int(np.searchsorted(self._rows, row))
        return index if index < len(self._rows) and self._rows[index] == row else None

    def pointed(self, row: int) -> PointedRecord | None:
        """Return the record in a row for the pictures; None if the page does not read this row."""
        record = self.record(row)
        if record is None:
            return None
        table = self.dataset.table
        values = {
            column.name: float(value) if column.type == "number" else value
            for index, column in enumerate(table.columns)
            if column.name in self.columns and (value := self.cell(row, index)) is not None
        }
        alone = {"": values[self.editable]} if self.editable in values else {}
        return PointedRecord(record, values | alone)

    def cell(self, row: int, column: int) -> Any:
        """Return the value in a cell; None if it is missing."""
        result = self.dataset.table.data.column(column)[row].as_py()
        if self.changed and self.dataset.table.columns[column].name == self.editable:
            record = self.record(row)
            return result if record is None else self.changed.get(record, result)
        return result


@dataclasses.dataclass(frozen=True)
class Arrangement:
    """Filter and order of the table, and the column to summarize."""

    conditions: Mapping[str, str] = dataclasses.field(default_factory=dict)  # typed conditions by column
    order: str = ""  # column to sort by; "" for the order of the file
    descending: bool = False
    summary: str = ""  # column to summarize


@dataclasses.dataclass(frozen=True, eq=False)
class ArrangedRows:
    """The rows of a table in an arrangement, and a summary of one column."""

    table: DataTable
    arrangement: Arrangement
    rows: Rows
    summary: NumberSummary | TextSummary | None


def check_condition(table: DataTable, column: str, text: str) -> str:
    """Return the problem with a condition on a column; "" if there is none."""
    try:
        _read(table, column, text)
    except ParameterError as error:
        return error.problem
    return ""


def arranged(table: DataTable, arrangement: Arrangement, progress: Progress) -> ArrangedRows:
    """Find the rows of an arrangement (in a worker)."""
    browser = table.browser
    read = {name: _read(table, name, text) for name, text in arrangement.conditions.items()}
    rows = browser.matching({name: one for name, one in read.items() if one is not None}, progress)
    progress(0.4)
    if arrangement.order:
        rows = browser.ordered(rows, arrangement.order, descending=arrangement.descending)
    progress(0.8)
    summary = browser.summary(arrangement.summary, rows) if arrangement.summary else None
    return ArrangedRows(table, arrangement, rows, summary)


def row_conditions(table: DataTable, conditions: Mapping[str, str]) -> tuple[str, ...]:
    """Return the conditions of a filter as a question writes them, such as ``age >= 30``.

    `ParameterError` for one that a question cannot ask, such as a search for a part of a text.
    """
    from engine.data.rows import ColumnComparison
    from engine.questions.question import comparison_text

    def comparisons(column: str, operator: str, *values: Any) -> Iterator[str]:
        kind = table.dataset.table.column(column).type
        ordered = kind in ("number", "date")
        if operator == "in" or (not ordered and operator not in ("=", "!=", "empty", "filled")):
            problem = f"a question compares the text of {column} as a whole; write = {values[0]}"
            raise ParameterError("where", problem)
        texts = [repr(one).removesuffix(".0") if kind == "number" else str(one) for one in values]
        quoted = kind not in ("number", "date", "boolean")
        if operator == "..":
            pairs: tuple[tuple[str, str], ...] = ((">=", texts[0]), ("<=", texts[1]))
        else:
            pairs = ((operator, texts[0]),)
        for sign, text in pairs:
            given = () if sign in ("empty", "filled") else ((text, quoted),)
            yield comparison_text(ColumnComparison(column, sign, given))

    results = []
    for column, typed in conditions.items():
        condition = _read(table, column, typed)
        alternatives = () if condition is None else condition.alternatives
        texts = (
            " and ".join(text for one in each for text in comparisons(column, *one)) for each in alternatives
        )
        results.append(" or ".join(texts))
    return tuple(filter(None, results))


def _read(table: DataTable, column: str, text: str) -> Any:
    from engine.data.conditions import read_condition

    return read_condition(text, number=table.browser.is_number(column), read=_number)


def _number(text: str) -> float:
    try:
        return parse_number(text)
    except NumberError as error:
        raise ParameterError("condition", str(error)) from None

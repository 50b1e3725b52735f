"""What the table of the data shows: the records of the open file, as they are now (confidential)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.dataset import Dataset, PointedRecord
from app.model.state import SessionState
from app.model.wording.numbers import parse_number
from engine.errors import ParameterError
from engine.progress import Progress

if TYPE_CHECKING:
    from engine.data.browsing import Browser, NumberSummary, Rows, TextSummary


@dataclasses.dataclass(frozen=True, eq=False)
class DataTable:
    """The records of a dataset, and what of them the page reads.

    Attributes
    ----------
    dataset : Dataset
    columns : tuple of str
        Those that the page reads.
    editable : str
        The column of which values can be changed by hand; "" where there is none.
    changed : mapping of int to float
        These values, by the number of their record.
    drops : bool
        Whether rows in which one of the columns is empty are no records.
    """

    dataset: Dataset
    columns: tuple[str, ...]
    editable: str
    changed: Mapping[int, float]
    drops: bool = True

    @classmethod
    def of(cls, state: SessionState) -> DataTable | None:
        """Return the table of the page that is open; None where it has no data, or these stay in a file."""
        if state.dataset is None or state.dataset.stays_in_file:
            return None
        choice = state.read_data
        read = choice.n is not None
        columns = state.kind.columns_of(choice) if read else ()
        editable = state.kind.changed_column(choice) if read else ""
        return cls(state.dataset, columns, editable, choice.changed_values(), choice.missing == "drop")

    @cached_property
    def browser(self) -> Browser:
        """What finds rows in it."""
        from engine.data.browsing import Browser

        rows = {self.row(record): value for record, value in self.changed.items()}
        return Browser(self.dataset.table, {self.editable: rows} if rows else {})

    @cached_property
    def _rows(self) -> Rows | None:
        """The row of each record; None where each row is one."""
        table = self.dataset.table
        if not (self.drops and any(table.column(name).missing for name in self.columns)):
            return None
        return np.flatnonzero(table.complete(self.columns, "drop"))

    def row(self, record: int) -> int:
        """Return the row, from 0, of a record that the page reads."""
        return record if self._rows is None else int(self._rows[record])

    def record(self, row: int) -> int | None:
        """Return the record, from 0, in a row; None where the page reads none."""
        if self._rows is None:
            return row if self.columns else None
        index = int(np.searchsorted(self._rows, row))
        return index if index < len(self._rows) and self._rows[index] == row else None

    def pointed(self, row: int) -> PointedRecord | None:
        """Return what pictures need to know of the record in a row; None where the page reads none."""
        record = self.record(row)
        if record is None:
            return None
        table = self.dataset.table
        numbers = [index for index, one in enumerate(table.columns) if one.type == "number"]
        cells = {
            index: self.cell(row, index) for index in numbers if table.columns[index].name in self.columns
        }
        values = {
            table.columns[index].name: float(value) for index, value in cells.items() if value is not None
        }
        alone = {"": values[self.editable]} if self.editable in values else {}
        return PointedRecord(record, values | alone)

    def cell(self, row: int, column: int) -> Any:
        """Return the value in a cell; None where it is missing."""
        result = self.dataset.table.data.column(column)[row].as_py()
        if self.changed and self.dataset.table.columns[column].name == self.editable:
            record = self.record(row)
            return result if record is None else self.changed.get(record, result)
        return result


@dataclasses.dataclass(frozen=True)
class Arrangement:
    """Which records are to be seen, in which order, and of which column it is said what it holds.

    Attributes
    ----------
    conditions : mapping of str to str
        By column, as they were typed.
    order : str
        A column; "" for the order of the file.
    descending : bool
    summary : str
        A column.
    """

    conditions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    order: str = ""
    descending: bool = False
    summary: str = ""


@dataclasses.dataclass(frozen=True, eq=False)
class ArrangedRows:
    """The rows of a table in an arrangement, and what a column holds in them."""

    table: DataTable
    arrangement: Arrangement
    rows: Rows
    summary: NumberSummary | TextSummary | None


def check_condition(table: DataTable, column: str, text: str) -> str:
    """Say what is wrong with a condition on a column; "" if nothing is."""
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


def _read(table: DataTable, column: str, text: str) -> Any:
    from engine.data.conditions import read_condition

    return read_condition(text, number=table.browser.is_number(column), read=parse_number)

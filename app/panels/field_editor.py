"""The base of the editors of a form about data, and the values that they show."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, Fields
from app.model.kinds.fields import ColumnsField, FormField
from app.model.kinds.kind import DataKind
from app.model.state import SessionState
from app.model.wording.numbers import format_count
from app.widgets.form_row import FormRow
from engine.data import Column

SHORT_UNIT = 3
"""Letters of a unit that fit beside the bounds; a longer one stands behind the column."""

FieldT = TypeVar("FieldT", bound=FormField)


class FormTarget(Protocol):
    """Takes what is entered in a form."""

    def edit(self, text: str, *, merge: str = "", **fields: Any) -> None:
        """Declare something else, as one step to undo; steps with the same `merge` become one."""

    def choose(self, **fields: Any) -> None:
        """Ask for what has to be read first."""


@dataclasses.dataclass(frozen=True, eq=False)
class FormData:
    """The values that a form shows.

    While a file is opened, nothing is read (`reads` is ""), and there is no `state`. A `curator` sees
    cells and counts of missing values.
    """

    choice: Any
    dataset: Dataset | None
    reads: str
    curator: bool
    state: SessionState | None = None

    @property
    def is_public(self) -> bool:
        """Whether nothing about the data is confidential."""
        return self.dataset is not None and self.dataset.is_public

    @property
    def sees_missing(self) -> bool:
        """Whether how many values are missing may be seen."""
        return self.curator or self.is_public

    def missing(self, kind: DataKind[Any]) -> int:
        """Return how many values are missing in the chosen columns (private)."""
        names = set(kind.columns_of(self.choice))
        columns = self.dataset.table.columns if self.dataset else ()
        return sum(column.missing for column in columns if column.name in names)


class FieldEditor(QObject, Generic[FieldT]):
    """Edits what one field declares.

    As a draft, in the dialog that opens a file, it shows nothing that was not declared yet.

    Attributes
    ----------
    widgets, below : list of QWidget
        Its rows from the top down, and what stands below the row about missing values.
    rows, boxes : mapping of str
        The rows, and what can be edited, by the names of fields.
    each : mapping of str to object
        The editors of the declaration of each column, by its name.
    answerable : bool
        Whether there is anything to choose from.
    """

    refused = Signal(str, str)  # a field, and what is wrong with it
    answerable = True

    roots: ClassVar[tuple[str, ...]] = ()
    """Fields of a state on which it depends, besides those of its own."""

    def __init__(self, field: FieldT, kind: DataKind[Any], target: FormTarget, draft: bool) -> None:
        super().__init__()
        self.field, self.kind, self.draft = field, kind, draft
        # the form that owns this is owned by the target: a strong reference would keep all alive
        self.target = weakref.proxy(target)
        self.widgets: list[QWidget] = []
        self.rows: dict[str, FormRow] = {}
        self.boxes: dict[str, Any] = {}
        self.below: list[QWidget] = []
        self.each: dict[str, Any] = {}
        self.forget()
        self._make()
        for box in self.boxes.values():
            if self.field.help and box.accessibleName():
                text = f"<p><b>{escape(box.accessibleName())}</b></p><p>{escape(self.field.help)}</p>"
                box.setWhatsThis(text)  # until the help says more

    def follows(self) -> frozenset[str]:
        """Return the fields of a state on which it depends."""
        result = self.kind.choice.names(FOUND)
        return frozenset({"page", "dataset", "view", "query", "missing", *result, *self.roots})

    def forget(self) -> None:
        """Keep nothing of data that are not shown."""
        self._data = FormData(self.kind.choice(), None, "", curator=False)

    def show(self, data: FormData) -> None:
        """Show what is declared."""
        for widget in self.widgets:
            widget.setVisible(self.field.shown(data.choice, data.reads))
        self._fill(data)

    def take(self, column: str) -> None:
        """Follow a click on a column of the preview."""

    def lead_to(self, field: str) -> None:
        """Put the cursor where a field is edited."""
        if field in self.boxes:
            self.boxes[field].setFocus()

    def each_rows(self) -> tuple[FormRow, ...]:
        """Return the rows about single columns."""
        return ()

    def tabs(self) -> list[QWidget]:
        """Return what the tabulator leads to, in this order."""
        return [box for box in self.boxes.values() if box.focusPolicy() != Qt.FocusPolicy.NoFocus]

    def _label(self) -> str:
        """Return the label; in a dialog, where no menu takes it, the first letter leads there."""
        plain = self.field.label.replace("&", "")
        return f"&{plain}" if self.draft and plain else self.field.label

    def _settle(self, name: str) -> None:
        """Forget what was said about a row; in a draft, what stops it from being opened, too."""
        row = self.rows[name]
        row.show_problem("") if self.draft else row.settle()

    def _row(self, name: str, *editors: QWidget, fields: tuple[str, ...] = ()) -> FormRow:
        row = FormRow(self._label(), *editors, help=self.field.help, fields=fields or (name,))
        self.rows[name] = row
        self.widgets.append(row)
        return row

    def _make(self) -> None:
        raise NotImplementedError

    def _fill(self, data: FormData) -> None:
        raise NotImplementedError


def value_at(choice: Any, path: str) -> Any:
    """Return a field, or a field in a field; None where there is nothing."""
    for name in path.split("."):
        choice = getattr(choice, name, None)
    return choice


def with_values(choice: Any, values: Mapping[str, Any]) -> Fields:
    """Return the fields of a choice in which other values stand at these paths."""
    fields: Fields = {}
    for path, value in values.items():
        root, _, leaf = path.partition(".")
        whole = fields.get(root, getattr(choice, root))
        fields[root] = dataclasses.replace(whole, **{leaf: value}) if leaf else value
    return fields


def columns_of(data: FormData) -> tuple[Column, ...]:
    """Return the columns of the table; none where there is no table."""
    return data.dataset.table.columns if data.dataset else ()


def count_missing(column: Column, curator: bool) -> str:
    """Return how many values a column lacks, as a text for those who may know it."""
    return f", {format_count(column.missing)} missing" if curator and column.missing else ""


def possible_columns(data: FormData, field: ColumnsField) -> list[Column]:
    """Return the columns that a field can be about."""
    return [one for one in columns_of(data) if one.type == "number" or not field.of_numbers]

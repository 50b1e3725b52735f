"""Lines of a form about data, one class for each way to ask, as the side panel has them."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, Fields
from app.model.kinds.fields import (
    BoundsField,
    ColumnField,
    CountField,
    FormField,
    LookField,
    MissingField,
    OptionField,
    ResolutionField,
    SourceField,
)
from app.model.kinds.kind import DataKind
from app.model.state import SessionState
from app.model.wording.formatting import format_count
from app.panels.resolution_row import ResolutionRow
from app.widgets.card import caption, plain
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo
from engine.errors import ParameterError

SHORT_UNIT = 3
"""Letters of a unit that fit beside the bounds; a longer one stands behind the column."""
SOURCES = {"known": "known in advance", "looked": "I looked at the data"}

FieldT = TypeVar("FieldT", bound=FormField)


class FormTarget(Protocol):
    """Takes what is entered in a form."""

    def edit(self, text: str, *, merge: str = "", **fields: Any) -> None:
        """Declare something else, as one step to undo; steps with the same `merge` become one."""

    def choose(self, **fields: Any) -> None:
        """Ask for what has to be read first."""


@dataclasses.dataclass(frozen=True, eq=False)
class FormData:
    """What a form shows.

    Attributes
    ----------
    choice : DataChoice
    dataset : Dataset or None
    reads : str
        What is read of the data; "" while a file is opened.
    curator : bool
        Whether cells and counts of missing values may be seen.
    state : SessionState or None
        What the data are asked; None while a file is opened.
    """

    choice: Any
    dataset: Dataset | None
    reads: str
    curator: bool
    state: SessionState | None = None

    def missing(self, kind: DataKind[Any]) -> int:
        """Return how many values are missing in the chosen columns (private)."""
        names = set(kind.columns_of(self.choice))
        columns = self.dataset.table.columns if self.dataset else ()
        return sum(column.missing for column in columns if column.name in names)


class FieldEditor(QObject, Generic[FieldT]):
    """Shows and edits what one field declares.

    Signals
    -------
    refused(str, str)
        A field, and what is wrong with it.

    Attributes
    ----------
    widgets : list of QWidget
        From the top down.
    rows : mapping of str to FormRow
    boxes : mapping of str to QWidget
        What can be edited, by name.
    below : list of QWidget
        What stands below the line about missing values.
    each : mapping of str to object
        What edits what is declared of each column, by its name.
    answerable : bool
        Whether there is an answer.
    """

    refused = Signal(str, str)
    answerable = True

    roots: ClassVar[tuple[str, ...]] = ()
    """Fields of a state on which it depends, besides those of its own."""

    def __init__(self, field: FieldT, kind: DataKind[Any], target: FormTarget) -> None:
        super().__init__()
        self.field = field
        self.kind = kind
        # who takes the edits owns the form that owns this: a strong reference would keep all alive
        self.target = weakref.proxy(target)
        self.widgets: list[QWidget] = []
        self.rows: dict[str, FormRow] = {}
        self.boxes: dict[str, Any] = {}
        self.below: list[QWidget] = []
        self.each: dict[str, Any] = {}
        self._make()

    def follows(self) -> frozenset[str]:
        """Return the fields of a state on which it depends."""
        found = self.kind.choice.names(FOUND)
        return frozenset({"page", "dataset", "view", "query", "missing", *found, *self.roots})

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
        return self.field.label

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


class ColumnEditor(FieldEditor[ColumnField]):
    """Chooses a column, or several with one role each."""

    def _make(self) -> None:
        for path, title in self.field.boxes.items():
            box = combo(title)
            self.boxes[path.rpartition(".")[2]] = box
            self._connect(box)
        name = next(iter(self.boxes))
        self._row(name, *self._beside(list(self.boxes.values())), fields=self.field.problems)

    def _connect(self, box: QComboBox) -> None:
        box.activated.connect(self._on_column)

    def _beside(self, boxes: list[QWidget]) -> list[QWidget]:
        return boxes

    def follows(self) -> frozenset[str]:
        """Return the fields of a state on which it depends."""
        return super().follows() | {path.partition(".")[0] for path in self.field.boxes}

    def _fill(self, data: FormData) -> None:
        self._data = data
        for box in self.boxes.values():
            self._offer(box, data)
        self._select()

    def _select(self) -> None:
        for (path, _), box in zip(self.field.boxes.items(), self.boxes.values(), strict=True):
            box.setCurrentIndex(box.findData(value_at(self._data.choice, path)))

    def _offer(self, box: QComboBox, data: FormData) -> None:
        """Offer the columns of a table, with what is known of each."""
        blocker = QSignalBlocker(box)
        box.clear()
        for column in data.dataset.table.columns if data.dataset else ():
            words = column.name if column.type == "number" else f"{column.name}  ({column.type})"
            words += f"  ({column.unit})" * (len(column.unit) > SHORT_UNIT)
            box.addItem(words, column.name)
            missing = f", {format_count(column.missing)} missing" if data.curator and column.missing else ""
            box.setItemData(box.count() - 1, f"{column.type}{missing}", Qt.ItemDataRole.ToolTipRole)
        blocker.unblock()

    def _on_column(self, _: int) -> None:
        chosen = self._chosen()
        # the boxes show the last good columns until the new ones have been read
        self._select()
        if chosen:
            self.target.choose(**chosen)

    def _chosen(self) -> Fields:
        """Return the fields of the choice with what the boxes show."""
        choice = self._data.choice
        shown = {
            path: box.currentData()
            for path, box in zip(self.field.boxes, self.boxes.values(), strict=True)
            if box.currentIndex() >= 0 and value_at(choice, path.partition(".")[0]) is not None
        }
        return with_values(choice, shown)


class BoundsEditor(FieldEditor[BoundsField]):
    """Declares one pair of bounds."""

    roots = ("lower", "upper")

    def _make(self) -> None:
        field = self.field
        first: list[QWidget] = [QLabel(field.from_zero)]
        if not field.from_zero:
            self._box("lower", "Lower bound")
            first = [self.boxes["lower"], QLabel("to")]
        self._box("upper", field.upper_title)
        self.unit = plain()
        row = self._row("upper", *first, self.boxes["upper"], self.unit, fields=("lower", "upper"))
        row.label.setBuddy(next(iter(self.boxes.values())))
        for box in self.boxes.values():
            box.refused.connect(row.refuse)

    def _box(self, name: str, title: str) -> None:
        box = NumberBox(title, logarithmic=False)
        box.edited.connect(self._on_lower if name == "lower" else self._on_upper)
        self.boxes[name] = box

    def _fill(self, data: FormData) -> None:
        for name, box in self.boxes.items():
            box.set_value(getattr(data.choice, name))
        unit = data.state.unit if data.state else ""
        self.unit.setText(unit)
        self.unit.setVisible(0 < len(unit) <= SHORT_UNIT)
        self.rows["upper"].settle()

    def _on_lower(self, value: float, continuous: bool) -> None:
        self._declare("lower", value, continuous)

    def _on_upper(self, value: float, continuous: bool) -> None:
        self._declare("upper", value, continuous)

    def _declare(self, name: str, value: float, continuous: bool) -> None:
        self.rows["upper"].settle()
        merge = name if continuous else ""
        self.target.edit(f"change the {name} bound", merge=merge, **{name: value})


class CountEditor(FieldEditor[CountField]):
    """Declares a whole number."""

    def _make(self) -> None:
        name = self.field.name
        box = self.boxes[name] = NumberBox(self.field.title, whole=True, lower=1)
        row = self._row(name, box)
        box.edited.connect(self._on_number)
        box.refused.connect(row.refuse)

    def follows(self) -> frozenset[str]:
        """Return the fields of a state on which it depends."""
        return super().follows() | {self.field.name}

    def _fill(self, data: FormData) -> None:
        self.boxes[self.field.name].set_value(getattr(data.choice, self.field.name))
        self.rows[self.field.name].settle()

    def _on_number(self, value: float, continuous: bool) -> None:
        name, title = self.field.name, self.field.title
        self.rows[name].settle()
        whole = float(value).is_integer()
        if not whole:
            what = f"{title[:1].lower()}{title[1:]}"
            self.rows[name].refuse(f"{value:g} is no {what}; write a whole number")
            return
        words = f"change the {title[:1].lower()}{title[1:]}"
        self.target.edit(words, merge=name if continuous else "", **{name: int(value)})


class OptionEditor(FieldEditor[OptionField]):
    """Chooses one of some possibilities."""

    def _make(self) -> None:
        box = self.boxes[self.field.name] = combo(self.field.title)
        for key, words in self.field.options.items():
            box.addItem(words, key)
        box.activated.connect(self._on_option)
        self._row(self.field.name, box)

    def follows(self) -> frozenset[str]:
        """Return the fields of a state on which it depends."""
        return super().follows() | {self.field.name}

    def _fill(self, data: FormData) -> None:
        box = self.boxes[self.field.name]
        box.setCurrentIndex(box.findData(getattr(data.choice, self.field.name)))

    def _on_option(self, index: int) -> None:
        chosen = self.boxes[self.field.name].itemData(index)
        self.target.edit(self.field.edit, **{self.field.name: chosen})


class ResolutionEditor(FieldEditor[ResolutionField]):
    """Declares the step of what is released."""

    roots = ("lower", "upper", "resolution", "vertices", "parameters")

    def _make(self) -> None:
        self.row = self.rows["resolution"] = ResolutionRow(self._label())
        self.boxes["resolution"] = self.row.box
        self.widgets.append(self.row)
        self.row.chosen.connect(self._on_step)

    def _fill(self, data: FormData) -> None:
        if data.state is not None:
            self.row.show_state(data.state)

    def _on_step(self, value: float | None, continuous: bool) -> None:
        merge = "resolution" if continuous else ""
        self.target.edit("change the resolution", merge=merge, resolution=value)


class MissingEditor(FieldEditor[MissingField]):
    """Chooses what is done about missing values, where there are some."""

    def _make(self) -> None:
        box = self.boxes["missing"] = combo("What to do about missing values")
        box.activated.connect(self._on_missing)
        self._row("missing", box)

    def show(self, data: FormData) -> None:
        """Show what is done."""
        missing = data.missing(self.kind)
        self.rows["missing"].setVisible(bool(missing) and data.curator)
        box = self.boxes["missing"]
        box.clear()
        box.addItem("refuse to go on", "refuse")
        box.addItem(f"drop {format_count(missing)} and count them" if data.curator else "drop", "drop")
        box.setCurrentIndex(box.findData(data.choice.missing))

    def _on_missing(self, index: int) -> None:
        self.target.choose(missing=self.boxes["missing"].itemData(index))


class SourceEditor(FieldEditor[SourceField]):
    """Says where what should be public comes from."""

    roots = ("bounds_source",)

    def _make(self) -> None:
        box = self.boxes["bounds_source"] = combo(f"Where the {self.field.what} come from")
        for key, words in SOURCES.items():
            box.addItem(words, key)
        box.activated.connect(self._on_source)
        self._row("bounds_source", box)
        self._make_warning()

    def _make_warning(self) -> None:
        self.warning = caption(self.field.warning, name="warning")
        self.boxes["warning"] = self.warning
        self.widgets.append(self.warning)

    def show(self, data: FormData) -> None:
        """Show where they come from."""
        box, source = self.boxes["bounds_source"], data.choice.bounds_source
        box.setCurrentIndex(box.findData(source))
        label = "It &was" if data.reads and data.reads == self.field.singular else self.field.label
        self.rows["bounds_source"].label.setText(label)
        self.warning.setVisible(source == "looked")

    def _on_source(self, index: int) -> None:
        source = self.boxes["bounds_source"].itemData(index)
        self.target.edit(f"change where the {self.field.what} come from", bounds_source=source)


class LookEditor(FieldEditor[LookField]):
    """Takes from the data what is not declared."""

    def _make(self) -> None:
        button = self.boxes["look"] = QPushButton(self.field.label)
        button.setToolTip(self.field.help)
        button.clicked.connect(self._on_look)
        self.rows["look"] = FormRow("", button)
        self.widgets.append(self.rows["look"])

    def show(self, data: FormData) -> None:
        """Offer it to those who may see the data, while something is not declared."""
        self._data = data
        self.rows["look"].setVisible(data.curator and data.choice.can_look())

    def _on_look(self) -> None:
        try:
            fields = self._data.choice.looked()
        except ParameterError as error:
            self.refused.emit(error.field, error.problem)
        else:
            self.target.edit("look at the data", **fields)

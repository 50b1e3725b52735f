"""Editors of the fields that kinds of data declare."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QToolButton,
    QWidget,
)

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, Fields, IntervalChoice
from app.model.kinds.column import public_groups
from app.model.kinds.fields import (
    BoundsField,
    ColumnField,
    ColumnsField,
    FormField,
    GroupField,
    MissingField,
    OptionField,
    ResolutionField,
    VerticesField,
)
from app.model.kinds.kind import DROP, FILL, DataKind, fill_effects, fill_words, fills_of, size_problem
from app.model.selection import selection, step_of
from app.model.state import SessionState
from app.model.wording.console import counted
from app.model.wording.numbers import format_count, format_exact, short, within
from app.widgets.buttons import push_button
from app.widgets.card import plain
from app.widgets.column_finder import offer, select
from app.widgets.combo_box import ClosesWith
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import FormRow, combo, line_edit
from app.widgets.number_box import NumberBox
from app.widgets.value_editors import editor_of
from engine.data import Column
from engine.data.look_only import REFUSE
from engine.errors import DataError, ParameterError
from engine.parameters import Parameter

SHORT_UNIT = 3
"""The most characters of a unit beside the bounds; a longer one follows the column's name."""

FieldT = TypeVar("FieldT", bound=FormField)


class FormTarget(Protocol):
    """Receives the entries of a form."""

    def edit(self, text: str, *, merge: str = "", **fields: Any) -> None:
        """Change declarations, as one step to undo; steps with the same `merge` become one."""

    def choose(self, **fields: Any) -> None:
        """Choose fields whose change needs another read of the file."""

    def ask(self) -> None:
        """Add the question of the page to the sheet."""


@dataclasses.dataclass(frozen=True, eq=False)
class FormData:
    """The values that a form shows; a `curator` sees cells and counts of missing values."""

    choice: Any
    dataset: Dataset | None
    state: SessionState
    curator: bool

    @property
    def is_public(self) -> bool:
        """Whether nothing about the data is confidential."""
        return self.dataset is not None and self.dataset.is_public

    @property
    def sees_missing(self) -> bool:
        """Whether the number of missing values may be shown."""
        return self.curator or self.is_public

    def missing(self, kind: DataKind[Any]) -> int:
        """Return the number of missing values in the chosen columns (private)."""
        names = set(kind.columns_of(self.choice))
        columns = self.dataset.table.columns if self.dataset else ()
        return sum(column.missing for column in columns if column.name in names)


class FieldEditor(QObject, Generic[FieldT]):
    """Edits the declaration of one field.

    Attributes
    ----------
    widgets : list of QWidget
        Its rows from the top down.
    rows, boxes : mapping of str
        The rows, and what can be edited, by the names of fields.
    """

    roots: ClassVar[tuple[str, ...]] = ()
    """Fields of the state that it follows besides its own."""

    def __init__(self, field: FieldT, kind: DataKind[Any], target: FormTarget) -> None:
        super().__init__()
        self.field, self.kind = field, kind
        # the target owns the form that owns this: a strong reference would keep all alive
        self.target = weakref.proxy(target)
        self.widgets: list[QWidget] = []
        self.rows: dict[str, FormRow] = {}
        self.boxes: dict[str, Any] = {}
        self.forget()
        self._make()
        for box in self.boxes.values():
            if self.field.help and box.accessibleName():
                text = f"<p><b>{escape(box.accessibleName())}</b></p><p>{escape(self.field.help)}</p>"
                box.setWhatsThis(text)  # until the help adds a text

    def follows(self) -> frozenset[str]:
        """Return the fields of the state that it follows."""
        result = self.kind.choice.names(FOUND)
        return frozenset({"page", "dataset", "view", "query", "missing", *result, *self.roots})

    def forget(self) -> None:
        """Keep nothing of data that are not shown."""
        self._data = FormData(self.kind.choice(), None, SessionState(), curator=False)

    def show(self, data: FormData) -> None:
        """Show what is declared."""
        for widget in self.widgets:
            widget.setVisible(self.field.shown(data.choice, data.state.reads))
        self._fill(data)

    def tabs(self) -> list[QWidget]:
        """Return the widgets in their tab order."""
        return [box for box in self.boxes.values() if box.focusPolicy() != Qt.FocusPolicy.NoFocus]

    def _row(self, name: str, *editors: QWidget, fields: tuple[str, ...] = ()) -> FormRow:
        row = FormRow(self.field.label, *editors, help=self.field.help, fields=fields or (name,))
        self.rows[name] = row
        self.widgets.append(row)
        return row

    def _make(self) -> None:
        raise NotImplementedError

    def _fill(self, data: FormData) -> None:
        raise NotImplementedError


def value_at(choice: Any, path: str) -> Any:
    """Return the value at a path of fields; None if there is none."""
    for name in path.split("."):
        choice = getattr(choice, name, None)
    return choice


def with_values(choice: Any, values: Mapping[str, Any]) -> Fields:
    """Return the fields of a choice, with new values at these paths."""
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
    """Return the number of missing values of a column as text; "" if it must not be shown."""
    return f", {format_count(column.missing)} missing" if curator and column.missing else ""


def possible_columns(data: FormData, field: ColumnsField) -> list[Column]:
    return [one for one in columns_of(data) if one.type == "number" or not field.of_numbers]


AUTOMATIC = "automatic"


def automatic(state: SessionState) -> float | None:
    """Return the approximate automatic step; None while it is not known."""
    try:
        step = step_of(selection(state.replaced({"resolution": None})))
    except ParameterError:
        return None
    return float(f"{step:.2g}") if isinstance(step, float) else None


LISTS = "Lists of vertices (*.txt *.csv *.graphml);;All files (*)"


class ColumnEditor(FieldEditor[ColumnField]):
    """Chooses a column, or several with one role each."""

    def _make(self) -> None:
        for path, title in self.field.boxes.items():
            box = self.boxes[path.rpartition(".")[2]] = combo(title)
            box.setPlaceholderText("choose…")
            box.activated.connect(self._on_column)
        self._row(next(iter(self.boxes)), *self.boxes.values(), fields=self.field.problems)

    def follows(self) -> frozenset[str]:
        return super().follows() | {path.partition(".")[0] for path in self.field.boxes} | {"units"}

    def _fill(self, data: FormData) -> None:
        self._data = data
        for box in self.boxes.values():
            self._offer(box, data)
        self._select()

    def _select(self) -> None:
        for path, box in zip(self.field.boxes, self.boxes.values(), strict=True):
            with QSignalBlocker(box):
                select(box, value_at(self._data.choice, path))

    def _offer(self, box: QComboBox, data: FormData) -> None:
        """Offer the columns of a table, and "none" if the field allows it and nothing is read yet."""
        items = [self._item(column, data.curator) for column in columns_of(data)]
        if self.field.none and data.choice.n is None:
            items.append((self.field.none, None, ""))
        with QSignalBlocker(box):
            offer(box, items)

    def _item(self, column: Column, curator: bool) -> tuple[str, object, str]:
        """Return the label, name and tooltip of a column."""
        about = f"{column.type}{count_missing(column, curator)}"
        text = column.name if column.type == "number" else f"{column.name}  ({column.type})"
        unit = self._data.choice.unit_of(column.name, self._data.dataset)
        text += f"  ({unit})" * (len(unit) > SHORT_UNIT)
        return text, column.name, about

    def _on_column(self, _: int) -> None:
        chosen = self._read_boxes()
        self._select()  # show the last good columns until the new ones are read
        if chosen:
            self.target.choose(**chosen)

    def _read_boxes(self) -> Fields:
        choice = self._data.choice
        shown = {
            path: box.currentData()
            for path, box in zip(self.field.boxes, self.boxes.values(), strict=True)
            if box.currentIndex() >= 0 and value_at(choice, path.partition(".")[0]) is not None
        }
        return with_values(choice, shown)


class GroupEditor(FieldEditor[GroupField]):
    """Chooses one group whose members are public, where the table declares any."""

    roots = ("group", "workspace", "lesson")

    def _make(self) -> None:
        box = self.boxes["group"] = combo("Group")
        box.activated.connect(self._on_group)
        tip = "Add this question for all groups to the sheet"
        self._ask_button = push_button("Ask by group", tip, self._on_ask)
        self._row("group", box).add_beside(self._ask_button)

    def _fill(self, data: FormData) -> None:
        self._data = data
        groups = public_groups(data.state.declarations, data.dataset) if data.state.follows_table else ()
        self.rows["group"].setVisible(bool(groups))
        several = len({group.by for group in groups}) > 1
        box = self.boxes["group"]
        with QSignalBlocker(box):
            box.clear()
            box.addItem("all", None)
            for group in groups:
                box.addItem(f"{group.by}: {group.name}" if several else group.name, group)
            chosen = data.choice.group
            box.setCurrentIndex(groups.index(chosen) + 1 if chosen in groups else 0)
        self._ask_button.setVisible(chosen is not None)

    def _on_group(self, index: int) -> None:
        group = self.boxes["group"].itemData(index)
        self._fill(self._data)  # show the last group until the new one is read
        if group != self._data.choice.group:
            self.target.choose(group=group)

    def _on_ask(self) -> None:
        self.target.ask()


class BoundsEditor(FieldEditor[BoundsField]):
    """Declares one pair of bounds."""

    roots = ("lower", "upper", "units")

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

    def _box(self, name: str, title: str) -> None:
        box = self.boxes[name] = NumberBox(title, logarithmic=False)
        box.edited.connect(partial(self._declare, name))

    def _fill(self, data: FormData) -> None:
        for name, box in self.boxes.items():
            box.set_value(getattr(data.choice, name))
        unit = self.kind.unit(data.choice, data.dataset)
        self.unit.setText(unit)
        self.unit.setVisible(0 < len(unit) <= SHORT_UNIT)
        self.rows["upper"].settle()

    def _declare(self, name: str, value: float, continuous: bool) -> None:
        self.rows["upper"].settle()
        merge = name if continuous else ""
        self.target.edit(f"change the {name} bound", merge=merge, **{name: value})


class ValueFieldEditor(FieldEditor[FieldT]):
    """Edits one declared value of the choice."""

    def _make(self) -> None:
        self.declared = declared = self._declare()
        self.editor = editor_of(declared, declared.label)
        self.editor.setParent(self)
        self.editor.show_empty(self._hint())
        self.boxes[declared.name] = self.editor.box
        self._row(declared.name, self.editor.box)
        self.editor.edited.connect(self._on_edited)
        self.editor.refused.connect(self._on_refused)

    def _declare(self) -> Parameter:
        """Return the field of the value in the choice, and the name of its box."""
        raise NotImplementedError

    def _hint(self) -> str:
        """Return the placeholder of an empty box."""
        return ""

    def _edit_text(self) -> str:
        return f"change the {within(self.declared.label)}"

    def follows(self) -> frozenset[str]:
        return super().follows() | {self.declared.name}

    def _fill(self, data: FormData) -> None:
        self.editor.show_value(getattr(data.choice, self.declared.name))
        self.rows[self.declared.name].settle()

    def _on_edited(self, value: Any, continuous: bool) -> None:
        name = self.declared.name
        self.rows[name].settle()
        self.target.edit(self._edit_text(), merge=name if continuous else "", **{name: value})

    def _on_refused(self, text: str) -> None:
        self.rows[self.declared.name].refuse(text)


class VerticesEditor(ValueFieldEditor[VerticesField]):
    """Declares the number of vertices, or reads their list from a file."""

    def _declare(self) -> Parameter:
        return Parameter(self.field.name, "int", None, self.field.title, "", lower=1)

    def _make(self) -> None:
        super()._make()
        self.list_button = QToolButton()
        self.list_button.setAccessibleName("Public list of the vertices")
        self.list_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list_button.clicked.connect(self._on_list)
        self.boxes[self.field.listed] = self.list_button
        self.rows[self.field.name].add_beside(self.list_button)

    def follows(self) -> frozenset[str]:
        return super().follows() | {self.field.listed}

    def read_file(self, path: str) -> None:
        from engine.data.edges import read_vertices

        try:
            names = read_vertices(path)
        except DataError as error:
            self.rows[self.field.name].refuse(f"the list {error}")  # a file's name stays in small letters
            return
        self._choose(names)

    def _fill(self, data: FormData) -> None:
        names = getattr(data.choice, self.field.listed)
        box = self.boxes[self.field.name]
        box.set_value(len(names) or getattr(data.choice, self.field.name))
        box.setEnabled(not names)
        self._has_list = bool(names)
        self.list_button.setText("Clear list" if names else "List…")
        self.list_button.setToolTip(
            "Enter a number instead of the list"
            if names
            else "Read the vertices from a public list in a file"
        )
        self.rows[self.field.name].settle()

    def _on_edited(self, value: Any, continuous: bool) -> None:
        if isinstance(value, int):
            super()._on_edited(value, continuous)
        else:
            self._on_refused(f"{short(value)} is no {within(self.field.title)}; enter a whole number")

    def _on_list(self) -> None:
        if self._has_list:
            self._choose(())
            return
        dialog = open_dialog(self.list_button.window(), "Public list of the vertices", LISTS)
        ClosesWith(dialog, self.list_button)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()

    def _choose(self, names: tuple[str, ...]) -> None:
        """Read the edges between the listed vertices; the list determines n."""
        self.target.choose(**{self.field.listed: names, self.field.name: None})


class OptionEditor(ValueFieldEditor[OptionField]):
    """Chooses one of several options."""

    def _declare(self) -> Parameter:
        values, labels = tuple(self.field.options), tuple(self.field.options.values())
        title = self.field.title
        return Parameter(
            self.field.name, "choice", values[0], title, "", choices=values, choice_labels=labels
        )

    def _edit_text(self) -> str:
        return self.field.edit

    def _on_edited(self, value: Any, continuous: bool) -> None:
        if self.field.rereads:
            self.rows[self.field.name].settle()
            self.target.choose(**{self.field.name: value})
        else:
            super()._on_edited(value, continuous)


class ResolutionEditor(ValueFieldEditor[ResolutionField]):
    """Declares the step of released values."""

    roots = ("lower", "upper", "resolution", "vertices", "parameters")

    def _declare(self) -> Parameter:
        return Parameter("resolution", "float", None, "Resolution of released values", "", optional=True)

    def _hint(self) -> str:
        return AUTOMATIC

    def _edit_text(self) -> str:
        return "change the resolution"

    def _fill(self, data: FormData) -> None:
        self.editor.show_value(IntervalChoice.of(data.state).resolution)
        step = automatic(data.state)
        self.editor.show_empty(AUTOMATIC if step is None else f"{AUTOMATIC}: {format_exact(step)}")
        self.rows["resolution"].settle()


KNOWN_N = "n, if public"
ELSEWHERE = "Enter n in the Curator view, before you show anything to others"


class MissingEditor(FieldEditor[MissingField]):
    """Chooses how to treat missing values, if there are any."""

    roots = ("fills", "complete", "lower", "upper", "bounds", "lists", "unseen")

    _kept_fills: Mapping[str, Any] | None = None  # the replacements while another text is refused

    def _make(self) -> None:
        self._box = self.boxes["missing"] = combo("Missing values")
        self._fill_box = self.boxes["fills"] = line_edit("Replacement for missing values")
        self._fill_box.editingFinished.connect(self._on_fill)
        self._n_box = self.boxes["complete"] = NumberBox(
            "Number of complete records", whole=True, lower=1, optional=True
        )
        self._n_box.lineEdit().setPlaceholderText(KNOWN_N)
        self._n_box.edited.connect(self._on_n)
        self._n_box.cleared.connect(self._on_no_n)
        self._box.activated.connect(self._on_missing)
        row = FormRow(
            self.field.label, self._box, self._fill_box, self._n_box, help=self.field.help, fields=["missing"]
        )
        self.rows["missing"] = row
        self.widgets.append(row)

    def show(self, data: FormData) -> None:
        self._data = data
        known = data.missing(self.kind) if data.sees_missing else 0
        chosen = data.choice.missing != "refuse" and not data.is_public
        self.rows["missing"].setVisible(bool(known) or chosen)
        self._offer(known)
        self._box.setCurrentIndex(self._box.findData(data.choice.missing))
        self._show_values()

    def _offer(self, known: int) -> None:
        """Offer the treatments of `known` missing values; 0 if the number is hidden."""
        values = counted(known, "value")
        with QSignalBlocker(self._box):
            self._box.clear()
            self._box.addItem("Stop and ask", REFUSE)
            if self._data.dataset is None or self.kind.filled_columns(self._data.choice):
                self._box.addItem(f"Replace {values} by" if known else "Replace by", FILL)
            self._box.addItem(f"Leave out rows ({values})" if known else "Leave out rows", DROP)

    def _show_values(self) -> None:
        """Show the replacement for missing values, or the number of complete records."""
        tells = self._data.sees_missing
        self._n_box.setEnabled(tells)  # whether n is right reveals how many records lack a value
        self._n_box.setToolTip("" if tells else ELSEWHERE)
        choice, dataset = self._data.choice, self._data.dataset
        self._fill_box.setVisible(choice.missing == FILL)
        self._n_box.setVisible(choice.missing == DROP and self.kind.drop_tells and not self._data.is_public)
        wrong = size_problem(self.kind, choice, dataset, curator=tells) is not None
        self._n_box.set_value(None if wrong and not tells else choice.complete)
        if not (self.rows["missing"].refused and choice.fills == self._kept_fills):
            self.rows["missing"].settle()
            self._fill_box.setText(fill_words(self.kind, choice))
        names = self.kind.filled_columns(choice)
        self._fill_box.setPlaceholderText(" : ".join(names))
        self._fill_box.setToolTip(escape(fill_effects(self.kind, choice)))

    def _on_missing(self, index: int) -> None:
        missing = self._box.itemData(index)
        self.rows["missing"].settle()
        self.target.choose(missing=missing, fills={})

    def _on_fill(self) -> None:
        text = self._fill_box.text().strip()
        if text == fill_words(self.kind, self._data.choice):
            self.rows["missing"].settle()
            return
        try:
            fills = fills_of(self.kind, self._data.choice, text)
        except ParameterError as error:
            self._kept_fills = self._data.choice.fills
            self.rows["missing"].refuse(error.problem)
            return
        self.rows["missing"].settle()
        self.target.choose(fills=fills)

    def _on_n(self, value: float, continuous: bool) -> None:
        self.rows["missing"].settle()
        merge = "complete" if continuous else ""
        self.target.edit("change the number of complete records", merge=merge, complete=int(value))

    def _on_no_n(self) -> None:
        self.target.edit("clear the number of complete records", complete=None)

"""Lines of a form about data, one class for each way to ask, as the side panel has them."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QToolButton, QWidget

from app.model.kinds.base import Fields
from app.model.kinds.fields import (
    BoundsField,
    ColumnField,
    CountField,
    LookField,
    OptionField,
    ResolutionField,
    SourceField,
    VerticesField,
)
from app.model.wording.number_format import short
from app.panels.column_finder import offer, select
from app.panels.field_editor import (
    SHORT_UNIT,
    FieldEditor,
    FormData,
    columns_of,
    lost,
    value_at,
    with_values,
)
from app.panels.resolution_row import ResolutionRow
from app.widgets.card import caption, plain
from app.widgets.closing import ClosesWith
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import FormRow, combo
from app.widgets.number_box import NumberBox
from engine.data import Column
from engine.errors import DataError, ParameterError

LISTS = "Lists of vertices (*.txt *.csv *.graphml);;All files (*)"
SOURCES = {"known": "public", "looked": "taken from the data"}


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
        return super().follows() | {path.partition(".")[0] for path in self.field.boxes}

    def _fill(self, data: FormData) -> None:
        self._data = data
        for box in self.boxes.values():
            self._offer(box, data)
        self._select()

    def _select(self) -> None:
        for path, box in zip(self.field.boxes, self.boxes.values(), strict=True):
            select(box, value_at(self._data.choice, path))

    def _offer(self, box: QComboBox, data: FormData) -> None:
        """Offer the columns of a table, with what is known of each."""
        with QSignalBlocker(box):
            offer(box, [self._item(column, data.curator) for column in columns_of(data)])

    def _item(self, column: Column, curator: bool) -> tuple[str, object, str]:
        """Return words, name and tip of a column."""
        text = column.name if column.type == "number" else f"{column.name}  ({column.type})"
        text += f"  ({column.unit})" * (len(column.unit) > SHORT_UNIT)
        return text, column.name, f"{column.type}{lost(column, curator)}"

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
        unit = data.state.kind.unit(data.choice, data.dataset) if data.state else ""
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
            self.rows[name].refuse(f"{short(value)} is no {what}; write a whole number")
            return
        text = f"change the {title[:1].lower()}{title[1:]}"
        self.target.edit(text, merge=name if continuous else "", **{name: int(value)})


class VerticesEditor(CountEditor):
    """Declares how many vertices there are, or takes a list of them from a file."""

    field: VerticesField

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
        """Take the vertices from a file."""
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
            "State a number instead of the list"
            if names
            else "Take the vertices from a public list in a file"
        )
        self.rows[self.field.name].settle()

    def _on_list(self) -> None:
        if self._has_list:
            self._choose(())
            return
        dialog = open_dialog(self.list_button.window(), "Public list of the vertices", LISTS)
        ClosesWith(dialog, self.list_button)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()

    def _choose(self, names: tuple[str, ...]) -> None:
        """Read the edges between these vertices; their number is that of the list."""
        self.target.choose(**{self.field.listed: names, self.field.name: None})


class OptionEditor(FieldEditor[OptionField]):
    """Chooses one of some possibilities."""

    def _make(self) -> None:
        box = self.boxes[self.field.name] = combo(self.field.title)
        for key, text in self.field.options.items():
            box.addItem(text, key)
        box.activated.connect(self._on_option)
        self._row(self.field.name, box)

    def follows(self) -> frozenset[str]:
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


class SourceEditor(FieldEditor[SourceField]):
    """Says where what should be public comes from."""

    roots = ("bounds_source",)

    def _make(self) -> None:
        box = self.boxes["bounds_source"] = combo(f"Where the {self.field.what} come from")
        for key, text in SOURCES.items():
            box.addItem(text, key)
        box.activated.connect(self._on_source)
        self._row("bounds_source", box)
        self._make_warning()

    def _make_warning(self) -> None:
        self.warning = caption(self.field.warning, name="warning")
        self.boxes["warning"] = self.warning
        self.widgets.append(self.warning)

    def show(self, data: FormData) -> None:
        box, source = self.boxes["bounds_source"], data.choice.bounds_source
        box.setCurrentIndex(box.findData(source))
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
        self._data = data
        self.rows["look"].setVisible(data.curator and data.choice.can_look())

    def _on_look(self) -> None:
        try:
            fields = self._data.choice.looked()
        except ParameterError as error:
            self.refused.emit(error.field, error.problem)
        else:
            self.target.edit("look at the data", **fields)

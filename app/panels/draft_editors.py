"""Lines of a form about data in the dialog that opens a file: nothing is declared before the user says so."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QButtonGroup, QComboBox, QLabel, QRadioButton, QWidget

from app.panels.all_columns import AllColumnsEditor
from app.panels.column_finder import offer, select
from app.panels.field_editor import FormData, columns_of, lost
from app.panels.field_editors import (
    SOURCES,
    BoundsEditor,
    ColumnEditor,
    CountEditor,
    OptionEditor,
    ResolutionEditor,
    SourceEditor,
    VerticesEditor,
)
from app.widgets.card import caption
from app.widgets.form_row import FormRow
from app.widgets.number_box import NumberBox
from engine.data import Column


def first_letter(label: str) -> str:
    """Return a label whose first letter leads there: a dialog has no menu that takes it."""
    plain = label.replace("&", "")
    return f"&{plain}" if plain else ""


class DraftColumnEditor(ColumnEditor):
    """Chooses columns at once: they are read when the file is opened."""

    def _label(self) -> str:
        return first_letter(super()._label())

    def _connect(self, box: QComboBox) -> None:
        box.setPlaceholderText("choose…")
        box.currentIndexChanged.connect(self._on_column)

    def _beside(self, boxes: list[QWidget]) -> list[QWidget]:
        first, *others = boxes
        return [first, *(widget for box in others for widget in (QLabel("–"), box))]

    def _offer(self, box: QComboBox, data: FormData) -> None:
        if box.count() or data.dataset is None:
            return
        items = [self._item(column, data.curator) for column in columns_of(data)]
        with QSignalBlocker(box):
            offer(box, [*items, (self.field.none, None, "")] if self.field.none else items)

    def _item(self, column: Column, curator: bool) -> tuple[str, object, str]:
        return f"{column.name}   ({column.type}{lost(column, curator)})", column.name, ""

    def _select(self) -> None:
        for box in self.boxes.values():
            box.blockSignals(True)
        super()._select()
        for box in self.boxes.values():
            box.blockSignals(False)

    def _on_column(self, _: int) -> None:
        for row in self.rows.values():
            row.show_problem("")
        self.target.choose(**self._chosen())

    def take(self, column: str) -> None:
        if len(self.boxes) == 1 and not self.field.none:
            (box,) = self.boxes.values()
            select(box, column)


class DraftBoundsEditor(BoundsEditor):
    """Declares bounds, which are empty at first."""

    def _label(self) -> str:
        return first_letter(super()._label())

    def _make(self) -> None:
        super()._make()
        self.widgets.append(caption(f"{self.field.help} {self.field.note}".rstrip()))

    def _box(self, name: str, title: str) -> None:
        super()._box(name, title)
        which = "smallest" if name == "lower" else "largest"
        self.boxes[name].lineEdit().setPlaceholderText(f"{which} possible")

    def _declare(self, name: str, value: float, continuous: bool) -> None:
        self.rows["upper"].show_problem("")
        super()._declare(name, value, continuous)


class DraftCountEditor(CountEditor):
    """Declares a number; whether it makes sense is said when the file is opened."""

    def _label(self) -> str:
        return first_letter(super()._label())

    def _make(self) -> None:
        super()._make()
        box: NumberBox = self.boxes[self.field.name]
        box.lineEdit().setPlaceholderText(self.field.hint)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.rows[self.field.name].show_problem("")
        whole = float(value).is_integer()
        self.target.edit("", merge="", **{self.field.name: int(value) if whole else value})


class DraftVerticesEditor(DraftCountEditor, VerticesEditor):
    """Declares a number, or a list that is read when the file is opened."""


class DraftOptionEditor(OptionEditor):
    """Chooses one of some possibilities."""

    def _label(self) -> str:
        return first_letter(super()._label())


class DraftResolutionEditor(ResolutionEditor):
    """Declares the step of what is released."""

    def _label(self) -> str:
        return first_letter(super()._label())


class DraftSourceEditor(SourceEditor):
    """Asks where what should be public comes from."""

    def _make(self) -> None:
        self._group = QButtonGroup(self)
        for key, mnemonic in (("known", "public"), ("looked", "taken")):
            button = self.boxes[key] = QRadioButton(SOURCES[key].replace(mnemonic, f"&{mnemonic}"))
            button.setProperty("key", key)
            self._group.addButton(button)
        self._group.buttonClicked.connect(self._on_button)
        label = self.field.label.replace("&", "")
        row = FormRow(label, *self.boxes.values(), help=self.field.help, fields=["bounds_source"])
        self.rows["bounds_source"] = row
        self.widgets.append(row)
        self._make_warning()

    def show(self, data: FormData) -> None:
        self.warning.setVisible(data.choice.bounds_source == "looked")

    def _on_button(self, button: QRadioButton) -> None:
        self.rows["bounds_source"].show_problem("")
        self.target.edit("", bounds_source=button.property("key"))


class DraftColumnsEditor(AllColumnsEditor):
    """Shows all columns, and says what their bounds or lists are for."""

    def _make(self) -> None:
        super()._make()
        self.widgets.append(caption(self.field.each.help))

"""Editors of declared values: one class for each kind, and forms of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QSlider, QToolButton, QWidget

from app.model.wording.components import DECLARED, name_of, parameter_words
from app.model.wording.numbers import escape, share
from app.model.wording.typed_numbers import NumberError, read_typed, show_typed
from app.widgets.card import plain
from app.widgets.combo_box import ComboBox
from app.widgets.dialogs import open_dialog
from app.widgets.form_row import FormRow, combo
from app.widgets.layouts import line_up
from app.widgets.number_box import NumberBox, TextBox
from engine.errors import DataError, ParameterError
from engine.parameters import Parameter

NARROW, WIDE, BETWEEN = 110, 120, 20
"""Pixels of a number among tools, of a list there whose words need no more, and between columns."""
SUGGESTED = 60  # pixels more, where the list says what its automatic choice is
TIP = Qt.ItemDataRole.ToolTipRole


class ValueEditor(QObject):
    """Edits one declared value with `box`; `beside` shows its unit.

    A `tool` takes only possible values. Any other editor takes each value that can be read: its owner shows
    the problem beside it.
    """

    edited = Signal(object, bool)  # the value, and whether it is one of a continuous movement
    refused = Signal(str)  # what was typed is no value

    box: QWidget

    def __init__(self, declared: Parameter, box: QWidget, *, tool: bool) -> None:
        super().__init__()
        self.declared, self.box, self.tool = declared, box, tool
        self.has_choice = True  # whether there is anything to choose now
        self.beside: QWidget | None = QLabel(declared.unit) if declared.unit else None
        if tool:
            box.setToolTip(declared.help)
            if declared.help:  # else the help of the window says what it is
                box.setWhatsThis(parameter_words(declared))
                box.setProperty(DECLARED, True)

    @cached_property
    def widgets(self) -> tuple[QWidget, ...]:
        """Its label, its box and its unit, for a line."""
        after = () if self.beside is None else (self.beside,)
        if not self.declared.label or isinstance(self.box, QCheckBox):
            return (self.box, *after)
        label = QLabel(self.declared.label)
        label.setBuddy(self.box)
        return (label, self.box, *after)

    @property
    def value(self) -> Any:
        raise NotImplementedError

    @property
    def argument(self) -> Any:
        """The value for an analysis: the chosen one, or the only one that makes sense now."""
        return self.value

    def show_value(self, value: Any) -> None:
        """Show a value, without announcing it."""
        raise NotImplementedError

    def show_empty(self, text: str) -> None:
        """Write into an empty box what that means."""

    def offer(self, choices: Mapping[Any, str] | None, tips: Mapping[Any, str] | None = None) -> None:
        """Offer values with labels and tooltips, None: all declared values; fewer than two are no choice."""
        self._set_choice(choices is None or len(choices) > 1)

    def suggest(self, value: Any) -> None:
        """Show the value that was taken while none was chosen."""

    def forget(self) -> None:
        """Forget what follows from a result."""

    def _set_choice(self, has_choice: bool) -> None:
        if has_choice != self.has_choice:
            self.has_choice = has_choice
            for widget in self.widgets:
                widget.setVisible(has_choice)


class ChoiceEditor(ValueEditor):
    """Chooses one of several values, which are declared or offered later.

    A chosen value that is not offered yet waits until it is. `listed` values come from the selected data,
    `resulting` ones from a result.
    """

    box: ComboBox

    def __init__(
        self,
        declared: Parameter,
        name: str,
        *,
        tool: bool = False,
        listed: bool = False,
        resulting: bool = False,
    ) -> None:
        super().__init__(declared, combo(name, stretch=not tool or listed or resulting), tool=tool)
        self._listed, self._resulting = listed or resulting, resulting
        self._later = self._listed or not declared.choices
        self._choices: dict[Any, str] = {}
        self._waiting: list[Any] = [declared.default]
        self.box.activated.connect(self._on_choice)
        self.box.currentIndexChanged.connect(self._show_tip)
        if tool and self._later:
            self._set_choice(False)
        elif tool:
            longest = max(len(declared.words_of(choice)) for choice in declared.choices)
            self.box.setMinimumContentsLength(longest)
        if not self._later:
            self.offer(None)

    @property
    def value(self) -> Any:
        """The chosen value; the waiting one of a declared list, or while nothing is offered."""
        if self._waiting and not (self._choices and self._later):
            return self._waiting[0]
        return self.argument

    @property
    def argument(self) -> Any:
        if self._choices:
            return list(self._choices)[self.box.currentIndex()]
        return self._waiting[0] if self._waiting else self.declared.default

    def show_value(self, value: Any) -> None:
        self._waiting = [value]
        if value not in self._choices:
            self.forget()
        self._show_waiting()

    def offer(self, choices: Mapping[Any, str] | None, tips: Mapping[Any, str] | None = None) -> None:
        """Offer values; the chosen one stays by its label, else by its value, else waits."""
        declared = {choice: self.declared.words_of(choice) for choice in self.declared.choices}
        offered = declared if choices is None else dict(choices)
        if offered != self._choices:
            text = self.box.currentText()
            if not self._waiting and self._choices:
                alike = [value for value, label in offered.items() if label == text and not self._resulting]
                self._waiting = [*alike, self.value][:1]
            self._choices = offered
            self.box.clear()
            for index, (value, label) in enumerate(offered.items()):
                self.box.addItem(label, value)
                self.box.setItemData(index, (tips or {}).get(value), TIP)
            if self._listed:
                self.box.take_no_more(WIDE + SUGGESTED * (None in offered))
            self._show_waiting()
        super().offer(offered if self.tool else None)

    def suggest(self, value: Any) -> None:
        """Say behind the automatic choice which one it has made."""
        if self.argument is None and value in self._choices:
            index = self.box.currentIndex()
            self.box.setItemText(index, f"{self._choices[None]}: {self._choices[value]}")

    def forget(self) -> None:
        if self._resulting and self._choices:
            self._waiting = self._waiting or [self.value]
            self._choices = {}
            self.box.clear()
            self._set_choice(False)

    def _show_waiting(self) -> None:
        """Show the waiting value if it is offered, else the default."""
        values = list(self._choices)
        value = next((one for one in self._waiting if one in values), self.declared.default)
        self.box.setCurrentIndex(values.index(value) if value in values else min(0, len(values) - 1))
        if value in self._waiting and value in values:
            self._waiting = []

    def _show_tip(self) -> None:
        """Describe the chosen value, if it has a tooltip of its own."""
        if tip := self.box.currentData(TIP):
            self.box.setToolTip(escape(f"{self.box.currentText()}: {tip}"))

    def _on_choice(self, _: int) -> None:
        self._waiting = []
        self.edited.emit(self.value, False)


class OpenChoiceEditor(ChoiceEditor):
    """Chooses one of several values, or takes another one as text."""

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        super().__init__(declared, name, tool=tool)
        self.box.setEditable(True)
        self.box.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self._line = QLineEdit()
        self.box.setLineEdit(self._line)
        self._line.editingFinished.connect(self._on_finished)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._line.setCursorPosition(0)

    def _on_finished(self) -> None:
        """Take the text, or the value of the entry with this text."""
        text = self.box.currentText()
        index = self.box.findText(text)
        self.edited.emit(self.box.itemData(index) if index >= 0 else text.strip(), False)


class TickEditor(ValueEditor):
    """Switches something on or off; what is optional is undecided until then."""

    box: QCheckBox

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        super().__init__(declared, QCheckBox(declared.label), tool=tool)
        self._decided = not declared.optional
        self._only: tuple[bool, ...] = ()
        self.box.setChecked(bool(declared.default))
        self.box.clicked.connect(self._on_click)

    @property
    def value(self) -> bool | None:
        """Whether it is on; None while undecided. It stays while there is nothing to choose."""
        return self.box.isChecked() if self._decided else None

    @property
    def argument(self) -> bool | None:
        return self._only[0] if self._only else self.value

    def offer(self, choices: Mapping[Any, str] | None, tips: Mapping[Any, str] | None = None) -> None:
        self._only = tuple(choices) if choices is not None and len(choices) == 1 else ()
        super().offer(choices)

    def show_value(self, value: bool | None) -> None:
        self._decided = value is not None
        self.box.setChecked(bool(value))

    def suggest(self, value: bool) -> None:
        if not self._decided:
            self.box.setChecked(value)

    def forget(self) -> None:
        self.suggest(False)

    def _on_click(self) -> None:
        self._decided = True
        self.edited.emit(self.value, False)


class TextEditor(ValueEditor):
    """Edits a text: announces each letter as a continuous movement, and the whole text at the end."""

    box: TextBox

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        box = TextBox()
        box.setAccessibleName(name)
        super().__init__(declared, box, tool=tool)
        self._shown = self._value = ""
        box.textEdited.connect(self._on_text)
        box.editingFinished.connect(self._on_finished)
        box.refused.connect(self.refused)

    @property
    def value(self) -> str:
        return self._value if self.declared.holds else self.box.text()

    def show_value(self, value: str) -> None:
        is_typed = (self.box.hasFocus() and self.box.isModified()) or bool(self.box.refusal)
        if value != self._shown or not is_typed:
            self._shown = self._value = value
            self.box.show_text(show_typed(value, self.declared.holds))

    def show_empty(self, text: str) -> None:
        self.box.setPlaceholderText(text)

    def _on_text(self, text: str) -> None:
        if not self.declared.holds:  # half a number may be another number
            self.edited.emit(text, True)

    def _on_finished(self) -> None:
        """Announce the whole text, unless its owner has taken it letter by letter."""
        if self.declared.holds and not self.box.isModified():
            return  # the format may write the same numbers in another way
        try:
            self._value = read_typed(self.box.text(), self.declared.holds)
        except NumberError as error:
            self.box.judge(str(error))
            return
        self.box.setModified(False)
        self.box.judge("")
        if self.value != self._shown:
            self._shown = self.value
            self.edited.emit(self.value, False)


class NumberEditor(ValueEditor):
    """Edits a number; among tools, one that is not possible gives way to the nearest that is."""

    box: NumberBox

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        # arrow keys multiply a number of any size; from 10 up, that keeps whole numbers whole
        least = declared.lower or 0
        wide = declared.upper is None or (declared.upper or 0) > 10 * max(least, 0.1)
        box = NumberBox(
            name,
            whole=declared.kind == "int",
            logarithmic=wide and least >= (0 if declared.kind == "float" else 10),
            lower=declared.lower,
            upper=declared.upper,
            optional=declared.optional,
        )
        super().__init__(declared, box, tool=tool)
        self._value = declared.default
        if tool:
            box.setMaximumWidth(NARROW)
            self.show_value(declared.default)
        box.edited.connect(self._on_number)
        box.cleared.connect(self._on_cleared)
        box.refused.connect(self._on_refused)

    @property
    def value(self) -> Any:
        """The number; None for none."""
        return self._value

    def show_value(self, value: Any) -> None:
        self._value = value
        self.box.set_value(None if value is None else float(value))

    def show_empty(self, text: str) -> None:
        self.box.lineEdit().setPlaceholderText(text)

    def _on_number(self, value: float, continuous: bool) -> None:
        if self.tool:
            self.show_value(self._nearest(value))
        else:
            whole = self.declared.kind == "int" and float(value).is_integer()
            self._value = int(value) if whole else value
        self.edited.emit(self._value, continuous)

    def _nearest(self, value: float) -> Any:
        """Return the nearest possible number; the one before where there is none."""
        low, high = self.declared.lower, self.declared.upper
        value = value if low is None else max(low, value)
        value = value if high is None else min(high, value)
        nearest = round(value) if self.declared.kind == "int" else value
        try:
            self.declared.check(nearest)
        except ParameterError:
            return self._value
        return nearest

    def _on_cleared(self) -> None:
        self._value = None
        self.edited.emit(None, False)

    def _on_refused(self, text: str) -> None:
        if self.tool:
            self.show_value(self._value)
        self.refused.emit(text)


class PercentEditor(ValueEditor):
    """Edits a share in percent by a slider, and writes it beside."""

    box: QSlider
    beside: QLabel

    def __init__(self, declared: Parameter, name: str, *, tool: bool = False) -> None:
        box = QSlider(Qt.Orientation.Horizontal)
        box.setAccessibleName(name)
        box.setRange(int(declared.lower or 0), int(declared.upper or 100))
        super().__init__(declared, box, tool=tool)
        self.beside = plain(name="caption")
        self.show_value(declared.default)
        box.valueChanged.connect(self._on_value)

    @property
    def value(self) -> int:
        return self.box.value()

    def show_value(self, value: int) -> None:
        with QSignalBlocker(self.box):
            self.box.setValue(value)
        self.beside.setText(share(self.value / 100))

    def _on_value(self, value: int) -> None:
        self.show_value(value)
        self.edited.emit(value, True)


EDITORS: dict[str, type[ValueEditor]] = {
    "choice": ChoiceEditor,
    "choice or text": OpenChoiceEditor,
    "bool": TickEditor,
    "text": TextEditor,
    "float": NumberEditor,
    "int": NumberEditor,
    "percent": PercentEditor,
}
"""The editor of each kind of value, as `Parameter.kind` names it; a plug-in adds those of its own kinds."""


def editor_of(declared: Parameter, name: str, *, tool: bool = False) -> ValueEditor:
    """Return the editor of a declared value, called `name` for those who hear it."""
    editor: Any = EDITORS.get(declared.kind, NumberEditor)
    made: ValueEditor = editor(declared, name, tool=tool)
    return made


FILES = "Lists (*.txt *.csv);;All files (*)"
"""Files with a number in each line."""


class NumbersButton(QToolButton):
    """Asks for a file: `read` takes its numbers as one text, or `refused` why there are none."""

    def __init__(self, name: str, read: Callable[[str], None], refused: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._refused = read, refused
        self._name = name
        self.setText("…")
        self.setAccessibleName(f"{name} from a file")
        self.setToolTip(f"{name} from a file, with a number in each line")
        self.clicked.connect(self._ask)

    def read_file(self, path: str) -> None:
        from engine.mechanisms.number_lists import numbers_in_file

        try:
            self._read(numbers_in_file(Path(path)))
        except DataError as error:
            self._refused(str(error))

    def _ask(self) -> None:
        dialog = open_dialog(self.window(), self._name, FILES)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()


class FieldLine(QWidget):
    """A line of declared values, each between its label and its unit."""

    edited = Signal(str, object, bool)  # name, value, and whether it is one of a continuous movement
    refused = Signal(str, str)  # why the typed text is no value, and the name

    def __init__(self, *declared: Parameter) -> None:
        super().__init__()
        self.fields = {one.name: editor_of(one, one.spoken or name_of(one)) for one in declared}
        line = line_up(self, spacing=6)
        for name, field in self.fields.items():
            field.setParent(self)
            field.box.setToolTip(field.declared.help)
            field.edited.connect(partial(self.edited.emit, name))
            field.refused.connect(partial(self._refuse, name))
            for widget in field.widgets:
                line.addWidget(widget)
        line.addStretch(0)

    def _refuse(self, name: str, text: str) -> None:
        self.refused.emit(text, name)


AUTOMATIC = "automatic"
"""The text in an empty field whose value follows from others."""


class ParameterRow(FormRow):
    """The row of one declared parameter."""

    edited = Signal(str, object, bool)  # name, value, and whether it is one of a continuous movement

    def __init__(self, declared: Parameter) -> None:
        self.declared = declared
        name = declared.spoken or declared.label.replace("&", "")
        self._editor = editor_of(declared, name)
        box = self._editor.box
        ticked = isinstance(box, QCheckBox)  # its label stands behind the tick
        first = declared.label[:1]
        capital = first.upper() if first.isascii() else first  # a capital ε looks like an E
        label = "" if ticked else capital + declared.label[1:]
        beside = self._editor.beside
        editors = (box,) if beside is None else (box, beside)
        super().__init__(
            label, *editors, help=f"{declared.help}\n{declared.source}".strip(), fields=[declared.name]
        )
        self._editor.setParent(self)
        self._editor.edited.connect(self._on_edited)
        self._editor.refused.connect(self.refuse)
        if declared.in_file:
            self.add_beside(NumbersButton(name, self._on_file, self.refuse))
        self.show_empty(AUTOMATIC if declared.may_be_empty else "")

    def show_page(self, page: str | None) -> None:
        """Lead from "What is this?" to a help page, by its key; None: only to the help of the parameter."""
        if self.declared.help:  # else the help of the window says what it is
            about = f"<p><b>{escape(name_of(self.declared))}</b></p><p>{escape(self.declared.help)}</p>"
            text = about if page is None else parameter_words(self.declared, page)
            for editor in self.editors:
                editor.setWhatsThis(text)
                editor.setProperty(DECLARED, True)

    @property
    def value(self) -> Any:
        return self._editor.value

    def set_value(self, value: Any) -> None:
        """Show `value` without announcing it."""
        self._editor.show_value(value)

    def show_automatic(self, text: str) -> None:
        """Write into an empty field what it means, if that is known."""
        self.show_empty(f"{AUTOMATIC}: {text}" if text else AUTOMATIC)

    def show_empty(self, text: str) -> None:
        """Write something into an empty field."""
        self._editor.show_empty(text)

    def _on_edited(self, value: object, continuous: bool) -> None:
        self.settle()
        self.edited.emit(self.declared.name, value, continuous)

    def _on_file(self, text: str) -> None:
        self._on_edited(text, True)


class ParameterForm(QWidget):
    """Rows of declared values, `columns` side by side; empty without values.

    It has a parent, or a position in a layout, before it shows any: else it were a window of its own.
    """

    edited = Signal(str, object, bool)  # as of `ParameterRow`

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 6, columns: int = 1) -> None:
        super().__init__(parent)
        self._grid, self._columns = QGridLayout(self), columns
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(spacing)
        self._grid.setHorizontalSpacing(BETWEEN)
        for column in range(columns):
            self._grid.setColumnStretch(column, 1)
        self.rows: dict[str, ParameterRow] = {}  # by the names of their parameters
        self.hide()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """The editors, from the top."""
        return tuple(row.box for row in self.rows.values())

    def show_parameters(
        self, declared: tuple[Parameter, ...], values: Mapping[str, Any], page: str | None = None
    ) -> None:
        """Draw the parameters (components from the catalog excepted) with these values.

        `page` is the key of the help page about the mechanism that they belong to; None for none.
        """
        plain = tuple(one for one in declared if not one.is_component)
        if plain != tuple(row.declared for row in self.rows.values()):
            self._rebuild(plain)
        for one in plain:
            self.rows[one.name].set_value(values.get(one.name, one.default))
            self.rows[one.name].show_page(page)

    def _rebuild(self, declared: tuple[Parameter, ...]) -> None:
        before, self.rows = {row.declared: row for row in self.rows.values()}, {}
        for one, row in before.items():
            self._grid.removeWidget(row)
            if one not in declared:
                row.hide()
                row.deleteLater()
        for index, one in enumerate(declared):
            row = self.rows[one.name] = before.get(one) or ParameterRow(one)
            row.edited.connect(self.edited, Qt.ConnectionType.UniqueConnection)
            self._grid.addWidget(row, index // self._columns, index % self._columns)
            row.show()  # at once, so that problems find it
        self.setVisible(bool(declared))

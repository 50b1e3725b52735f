"""Forms drawn from the declared parameters of queries, mechanisms and noises.

A row is a label, an editor, and, while there is something to say, the words below it that tell what is
wrong.  All forms of the window share one width of labels: fields line up from card to card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSizePolicy, QWidget

from app.model.wording.parameters import ABOUT, DECLARED, parameter_words
from app.widgets.card import caption, set_text
from app.widgets.combo_box import TYPE_SIZE, ComboBox
from app.widgets.help_button import HelpButton
from app.widgets.layouts import line_up, stack
from app.widgets.number_box import NumberBox
from app.widgets.numbers_button import NumbersButton
from engine.parameters import Parameter

LABEL_WIDTH = 99
AUTOMATIC = "automatic"
"""What stands in a field that may be left empty."""


def combo(name: str, *, stretch: bool = True) -> ComboBox:
    """Return a combo box that fits its column instead of its longest entry."""
    box = ComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(5)
    box.setSizePolicy(
        QSizePolicy.Policy.Expanding if stretch else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed
    )
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box


def mark_wrong(widget: QWidget, wrong: bool) -> None:
    """Draw the frame of a field in the colour of errors, or not."""
    if bool(widget.property("wrong")) != wrong:
        widget.setProperty("wrong", wrong)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class ColumnName(QLabel):
    """The name of a column, cut short where it is longer than the room for labels."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the name to the room."""
        super().resizeEvent(event)
        fitting = self.fontMetrics().elidedText(self.name, Qt.TextElideMode.ElideRight, self.width())
        self.setText(fitting.replace("&", "&&"))


class FormRow(QWidget):
    """A labelled line of one or more editors, with room for a problem below.

    Signals
    -------
    told(str)
        What is wrong is said now, or nothing.
    """

    told = Signal(str)

    def __init__(
        self, label: str | QLabel, *editors: QWidget, help: str = "", fields: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self.fields = frozenset(fields)
        self.editors = editors
        self.help_button: HelpButton | None = None
        self.label = QLabel(label) if isinstance(label, str) else label
        self.label.setFixedWidth(LABEL_WIDTH)
        self.label.setWordWrap(isinstance(label, str))
        line = line_up(None, self.label, spacing=6)
        for editor in editors:
            line.addWidget(editor, 0 if isinstance(editor, QLabel) else 1)
            if help and not editor.toolTip():
                editor.setToolTip(help)
            if isinstance(editor, QComboBox) and editor.property(ABOUT):
                self.help_button = HelpButton(editor, editor.property(ABOUT))
                line.addWidget(self.help_button)
        if editors:
            self.label.setBuddy(editors[0])
        self.label.setToolTip(help)
        self._problem = caption(name="problem")
        column = stack(self, line, self._problem, spacing=2)
        self._line, self._column = line, column
        self._standing = ""
        self._wanted, self._folded = True, False

    def setVisible(self, visible: bool) -> None:
        """Show or hide it; while it is folded away, it stays hidden."""
        self._wanted = visible
        super().setVisible(visible and not self._folded)

    def fold(self, folded: bool) -> None:
        """Fold it away, or let it be as it was wanted meanwhile."""
        if folded != self._folded:
            self._folded = folded
            super().setVisible(self._wanted and not folded)

    def add_beside(self, widget: QWidget) -> None:
        """Add something at the end of the line."""
        self._line.addWidget(widget)

    def add_below(self, widget: QWidget) -> None:
        """Add something below the line and its problem."""
        self._column.addWidget(widget)

    def changeEvent(self, event: QEvent) -> None:
        """Give the label as much more room as its type is larger."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.label.setFixedWidth(round(LABEL_WIDTH * self.fontInfo().pixelSize() / TYPE_SIZE))

    @property
    def problem(self) -> str:
        """The words below the field, if any."""
        return self._problem.text()

    def show_problem(self, words: str) -> None:
        """Say what is wrong with the state (or nothing)."""
        self._standing = words
        self._say(words)

    def refuse(self, words: str) -> None:
        """Say what is wrong with the text just typed, until the next edit."""
        self._say(words)

    def settle(self) -> None:
        """Forget what was said about the text just typed."""
        self._say(self._standing)

    def _say(self, words: str) -> None:
        set_text(self._problem, words[:1].upper() + words[1:])
        for editor in self.editors:
            mark_wrong(editor, bool(words))
        self.told.emit(words)


def text_box(name: str) -> QLineEdit:
    """Return a line for a text."""
    box = QLineEdit()
    box.setAccessibleName(name)
    return box


def number_box(declared: Parameter, name: str) -> NumberBox:
    """Return a box for a declared number; arrow keys multiply where it may be of any size."""
    wide = declared.upper is None or (declared.upper or 0) > 10 * max(declared.lower or 0, 0.1)
    return NumberBox(
        name,
        whole=declared.kind == "int",
        logarithmic=wide and declared.kind == "float" and (declared.lower or 0) >= 0,
        lower=declared.lower,
        upper=declared.upper,
        optional=declared.optional,
    )


class ParameterRow(FormRow):
    """The row of one declared parameter.

    Signals
    -------
    edited(str, object, bool)
        Name, new value, and whether it is one of a continuous movement.
    """

    edited = Signal(str, object, bool)

    def __init__(self, declared: Parameter) -> None:
        self.declared = declared
        self._box: QComboBox | QLineEdit | NumberBox
        name = declared.label.replace("&", "")
        if declared.choices:
            self._box = combo(name)
            for choice in declared.choices:
                self._box.addItem(declared.words_of(choice), choice)
        elif declared.kind == "text":
            self._box = text_box(name)
        else:
            self._box = number_box(declared, name)
        label = declared.label[:1].upper() + declared.label[1:]
        editors = (self._box, QLabel(declared.unit)) if declared.unit else (self._box,)
        words = f"{declared.help}\n{declared.source}".strip()
        super().__init__(label, *editors, help=words, fields=[declared.name])
        if declared.in_file:
            self.add_beside(NumbersButton(name, self._on_text, self.refuse))
        self._box.setProperty(DECLARED, True)
        self.show_page("")
        if isinstance(self._box, QComboBox):
            self._box.activated.connect(self._on_choice)
        elif isinstance(self._box, QLineEdit):
            self._box.textEdited.connect(self._on_text)
        else:
            self._box.edited.connect(self._on_number)
            self._box.refused.connect(self.refuse)
            self._box.cleared.connect(self._on_cleared)
        self.show_empty(AUTOMATIC if declared.may_be_empty else "")

    @property
    def box(self) -> QComboBox | QLineEdit | NumberBox:
        """The editor."""
        return self._box

    def show_page(self, page: str) -> None:
        """Lead from "What is this?" to a help page, by its key."""
        self._box.setWhatsThis(parameter_words(self.declared, page))

    def set_value(self, value: Any) -> None:
        """Show `value` without announcing it."""
        if isinstance(self._box, QComboBox):
            self._box.setCurrentIndex(self._box.findData(value))
        elif isinstance(self._box, QLineEdit):
            if self._box.text() != value:  # the cursor stays where one writes
                self._box.setText(value)
        else:
            self._box.set_value(None if value is None else float(value))

    def show_automatic(self, words: str) -> None:
        """Say what is meant where the field is left empty, as far as that is known."""
        self.show_empty(f"{AUTOMATIC}: {words}" if words else AUTOMATIC)

    def show_empty(self, words: str) -> None:
        """Write something where the field is left empty."""
        line = self._box.lineEdit() if isinstance(self._box, NumberBox) else self._box
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(words)

    def _on_choice(self, index: int) -> None:
        if isinstance(self._box, QComboBox):
            self.edited.emit(self.declared.name, self._box.itemData(index), False)

    def _on_text(self, text: str) -> None:
        self.settle()
        self.edited.emit(self.declared.name, text, True)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.settle()
        whole = self.declared.kind == "int" and float(value).is_integer()
        self.edited.emit(self.declared.name, int(value) if whole else value, continuous)

    def _on_cleared(self) -> None:
        self.settle()
        self.edited.emit(self.declared.name, None, False)


class ParameterForm(QWidget):
    """All rows of one component; empty when it has no parameters.

    Signals
    -------
    edited(str, object, bool)
        As in `ParameterRow`.
    """

    edited = Signal(str, object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._column = stack(self, spacing=6)
        self._rows: dict[str, ParameterRow] = {}
        self.hide()

    @property
    def rows(self) -> dict[str, ParameterRow]:
        """The rows, by the names of their parameters."""
        return self._rows

    def show_parameters(
        self, declared: tuple[Parameter, ...], values: Mapping[str, Any], page: str = ""
    ) -> None:
        """Draw the parameters (components from the catalog excepted) with these values.

        `page` is the key of the help page about what they belong to.
        """
        plain = tuple(one for one in declared if not one.is_component)
        if plain != tuple(row.declared for row in self._rows.values()):
            self._rebuild(plain)
        for one in plain:
            self._rows[one.name].set_value(values.get(one.name, one.default))
            self._rows[one.name].show_page(page)

    def _rebuild(self, declared: tuple[Parameter, ...]) -> None:
        before, self._rows = {row.declared: row for row in self._rows.values()}, {}
        for one, row in before.items():
            self._column.removeWidget(row)
            if one not in declared:
                row.hide()
                row.deleteLater()
        for one in declared:
            row = self._rows[one.name] = before.get(one) or ParameterRow(one)
            row.edited.connect(self.edited, Qt.ConnectionType.UniqueConnection)
            self._column.addWidget(row)
            row.show()  # at once, so that problems find it
        self.setVisible(bool(declared))

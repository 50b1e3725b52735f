"""A labelled line of a form, and what is wrong with it: below it, or in the remarks of its card.

All forms of the window share one width of labels: fields line up from card to card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSizePolicy, QWidget

from app.model.wording.components import ABOUT
from app.widgets.buttons import HelpButton
from app.widgets.card import Card, Remarks, caption, mark_wrong
from app.widgets.combo_box import TYPE_SIZE, ComboBox
from app.widgets.layouts import ancestors, line_up, stack
from app.widgets.number_box import NumberBox, TextBox, refused_box

LABEL_WIDTH = 99
NO_CHOICES: Mapping[Any, str] = {}


def line_edit(name: str, hint: str = "", tip: str = "") -> QLineEdit:
    """Return a line to type in, with a hint while it is empty."""
    line = QLineEdit(placeholderText=hint)
    line.setAccessibleName(name)
    line.setToolTip(tip)
    return line


def combo(
    name: str, choices: Mapping[Any, str] = NO_CHOICES, tip: str = "", *, stretch: bool = True
) -> ComboBox:
    """Return a combo box that fits its column instead of its longest entry; `choices` have labels."""
    box = ComboBox()
    for value, label in choices.items():
        box.addItem(label, value)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(5)
    box.setSizePolicy(
        QSizePolicy.Policy.Expanding if stretch else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed
    )
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box


class FormRow(QWidget):
    """A labelled line of one or more editors. Its card shows its problem, or the row itself, below."""

    problem_shown = Signal(str)  # or "" where nothing is wrong any more

    def __init__(
        self, label: str | QLabel, *editors: QWidget, help: str = "", fields: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self.fields = frozenset(fields)
        self.editors = editors
        self.box: Any = editors[0] if editors else None
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
        self.refused = False  # whether it shows the problem of a typed text
        self._wanted, self._folded = True, False
        self._typed = [editor for editor in editors if isinstance(editor, NumberBox | TextBox)]
        for box in self._typed:
            box.refused.connect(self.refuse)
            box.corrected.connect(self.settle)

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

    def show_problem(self, text: str) -> None:
        """Say what is wrong with the state (or nothing), unless a typed text was refused."""
        self._standing = text
        self.settle()

    def refuse(self, text: str) -> None:
        """Say what is wrong with the text just typed, until the next edit."""
        self._say(text)
        self.refused = bool(text)

    def settle(self) -> None:
        """Clear the message about a typed text, unless a field still shows that text."""
        self._say(next((box.refusal for box in self._typed if box.refusal), self._standing))

    def _say(self, text: str) -> None:
        remarks = self._remarks
        self._problem.setText(text[:1].upper() + text[1:])
        self._problem.setVisible(bool(text) and remarks is None)
        self.refused = False
        wrong = [box for box in self._typed if box.refusal] or self.editors
        for editor in self.editors:
            mark_wrong(editor, bool(text) and editor in wrong)
        if remarks is not None:
            remarks.refresh()
        self.problem_shown.emit(text)

    @property
    def _remarks(self) -> Remarks | None:
        """The remarks of the card around the row; None: the row shows its own problem."""
        cards = (one for one in ancestors(self) if isinstance(one, Card))
        return next((card.remarks for card in cards), None)


def refusal_in(window: QWidget) -> str:
    """Focus the first field whose typed text was refused, and return its problem; "" if there is none."""
    box = refused_box(window)
    if box is not None:
        return box.refusal
    rows = (row for row in window.findChildren(FormRow) if row.refused and "missing" in row.fields)
    return next((row.problem for row in rows if row.isVisible()), "")

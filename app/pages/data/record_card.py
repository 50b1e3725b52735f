"""States what a record of the table is: a row, or all rows of a person."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.model.kinds.declared import has_edges
from app.model.wording.records import RULES
from app.widgets.card import caption, set_text
from app.widgets.column_finder import offer, select
from app.widgets.form_row import combo
from app.widgets.layouts import line_up, stack
from app.widgets.number_box import NumberBox
from engine.data import Table
from engine.questions.declarations import Declarations

ROWS = {"": "one row", "person": "all rows of one person"}
CHOICES = {**RULES, "most": "at most … rows"}
COMBINED = (
    "n counts persons, and releases protect a whole person. Text columns keep the value of a person's last "
    "row."
)
SEVERAL = (
    "A person may fill {most} records, so a release with ε costs a person {most} ε. Only Questions "
    "can ask about such records."
)
DEFAULT_MAX_ROWS = 5


class RecordCard(QWidget):
    """A line that states what a record is."""

    edited = Signal(str, object)  # the text of the step, and the declarations

    def __init__(self) -> None:
        super().__init__()
        self.declarations = Declarations()
        self.kind = combo("A record is", ROWS, stretch=False)
        self.kind.setMinimumContentsLength(19)
        self.person = combo("Column that identifies a person", stretch=False)
        self.person.setPlaceholderText("identifier…")
        self.person.setMinimumContentsLength(12)
        self.rule = combo("Rule for the rows of a person", CHOICES, stretch=False)
        self.rule.setMinimumContentsLength(20)
        self.most = NumberBox("Most rows of a person", whole=True, lower=1)
        self.most.setMaximumWidth(72)
        self.note = caption()
        self.kind.activated.connect(self._on_kind)
        self.person.activated.connect(self._on_person)
        self.rule.activated.connect(self._on_rule)
        self.most.edited.connect(self._on_most)
        self._asked = False
        line = line_up(
            None, QLabel("A record is"), self.kind, self.person, self.rule, self.most, None, spacing=6
        )
        stack(self, line, self.note, spacing=3)

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """The fields, in the order of Tab."""
        return self.kind, self.person, self.rule, self.most

    def offer_columns(self, table: Table | None) -> None:
        names = [column.name for column in table.columns] if table is not None else []
        offer(self.person, ((name, name, "") for name in names))
        self.kind.setItemText(0, f"{ROWS['']}: an edge" if has_edges(names) else ROWS[""])
        self._asked = False
        self.show_declared(self.declarations)

    def show_declared(self, declarations: Declarations) -> None:
        """Show what is declared."""
        self.declarations = declarations
        asks = bool(declarations.person) or self._asked
        self.kind.setCurrentIndex(int(asks))
        select(self.person, declarations.person)
        most = declarations.most_rows
        self.rule.setCurrentIndex(self.rule.findData("most" if most else declarations.person_rule))
        self.most.set_value(most)
        for box in (self.person, self.rule):
            box.setVisible(asks)
        self.most.setVisible(asks and most is not None)
        stated = COMBINED if most is None else SEVERAL.format(most=most)
        set_text(self.note, stated if declarations.person else "")

    def _edit(self, text: str, **changes: Any) -> None:
        declarations = dataclasses.replace(self.declarations, **changes)
        if declarations != self.declarations:
            self.edited.emit(text, declarations)

    def _on_kind(self, index: int) -> None:
        self._asked = bool(index)
        if index:
            self.show_declared(self.declarations)
            self.person.setFocus()
        else:
            self._edit("make each row a record", person="", most_rows=None)
            self.show_declared(self.declarations)

    def _on_person(self, index: int) -> None:
        self._edit("change the identifier of a person", person=self.person.itemData(index))

    def _on_rule(self, index: int) -> None:
        rule = self.rule.itemData(index)
        if rule == "most":
            self._edit("keep some rows of a person", most_rows=DEFAULT_MAX_ROWS)
        else:
            self._edit("change the rule for the rows of a person", person_rule=rule, most_rows=None)

    def _on_most(self, value: float, _: bool) -> None:
        self._edit("change the most rows of a person", most_rows=max(1, int(value)))

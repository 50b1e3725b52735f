"""The data panel of columns of categories: which, and what each may hold."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.model.kinds.categories import MOST_FOUND, CategoryChoice
from app.model.kinds.category_lists import format_list, parse_list
from app.model.kinds.histogram import HistogramChoice
from app.model.state import SessionState
from app.model.wording.formatting import escape, format_count
from app.panels.data_panel import DataPanel
from app.session import Session
from app.widgets.chooser import Chooser
from app.widgets.parameter_form import ColumnName, FormRow, combo
from engine.data import Example

COLUMNS_HELP = "The columns whose categories are counted: text, yes or no, dates, or whole numbers"
LISTS_HELP = (
    "All categories that the column may hold, separated by commas. They must be known without looking at "
    "the data: from the form that was filled in, the code book, the law."
)
ORIGIN_HELP = (
    "The guarantee holds only for lists that were known before anyone looked at the data: a category that "
    "only one person has tells that this person is there."
)
LOOKED_WARNING = "Categories taken from the data are not public: no guarantee holds for this release."
UNSEEN = {"refuse": "refuse to go on", "other": "count as “other”"}
UNSEEN_HELP = (
    "What is done with a value that no list has. “other” is a category of its own in every column, whether "
    "or not a value needs it."
)
LOOK_HELP = (
    "Fill the lists with what the columns hold. Then they are not public, and no guarantee holds for a "
    "release: good enough for trying things out."
)


class ListRow(FormRow):
    """The public list of one column.

    Signals
    -------
    edited(str, tuple)
        The column, and its labels.
    """

    edited = Signal(str, object)

    def __init__(self, column: str) -> None:
        self.column = column
        self.box = QLineEdit()
        self.box.setAccessibleName(f"Categories of {column}")
        self.box.setPlaceholderText("one, another, …")
        super().__init__(ColumnName(column), self.box, help=LISTS_HELP, fields=[f"categories of {column}"])
        self.label.setToolTip(escape(f"{column}. {LISTS_HELP}"))
        self._shown: tuple[str, ...] = ()
        self.box.editingFinished.connect(self._on_edited)

    def show_list(self, labels: tuple[str, ...]) -> None:
        """Show what is declared."""
        self._shown = labels
        if not (self.box.hasFocus() and self.box.isModified()):
            self.box.setText(format_list(labels))
            self.box.setCursorPosition(0)
        self.settle()

    def type_in(self, text: str) -> None:
        """Enter `text` as a person would."""
        self.box.setText(text)
        self._on_edited()

    def _on_edited(self) -> None:
        self.box.setModified(False)
        labels = parse_list(self.box.text())
        if labels != self._shown:
            self.edited.emit(self.column, labels)


class CategoriesPanel(DataPanel):
    """Shows and edits columns of categories, and the public list of each."""

    kind = "categories"
    looked_warning = LOOKED_WARNING
    origin_help = ORIGIN_HELP
    reading = DataPanel.reading | {"categories", "query"}
    bounding = frozenset({"categories"})

    def __init__(self, session: Session, page: str) -> None:
        super().__init__(session, page, LISTS_HELP)
        self.origin.setAccessibleName("Where the categories come from")

    @property
    def _choice(self) -> CategoryChoice:
        return HistogramChoice.of(self._session.state).categories

    @classmethod
    def offers(cls, example: Example) -> bool:
        """Tell whether an example has columns of categories, beside numbers or alone."""
        return bool(example.categories)

    def fits(self, state: SessionState) -> bool:
        """Tell whether categories are asked."""
        return state.reads == "categories"

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.columns_row, *super().rows, *self.lists.values(), self.unseen_row)

    def _make_rows(self) -> list[FormRow]:
        self.columns = Chooser("Columns of categories")
        self.menu = self.columns.menu
        self.menu.triggered.connect(self._on_column)
        self.columns_row = FormRow(
            "C&olumns",
            self.columns,
            help=COLUMNS_HELP,
            fields=["category_columns", "columns", "categories"],
        )
        self.missing_row.fields = frozenset({"missing"})
        return [self.columns_row, self.missing_row]

    def _make_bounds(self, help: str) -> QWidget:
        self.lists: dict[str, ListRow] = {}
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.unseen = combo("What to do with values that no list has")
        for key, words in UNSEEN.items():
            self.unseen.addItem(words, key)
        self.unseen.activated.connect(self._on_unseen)
        self.unseen_row = FormRow("&Unlisted", self.unseen, help=UNSEEN_HELP, fields=["unseen"])
        self.look = QPushButton("Loo&k at the data")
        self.look.setToolTip(LOOK_HELP)
        self.look.clicked.connect(self._on_look)
        self.look_row = FormRow("", self.look)
        self._column.addWidget(self.look_row)
        self._column.addWidget(self.unseen_row)
        return inside

    def _fill(self) -> None:
        state = self._session.state
        chosen = self._choice.columns
        self.menu.clear()
        for column in state.dataset.table.columns if state.dataset else ():
            action = self.menu.addAction(column.name)
            action.setCheckable(True)
            action.setChecked(column.name in chosen)
            curator = state.view == "curator"
            missing = f", {format_count(column.missing)} missing" if column.missing and curator else ""
            kind = "number, if all are whole" if column.type == "number" else column.type
            action.setToolTip(f"{kind}{missing}")
        self.columns.set_text(", ".join(chosen) if len(chosen) <= 2 else f"{len(chosen)} columns")
        self.columns.setToolTip(escape(f"{', '.join(chosen)}. {COLUMNS_HELP}") if chosen else COLUMNS_HELP)

    def _fill_bounds(self) -> None:
        choice = self._choice
        if tuple(self.lists) != choice.columns:
            self._rebuild(choice.columns)
        for name, row in self.lists.items():
            row.show_list(choice.lists.get(name, ()))
        self.unseen.setCurrentIndex(self.unseen.findData(choice.unseen))
        # what is not listed yet can be looked up by those who may see it
        unlisted = any(not choice.lists.get(name) for name in choice.columns)
        curator = self._session.state.view == "curator"
        self.look_row.setVisible(curator and unlisted and choice.answers is not None)

    def _rebuild(self, columns: tuple[str, ...]) -> None:
        for old in self.lists.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.lists = {name: ListRow(name) for name in columns}
        before: QWidget = self.columns
        for place, row in enumerate(self.lists.values()):
            row.edited.connect(self._on_list)
            self._column.insertWidget(place, row)
            row.show()  # at once, so that problems find it
            self.setTabOrder(before, row.box)
            before = row.box
        for after in (self.look, self.unseen, self.origin):
            self.setTabOrder(before, after)
            before = after

    def _origin(self) -> str:
        return self._choice.bounds_source

    def _choice_of_missing(self) -> str:
        return self._choice.missing

    def _missing(self) -> int:
        state = self._session.state
        found = [state.dataset.column(name) for name in self._choice.columns] if state.dataset else []
        return sum(column.missing for column in found)

    def _facts(self) -> tuple[list[str], list[str], str]:
        state = self._session.state
        answers = self._choice.answers
        if answers is None:
            return [], [], ""
        facts = [f"n = {format_count(answers.n)}"]
        if state.view != "curator":
            return facts, [], "n is public."
        private = self._private_facts(answers.dropped, "counted as “other”", 0)
        return facts, private, "n, the number of records, is public. How many were dropped is not."

    def _choose(self, **changed: Any) -> None:
        """Ask for other columns, or for another way to read them."""
        self.chosen.emit({"categories": dataclasses.replace(self._choice, **changed)})

    def _edit(self, text: str, **changed: Any) -> None:
        """Declare something else about the columns."""
        choice = dataclasses.replace(self._choice, **changed)
        self._session.edit(text, categories=choice)

    def _on_column(self, action: QAction) -> None:
        checked = {one.text() for one in self.menu.actions() if one.isChecked()}
        names = tuple(one.text() for one in self.menu.actions() if one.text() in checked)
        # the menu shows the last good columns until the new ones have been read
        action.setChecked(action.text() in self._choice.columns)
        if names:
            self._choose(columns=names)
        else:
            self.columns_row.refuse("there is nothing to count without a column; choose another one first")

    def _on_missing(self, index: int) -> None:
        self._choose(missing=self.missing.itemData(index))

    def _on_list(self, name: str, labels: tuple[str, ...]) -> None:
        lists = {**self._choice.lists, name: labels}
        self._edit(f"change the categories of {name}", lists=lists)

    def _on_unseen(self, index: int) -> None:
        self._edit("change what is done with other values", unseen=self.unseen.itemData(index))

    def _on_origin(self, index: int) -> None:
        self._edit("change where the categories come from", bounds_source=self.origin.itemData(index))

    def _on_look(self) -> None:
        choice = self._choice
        assert choice.answers is not None
        lists = dict(choice.lists)
        for name in choice.columns:
            found = choice.answers.found[name]
            if lists.get(name):
                continue
            if found is None:
                self.lists[name].refuse(
                    f"it holds more than {MOST_FOUND} different values, too many for a list; "
                    "choose another column"
                )
                return
            lists[name] = found
        self._edit("look at the data", lists=lists, bounds_source="looked")

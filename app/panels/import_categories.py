"""Opening a file for its categories: which columns, and what each may hold."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLineEdit, QScrollArea, QWidget

from app.model.kinds.base import Fields
from app.model.kinds.categories import CategoryChoice
from app.model.kinds.category_lists import format_list, parse_list
from app.panels.categories_panel import (
    COLUMNS_HELP,
    LISTS_HELP,
    LOOKED_WARNING,
    ORIGIN_HELP,
    UNSEEN,
    UNSEEN_HELP,
)
from app.panels.import_dialog import ImportDialog
from app.widgets.parameter_form import FormRow, combo, mark_wrong
from engine.data import CategoryDomain
from engine.errors import ParameterError

SHOWN = 5
"""Columns that are in sight at once."""
LINE = 34


class CategoriesDialog(ImportDialog):
    """Asks for columns of categories, and for the public list of each."""

    bounds_help = LISTS_HELP
    looked_warning = LOOKED_WARNING
    origin_help = ORIGIN_HELP
    height_with_preview = 680

    def _make_rows(self) -> list[FormRow]:
        self.unseen = combo("What to do with values that no list has")
        for key, words in UNSEEN.items():
            self.unseen.addItem(words, key)
        return [FormRow("&Unlisted", self.unseen, help=UNSEEN_HELP)]

    def _make_bounds(self) -> FormRow:
        inside = QWidget()
        inside.setObjectName("column")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 6, 0)
        grid.setVerticalSpacing(4)
        self.boxes: dict[str, tuple[QCheckBox, QLineEdit]] = {}
        for place, column in enumerate(self.dataset.table.columns):
            check, line = QCheckBox(column.name.replace("&", "&&")), QLineEdit()
            check.setToolTip("number, if all are whole" if column.type == "number" else column.type)
            check.toggled.connect(self._on_columns)
            line.setAccessibleName(f"Categories of {column.name}")
            line.setPlaceholderText("one, another, …")
            line.textEdited.connect(self._on_bound)
            self.boxes[column.name] = check, line
            grid.addWidget(check, place, 0)
            grid.addWidget(line, place, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 2)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedHeight(LINE * min(SHOWN, len(self.boxes)) + 4)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        return FormRow("Columns and categories", area, help=COLUMNS_HELP)

    def _begin(self, fields: Fields) -> None:
        chosen: CategoryChoice = fields.get("categories", CategoryChoice())
        for name, (check, line) in self.boxes.items():
            check.setChecked(name in chosen.columns)
            line.setText(format_list(chosen.lists.get(name, ())))

    def _columns(self) -> list[str]:
        return [name for name, (check, _) in self.boxes.items() if check.isChecked()]

    def _decided(self) -> Fields | None:
        columns = self._columns()
        if not columns:
            self.bounds_row.show_problem("choose at least one column")
            return None
        lists = {name: parse_list(self.boxes[name][1].text()) for name in columns}
        for name, labels in lists.items():
            try:
                CategoryDomain((name,), (labels,))
            except ParameterError as error:
                self._refuse(error.problem, self.boxes[name][1])
                return None
        said = self._said()
        if said is None:
            return None
        choice = CategoryChoice(columns=tuple(columns), lists=lists, unseen=self.unseen.currentData(), **said)
        return {"categories": choice}

    def _refuse(self, words: str, box: QLineEdit) -> None:
        self.bounds_row.show_problem(words)
        mark_wrong(box, True)
        box.setFocus()

    def _on_bound(self, *_: object) -> None:
        super()._on_bound()
        for _check, line in self.boxes.values():
            mark_wrong(line, False)

    def _on_columns(self, *_: object) -> None:
        super()._on_columns()
        for check, line in self.boxes.values():
            line.setEnabled(check.isChecked())
        self.bounds_row.show_problem("")

    def _on_header(self, section: int) -> None:
        """Check the column, or not."""
        self.boxes[self.dataset.table.columns[section].name][0].toggle()

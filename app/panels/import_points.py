"""Opening a file for its points: which columns are the coordinates, between which bounds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from app.model.kinds.base import Fields
from app.model.wording.formatting import escape
from app.panels.import_dialog import ImportDialog
from app.panels.points_panel import BOUNDS_HELP, COLUMNS_HELP
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, mark_wrong
from engine.domain import Interval
from engine.errors import ParameterError

SHOWN = 5
"""Columns that are in sight at once."""
LINE = 34
NO_NUMBERS = (
    "The file has no column of numbers, and points need at least one. Columns of categories are counted on "
    "the page Histogram; else open another file."
)


class PointsDialog(ImportDialog):
    """Asks for several columns, and for the bounds of each."""

    bounds_help = BOUNDS_HELP
    height_with_preview = 680

    def _make_rows(self) -> list[FormRow]:
        return []

    def _make_bounds(self) -> FormRow:
        inside = QWidget()
        inside.setObjectName("column")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 6, 0)
        grid.setVerticalSpacing(4)
        self.boxes: dict[str, tuple[QCheckBox, NumberBox, NumberBox]] = {}
        for column in self.dataset.table.columns:
            if column.type == "number":
                name = column.name
                line = (
                    QCheckBox(name.replace("&", "&&")),
                    self._lower(f"Lower bound of {name}"),
                    self._upper(f"Upper bound of {name}"),
                )
                line[1].lineEdit().setPlaceholderText("smallest")
                line[2].lineEdit().setPlaceholderText("largest")
                line[0].toggled.connect(self._on_columns)
                line[0].setToolTip(escape(column.unit))
                self.boxes[name] = line
                place = grid.rowCount()
                for at, widget in enumerate((line[0], line[1], QLabel("to"), line[2])):
                    grid.addWidget(widget, place, at)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedHeight(LINE * min(SHOWN, max(1, len(self.boxes))) + 4)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        row = FormRow("Columns and bounds", area, help=COLUMNS_HELP)
        for _, lower, upper in self.boxes.values():
            lower.refused.connect(row.refuse)
            upper.refused.connect(row.refuse)
        return row

    def _begin(self, fields: Fields) -> None:
        chosen, bounds = fields.get("columns", ()), fields.get("bounds", {})
        for name, (check, lower, upper) in self.boxes.items():
            check.setChecked(name in chosen)
            low, high = bounds.get(name, (None, None))
            lower.set_value(low)
            upper.set_value(high)

    def _columns(self) -> list[str]:
        return [name for name, (check, _, _) in self.boxes.items() if check.isChecked()]

    def _decided(self) -> Fields | None:
        columns = self._columns()
        if not columns:
            self.bounds_row.show_problem("choose at least one column" if self.boxes else NO_NUMBERS)
            return None
        bounds = {}
        for name in columns:
            pair = self._pair(name)
            if pair is None:
                return None
            bounds[name] = pair
        said = self._said()
        return None if said is None else {"columns": tuple(columns), "bounds": bounds, **said}

    def _pair(self, name: str) -> tuple[float, float] | None:
        """Return the bounds of a column, or say what is wrong with them."""
        _, lower, upper = self.boxes[name]
        for box, what in ((lower, "smallest"), (upper, "largest")):
            if box.value is None:
                words = f"declare the {what} possible value of {name}, from what is known without the data"
                self._refuse(words, box)
                return None
        assert lower.value is not None
        assert upper.value is not None
        try:
            Interval(lower.value, upper.value)
        except ParameterError as error:
            self._refuse(f"bounds of {name}: {error.problem}", upper)
            return None
        return lower.value, upper.value

    def _refuse(self, words: str, box: NumberBox) -> None:
        self.bounds_row.show_problem(words)
        mark_wrong(box, True)
        box.setFocus()

    def _on_bound(self, *_: object) -> None:
        super()._on_bound()
        for _check, lower, upper in self.boxes.values():
            mark_wrong(lower, False)
            mark_wrong(upper, False)

    def _on_columns(self, *_: object) -> None:
        super()._on_columns()
        for check, lower, upper in self.boxes.values():
            lower.setEnabled(check.isChecked())
            upper.setEnabled(check.isChecked())
        self.bounds_row.show_problem("" if self.boxes else NO_NUMBERS)
        self.open_button.setEnabled(bool(self.boxes))

    def _on_header(self, section: int) -> None:
        """Check the column, or not."""
        name = self.dataset.table.columns[section].name
        if name in self.boxes:
            self.boxes[name][0].toggle()

"""Opening a file for its numbers: which column, between which bounds."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from app.model.kinds.base import Fields
from app.panels.import_dialog import ImportDialog
from app.panels.numbers_panel import BOUNDS_HELP
from app.panels.resolution_row import ResolutionRow
from app.widgets.parameter_form import FormRow, combo
from engine.domain import Interval


class NumbersDialog(ImportDialog):
    """Asks for a column of numbers and its bounds."""

    bounds_help = BOUNDS_HELP

    def _make_rows(self) -> list[FormRow]:
        self.column = combo("Column of the data")
        self._offer_columns(self.column)
        return [FormRow("&Column", self.column)]

    def _make_bounds(self) -> FormRow:
        self.lower_box, self.upper_box = self._lower("Lower bound"), self._upper("Upper bound")
        row = FormRow("&Bounds", self.lower_box, QLabel("to"), self.upper_box, help=BOUNDS_HELP)
        self.lower_box.refused.connect(row.refuse)
        self.upper_box.refused.connect(row.refuse)
        return row

    def _make_last_rows(self) -> list[FormRow]:
        self.resolution_row = ResolutionRow("&Resolution")
        return [self.resolution_row]

    def _begin(self, fields: Fields) -> None:
        numbers = [column.name for column in self.dataset.table.columns if column.type == "number"]
        column = fields.get("column") or (numbers[0] if numbers else None)
        self.column.setCurrentIndex(max(0, self.column.findData(column)))

    def _columns(self) -> list[str]:
        return [self.column.currentData()]

    def _decided(self) -> Fields | None:
        lower, upper = self.lower_box.value, self.upper_box.value
        if lower is None or upper is None:
            which = "both bounds" if lower is None and upper is None else "the other bound, too"
            self.bounds_row.show_problem(f"declare {which}, from what is known without the data")
            (self.lower_box if lower is None else self.upper_box).setFocus()
            return None
        resolution = self.resolution_row.value
        if not self._allowed(Interval, lower, upper, resolution):
            return None
        said = self._said()
        if said is None:
            return None
        declared = {"lower": lower, "upper": upper, "resolution": resolution}
        return {"column": self.column.currentData(), **declared, **said}

    def _on_header(self, section: int) -> None:
        self.column.setCurrentIndex(section)

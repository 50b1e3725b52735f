"""Opening a file for its edges: which columns, which largest weight, how many vertices."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from app.model.kinds.base import Fields
from app.panels.edges_panel import BOUNDS_HELP, ENDS_HELP, VERTICES_HELP, WEIGHT_HELP
from app.panels.import_dialog import ImportDialog
from app.panels.resolution_row import ResolutionRow
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo
from engine.data.edges import EdgeColumns, guess_columns
from engine.data.graph import check_count_resolution
from engine.domain import Interval

MANY = 1_000_000
"""Vertices for which a resolution is judged while their number is open."""

NO_WEIGHTS = "none: count triangles only"


class EdgesDialog(ImportDialog):
    """Asks for the columns of an edge list, for Λ and for the number of vertices."""

    height_with_preview = 640
    bounds_help = f"{BOUNDS_HELP} The number of vertices is needed to count triangles, and public, too."

    def _make_rows(self) -> list[FormRow]:
        self.source, self.target = combo("Column of the one end"), combo("Column of the other end")
        self.weight = combo("Column of the weights")
        for box in (self.source, self.target, self.weight):
            self._offer_columns(box)
        self.weight.addItem(NO_WEIGHTS, None)
        self.vertices = NumberBox("Number of vertices", whole=True, lower=1)
        self.vertices.lineEdit().setPlaceholderText("how many there are, for triangles")
        self.vertices.edited.connect(self._on_vertices)
        self.ends_row = FormRow("&From – to", self.source, QLabel("–"), self.target, help=ENDS_HELP)
        self.weight_row = FormRow("Wei&ght", self.weight, help=WEIGHT_HELP)
        self.vertices_row = FormRow("&Vertices", self.vertices, help=VERTICES_HELP)
        self.vertices.refused.connect(self.vertices_row.refuse)
        return [self.ends_row, self.weight_row, self.vertices_row]

    def _make_bounds(self) -> FormRow:
        self.upper_box = self._upper("Largest possible weight Λ")
        row = FormRow("&Bounds", QLabel("0  to  Λ ="), self.upper_box, help=BOUNDS_HELP)
        row.label.setBuddy(self.upper_box)
        self.upper_box.refused.connect(row.refuse)
        return row

    def _make_last_rows(self) -> list[FormRow]:
        self.resolution_row = ResolutionRow("&Resolution")
        return [self.resolution_row]

    def _begin(self, fields: Fields) -> None:
        columns = fields.get("edge_columns") or guess_columns(self.dataset.table)
        self.source.setCurrentIndex(self.source.findData(columns.source) if columns else -1)
        self.target.setCurrentIndex(self.target.findData(columns.target) if columns else -1)
        weight = self.weight.findData(columns.weight) if columns and columns.weight else -1
        self.weight.setCurrentIndex(self.weight.count() - 1 if columns and weight < 0 else weight)
        self.vertices.set_value(fields.get("vertices"))

    def _columns(self) -> list[str]:
        boxes = (self.source, self.target, self.weight)
        return [box.currentData() for box in boxes if box.currentData() is not None]

    def _decided(self) -> Fields | None:
        if self.source.currentIndex() < 0 or self.target.currentIndex() < 0:
            self.ends_row.show_problem("choose the two columns that name the ends of each edge")
            return None
        if self.weight.currentIndex() < 0:
            self.weight_row.show_problem(f"choose the column of the weights, or “{NO_WEIGHTS}”")
            return None
        weight, upper, vertices = self.weight.currentData(), self.upper_box.value, self.vertices.value
        if weight is not None and upper is None:
            self.bounds_row.show_problem("declare Λ, from what is known without the weights")
            self.upper_box.setFocus()
            return None
        resolution = self.resolution_row.value
        if upper is not None and not self._allowed(Interval, 0.0, upper, resolution):
            return None
        if vertices is not None and not (float(vertices).is_integer() and vertices >= 1):
            self.vertices_row.show_problem(f"{vertices:g} is no number of vertices; write a whole number")
            return None
        if upper is None and not self._allowed(check_count_resolution, resolution, int(vertices or MANY)):
            return None
        said = self._said()
        if said is None:
            return None
        return {
            "edge_columns": EdgeColumns(self.source.currentData(), self.target.currentData(), weight),
            "lower": 0.0,
            "upper": upper,
            "resolution": resolution,
            "vertices": None if vertices is None else int(vertices),
            **said,
        }

    def _on_columns(self, *_: object) -> None:
        super()._on_columns()
        weighted = self.weight.currentIndex() < 0 or self.weight.currentData() is not None
        self.bounds_row.setVisible(weighted)
        for row in (self.ends_row, self.weight_row):
            row.show_problem("")

    def _on_vertices(self, *_: object) -> None:
        self.vertices_row.show_problem("")

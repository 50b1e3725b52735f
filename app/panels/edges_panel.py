"""The data panel of a list of edges."""

from __future__ import annotations

import dataclasses

from PySide6.QtWidgets import QComboBox, QLabel

from app.model.kinds.graph import GraphChoice
from app.model.wording.formatting import format_count
from app.panels.interval_panel import IntervalPanel
from app.panels.numbers_panel import fill_columns
from app.session import Session
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo

BOUNDS_HELP = (
    "Every weight above Λ is moved to Λ; below 0 there is none. Λ must be known without looking at the "
    "weights: from what they stand for, the scale used, the law."
)
ENDS_HELP = "The columns that name the two vertices of each edge; edges have no direction"
WEIGHT_HELP = "The column of the weights, each of them one person's"
VERTICES_HELP = (
    "How many vertices there are, with those that no edge meets. It is public, and must be known without "
    "looking at the edges."
)


class EdgesPanel(IntervalPanel):
    """Shows and edits the columns of the edges, Λ, and the number of vertices."""

    kind = "graph"
    reading = IntervalPanel.reading | {"edge_columns", "edges", "query"}

    def __init__(self, session: Session) -> None:
        super().__init__(session, "spanning-tree", BOUNDS_HELP)

    @property
    def _choice(self) -> GraphChoice:
        return GraphChoice.of(self._session.state)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.ends_row, self.weight_row, self.vertices_row, *super().rows)

    def _make_rows(self) -> list[FormRow]:
        self.source, self.target = combo("Column of the one end"), combo("Column of the other end")
        self.ends_row = FormRow(
            "Fr&om – to", self.source, self.target, help=ENDS_HELP, fields=["edge_columns"]
        )
        self.weight = combo("Column of the weights")
        self.weight_row = FormRow("Wei&ght", self.weight, help=WEIGHT_HELP, fields=["weight"])
        for box in (self.source, self.target, self.weight):
            box.activated.connect(self._on_column)
        self.vertices = NumberBox("Number of vertices", whole=True, lower=1)
        self.vertices.edited.connect(self._on_vertices)
        self.vertices_row = FormRow("Verti&ces", self.vertices, help=VERTICES_HELP, fields=["vertices"])
        self.vertices.refused.connect(self.vertices_row.refuse)
        return [self.ends_row, self.weight_row, self.missing_row, self.vertices_row]

    def _make_bounds_row(self, help: str) -> FormRow:
        self.upper_box.setAccessibleName("Largest possible weight Λ")
        zero = QLabel("0  to  Λ =")
        row = FormRow("&Bounds", zero, self.upper_box, self.unit, help=help, fields=["lower", "upper"])
        row.label.setBuddy(self.upper_box)
        return row

    def _fill(self) -> None:
        state = self._session.state
        table = state.dataset.table if state.dataset else None
        columns = self._choice.edge_columns
        for box, field in ((self.source, "source"), (self.target, "target"), (self.weight, "weight")):
            fill_columns(box, table, state.view == "curator")
            box.setCurrentIndex(box.findData(getattr(columns, field, None)))
        weighted = state.reads == "weighted-graph"
        self.weight_row.setVisible(weighted)
        self.bounds_row.setVisible(weighted)
        self.vertices_row.setVisible(not weighted)
        self.origin_row.label.setText("They &were" if weighted else "It &was")

    def _fill_bounds(self) -> None:
        super()._fill_bounds()
        self.vertices.set_value(self._choice.vertices)
        self.vertices_row.settle()

    def _missing(self) -> int:
        state = self._session.state
        if state.dataset is None or self._choice.edge_columns is None:
            return 0
        names = {name for name in dataclasses.astuple(self._choice.edge_columns) if name is not None}
        return sum(column.missing for column in state.dataset.table.columns if column.name in names)

    def _facts(self) -> tuple[list[str], list[str], str]:
        state = self._session.state
        edges = self._choice.edges
        if edges is None:
            return [], [], ""
        curator = state.view == "curator"
        if state.reads == "weighted-graph":
            facts = [f"{format_count(edges.n)} vertices", f"{format_count(len(edges.ends))} edges"]
            if not curator:
                return facts, [], "Vertices and edges are public."
            private = self._private_facts(edges.dropped, "clamped", len(self._choice.modified_values))
            return (
                facts,
                private,
                "Vertices and edges are public. How many weights were clamped or dropped is not.",
            )
        facts = [] if self._choice.vertices is None else [f"{format_count(self._choice.vertices)} vertices"]
        if not curator:
            return facts, [], "The vertices are public."
        private = [f"{format_count(len(edges.ends) - len(self._choice.removed_edges))} edges"]
        private += [f"{format_count(edges.dropped)} dropped"] if edges.dropped else []
        private += (
            [f"{format_count(len(self._choice.removed_edges))} taken out by hand"]
            if self._choice.removed_edges
            else []
        )
        return facts, private, "The vertices are public. How many edges there are is not."

    def _on_column(self, _: int) -> None:
        columns = self._choice.edge_columns
        if columns is None:
            return
        boxes: tuple[QComboBox, ...] = (self.source, self.target, self.weight)
        chosen = dataclasses.replace(
            columns,
            **{
                name: box.currentData()
                for name, box in zip(("source", "target", "weight"), boxes, strict=True)
                if box.currentIndex() >= 0
            },
        )
        # the boxes show the last good columns until the new ones have been read
        for box, name in zip(boxes, dataclasses.astuple(columns), strict=True):
            box.setCurrentIndex(box.findData(name))
        self.chosen.emit({"edge_columns": chosen})

    def _on_vertices(self, value: float, continuous: bool) -> None:
        self.vertices_row.settle()
        if not float(value).is_integer():
            self.vertices_row.refuse(f"{value:g} is no number of vertices; write a whole number")
            return
        merge = "vertices" if continuous else ""
        self._session.edit("change the number of vertices", merge=merge, vertices=int(value))

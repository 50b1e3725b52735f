"""What a page works on: which data, which queries, and how a table is read for them.

The session keeps a desk for each page.  Everything that depends on whether the data are
a column of numbers or a list of edges is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from app.model.kinds.base import DataKind, Fields
from app.model.kinds.points import FILE, HistogramKind, PointsKind
from engine.catalog import ASKED

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from app.model.state import SessionState
    from engine.data import Example
    from engine.progress import Progress

__all__ = [
    "FILE",
    "PAGE_KINDS",
    "ColumnKind",
    "DataKind",
    "Fields",
    "GraphKind",
    "HistogramKind",
    "PointsKind",
    "queries_of",
]


COLUMN = ("column", "missing", "lower", "upper", "resolution", "origin")
"""What is chosen about a column, by the fields of a state."""
EDGES = ("edge_columns", "missing", "lower", "upper", "resolution", "vertices", "origin")
"""What is chosen about a list of edges."""


class ColumnKind:
    """A column of numbers between public bounds."""

    kind = "table"
    reads = ("column",)
    topic = ""
    query = "median"
    example = "salaries"
    delta = 0.0

    def of_example(self, card: Example) -> Fields:
        """Return the default column and its bounds."""
        return {
            "column": card.column,
            "missing": "drop",
            "lower": card.lower,
            "upper": card.upper,
            "resolution": None,
            "origin": "known",
        }

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the numbers of the column."""
        progress(0.0, f"reading column '{fields['column']}'")
        numbers = dataset.table.numbers(fields["column"], missing=fields["missing"])
        return {**fields, "numbers": numbers}

    def settled(self, state: SessionState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Let another column have bounds of its own; what to do about missing values is asked."""
        fields = {name: getattr(state, name) for name in COLUMN}
        if changed.get("column", state.column) == state.column:
            return {**fields, **changed}
        assert state.dataset is not None
        if state.dataset.column(changed["column"]).missing:
            return None
        fresh = {"missing": "refuse", "lower": None, "upper": None, "resolution": None, "origin": "known"}
        return {**fresh, **changed}

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return column, bounds and what is done about missing values."""
        if state.lower is None or state.upper is None:
            return None
        return {name: _stored(getattr(state, name)) for name in COLUMN}

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return column, bounds and what is done about missing values."""
        fields: Fields = {name: stored(name) for name in ("column", "missing", "origin")}
        ends: Fields = {"lower": float(stored("lower")), "upper": float(stored("upper"))}
        return {**fields, **ends, "resolution": _number(stored("resolution"))}


class GraphKind:
    """A list of edges, whose weights or whose existence is private."""

    kind = "graph"
    reads = ("weighted-graph", "simple-graph")
    topic = ""
    query = "mst"
    example = "karate"
    delta = 0.0

    def of_example(self, card: Example) -> Fields:
        """Return the columns of an edge list, Λ and the number of vertices."""
        from engine.data.edges import EdgeColumns

        return {
            "edge_columns": EdgeColumns(weight=card.column),
            "missing": "drop",
            "lower": 0.0,
            "upper": card.upper,
            "resolution": None,
            "vertices": card.vertices,
            "origin": "known",
        }

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the edges, and find out what the window will ask about them."""
        from engine.data.edges import read_edges

        progress(0.0, "reading the edges")
        edges = read_edges(dataset.table, fields["edge_columns"], missing=fields["missing"])
        progress(0.8, "looking at the edges")
        _ = edges.pieces, edges.duplicate
        # without weights there is one thing left to ask
        return {**fields, "edges": edges} | ({} if edges.weights is not None else {"query": "triangles"})

    def settled(self, state: SessionState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Let other weights have a Λ of their own; what to do about missing values is asked."""
        fields = {name: getattr(state, name) for name in EDGES} | changed
        old, new = state.edge_columns, fields["edge_columns"]
        if new == old:
            return fields
        assert state.dataset is not None
        if any(state.dataset.column(name).missing for name in (new.source, new.target, new.weight) if name):
            return None
        if old is None or new.weight != old.weight:
            fields |= {"upper": None, "resolution": None, "origin": "known"}
        return {**fields, "missing": "refuse"}

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return columns, Λ, vertices and what is done about missing values."""
        columns = state.edge_columns
        if columns is None:
            return None
        return {
            "source": columns.source,
            "target": columns.target,
            "weight": columns.weight or "",
            "missing": state.missing,
            "upper": _stored(state.upper),
            "resolution": _stored(state.resolution),
            "vertices": _stored(state.vertices),
            "origin": state.origin,
        }

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return columns, Λ, vertices and what is done about missing values."""
        from engine.data.edges import EdgeColumns

        vertices = stored("vertices")
        return {
            "edge_columns": EdgeColumns(stored("source"), stored("target"), stored("weight") or None),
            "missing": stored("missing"),
            "lower": 0.0,
            "upper": _number(stored("upper")),
            "resolution": _number(stored("resolution")),
            "vertices": int(vertices) if vertices else None,
            "origin": stored("origin"),
        }


def _stored(value: object) -> str:
    """Return what stands for a choice among the settings; nothing for none."""
    return "" if value is None else str(value)


def _number(text: str) -> float | None:
    """Return the number that stands for a choice; none where nothing is stored, or nothing ever was."""
    return float(text) if text not in ("", "None") else None


PAGE_KINDS: Mapping[str, DataKind] = {
    "median": ColumnKind(),
    "spanning-tree": GraphKind(),
    "clustering": PointsKind(),
    # no ball can be found with a delta of 0, and a first visit shall show one
    "one-cluster": PointsKind("balls", "one-cluster", "planted-disc", delta=1e-6),
    "histogram": HistogramKind(),
}
"""The desk of each page, by the name of the page."""


def queries_of(page: str) -> dict[str, Any]:
    """Return what can be asked of the data of a page, by name."""
    desk = PAGE_KINDS[page]
    return {
        name: asked
        for name, asked in ASKED.items()
        if asked.reads in desk.reads and getattr(asked, "topic", "") == desk.topic
    }

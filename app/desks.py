"""What a page works on: which data, which queries, and how a table is read for them.

The session keeps a desk for each page.  Everything that depends on whether the data are
a column of numbers or a list of edges is decided here.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from engine.aggregation.functions import FUNCTIONS
from engine.catalog import ASKED
from engine.errors import SensiscopeError
from engine.mechanisms import SANITIZERS

if TYPE_CHECKING:
    from app.dataset import Dataset
    from app.state import SessionState
    from engine.data import Example
    from engine.progress import Progress

FILE = "black-box"
"""The choice of a function from a file, beside those that come with Sensiscope."""

Fields = dict[str, Any]
"""Fields of a `SessionState`, by name."""


class Desk(Protocol):
    """What a page works on.

    Attributes
    ----------
    kind : {"table", "graph", "points"}
        Which of the bundled examples belong here.
    reads : tuple of str
        What its queries read, as `Query.reads` says it.
    topic : str
        What its mechanisms are about, as `PointsMechanism.topic` says it; "" for queries of one number.
    query, example : str
        What a first visit shows.
    delta : float
        What delta is while nobody has chosen one.
    """

    kind: str
    reads: tuple[str, ...]
    topic: str
    query: str
    example: str
    delta: float

    def of_example(self, card: Example) -> Fields:
        """Return what the card of an example declares."""

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read from the table what `fields` name, and add it to them (in a worker)."""

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Return what to read when a person has chosen otherwise; None if more is to be asked."""

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return the choices that bring the data back, never data; None while some are missing."""

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return the fields that `remembered` stored; `ValueError` if they make no sense."""


class ColumnDesk:
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
            "origin": "known",
        }

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the numbers of the column."""
        progress(0.0, f"reading column '{fields['column']}'")
        numbers = dataset.table.numbers(fields["column"], missing=fields["missing"])
        return {**fields, "numbers": numbers}

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Let another column have bounds of its own; what to do about missing values is asked."""
        names = ("column", "missing", "lower", "upper", "origin")
        fields = {name: getattr(state, name) for name in names}
        if changed.get("column", state.column) == state.column:
            return {**fields, **changed}
        assert state.dataset is not None
        if state.dataset.column(changed["column"]).missing:
            return None
        return {"missing": "refuse", "lower": None, "upper": None, "origin": "known", **changed}

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return column, bounds and what is done about missing values."""
        if state.lower is None or state.upper is None:
            return None
        names = ("column", "missing", "lower", "upper", "origin")
        return {name: str(getattr(state, name)) for name in names}

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return column, bounds and what is done about missing values."""
        fields: Fields = {name: stored(name) for name in ("column", "missing", "origin")}
        return {**fields, "lower": float(stored("lower")), "upper": float(stored("upper"))}


class GraphDesk:
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

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Let other weights have a Λ of their own; what to do about missing values is asked."""
        names = ("edge_columns", "missing", "lower", "upper", "vertices", "origin")
        fields = {name: getattr(state, name) for name in names} | changed
        old, new = state.edge_columns, fields["edge_columns"]
        if new == old:
            return fields
        assert state.dataset is not None
        if any(state.dataset.column(name).missing for name in (new.source, new.target, new.weight) if name):
            return None
        if old is None or new.weight != old.weight:
            fields |= {"upper": None, "origin": "known"}
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
            "upper": "" if state.upper is None else str(state.upper),
            "vertices": "" if state.vertices is None else str(state.vertices),
            "origin": state.origin,
        }

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return columns, Λ, vertices and what is done about missing values."""
        from engine.data.edges import EdgeColumns

        upper, vertices = stored("upper"), stored("vertices")
        return {
            "edge_columns": EdgeColumns(stored("source"), stored("target"), stored("weight") or None),
            "missing": stored("missing"),
            "lower": 0.0,
            "upper": float(upper) if upper else None,
            "vertices": int(vertices) if vertices else None,
            "origin": stored("origin"),
        }


@dataclasses.dataclass(frozen=True)
class PointsDesk:
    """Several columns of numbers: each record is a point between public bounds."""

    topic: str = "clusters"
    query: str = "clusters"
    example: str = "three-clusters"
    delta: float = 0.0

    kind = "points"
    reads = ("points",)

    def of_example(self, card: Example) -> Fields:
        """Return all columns and their bounds."""
        return {
            "columns": tuple(column.name for column in card.columns),
            "bounds": {column.name: (float(column.lower), float(column.upper)) for column in card.columns},
            "missing": "drop",
            "origin": "known",
        }

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the coordinates."""
        progress(0.0, "reading the columns")
        return {**fields, "points": dataset.table.points(fields["columns"], missing=fields["missing"])}

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Keep the bounds of each column; what to do about missing values is asked."""
        names = ("columns", "bounds", "missing", "origin")
        fields = {name: getattr(state, name) for name in names} | changed
        assert state.dataset is not None
        new = set(fields["columns"]) - set(state.columns)
        if fields["missing"] == "refuse" and any(state.dataset.column(name).missing for name in new):
            return None
        return fields

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return columns, bounds, what is done about missing values, and the function from a file."""
        bounds = {name: state.bounds.get(name, (None, None)) for name in state.columns}
        if not bounds or any(None in pair for pair in bounds.values()):
            return None
        box = state.black_box
        return {
            "columns": json.dumps(state.columns),
            "bounds": json.dumps(bounds),
            "missing": state.missing,
            "origin": state.origin,
            "query": state.query,
            "function": state.function,
            "black_box": json.dumps(dataclasses.asdict(box)) if box else "",
        }

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return what `remembered` stored; a function from a file is named, and not trusted."""
        from engine.aggregation.black_box import BlackBox

        fields: Fields = {name: stored(name) for name in ("missing", "origin", "query", "function")}
        topic = SANITIZERS[fields["query"]].topic if fields["query"] in SANITIZERS else ""
        if topic != self.topic or fields["function"] not in (*FUNCTIONS, FILE):
            raise ValueError(fields)
        try:
            columns = json.loads(stored("columns"))
            bounds = {
                str(name): (float(low), float(high))
                for name, (low, high) in json.loads(stored("bounds")).items()
            }
            box = stored("black_box")
            black_box = BlackBox(**json.loads(box)) if box else None
        except (TypeError, AttributeError, SensiscopeError) as error:
            raise ValueError(error) from error
        if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
            raise ValueError(columns)
        return {**fields, "columns": tuple(columns), "bounds": bounds, "black_box": black_box}


DESKS: Mapping[str, Desk] = {
    "median": ColumnDesk(),
    "spanning-tree": GraphDesk(),
    "clustering": PointsDesk(),
    # no ball can be found with a delta of 0, and a first visit shall show one
    "one-cluster": PointsDesk("balls", "one-cluster", "planted-disc", delta=1e-6),
    "histogram": PointsDesk("histograms", "histogram-shifted", "airports"),
}
"""The desk of each page, by the name of the page."""


def queries_of(page: str) -> dict[str, Any]:
    """Return what can be asked of the data of a page, by name."""
    desk = DESKS[page]
    return {
        name: asked
        for name, asked in ASKED.items()
        if asked.reads in desk.reads and getattr(asked, "topic", "") == desk.topic
    }

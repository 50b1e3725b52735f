"""A list of edges, whose weights or whose existence is private."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from app.model.kinds.base import Fields, PageState, chosen, stored_number, stored_text
from app.model.kinds.interval import IntervalChoice
from engine.data.edge_checks import disconnected
from engine.data.graph import SimpleGraph, WeightedGraph, check_count_resolution
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example
    from engine.data.edges import EdgeColumns, EdgeList
    from engine.progress import Progress

DECIDED = ("edge_columns", "missing", "lower", "upper", "resolution", "vertices", "bounds_source")
"""What is chosen about a list of edges, by the fields of a `GraphChoice`."""

SIMPLE = "simple-graph"
"""What queries read to which edges themselves are private, not weights."""


@dataclass(frozen=True, eq=False)
class GraphChoice(IntervalChoice):
    """The choice of the columns of an edge list; the bounds are those of weights.

    Attributes
    ----------
    edge_columns : EdgeColumns or None
    edges : EdgeList or None
        What they name; None while it has not been read.
    vertices : int or None
        How many vertices there are, where edges are private.
    removed_edges : frozenset of int
        Edges that were taken out by hand.
    """

    edge_columns: EdgeColumns | None = None
    edges: EdgeList | None = None
    vertices: int | None = None
    removed_edges: frozenset[int] = frozenset()

    def builder(self, dataset: Dataset | None, reads: str) -> WeightedGraphBuilder | SimpleGraphBuilder:
        """Return what makes the graph; `ParameterError` for what is missing."""
        if self.edges is None:
            raise ParameterError("edge_columns", "choose the columns that name the two ends of each edge")
        if reads == SIMPLE:
            if self.vertices is None:
                raise ParameterError(
                    "vertices",
                    f"declare how many there are, with those that no edge meets; "
                    f"the file names {self.edges.n}",
                )
            check_count_resolution(self.resolution, self.vertices)
            return SimpleGraphBuilder(self.edges, self.removed_edges, self.vertices, self.resolution)
        if self.edges.weights is None:
            raise ParameterError("weight", "choose the column of the weights, or count triangles instead")
        return WeightedGraphBuilder(self.edges, self.modified_values, self.domain())

    def place(self, reads: str) -> str:
        """Return the columns of the edges, and that of the weights where they are read."""
        columns = self.edge_columns
        if columns is None:
            return "column "
        weights = f", weights {columns.weight}" if columns.weight and reads != SIMPLE else ""
        return f"edges {columns.source}–{columns.target}{weights}"

    def unit(self, dataset: Dataset | None, reads: str) -> str:
        """Return the unit of the weights, where they are read."""
        return self.edges.unit if self.edges and reads != SIMPLE else ""

    def is_modified(self, reads: str) -> bool:
        """Tell whether edges were taken out, or weights were changed, whatever is read."""
        return bool(self.removed_edges) if reads == SIMPLE else super().is_modified(reads)

    def unmodified(self) -> Self:
        """Return the choice with all edges and their own weights."""
        return replace(super().unmodified(), removed_edges=frozenset())


@dataclass(frozen=True, eq=False)
class WeightedGraphBuilder:
    """Public edges, the weights of some of which were changed by hand, and the range [0, Λ]."""

    edges: EdgeList
    modified_values: Mapping[int, float]
    domain: Interval

    @property
    def resolution(self) -> float | None:
        """The declared step of released values (public)."""
        return self.domain.resolution

    @property
    def n(self) -> int:
        """Number of vertices (public)."""
        return self.edges.n

    def build(self) -> WeightedGraph:
        """Make the graph (clamps all m weights)."""
        return self.edges.weighted(self.domain, self.modified_values)

    def same(self, other: WeightedGraphBuilder) -> bool:
        """Tell whether both make the same graph."""
        changed = self.modified_values != other.modified_values
        return self.edges is other.edges and not changed and self.domain == other.domain

    def problem(self) -> Problem | None:
        """Refuse graphs that are not connected."""
        if self.edges.pieces > 1:
            return Problem("query", disconnected(self.edges.pieces))
        return None


@dataclass(frozen=True, eq=False)
class SimpleGraphBuilder:
    """Private edges, some of which were taken out by hand, and the public number of vertices."""

    edges: EdgeList
    removed_edges: frozenset[int]
    n: int
    resolution: float | None = None

    @property
    def domain(self) -> Interval:
        """0 for two vertices that are not joined, 1 for two that are."""
        return Interval(0.0, 1.0)

    def build(self) -> SimpleGraph:
        """Make the graph (looks for edges that stand twice)."""
        return self.edges.simple(self.n, self.resolution, sorted(self.removed_edges))

    def same(self, other: SimpleGraphBuilder) -> bool:
        """Tell whether both make the same graph."""
        public = self.n == other.n and self.resolution == other.resolution
        return self.edges is other.edges and self.removed_edges == other.removed_edges and public

    def problem(self) -> Problem | None:
        """Refuse fewer vertices than are named, and edges that stand twice."""
        if self.n < self.edges.n:
            return Problem("vertices", f"{self.n} are too few; the file names {self.edges.n}")
        twice = self.edges.duplicate
        if twice is not None:
            first, second = (self.edges.row_of(edge) for edge in twice)
            return Problem(
                "query",
                f"rows {first} and {second} of the file join the same two vertices, which can be joined "
                "only once; keep one of the two rows",
            )
        return None


GraphBuilder = WeightedGraphBuilder | SimpleGraphBuilder


class GraphKind:
    """A list of edges, and queries of one number."""

    kind = "graph"
    choice = GraphChoice
    reads = ("weighted-graph", SIMPLE)
    topic = ""
    query = "mst"
    example = "karate"
    delta = 0.0

    def from_example(self, card: Example) -> Fields:
        """Return the columns of an edge list, Λ and the number of vertices."""
        from engine.data.edges import EdgeColumns

        return {
            "edge_columns": EdgeColumns(weight=card.column),
            "missing": "drop",
            "lower": 0.0,
            "upper": card.upper,
            "resolution": None,
            "vertices": card.vertices,
            "bounds_source": "known",
        }

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the edges, and find out what the window will ask about them."""
        from engine.data.edges import read_edges

        progress(0.0, "reading the edges")
        edges = read_edges(dataset.table, fields["edge_columns"], missing=fields["missing"])
        progress(0.8, "looking at the edges")
        _ = edges.pieces, edges.duplicate
        # without weights there is one thing left to ask
        return {**fields, "edges": edges} | ({} if edges.weights is not None else {"query": "triangles"})

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Let other weights have a Λ of their own; what to do about missing values is asked."""
        old = GraphChoice.of(page).edge_columns
        fields = {**chosen(GraphChoice.of(page), *DECIDED), **changed}
        new = fields["edge_columns"]
        if new == old:
            return fields
        assert page.dataset is not None
        if any(page.dataset.column(name).missing for name in (new.source, new.target, new.weight) if name):
            return None
        if old is None or new.weight != old.weight:
            fields |= {"upper": None, "resolution": None, "bounds_source": "known"}
        return {**fields, "missing": "refuse"}

    def to_document(self, page: PageState) -> dict[str, str] | None:
        """Return columns, Λ, vertices and what is done about missing values."""
        choice = GraphChoice.of(page)
        columns = choice.edge_columns
        if columns is None:
            return None
        return {
            "source": columns.source,
            "target": columns.target,
            "weight": columns.weight or "",
            "missing": choice.missing,
            "upper": stored_text(choice.upper),
            "resolution": stored_text(choice.resolution),
            "vertices": stored_text(choice.vertices),
            "origin": choice.bounds_source,
        }

    def from_document(self, stored: Callable[[str], str]) -> Fields:
        """Return columns, Λ, vertices and what is done about missing values."""
        from engine.data.edges import EdgeColumns

        vertices = stored("vertices")
        return {
            "edge_columns": EdgeColumns(stored("source"), stored("target"), stored("weight") or None),
            "missing": stored("missing"),
            "lower": 0.0,
            "upper": stored_number(stored("upper")),
            "resolution": stored_number(stored("resolution")),
            "vertices": int(vertices) if vertices else None,
            "bounds_source": stored("origin"),
        }

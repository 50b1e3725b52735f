"""Where the data of a setup come from: what a person declared and changed, made into a database.

A source knows from public facts whether a query can be asked at all, so that this is
said beside a field before anybody presses Run; `build` does the work, in a worker.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import read_categories
from engine.data.graph import SimpleGraph, WeightedGraph, check_count_resolution, disconnected
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.kinds.categories import CategoryAnswers
    from app.model.state import SessionState
    from engine.data.database import Database
    from engine.data.edges import EdgeList


class DatasetBuilder(Protocol):
    """The data of a setup."""

    @property
    def domain(self) -> Any:
        """The public range of one record."""

    @property
    def n(self) -> int:
        """The public size, as in `engine.data.database.Database`."""

    def build(self) -> Any:
        """Make the database that queries read (looks at all records)."""

    def same(self, other: Any) -> bool:
        """Tell whether both make the same database."""

    def problem(self) -> Problem | None:
        """Return what keeps `build` from succeeding, as far as it is known."""


@dataclass(frozen=True, eq=False)
class ColumnBuilder:
    """Values of one column, dots moved by hand, public bounds."""

    values: NDArray[np.float64]
    edits: Mapping[int, float]
    domain: Interval

    @classmethod
    def of(cls, state: SessionState) -> ColumnBuilder:
        """Return the source that `state` declares; `ParameterError` for what is missing."""
        domain = state.domain()
        if state.numbers is None:
            raise ParameterError("column", "choose a column of numbers")
        return cls(state.numbers.values, state.edits, domain)

    @property
    def resolution(self) -> float | None:
        """The declared step of released values (public)."""
        return self.domain.resolution

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> Sample:
        """Make the sample (copies and clamps all n values)."""
        values = self.values
        if self.edits:
            values = values.copy()
            values[list(self.edits)] = list(self.edits.values())
        return Sample(values, self.domain)

    def same(self, other: ColumnBuilder) -> bool:
        """Tell whether both make the same sample."""
        return self.values is other.values and self.edits == other.edits and self.domain == other.domain

    def problem(self) -> None:
        """Return None: numbers that could be read make a sample."""


@dataclass(frozen=True, eq=False)
class WeightedGraphBuilder:
    """Public edges, the weights of some of which were changed by hand, and the range [0, Λ]."""

    edges: EdgeList
    edits: Mapping[int, float]
    domain: Interval

    @classmethod
    def of(cls, state: SessionState) -> WeightedGraphBuilder:
        """Return the source that `state` declares; `ParameterError` for what is missing."""
        edges = _edges(state)
        if edges.weights is None:
            raise ParameterError("weight", "choose the column of the weights, or count triangles instead")
        return cls(edges, state.edits, state.domain())

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
        return self.edges.weighted(self.domain, self.edits)

    def same(self, other: WeightedGraphBuilder) -> bool:
        """Tell whether both make the same graph."""
        return self.edges is other.edges and self.edits == other.edits and self.domain == other.domain

    def problem(self) -> Problem | None:
        """Refuse graphs that are not connected."""
        if self.edges.pieces > 1:
            return Problem("query", disconnected(self.edges.pieces))
        return None


@dataclass(frozen=True, eq=False)
class SimpleGraphBuilder:
    """Private edges, some of which were taken out by hand, and the public number of vertices."""

    edges: EdgeList
    absent: frozenset[int]
    n: int
    resolution: float | None = None

    @classmethod
    def of(cls, state: SessionState) -> SimpleGraphBuilder:
        """Return the source that `state` declares; `ParameterError` for what is missing."""
        edges = _edges(state)
        if state.vertices is None:
            raise ParameterError(
                "vertices",
                f"declare how many there are, with those that no edge meets; the file names {edges.n}",
            )
        check_count_resolution(state.resolution, state.vertices)
        return cls(edges, state.absent, state.vertices, state.resolution)

    @property
    def domain(self) -> Interval:
        """0 for two vertices that are not joined, 1 for two that are."""
        return Interval(0.0, 1.0)

    def build(self) -> SimpleGraph:
        """Make the graph (looks for edges that stand twice)."""
        return self.edges.simple(self.n, self.resolution, sorted(self.absent))

    def same(self, other: SimpleGraphBuilder) -> bool:
        """Tell whether both make the same graph."""
        public = self.n == other.n and self.resolution == other.resolution
        return self.edges is other.edges and self.absent == other.absent and public

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


@dataclass(frozen=True, eq=False)
class PointsBuilder:
    """Several columns as points, and the public bounds of each."""

    values: NDArray[np.float64]
    columns: tuple[str, ...]
    units: tuple[str, ...]
    domain: Box

    @classmethod
    def of(cls, state: SessionState) -> PointsBuilder:
        """Return the source that `state` declares; `ParameterError` for what is missing."""
        if state.points is None or state.dataset is None:
            raise ParameterError("columns", "choose the columns that are the coordinates of a point")
        domain = Box(tuple(_side(name, *state.bounds.get(name, (None, None))) for name in state.columns))
        units = tuple(state.dataset.column(name).unit for name in state.columns)
        return cls(state.points.values, state.columns, units, domain)

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.values)

    def build(self) -> Points:
        """Make the points (looks for what is not finite)."""
        return Points(self.values, self.domain)

    def same(self, other: PointsBuilder) -> bool:
        """Tell whether both make the same points."""
        return self.values is other.values and self.domain == other.domain

    def problem(self) -> None:
        """Return None: columns that could be read make points."""


def _side(name: str, lower: float | None, upper: float | None) -> Interval:
    """Return the bounds of a column; the error names the column, beside whose bounds it belongs."""
    field = f"bounds of {name}"
    if lower is None or upper is None:
        which = {(True, True): "both bounds", (True, False): "the lower bound"}.get(
            (lower is None, upper is None), "the upper bound"
        )
        raise ParameterError(field, f"declare {which}, from what is known without the data")
    try:
        return Interval(lower, upper)
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


@dataclass(frozen=True, eq=False)
class CategoriesBuilder:
    """Columns of categories, and their public lists.

    Attributes
    ----------
    answers : CategoryAnswers
    declared : CategoryDomain
        The lists without what `unseen` adds to them.
    unseen : {"refuse", "other"}
    """

    answers: CategoryAnswers
    declared: CategoryDomain
    unseen: str

    @classmethod
    def of(cls, state: SessionState) -> CategoriesBuilder:
        """Return the source that `state` declares; `ParameterError` for what is missing."""
        choice = state.categories
        if not choice.columns:
            raise ParameterError("category_columns", "choose the columns of categories")
        lists = [_list_of(name, choice.lists.get(name, ())) for name in choice.columns]
        declared = CategoryDomain(choice.columns, lists)
        if choice.answers is None:
            raise ParameterError(
                "missing", "some records lack a value; drop and count them, or choose other columns"
            )
        return cls(choice.answers, declared, choice.unseen)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns are called."""
        return self.declared.columns

    @property
    def domain(self) -> CategoryDomain:
        """The public lists, with a category "other" where that is asked for."""
        return self.declared.with_other() if self.unseen == "other" else self.declared

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return self.answers.n

    def build(self) -> Categories:
        """Find each value in its list; `DataError` for one that is in none and refused."""
        answers = self.answers
        return read_categories(answers.table, self.declared, answers.missing, self.unseen).categories

    def same(self, other: CategoriesBuilder) -> bool:
        """Tell whether both make the same records."""
        asked = self.declared, self.unseen
        return self.answers is other.answers and asked == (other.declared, other.unseen)

    def problem(self) -> None:
        """Return None: what no list has is private, and found out by `build`."""


def _list_of(name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the list of a column; the error names the column, beside whose list it belongs."""
    field = f"categories of {name}"
    if not labels:
        raise ParameterError(field, f"list all categories of {name}, from what is known without the data")
    try:
        return CategoryDomain((name,), (labels,)).labels[0]
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


GraphSource = WeightedGraphBuilder | SimpleGraphBuilder

BUILDERS: dict[str, Callable[[SessionState], DatasetBuilder]] = {
    "column": ColumnBuilder.of,
    "weighted-graph": WeightedGraphBuilder.of,
    "simple-graph": SimpleGraphBuilder.of,
    "points": PointsBuilder.of,
    "categories": CategoriesBuilder.of,
}
"""How the data of a query come out of a state, by what the query reads."""


def _edges(state: SessionState) -> EdgeList:
    if state.edges is None:
        raise ParameterError("edge_columns", "choose the columns that name the two ends of each edge")
    return state.edges


class DatabaseCache:
    """The newest database of each kind, kept until its source changes; shared by all worker threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, tuple[Any, Any]] = {}

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            kept, database = self._newest.get(type(source), (None, None))
            if kept is None or not source.same(kept):
                database = source.build()
                self._newest[type(source)] = (source, database)
            return database

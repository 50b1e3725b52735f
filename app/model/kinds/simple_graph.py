"""Graphs with public vertices and private edges."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.model.dataset import Dataset
from app.model.kinds.base import DataFacts, Fields, as_many, numbers_of
from app.model.kinds.graph import (
    SIMPLE,
    GraphChoice,
    GraphKind,
    edges_line,
    ends_words,
    removed_words,
    treatment_of,
)
from app.model.kinds.kind import Write, bounds_lines
from app.model.kinds.options import DUPLICATES, LOOPS, SOURCE, TARGET, VERTICES, OptionError
from app.model.loaded import LoadedRecords
from app.model.wording.console import counted
from app.model.wording.numbers import format_count, grouped
from engine.data.edges import read_vertices
from engine.data.graph import MAX_COMPLETE_VERTICES, SimpleGraph, check_count_resolution
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.edges import EdgeList

UNSTATED = "state how many vertices there are, also those without an edge, or choose a file that lists them"
COUNTED = (
    "the vertices are counted from the edges: their number is confidential, and nothing can be released; "
    "state it with --vertices N, or --vertices FILE for a list of them"
)


@dataclass(frozen=True, eq=False)
class SimpleGraphBuilder:
    """Private edges, some removed by hand, and the number of vertices.

    The number is public unless it is `inferred` from the edges.
    """

    edges: EdgeList
    removed_edges: frozenset[int]
    n: int
    resolution: float | None = None
    inferred: bool = False

    @property
    def domain(self) -> Interval:
        """0 for two vertices without an edge, 1 for two with one."""
        return Interval(0.0, 1.0)

    def build(self) -> SimpleGraph:
        """Make the graph."""
        n = None if self.inferred else self.n
        return self.edges.simple(n, self.resolution, sorted(self.removed_edges))

    def same(self, other: SimpleGraphBuilder) -> bool:
        """Return whether both make the same graph."""
        public = (self.n, self.resolution, self.inferred) == (other.n, other.resolution, other.inferred)
        return self.edges is other.edges and self.removed_edges == other.removed_edges and public

    def problem(self) -> Problem | None:
        """Return a problem for too few vertices."""
        if self.n < self.edges.n:
            return Problem("vertices", f"{grouped(self.n)} are too few; the file names more")
        return None

    def record(self, text: str) -> float:
        """Return 1 for two vertices with an edge, 0 for two without."""
        value = float(as_many(numbers_of(text), ("value",))[0])
        if value not in (0.0, 1.0):
            raise ParameterError("value", "write 1 for two vertices that are joined, 0 for two that are not")
        return value

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return the number of the pair of an edge, and "0"."""
        return None if record is None else (self._pair_of(record), "0")

    def before(self, record: int) -> SimpleGraphBuilder:
        """Return the graph in which an edge is not removed by hand; `record`: the number of its pair."""
        others = frozenset(edge for edge in self.removed_edges if self._pair_of(edge) != record)
        return dataclasses.replace(self, removed_edges=others)

    def _pair_of(self, edge: int) -> int:
        """Return the number of a pair among (0, 1), (0, 2), ..., (1, 2), ..."""
        first, second = sorted(self.edges.ends[edge].tolist())
        return int(first * self.n - first * (first + 1) // 2 + second - first - 1)


def _remarks(choice: GraphChoice) -> list[str]:
    """List what contradicts a graph of this size; all of it follows from the edges."""
    edges, said = choice.edges, []
    if edges is not None and choice.listed is None and edges.n > (choice.vertices or 0):
        said.append(f"the file names {format_count(edges.n)} vertices")
    return said


class SimpleGraphKind(GraphKind):
    """Edges without weights."""

    name = SIMPLE
    description = "a graph without weights"
    options = (SOURCE, TARGET, DUPLICATES, LOOPS, VERTICES)
    unused = ("weight", "lower", "upper")
    roles = ("source", "target")
    clamps = False
    drop_tells = False  # a row without a name is no edge, and edges are what is protected

    def builder(self, choice: GraphChoice, dataset: Dataset | None) -> SimpleGraphBuilder:
        if choice.edges is None:
            raise ParameterError("edge_columns", "choose the columns that name the two ends of each edge")
        edges = choice.listed or choice.edges
        inferred = self.inferred(choice) is not None
        n = edges.n if inferred or choice.listed else choice.vertices
        assert n is not None
        check_count_resolution(choice.resolution, n)
        return SimpleGraphBuilder(edges, choice.removed_edges, n, choice.resolution, inferred)

    def inferred(self, choice: GraphChoice) -> Problem | None:
        if choice.edges is None or choice.vertices is not None or choice.listed is not None:
            return None
        return Problem("vertices", UNSTATED)

    def location(self, choice: GraphChoice) -> str:
        return ends_words(choice)

    def far_ends(self, n: int) -> Mapping[str, str]:
        complete = {"complete": "every pair of vertices is joined"} if n <= MAX_COMPLETE_VERTICES else {}
        return {"empty": "every edge is removed", **complete}

    def facts(self, choice: GraphChoice, moved: int | None) -> DataFacts:
        removed = len(choice.removed_edges)
        private = [f"{format_count(choice.records - removed)} edges"]
        private += [f"{counted(choice.dropped, 'row')} left out"] if choice.dropped else []
        private += [f"{format_count(removed)} taken out by hand"] if removed else []
        private += removed_words(choice.edges) if choice.edges else []
        private += _remarks(choice)
        n = choice.vertices if choice.listed is None else choice.listed.n
        return DataFacts(
            () if n is None else (f"{format_count(n)} vertices",),
            tuple(private),
            "The vertices are public.",
            "The vertices are public. How many edges there are is not.",
        )

    def is_modified(self, choice: GraphChoice) -> bool:
        return bool(choice.removed_edges)

    def report(self, choice: GraphChoice, dataset: Dataset) -> Iterator[tuple[str, str]]:
        return choice.report_resolution("")

    def size_words(self, source: SimpleGraphBuilder) -> str:
        return f"{format_count(source.n)} vertices{'' if source.inferred else ' (public)'}"

    def script(self, choice: GraphChoice, source: Any, write: Write) -> list[str]:
        removed = sorted(choice.removed_edges)
        absent = f", absent={write(removed)}" if removed else ""
        step = "" if choice.resolution is None else f", {write(choice.resolution)}"
        return [
            edges_line(self, choice, write),
            *(["edges = edges.listed(" + write(list(choice.vertex_names)) + ")"] * bool(choice.vertex_names)),
            *bounds_lines(choice, source, write),
            "# Edges that were taken out by hand are absent." * bool(removed),
            f"data = edges.simple({write(None if source.inferred else source.n)}{step}{absent})",
        ]

    def script_without(self, record: int, others: str) -> str:
        return f"before = data.replaced({record}, True)"

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        known = card.vertices if card is not None else None
        stated = known if options.vertices is None else options.vertices
        listed = _listed(stated) if isinstance(stated, str) else ()
        table, columns = self.locate_edges(options, read_table)
        return table, {
            "edge_columns": columns,
            "vertices": None if listed else stated,
            "vertex_names": listed,
            "resolution": getattr(options, "resolution", None),
            **treatment_of(options),
        }

    def load(self, table: Table, fields: Fields) -> LoadedRecords[SimpleGraph]:
        if fields["vertices"] is not None or fields["vertex_names"]:
            return super().load(table, fields)
        loaded = super().load(table, fields)
        loaded.database.release_problem = table.release_problem or COUNTED
        return dataclasses.replace(loaded, notes=(COUNTED,))


def _listed(stated: str) -> tuple[str, ...]:
    """Read the list in FILE, or in FILE:COLUMN."""
    path, _, column = (stated, "", "") if Path(stated).exists() else stated.rpartition(":")
    if not Path(path or stated).is_file():
        raise OptionError(
            VERTICES.name,
            f"'{stated}' is no whole number, and no file that lists the vertices (FILE or FILE:COLUMN)",
        )
    try:
        return read_vertices(path, column)
    except DataError as error:
        raise OptionError(VERTICES.name, str(error)) from None

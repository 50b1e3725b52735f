"""Graphs with public edges and private weights."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.model.dataset import Dataset
from app.model.kinds.base import ChangesNumbers, DataFacts, Fields, far_bound, private_facts
from app.model.kinds.graph import (
    WEIGHTED,
    GraphChoice,
    GraphKind,
    edges_line,
    ends_words,
    removed_words,
    treatment_of,
)
from app.model.kinds.kind import Write, bounds_lines, check_fills
from app.model.kinds.options import (
    DUPLICATES,
    LOOPS,
    LOWER,
    SOURCE,
    TARGET,
    UPPER,
    WEIGHT,
    OptionError,
    bounds_of,
    known_bounds,
)
from app.model.wording.numbers import format_count
from engine.data.graph import DISCONNECTED, WeightedGraph
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.edges import EdgeList


@dataclass(frozen=True, eq=False)
class WeightedGraphBuilder(ChangesNumbers):
    """Public edges, private weights in [0, Λ], and weights changed by hand."""

    edges: EdgeList
    modified_values: Mapping[int, float]
    domain: Interval

    @property
    def n(self) -> int:
        """Number of vertices (public)."""
        return self.edges.n

    def build(self) -> WeightedGraph:
        """Make the graph; clamps all m weights."""
        return self.edges.weighted(self.domain, self.modified_values)

    def same(self, other: WeightedGraphBuilder) -> bool:
        """Return whether both make the same graph."""
        changed = self.modified_values != other.modified_values
        return self.edges is other.edges and not changed and self.domain == other.domain

    def problem(self) -> Problem | None:
        """Return a problem for a graph that is not connected."""
        if self.edges.pieces > 1:
            return Problem("query", DISCONNECTED)
        return None

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return the farther bound of a weight."""
        if record is None or self.edges.weights is None:
            return None
        return record, far_bound(self.domain, float(self.edges.weights[record]))


class WeightedGraphKind(GraphKind):
    """Edges with weights."""

    name = WEIGHTED
    description = "a graph with weights"
    options = (SOURCE, TARGET, WEIGHT, DUPLICATES, LOOPS, LOWER, UPPER)
    roles = ("source", "target", "weight")

    def is_read(self, choice: GraphChoice) -> bool:
        return choice.edges is not None and choice.edges.weights is not None

    def builder(self, choice: GraphChoice, dataset: Dataset | None) -> WeightedGraphBuilder:
        if choice.edges is None:
            raise ParameterError("edge_columns", "choose the columns that name the two ends of each edge")
        if choice.edges.weights is None:
            raise ParameterError("weight", "choose the column of the weights, or count triangles instead")
        check_fills(self, choice)
        return WeightedGraphBuilder(choice.edges, choice.modified_values, choice.domain())

    def location(self, choice: GraphChoice) -> str:
        weight = choice.edge_columns.weight if choice.edge_columns else None
        return ends_words(choice) + (f", weights {weight}" if weight else "")

    def unit(self, choice: GraphChoice, dataset: Dataset | None) -> str:
        return choice.edges.unit if choice.edges else ""

    def facts(self, choice: GraphChoice, moved: int | None) -> DataFacts:
        assert choice.edges is not None
        return DataFacts(
            (f"{format_count(choice.edges.n)} vertices", f"{format_count(choice.records)} edges"),
            (*removed_words(choice.edges), *private_facts(choice, moved, "clamped")),
            "Vertices and edges are public.",
            "Vertices and edges are public. How many weights were clamped or left out is not.",
        )

    def far_ends(self, n: int) -> Mapping[str, str]:
        return {
            "lower": "every weight goes to 0",
            "upper": "every weight goes to Λ",
            "halves": "half of the weights to 0, half to Λ",
        }

    def structure(self, database: WeightedGraph) -> Mapping[str, Any]:
        return {"ends": database.ends}

    def is_modified(self, choice: GraphChoice) -> bool:
        return bool(choice.modified_values)

    def size_words(self, source: WeightedGraphBuilder) -> str:
        edges = format_count(len(source.edges.ends))
        return f"{format_count(source.n)} vertices, {edges} edges (public)"

    def script(self, choice: GraphChoice, source: Any, write: Write) -> list[str]:
        changed = dict(sorted(choice.modified_values.items()))
        edits = f", edits={write(changed)}" if changed else ""
        return [
            edges_line(self, choice, write),
            *bounds_lines(choice, source, write),
            "# Weights that were changed by hand come from the edits." * bool(changed),
            f"data = edges.weighted(bounds{edits})",
        ]

    def script_without(self, record: int, others: str) -> str:
        return f"before = edges.weighted(bounds, edits={others})"

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        if options.lower not in (None, (0.0,)):
            raise OptionError("lower", "weights are counted from 0; leave it out, or give 0")
        domain = bounds_of(options, {"lower": 0.0, **known_bounds(card, options.weight)})
        table, columns = self.locate_edges(options, read_table)
        return table, {"edge_columns": columns, **domain.facts, **treatment_of(options)}

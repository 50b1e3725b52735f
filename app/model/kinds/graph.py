"""Edge lists: the common base of weighted and unweighted graphs."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.model.dataset import Dataset
from app.model.kinds.base import BY_HAND, FOUND, Fields, IntervalChoice
from app.model.kinds.fields import (
    MISSING,
    RESOLUTION,
    SOURCE,
    BoundsField,
    ColumnField,
    OptionField,
    VerticesField,
)
from app.model.kinds.kind import DataKind, Write, file_filter, missing_argument
from app.model.kinds.options import offered
from app.model.wording.numbers import format_count
from engine.data.edges import DUPLICATES, LOOPS, EdgeColumns, guess_columns, read_edges, unnamed_columns
from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.edges import EdgeList
    from engine.progress import Progress


@dataclass(frozen=True, eq=False)
class GraphChoice(IntervalChoice):
    """The choice of the columns of an edge list; the bounds apply to weights."""

    edge_columns: EdgeColumns | None = None
    # edges in these columns; None until they are read
    edges: EdgeList | None = field(default=None, repr=False, metadata=FOUND)
    vertices: int | None = None  # number of vertices, where edges are confidential
    # public list of vertices, which fixes their number; empty if there is none
    vertex_names: tuple[str, ...] = ()
    listed: EdgeList | None = field(default=None, repr=False, metadata=FOUND)  # edges between listed vertices
    # edges removed by hand
    removed_edges: frozenset[int] = field(default_factory=frozenset, metadata=BY_HAND)
    # duplicates, loops: treatment of rows that repeat an edge, and of rows that join a vertex to itself, as
    # `read_edges` takes them
    duplicates: Literal["refuse", "lightest", "sum"] = "refuse"
    loops: Literal["refuse", "drop"] = "refuse"

    @property
    def records(self) -> int:
        return 0 if self.edges is None else len(self.edges.ends)

    @property
    def n(self) -> int | None:
        return None if self.edges is None else self.edges.n


WEIGHTED, SIMPLE = "weighted-graph", "simple-graph"
NO_WEIGHTS = "none: count triangles only"
NO_COLUMNS = EdgeColumns("", "", "")
"""No column is chosen yet. A weight of None would state that the edges have none."""
BOUNDS_HELP = (
    "Weights above Λ are pulled down to Λ; negative weights are an error. Choose Λ from common "
    "knowledge, not from this file."
)


class GraphKind(DataKind[GraphChoice]):
    """A list of edges."""

    holds = "is a graph"
    examples = ("graph",)
    choice = GraphChoice
    unnamed = ("edge_columns", "is null; it must name the columns of the edges")
    counted = "vertices"
    reads_edges = True
    roles: tuple[str, ...]  # required columns: fields of `EdgeColumns`
    file = "a list of edges"
    fields = (
        ColumnField(
            "Fr&om – to",
            "The columns that name the two vertices of each edge; edges have no direction",
            boxes={
                "edge_columns.source": "Column of the one end",
                "edge_columns.target": "Column of the other end",
            },
            problems=("edge_columns",),
        ),
        ColumnField(
            "Wei&ght",
            "The column of the weights, each of them one person's",
            lambda choice, reads: reads != SIMPLE,
            {"edge_columns.weight": "Column of the weights"},
            ("weight",),
            NO_WEIGHTS,
        ),
        MISSING,
        OptionField(
            "Re&peated",
            "Several rows join the same two vertices, perhaps once for each direction. They become one edge.",
            lambda choice, reads: choice.duplicates != "refuse",
            name="duplicates",
            title="Rows that repeat an edge",
            options=DUPLICATES,
            edit="change the treatment of repeated edges",
            rereads=True,
        ),
        OptionField(
            "&Loops",
            "Some rows join a vertex to itself. Such a loop is part of no tree and no triangle.",
            lambda choice, reads: choice.loops != "refuse",
            name="loops",
            title="Rows that join a vertex to itself",
            options=LOOPS,
            edit="change the treatment of loops",
            rereads=True,
        ),
        VerticesField(
            "Vert&ices",
            "How many vertices there are, with those that no edge meets, or a file that lists them, with one "
            "in each line. It is public, and must be known without looking at the edges.",
            lambda choice, reads: reads != WEIGHTED,
            "vertices",
            "Number of vertices",
            "vertex_names",
        ),
        BoundsField(
            "&Bounds",
            BOUNDS_HELP,
            lambda choice, reads: reads == WEIGHTED,
            "Largest possible weight Λ",
            "0  to  Λ =",
        ),
        SOURCE,
        RESOLUTION,
    )

    @property
    def files(self) -> str:
        return file_filter("Edge lists", graphs=True)

    def from_example(self, card: Example) -> Fields:
        return {
            "edge_columns": EdgeColumns(weight=card.column),
            "missing": "drop",
            "lower": 0.0,
            "upper": card.upper,
            "resolution": None,
            "vertices": card.vertices,
            "vertex_names": (),
            "bounds_source": "known",
        }

    def columns_of(self, choice: GraphChoice) -> tuple[str, ...]:
        columns = choice.edge_columns
        named = (columns.source, columns.target, columns.weight) if columns else ()
        return tuple(name for name in named if name)

    def changed_column(self, choice: GraphChoice) -> str:
        return (choice.edge_columns.weight or "") if choice.edge_columns else ""

    def has_columns(self, choice: GraphChoice) -> bool:
        columns = choice.edge_columns
        return columns is not None and bool(columns.source and columns.target) and columns.weight != ""

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        progress(0.0, "reading the edges")
        columns = fields["edge_columns"]
        fill = fields.get("fills", {}).get(columns.weight, 0.0)
        treated = {name: fields.get(name, "refuse") for name in ("duplicates", "loops")}
        edges = read_edges(dataset.table, columns, fields["missing"], fill, **treated)
        progress(0.8, "looking at the edges")
        _ = edges.pieces
        names = fields.get("vertex_names", ())
        return {**fields, "edges": edges, "listed": edges.listed(names) if names else None}

    def on_change(self, choice: GraphChoice, dataset: Dataset, changed: Fields) -> Fields:
        old, new = choice.edge_columns, changed.get("edge_columns", choice.edge_columns)
        fields = super().on_change(choice, dataset, changed)
        if (old and old.weight) != (new and new.weight):
            fields |= {"upper": None, "resolution": None, "bounds_source": "known"}
        return fields

    def filled_columns(self, choice: GraphChoice) -> tuple[str, ...]:
        weight = choice.edge_columns.weight if choice.edge_columns else None
        return (weight,) if weight else ()

    def kept(self, choice: GraphChoice) -> int | None:
        return None if choice.edges is None else choice.records

    def blank(self) -> GraphChoice:
        return GraphChoice(edge_columns=NO_COLUMNS, lower=0.0)

    def guess(self, table: Table) -> GraphChoice:
        columns = guess_columns(table) or unnamed_columns(table) or NO_COLUMNS
        return dataclasses.replace(self.blank(), edge_columns=columns)

    def title(self, choice: GraphChoice, table: Table) -> str:
        return table.source

    def locate_edges(
        self, options: argparse.Namespace, read_table: Callable[[], Table]
    ) -> tuple[Table, EdgeColumns]:
        """Return the table, and the columns given by options or named like their roles."""
        table = read_table()
        names = [column.name for column in table.columns]
        usual = dataclasses.asdict(unnamed_columns(table) or EdgeColumns())
        for role in self.roles:
            if getattr(options, role) is None and usual[role] not in names:
                raise DataError(
                    f"there is no column '{role}'; say with --{role} which one it is: {offered(names)}",
                    source=table.source,
                )
        chosen = {role: getattr(options, role) or usual[role] for role in self.roles}
        return table, EdgeColumns(chosen["source"], chosen["target"], chosen.get("weight"))


def treatment_of(options: argparse.Namespace) -> Fields:
    """Return the stated treatment of repeated edges and of loops."""
    return {name: getattr(options, name, None) or "refuse" for name in ("duplicates", "loops")}


def removed_words(edges: EdgeList) -> list[str]:
    """Count the rows that were merged or left out, for a list of facts."""
    counts = ((edges.merged, "merged"), (edges.loops, "loops left out"))
    return [f"{format_count(count)} {what}" for count, what in counts if count]


def edges_line(kind: GraphKind, choice: GraphChoice, write: Write) -> str:
    """Return the line of a script that makes `edges`."""
    columns = choice.edge_columns
    assert columns is not None
    named: Sequence[str | None] = [columns.source, columns.target, columns.weight]
    missing = missing_argument(kind, choice, write)
    for name in ("duplicates", "loops"):
        if getattr(choice, name) != "refuse":
            missing += f", {name}={write(getattr(choice, name))}"
    return f"edges = read_edges(table, EdgeColumns({write(named)[1:-1]}){missing})"


def ends_words(choice: GraphChoice) -> str:
    """Return the columns that hold the edges, for a sentence."""
    columns = choice.edge_columns
    return f"edges {columns.source}–{columns.target}" if columns else "column "

"""A list of edges: what graphs with weights and graphs without have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.model.dataset import Dataset
from app.model.kinds.base import BY_HAND, FOUND, Fields
from app.model.kinds.interval import IntervalChoice
from app.model.kinds.kind import DataKind, Write
from app.model.kinds.options import offered
from app.model.kinds.scripts import missing_argument
from engine.data.edges import EdgeColumns, read_edges
from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.edges import EdgeList
    from engine.progress import Progress


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
    edges: EdgeList | None = field(default=None, repr=False, metadata=FOUND)
    vertices: int | None = None
    removed_edges: frozenset[int] = field(default_factory=frozenset, metadata=BY_HAND)

    @property
    def records(self) -> int:
        """How many edges can be changed by hand."""
        return 0 if self.edges is None else len(self.edges.ends)

    @property
    def dropped(self) -> int:
        """How many rows were left out because a value is missing (private)."""
        return 0 if self.edges is None else self.edges.dropped


class GraphKind(DataKind[GraphChoice]):
    """A list of edges.

    Attributes
    ----------
    roles : tuple of str
        The columns that must be there: fields of `EdgeColumns`.
    """

    holds = "is a graph"
    examples = ("graph",)
    choice = GraphChoice
    unnamed = ("edge_columns", "is null; it must name the columns of the edges")
    counted = "vertices"
    roles: tuple[str, ...]

    def from_example(self, card: Example) -> Fields:
        """Return the columns of an edge list, Λ and the number of vertices."""
        return {
            "edge_columns": EdgeColumns(weight=card.column),
            "missing": "drop",
            "lower": 0.0,
            "upper": card.upper,
            "resolution": None,
            "vertices": card.vertices,
            "bounds_source": "known",
        }

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        """Return what is declared: an example has one column of weights."""
        return declared

    def columns_of(self, choice: GraphChoice) -> tuple[str, ...]:
        """Return the columns of the ends, and that of the weights if there is one."""
        columns = choice.edge_columns
        named = (columns.source, columns.target, columns.weight) if columns else ()
        return tuple(name for name in named if name)

    def is_read(self, choice: GraphChoice) -> bool:
        """Tell whether there are edges."""
        return choice.edges is not None

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the edges, and find out what the window will ask about them."""
        progress(0.0, "reading the edges")
        edges = read_edges(dataset.table, fields["edge_columns"], missing=fields["missing"])
        progress(0.8, "looking at the edges")
        _ = edges.pieces, edges.duplicate
        return {**fields, "edges": edges}

    def on_change(self, choice: GraphChoice, dataset: Dataset, changed: Fields) -> Fields | None:
        """Let other weights have a Λ of their own; what to do about missing values is asked."""
        old = choice.edge_columns
        fields = {**choice.declared, **changed}
        new = fields["edge_columns"]
        if new == old:
            return fields
        if any(dataset.column(name).missing for name in (new.source, new.target, new.weight) if name):
            return None
        if old is None or new.weight != old.weight:
            fields |= {"upper": None, "resolution": None, "bounds_source": "known"}
        return {**fields, "missing": "refuse"}

    def title(self, choice: GraphChoice, table: Table) -> str:
        """Return the name of the file."""
        return table.source

    def locate_edges(
        self, options: argparse.Namespace, read_table: Callable[[], Table]
    ) -> tuple[Table, EdgeColumns]:
        """Return the table, and the columns that are named, or called as their roles."""
        table = read_table()
        names = [column.name for column in table.columns]
        for role in self.roles:
            if getattr(options, role) is None and role not in names:
                raise DataError(
                    f"there is no column '{role}'; say with --{role} which one it is: {offered(names)}",
                    source=table.source,
                )
        nothing = dict.fromkeys(("source", "target", "weight"))
        return table, EdgeColumns(**nothing | {role: getattr(options, role) or role for role in self.roles})


def edges_line(choice: GraphChoice, write: Write) -> str:
    """Return the line of a script that makes `edges`."""
    columns = choice.edge_columns
    assert columns is not None
    named: Sequence[str | None] = [columns.source, columns.target, columns.weight]
    return f"edges = read_edges(table, EdgeColumns({write(named)[1:-1]}){missing_argument(choice, write)})"


def ends_words(choice: GraphChoice) -> str:
    """Return where the edges stand in the file."""
    columns = choice.edge_columns
    return f"edges {columns.source}–{columns.target}" if columns else "column "

"""What a query reads: a column of numbers, or a graph."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from app.verbs.shared.data import bounds_of, card_of, check_options, known_bounds, table_of
from app.verbs.shared.options import UsageError
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.database import Database
    from engine.data.edges import EdgeColumns
    from engine.queries import Query

SHOWN = 10
"""Names of columns that one line offers."""

NAMED = (
    "the vertices that the file names are taken as public, and their number as that of all vertices; "
    "declare it with --vertices N"
)


@dataclasses.dataclass(frozen=True)
class Loaded:
    """What a query reads, within its public bounds.

    Attributes
    ----------
    database : Database
        Values and weights are clamped to the bounds.
    name, unit : str
        What they are called, and what their values are measured in.
    clamped : int
        How many records the bounds moved (private).
    dropped : int
        Rows without a value that were left out because the user said so (private).
    notes : tuple of str
        What is to be said about them, from public facts alone.
    """

    database: Database
    name: str
    unit: str
    clamped: int
    dropped: int
    notes: tuple[str, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """The public sizes by name: n, which of a graph is the number of vertices, and perhaps edges."""
        facts = self.database.facts
        return {"n": self.database.n} | {name: facts[name] for name in ("edges",) if name in facts}

    def range_of(self, query: Query[Any]) -> Interval:
        """Return the public range of the results of `query`."""
        return query.value_range(self.database.domain, self.database.n)


@dataclasses.dataclass(frozen=True)
class Located:
    """A table, and what the options and an example's card say about it.

    Attributes
    ----------
    table : Table
    example : str or None
        The name of the bundled example that it is.
    fields : dict
        Columns and public facts, by the names that the window's session has for them.
    load : callable
        Reads the records.
    """

    table: Table
    example: str | None
    fields: dict[str, Any]
    load: Callable[[], Loaded]


def load(options: argparse.Namespace, query: Query[Any], program: str, progress: Progress) -> Loaded:
    """Read what `query` reads.

    Raises
    ------
    SensiscopeError
        For a mistake in the options, before any file is opened; then `DataError` for one
        in the file, and `ParameterError` if the query makes no sense for so few records.
    """
    unused = check_options(options, query, program)
    loaded = locate(options, query, program, part(progress, 0.0, 0.8)).load()
    problem = query.problem(loaded.database.domain, loaded.database.n)
    if problem is not None:
        raise ParameterError(*problem)
    return dataclasses.replace(loaded, notes=(*unused, *loaded.notes))


def locate(options: argparse.Namespace, query: Query[Any], program: str, progress: Progress) -> Located:
    """Read the table, and find columns and public facts; raise what `load` raises but for the last."""
    card = card_of(options, query, program)
    readers = {"column": _column, "weighted-graph": _weighted_graph, "simple-graph": _simple_graph}
    return readers[query.reads](options, card, program, progress)


def _column(options: argparse.Namespace, card: Example | None, program: str, progress: Progress) -> Located:
    if len(options.column or []) > 1:
        raise UsageError(
            f"--column: a query here takes one column; {len(options.column)} were given", program
        )
    named = options.column[0] if options.column else None
    domain = bounds_of(options, known_bounds(card, named), program)
    table = table_of(options, card, progress)
    column = named or (card.column if card is not None else _only_column(table))

    def read() -> Loaded:
        from engine.data.order_statistics import Sample

        numbers = table.numbers(column, missing=options.missing)
        sample = Sample(numbers.values, domain)
        name, unit = f"{column} ({table.source})", table.column(column).unit
        return Loaded(sample, name, unit, sample.outside, numbers.dropped)

    fields = {"column": column, "lower": domain.lower, "upper": domain.upper}
    return _located(table, card, fields, read)


def _weighted_graph(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> Located:
    if options.lower not in (None, (0.0,)):
        raise UsageError("--lower: weights are counted from 0; leave it out, or give 0", program)
    domain = bounds_of(options, {"lower": 0.0, **known_bounds(card, options.weight)}, program)
    table = table_of(options, card, progress)
    columns = _edge_columns(table, options, ("source", "target", "weight"))

    def read() -> Loaded:
        from engine.data.edges import read_edges

        edges = read_edges(table, columns, options.missing)
        graph = edges.weighted(domain)
        return Loaded(graph, table.source, edges.unit, graph.outside, edges.dropped)

    fields = {"edge_columns": columns, "lower": domain.lower, "upper": domain.upper}
    return _located(table, card, fields, read)


def _simple_graph(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> Located:
    known = card.vertices if card is not None else None
    vertices = known if options.vertices is None else options.vertices
    table = table_of(options, card, progress)
    columns = _edge_columns(table, options, ("source", "target"))

    def read() -> Loaded:
        from engine.data.edges import read_edges

        edges = read_edges(table, columns, options.missing)
        graph = edges.simple(vertices, getattr(options, "resolution", None))
        notes = (NAMED,) if vertices is None else ()
        return Loaded(graph, table.source, "", graph.outside, edges.dropped, notes)

    return _located(table, card, {"edge_columns": columns, "vertices": vertices}, read)


def _located(
    table: Table, card: Example | None, fields: dict[str, Any], read: Callable[[], Loaded]
) -> Located:
    return Located(table, card.name if card is not None else None, fields, read)


def _edge_columns(table: Table, options: argparse.Namespace, roles: Sequence[str]) -> EdgeColumns:
    """Return the columns named, or called as their roles."""
    from engine.data.edges import EdgeColumns

    names = [column.name for column in table.columns]
    for role in roles:
        if getattr(options, role) is None and role not in names:
            raise DataError(
                f"there is no column '{role}'; say with --{role} which one it is: {_offered(names)}",
                source=table.source,
            )
    nothing = dict.fromkeys(("source", "target", "weight"))
    return EdgeColumns(**nothing | {role: getattr(options, role) or role for role in roles})


def _only_column(table: Table) -> str:
    """Return the column that can only be meant, or ask which one is."""
    candidates = [column for column in table.columns if column.type == "number"]
    if len(table.columns) == 1 or len(candidates) == 1:
        return (candidates or table.columns)[0].name
    problem = "no column of numbers alone" if not candidates else "several columns of numbers"
    offered = _offered([column.name for column in candidates or table.columns])
    raise DataError(f"{problem}; choose one with --column: {offered}", source=table.source)


def _offered(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")

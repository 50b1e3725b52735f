"""What a query or a mechanism reads: a column of numbers, points, a graph, or categories."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.bounds import bounds_of, box_of, check_pairs, known_bounds
from app.commands.support.category_lists import categories_of
from app.commands.support.data import DataReader, card_of, check_options, table_of
from app.commands.support.options import UsageError
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.console import counted
from engine.errors import DataError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.data.edges import EdgeColumns

SHOWN = 10
"""Names of columns that one line offers."""

NAMED = (
    "the vertices that the file names are taken as public, and their number as that of all vertices; "
    "declare it with --vertices N"
)


def load(
    options: argparse.Namespace, reader: DataReader, program: str, progress: Progress
) -> LoadedRecords[Any]:
    """Read what `reader` reads.

    Raises
    ------
    SensiscopeError
        For a mistake in the options, before any file is opened; then `DataError` for one
        in the file.  Whether there are numbers at all is said before bounds are asked for.
    """
    unused = check_options(options, reader, program)
    loaded = locate(options, reader, program, part(progress, 0.0, 0.8)).load()
    return dataclasses.replace(loaded, notes=(*unused, *loaded.notes))


def locate(options: argparse.Namespace, reader: DataReader, program: str, progress: Progress) -> LocatedTable:
    """Read the table, and find columns and public facts; raise what `load` raises."""
    card = card_of(options, reader, program)
    _check_columns(options, reader, card, progress)
    readers = {
        "column": _column,
        "points": _points,
        "weighted-graph": _weighted_graph,
        "simple-graph": _simple_graph,
        "categories": _categories,
    }
    return readers[reader.reads](options, card, program, progress)


def _check_columns(
    options: argparse.Namespace, reader: DataReader, card: Example | None, progress: Progress
) -> None:
    """Refuse data without the columns that are meant, before bounds or lists are asked for.

    Tables are read only for that mistake, or for one that is about to be refused anyway.
    """
    if card is not None:
        known = {own.name for own in card.columns} | {own.name for own in card.categories}
        if not known.issuperset(options.column or ()):
            table = table_of(options, card, progress)
            for name in options.column:
                table.column(name)
        return
    bounded = options.lower is not None and options.upper is not None
    if reader.reads in ("column", "points") and not options.column and not bounded:
        table = table_of(options, card, progress)
        if not any(column.type == "number" for column in table.columns):
            offered = _offered([column.name for column in table.columns])
            raise DataError(f"no column holds numbers alone; there are {offered}", source=table.source)


def _column(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> LocatedTable:
    if len(options.column or []) > 1:
        raise UsageError(
            f"--column: a query here takes one column; {len(options.column)} were given", program
        )
    named = options.column[0] if options.column else None
    domain = bounds_of(options, known_bounds(card, named), program)
    table = table_of(options, card, progress)
    column = named or (card.column if card is not None else _only_column(table))

    def read() -> LoadedRecords[Any]:
        from engine.data.order_statistics import Sample

        numbers = table.numbers(column, missing=options.missing)
        sample = Sample(numbers.values, domain)
        name, unit = f"{column} ({table.source})", table.column(column).unit
        return LoadedRecords(sample, name, unit, sample.outside, numbers.dropped)

    fields = {"column": column, **domain.facts}
    return _located(table, card, fields, read)


def _points(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> LocatedTable:
    named = options.column or ([column.name for column in card.columns] if card is not None else [])
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--column: '{twice}' is named twice; name each coordinate once", program)
    if named:
        columns = named
        domain = box_of(options, columns, [known_bounds(card, name) for name in columns], program)
        table = table_of(options, card, progress)
    else:
        pairs = check_pairs(options, program)
        table = table_of(options, card, progress)
        columns = _as_many_columns(table, pairs)
        domain = box_of(options, columns, [{}] * pairs, program)

    def read() -> LoadedRecords[Any]:
        from engine.data.points import Points

        found = table.points(columns, missing=options.missing)
        points = Points(found.values, domain)
        units = tuple(table.column(name).unit for name in columns)
        unit = units[0] if len(set(units)) == 1 else ""
        name = f"{', '.join(columns)} ({table.source})"
        return LoadedRecords(
            points, name, unit, points.outside, found.dropped, columns=tuple(columns), units=units
        )

    bounds = {name: (side.lower, side.upper) for name, side in zip(columns, domain.sides, strict=True)}
    fields = {"columns": tuple(columns), "bounds": bounds}
    return _located(table, card, fields, read)


def _weighted_graph(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> LocatedTable:
    if options.lower not in (None, (0.0,)):
        raise UsageError("--lower: weights are counted from 0; leave it out, or give 0", program)
    domain = bounds_of(options, {"lower": 0.0, **known_bounds(card, options.weight)}, program)
    table = table_of(options, card, progress)
    columns = _edge_columns(table, options, ("source", "target", "weight"))

    def read() -> LoadedRecords[Any]:
        from engine.data.edges import read_edges

        edges = read_edges(table, columns, options.missing)
        graph = edges.weighted(domain)
        return LoadedRecords(graph, table.source, edges.unit, graph.outside, edges.dropped)

    fields = {"edge_columns": columns, **domain.facts}
    return _located(table, card, fields, read)


def _simple_graph(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> LocatedTable:
    known = card.vertices if card is not None else None
    vertices = known if options.vertices is None else options.vertices
    table = table_of(options, card, progress)
    columns = _edge_columns(table, options, ("source", "target"))

    def read() -> LoadedRecords[Any]:
        from engine.data.edges import read_edges

        edges = read_edges(table, columns, options.missing)
        graph = edges.simple(vertices, getattr(options, "resolution", None))
        notes = (NAMED,) if vertices is None else ()
        return LoadedRecords(graph, table.source, "", graph.outside, edges.dropped, notes)

    return _located(table, card, {"edge_columns": columns, "vertices": vertices}, read)


def _categories(
    options: argparse.Namespace, card: Example | None, program: str, progress: Progress
) -> LocatedTable:
    domain = categories_of(options, card, program)
    table = table_of(options, card, progress)

    def read() -> LoadedRecords[Any]:
        from engine.data import read_categories

        found = read_categories(table, domain, options.missing, options.unseen or "refuse")
        name = f"{', '.join(domain.columns)} ({table.source})"
        columns = domain.columns
        return LoadedRecords(found.categories, name, "", found.unseen, found.dropped, columns=columns)

    lists = dict(zip(domain.columns, domain.labels, strict=True))
    return _located(table, card, {"columns": domain.columns, "categories": lists}, read)


def _located(
    table: Table, card: Example | None, fields: dict[str, Any], read: Callable[[], LoadedRecords[Any]]
) -> LocatedTable:
    return LocatedTable(table, card.name if card is not None else None, fields, read)


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


def _as_many_columns(table: Table, pairs: int) -> list[str]:
    """Return the columns of numbers if there is one for each pair of bounds, or ask which ones are meant."""
    candidates = [column.name for column in table.columns if column.type == "number"]
    if len(candidates) == pairs:
        return candidates
    raise DataError(
        f"it has {counted(len(candidates), 'column')} of numbers, and the bounds are those of {pairs}; say "
        "with --column, once for each, which ones are the coordinates: "
        + _offered(candidates or [column.name for column in table.columns]),
        source=table.source,
    )


def _offered(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")

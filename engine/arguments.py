"""Convert what people have into data, budgets, queries, mechanisms and seeds: the only place for this.

A value is accepted if its meaning is certain.  Otherwise one line says what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.components import Component, component_of, registry_of
from engine.domain import Box, Interval, as_interval
from engine.errors import DataError, ParameterError, UnknownName
from engine.numerals import given
from engine.randomness import SeedLike as SeedLike
from engine.randomness import as_generator as as_generator
from engine.randomness import as_seed as as_seed
from engine.randomness import as_whole as as_whole

# Components


def as_query(query: Any) -> Any:
    """Convert a query, its class or its name to a query."""
    return component_of(query, "query", registry_of("query")["median"]())


def as_mechanism(mechanism: Any) -> Any:
    """Convert a mechanism, its class or its name to a mechanism; a query gets the automatic method."""
    mechanisms, queries = registry_of("mechanism"), registry_of("query")
    automatic = mechanisms["auto"]
    kind = mechanism
    if isinstance(mechanism, str) and mechanism not in mechanisms:
        if mechanism not in queries:
            raise UnknownName("mechanism", mechanism, [*mechanisms, *queries])
        kind = queries[mechanism]
    if getattr(kind, "family", "") == "query":
        return automatic(query=kind)
    if hasattr(kind, "prepare") and not isinstance(kind, type):
        return kind
    if isinstance(getattr(mechanism, "mechanism", None), Component):
        return mechanism.mechanism  # a contender
    if not isinstance(kind, type | Component | str):
        example = "LaplaceRelease(query=Mean())"
        raise ParameterError(
            "mechanism", f"{given(mechanism)} is not a mechanism; give one, such as {example}"
        )
    return component_of(kind, "mechanism", automatic())


# Data

EXAMPLES = {
    "column": "Sample(values, (lower, upper))",
    "points": "Points(rows, (lower, upper))",
    "categories": 'Categories(values, {"column": ["yes", "no"]})',
    "parts": "Parts(values, index, PartsDomain(Interval(lower, upper), groups))",
    "weighted-graph": "WeightedGraph(edges, weights, (0, upper))",
    "simple-graph": "SimpleGraph(edges, n=number_of_vertices)",
}
"""How to write each kind of data."""

NOUNS = {
    "column": "one column of numbers",
    "points": "points",
    "categories": "categories",
    "parts": "numbers in parts",
    "weighted-graph": "a graph with weights",
    "simple-graph": "a graph without weights",
}


def as_data(data: Any, reader: Any) -> Any:
    """Return data of the kind that a query or mechanism reads.

    One column of points is a sample, and a sample is a column of points.  Raises `DataError` for another kind
    of data, and for data without public bounds.
    """
    wanted = getattr(reader, "reads", "")  # a mechanism of another author may lack it
    kind = getattr(data, "kind", "")
    if hasattr(data, "domain"):
        if not kind or kind == wanted or wanted not in NOUNS:
            return data
        if (converted := data.as_kind(wanted)) is not None:
            return converted
        raise DataError(
            f"{reader.label} reads {NOUNS[wanted]}, and {_columns_of(data)} holds {NOUNS[kind]}; "
            f"give {EXAMPLES[wanted]}"
        )
    raise DataError(f"public bounds are missing: {_without_bounds(data)}; give {_bounded(data, wanted)}")


def _columns_of(data: Any) -> str:
    columns = len(getattr(data, "columns", ()))
    return f"{type(data).__name__} of {columns} columns" if columns > 1 else f"a {type(data).__name__}"


def _without_bounds(data: Any) -> str:
    name = type(data).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name} has none"


def _bounded(data: Any, wanted: str) -> str:
    if hasattr(data, "columns") or isinstance(data, Mapping):  # a frame, a table
        if wanted == "categories":
            return 'read_categories(table, {"column": ["yes", "no"]}).categories'
        if wanted == "points":
            return 'Points(frame[["x", "y"]], (lower, upper))'
        return 'one column with its bounds: Sample(frame["column"], (lower, upper))'
    if wanted == "column":
        return "Sample(values, (lower, upper)) for one column, Points(rows, (lower, upper)) for several"
    return EXAMPLES.get(wanted, "data with a public domain")


def as_domain(domain: Any, reader: Any) -> Any:
    """Return public bounds of the kind that a query or mechanism reads; data give their own."""
    domain = getattr(domain, "domain", domain)
    wanted = getattr(reader, "reads", "")  # a mechanism of another author may lack it
    if domain is None or isinstance(domain, str | float | int) or hasattr(domain, "__array__"):
        raise ParameterError(
            "domain", f"{given(domain)} are no public bounds; give data.domain, or (lower, upper)"
        )
    if isinstance(domain, Interval) and wanted == "points":
        return Box((domain,))
    if isinstance(domain, tuple | list):
        if wanted == "column":
            return as_interval(domain)
        if wanted == "points":
            raise ParameterError("domain", f"{given(domain)} is no box; give Box.of(lowers, uppers)")
    return domain

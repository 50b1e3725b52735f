"""Tables of edges, what is read of them, and what is said of those that are none."""

import pyarrow as pa
import pytest

from engine.data import EdgeColumns, Table, read_edges
from engine.errors import DataError


def table(**columns):
    return Table("net", pa.table(columns), first_row=2)


def edges_of(source, target, **kept):
    return read_edges(table(source=source, target=target), EdgeColumns(weight=None), **kept)


def named(edges):
    """Return the edges by the names of their vertices."""
    return [tuple(edges.labels[vertex] for vertex in pair) for pair in edges.ends]


def fault(**columns):
    with pytest.raises(DataError) as caught:
        read_edges(table(**columns), EdgeColumns(weight="weight" if "weight" in columns else None))
    assert "\n" not in str(caught.value)
    return str(caught.value)

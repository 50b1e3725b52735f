"""Where a path of neighbouring databases may lead: far ends that everybody can picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample

MOST_JOINED = 200
"""Vertices of which every pair may be joined on a path: 19,900 edges."""

TARGETS = {
    "column": {
        "lower": "every record goes to the lower bound",
        "upper": "every record goes to the upper bound",
        "halves": "half to the lower, half to the upper bound",
    },
    "weighted-graph": {
        "lower": "every weight goes to 0",
        "upper": "every weight goes to Λ",
        "halves": "half of the weights to 0, half to Λ",
    },
    "simple-graph": {
        "empty": "every edge is removed",
        "complete": "every pair of vertices is joined",
    },
}
"""The far ends in words, by what the query reads."""


def targets(reads: str, n: int) -> dict[str, str]:
    """Return the far ends to offer for a database of size `n`."""
    return {key: words for key, words in TARGETS[reads].items() if key != "complete" or n <= MOST_JOINED}


def far_end(target: str, database: Any) -> Any:
    """Return the database at the far end of a path from `database`."""
    if isinstance(database, Sample):
        return Sample(_values(target, database.n, database.domain), database.domain)
    if isinstance(database, WeightedGraph):
        return database.with_weights(_values(target, database.records, database.domain))
    assert isinstance(database, SimpleGraph)
    every = np.column_stack(np.triu_indices(database.n, 1))
    return database.with_ends(every if target == "complete" else every[:0])


def _values(target: str, count: int, domain: Any) -> NDArray[np.float64]:
    low, high = float(domain.lower), float(domain.upper)
    if target == "halves":
        return np.where(np.arange(count) < count // 2, low, high).astype(np.float64)
    return np.full(count, low if target == "lower" else high, dtype=np.float64)

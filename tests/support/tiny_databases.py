"""All databases of a tiny domain, of each kind that queries read, and what mechanisms make of neighbours."""

from __future__ import annotations

import functools
import itertools

import numpy as np
from definition import databases, neighbours
from privacy_loss import different, largest_log_ratio

from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval

BOUNDS = Interval(0.0, 10.0)
VALUES = (0.0, 1.0, 6.0, 10.0)
WEIGHTS = (0.0, 6.0, 10.0)
PAIRS = np.array(list(itertools.combinations(range(4), 2)))


@functools.cache
def all_databases(reads, n):
    """Return every database by a tuple that says what its records are."""
    if reads == "weighted-graph":  # a triangle, one side of it doubled
        weights = itertools.product(WEIGHTS, repeat=4)
        return {w: WeightedGraph([(0, 1), (1, 2), (0, 2), (2, 0)], w, BOUNDS) for w in weights}
    if reads == "simple-graph":
        joined = itertools.product((0, 1), repeat=6)
        return {bits: SimpleGraph(PAIRS[np.array(bits, dtype=bool)], n=4) for bits in joined}
    return {x: Sample(x, BOUNDS) for x in databases(VALUES, n)}


def all_neighbours(reads, x):
    if reads == "column":
        return neighbours(x, VALUES)
    values = WEIGHTS if reads == "weighted-graph" else (0, 1)
    return {(*x[:i], v, *x[i + 1 :]) for i in range(len(x)) for v in values}


def prepared_pairs(mechanism, privacy, n=4):
    reads = getattr(mechanism, "right", mechanism).query.reads
    mechanism = mechanism.unprocessed()
    ready = {x: mechanism.prepare(data, privacy) for x, data in all_databases(reads, n).items()}
    return [(ready[x], ready[y]) for x in ready for y in all_neighbours(reads, x) if x < y]


def worst_ratio(mechanism, privacy):
    return max(largest_log_ratio(x, y) for x, y in different(prepared_pairs(mechanism, privacy)))

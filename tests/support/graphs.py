"""Small graphs, their cuts and their neighbours, by enumeration; graphs for spanning trees."""

from __future__ import annotations

import itertools

import numpy as np

from engine.data.graph import WeightedGraph
from engine.domain import Interval
from engine.queries import MstCost

MST = MstCost()
LARGEST = 10.0
BOUNDS = Interval(0.0, LARGEST)

CONNECTED = {
    "one edge": [(0, 1)],
    "path of 3": [(0, 1), (1, 2)],
    "triangle": [(0, 1), (1, 2), (0, 2)],
    "path of 4": [(0, 1), (1, 2), (2, 3)],
    "star": [(0, 1), (0, 2), (0, 3)],
    "square": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "paw": [(0, 1), (1, 2), (0, 2), (2, 3)],
    "diamond": [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)],
    "K4": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
}
"""Every connected graph with at most 4 vertices, up to their names."""


def random_graph(rng, most_vertices=7, most_more=14):
    """Return n and the edges of a connected multigraph."""
    n = int(rng.integers(2, most_vertices + 1))
    tree = [(int(rng.integers(0, i)), i) for i in range(1, n)]
    more = rng.integers(0, n, (int(rng.integers(0, most_more + 1)), 2))
    ends = np.array([*tree, *more[more[:, 0] != more[:, 1]].tolist()])
    return n, rng.permutation(n)[ends]


def connected(rng, n, m):
    """Return m distinct edges of a connected graph on n vertices, no two of them parallel."""
    tree = np.column_stack([rng.integers(0, np.arange(1, n)), np.arange(1, n)])
    more = np.sort(rng.integers(0, n, (4 * m, 2)), axis=1)
    more = np.concatenate([tree, more[more[:, 0] != more[:, 1]]])
    _, first = np.unique(more[:, 0] * n + more[:, 1], return_index=True)
    return more[np.sort(first)[:m]]


def power_law(rng, n, m, largest_degree):
    """Return m distinct edges on n vertices, with degrees that fall off like a power."""
    likely = np.minimum(
        np.arange(1, n + 1) ** -0.8, largest_degree / (2 * m) * np.sum(np.arange(1, n + 1) ** -0.8)
    )
    found = np.empty((0, 2), dtype=np.int64)
    while len(found) < m:
        more = np.sort(rng.choice(n, size=(2 * m, 2), p=likely / likely.sum()), axis=1)
        found = np.unique(np.concatenate([found, more[more[:, 0] != more[:, 1]]]), axis=0)
    return rng.permutation(found)[:m]


def sides(n):
    """Return one side of every cut, shape (2^(n-1) - 1, n)."""
    codes = np.arange(1, 2 ** (n - 1))
    return (codes[:, None] >> np.arange(n) & 1).astype(bool)


def crossing_weights(side, ends, weights):
    return np.sort(weights[side[ends[:, 0]] != side[ends[:, 1]]])


def cut_table(n, ends, weights, largest, count):
    """Return w_1, ..., w_count of every cut, filled up with Λ: shape (cuts, count)."""
    table = []
    for side in sides(n):
        found = crossing_weights(side, ends, weights)[:count]
        table.append(np.append(found, np.full(count - found.size, largest)))
    return np.array(table)


def tree_cost(n, ends, weights):
    """Return the cost of a minimum spanning tree, by Kruskal."""
    leader = list(range(n))

    def top(vertex):
        while leader[vertex] != vertex:
            vertex = leader[vertex]
        return vertex

    cost = 0.0
    for edge in np.argsort(weights, kind="stable"):
        first, second = (top(int(vertex)) for vertex in ends[edge])
        if first != second:
            leader[first] = second
            cost += weights[edge]
    return cost


def simple_graphs(n):
    """Return the edges of every graph on n vertices."""
    pairs = list(itertools.combinations(range(n), 2))
    return [
        tuple(pair for pair, joined in zip(pairs, bits, strict=True) if joined)
        for bits in itertools.product((0, 1), repeat=len(pairs))
    ]


def levels(f):
    """Return A^(0), A^(1), ... of every database, from the definition.

    `f` has one axis for each record and its value for every database; the result has
    one array of the same shape for each k up to the number of records.
    """
    local = np.zeros_like(f)
    for axis in range(f.ndim):
        high, low = f.max(axis=axis, keepdims=True), f.min(axis=axis, keepdims=True)
        local = np.maximum(local, np.maximum(high - f, f - low))
    found = [local]
    for _ in range(f.ndim):
        wider = found[-1]
        for axis in range(f.ndim):
            wider = np.maximum(wider, found[-1].max(axis=axis, keepdims=True))
        found.append(wider)
    return found


def weights_of_every_kind(rng, count):
    yield rng.uniform(0, LARGEST, count)
    yield rng.integers(0, 5, count) * LARGEST / 4
    yield rng.choice([0.0, 0.1, 0.3, LARGEST], count)
    yield np.round(rng.random(count), 1)


def dense(n, m, seed, weights=lambda rng, m: rng.uniform(0, 1, m)):
    rng = np.random.default_rng(seed)
    return WeightedGraph(connected(rng, n, m), weights(rng, m), Interval(0, 1))

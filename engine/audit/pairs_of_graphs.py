"""Worst cases for queries on a graph: with private weights, private edges, or private vertices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.audit.pairs import Pair
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.domain import Interval
from engine.mechanisms.base import Mechanism
from engine.numerals import short
from engine.privacy import Privacy

VERTICES = 8  # of a synthetic graph


def ring(n: int) -> list[tuple[int, int]]:
    """Return the edges of a cycle; two vertices get two parallel edges."""
    return [(vertex, (vertex + 1) % n) for vertex in range(n)]


def pairs_of_weights(
    mechanism: Mechanism[WeightedGraph],
    domain: Interval,
    n: int,
    privacy: Privacy,
    *,
    ends: ArrayLike | None = None,
) -> tuple[Pair, ...]:
    """Return neighbours on public edges; the decisive edges meet a vertex of smallest degree.

    Let it have d edges.  With d - 1 of weight Λ and one of weight 0, one step changes the cost by Λ; with d -
    2 such edges, two steps do.  Without given edges, the graph is a ring.
    """
    if ends is None:
        n = min(n, VERTICES)
        ends = ring(n)
    edges = np.asarray(ends, dtype=np.int64)
    vertex = int(np.argmin(np.bincount(edges.ravel(), minlength=n)))
    star = np.flatnonzero((edges == vertex).any(axis=1))

    def heavy(count: int) -> WeightedGraph:
        weights = np.zeros(len(edges))
        weights[star[:count]] = domain.upper
        return WeightedGraph(edges, weights, domain, n)

    d, most = len(star), short(domain.upper)
    pairs = [
        Pair(
            "all-ways-heavy",
            "All ways to one vertex heavy",
            f"one edge alone decides whether a tree costs {most} or 0",
            heavy(d),
            heavy(d - 1),
        )
    ]
    if d > 1:
        pairs.append(
            Pair(
                "before-the-jump",
                "One step before the jump",
                "the cost is the same on both, but only on one of them can the next record change it",
                heavy(d - 1),
                heavy(d - 2),
            )
        )
    return tuple(pairs)


def pairs_of_edges(
    mechanism: Mechanism[SimpleGraph], domain: Interval, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbours on a few vertices that differ in one edge."""
    n = min(most, VERTICES)
    wheel = [(hub, other) for hub in (0, 1) for other in range(2, n)]
    path = [(0, 1), (1, 2)]
    triangles = [*path, (0, 2), (2, 3), (0, 3)]
    pairs = [
        Pair(
            "two-hubs",
            "Two hubs",
            "two vertices are joined to all others; an edge between them closes a triangle with each",
            SimpleGraph([*wheel, (0, 1)], n),
            SimpleGraph(wheel, n),
        ),
        Pair(
            "before-the-jump",
            "One step before the jump",
            "there is no triangle on either, but only on one of them can the next edge close one",
            SimpleGraph(path, 3),
            SimpleGraph(path[:1], 3),
        ),
        Pair(
            "triangle",
            "A single triangle",
            "three vertices with and without the third edge",
            SimpleGraph([*path, (0, 2)], 3),
            SimpleGraph(path, 3),
        ),
    ]
    if n > 3:
        pairs.append(
            Pair(
                "second-triangle",
                "A second triangle",
                "an edge closes a second triangle, and only with it can the next edge close two at once",
                SimpleGraph(triangles[:-1], 4),
                SimpleGraph(triangles, 4),
            )
        )
    return tuple(pairs)

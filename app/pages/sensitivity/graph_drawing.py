"""Which vertices of a graph are drawn, and where: what stays while weights are changed by hand."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_view import MAX_VERTICES
from engine.array_types import Bools, Floats, Ints
from engine.data.edges import EdgeList
from engine.data.graph import bridges
from engine.progress import Progress


@dataclasses.dataclass(frozen=True, eq=False)
class Drawing:
    """What stays while weights change: which vertices are drawn, where, and for which."""

    positions: Floats
    names: tuple[str, ...]
    sizes: Ints
    drawn: Ints  # the drawn vertex that each vertex belongs to; -1 if it is left out
    bridges: Bools  # which edges are bridges


def whole_drawing(edges: EdgeList, order: Ints, progress: Progress) -> Drawing:
    """Place the vertices, or groups of those that edges join in that order until few enough are left."""
    drawn = np.arange(edges.n)
    if edges.n > MAX_VERTICES:
        drawn = join_vertices(edges.ends, edges.n, order)
    sizes = np.bincount(drawn)
    # a group is called after the vertex of it that meets most edges
    degree = np.bincount(edges.ends.ravel(), minlength=edges.n)
    best = np.lexsort((-np.arange(edges.n), degree))
    head = np.empty(sizes.size, dtype=np.int64)
    head[drawn[best]] = best
    between = drawn[edges.ends]
    between = between[between[:, 0] != between[:, 1]]
    return Drawing(
        positions=layout(between, sizes.size, progress),
        names=tuple(edges.labels[vertex] for vertex in head.tolist()),
        sizes=sizes,
        drawn=drawn,
        bridges=bridges(edges.ends, edges.n),
    )


def drawing_of_hubs(edges: EdgeList, progress: Progress) -> Drawing:
    """Place the vertices of largest degree."""
    degree = np.bincount(edges.ends.ravel(), minlength=edges.n)
    kept = np.sort(np.argsort(-degree, kind="stable")[:MAX_VERTICES])
    drawn = np.full(edges.n, -1)
    drawn[kept] = np.arange(kept.size)
    between = drawn[edges.ends]
    return Drawing(
        positions=layout(between[(between >= 0).all(axis=1)], kept.size, progress),
        names=tuple(edges.labels[vertex] for vertex in kept.tolist()),
        sizes=np.ones(kept.size, dtype=np.int64),
        drawn=drawn,
        bridges=np.zeros(len(edges.ends), dtype=bool),
    )


def join_vertices(ends: Ints, n: int, order: Ints, most: int = MAX_VERTICES) -> Ints:
    """Join vertices along edges, in that order, until `most` groups are left; return the group of each."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    def groups_after(count: int) -> tuple[int, Ints]:
        taken = ends[order[:count]]
        matrix = coo_array((np.ones(len(taken)), taken.T), shape=(n, n))
        number, group = connected_components(matrix, directed=False)
        return int(number), np.asarray(group, dtype=np.int64)

    # the number of groups falls with every edge that joins two
    low, high = n - most, len(order)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if groups_after(middle)[0] <= most else (middle + 1, high)
    return groups_after(low)[1]

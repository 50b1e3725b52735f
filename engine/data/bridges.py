"""Bridges: the edges without which a graph would fall apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools


def bridges(ends: ArrayLike, n: int) -> Bools:
    """Return which edges of a connected graph are bridges, shape (m,).

    Direct the edges of a depth-first tree away from its root and all others towards it:
    an edge lies on a cycle if and only if one can then go back from its head to its tail
    (Robbins, "A theorem on graphs, with an application to a problem of traffic control",
    1939).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components, depth_first_order

    pairs = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
    matrix = coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n)).tocsr()
    order, parent = depth_first_order(matrix, 0, directed=False)
    visited = np.empty(n, dtype=np.int64)
    visited[order] = np.arange(n)
    turned = visited[pairs[:, 0]] > visited[pairs[:, 1]]
    early, late = np.where(turned[:, None], pairs[:, ::-1], pairs).T
    _, first = np.unique(early * n + late, return_index=True)
    in_tree = np.zeros(len(pairs), dtype=bool)
    in_tree[first] = parent[late[first]] == early[first]
    tail, head = np.where(in_tree, early, late), np.where(in_tree, late, early)
    arcs = coo_array((np.ones(len(pairs)), (tail, head)), shape=(n, n))
    _, component = connected_components(arcs, directed=True, connection="strong")
    result: Bools = component[early] != component[late]
    return result

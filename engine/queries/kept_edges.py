"""The edges that forests keep, as a graph: by weight, and by vertex."""

from __future__ import annotations

import numpy as np

from engine.array_types import Bools, Ints


class KeptEdges:
    """Some of the edges of a graph.

    Parameters
    ----------
    n : int
        Number of vertices.
    ranks : ndarray of int, shape (e,)
        The edges, increasing.
    ends : ndarray of int, shape (e, 2)

    Attributes
    ----------
    ranks : ndarray of int, shape (e,)
    first, second : ndarray of int, shape (e,)
        Their ends.
    start : ndarray of int, shape (n + 1,)
        The edges at the vertex v are those from start[v] to start[v + 1] of `at`.
    at : ndarray of int, shape (2 e,)
        By vertex its edges, as places in `ranks`, increasing.
    """

    def __init__(self, n: int, ranks: Ints, ends: Ints) -> None:
        from scipy.sparse import coo_array

        self.ranks = ranks
        self.first, self.second = np.ascontiguousarray(ends.T)
        # a matrix by rows is a list of edges by vertex, and keeps their order
        position = np.arange(ends.size)
        matrix = coo_array((np.ones(ends.size, np.int8), (ends.ravel(), position)), (n, ends.size)).tocsr()
        self.start: Ints = matrix.indptr.astype(np.int64)
        self.at: Ints = matrix.indices.astype(np.int64) // 2

    def crossing(self, side: Bools) -> Ints:
        """Return the ranks of the edges that leave one side of a cut, increasing."""
        leaving: Ints = self.ranks[side[self.first] != side[self.second]]
        return leaving


class Near(dict[int, list[tuple[int, int]]]):
    """For each vertex its edges by increasing rank: (rank, vertex at the other end).

    Made when a vertex is first asked for: most searches see few of them.
    """

    def __init__(self, kept: KeptEdges) -> None:
        super().__init__()
        self._kept = kept

    def __missing__(self, vertex: int) -> list[tuple[int, int]]:
        """Look at the edges of a vertex."""
        kept = self._kept
        at = kept.at[kept.start[vertex] : kept.start[vertex + 1]]
        others = kept.first[at] + kept.second[at] - vertex
        results = self[vertex] = list(zip(kept.ranks[at].tolist(), others.tolist(), strict=True))
        return results

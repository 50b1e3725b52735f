"""Pairs of vertices by common neighbours and degrees, without forming all pairs.

Everything here is computed from private edges and is private.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.data.graph import SimpleGraph
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_Ints = NDArray[np.int64]

FIRST_BLOCK, LARGEST_BLOCK = 1 << 14, 1 << 20
"""Products of matrix elements done at once: few at first, since they prune the rest, and
later as many as take a tenth of a second."""

INDEXING = "edges by vertex"


@dataclasses.dataclass(frozen=True, eq=False)
class PairFront:
    """The pairs that no other pair dominates, with ``D = d_i + d_j - 2 A_ij`` decreasing.

    Attributes
    ----------
    common : ndarray of int, shape (f,)
        a, increasing.
    degrees : ndarray of int, shape (f,)
        D, decreasing.
    vertices : ndarray of int, shape (f, 2)
        A pair with at least that a and that D.
    """

    common: _Ints
    degrees: _Ints
    vertices: _Ints

    def with_pairs(self, common: _Ints, degrees: _Ints, vertices: _Ints) -> PairFront:
        """Return the front of these pairs and of more."""
        a = np.concatenate([self.common, common])
        d = np.concatenate([self.degrees, degrees])
        pairs = np.concatenate([self.vertices, vertices])
        order = np.lexsort((-a, -d))
        a, d, pairs = a[order], d[order], pairs[order]
        # from the largest D on, a pair stays when its a beats all before it
        before = np.concatenate([[-1], np.maximum.accumulate(a)[:-1]])
        stays = a > before
        return PairFront(a[stays], d[stays], pairs[stays])

    def largest_degrees(self) -> _Ints:
        """Return for each a = 0, 1, ..., max + 1 the largest D of a pair with at least that a, else -1."""
        place = np.searchsorted(self.common, np.arange(self.common[-1] + 2))
        return np.append(self.degrees, -1)[place]

    def dominated_degree(self, degree: int) -> int:
        """Return the largest d such that no pair of degrees (`degree`, <= d) adds to the front."""
        return int(np.max(np.minimum(self.common, self.degrees - degree)))


def pareto_front(graph: SimpleGraph, progress: Progress = silent) -> PairFront:
    """Return the front of all pairs of vertices.

    A pair with degrees d_i >= d_j has a <= d_j and D <= d_i + d_j.  Vertices are taken by
    decreasing degree, and rows of the squared adjacency matrix computed only for columns
    whose degree is not dominated yet; on graphs with hubs the first few rows leave next to
    nothing.  Pairs without common neighbours have a = 0 and matter only by the largest D.

    Costs at most sum of d_i^2 in time (`scipy.sparse` products), and some ten megabytes
    beside copies of the graph.
    """
    progress(0.0, INDEXING)
    by_degree = np.argsort(-np.diff(graph.adjacency.indptr), kind="stable")
    matrix = _reordered(graph, by_degree, progress)
    matrix.sort_indices()
    progress(0.0, INDEXING)
    degree = np.diff(matrix.indptr).astype(np.int64)
    front = _without_common(matrix, degree)
    row, width, budget, columns = 0, 2 * graph.n, FIRST_BLOCK, matrix
    while True:
        needed = int(np.searchsorted(-degree, -front.dominated_degree(int(degree[row]))))
        if needed <= row + 1:
            break
        if needed <= width * 3 // 4:
            width, columns = needed, matrix[:, :needed]
            # what each row costs from now on
            cost = np.cumsum(matrix[:width] @ np.diff(columns.indptr))
        done = cost[row - 1] if row else 0
        progress(done / max(cost[-1], 1), "pairs of vertices")
        stop = max(row + 1, int(np.searchsorted(cost, done + budget, side="right")))
        front = _with_rows(front, matrix, columns, degree, row, min(stop, width))
        row, budget = stop, min(2 * budget, LARGEST_BLOCK)
        if row >= width:
            break
    return dataclasses.replace(front, vertices=by_degree[front.vertices])


def _reordered(graph: SimpleGraph, order: _Ints, progress: Progress) -> csr_array:
    """Return the adjacency matrix with rows and columns in another order."""
    progress(0.0, INDEXING)
    rows = graph.adjacency[order].astype(np.int32)
    progress(0.0, INDEXING)
    matrix: csr_array = rows[:, order]
    progress(0.0, INDEXING)
    return matrix


def _with_rows(
    front: PairFront, matrix: csr_array, columns: csr_array, degree: _Ints, start: int, stop: int
) -> PairFront:
    """Add the pairs of the rows `start` to `stop` with common neighbours and later columns."""
    rows = matrix[start:stop]
    # 2 a_ij + A_ij in one number, so that no element has to be looked up
    both = ((rows @ columns) * 2 + rows[:, : columns.shape[1]]).tocoo()
    first, second = both.coords[0] + start, both.coords[1]
    later = second > first
    first, second, data = first[later].astype(np.int64), second[later].astype(np.int64), both.data[later]
    common, joined = (data >> 1).astype(np.int64), (data & 1).astype(np.int64)
    total = degree[first] + degree[second] - 2 * joined
    known = front.largest_degrees()
    adds = total > known[np.minimum(common, known.size - 1)]
    return front.with_pairs(common[adds], total[adds], np.column_stack([first[adds], second[adds]]))


def _without_common(matrix: csr_array, degree: _Ints) -> PairFront:
    """Return the front of the pair with the largest D, as if it had no common neighbours.

    The two largest degrees give d_1 + d_2 or, if joined, 2 less; so only pairs of that
    sum or one less that are not joined have to be looked for.
    """
    for total in (degree[0] + degree[1], degree[0] + degree[1] - 1):
        pair = _apart(matrix, degree, int(total))
        if pair is not None:
            return PairFront(np.array([0]), np.array([total]), np.array([pair]))
    return PairFront(np.array([0]), np.array([degree[0] + degree[1] - 2]), np.array([[0, 1]]))


def _apart(matrix: csr_array, degree: _Ints, total: int) -> tuple[int, int] | None:
    """Return two vertices whose degrees add up to `total` and that are not joined.

    A vertex fails only if all candidates are among its neighbours, so that all failures
    together cost as much as looking at every edge.
    """
    for first in range(degree.size):
        partner = total - degree[first]
        if partner > degree[first]:
            return None
        low, high = (int(np.searchsorted(-degree, -partner, side=side)) for side in ("left", "right"))
        low = max(low, first + 1)
        neighbours = matrix.indices[matrix.indptr[first] : matrix.indptr[first + 1]]
        inside = neighbours[(neighbours >= low) & (neighbours < high)]
        if inside.size < high - low:
            candidates = np.arange(low, min(high, low + inside.size + 1))
            return first, int(np.setdiff1d(candidates, inside)[0])
    return None


def triangles(graph: SimpleGraph, progress: Progress = silent) -> int:
    """Return the number of triangles.

    Each edge is directed to the vertex of larger degree, so that hubs have short lists,
    and each triangle is found once, from its vertex of smallest degree.
    """
    from scipy.sparse import csr_array, tril

    progress(0.0, INDEXING)
    order = np.argsort(np.diff(graph.adjacency.indptr), kind="stable")
    lower = tril(_reordered(graph, order, progress), -1)
    progress(0.0, INDEXING)
    upward = csr_array(lower.T)
    progress(0.0, INDEXING)
    cost = np.cumsum(upward @ np.diff(upward.indptr))
    found, row = 0, 0
    while row < graph.n:
        done = cost[row - 1] if row else 0
        progress(done / max(cost[-1], 1), "triangles")
        stop = max(row + 1, int(np.searchsorted(cost, done + LARGEST_BLOCK, side="right")))
        rows = upward[row:stop]
        found += int((rows @ upward).multiply(rows).sum())
        row = stop
    return found

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

FIRST_BLOCK, LARGEST_BLOCK = 1 << 14, 1 << 21
"""Products of matrix elements done at once: few at first, since they prune the rest, and
later as many as take a tenth of a second."""

JOINED = 1 << 32
"""Stands for an edge in a number that counts paths, of which there are fewer."""

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
    degrees = np.bincount(graph.ends.ravel(), minlength=graph.n)
    by_degree = np.argsort(-degrees, kind="stable")
    degree = degrees[by_degree]
    matrix = _reordered(graph, by_degree, progress)
    front = _without_common(matrix, degree)
    row, budget, first, width, columns = 0, FIRST_BLOCK, 0, 2 * graph.n, matrix
    while True:
        needed = int(np.searchsorted(-degree, -front.dominated_degree(int(degree[row]))))
        if needed <= row + 1:
            break
        # pairs of a row with earlier ones were looked at there
        if needed - row <= (width - first) * 3 // 4:
            first, width = row, needed
            columns = matrix[:, first:width]
            # what each row costs from now on
            cost = np.cumsum(matrix[:width] @ np.diff(columns.indptr))
        done = cost[row - 1] if row else 0
        progress(done / max(cost[-1], 1), "pairs of vertices")
        stop = max(row + 1, int(np.searchsorted(cost, done + budget, side="right")))
        front = _with_rows(front, matrix, columns, first, degree, row, min(stop, width))
        row, budget = stop, min(2 * budget, LARGEST_BLOCK)
        if row >= width:
            break
    return dataclasses.replace(front, vertices=by_degree[front.vertices])


def _reordered(graph: SimpleGraph, order: _Ints, progress: Progress) -> csr_array:
    """Return the adjacency matrix with its vertices in another order, and its indices sorted."""
    from scipy.sparse import csr_array

    progress(0.0, INDEXING)
    first, second = _places(order)[graph.ends.T]
    rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
    progress(0.0, INDEXING)
    matrix = csr_array((np.ones(rows.size, dtype=np.int32), (rows, columns)), shape=(graph.n, graph.n))
    progress(0.0, INDEXING)
    # the columns of a symmetric matrix are its rows, and conversion sorts them
    turned = matrix.tocsc()
    progress(0.0, INDEXING)
    return csr_array((turned.data, turned.indices, turned.indptr), shape=matrix.shape)


def _places(order: _Ints) -> NDArray[np.int32]:
    """Return the place of each vertex in an order."""
    places = np.empty(order.size, dtype=np.int32)
    places[order] = np.arange(order.size, dtype=np.int32)
    return places


def _with_rows(
    front: PairFront,
    matrix: csr_array,
    columns: csr_array,
    offset: int,
    degree: _Ints,
    start: int,
    stop: int,
) -> PairFront:
    """Add the pairs of the rows `start` to `stop` with common neighbours and later columns.

    `columns` are those of the matrix from `offset` on.
    """
    product = matrix[start:stop] @ columns
    known = front.largest_degrees()
    # of later vertices none has a larger degree than the first of these rows
    least = int(np.searchsorted(-known, -2 * degree[start], side="right"))
    place = np.flatnonzero(product.data >= least)
    first = np.searchsorted(product.indptr, place, side="right") - 1
    common = product.data[place].astype(np.int64)
    second = product.indices[place].astype(np.int64) + offset
    first += start
    total = degree[first] + degree[second]
    adds = (second > first) & (total > known[np.minimum(common, known.size - 1)])
    # within a row a product has them from the last one found to the first
    order = np.lexsort((-place[adds], first[adds]))
    first, second, common = (found[adds][order] for found in (first, second, common))
    total = degree[first] + degree[second] - 2 * _joined(matrix, first, second)
    return front.with_pairs(common, total, np.column_stack([first, second]))


def _joined(matrix: csr_array, first: _Ints, second: _Ints) -> _Ints:
    """Return 1 for each pair of vertices that is joined, else 0."""
    if not first.size:
        return first
    joined: _Ints = np.asarray(matrix[first, second]).ravel().astype(np.int64)
    return joined


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
    from scipy.sparse import csr_array, eye_array

    progress(0.0, INDEXING)
    degree = np.bincount(graph.ends.ravel(), minlength=graph.n)
    first, second = _places(np.argsort(degree, kind="stable"))[graph.ends.T]
    progress(0.0, INDEXING)
    low, high = np.minimum(first, second), np.maximum(first, second)
    upward = csr_array((np.ones(low.size, dtype=np.int64), (low, high)), shape=(graph.n, graph.n))
    progress(0.0, INDEXING)
    # a product with it has the paths of two edges and, far above, whether one edge leads there
    both = upward + JOINED * eye_array(graph.n, dtype=np.int64, format="csr")
    progress(0.0, INDEXING)
    cost = np.cumsum(upward @ np.diff(upward.indptr))
    found, row = 0, 0
    while row < graph.n:
        done = cost[row - 1] if row else 0
        progress(done / max(cost[-1], 1), "triangles")
        stop = max(row + 1, int(np.searchsorted(cost, done + LARGEST_BLOCK, side="right")))
        paths = (upward[row:stop] @ both).data
        found += int((paths[paths >= JOINED] - JOINED).sum())
        row = stop
    return found

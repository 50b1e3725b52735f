"""Pairs of vertices by common neighbours and degrees, without forming all pairs.

Everything here is computed from private edges and is private.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.data.graph import SimpleGraph
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_Small = NDArray[np.int32]

_BITS = 17
"""Binary logarithm of the size of a table of counts that stays in the processor's cache."""

_STIR = np.uint32(0x9E3779B1), np.uint32(0x85EBCA77)
"""Odd multipliers for hashing."""

_AT_ONCE = 1 << 20
"""Paths of one i counted at once, since its table is large."""


class TwoPaths:
    """The paths i, k, j with i < j, grouped by i: for each k with i in its row, the entries after i.

    For a symmetric matrix these are all paths; for an upper triangular one, those whose middle is the
    first of the three.
    """

    def __init__(self, rows: csr_array) -> None:
        from scipy.sparse import csr_array

        self._row, self._column = rows.indptr, rows.indices.astype(np.int32, copy=False)
        self._end: _Small = rows.indptr[1:]
        places = np.arange(1, rows.nnz + 1, dtype=rows.indptr.dtype)
        turned = csr_array((places, rows.indices, rows.indptr), shape=rows.shape).tocsc()
        self._entry, self._middle, self._after = turned.indptr, turned.indices, turned.data

    def narrow(self, width: int) -> None:
        """Drop all j from `width` on."""
        inside = np.zeros(self._column.size + 1, dtype=np.int64)
        np.cumsum(self._column < width, out=inside[1:])
        self._end = (self._row[:-1] + np.diff(inside[self._row])).astype(self._row.dtype)

    def before(self) -> Ints:
        """Return the number of paths before those of each i, and of all paths."""
        lengths = self._lengths(0, self._middle.size)
        return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])[self._entry]

    def often(self, start: int, stop: int, width: int, least: int) -> tuple[Ints, Ints, Ints]:
        """Return the pairs with ``start <= i < stop`` and j < `width` that `least` or more paths join.

        As i, j and their numbers of paths (at least 1), sorted by i and j; no j may be `width` or larger.
        """
        size = (stop - start) * width
        if stop - start > 1 and size > 1 << _BITS:
            return self._often_stirred(start, stop, width, least)
        table = np.zeros(size, dtype=np.int64)
        for entries in self._parts(start, stop):
            first, second = self._paths(*entries)
            table += np.bincount((first - start) * np.int64(width) + second, minlength=size)
        position = np.flatnonzero(table >= max(least, 1))
        rows, columns = np.divmod(position, width)
        return rows + start, columns, table[position]

    def _often_stirred(self, start: int, stop: int, width: int, least: int) -> tuple[Ints, Ints, Ints]:
        """Count as `often` does, in hash buckets: a bucket with too few paths has no frequent pair."""
        first, second = self._paths(int(self._entry[start]), int(self._entry[stop]))
        bucket = _buckets(first, second)
        many = np.bincount(bucket, minlength=1 << _BITS) >= least
        close = np.flatnonzero(many.take(bucket, mode="clip"))
        pairs, paths = np.unique(first[close].astype(np.int64) * width + second[close], return_counts=True)
        enough = paths >= least
        return *np.divmod(pairs[enough], width), paths[enough]

    def closed(self, start: int, stop: int) -> int:
        """Return the number of paths with ``start <= i < stop`` whose ends i and j are adjacent."""
        from_row, to_row = self._row[start], self._row[stop]
        first = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(self._row[start : stop + 1]))
        second = self._column[from_row:to_row]
        entries = first * np.int64(self._row.size) + second
        used = np.zeros(1 << _BITS, dtype=bool)
        used[_buckets(first, second)] = True
        count = 0
        for part in self._parts(start, stop):
            first, second = self._paths(*part)
            close = np.flatnonzero(used.take(_buckets(first, second), mode="clip"))
            pairs = first[close] * np.int64(self._row.size) + second[close]
            position = np.searchsorted(entries, pairs)
            known = position < entries.size
            count += int(np.count_nonzero(entries[position[known]] == pairs[known]))
        return count

    def _parts(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield (first, last) of the entries to count together."""
        begin, end = int(self._entry[start]), int(self._entry[stop])
        stops = np.cumsum(self._lengths(begin, end), dtype=np.int64)
        cuts = np.searchsorted(stops, np.arange(_AT_ONCE, stops[-1:].sum(), _AT_ONCE)) + begin
        yield from itertools.pairwise([begin, *cuts.tolist(), end])

    def _lengths(self, begin: int, end: int) -> _Small:
        """Return the number of paths of each entry."""
        ends = self._end.take(self._middle[begin:end], mode="clip")
        lengths: _Small = np.maximum(ends - self._after[begin:end], 0)
        return lengths

    def _paths(self, begin: int, end: int) -> tuple[_Small, _Small]:
        """Return i and j of all paths of these entries."""
        lengths = self._lengths(begin, end)
        offset = self._after[begin:end] - (np.cumsum(lengths, dtype=np.int64) - lengths)
        position = np.repeat(offset, lengths)
        position += np.arange(position.size)
        first, last = np.searchsorted(self._entry, [begin, end - 1], side="right") - 1
        ends = np.clip(self._entry[first : last + 2], begin, end)
        owner = np.repeat(np.arange(first, last + 1, dtype=np.int32), np.diff(ends))
        # "clip" checks bounds once; an index and the other modes check twice
        return np.repeat(owner, lengths), self._column.take(position, mode="clip")


def _buckets(first: _Small, second: _Small) -> Ints:
    """Return a hash bucket for each pair."""
    mixed = first.view(np.uint32) * _STIR[0]
    mixed += second.view(np.uint32) * _STIR[1]
    mixed >>= np.uint32(32 - _BITS)
    return mixed.astype(np.int64)  # once, not at each lookup


FIRST_BLOCK, LARGEST_BLOCK = 1 << 14, 1 << 17
"""Paths of two edges in one block: few at first, since they prune the rest, later as many as fit
the processor's cache."""

INDEXING = "edges by vertex"


@dataclasses.dataclass(frozen=True, eq=False)
class PairFront:
    """The pairs that no other pair dominates, with ``D = d_i + d_j - 2 A_ij`` decreasing."""

    common: Ints  # shape (f,); a, increasing
    degrees: Ints  # shape (f,); D, decreasing
    vertices: Ints  # shape (f, 2); A pair with at least that a and that D

    def with_pairs(self, common: Ints, degrees: Ints, vertices: Ints) -> PairFront:
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

    def largest_degrees(self) -> Ints:
        """Return for each a = 0, 1, ..., max + 1 the largest D of a pair with at least that a, else -1."""
        position = np.searchsorted(self.common, np.arange(self.common[-1] + 2))
        return np.append(self.degrees, -1)[position]

    def dominated_degree(self, degree: int) -> int:
        """Return the largest d such that no pair of degrees (`degree`, <= d) adds to the front."""
        return int(np.max(np.minimum(self.common, self.degrees - degree)))


def pareto_front(graph: SimpleGraph, *, progress: Progress = silent) -> PairFront:
    """Return the front of all pairs of vertices.

    A pair with degrees d_i >= d_j has a <= d_j and D <= d_i + d_j.  The search visits vertices
    by decreasing degree, and counts paths of two edges only to vertices whose degree is
    not dominated yet.  It visits the hubs first; then few other pairs remain.  Pairs
    without common neighbours have a = 0 and matter only by the largest D.

    Time: at most half the sum of d_i^2.  Memory: about ten megabytes beside copies of the
    graph.
    """
    progress(0.0, INDEXING)
    degrees = np.bincount(graph.ends.ravel(), minlength=graph.n)
    by_degree = np.argsort(-degrees, kind="stable")
    matrix = _reorder(graph, by_degree, progress=progress)
    progress(0.0, INDEXING)
    search = _Search(matrix, degrees[by_degree], progress)
    search.among(_hubs(search.degree))
    search.among(graph.n)
    return dataclasses.replace(search.front, vertices=by_degree[search.front.vertices])


def _hubs(degree: Ints) -> int:
    """Return the number of hubs: visiting their pairs costs no more than visiting all edges."""
    edges = np.cumsum(degree)
    return int(np.count_nonzero(np.arange(1, degree.size + 1) * edges <= edges[-1]))


class _Search:
    """The front of the visited pairs; vertices are in the order of their degrees."""

    def __init__(self, matrix: csr_array, degree: Ints, progress: Progress) -> None:
        self.degree = degree
        self.front = _without_common(matrix, degree)
        self._matrix, self._paths, self._progress = matrix, TwoPaths(matrix), progress

    def among(self, width: int) -> None:
        """Visit all pairs of the first `width` vertices that can add to the front."""
        row, budget, cost = 0, FIRST_BLOCK, None
        while row < width:
            dominated = self.front.dominated_degree(int(self.degree[row]))
            needed = min(width, int(np.searchsorted(-self.degree, -dominated)))
            if needed <= row + 1:
                break
            if cost is None or needed - row <= (width - row) * 3 // 4:
                width = needed
                self._paths.narrow(width)
                self._progress(0.0, INDEXING)
                cost = self._paths.before()[: width + 1]
            self._progress(cost[row] / max(cost[-1], 1), "pairs of vertices")
            stop = max(row + 1, int(np.searchsorted(cost, cost[row] + budget, side="right")) - 1)
            stop = min(stop, width)
            self._add(self._paths.often(row, stop, width, self._least(row)))
            row, budget = stop, min(2 * budget, LARGEST_BLOCK)

    def _least(self, row: int) -> int:
        """Return the least number of common neighbours with which a pair of degrees up to `row`'s can add."""
        known = self.front.largest_degrees()
        return int(np.searchsorted(-known, -2 * self.degree[row], side="right"))

    def _add(self, pairs: tuple[Ints, Ints, Ints]) -> None:
        """Add those of the pairs that are not dominated."""
        first, second, common = pairs
        total, known = self.degree[first] + self.degree[second], self.front.largest_degrees()
        adds = total > known[np.minimum(common, known.size - 1)]
        first, second, common = first[adds], second[adds], common[adds]
        total = total[adds] - 2 * _adjacency(self._matrix, first, second)
        self.front = self.front.with_pairs(common, total, np.column_stack([first, second]))


def _reorder(graph: SimpleGraph, order: Ints, *, progress: Progress) -> csr_array:
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


def _places(order: Ints) -> NDArray[np.int32]:
    """Return the position of each vertex in an order."""
    places = np.empty(order.size, dtype=np.int32)
    places[order] = np.arange(order.size, dtype=np.int32)
    return places


def _adjacency(matrix: csr_array, first: Ints, second: Ints) -> Ints:
    """Return 1 for each pair of vertices that is joined, else 0."""
    if not first.size:
        return first
    joined: Ints = np.asarray(matrix[first, second]).ravel().astype(np.int64)
    return joined


def _without_common(matrix: csr_array, degree: Ints) -> PairFront:
    """Return the front of the pair with the largest D, as if it had no common neighbours.

    The two largest degrees give d_1 + d_2, or 2 less if joined.  So it suffices to search for unjoined
    pairs of that sum, or of one less.
    """
    for total in (degree[0] + degree[1], degree[0] + degree[1] - 1):
        pair = _apart(matrix, degree, int(total))
        if pair is not None:
            return PairFront(np.array([0]), np.array([total]), np.array([pair]))
    return PairFront(np.array([0]), np.array([degree[0] + degree[1] - 2]), np.array([[0, 1]]))


def _apart(matrix: csr_array, degree: Ints, total: int) -> tuple[int, int] | None:
    """Return two vertices whose degrees add up to `total` and that are not joined.

    A vertex fails only if all candidates are its neighbours, so all failures together cost one visit of
    every edge.
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


def triangles(graph: SimpleGraph, *, progress: Progress = silent) -> int:
    """Return the number of triangles.

    Each edge points to the vertex of larger degree, so that hubs have short lists.  Each triangle is found
    once, from its vertex of smallest degree.
    """
    from scipy.sparse import coo_array

    progress(0.0, INDEXING)
    degree = np.bincount(graph.ends.ravel(), minlength=graph.n)
    first, second = _places(np.argsort(degree, kind="stable"))[graph.ends.T]
    progress(0.0, INDEXING)
    low, high = np.minimum(first, second), np.maximum(first, second)
    ones = np.ones(low.size, dtype=np.int8)
    # conversion sorts the indices
    upward = coo_array((ones, (low, high)), shape=(graph.n, graph.n)).tocsc().tocsr()
    progress(0.0, INDEXING)
    paths = TwoPaths(upward)
    progress(0.0, INDEXING)
    cost = paths.before()
    count, row = 0, 0
    while row < graph.n:
        progress(cost[row] / max(cost[-1], 1), "triangles")
        stop = max(row + 1, int(np.searchsorted(cost, cost[row] + LARGEST_BLOCK, side="right")) - 1)
        count += paths.closed(row, stop)
        row = stop
    return count

"""The cuts that decide the sensitivity of a spanning tree, each with the proof that it does.

For a cut S let w_q(S) be its q-th smallest weight (Λ if it has fewer edges).  The search
keeps the best cut known for each k, so that

    L_k = max over known S of max(w_{k+1}(S), w_{k+2}(S) - w_1(S)) <= A^(k),

and looks, for one edge e of a minimum spanning tree after the other, for a cut between
the ends of e that beats it.  With B_e(q) the largest w_q of those cuts,

    A^(k) = max_e max(B_e(k+1), B_e(k+2) - w_e),

since every cut crosses the tree, and its lightest tree edge is its lightest edge.  There is
none that beats L_k exactly when B_e(q) <= T_q for all q, where T_q is the largest weight
with T_q <= L_{q-1} and T_q - w_e <= L_{q-2}.  As T_q never decreases in q, one flow per
tree edge tells: raise the limit to T_q, send a q-th unit; if that fails, the smallest cut
has w_q > T_q and raises L, and with it T_q.

Two things keep the work small, both exact: only the edges of the first greedy forests
are looked at, and tree edges for which these forests prove B_e(q) <= T_q need no flow
(statements (i) and (ii) in `engine.queries.forests`).
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from engine.data.edge_checks import pieces
from engine.data.graph import WeightedGraph
from engine.progress import Progress, part, silent
from engine.queries.edge_flow import EdgeFlow
from engine.queries.forests import Forest, greedy_forests

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Sides = NDArray[np.bool_]


class CutSearch:
    """What is known about the cuts of one graph; it grows with every question (private).

    Attributes
    ----------
    reach : int
        The smallest degree: from there on A^(k) = Λ, since a cut has no more edges.
    tree : ndarray of int, shape (n - 1,)
        The edges of a minimum spanning tree.
    """

    def __init__(self, graph: WeightedGraph, progress: Progress = silent) -> None:
        self._graph = graph
        progress(0.0, "weights in order")
        self._order: _Ints = np.argsort(graph.weights, kind="stable")
        progress(0.0, "weights in order")
        self._ends: _Ints = graph.ends[self._order]
        self._largest = float(graph.domain.upper)
        # one more for the weight of an edge that a cut does not have
        self._weights: _Floats = np.append(graph.weights[self._order], self._largest)
        degree = np.bincount(graph.ends.ravel(), minlength=graph.n)
        self.reach = int(degree.min())
        self._tree = _minimum_spanning_tree(graph.n, self._ends, progress)
        self._kept: _Ints = np.empty(0, dtype=np.int64)
        self._forests: list[Forest] = []
        self._near: list[list[tuple[int, int]]] = []
        self._bottlenecks: _Floats = np.empty((self._tree.size, 0))
        self._best: _Floats = np.empty(0)
        self._proved: _Floats = np.empty(0)
        self._sides: list[_Sides] = []

    @property
    def tree(self) -> _Ints:
        """The edges of a minimum spanning tree, shape (n - 1,)."""
        return self._order[self._tree]

    def side(self, k: int) -> _Sides:
        """Return one side of the best cut known for k, shape (n,)."""
        return self._sides[min(k, self.reach)]

    def known(self, k_max: int, progress: Progress = silent) -> _Floats:
        """Return L_0, ..., L_min(k_max, reach), at first from the cuts around single vertices."""
        count = min(k_max, self.reach) + 1
        if count > self._best.size:
            self._grow_forests(count + 1, progress)
            self._look_around_vertices(count)
        return self._best[:count]

    def prove(self, floor: _Floats, progress: Progress = silent) -> _Floats:
        """Search until ``A^(k) <= max(L_k, floor_k)``, and return L.

        Parameters
        ----------
        floor : ndarray, shape (count,)
            Non-decreasing; what is not above it need not be known exactly.  Zeros ask
            for every A^(k).
        """
        best = self.known(floor.size - 1, part(progress, 0.0, 0.3))
        floor = floor[: best.size]
        if (self._proved[: best.size] > np.maximum(best, floor)).any():
            weights = self._weights[self._tree]
            enough = np.maximum(best, floor)
            gap = np.maximum(
                (self._bottlenecks[:, : best.size] - enough).max(axis=1),
                (self._bottlenecks[:, 1 : best.size + 1] - weights[:, None] - enough).max(axis=1),
            )
            # the most promising first: what they find spares others
            candidates = np.flatnonzero(gap > 0)[np.argsort(-gap[gap > 0], kind="stable")]
            rest = part(progress, 0.3, 1.0)
            for done, edge in enumerate(candidates.tolist()):
                rest(done / candidates.size, "cuts that decide the sensitivity")
                self._prove_edge(edge, floor, rest, done / candidates.size)
            self._proved[: best.size] = np.minimum(self._proved[: best.size], floor)
        return self._best[: best.size]

    def _prove_edge(self, edge: int, floor: _Floats, progress: Progress, fraction: float) -> None:
        """Leave no cut between the ends of a tree edge that beats both L and `floor`."""
        count = floor.size
        own = float(self._weights[self._tree[edge]])
        bounds = self._bottlenecks[edge]
        source, sink = self._ends[self._tree[edge]].tolist()
        flow: EdgeFlow | None = None
        for q in range(1, count + 2):
            while True:
                enough = np.maximum(self._best[:count], floor)
                first = float(enough[q - 1]) if q <= count else np.inf
                second = float(enough[q - 2]) if q >= 2 else np.inf
                if bounds[q - 1] <= first and bounds[q - 1] - own <= second:
                    break
                if flow is None:
                    # the paths in the forests before are within their limits already
                    flow = EdgeFlow(self._near, source, sink)
                    for forest in self._forests[: q - 1]:
                        flow.push(forest.path(source, sink))
                if flow.value >= q:
                    break
                limit = self._limit(own, first, second)
                if limit == self._weights.size:
                    break
                progress(fraction)
                vertices = flow.augment(limit)
                if vertices is not None:
                    side = np.zeros(self._graph.n, dtype=np.bool_)
                    side[vertices] = True
                    self._learn(side)

    def _limit(self, own: float, first: float, second: float) -> int:
        """Return how many weights w have ``w <= first`` and ``w - own <= second``.

        Compared as differences, exactly as L is computed: a sum would be rounded differently,
        and a cut that cannot raise L any more would be found again and again.
        """
        weights = self._weights
        limit = int(np.searchsorted(weights, first, side="right"))
        return bisect_right(range(limit), second, key=lambda rank: float(weights[rank]) - own)

    def _learn(self, side: _Sides) -> None:
        """Raise L by what a cut gives."""
        count = self._best.size
        first, second = self._ends[self._kept].T
        lightest = np.full(count + 1, self._largest)
        found = self._weights[self._kept[side[first] != side[second]][: count + 1]]
        lightest[: found.size] = found
        gives = np.maximum(lightest[:-1], lightest[1:] - lightest[0])
        better = np.flatnonzero(gives > self._best)
        self._best[better] = gives[better]
        for k in better.tolist():
            self._sides[k] = side

    def _look_around_vertices(self, count: int) -> None:
        """Make L longer, with the cuts around single vertices."""
        n, known = self._graph.n, self._best.size
        learnt = {id(side): side for side in self._sides}
        vertices = self._ends[self._kept].ravel()
        order = np.argsort(vertices, kind="stable")
        start = np.searchsorted(vertices[order], np.arange(n))
        place = np.arange(vertices.size) - start[vertices[order]]
        lightest = np.full((n, count + 1), self._largest)
        near = place <= count
        lightest[vertices[order][near], place[near]] = np.repeat(self._weights[self._kept], 2)[order][near]
        gives = np.maximum(lightest[:, :-1], lightest[:, 1:] - lightest[:, :1])
        vertex = np.argmax(gives, axis=0)
        self._best = np.append(self._best, np.full(count - known, -1.0))
        self._proved = np.append(self._proved, np.full(count - known, np.inf))
        self._sides += [np.zeros(n, dtype=np.bool_)] * (count - known)
        for k in range(known, count):
            self._best[k] = gives[vertex[k], k]
            self._sides[k] = np.arange(n) == vertex[k]
        for side in learnt.values():
            self._learn(side)

    def _grow_forests(self, count: int, progress: Progress) -> None:
        """Have `count` forests, their edges as a graph, and their heaviest edges between tree neighbours."""
        forests = greedy_forests(self._graph.n, self._ends, count, part(progress, 0.0, 0.9))
        progress(0.9, "edges that are kept")
        kept = np.sort(np.array([rank for forest in forests for rank, _, _ in forest.edges], dtype=np.int64))
        near: list[list[tuple[int, int]]] = [[] for _ in range(self._graph.n)]
        for rank, (first, second) in zip(kept.tolist(), self._ends[kept].tolist(), strict=True):
            near[first].append((rank, second))
            near[second].append((rank, first))
        progress(0.95, "edges that are kept")
        apart, pairs = self._weights.size - 1, self._ends[self._tree]
        ranks = np.column_stack([forest.bottlenecks(pairs, apart) for forest in forests])
        self._forests, self._kept, self._near, self._bottlenecks = forests, kept, near, self._weights[ranks]


def _minimum_spanning_tree(n: int, ends: _Ints, progress: Progress) -> _Ints:
    """Return the ranks of the n - 1 edges of the minimum spanning tree by rank, increasing."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    # the first edges that join all vertices hold the tree
    count = 4 * n
    while count < len(ends) and pieces(ends[:count], n) > 1:
        count *= 2
        progress(0.0, "spanning tree")
    progress(0.0, "spanning tree")
    pairs = np.sort(ends[:count], axis=1)
    progress(0.0, "spanning tree")
    # of parallel edges the first; the library would add them up, and drop weights of 0
    _, first = np.unique(pairs[:, 0] * n + pairs[:, 1], return_index=True)
    progress(0.0, "spanning tree")
    matrix = coo_array((first + 1.0, (pairs[first, 0], pairs[first, 1])), shape=(n, n))
    progress(0.0, "spanning tree")
    ranks: _Ints = np.sort(minimum_spanning_tree(matrix.tocsr()).data).astype(np.int64) - 1
    return ranks

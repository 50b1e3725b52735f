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

from engine.array_types import Bools, Floats, Ints
from engine.data.graph import WeightedGraph
from engine.progress import Progress, each, part, silent
from engine.queries.edge_flow import EdgeFlow
from engine.queries.forests import GreedyForests
from engine.queries.kept_edges import KeptEdges, Near


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
        # not the graph, beside which the search is kept: both would live until garbage is searched for
        self._n, self._given = graph.n, graph.weights
        progress(0.0, "weights in order")
        self._order: Ints = np.argsort(self._given, kind="stable")
        progress(0.0, "weights in order")
        self._ends: Ints = graph.ends[self._order]
        self._largest = float(graph.domain.upper)
        # one more for the weight of an edge that a cut does not have
        self._weights: Floats = np.append(self._given[self._order], self._largest)
        degree = np.bincount(graph.ends.ravel(), minlength=graph.n)
        self.reach = int(degree.min())
        progress(0.0, "spanning tree")
        self._forests = GreedyForests(graph.n, self._ends)
        self._forests.grow(1, progress)
        self._tree: Ints = self._forests.found[0].edges
        self._kept = self._edges_of(self._tree)
        self._ranks: Ints = np.empty((self._tree.size, 0), dtype=np.int64)
        self._bottlenecks: Floats = np.empty((self._tree.size, 0))
        self._best: Floats = np.empty(0)
        self._proved: Floats = np.empty(0)
        self._sides: list[Bools] = []
        self._earlier: Floats = np.empty((self._tree.size, 0))
        self._worth_a_look: list[Bools] = []

    @property
    def tree(self) -> Ints:
        """The edges of a minimum spanning tree, shape (n - 1,)."""
        return self._order[self._tree]

    def side(self, k: int) -> Bools:
        """Return one side of the best cut known for k, shape (n,)."""
        return self._sides[min(k, self.reach)]

    def follow(self, other: CutSearch) -> None:
        """Take over what was found out about the same edges with other weights.

        Where r weights have risen since, each w_q of a cut is at most w_{q+r} before: of its q + r
        lightest edges q have not risen.  And it is at most a bound b >= w_q before, if no weight up
        to b has risen.  The cuts that were best there are cuts here, too, and are looked at first.
        """
        before = other._bottlenecks
        old = other._given
        risen = old[self._given > old]
        later = np.full(before.shape, self._largest)
        later[:, : max(before.shape[1] - risen.size, 0)] = before[:, risen.size :]
        bounds = np.where(before < risen.min(initial=np.inf), before, later)
        pairs, known = self._pairs(), other._pairs()
        order = np.argsort(known)
        position = order[np.searchsorted(known, pairs, sorter=order).clip(max=known.size - 1)]
        self._earlier = np.where((known[position] == pairs)[:, None], bounds[position], self._largest)
        self._worth_a_look = list({id(side): side for side in other._sides}.values())

    def _pairs(self) -> Ints:
        """Return a number for the two vertices of each edge of the tree."""
        ends = np.sort(self._ends[self._tree], axis=1)
        numbers: Ints = ends[:, 0] * self._n + ends[:, 1]
        return numbers

    def known(self, k_max: int, progress: Progress = silent) -> Floats:
        """Return L_0, ..., L_min(k_max, reach), at first from the cuts around single vertices."""
        count = min(k_max, self.reach) + 1
        if count > self._best.size:
            self._grow_forests(count + 1, progress)
            self._look_around_vertices(count)
        return self._best[:count]

    def prove(self, floor: Floats, progress: Progress = silent) -> Floats:
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
            rest, near = part(progress, 0.3, 1.0), Near(self._kept)
            for done, edge in enumerate(candidates.tolist()):
                rest(done / candidates.size, "cuts that decide the sensitivity")
                self._prove_edge(edge, floor, near, part(rest, done / candidates.size, 1.0))
            self._proved[: best.size] = np.minimum(self._proved[: best.size], floor)
        return self._best[: best.size]

    def _prove_edge(self, edge: int, floor: Floats, near: Near, progress: Progress) -> None:
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
                limit = self._limit(own, first, second)
                if limit == self._weights.size:
                    break
                if flow is None:
                    flow = EdgeFlow(near, source, sink)
                    # where a bound was taken over, the paths in the forests may be beyond the limit
                    within = self._ranks[edge] < limit
                    for forest in self._forests.found[: int(within[: q - 1].sum())]:
                        flow.push(forest.path(source, sink))
                if flow.value >= q:
                    bounds[q - 1] = min(bounds[q - 1], self._weights[limit - 1])
                    break
                progress(0.0)
                vertices = flow.augment(limit)
                if vertices is not None:
                    side = np.zeros(self._n, dtype=np.bool_)
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

    def _learn(self, side: Bools) -> None:
        """Raise L by what a cut gives."""
        count = self._best.size
        lightest = np.full(count + 1, self._largest)
        result = self._weights[self._kept.crossing(side)[: count + 1]]
        lightest[: result.size] = result
        gives = np.maximum(lightest[:-1], lightest[1:] - lightest[0])
        better = np.flatnonzero(gives > self._best)
        self._best[better] = gives[better]
        for k in better.tolist():
            self._sides[k] = side

    def _look_around_vertices(self, count: int) -> None:
        """Make L longer, with the cuts around single vertices."""
        n, known = self._n, self._best.size
        learnt = {id(side): side for side in self._sides}
        start, at = self._kept.start, self._kept.at
        vertices = np.repeat(np.arange(n), np.diff(start))
        position = np.arange(at.size) - start[vertices]
        lightest = np.full((n, count + 1), self._largest)
        near = position <= count
        lightest[vertices[near], position[near]] = self._weights[self._kept.ranks[at[near]]]
        gives = np.maximum(lightest[:, :-1], lightest[:, 1:] - lightest[:, :1])
        vertex = np.argmax(gives, axis=0)
        self._best = np.append(self._best, np.full(count - known, -1.0))
        self._proved = np.append(self._proved, np.full(count - known, np.inf))
        self._sides += [np.zeros(n, dtype=np.bool_)] * (count - known)
        for k in range(known, count):
            self._best[k] = gives[vertex[k], k]
            self._sides[k] = np.arange(n) == vertex[k]
        for side in [*learnt.values(), *self._worth_a_look]:
            self._learn(side)

    def _grow_forests(self, count: int, progress: Progress) -> None:
        """Have `count` forests, their edges as a graph, and their heaviest edges between tree neighbours."""
        self._forests.grow(count, part(progress, 0.0, 0.7))
        forests = self._forests.found
        progress(0.7, "edges that are kept")
        kept = np.sort(np.concatenate([forest.edges for forest in forests]))
        progress(0.75, "edges that are kept")
        edges = self._edges_of(kept)
        apart, pairs = self._weights.size - 1, self._ends[self._tree]
        ranks = np.empty((len(pairs), len(forests)), dtype=np.int64)
        for index, _ in enumerate(each(len(forests), part(progress, 0.8, 1.0), "edges that are kept")):
            ranks[:, index] = forests[index].bottlenecks(pairs, apart)
        bounds = self._weights[ranks]
        for result in (self._bottlenecks, self._earlier):
            width = min(result.shape[1], bounds.shape[1])
            bounds[:, :width] = np.minimum(bounds[:, :width], result[:, :width])
        self._kept, self._ranks, self._bottlenecks = edges, ranks, bounds

    def _edges_of(self, ranks: Ints) -> KeptEdges:
        return KeptEdges(self._n, ranks, self._ends[ranks])

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
tree edge decides: raise the limit to T_q and send a q-th unit.  If that fails, the smallest
cut has w_q > T_q and raises L, and with it T_q.

Three exact shortcuts keep the work small.  The search uses only the edges of the first greedy
forests (statement (i)).  A tree edge needs no flow if these forests (ii), or in a dense graph the
neighbours of vertices (iii), prove B_e(q) <= T_q.

Greedy spanning forests by weight: few edges that keep the light edges of every cut.

Sort the edges by weight, ties in any fixed order.  Put each into the first forest in which
it closes no cycle; drop an edge that closes one in all q forests.

Statement (i).  In every cut, the q lightest of the kept edges have the weights of the q
lightest edges of the graph; so at most q (n - 1) edges matter for w_1, ..., w_q.

Proof.  Let an edge e of the cut be dropped.  In each of the q forests the ends of e were
joined already by a path of earlier edges, and each path crosses the cut.  The forests
have no edge in common, so q edges that are not heavier than e cross the cut and are
kept.  Hence no dropped edge is needed among the q lightest.

Statement (ii).  Let b_i(u, v) be the heaviest edge on the path from u to v in forest i, or
Λ if there is none.  Every cut between u and v has w_i <= b_i(u, v).

Proof.  Joined in forest i means joined in the forests before it, by earlier edges: an edge
enters forest i only after a path in each earlier one joins its ends.  So b_1 <= ... <= b_i,
and each of these i disjoint paths crosses the cut with an edge of at most b_i.

Source: the sparse certificate of Nagamochi and Ibaraki 1992, here with weights as the order.

Statement (iii).  Let every vertex be far from at most t others: neither adjacent nor with a common
neighbour.  Let t = 0 or 2 (t + q - 1) < n, and let d_1 <= d_2 <= ... be the numbers of neighbours.  If
d_1 + ... + d_s - s (s - 1) >= q for s = 2, ..., q - 1, every cut with two or more vertices on each side
has at least q edges.

Proof.  Let a cut have fewer than q edges.  Let vertices on both sides meet none of these edges.  Then
those of either side are far from all those of the other.  So t > 0, and each side has at most t of them
and q - 1 others.  Hence n <= 2 (t + q - 1), a contradiction.  So on one side every vertex meets one of
these edges, and that side has s < q vertices.  At most s (s - 1)/2 edges join two of them, so at least
d_1 + ... + d_s - s (s - 1) >= q edges cross: a contradiction.

Source: after Plesnik 1975, who shows that graphs of diameter two have a smallest cut around one
vertex.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.data.graph import WeightedGraph
from engine.progress import Progress, each, part, silent


class KeptEdges:
    """Some of the edges of a graph.

    Attributes
    ----------
    ranks : ndarray of int, shape (e,)
    first, second : ndarray of int, shape (e,)
        Their ends.
    start : ndarray of int, shape (n + 1,)
        The edges at the vertex v are those from start[v] to start[v + 1] of `at`.
    at : ndarray of int, shape (2 e,)
        By vertex its edges, as indices of `ranks`, increasing.
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


class EdgeFlow:
    """A unit-capacity flow from `source` to `sink` in an undirected graph.

    `near` has for each vertex its edges by increasing rank: (rank, vertex at the other end).
    Only edges of a rank below a limit are used; the limit may grow from call to call, and
    the flow found so far stays.
    """

    def __init__(self, near: Mapping[int, Sequence[tuple[int, int]]], source: int, sink: int) -> None:
        self._near = near
        self._source, self._sink = source, sink
        self._tail: dict[int, int] = {}
        self.value = 0

    def push(self, path: Iterable[tuple[int, int]]) -> None:
        """Send one unit along a path: for each edge its rank and the vertex where it leaves."""
        for rank, tail in path:
            if self._tail.get(rank, tail) != tail:
                del self._tail[rank]  # it takes back what flowed the other way
            else:
                self._tail[rank] = tail
        self.value += 1

    def augment(self, limit: int) -> list[int] | None:
        """Send one more unit through edges of a rank below `limit`, and return None.

        Where none can be sent: the vertices on one side of a smallest cut among those edges, all with flow.
        Searches the residual graph from both ends, the smaller frontier first, so that a cut
        around few vertices is found as quickly as a short path.
        """
        near, tail = self._near, self._tail
        reached: dict[int, tuple[int, int]] = {self._source: (-1, -1)}
        reaching: dict[int, tuple[int, int]] = {self._sink: (-1, -1)}
        front, back = [self._source], [self._sink]
        while front and back:
            grown = []
            if len(front) <= len(back):
                for vertex in front:
                    for rank, other in near[vertex]:
                        if rank >= limit:
                            break
                        if other in reached or tail.get(rank) == vertex:
                            continue
                        reached[other] = (rank, vertex)
                        if other in reaching:
                            self._send(reached, reaching, other)
                            return None
                        grown.append(other)
                front = grown
            else:
                for vertex in back:
                    for rank, other in near[vertex]:
                        if rank >= limit:
                            break
                        if other in reaching or tail.get(rank) == other:
                            continue
                        reaching[other] = (rank, vertex)
                        if other in reached:
                            self._send(reached, reaching, other)
                            return None
                        grown.append(other)
                back = grown
        return list(reaching) if front else list(reached)

    def _send(
        self, reached: dict[int, tuple[int, int]], reaching: dict[int, tuple[int, int]], meeting: int
    ) -> None:
        path = []
        vertex = meeting
        while vertex != self._source:
            rank, vertex = reached[vertex]
            path.append((rank, vertex))
        vertex = meeting
        while vertex != self._sink:
            rank, following = reaching[vertex]
            path.append((rank, vertex))
            vertex = following
        self.push(path)


_DENSE = 16
"""Statement (iii) is tried if at least n^2/16 edges are kept and more than n/16 edges need flows."""

_AT_FIRST = 4
"""A forest starts with this many light edges per vertex, which join nearly all of its vertices."""


@dataclasses.dataclass(frozen=True, eq=False)
class Forest:
    """A spanning forest, grown as Borůvka does, and how its trees grew together.

    In each phase every tree takes the lightest edge that leaves it.  For each tree of a phase, `phases`
    has the tree that it joined and the rank of that edge (-1 if none).  All vertices climb in the same
    step, so O(log n) steps find the heaviest edge between two of them: the heaviest edge taken on their
    ways to the tree where they meet.

    Source: King, "A simpler minimum spanning tree verification algorithm", 1997, Theorem 1.

    Attributes
    ----------
    edges : ndarray of int
        The ranks of its edges, increasing.
    ends : ndarray of int, shape (edges, 2)
        Their ends.
    phases : list of (ndarray of int, ndarray of int)
    n : int
        Number of vertices.
    """

    edges: Ints
    ends: Ints
    phases: list[tuple[Ints, Ints]]
    n: int

    def bottlenecks(self, pairs: Ints, apart: int) -> Ints:
        """Return the rank of the heaviest edge between the vertices of each pair; `apart` if none."""
        first, second = pairs.T
        heaviest = np.full(len(pairs), -1)
        climbing = np.arange(len(pairs))
        for joined, taken in self.phases:
            result = np.maximum(taken[first], taken[second])
            heaviest[climbing] = np.maximum(heaviest[climbing], result)
            first, second = joined[first], joined[second]
            apart_yet = first != second
            first, second, climbing = first[apart_yet], second[apart_yet], climbing[apart_yet]
        heaviest[climbing] = apart
        return heaviest

    def path(self, first: int, second: int) -> list[tuple[int, int]]:
        """Return the path between two joined vertices: (rank, vertex from which it leaves)."""
        up, by, depth = self._rooted
        there, back = [], []
        while first != second:
            if depth[first] >= depth[second]:
                there.append((by[first], first))
                first = up[first]
            else:
                back.append((by[second], up[second]))
                second = up[second]
        return there + back[::-1]

    @cached_property
    def _rooted(self) -> tuple[memoryview, memoryview, memoryview]:
        """For each vertex the next one to its root, the edge there, and its depth, as Python numbers."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import breadth_first_order

        root = self.n  # one more vertex, from which all trees hang
        tree = np.arange(self.n)
        for joined, _ in self.phases:
            tree = joined[tree]
        _, hanging = np.unique(tree, return_index=True)
        ends = np.concatenate([self.ends, np.column_stack([hanging, np.full(hanging.size, root)])])
        rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
        matrix = coo_array((np.ones(rows.size), (rows, columns)), shape=(root + 1, root + 1))
        _, result = breadth_first_order(matrix.tocsr(), root)
        up = result.astype(np.int64)
        up[root] = root
        by = np.full(root + 1, -1)
        first, second = self.ends.T
        by[np.where(up[first] == second, first, second)] = self.edges
        depth, ancestor = np.ones(root + 1, dtype=np.int64), up
        depth[root] = 0
        while (ancestor != root).any():
            depth, ancestor = depth + depth[ancestor], ancestor[ancestor]
        return up.data, by.data, depth.data


class GreedyForests:
    """The greedy forests of a graph, `grown` on demand.

    `ends`, shape (m, 2), are in the order of the weights: the ranks of the edges are 0, ..., m - 1.
    """

    def __init__(self, n: int, ends: Ints) -> None:
        self._n, self._ends = n, ends
        self._rest: Ints = np.arange(len(ends))
        self.grown: list[Forest] = []

    def grow(self, count: int, progress: Progress = silent) -> None:
        """Grow at least `count` forests, each from the edges that the earlier ones left."""
        for here in each(count - len(self.grown), progress, "spanning forests"):
            forest = _spanning_forest(self._n, self._ends, self._rest, progress=here)
            left = np.delete(self._rest, np.searchsorted(self._rest, forest.edges))
            self._rest = left
            self.grown.append(forest)


def _spanning_forest(n: int, ends: Ints, rest: Ints, *, progress: Progress) -> Forest:
    """Return the lightest spanning forest of the edges of the ranks `rest`, which increase.

    It takes the lightest edges first, and then only edges between two of their trees: an edge that is
    heavier than a path between its ends is not needed.
    """
    tree = np.arange(n)
    phases: list[tuple[Ints, Ints]] = []
    start, size, trees = 0, _AT_FIRST * n, n
    while start < rest.size and trees > 1:
        progress(start / rest.size, "spanning forests")
        ranks = rest[start : start + size]
        first, second = tree[ends[ranks]].T
        for phase in _phases(first, second, ranks, trees):
            phases.append(phase)
            tree = phase[0][tree]
            trees = int(phase[0].max()) + 1
        start, size = start + size, 2 * size
    edges = np.unique(np.concatenate([taken for _, taken in phases] or [np.empty(0, dtype=np.int64)]))
    edges = edges[np.searchsorted(edges, 0) :]
    return Forest(edges, ends[edges], phases, n)


def _phases(first: Ints, second: Ints, ranks: Ints, trees: int) -> list[tuple[Ints, Ints]]:
    """Join so many trees by edges between them, and return the phases of it as `Forest` has them."""
    phases: list[tuple[Ints, Ints]] = []
    while True:
        leaving = first != second
        first, second, ranks = first[leaving], second[leaving], ranks[leaving]
        if not ranks.size:
            return phases
        position, every = np.arange(ranks.size), np.arange(trees)
        lightest = np.full(trees, ranks.size)
        np.minimum.at(lightest, first, position)
        np.minimum.at(lightest, second, position)
        takes = np.flatnonzero(lightest < ranks.size)
        edge = lightest[takes]
        other, taken = every.copy(), np.full(trees, -1)
        other[takes] = first[edge] + second[edge] - takes
        taken[takes] = ranks[edge]
        # two that take the same edge would follow each other for ever
        top = np.where(other[other] == every, np.minimum(every, other), other)
        while (top != top[top]).any():
            top = top[top]
        joined = (np.cumsum(top == every) - 1)[top]
        phases.append((joined, taken))
        first, second, trees = joined[first], joined[second], int(joined.max()) + 1


class CutSearch:
    """The best cuts of one graph known so far; each search adds to them (private).

    Attributes
    ----------
    reach : int
        The smallest degree: from there on A^(k) = Λ, since a cut has no more edges.
    tree : ndarray of int, shape (n - 1,)
        The edges of a minimum spanning tree.
    """

    def __init__(self, graph: WeightedGraph, progress: Progress = silent) -> None:
        # no reference to the graph, which holds this search: a cycle would live until garbage collection
        self._n, self._given = graph.n, graph.weights
        progress(0.0, "weights in order")
        self._order: Ints = np.argsort(self._given, kind="stable")
        progress(0.0, "weights in order")
        self._ends: Ints = graph.ends[self._order]
        self._largest = float(graph.domain.upper)
        # one more: the weight of an edge that a cut lacks
        self._weights: Floats = np.append(self._given[self._order], self._largest)
        degree = np.bincount(graph.ends.ravel(), minlength=graph.n)
        self.reach = int(degree.min())
        progress(0.0, "spanning tree")
        self._forests = GreedyForests(graph.n, self._ends)
        self._forests.grow(1, progress)
        self._tree: Ints = self._forests.grown[0].edges
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
        """Reuse the results for the same edges with other weights.

        If r weights have risen since, each w_q of a cut is at most the former w_{q+r}, because q of its
        q + r lightest edges have not risen.  It is also at most a former bound b >= w_q if no weight up to
        b has risen.  The search tries the best cuts of `other` first.
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
        """Search until ``A^(k) <= max(L_k, floor_k)``, and return L; `floor` must not decrease."""
        best = self.known(floor.size - 1, part(progress, 0.0, 0.2))
        floor = floor[: best.size]
        if (self._proved[: best.size] > np.maximum(best, floor)).any():
            enough = np.maximum(best, floor)
            gap = self._gaps(enough)
            is_dense = self._kept.ranks.size * _DENSE >= self._n**2
            if is_dense and np.count_nonzero(gap > 0) * _DENSE > self._n:
                self._bound_by_neighbours(enough, part(progress, 0.2, 0.3))
                gap = self._gaps(enough)
            # the most promising first: what they find spares others
            candidates = np.flatnonzero(gap > 0)[np.argsort(-gap[gap > 0], kind="stable")]
            rest, near = part(progress, 0.3, 1.0), Near(self._kept)
            for done, edge in enumerate(candidates.tolist()):
                rest(done / candidates.size, "cuts that decide the sensitivity")
                self._prove_edge(edge, floor, near, part(rest, done / candidates.size, 1.0))
            self._proved[: best.size] = np.minimum(self._proved[: best.size], floor)
        return self._best[: best.size]

    def _gaps(self, enough: Floats) -> Floats:
        """Return how much the cuts between the ends of each tree edge may exceed `enough`."""
        bounds, weights, count = self._bottlenecks, self._weights[self._tree], enough.size
        later = bounds[:, 1 : count + 1] - weights[:, None]
        gaps: Floats = (np.maximum(bounds[:, :count], later) - enough).max(axis=1)
        return gaps

    def _prove_edge(self, edge: int, floor: Floats, near: Near, progress: Progress) -> None:
        """Leave no cut between the ends of a tree edge that beats both L and `floor`."""
        count = floor.size
        own = float(self._weights[self._tree[edge]])
        bounds = self._bottlenecks[edge]
        source, sink = self._ends[self._tree[edge]].tolist()
        flow: EdgeFlow | None = None
        enough = np.maximum(self._best[:count], floor)
        above = bounds[: count + 1] > np.append(enough, np.inf)
        above |= bounds[: count + 1] - own > np.append(np.inf, enough)
        for q in (np.flatnonzero(above) + 1).tolist():
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
                    for forest in self._forests.grown[: int(within[: q - 1].sum())]:
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
        weights = self._weights.data  # Python numbers
        return bisect_right(weights, second, 0, bisect_right(weights, first), key=lambda one: one - own)

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

    def _bound_by_neighbours(self, enough: Floats, progress: Progress) -> None:
        """Lower the bounds B_e(q) of a dense graph to T_q where statement (iii) proves that.

        Beside the cuts that the statement is about, only those around its two ends separate the ends of an
        edge, and L knows these.
        """
        n, kept, count = self._n, self._kept, enough.size + 1
        around_ends = self._weights[self._ranks_at_vertices(count)[self._ends[self._tree]].max(axis=1)]
        # the rank of the lightest edge between two vertices
        lightest = np.full((n, n), self._weights.size, np.int32)
        lightest[kept.first[::-1], kept.second[::-1]] = kept.ranks[::-1]
        lightest = np.minimum(lightest, lightest.T)
        own = float(self._weights[0])
        far = n  # with more edges fewer vertices are far
        for index, here in enumerate(each(count, progress, "neighbors of vertices")):
            first = float(enough[index]) if index < enough.size else np.inf
            limit = self._limit(own, first, float(enough[index - 1]) if index else np.inf)
            if (self._bottlenecks[:, index] <= self._weights[limit - 1]).all():  # at most Λ if the limit is 0
                continue
            near = lightest < limit
            size = np.arange(2, min(index, n) + 1)
            neighbours = np.sort(np.count_nonzero(near, axis=1))
            if not (np.cumsum(neighbours)[size - 1] - size * (size - 1) > index).all():
                continue
            if far and 2 * (far + index) >= n:
                here(0.0)
                joined = (near | np.eye(n, dtype=np.bool_)).astype(np.float32)
                far = int(np.count_nonzero(joined @ joined == 0, axis=1).max())
            if not far or 2 * (far + index) < n:
                bound = np.maximum(around_ends[:, index], self._weights[limit - 1])
                self._bottlenecks[:, index] = np.minimum(self._bottlenecks[:, index], bound)

    def _ranks_at_vertices(self, count: int) -> Ints:
        """Return the ranks of the `count` lightest edges at each vertex, shape (n, count); m for none."""
        start, at = self._kept.start, self._kept.at
        vertices = np.repeat(np.arange(self._n), np.diff(start))
        position = np.arange(at.size) - start[vertices]
        ranks = np.full((self._n, count), self._weights.size - 1)
        near = position < count
        ranks[vertices[near], position[near]] = self._kept.ranks[at[near]]
        return ranks

    def _look_around_vertices(self, count: int) -> None:
        """Make L longer, with the cuts around single vertices."""
        n, known = self._n, self._best.size
        learnt = {id(side): side for side in self._sides}
        lightest = self._weights[self._ranks_at_vertices(count + 1)]
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
        forests = self._forests.grown
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

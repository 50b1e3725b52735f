"""Greedy spanning forests by weight: few edges that keep the light edges of every cut.

Sort the edges by weight (ties in any fixed order) and put each into the first forest in
which it closes no cycle; an edge that closes one in all q forests is dropped.

Statement (i).  For every cut, the q lightest edges among those kept weigh as much as the
q lightest edges of the graph; so at most q (n - 1) edges matter for w_1, ..., w_q.

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
"""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np

from engine.array_types import Ints
from engine.progress import Progress, each, silent

_AT_FIRST = 4
"""So many edges per vertex are looked at first: they join nearly all that a forest joins."""


@dataclasses.dataclass(frozen=True, eq=False)
class Forest:
    """A spanning forest, grown as Borůvka does, and how its trees grew together.

    In each phase every tree takes the lightest edge that leaves it; `phases` has for each tree
    of a phase the tree it became part of, and the rank of that edge (-1 if it took none).  All
    vertices climb in the same step, so that the heaviest edge between two of them is found in
    O(log n) steps: it is the heaviest that was taken on their ways to the tree where they meet.

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
        """Return the rank of the heaviest edge between the two vertices of each pair.

        Parameters
        ----------
        pairs : ndarray of int, shape (p, 2)
            Two different vertices each.
        apart : int
            Stands for the rank where nothing joins them.
        """
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
    """The greedy forests of a graph, as many as were asked for.

    Parameters
    ----------
    n : int
        Number of vertices.
    ends : ndarray of int, shape (m, 2)
        Ends of the edges in the order of their weights: their ranks are 0, ..., m - 1.

    Attributes
    ----------
    found : list of Forest
    """

    def __init__(self, n: int, ends: Ints) -> None:
        self._n, self._ends = n, ends
        self._rest: Ints = np.arange(len(ends))
        self.found: list[Forest] = []

    def grow(self, count: int, progress: Progress = silent) -> None:
        """Have at least `count` forests, each of the edges that those before it leave over."""
        for here in each(count - len(self.found), progress, "spanning forests"):
            forest = _spanning_forest(self._n, self._ends, self._rest, here)
            left = np.delete(self._rest, np.searchsorted(self._rest, forest.edges))
            self._rest = left
            self.found.append(forest)


def _spanning_forest(n: int, ends: Ints, rest: Ints, progress: Progress) -> Forest:
    """Return the lightest spanning forest of the edges of the ranks `rest`, which increase.

    The lightest edges first, and of the others only those that join two of their trees: what
    is heavier than a path between its ends is not needed.
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

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

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress, silent

_ROUND = 4096
"""Edges between two reports."""


class Forest:
    """A forest that grows edge by edge and remembers when two vertices became joined.

    A union-find by size without path compression: the links keep their time, so that the
    heaviest edge between two vertices is found by climbing, in O(log n) steps.
    """

    def __init__(self, n: int) -> None:
        self.edges: list[tuple[int, int, int]] = []
        self._parent = list(range(n))
        self._size = [1] * n
        self._time = [np.inf] * n
        self._rooted: tuple[list[int], list[int], list[int]] | None = None

    def root(self, vertex: int) -> int:
        """Return the vertex that stands for the tree of `vertex`."""
        parent = self._parent
        while parent[vertex] != vertex:
            vertex = parent[vertex]
        return vertex

    def joins(self, first: int, second: int) -> bool:
        """Tell whether two vertices are in one tree."""
        parent = self._parent
        while parent[first] != first:
            first = parent[first]
        while parent[second] != second:
            second = parent[second]
        return first == second

    def add(self, rank: int, first: int, second: int) -> None:
        """Join two trees by the edge `rank`; ranks must come in increasing order."""
        self.edges.append((rank, first, second))
        first, second = self.root(first), self.root(second)
        if self._size[first] > self._size[second]:
            first, second = second, first
        self._parent[first] = second
        self._time[first] = rank
        self._size[second] += self._size[first]

    def bottlenecks(self, pairs: NDArray[np.int64], apart: int) -> NDArray[np.int64]:
        """Return the rank of the heaviest edge between the two vertices of each pair.

        Parameters
        ----------
        pairs : ndarray of int, shape (p, 2)
            Two different vertices each.
        apart : int
            Stands for the rank where nothing joins them.
        """
        parent, time = np.array(self._parent), np.array(self._time)
        first, second = pairs.T
        heaviest = np.zeros(len(pairs))
        climbing = np.arange(len(pairs))
        while climbing.size:
            # the one whose link is older climbs; a root waits for ever
            younger = time[first] > time[second]
            first, second = np.where(younger, second, first), np.where(younger, first, second)
            heaviest[climbing] = time[first]
            first = parent[first]
            apart_yet = (first != second) & np.isfinite(heaviest[climbing])
            first, second, climbing = first[apart_yet], second[apart_yet], climbing[apart_yet]
        return np.where(np.isfinite(heaviest), heaviest, apart).astype(np.int64)

    def path(self, first: int, second: int) -> list[tuple[int, int]]:
        """Return the path between two joined vertices: (rank, vertex from which it leaves)."""
        up, by, depth = self._root_trees()
        there, back = [], []
        while first != second:
            if depth[first] >= depth[second]:
                there.append((by[first], first))
                first = up[first]
            else:
                back.append((by[second], up[second]))
                second = up[second]
        return there + back[::-1]

    def _root_trees(self) -> tuple[list[int], list[int], list[int]]:
        """Return for each vertex the next one to its root, the edge there, and its depth."""
        if self._rooted is None:
            n = len(self._parent)
            near: list[list[tuple[int, int]]] = [[] for _ in range(n)]
            for rank, first, second in self.edges:
                near[first].append((rank, second))
                near[second].append((rank, first))
            up, by, depth = list(range(n)), [-1] * n, [-1] * n
            for start in range(n):
                if depth[start] >= 0:
                    continue
                depth[start] = 0
                reached = [start]
                for vertex in reached:
                    for rank, other in near[vertex]:
                        if depth[other] < 0:
                            up[other], by[other], depth[other] = vertex, rank, depth[vertex] + 1
                            reached.append(other)
            self._rooted = up, by, depth
        return self._rooted


def greedy_forests(n: int, ends: NDArray[np.int64], count: int, progress: Progress = silent) -> list[Forest]:
    """Return the first `count` greedy forests.

    Parameters
    ----------
    n : int
        Number of vertices.
    ends : ndarray of int, shape (m, 2)
        Ends of the edges in the order of their weights: their ranks are 0, ..., m - 1.

    Notes
    -----
    Ends joined in one forest are joined in all before it, so that the first forest in which
    they are not is found by bisection: O(m log(count) log(n)).
    """
    forests = [Forest(n) for _ in range(count)]
    for start in range(0, len(ends), _ROUND):
        progress(start / len(ends), "spanning forests")
        if len(forests[-1].edges) == n - 1:
            break  # all of them span, and every edge to come is dropped
        for rank, (first, second) in enumerate(ends[start : start + _ROUND].tolist(), start):
            low, high = 0, count
            while low < high:
                middle = (low + high) // 2
                if forests[middle].joins(first, second):
                    low = middle + 1
                else:
                    high = middle
            if low < count:
                forests[low].add(rank, first, second)
    return forests

"""Exact minimum spanning trees of cells or points, without testing all pairs."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Floats, Ints
from engine.histograms.gaps import Gaps
from engine.progress import Progress, part, silent

_BATCH_SIZE = 1 << 16
"""Pairs of nodes per batch."""

_TREE_NEIGHBOURS = 4
"""Number of neighbours in tree order that give each component a first edge."""


def shortest_tree(gaps: Gaps, *, progress: Progress = silent) -> tuple[Ints, Floats]:
    """Return the edges, shape (m - 1, 2), and the lengths of a minimum spanning tree.

    Boruvka's rounds: every component finds its shortest edge to another one.  All search at once, by pairs of
    nodes of a binary tree over the cells, from the roots down.  A pair is dropped if all its cells are in one
    component.  It is also dropped if no distance between the nodes is below the shortest edge found so far of
    a component with cells in them.  No needed edge is lost: the tree is exact.

    March, Ram, Gray 2010 search in this way for trees of points; here the nodes bound d_H.
    """
    rows = gaps.rows
    search = _ShortestEdges(gaps, rows, BisectionTree(rows, part(progress, 0.0, 0.1)))
    edges, lengths = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    while search.pieces > 1:
        done = 1 - math.log(search.pieces) / math.log(search.bisection.size)
        pairs, long = search.join_pieces(part(progress, 0.1 + 0.9 * done, 0.1 + 0.9 * done))
        edges.append(search.bisection.order[pairs])
        lengths.append(long * gaps.unit)
    return np.concatenate(edges), np.concatenate(lengths)


class _ShortestEdges:
    """Components of a forest, and the shortest edge found so far from each to another one.

    Cells are named by their positions in the order of the tree.
    """

    def __init__(self, gaps: Gaps, rows: Floats, bisection: BisectionTree) -> None:
        self._gaps, self.bisection = gaps, bisection
        self._rows = rows[bisection.order]
        self._least = bisection.minima(self._rows)
        self._piece = np.arange(bisection.size)
        self.pieces = bisection.size

    def join_pieces(self, progress: Progress) -> tuple[Ints, Floats]:
        """Join each component to the nearest one; return the edges and their lengths."""
        m = self.bisection.size
        self._length = np.full(self.pieces, np.inf)
        self._edge = np.zeros((self.pieces, 2), dtype=np.int64)
        for step in range(1, min(_TREE_NEIGHBOURS, m - 1) + 1):
            self._look(np.arange(m - step), np.arange(step, m))
        self._descend(progress)
        return self._merge()

    def _look(self, first: Ints, second: Ints) -> None:
        """Try edges between cells in different components."""
        apart = self._piece[first] != self._piece[second]
        first, second = first[apart], second[apart]
        self._offer(first, second, self._gaps.least(self._rows[first], self._rows[second]))

    def _offer(self, first: Ints, second: Ints, length: Floats) -> None:
        """Store edges that are shorter than the stored one of a component at one end."""
        for start, end in ((first, second), (second, first)):
            piece = self._piece[start]
            shorter = np.flatnonzero(length < self._length[piece])
            piece, offered = piece[shorter], length[shorter]
            np.minimum.at(self._length, piece, offered)
            shortest = offered == self._length[piece]
            piece, which = np.unique(piece[shortest], return_index=True)
            which = shorter[shortest][which]
            self._edge[piece] = np.stack([start[which], end[which]], axis=1)

    def _descend(self, progress: Progress) -> None:
        bisection = self.bisection
        low, high = self._ranges()
        stack = [(0, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))]
        while stack:
            progress(0.0)
            level, one, other = stack.pop()
            several = np.minimum(low[level][one], low[level][other]) != np.maximum(
                high[level][one], high[level][other]
            )
            one, other = one[several], other[several]
            least = self._gaps.least(self._least[level][one], self._least[level][other])
            needed = self._longest_edges()[level]
            short = least < np.maximum(needed[one], needed[other])
            one, other = one[short], other[short]
            first = bisection.first(level)
            if level == bisection.depth:
                self._offer(first[one], first[other], least[short])
                continue
            self._look(first[one], first[other])  # one pair of each gives early bounds
            one, other = _children(one, other)
            stack.extend(
                (level + 1, one[start : start + _BATCH_SIZE], other[start : start + _BATCH_SIZE])
                for start in range(0, len(one), _BATCH_SIZE)
            )

    def _ranges(self) -> tuple[list[Floats], list[Floats]]:
        """Return the smallest and the largest component number in each node."""
        numbers = self._piece[:, None].astype(np.float64)
        low, high = self.bisection.minima(numbers), self.bisection.minima(-numbers)
        return [level[:, 0] for level in low], [-level[:, 0] for level in high]

    def _longest_edges(self) -> list[Floats]:
        """Return the longest stored edge of the components in each node."""
        levels = self.bisection.minima(-self._length[self._piece][:, None])
        return [-level[:, 0] for level in levels]

    def _merge(self) -> tuple[Ints, Floats]:
        """Join components by their edges, except where this closes a cycle."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

        # cycles consist of edges of the same length, any of which may go; ranks instead of lengths, since
        # scipy drops edges of length 0, and adds up an edge that both ends have chosen
        order = np.argsort(self._length, kind="stable")
        ends = np.sort(self._piece[self._edge[order]], axis=1)
        _, first = np.unique(ends[:, 0] * self.pieces + ends[:, 1], return_index=True)
        shape = (self.pieces, self.pieces)
        forest = minimum_spanning_tree(
            coo_array((first + 1.0, (ends[first, 0], ends[first, 1])), shape=shape).tocsr()
        )
        kept = order[np.sort(forest.data).astype(np.int64) - 1]
        self.pieces, number = connected_components(forest, directed=False)
        self._piece = number.astype(np.int64)[self._piece]
        return self._edge[kept], self._length[kept]


def _children(one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Return all pairs of children of pairs of nodes; for a node with itself, each pair once."""
    same = one == other
    twin, left, right = 2 * one[same], 2 * one[~same], 2 * other[~same]
    first = [twin, twin, twin + 1, left, left, left + 1, left + 1]
    second = [twin, twin + 1, twin + 1, right, right + 1, right, right + 1]
    return np.concatenate(first), np.concatenate(second)


class BisectionTree:
    """A balanced binary tree over m items, each described by a row of numbers.

    Level l has 2^l nodes.  Node k holds the items ``order[first(l)[k] : first(l)[k + 1]]`` and has the
    children 2k and 2k + 1 in level l + 1.  At level `depth` a node holds one item or none.

    Nodes are halved along the column of `rows`, (m, f), with the largest range.  `leaves`, (m,), are the
    nodes of the last level that hold the items, in the order of the tree.
    """

    def __init__(self, rows: Floats, progress: Progress = silent) -> None:
        self.size = len(rows)
        self.depth = (self.size - 1).bit_length()
        self.order = np.arange(self.size)
        for level in range(self.depth):
            progress(level / self.depth)
            self._halve(level, rows, progress)
        ends = self.first(self.depth)
        self.leaves: Ints = np.flatnonzero(np.diff(np.append(ends, self.size)))

    def first(self, level: int) -> Ints:
        """Return the position in the order at which each node of a level begins, shape (2^level,)."""
        return (np.arange(1 << level, dtype=np.int64) * self.size) >> level

    def minima(self, rows: Floats) -> list[Floats]:
        """Return the minimum of each column in each node, (2^l, f) for l = 0...depth.

        `rows`, (m, f), are in the order of the tree.  Empty nodes get infinity.
        """
        lowest = np.full((1 << self.depth, rows.shape[1]), np.inf)
        lowest[self.leaves] = rows
        levels = [lowest]
        for _ in range(self.depth):
            lowest = np.minimum(lowest[0::2], lowest[1::2])
            levels.append(lowest)
        return levels[::-1]

    def _halve(self, level: int, rows: Floats, progress: Progress) -> None:
        """Move the lower half of each node of a level before the upper one, some nodes at a time."""
        ends = np.append(self.first(level), self.size)
        nodes = max(1, (_BATCH_SIZE << level) // self.size)
        for node in range(0, 1 << level, nodes):
            bounds = ends[node : node + nodes + 1]
            span = slice(bounds[0], bounds[-1])
            some, starts, sizes = rows[self.order[span]], bounds[:-1] - bounds[0], np.diff(bounds)
            spread = np.maximum.reduceat(some, starts) - np.minimum.reduceat(some, starts)
            of_node = np.repeat(np.arange(len(starts)), sizes)
            key = some[np.arange(len(some)), spread.argmax(axis=1)[of_node]]
            sorting = np.lexsort((key, of_node)) if len(starts) > 1 else np.argsort(key)
            self.order[span] = self.order[span][sorting]
            progress(level / self.depth)

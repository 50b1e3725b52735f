"""Things put in such an order that halves, quarters, eighths... of them lie close together."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats, Ints
from engine.progress import Progress, silent

_BATCH_SIZE = 1 << 16


class BisectionTree:
    """A balanced binary tree over m things, each described by a row of numbers.

    Level l has 2^l nodes; node k holds the things ``order[first(l)[k] : first(l)[k + 1]]`` and has
    the children 2k and 2k + 1 in level l + 1.  At level `depth` a node holds one thing or none.

    Parameters
    ----------
    rows : ndarray, shape (m, f)
        What describes the things; nodes are halved along the column that varies most in them.
    progress : Progress

    Attributes
    ----------
    size : int
        m.
    depth : int
    order : ndarray of int64, shape (m,)
    leaves : ndarray of int64, shape (m,)
        Which node of the last level holds each thing, in this order.
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
        """Return the place in the order at which each node of a level begins, shape (2^level,)."""
        return (np.arange(1 << level, dtype=np.int64) * self.size) >> level

    def minima(self, rows: Floats) -> list[Floats]:
        """Return the least value of each column in each node, (2^l, f) for l = 0...depth.

        Parameters
        ----------
        rows : ndarray, shape (m, f)
            In the order of the tree.  Nodes without things get infinity.
        """
        lowest = np.full((1 << self.depth, rows.shape[1]), np.inf)
        lowest[self.leaves] = rows
        levels = [lowest]
        for _ in range(self.depth):
            lowest = np.minimum(lowest[0::2], lowest[1::2])
            levels.append(lowest)
        return levels[::-1]

    def _halve(self, level: int, rows: Floats, progress: Progress) -> None:
        """Put the lower half of each node of a level before the upper one, some nodes at a time."""
        ends = np.append(self.first(level), self.size)
        nodes = max(1, (_BATCH_SIZE << level) // self.size)
        for node in range(0, 1 << level, nodes):
            bounds = ends[node : node + nodes + 1]
            place = slice(bounds[0], bounds[-1])
            some, starts, sizes = rows[self.order[place]], bounds[:-1] - bounds[0], np.diff(bounds)
            spread = np.maximum.reduceat(some, starts) - np.minimum.reduceat(some, starts)
            of_node = np.repeat(np.arange(len(starts)), sizes)
            key = some[np.arange(len(some)), spread.argmax(axis=1)[of_node]]
            sorting = np.lexsort((key, of_node)) if len(starts) > 1 else np.argsort(key)
            self.order[place] = self.order[place][sorting]
            progress(level / self.depth)

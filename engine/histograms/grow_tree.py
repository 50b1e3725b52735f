"""Histograms that grow: cells with many points are cut, again and again."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Bools
from engine.histograms.cubes import DEEPEST, Scheme, blocks
from engine.histograms.multi_level_count import leap, together
from engine.histograms.point_descent import Descent
from engine.histograms.tree import Level, Tree
from engine.progress import Progress, silent

COARSE = 4
"""Points for each cell of the level at which they are counted first, all at once."""


def grow(
    scheme: Scheme, points: ArrayLike, t: int, max_depth: int = DEEPEST, progress: Progress = silent
) -> Tree:
    """Cut every cell that holds at least 2t points, and the whole box in any case.

    Parameters
    ----------
    scheme : Scheme
        How cells are cut.
    points : array_like, shape (n, d)
        In the box of the scheme.
    t : int
        Half of the points below which a cell stays whole, at least 2.
    max_depth : int
        How often a cell is cut at most: points that are all the same never part.
    progress : Progress

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, where the rule is stated in three ways;
    it is "at least 2t".
    """
    values = np.asarray(points, dtype=np.float64)
    progress(0.0, "finding cells")
    fine = scheme.fine(values)
    progress(0.2, "finding cells")
    levels, descent = _begun(scheme, fine, t, max_depth)
    while levels[-1].cut.any():
        progress(min(0.9, 0.3 + 0.1 * descent.level), f"cutting cells of level {descent.level}")
        levels += leap(scheme, descent, levels[-1], t, max_depth)
    return Tree.from_levels(scheme, levels)


def _begun(scheme: Scheme, fine: NDArray[np.int32], t: int, max_depth: int) -> tuple[list[Level], Descent]:
    """Return the first levels: those of the only cell that holds points, or else as many as are dense."""
    descent = Descent(scheme, fine)
    whole = Level(descent.index, descent.counts, descent.parent, np.ones(1, dtype=bool))
    levels = together(scheme, descent, 0, len(fine), t, max_depth)
    if levels:
        return [whole, *levels], descent
    return _counted_at_once(scheme, fine, _dense_level(scheme, len(fine), max_depth), t, max_depth)


def _dense_level(scheme: Scheme, n: int, max_depth: int) -> int:
    level = 0
    while level < max_depth and math.prod(scheme.parts(level + 1)) * COARSE <= n:
        level += 1
    return level


def _counted_at_once(
    scheme: Scheme, fine: NDArray[np.int32], start: int, t: int, max_depth: int
) -> tuple[list[Level], Descent]:
    """Count points in all cells of one level; those of the levels before are sums of these."""
    d, descent = scheme.dimension, Descent(scheme, fine)
    codes = np.empty(len(fine), dtype=np.int64)
    for some in blocks(len(fine)):
        code = np.zeros(some.stop - some.start, dtype=np.int32)
        for axis, parts in enumerate(scheme.parts(start)):
            code *= np.int32(parts)
            code += scheme.index(fine[some, axis], start, axis)
        codes[some] = code
    counts = np.bincount(codes, minlength=math.prod(scheme.parts(start))).reshape(scheme.parts(start))
    pyramid = [counts]
    for level in range(start, 0, -1):
        for axis in range(d):
            firsts = scheme.first(np.arange(scheme.parts(level - 1)[axis]), level - 1, axis)
            counts = np.add.reduceat(counts, firsts, axis=axis)
        pyramid.insert(0, counts)
    levels: list[Level] = []
    alive: Bools = np.ones((1,) * d, dtype=bool)
    rank = np.zeros((1,) * d, dtype=np.int64)
    for level, counts in enumerate(pyramid):
        if level:
            mothers = [
                scheme.parent(np.arange(parts), level, axis) for axis, parts in enumerate(scheme.parts(level))
            ]
            alive, upward = alive[np.ix_(*mothers)], rank[np.ix_(*mothers)]
        else:
            upward = rank
        held = alive & (counts > 0)
        index = np.argwhere(held).astype(np.int64)
        cut = (counts >= 2 * t) & alive & (level < max_depth)
        if level == 0:
            cut[:] = max_depth > 0
        levels.append(Level(index, counts[held], upward[held], cut[held]))
        rank = np.zeros(counts.shape, dtype=np.int64)
        rank[held] = np.arange(len(index))
        alive = cut
    descent.leap(start, levels[-1].index, codes, np.where(alive, rank, -1).astype(np.int32).reshape(-1))
    return levels, descent

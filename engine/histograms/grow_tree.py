"""Grow histograms: split cells with many points recursively, several levels at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Bools, Ints
from engine.histograms.cubes import DEEPEST, Scheme, blocks
from engine.histograms.point_descent import PointDescent
from engine.histograms.tree import Level, Tree
from engine.progress import Progress, silent

POINTS_PER_COARSE_CELL = 4
"""Points per cell of the level that is counted first, in one pass."""


def grow_tree(
    scheme: Scheme, points: ArrayLike, t: int, max_depth: int = DEEPEST, *, progress: Progress = silent
) -> Tree:
    """Split every cell that holds at least 2t points, and the whole box in any case.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, which states the rule in three ways; this is
    "at least 2t".

    `points` have shape (n, d); identical points can never be separated, so that `max_depth` ends the
    recursion.
    """
    values = np.asarray(points, dtype=np.float64)
    progress(0.0, "finding cells")
    fine = scheme.fine(values)
    progress(0.2, "finding cells")
    levels, descent = _first_levels(scheme, fine, t, max_depth)
    while levels[-1].cut.any():
        progress(min(0.9, 0.3 + 0.1 * descent.level), f"cutting cells of level {descent.level}")
        levels += multi_level_count(scheme, descent, levels[-1], t, max_depth)
    return Tree.from_levels(scheme, levels)


def _first_levels(
    scheme: Scheme, fine: NDArray[np.int32], t: int, max_depth: int
) -> tuple[list[Level], PointDescent]:
    """Return the first levels: those with a single occupied cell, or all dense ones."""
    descent = PointDescent(scheme, fine)
    whole = Level(descent.index, descent.counts, descent.parent, np.ones(1, dtype=bool))
    levels = levels_of_one_cell(scheme, descent, 0, len(fine), t, max_depth)
    if levels:
        return [whole, *levels], descent
    return _count_at_once(scheme, fine, _dense_level(scheme, len(fine), max_depth), t, max_depth)


def _dense_level(scheme: Scheme, n: int, max_depth: int) -> int:
    level = 0
    while level < max_depth and math.prod(scheme.parts(level + 1)) * POINTS_PER_COARSE_CELL <= n:
        level += 1
    return level


def _count_at_once(
    scheme: Scheme, fine: NDArray[np.int32], start: int, t: int, max_depth: int
) -> tuple[list[Level], PointDescent]:
    """Count points in all cells of one level; counts of the levels above are sums of these."""
    d, descent = scheme.dimension, PointDescent(scheme, fine)
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
    descent.jump(start, levels[-1].index, codes, np.where(alive, rank, -1).astype(np.int32).reshape(-1))
    return levels, descent


CELLS_PER_POINT = 0.15
"""Cells per point to count at once: a cell costs a few times as much as a point."""


def multi_level_count(
    scheme: Scheme, descent: PointDescent, last: Level, t: int, max_depth: int
) -> list[Level]:
    """Return at least one further level, as if cells with 2t points were split level by level.

    The cost per point does not depend on the depth.  Points are counted for several levels at once, while
    there are fewer cells than points; the levels between are sums of these counts.

    `descent` continues to the last of the levels, if cells of it are to be split; `last` is the level reached
    so far.
    """
    cut = last.cut
    points, cells = int(last.counts[cut].sum()), np.flatnonzero(cut)
    if descent.size > points:
        descent.keep(cut)
    if len(cells) == 1:
        levels = levels_of_one_cell(scheme, descent, int(cells[0]), points, t, max_depth)
        if levels:
            return levels
    level, index = descent.level, descent.index[cells]
    first, width = _below(scheme, index, level, level + 1)
    end = level + 1
    while end < max_depth:
        deeper = _below(scheme, index, level, end + 1)
        if len(cells) * math.prod(deeper[1]) > CELLS_PER_POINT * points:
            break
        (first, width), end = deeper, end + 1
    if end == level + 1:
        descent.split(cut)
        following = (descent.counts >= 2 * t) & (descent.level < max_depth)
        return [Level(descent.index, descent.counts, descent.parent, following)]
    return _count_levels(scheme, descent, cut, first, width, end, t, max_depth)


def levels_of_one_cell(
    scheme: Scheme, descent: PointDescent, cell: int, points: int, t: int, max_depth: int
) -> list[Level]:
    """Return the levels at which all points share one cell, from their extremes."""
    axes, levels, level = range(scheme.dimension), [], descent.level
    ends = [np.array([steps.min(), steps.max()]) for steps in map(descent.steps, axes)]
    while level < max_depth:
        index = np.array([scheme.index(ends[axis], level + 1, axis) for axis in axes], dtype=np.int64)
        if (index[:, 0] != index[:, 1]).any():
            break
        level += 1
        following = np.array([points >= 2 * t and level < max_depth])
        levels.append(Level(index[None, :, 0].copy(), np.array([points]), np.array([cell]), following))
        cell = 0
        if not following[0]:
            break
    if levels:
        descent.stay(level, levels[-1].index)
    return levels


def _below(scheme: Scheme, index: Ints, level: int, end: int) -> tuple[Ints, tuple[int, ...]]:
    """Return the first part of level `end` within each cell, (m, d), and the most parts along each axis."""
    first = np.empty_like(index)
    width = []
    for axis, parts in enumerate(scheme.parts(level)):
        start = np.append(index[:, axis], index[:, axis] + 1)
        beyond = start == parts
        start = np.minimum(start, parts - 1)
        for here in range(level, end):
            start = scheme.first(start, here, axis)
        start[beyond] = scheme.parts(end)[axis]
        first[:, axis], following = np.split(start, 2)
        width.append(int((following - first[:, axis]).max()))
    return first, tuple(width)


def _count_levels(
    scheme: Scheme,
    descent: PointDescent,
    cut: Bools,
    first: Ints,
    width: tuple[int, ...],
    end: int,
    t: int,
    max_depth: int,
) -> list[Level]:
    """Count the points in the parts of level `end`, and sum the levels between."""
    start, cells = descent.level, np.flatnonzero(cut)
    strides = np.array([math.prod(width[axis + 1 :]) for axis in range(len(width))])
    begins = np.zeros(len(cut), dtype=np.int32)
    begins[cells] = np.arange(len(cells)) * math.prod(width) - first @ strides
    codes = descent.cells  # overwritten: the cell of a point is not needed again
    for some in blocks(descent.size):
        code = begins.take(codes[some])
        for axis, stride in enumerate(strides.tolist()):
            part = scheme.index(descent.steps(axis, some), end, axis)
            part *= np.int32(stride)
            code += part
        codes[some] = code
    counts = np.bincount(codes, minlength=len(cells) * math.prod(width))
    held = np.flatnonzero(counts)
    mother, *below = np.unravel_index(held, (len(cells), *width))
    paths = [first[mother] + np.column_stack(below)]
    for level in range(end, start + 1, -1):
        columns = (scheme.parent(paths[-1][:, axis], level, axis) for axis in range(scheme.dimension))
        paths.append(np.column_stack(list(columns)))
    paths.reverse()
    ranks = _ranks(scheme, mother, descent.index[cells], paths, start)
    order = np.argsort(ranks)
    ranks, held, parent = ranks[order], held[order], cells[mother[order]]
    levels: list[Level] = []
    for level, index in enumerate(paths, start + 1):
        group = ranks // scheme.ways ** (scheme.dimension * (end - level))
        new = np.append(True, group[1:] != group[:-1])
        starts, group_of = np.flatnonzero(new), np.cumsum(new) - 1
        many = np.add.reduceat(counts[held], starts)
        following = (many >= 2 * t) & (level < max_depth)
        levels.append(Level(index[order[starts]], many, parent[starts], following))
        on = following[group_of]
        ranks, order, held, parent = ranks[on], order[on], held[on], group_of[on]
        if not len(held):
            return levels
    cell_of = np.full(len(counts), -1, dtype=np.int32)
    cell_of[held] = parent
    descent.jump(end, levels[-1].index, codes, cell_of)
    return levels


def _ranks(scheme: Scheme, mother: Ints, cells: Ints, paths: list[Ints], start: int) -> Ints:
    """Return one number for each cell of the last level: its parent, then its part of each level in turn.

    In this order the parts of every cell are adjacent, at any level between.  The numbers do not overflow:
    2^(d levels) times the parents is at most the number of points, so 3^(d levels) times them is at most
    n^1.6.
    """
    ranks, before = mother, cells[mother]
    for level, index in enumerate(paths, start):
        for axis in range(scheme.dimension):
            ranks = ranks * scheme.ways + index[:, axis] - scheme.first(before[:, axis], level, axis)
        before = index
    return ranks

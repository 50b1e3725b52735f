"""Several levels of a growing histogram at once, where few cells hold many points."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Bools, Ints
from engine.histograms.cubes import Scheme, blocks
from engine.histograms.point_descent import Descent
from engine.histograms.tree import Level

ROOM = 0.15
"""So many cells for each point are counted at once: a cell costs a few times as much as a point."""


def leap(scheme: Scheme, descent: Descent, last: Level, t: int, max_depth: int) -> list[Level]:
    """Return the next levels, one at least, as if cells were cut level by level while they hold 2t points.

    Looking at a point costs the same at any depth.  Points are counted in as many levels at once as
    there are fewer cells than points, and the levels between are sums of these counts.

    Parameters
    ----------
    scheme : Scheme
    descent : Descent
        Goes on to the last of the levels, if cells of it are to be cut.
    last : Level
        The one that was reached; some cells of it are cut.
    t, max_depth : int
        As of `engine.histograms.grow_tree.grow`.
    """
    cut = last.cut
    points, cells = int(last.counts[cut].sum()), np.flatnonzero(cut)
    if descent.size > points:
        descent.keep(cut)
    if len(cells) == 1:
        levels = together(scheme, descent, int(cells[0]), points, t, max_depth)
        if levels:
            return levels
    level, index = descent.level, descent.index[cells]
    first, width = _below(scheme, index, level, level + 1)
    end = level + 1
    while end < max_depth:
        deeper = _below(scheme, index, level, end + 1)
        if len(cells) * math.prod(deeper[1]) > ROOM * points:
            break
        (first, width), end = deeper, end + 1
    if end == level + 1:
        descent.split(cut)
        following = (descent.counts >= 2 * t) & (descent.level < max_depth)
        return [Level(descent.index, descent.counts, descent.parent, following)]
    return _counted(scheme, descent, cut, first, width, end, t, max_depth)


def together(scheme: Scheme, descent: Descent, cell: int, points: int, t: int, max_depth: int) -> list[Level]:
    """Return the levels at which all points are still in one cell, as their extremes tell."""
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


def _counted(
    scheme: Scheme,
    descent: Descent,
    cut: Bools,
    first: Ints,
    width: tuple[int, ...],
    end: int,
    t: int,
    max_depth: int,
) -> list[Level]:
    """Count the points in the parts of level `end`, and add up those between."""
    start, cells = descent.level, np.flatnonzero(cut)
    strides = np.array([math.prod(width[axis + 1 :]) for axis in range(len(width))])
    begins = np.zeros(len(cut), dtype=np.int32)
    begins[cells] = np.arange(len(cells)) * math.prod(width) - first @ strides
    codes = descent.cells  # in its place: which cell holds a point is not asked again
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
        starts, place = np.flatnonzero(new), np.cumsum(new) - 1
        many = np.add.reduceat(counts[held], starts)
        following = (many >= 2 * t) & (level < max_depth)
        levels.append(Level(index[order[starts]], many, parent[starts], following))
        on = following[place]
        ranks, order, held, parent = ranks[on], order[on], held[on], place[on]
        if not len(held):
            return levels
    place = np.full(len(counts), -1, dtype=np.int32)
    place[held] = parent
    descent.leap(end, levels[-1].index, codes, place)
    return levels


def _ranks(scheme: Scheme, mother: Ints, cells: Ints, paths: list[Ints], start: int) -> Ints:
    """Return one number for each cell of the last level: its mother, then its part of each level in turn.

    In their order the parts of every cell, of any level between, stand side by side.  There is room
    for them: since 2^(d levels) times the mothers are at most the points, 3^(d levels) times them
    are at most n^1.6.
    """
    ranks, before = mother, cells[mother]
    for level, index in enumerate(paths, start):
        for axis in range(scheme.dimension):
            ranks = ranks * scheme.ways + index[:, axis] - scheme.first(before[:, axis], level, axis)
        before = index
    return ranks

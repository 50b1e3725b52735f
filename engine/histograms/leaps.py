"""Several levels of a growing histogram at once, where few cells hold many points."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.histograms.cubes import Scheme
from engine.histograms.descent import Descent, blocks
from engine.histograms.tree import Level

_Ints = NDArray[np.int64]
_Mask = NDArray[np.bool_]


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
        As of `engine.histograms.growth.grow`.
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
        if len(cells) * math.prod(deeper[1]) > points:
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


def _below(scheme: Scheme, index: _Ints, level: int, end: int) -> tuple[_Ints, tuple[int, ...]]:
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
    cut: _Mask,
    first: _Ints,
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
    codes, held_by = np.empty(descent.size, dtype=np.int32), descent.cells
    for some in blocks(descent.size):
        codes[some] = begins[held_by[some]]
        for axis, stride in enumerate(strides.tolist()):
            codes[some] += scheme.index(descent.steps(axis, some), end, axis) * np.int32(stride)
    counts = np.bincount(codes, minlength=len(cells) * math.prod(width))
    held = np.flatnonzero(counts)
    mother, *below = np.unravel_index(held, (len(cells), *width))
    paths = [first[mother] + np.column_stack(below)]
    for level in range(end, start + 1, -1):
        columns = (scheme.parent(paths[-1][:, axis], level, axis) for axis in range(scheme.dimension))
        paths.append(np.column_stack(list(columns)))
    levels: list[Level] = []
    which, parent = np.arange(len(held)), cells[mother]
    for index in reversed(paths):
        here = index[which]
        order = np.lexsort((*here.T[::-1], parent))
        which, here, parent = which[order], here[order], parent[order]
        new = np.append(True, (np.diff(parent) != 0) | np.diff(here, axis=0).any(axis=1))
        starts, place = np.flatnonzero(new), np.cumsum(new) - 1
        many = np.add.reduceat(counts[held[which]], starts)
        following = (many >= 2 * t) & (start + len(levels) + 1 < max_depth)
        levels.append(Level(here[starts], many, parent[starts], following))
        on = following[place]
        which, parent = which[on], place[on]
        if not len(which):
            return levels
    place = np.full(len(counts), -1, dtype=np.int64)
    place[held[which]] = parent
    descent.leap(end, levels[-1].index, codes, place)
    return levels

"""How many points the fullest cell of each level holds, without a list of the cells.

Where a level has few cells, all are counted in an array; each coarser array follows from it.  Where it
has many, those that hold points are sorted, and cells are added up only where the fullest one can be.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.mechanisms.one_cluster.cells import (
    COUNTING,
    LARGEST_CODE,
    added_up,
    largest,
    number_of_cells,
    overlapping,
    shift,
    sorted_codes,
    strides_of,
)
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.progress import Progress, silent

PER_POINT = 2
"""So many cells a level may have for each point, all of which are counted."""

MIN_CELLS = 1 << 16
"""So many cells are counted in an array however few points there are."""


def heights_of(grid: DomainGrid, points: Ints, progress: Progress = silent) -> Ints:
    """Return the number of points in the fullest cell of each level, the coarsest first (private)."""
    levels = grid.bits + 2
    if not len(points):
        return np.zeros(levels, dtype=np.int64)
    most = max(PER_POINT * len(points), MIN_CELLS)
    heights, counted = [], None
    for level in range(levels - 1, -1, -1):
        progress((levels - 1 - level) / levels, COUNTING)
        sizes = number_of_cells(grid, level)
        cells = math.prod(map(int, sizes))
        if cells > LARGEST_CODE:
            heights.append(largest(overlapping(grid, points, level, progress).counts))
        elif level == levels - 1:
            heights.append(largest(sorted_codes(points, sizes)[1]))
        elif cells > most:
            heights.append(_fullest_of_many(points >> shift(grid, level), sizes, progress))
        else:
            base = sizes - 1
            counted = _counted(points >> shift(grid, level), base) if counted is None else _halved(counted)
            heights.append(_fullest_of_few(counted))
    progress(1.0, COUNTING)
    return np.array(heights[::-1])


def memory_of_heights(grid: DomainGrid, n: int) -> int:
    """Return about how many bytes `heights_of` takes for n points (public), those of the points included."""
    numbers = 3 * grid.dimension + 4
    if math.prod(map(int, number_of_cells(grid, grid.bits))) > LARGEST_CODE:
        numbers = 3 * (grid.dimension + 1) << grid.dimension
    return 8 * numbers * n


def _fullest_of_few(counts: NDArray[np.int32]) -> int:
    """Return how many points the fullest cell holds, by the counts of all base cells."""
    for axis in range(counts.ndim):
        nothing = np.zeros_like(counts.take([0], axis))
        counts = np.concatenate([counts, nothing], axis) + np.concatenate([nothing, counts], axis)
    return int(counts.max())


def _counted(corners: Ints, sizes: Ints) -> NDArray[np.int32]:
    """Return the number of points in each base cell."""
    codes = corners @ np.array(strides_of(sizes))
    return np.bincount(codes, minlength=int(sizes.prod())).astype(np.int32).reshape(tuple(sizes))


def _halved(counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the counts of cells that are twice as wide."""
    for axis, size in enumerate(counts.shape):
        counts = np.add.reduceat(counts, np.arange(0, size, 2), axis)
    return counts


def _fullest_of_many(corners: Ints, sizes: Ints, progress: Progress) -> int:
    """Return how many points the fullest cell holds, by those base cells that hold any.

    Two halves, neighbours along the first side, make a cell.  One that holds more than the fullest of all
    halves has a half with more than half as much.
    """
    strides = strides_of(sizes)
    codes, counts = sorted_codes(corners + 1, sizes)
    for stride in strides[1:-1]:
        progress(0.0, COUNTING)
        codes, counts = added_up(codes, counts, stride)
    progress(0.0, COUNTING)
    first = np.append(True, codes[1:] - codes[:-1] != 1)  # of those that follow each other
    pairs = counts.copy()
    pairs[:-1] += counts[1:] * ~first[1:]
    half = int(pairs.max())
    if len(strides) == 1:
        return half
    heavy = np.flatnonzero(2 * pairs > half)
    alone = np.flatnonzero((2 * counts > half) & first)
    halves = np.concatenate([codes[heavy], codes[alone] - 1])
    halves_hold = np.concatenate([pairs[heavy], counts[alone]])
    height = half
    for stride in (strides[0], -strides[0]):
        progress(0.0, COUNTING)
        others = _held(codes, counts, halves + stride) + _held(codes, counts, halves + stride + 1)
        height = max(height, largest(halves_hold + others))
    return height


def _held(codes: Ints, counts: Ints, wanted: Ints) -> Ints:
    """Return how many points the wanted cells hold, of those that hold any, in order."""
    places = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[places] == wanted, counts[places], 0)

"""Overlapping dyadic cells, a public family of cubes in which to search for the fullest.

At level j the cells are ``prod_i [v_i b, v_i b + 2 b)`` with b = 2^-j of the longest side.
"""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.progress import Progress, silent

# Every point lies in 2^d cells of a level, and every ball of diameter b lies inside one.  The cells do not
# depend on the data, so the largest count of a cell has sensitivity 1.  The largest count of a ball around a
# record has no such bound.

LARGEST_CODE = 1 << 62

COUNTING = "points in cells of each size"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """The cells of one level that hold points."""

    corners: Ints  # (m, d), index v of each nonempty cell
    counts: Ints  # (m,), number of points in each (private)

    @cached_property
    def heights(self) -> tuple[Ints, Ints]:
        """Return the distinct counts, and the number of cells with each."""
        heights, cells = np.unique(self.counts, return_counts=True)
        return heights, cells

    @cached_property
    def by_count(self) -> tuple[Ints, Ints]:
        """Return the indices of the cells sorted by count, and the start of each count."""
        order = np.argsort(self.counts, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self.heights[1])])


def overlapping(grid: DomainGrid, points: Ints, level: int, *, progress: Progress = silent) -> Cells:
    """Return the cells of a level that hold points."""
    if level == grid.bits + 1:
        return _counted(points, grid.last + 1, progress)
    sizes = number_of_cells(grid, level)
    base = _counted(points >> shift(grid, level), sizes - 1, progress)
    if math.prod(map(int, sizes)) > LARGEST_CODE:
        return _by_corners(base, sizes, progress)
    strides = strides_of(sizes)
    codes, counts = (base.corners + 1) @ np.array(strides), base.counts
    for axis, stride in enumerate(strides):
        progress(axis / len(strides), COUNTING)
        codes, counts = add_to_previous(codes, counts, stride)
    progress(1.0)
    corners = np.stack(np.unravel_index(codes, tuple(map(int, sizes))), axis=1) - 1
    return Cells(corners.astype(np.int64, copy=False), counts)


def _counted(corners: Ints, sizes: Ints, progress: Progress) -> Cells:
    """Return each distinct row of `corners` with the number of its repetitions."""
    if math.prod(map(int, sizes)) > LARGEST_CODE:
        return merge_rows(corners, np.ones(len(corners), dtype=np.int64), sizes, progress=progress)
    progress(0.0, COUNTING)
    codes, counts = sort_codes(corners, sizes)
    progress(0.0, COUNTING)
    return Cells(np.stack(np.unravel_index(codes, tuple(sizes)), axis=1).astype(np.int64, copy=False), counts)


def sort_codes(corners: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return the codes of the nonempty cells, sorted, and the number of points in each."""
    small = math.prod(map(int, sizes)) <= np.iinfo(np.int32).max
    first, *others = strides_of(sizes)
    codes = corners[:, 0] * first
    for column, stride in zip(corners.T[1:], others, strict=True):
        codes += column if stride == 1 else column * stride
    codes = codes.astype(np.int32 if small else np.int64, copy=False)  # int32 sorts faster
    codes.sort()
    ends = np.flatnonzero(np.append(codes[1:] != codes[:-1], True)[: len(codes)])
    codes = codes[ends].astype(np.int64, copy=False)
    ends[1:] -= ends[:-1].copy()
    ends[:1] += 1
    return codes, ends


def _by_corners(base: Cells, sizes: Ints, progress: Progress) -> Cells:
    """Add up base cells if the codes of all cells do not fit into 63 bits."""
    cells = base
    for axis in range(len(sizes)):
        progress(axis / len(sizes), COUNTING)
        before = cells.corners.copy()
        before[:, axis] -= 1
        corners = np.concatenate([cells.corners, before])
        cells = merge_rows(corners, np.tile(cells.counts, 2), sizes, -1, progress=progress)
    return cells


def add_to_previous(codes: Ints, counts: Ints, stride: int) -> tuple[Ints, Ints]:
    """Add the count of each cell to the cell before it along an axis, `stride` codes away."""
    both = np.concatenate([codes, codes - stride])
    order = np.argsort(both, kind="stable")  # merges two sorted runs quickly
    both = both[order]
    sums = np.concatenate([counts, counts])[order]
    twice = np.flatnonzero(both[1:] == both[:-1])  # a code occurs at most twice
    sums[twice] += sums[twice + 1]
    once = np.ones(len(both), dtype=bool)
    once[twice + 1] = False
    return both[once], sums[once]


def strides_of(sizes: Ints) -> list[int]:
    """Return for each axis the difference of codes between neighbouring cells (C order)."""
    return [math.prod(map(int, sizes[axis + 1 :])) for axis in range(len(sizes))]


def shift(grid: DomainGrid, level: int) -> int:
    """Return the number of bits between the index of a grid point and that of its base cell."""
    return max(0, grid.bits - level)


def side(grid: DomainGrid, level: int) -> int:
    """Return b in steps; cells are twice as wide, except on the last level."""
    return 1 << shift(grid, level)


def bounds(grid: DomainGrid, level: int, corners: Ints) -> tuple[Floats, Floats]:
    """Return the first and the last grid index of each cell (m, d) along each axis."""
    b = side(grid, level)
    width = 1 if level == grid.bits + 1 else 2 * b
    low = (corners * b).astype(np.float64)
    return low, low + width - 1


def number_of_cells(grid: DomainGrid, level: int) -> Ints:
    """Return the number of cells of a level along each axis, shape (d,) (public)."""
    return grid.last + 1 if level == grid.bits + 1 else grid.last // side(grid, level) + 2


def log_cells(grid: DomainGrid, level: int) -> float:
    """Return the logarithm of the number of cells of a level (public)."""
    return math.fsum(math.log(count) for count in number_of_cells(grid, level))


def merge_rows(
    corners: Ints, counts: Ints, sizes: Ints, least: int = 0, *, progress: Progress = silent
) -> Cells:
    """Return each distinct row of `corners` with the sum of its counts."""
    codes, size = corners[:, 0] - least, int(sizes[0])
    for column, more in zip(corners.T[1:], sizes[1:], strict=True):
        if size * int(more) > LARGEST_CODE:  # replace codes by their ranks, which are smaller
            codes = np.unique(codes, return_inverse=True)[1]
            size = len(corners)
        codes, size = codes * int(more) + (column - least), size * int(more)
    progress(0.0, COUNTING)
    order = np.argsort(codes, kind="stable")
    progress(0.0, COUNTING)
    starts = _starts(codes[order])
    return Cells(corners[order[starts]], _sums(counts[order], starts))


def most_in_a_cube(points: Ints, side: int) -> int:
    """Return the number of points in the fullest cube of a partition, for at least one point."""
    sizes = points.max(axis=0) // side + 1
    if math.prod(map(int, sizes)) > LARGEST_CODE:
        return largest(merge_rows(points // side, np.ones(len(points), dtype=np.int64), sizes).counts)
    codes = np.zeros(len(points), dtype=np.int64)  # one column at a time, to save memory
    for column, size in zip(points.T, sizes, strict=True):
        codes *= size
        codes += column // side
    codes.sort()
    return largest(np.diff(_starts(codes), append=len(codes)))


def _starts(ordered: Ints) -> Ints:
    """Return the indices at which a new value begins."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])


def _sums(counts: Ints, starts: Ints) -> Ints:
    """Return the sums of the counts from each start to the next."""
    return np.add.reduceat(counts, starts) if len(starts) else counts[:0]


def largest(counts: Ints) -> int:
    """Return the largest count; 0 if there are none."""
    return int(counts.max()) if counts.size else 0

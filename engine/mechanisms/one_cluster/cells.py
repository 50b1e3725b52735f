"""Overlapping dyadic cells: a public family of cubes, so that the fullest of them can be sought.

At level j the cells are ``prod_i [v_i b, v_i b + 2 b)`` with b = 2^-j of the longest side: every
point lies in 2^d of them, and every ball of diameter b lies inside one.  Since the family does not
depend on the data, the largest number of points in a cell has sensitivity 1, which that of balls
around the points themselves has not.
"""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.progress import Progress, part, silent

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

LARGEST_CODE = 1 << 62

COUNTING = "points in cells of each size"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """The cells of one level that hold points.

    Attributes
    ----------
    corners : ndarray of int, shape (m, d)
        Index v of each cell that is not empty.
    counts : ndarray of int, shape (m,)
        How many points each holds (private).
    """

    corners: _Ints
    counts: _Ints

    @cached_property
    def heights(self) -> tuple[_Ints, _Ints]:
        """Return the different counts, and how many cells have each."""
        heights, cells = np.unique(self.counts, return_counts=True)
        return heights, cells

    @cached_property
    def by_count(self) -> tuple[_Ints, _Ints]:
        """Return the places of the cells in order of their counts, and where each count begins."""
        order = np.argsort(self.counts, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self.heights[1])])


class DyadicCells:
    """Points of a grid, counted in the cells of every level.

    Level j = 0 is the coarsest; at level `bits` cells are two grid points wide, and at the last
    one, `bits` + 1, a cell is a single grid point.

    Parameters
    ----------
    grid : DomainGrid
    points : ndarray of int, shape (n, d)
        Indices of the grid.
    """

    def __init__(self, grid: DomainGrid, points: _Ints, progress: Progress = silent) -> None:
        self.grid = grid
        self._kept: dict[int, Cells] = {}
        finest = merged(points, np.ones(len(points), dtype=np.int64), grid.last + 1, progress=progress)
        self._bases = [finest]
        self._heights = [largest(finest.counts)]
        for level in range(grid.bits, -1, -1):
            turn = part(progress, 1 - (level + 1) / (grid.bits + 1), 1 - level / (grid.bits + 1))
            base = finest if level == grid.bits else self._coarser(level, turn)
            self._bases.append(base)
            self._heights.append(largest(self._overlapping(base, level, turn).counts))
        self._bases.reverse()
        self._heights.reverse()

    @property
    def levels(self) -> int:
        """How many levels there are, bits + 2."""
        return self.grid.bits + 2

    @property
    def heights(self) -> _Ints:
        """Number of points in the fullest cell of each level, never increasing (private)."""
        return np.array(self._heights)

    def cells(self, level: int, progress: Progress = silent) -> Cells:
        """Return the cells of a level."""
        if level == self.levels - 1:
            return self._bases[level]
        if level not in self._kept:
            while len(self._kept) >= 4:
                self._kept.pop(next(iter(self._kept)))
            self._kept[level] = self._overlapping(self._bases[level], level, progress)
        return self._kept[level]

    def _coarser(self, level: int, progress: Progress) -> Cells:
        finer, sizes = self._bases[-1], self.grid.last // side(self.grid, level) + 1
        return merged(finer.corners >> 1, finer.counts, sizes, progress=progress)

    def _overlapping(self, base: Cells, level: int, progress: Progress) -> Cells:
        """Add up the 2^d base cells that each cell is made of, one axis after the other."""
        sizes = [int(size) for size in number_of_cells(self.grid, level)]
        if math.prod(sizes) > LARGEST_CODE:
            return self._by_corners(base, np.array(sizes), progress)
        # one number for each cell; the cell before it along an axis is a fixed number away
        strides = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
        codes = (base.corners + 1) @ np.array(strides)
        order = np.argsort(codes, kind="stable")
        codes, counts = codes[order], base.counts[order]
        for axis, stride in enumerate(strides):
            step = part(progress, axis / len(strides), (axis + 1) / len(strides))
            step(0.0, COUNTING)
            codes, counts = _summed(np.concatenate([codes, codes - stride]), np.tile(counts, 2), step)
        progress(1.0)
        corners = np.stack(np.unravel_index(codes, sizes), axis=1) - 1
        return Cells(corners.astype(np.int64, copy=False), counts)

    def _by_corners(self, base: Cells, sizes: _Ints, progress: Progress) -> Cells:
        """Do the same where there are more cells than whole numbers of 63 bits."""
        found = base
        for axis in range(self.grid.dimension):
            progress(axis / self.grid.dimension, COUNTING)
            before = found.corners.copy()
            before[:, axis] -= 1
            corners = np.concatenate([found.corners, before])
            found = merged(corners, np.tile(found.counts, 2), sizes, -1, progress)
        return found


def side(grid: DomainGrid, level: int) -> int:
    """Return b in steps; a cell is twice as wide, but for the last level."""
    return int(2 ** max(0, grid.bits - level))


def bounds(grid: DomainGrid, level: int, corners: _Ints) -> tuple[_Floats, _Floats]:
    """Return the first and the last index of each cell (m, d) along each side."""
    b = side(grid, level)
    width = 1 if level == grid.bits + 1 else 2 * b
    low = (corners * b).astype(np.float64)
    return low, low + width - 1


def number_of_cells(grid: DomainGrid, level: int) -> _Ints:
    """Return how many cells a level has along each side, shape (d,) (public)."""
    return grid.last + 1 if level == grid.bits + 1 else grid.last // side(grid, level) + 2


def log_cells(grid: DomainGrid, level: int) -> float:
    """Return the logarithm of the number of cells of a level (public)."""
    return math.fsum(math.log(count) for count in number_of_cells(grid, level))


def merged(corners: _Ints, counts: _Ints, sizes: _Ints, least: int = 0, progress: Progress = silent) -> Cells:
    """Return each different row of `corners` once, with the sum of its counts.

    Parameters
    ----------
    sizes : ndarray of int, shape (d,)
        Rows lie in ``least, ..., least + sizes - 1`` in each column.
    """
    codes, size = corners[:, 0] - least, int(sizes[0])
    for column, more in zip(corners.T[1:], sizes[1:], strict=True):
        if size * int(more) > LARGEST_CODE:  # the rank says as much as the code
            codes = np.unique(codes, return_inverse=True)[1]
            size = len(corners)
        codes, size = codes * int(more) + (column - least), size * int(more)
    progress(0.0, COUNTING)
    order = np.argsort(codes, kind="stable")
    progress(0.0, COUNTING)
    starts = _starts(codes[order])
    return Cells(corners[order[starts]], _sums(counts[order], starts))


def _summed(codes: _Ints, counts: _Ints, progress: Progress) -> tuple[_Ints, _Ints]:
    """Return each different code once, in order, with the sum of its counts."""
    order = np.argsort(codes, kind="stable")  # two runs in order, which are merged quickly
    progress(0.5, COUNTING)
    codes = codes[order]
    starts = _starts(codes)
    return codes[starts], _sums(counts[order], starts)


def _starts(ordered: _Ints) -> _Ints:
    """Return where a new value begins."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])


def _sums(counts: _Ints, starts: _Ints) -> _Ints:
    """Return the sum of the counts from each start to the next."""
    return np.add.reduceat(counts, starts) if len(starts) else counts[:0]


def largest(counts: _Ints) -> int:
    """Return the largest of some counts, 0 if there are none."""
    return int(counts.max()) if counts.size else 0

"""Grids of equal cells: partitions independent of the data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box, Interval
from engine.histograms.histogram import COUNTING, BoxHistogram, side_shares
from engine.progress import Progress, silent

MAX_CELLS = 1 << 20
"""Largest number of cells for plots and releases."""

_RECORDS = 1 << 16


def max_bins(dimension: int, cells: int = MAX_CELLS) -> int:
    """Return the largest number of parts per axis, in d axes, for at most this many cells."""
    bins = int(cells ** (1 / dimension)) + 1
    return next(fewer for fewer in range(bins, 0, -1) if fewer**dimension <= cells)


BINS = 16
"""Parts of each of several axes by default."""
ROUND = 25
"""Usual number of equal parts between round edges."""


def _divides(step: float, end: float) -> bool:
    return abs(math.remainder(end, step)) < 1e-9 * step


def round_edges(side: Interval) -> Floats:
    """Return the edges of equal parts that cover an interval: 24 of 5 years for 0 to 120.

    Their width is 1, 2 or 5 times a power of ten, in a long interval at least 1, and so that the bounds are
    edges if 10 to 50 parts allow that.  Where a resolution is declared, the width is a multiple of it.
    """
    resolution, whole = side.resolution or 0.0, float(side.width >= 10)
    power = math.floor(math.log10(side.width / ROUND))
    all_steps = (digit * 10.0**ten for ten in range(power, power + 2) for digit in (1, 2, 5))
    steps = [step for step in all_steps if step >= max(whole, side.width / 50 * (1 - 1e-9))]
    even = [step for step in steps if _divides(step, side.lower) and _divides(step, side.upper)]
    usual = next(step for step in steps if step >= side.width / ROUND * (1 - 1e-9))
    step = min(even, key=lambda step: abs(side.width / step - ROUND), default=usual)
    if resolution:
        step = max(1, math.ceil(step / resolution * (1 - 1e-9))) * resolution
    first = math.floor(side.lower / step + 1e-9)
    end = side.upper / step
    last = max(first, math.floor(end + 1e-9)) + 1 if resolution else max(first + 1, math.ceil(end - 1e-9))
    numbers, parts = np.arange(first, last + 1, dtype=np.float64), float(np.rint(1 / step))
    return numbers / parts if math.isclose(parts * step, 1) else numbers * step  # 3/20 is 0.15


@dataclasses.dataclass(frozen=True)
class Grid:
    """A box cut into `bins` parts along each axis; cells are numbered in C order.

    The parts are equal, or on a line those between given `edges`.  A cell includes its lower faces; upper
    faces belong to it only at the end of the box.
    """

    box: Box
    bins: int
    edges: tuple[float, ...] = ()  # (bins + 1,), increasing, from one end of the line to the other

    @classmethod
    def between(cls, box: Box, edges: Sequence[float]) -> Grid:
        """Return the parts of a line between its ends and the edges that are between them."""
        ends = tuple(np.unique(box.sides[0].clamp([-math.inf, *edges, math.inf])).tolist())
        return cls(box, len(ends) - 1, ends)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of parts of each axis."""
        return (self.bins,) * self.box.dimension

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    def planes(self, axis: int) -> Floats:
        """Return the bounds of the parts of an axis, one more than parts."""
        if self.edges:
            return np.array(self.edges)
        side = self.box.sides[axis]
        return np.linspace(side.lower, side.upper, self.bins + 1)

    def cells(self, points: ArrayLike) -> Ints:
        """Return the number of the cell of each point, shape (n,)."""
        values = np.asarray(points, dtype=np.float64)
        numbers = np.zeros(len(values), dtype=np.int64)
        for axis, column in enumerate(values.T):
            numbers *= self.bins
            numbers += np.searchsorted(self.planes(axis)[1:-1], column, side="right")
        return numbers

    def counts(self, points: ArrayLike, progress: Progress = silent) -> Ints:
        """Count the points in each cell (private), shape (cells,)."""
        values = np.asarray(points, dtype=np.float64)
        cells = np.empty(len(values), dtype=np.int64)
        for start in range(0, len(values), _RECORDS):
            progress(start / len(values), "counting points")
            cells[start : start + _RECORDS] = self.cells(values[start : start + _RECORDS])
        return np.bincount(cells, minlength=self.size)

    def corners(self) -> tuple[Floats, Floats]:
        """Return lower and upper corners of all cells, shape (cells, d)."""
        lower, upper = np.empty((self.size, self.box.dimension)), np.empty((self.size, self.box.dimension))
        for axis, places in enumerate(np.unravel_index(np.arange(self.size), self.shape)):
            planes = self.planes(axis)
            lower[:, axis], upper[:, axis] = planes[places], planes[places + 1]
        return lower, upper

    def histogram(self, counts: ArrayLike) -> GridHistogram:
        """Return the histogram with these counts, shape (cells,)."""
        lower, upper = self.corners()
        numbers = np.asarray(counts, dtype=np.float64)
        return GridHistogram(lower, upper, numbers, np.ones(self.size, dtype=np.int64), self)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class GridHistogram(BoxHistogram):
    """A histogram of the cells of a grid, including empty ones."""

    grid: Grid

    def chosen(self, cells: ArrayLike) -> BoxHistogram:  # type: ignore[override]
        some = np.asarray(cells)
        return BoxHistogram(self.lower[some], self.upper[some], self.counts[some], self.level[some])

    def estimates(self, lower: ArrayLike, upper: ArrayLike, progress: Progress = silent) -> Floats:
        """Estimate the number of points in boxes (k, d) to (k, d), one axis after the other."""
        low, high = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (lower, upper))
        left = self.counts[None, None, :]  # the counts of each box within the axes so far
        for axis in range(self.dimension):
            progress(axis / self.dimension, COUNTING)
            planes = self.grid.planes(axis)
            shares = side_shares(planes[:-1], planes[1:], low[:, axis], high[:, axis])
            left = shares[:, None, :] @ left.reshape(len(left), self.grid.bins, -1)
        return np.asarray(left.reshape(len(low)))

    def places(self, points: ArrayLike) -> Ints:
        """Return the cell of each point; -1 outside the box."""
        values = np.atleast_2d(np.asarray(points, dtype=np.float64))
        box = self.grid.box
        inside = ((values >= box.lower) & (values <= box.upper)).all(axis=1)
        return np.where(inside, self.grid.cells(values), -1)

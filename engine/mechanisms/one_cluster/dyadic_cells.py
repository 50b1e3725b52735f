"""Points of a grid, counted in overlapping cells of every size."""

from __future__ import annotations

from engine.array_types import Ints
from engine.mechanisms.one_cluster.cells import Cells, overlapping
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.heights import heights_of
from engine.progress import Progress, silent

LEVELS_KEPT = 4
"""Each may be several times as large as the data."""


class DyadicCells:
    """Points of a grid, counted in the cells of every level.

    Level j = 0 is the coarsest; at level `bits` cells are two grid points wide, and at the last
    one, `bits` + 1, a cell is a single grid point.

    Parameters
    ----------
    grid : DomainGrid
    points : ndarray of int, shape (n, d)
        Indices of the grid.

    Attributes
    ----------
    heights : ndarray of int, shape (bits + 2,)
        Number of points in the fullest cell of each level, never increasing (private).
    """

    def __init__(self, grid: DomainGrid, points: Ints, progress: Progress = silent) -> None:
        self.grid = grid
        self.heights = heights_of(grid, points, progress)
        self._points = points
        self._kept: dict[int, Cells] = {}

    @property
    def levels(self) -> int:
        """How many levels there are, bits + 2."""
        return self.grid.bits + 2

    def cells(self, level: int, progress: Progress = silent) -> Cells:
        """Return the cells of a level."""
        if level not in self._kept:
            while len(self._kept) >= LEVELS_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[level] = overlapping(self.grid, self._points, level, progress)
        return self._kept[level]

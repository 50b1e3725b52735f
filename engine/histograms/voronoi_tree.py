"""Cells cut into Voronoi cells again and again: who lies in whom, and which cell holds a point."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from engine.array_types import Floats, Ints
from engine.histograms.voronoi_cells import Bounds, Cell
from engine.histograms.voronoi_region import Region
from engine.progress import Progress, reporting, silent

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


_BLOCK = 1 << 15


@dataclasses.dataclass(frozen=True, eq=False)
class CellDivision:
    """A cell that is cut.

    Attributes
    ----------
    cell : Cell
        What is cut.
    centers : ndarray, shape (m, d)
        By which centers, in units of the region.
    bounds : Bounds
        Balls and boxes around the m cells.
    index : scipy.spatial.cKDTree
        Of the centers; it finds the nearest one, and decides between equally near ones.
    rows : ndarray, shape (m,)
        Where each of the m cells is in the tree; -1 for one that is left out because it is empty.
    """

    cell: Cell
    centers: Floats
    bounds: Bounds
    index: cKDTree
    rows: Ints

    def child(self, which: int) -> Cell:
        """Return one of the m cells."""
        return self.cell.child(self.centers, which, self.bounds)


@dataclasses.dataclass(frozen=True, eq=False)
class VoronoiTree:
    """All cells of a Voronoi histogram, those that were cut included; in units of the region.

    Nothing in it was computed from data, other than which cells were cut and which were left out.

    Attributes
    ----------
    region : Region
        The space that was cut; cell 0.
    cuts : dict of int to Cut
        The cells that were cut, by row.
    centers, radii, lower, upper : ndarray, shape (m, d), (m,), (m, d) and (m, d)
        Center of each cell, and the ball and the box that certainly hold it.
    level, parent, place : ndarray of int64, shape (m,)
        How often the region was cut to make the cell, from which cell it was cut (-1 for cell 0),
        and by which of the centers there.
    """

    region: Region
    cuts: dict[int, CellDivision]
    centers: Floats
    radii: Floats
    lower: Floats
    upper: Floats
    level: Ints
    parent: Ints
    place: Ints

    def rows(self, points: Floats, progress: Progress = silent) -> Ints:
        """Return the row of the last cell that holds each of points (n, d) in data units; -1 for none."""
        scaled = self.region.scaled(points)
        inside = self.region.inside(scaled)
        found = np.where(inside, 0, -1)
        waiting = [(0, np.flatnonzero(inside))]
        while waiting:
            row, members = waiting.pop()
            cut = self.cuts.get(row)
            if cut is None:
                found[members] = row
            else:
                parts = divided(cut.index, scaled, members, progress)
                waiting.extend((int(cut.rows[which]), some) for which, some in parts)
        return found

    def ancestors(self, rows: Ints, level: int) -> Ints:
        """Return the cells of at most `level` that hold the cells of `rows`."""
        found = rows.copy()  # cell 0 has level 0
        while (low := self.level[found] > level).any():
            found[low] = self.parent[found[low]]
        return found

    def paths(self, rows: Ints, progress: Progress = silent) -> list[list[int]]:
        """Return by which centers, level by level, one comes from the region to each cell."""
        steps: dict[int, list[int]] = {0: []}
        below = np.flatnonzero(self.parent >= 0).tolist()  # cells come after those they were cut from
        for row in reporting(below, len(below), progress):
            steps[row] = [*steps[int(self.parent[row])], int(self.place[row])]
        return [steps[row] for row in rows.tolist()]

    def up_to(self, level: int) -> VoronoiTree:
        """Return the tree in which cells of `level` are not cut any more."""
        cuts = {row: cut for row, cut in self.cuts.items() if self.level[row] < level}
        return dataclasses.replace(self, cuts=cuts)

    def cell(self, row: int) -> Cell:
        """Return a cell with its half-spaces."""
        if row in self.cuts:
            return self.cuts[row].cell
        if row == 0:
            return Cell.whole(self.region)
        return self.cuts[int(self.parent[row])].child(int(self.place[row]))


def divided(
    index: cKDTree, points: Floats, members: Ints, progress: Progress = silent
) -> Iterator[tuple[int, Ints]]:
    """Yield the centers that are nearest to some of `members`, rows of `points`, and to which of them."""
    if not len(members):
        return
    nearest = np.empty(len(members), dtype=np.int64)
    for start in range(0, len(members), _BLOCK):
        progress(start / len(members))
        nearest[start : start + _BLOCK] = index.query(points[members[start : start + _BLOCK]])[1]
    order = np.argsort(nearest, kind="stable")
    edges = np.flatnonzero(np.diff(nearest[order], prepend=-1))
    yield from zip(nearest[order[edges]].tolist(), np.split(members[order], edges[1:]), strict=True)

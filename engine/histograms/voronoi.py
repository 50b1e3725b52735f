"""Histograms of nested Voronoi cells: the tree of splits, and its growth."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import WRITING, uncollected
from engine.histograms.voronoi_cells import Bounds, Cell, bounds
from engine.histograms.voronoi_centers import Centers
from engine.histograms.voronoi_region import Region
from engine.numerals import grouped
from engine.progress import Progress, part, reporting, silent

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


_BLOCK = 1 << 15


@dataclasses.dataclass(frozen=True, eq=False)
class CellDivision:
    """A split cell."""

    cell: Cell  # the cell
    centers: Floats  # (m, d): its centers, in units of the region
    bounds: Bounds  # balls and boxes around the m cells
    index: cKDTree  # of the centers; finds the nearest one, and decides between equally near ones
    # (m,): row of each of the m cells in the tree; -1 for an omitted empty one
    rows: Ints

    def child(self, which: int) -> Cell:
        """Return one of the m cells."""
        return self.cell.child(self.centers, which, self.bounds)


@dataclasses.dataclass(frozen=True, eq=False)
class VoronoiTree:
    """All cells of a Voronoi histogram, including the split ones; in units of the region.

    Only the choice of split and omitted cells depends on the data.
    """

    region: Region  # the space; cell 0
    cuts: dict[int, CellDivision]  # the split cells, by row
    # (m, d), (m,), (m, d) and (m, d): center of each cell, and a ball and a box guaranteed to contain it
    centers: Floats
    radii: Floats
    lower: Floats
    upper: Floats
    # (m,): number of splits that made the cell, its parent (-1 for cell 0), and the index of its center there
    level: Ints
    parent: Ints
    number: Ints

    def rows(self, points: Floats, progress: Progress = silent) -> Ints:
        """Return the row of the last cell that holds each of points (n, d) in data units; -1 for none."""
        scaled = self.region.scale(points)
        inside = self.region.inside(scaled)
        rows = np.where(inside, 0, -1)
        waiting = [(0, np.flatnonzero(inside))]
        while waiting:
            row, members = waiting.pop()
            cut = self.cuts.get(row)
            if cut is None:
                rows[members] = row
            else:
                parts = divide(cut.index, scaled, members, progress=progress)
                waiting.extend((int(cut.rows[which]), some) for which, some in parts)
        return rows

    def ancestors(self, rows: Ints, level: int) -> Ints:
        """Return the ancestors at level `level` or above of the cells in `rows`."""
        ancestors = rows.copy()  # cell 0 has level 0
        while (low := self.level[ancestors] > level).any():
            ancestors[low] = self.parent[ancestors[low]]
        return ancestors

    def paths(self, rows: Ints, progress: Progress = silent) -> list[list[int]]:
        """Return the indices of centers, level by level, from the region to each cell."""
        steps: dict[int, list[int]] = {0: []}
        below = np.flatnonzero(self.parent >= 0).tolist()  # cells follow their parents
        for row in reporting(below, len(below), progress):
            steps[row] = [*steps[int(self.parent[row])], int(self.number[row])]
        return [steps[row] for row in rows.tolist()]

    def up_to(self, level: int) -> VoronoiTree:
        """Return the tree without the splits of cells of `level`."""
        cuts = {row: cut for row, cut in self.cuts.items() if self.level[row] < level}
        return dataclasses.replace(self, cuts=cuts)

    def cell(self, row: int) -> Cell:
        """Return a cell with its half-spaces."""
        if row in self.cuts:
            return self.cuts[row].cell
        if row == 0:
            return Cell.whole(self.region)
        return self.cuts[int(self.parent[row])].child(int(self.number[row]))


def divide(
    index: cKDTree, points: Floats, members: Ints, *, progress: Progress = silent
) -> Iterator[tuple[int, Ints]]:
    """Yield each center that is nearest to some of `members`, rows of `points`, with these members."""
    if not len(members):
        return
    nearest = np.empty(len(members), dtype=np.int64)
    for start in range(0, len(members), _BLOCK):
        progress(start / len(members))
        nearest[start : start + _BLOCK] = index.query(points[members[start : start + _BLOCK]])[1]
    order = np.argsort(nearest, kind="stable")
    edges = np.flatnonzero(np.diff(nearest[order], prepend=-1))
    yield from zip(nearest[order[edges]].tolist(), np.split(members[order], edges[1:]), strict=True)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class VoronoiHistogram(EnclosingHistogram):
    """Cells and counts of a `VoronoiTree`: all that were not split, or some of them.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.2.  They bound the radius of a cell by twice the radius of
    the cover (lemma 2.3).  Here each cell has a ball and a box that are guaranteed to contain it
    (`engine.histograms.voronoi_cells.bounds`), from geometry alone, and distances follow from them.

    Empty cells may be omitted, but no others: a point in none of the cells is in an empty one.
    """

    rows: Ints  # (m,): rows of these cells in the tree
    tree: VoronoiTree  # the splits

    @classmethod
    def of(cls, tree: VoronoiTree, rows: Ints, counts: ArrayLike) -> VoronoiHistogram:
        """Return the histogram of some cells of a tree."""
        region, pad = tree.region, tree.region.spacing
        lower, upper = region.unscale(tree.lower[rows]) - pad, region.unscale(tree.upper[rows]) + pad
        if not region.is_ball:
            lower, upper = np.maximum(lower, region.box.lower), np.minimum(upper, region.box.upper)
        return cls(lower, upper, np.asarray(counts, dtype=np.float64), tree.level[rows], rows, tree)

    @property
    def box(self) -> Box:
        return self.tree.region.box

    @cached_property
    def centers(self) -> Floats:
        """Center of each cell in data units, shape (m, d)."""
        return self.tree.region.unscale(self.tree.centers[self.rows])

    @cached_property
    def radii(self) -> Floats:
        """Radius of a ball around the center that holds the cell, in data units, shape (m,)."""
        region = self.tree.region
        return region.radius * self.tree.radii[self.rows] + float(np.linalg.norm(region.spacing))

    def places(self, points: ArrayLike) -> Ints:
        where = np.full(len(self.tree.level) + 1, -1, dtype=np.int64)
        where[self.rows] = np.arange(self.size)
        return np.asarray(where[self.tree.rows(np.atleast_2d(np.asarray(points, dtype=np.float64)))])

    def chosen(self, cells: ArrayLike) -> VoronoiHistogram:
        return dataclasses.replace(super().chosen(cells), rows=self.rows[np.asarray(cells)])

    def at_level(self, level: int) -> VoronoiHistogram:
        rows, which = np.unique(self.tree.ancestors(self.rows, level), return_inverse=True)
        counts = np.bincount(which, weights=self.counts, minlength=len(rows))
        return VoronoiHistogram.of(self.tree.up_to(level), rows, counts)

    def value(self, progress: Progress = silent) -> dict[str, Any]:
        """Return the released value, with a description of the splits that determines all cells.

        A cell's path lists the index of its center in each split above it: the center nearest to all of its
        points.
        """
        tree, cells = self.tree, super().value(part(progress, 0.0, 0.5))["cells"]
        cuts = np.array(sorted(tree.cuts), dtype=np.int64)
        with uncollected():
            paths = zip(cells, tree.paths(self.rows, part(progress, 0.5, 0.7)), strict=True)
            cells = [
                {**cell, "path": path}
                for cell, path in reporting(paths, len(cells), part(progress, 0.7, 0.9), WRITING)
            ]
            paths = zip(cuts.tolist(), tree.paths(cuts, part(progress, 0.9, 1.0)), strict=True)
            return {
                "cells": cells,
                "cuts": [
                    {"path": path, "centers": tree.region.unscale(tree.cuts[row].centers).tolist()}
                    for row, path in paths
                ],
            }


MAX_KEPT_CENTERS = 128
"""Empty parts are kept for splits by at most this many centers; otherwise they are omitted."""

DEEPEST = 8
_SPLITS_PER_REPORT = 8  # splits between two progress reports


def grow_voronoi(
    points: Floats,
    region: Region,
    centers: Centers,
    t: int,
    depth: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
    first: Floats | None = None,
) -> VoronoiHistogram:
    """Return the Voronoi histogram of points, with exact counts, which are not private.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.2: starting from the region, every cell with more than t
    points is split, at most `depth` times.  The centers of a cell depend only on `rng` and the centers above
    it; points only determine which cells are split.

    With `first`, the first split uses these public centers for any number of points, and `depth` counts the
    splits after it.  Each part of this mixture is sanitized by itself, according to the paper.

    `points`, (n, d), are in data units, and so is `first`, (m, d): different points of the region.  `rng`
    provides one seed, from which each cell derives its own.
    """
    if t < 2:
        raise ParameterError("t", f"{t} is not possible; it must be a whole number of at least 2")
    if not 0 <= depth <= DEEPEST:
        raise ParameterError(
            "depth", f"{depth} is not possible; it must be a whole number from 0 to {DEEPEST}"
        )
    centers.check(region.dimension)
    scaled = region.scale(points)
    seed = rng.integers(0, 1 << 32, size=4, dtype=np.int64).tolist()
    rows = _TreeColumns(region)
    counts = [np.array([len(scaled)])]
    cuts: dict[int, CellDivision] = {}
    given = None if first is None else region.scale(first)
    whole = _Waiting(0, Cell.whole(region), np.arange(len(scaled)), ())
    waiting = [whole] if len(scaled) > t or given is not None else []
    cuts_in_all = depth + (given is not None)
    for level in range(1, cuts_in_all + 1):
        step = part(progress, (level - 1) / cuts_in_all, level / cuts_in_all)
        below = []
        for done, one in enumerate(waiting):
            here = part(step, done / len(waiting), (done + 1) / len(waiting))
            if done % _SPLITS_PER_REPORT == 0:
                here(0.0, f"level {level}: {grouped(done)} of {grouped(len(waiting))} cells cut")
            made = _centers(one, region, centers, seed=seed, progress=here) if given is None else given
            around = bounds(one.cell, made, centers.lattice(region.dimension), progress=here)
            index = _indexed(made)
            held = dict(divide(index, scaled, one.members, progress=here))
            all_kept = (
                len(made) <= MAX_KEPT_CENTERS or given is not None
            )  # public cells are kept even if empty
            kept = np.arange(len(made)) if all_kept else np.array(sorted(held))
            cut = CellDivision(one.cell, made, around, index, rows.append(made, around, kept, one.row, level))
            cuts[one.row] = cut
            counts.append(np.array([len(held.get(int(which), ())) for which in kept]))
            below += [
                _Waiting(int(cut.rows[which]), cut.child(which), some, (*one.path, which))
                for which, some in held.items()
                if len(some) > t and level < cuts_in_all
            ]
        waiting, given = below, None
    tree = rows.tree(cuts)
    leaves = np.setdiff1d(np.arange(len(tree.level)), list(cuts))
    progress(1.0)
    return VoronoiHistogram.of(tree, leaves, np.concatenate(counts)[leaves])


@dataclasses.dataclass(frozen=True, eq=False)
class _Waiting:
    """A cell to be split: its row, the cell, its points, and the centers that lead to it."""

    row: int
    cell: Cell
    members: Ints
    path: tuple[int, ...]


def _centers(
    one: _Waiting, region: Region, centers: Centers, *, seed: list[int], progress: Progress
) -> Floats:
    """Choose the centers of a cell, with its own random generator, independent of other splits."""
    source = np.random.SeedSequence(seed, spawn_key=one.path)
    return centers.choose(one.cell, np.random.Generator(np.random.PCG64DXSM(source)), progress)


def _indexed(centers: Floats) -> Any:
    from scipy.spatial import cKDTree

    return cKDTree(centers)


class _TreeColumns:
    """The columns of a growing `VoronoiTree`."""

    def __init__(self, region: Region) -> None:
        whole = Cell.whole(region)
        self.region = region
        self.columns: list[tuple[Any, ...]] = [
            (whole.center[None], [whole.radius], whole.lower[None], whole.upper[None], [0], [-1], [0])
        ]
        self.size = 1

    def append(self, centers: Floats, around: Any, kept: Ints, parent: int, level: int) -> Ints:
        """Append the cells of the `kept` centers; return the row of each center, -1 for the others."""
        k = len(kept)
        self.columns.append(
            (
                centers[kept],
                around.radii[kept],
                around.lower[kept],
                around.upper[kept],
                np.full(k, level),
                np.full(k, parent),
                kept,
            )
        )
        rows = np.full(len(centers), -1, dtype=np.int64)
        rows[kept] = np.arange(self.size, self.size + k)
        self.size += k
        return rows

    def tree(self, cuts: dict[int, CellDivision]) -> VoronoiTree:
        """Return the tree of all cells."""
        return VoronoiTree(
            self.region, cuts, *(np.concatenate(column) for column in zip(*self.columns, strict=True))
        )

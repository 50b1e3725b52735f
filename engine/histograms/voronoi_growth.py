"""Growing Voronoi histograms: cells are cut while they hold more than t points."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.histograms.voronoi import VoronoiHistogram
from engine.histograms.voronoi_cells import Cell, bounds
from engine.histograms.voronoi_centers import Centers
from engine.histograms.voronoi_region import Region
from engine.histograms.voronoi_tree import CellDivision, VoronoiTree, divided
from engine.numerals import grouped
from engine.progress import Progress, part, silent

KEPT = 128
"""Cells cut by at most so many centers keep their empty parts; with more centers, these are left out."""

DEEPEST = 8
_OFTEN = 8  # a report after so many cuts


def grow_voronoi(
    points: Floats,
    region: Region,
    centers: Centers,
    t: int,
    depth: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    first: Floats | None = None,
) -> VoronoiHistogram:
    """Return the Voronoi histogram of points, with exact counts: not a private one.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.2: starting from the region, every cell with
    more than t points is cut, at most `depth` times.  The centers of a cell depend on `rng` and on
    the centers above it alone: on points only in that a cell with few of them is not cut.

    With `first`, the first cut is by these public centers, however few points there are, and `depth`
    counts the cuts after it: a mixture, of which the paper says that each part is sanitized by itself.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Points of the region, in data units.
    region : Region
        Public.
    centers : Centers
        The method by which centers are chosen.
    t : int
        At least 2.
    depth : int
        From 0 to 8; the proof of privacy needs a constant one.
    rng : Generator
        Source of randomness; all of it is used for one seed, from which each cell has its own.
    progress : Progress
        Called after every few cuts.
    first : ndarray, shape (m, d), optional
        A public point in each part, in data units: different points of the region.

    Raises
    ------
    ParameterError
        If t or the depth is not possible, or the dimension is too high for the method.
    """
    if t < 2:
        raise ParameterError("t", f"{t} is not possible; it must be a whole number of at least 2")
    if not 0 <= depth <= DEEPEST:
        raise ParameterError(
            "depth", f"{depth} is not possible; it must be a whole number from 0 to {DEEPEST}"
        )
    centers.check(region.dimension)
    scaled = region.scaled(points)
    seed = rng.integers(0, 1 << 32, size=4, dtype=np.int64).tolist()
    rows = _TreeColumns(region)
    counts = [np.array([len(scaled)])]
    cuts: dict[int, CellDivision] = {}
    given = None if first is None else region.scaled(first)
    whole = _Waiting(0, Cell.whole(region), np.arange(len(scaled)), ())
    waiting = [whole] if len(scaled) > t or given is not None else []
    cuts_in_all = depth + (given is not None)
    for level in range(1, cuts_in_all + 1):
        step = part(progress, (level - 1) / cuts_in_all, level / cuts_in_all)
        below = []
        for done, one in enumerate(waiting):
            here = part(step, done / len(waiting), (done + 1) / len(waiting))
            if done % _OFTEN == 0:
                here(0.0, f"level {level}: {grouped(done)} of {grouped(len(waiting))} cells cut")
            made = _centers(one, region, centers, seed, here) if given is None else given
            around = bounds(one.cell, made, centers.lattice(region.dimension), here)
            index = _indexed(made)
            held = dict(divided(index, scaled, one.members, here))
            all_kept = len(made) <= KEPT or given is not None  # public cells are there, empty or not
            kept = np.arange(len(made)) if all_kept else np.array(sorted(held))
            cut = CellDivision(one.cell, made, around, index, rows.added(made, around, kept, one.row, level))
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
    """A cell to be cut: its row, itself, which points it holds, and the centers that lead to it."""

    row: int
    cell: Cell
    members: Ints
    path: tuple[int, ...]


def _centers(one: _Waiting, region: Region, centers: Centers, seed: list[int], progress: Progress) -> Floats:
    """Choose the centers of a cell, with randomness that is its own whatever else is cut."""
    source = np.random.SeedSequence(seed, spawn_key=one.path)
    return centers.chosen(one.cell, np.random.Generator(np.random.PCG64DXSM(source)), progress)


def _indexed(centers: Floats) -> Any:
    from scipy.spatial import cKDTree

    return cKDTree(centers)


class _TreeColumns:
    """The columns of a `VoronoiTree`, to which cells are appended."""

    def __init__(self, region: Region) -> None:
        whole = Cell.whole(region)
        self.region = region
        self.columns: list[tuple[Any, ...]] = [
            (whole.center[None], [whole.radius], whole.lower[None], whole.upper[None], [0], [-1], [0])
        ]
        self.size = 1

    def added(self, centers: Floats, around: Any, kept: Ints, parent: int, level: int) -> Ints:
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

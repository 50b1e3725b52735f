"""How round Voronoi cells are: the k of k-well-rounded, level by level."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.array_types import Floats
from engine.histograms.voronoi import VoronoiTree
from engine.histograms.voronoi_cells import Cell
from engine.progress import Progress, silent

_SAMPLE = 60
_TANGENTS = 12  # so many tangents describe the ball well where a cell meets it


@dataclasses.dataclass(frozen=True, eq=False)
class Roundness:
    """The well-roundedness of cells of one level.

    Attributes
    ----------
    level : int
        How often the region was cut.
    cells : int
        How many cells of this level the tree has.
    inner, outer : ndarray, shape (s,)
        For s of them, evenly chosen: radius of a ball within the cell, and of one with the same
        center that holds the cell; in data units.
    """

    level: int
    cells: int
    inner: Floats
    outer: Floats

    @property
    def k(self) -> Floats:
        """For which k each cell certainly is k-well-rounded, shape (s,)."""
        with np.errstate(divide="ignore"):
            return np.asarray(self.outer / self.inner)

    @property
    def constant(self) -> float:
        """The c = 4 k^2 for the worst of them (corollary 2.2)."""
        return 4 * float(self.k.max()) ** 2


def roundness(tree: VoronoiTree, sample: int = _SAMPLE, progress: Progress = silent) -> list[Roundness]:
    """Measure how round cells are, those that were cut included.

    Chawla, Dwork, McSherry, Talwar 2005, definition 2.1: a convex cell C is k-well-rounded of
    radius R if a point p has B(p, R / k) within C within B(p, R).  Here p is the center of the
    largest ball within C (a linear program), or the center of the Voronoi cell, whichever gives the
    smaller k.  The inner radius is exact for p; the outer one a certain bound, so that the k of the
    definition is at most what is returned.

    Parameters
    ----------
    tree : VoronoiTree
        Of a Voronoi histogram.
    sample : int
        How many cells of each level are measured at most; a millisecond or two each.
    """
    found = []
    levels = range(int(tree.level.max()) + 1)
    for level in levels:
        rows = np.flatnonzero(tree.level == level)
        some = rows[np.unique(np.linspace(0, len(rows) - 1, min(sample, len(rows))).astype(np.int64))]
        radii = []
        for done, row in enumerate(some):
            if done % 16 == 0:
                progress((level + done / len(some)) / len(levels))
            radii.append(_radii(tree.cell(int(row))))
        inner, outer = tree.region.radius * np.array(radii).T
        found.append(Roundness(level, len(rows), inner, outer))
    return found


def _radii(cell: Cell) -> tuple[float, float]:
    """Return radii of a ball within a cell and one around it, with the same center."""
    best = (0.0, cell.radius)
    for point in (cell.center, _middle(cell)):
        inner = float(
            min(cell.margins(point[None])[0], (cell.upper - point).min(), (point - cell.lower).min())
        )
        corner = float(np.linalg.norm(np.maximum(cell.upper - point, point - cell.lower)))
        outer = min(corner, float(np.linalg.norm(point - cell.center)) + cell.radius)
        if inner * best[1] > best[0] * outer:
            best = (inner, outer)
    return best


def _middle(cell: Cell) -> Floats:
    """Return the center of the largest ball within a cell.

    The ball of the region is replaced by its tangents, one more wherever the largest ball sticks
    out: a cutting-plane method.
    """
    from scipy.optimize import linprog

    d = len(cell.center)
    normals, offsets = cell.normals, cell.offsets
    for _ in range(_TANGENTS if cell.region.is_ball else 1):
        # maximize r subject to a x + |a| r <= b, and x +- r within the box
        walls = np.concatenate([normals, np.eye(d), -np.eye(d)])
        limits = np.concatenate([offsets, cell.upper, -cell.lower])
        solved = linprog(
            np.r_[np.zeros(d), -1.0],
            A_ub=np.column_stack([walls, np.ones(len(walls))]),
            b_ub=limits,
            bounds=[(None, None)] * d + [(0, None)],
        )
        if solved.x is None:
            return cell.center
        point, radius = solved.x[:d], solved.x[d]
        length = float(np.linalg.norm(point))
        if not cell.region.is_ball or length + radius <= 1 + 1e-6 * radius or not length:
            break
        normals, offsets = np.concatenate([normals, point[None] / length]), np.append(offsets, 1.0)
    return np.asarray(point)

"""Convex cells: half-spaces within a ball and a box, and guaranteed bounds on their Voronoi cells."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.histograms.voronoi_region import SLACK, Region
from engine.progress import Progress, silent

_MAX_WITHOUT_TREE = 64  # up to this many centers, all are tested at once; otherwise a tree finds the nearest
_BLOCK = 1 << 13  # boxes between two progress reports, in up to 3 dimensions
_TRIED = 1 << 14
_WALLS = 12


@dataclasses.dataclass(frozen=True, eq=False)
class Cell:
    """The points of a region within half-spaces, a ball and a box; in units of the region.

    The ball and the box are guaranteed bounds.  Half-spaces whose boundary lies completely beyond one of them
    are omitted.  A segment from the center leaves the cell within both, so the other half-spaces and the
    region alone make the same cell.
    """

    region: Region  # the whole space
    center: Floats  # (d,): a point of the cell
    radius: float  # the ball of this radius around the center contains the cell
    lower: Floats  # (d,): the box with these corners contains the cell
    upper: Floats
    normals: Floats  # (k, d) and (k,): unit vectors a and numbers b of the half-spaces a x <= b
    offsets: Floats

    @classmethod
    def whole(cls, region: Region) -> Cell:
        """Return the region itself."""
        d = region.dimension
        return cls(region, np.zeros(d), 1.0, region.lower, region.upper, np.zeros((0, d)), np.zeros(0))

    def inside(self, points: Floats) -> Bools:
        """Tell which points (n, d) the cell holds."""
        away = points - self.center
        inside: Bools = (
            (np.einsum("ij,ij->i", away, away) <= self.radius**2)
            & (points @ self.normals.T <= self.offsets).all(axis=1)
            & self.region.inside(points)
        )
        return inside

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` points uniformly, by rejection from its box; fewer (at least 1) of a thin cell."""
        kept, drawn, tries = [self.center[None, :0].reshape(0, len(self.center))], 0, size
        while drawn < size and tries < 1 << 20:
            for start in range(0, tries, _TRIED):
                progress(min(1.0, drawn / size))
                some = rng.random((min(_TRIED, tries - start), len(self.lower)))
                points = self.lower + some * (self.upper - self.lower)
                kept.append(points[self.inside(points)])
                drawn += len(kept[-1])
            tries = 2 * tries if 4 * drawn < size else tries
        return np.concatenate(kept)[:size] if drawn else self.center[None]

    def lattice(self, size: int, shift: Floats | float = 0.0) -> tuple[Floats, Floats]:
        """Cover the cell by about `size` equal boxes; return the centers of those that may meet it.

        `shift`, (d,), moves the lattice by a share of a box, 0 to 1.  Every point of the cell is in the box
        of half side lengths `half`, (d,), around one of `middles`, (m, d).
        """
        sides = self.upper - self.lower
        counts = _divide_sides(sides, size)
        step = sides / counts
        start = self.lower - np.broadcast_to(shift, step.shape) * step
        axes = [low + s * (np.arange(k + 1) + 0.5) for low, s, k in zip(start, step, counts, strict=True)]
        middles = np.stack([plane.ravel() for plane in np.meshgrid(*axes, indexing="ij")], axis=1)
        half = step / 2
        near = np.linalg.norm(np.clip(np.abs(middles - self.center) - half, 0, None), axis=1) <= (
            self.radius + SLACK
        )
        middles = middles[near & self.region.touches(middles, half)]
        # a box meets a half-space iff its corner farthest against the normal does
        limits = self.offsets + np.abs(self.normals) @ half + SLACK
        order = np.argsort(self.offsets - self.normals @ self.center)
        for first in range(0, len(limits), _WALLS):  # the nearest walls exclude most boxes
            walls = order[first : first + _WALLS]
            middles = middles[(middles @ self.normals[walls].T <= limits[walls]).all(axis=1)]
        return middles, half

    def child(self, centers: Floats, which: int, bounds: Bounds) -> Cell:
        """Return one of the cells into which `centers` split this one."""
        center, lower, upper = centers[which], bounds.lower[which], bounds.upper[which]
        others = np.delete(centers, which, axis=0) - center
        lengths = np.linalg.norm(others, axis=1)
        # walls beyond the whole ball, or the whole box, exclude nothing
        reach = min(float(bounds.radii[which]), float(_farthest(center[None], lower, upper)[0]))
        close = (lengths / 2 < reach) & (lengths > 0)
        normals = others[close] / lengths[close, None]
        cut = self.offsets - self.normals @ center < reach
        return Cell(
            self.region,
            center,
            float(bounds.radii[which]),
            lower,
            upper,
            np.concatenate([self.normals[cut], normals]),
            np.concatenate([self.offsets[cut], normals @ center + lengths[close] / 2]),
        )

    def margins(self, centers: Floats) -> Floats:
        """Return the distances of points (n, d) of the cell from its boundary."""
        walls = (self.offsets - centers @ self.normals.T).min(axis=1, initial=np.inf)
        return np.asarray(np.minimum(walls, self.region.margins(centers)))


@dataclasses.dataclass(frozen=True, eq=False)
class Bounds:
    """Balls around the centers, and boxes, that contain the cells of the centers: (m,), (m, d), (m, d)."""

    radii: Floats
    lower: Floats
    upper: Floats


def bounds(cell: Cell, centers: Floats, size: int, *, progress: Progress = silent) -> Bounds:
    """Return guaranteed bounds on the Voronoi cells of `centers`, shape (m, d), within a cell.

    A sample of points never shows the whole radius of a cell; a lattice of boxes that cover it does.  Let box
    B have center g and half sides h, and let p_j be the center nearest to g.  A point g + e of B with |e| <=
    h is as near to p_i as to p_j only if

        ||g - p_i||^2 - ||g - p_j||^2 <= 2 e (p_i - p_j) <= 2 h |p_i - p_j| ,

    so the cell of p_i lies in the union of the boxes for which this holds.  Its points in B are no farther
    from p_i than from p_j, so the farthest corner of B from either bounds their distance from p_i.  The
    excess over the true radius is at most a diagonal of B.

    The lattice has about `size` boxes.
    """
    middles, half = cell.lattice(size)
    reach = np.zeros(len(centers))
    lower, upper = centers.copy(), centers.copy()
    near = _Near(centers, 2 * float(np.linalg.norm(half)) + SLACK)
    block = max(128, _BLOCK >> 2 * max(0, len(half) - 3))  # with more axes, more centers are near a box
    for start in range(0, len(middles), block):
        progress(start / len(middles))
        some = middles[start : start + block]
        rows, one, gaps, nearest = near.pairs(some)
        meets = gaps <= 2 * np.abs(centers[one] - centers[nearest]) @ half + SLACK
        rows, one = rows[meets], one[meets]
        low = np.maximum(some - half, cell.lower)[rows]
        high = np.minimum(some + half, cell.upper)[rows]
        corners = np.minimum(
            _farthest(centers[one], low, high), _farthest(centers[nearest[meets]], low, high)
        )
        np.maximum.at(reach, one, corners)
        for axis in range(len(half)):
            np.minimum.at(lower[:, axis], one, low[:, axis])
            np.maximum.at(upper[:, axis], one, high[:, axis])
    radii = np.minimum(reach, np.linalg.norm(centers - cell.center, axis=1) + cell.radius) + SLACK
    low = np.maximum(np.maximum(lower, centers - radii[:, None]) - SLACK, cell.lower)
    high = np.minimum(np.minimum(upper, centers + radii[:, None]) + SLACK, cell.upper)
    return Bounds(radii, low, high)


def _farthest(points: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the distances of points (n, d) from the farthest corners of boxes."""
    return np.asarray(np.linalg.norm(np.maximum(upper - points, points - lower), axis=1))


class _Near:
    """Finds the centers that are at most `gap` farther from a point than the nearest one."""

    def __init__(self, centers: Floats, gap: float) -> None:
        self._centers = centers
        self._gap = gap
        self._tree: Any = None
        if len(centers) > _MAX_WITHOUT_TREE:
            from scipy.spatial import cKDTree

            self._tree = cKDTree(centers)

    def pairs(self, points: Floats) -> tuple[Ints, Ints, Floats, Ints]:
        """Return pairs of points and centers near them.

        Also returns the excess of the squared distance over that of the nearest center, and the nearest
        center.
        """
        return self._of_all(points) if self._tree is None else self._of_tree(points)

    def _of_all(self, points: Floats) -> tuple[Ints, Ints, Floats, Ints]:
        middle = self._centers.mean(axis=0)
        offsets, at = points - middle, self._centers - middle
        squared = (
            np.einsum("ij,ij->i", offsets, offsets)[:, None]
            - 2 * offsets @ at.T
            + np.einsum("ij,ij->i", at, at)
        )
        nearest = squared.argmin(axis=1)
        least = squared[np.arange(len(points)), nearest]
        within = (np.sqrt(np.clip(least, 0, None)) + self._gap) ** 2
        rows, one = np.nonzero(squared <= within[:, None] + SLACK)
        return rows, one, squared[rows, one] - least[rows], nearest[rows]

    def _of_tree(self, points: Floats) -> tuple[Ints, Ints, Floats, Ints]:
        m, gap = len(self._centers), self._gap
        k, left = 2 * points.shape[1] + 2, np.arange(len(points))
        pairs = []
        while len(left):
            k = min(k, m)
            distance, which = (np.asarray(column) for column in self._tree.query(points[left], k=k))
            rows, column = np.nonzero(distance <= distance[:, :1] + gap)
            # if even the last of them is near, there may be more
            full = (distance[:, -1] <= distance[:, 0] + gap) & (k < m)
            rows, column = rows[~full[rows]], column[~full[rows]]
            squares = distance[rows, column] ** 2 - distance[rows, 0] ** 2
            pairs.append((left[rows], which[rows, column], squares, which[rows, 0]))
            left, k = left[full], 2 * k
        rows, one, gaps, nearest = (np.concatenate(column) for column in zip(*pairs, strict=True))
        return rows, one, gaps, nearest


def _divide_sides(sides: Floats, size: int) -> Ints:
    """Return the number of parts of each side for about `size` boxes, as cubic as possible."""
    counts = np.ones(len(sides), dtype=np.int64)
    long = sides > 0
    while long.any():
        edge = float(np.exp((np.log(sides[long]).sum() - np.log(size)) / long.sum()))
        if (sides[long] >= edge).all():
            counts[long] = np.maximum(1, np.rint(sides[long] / edge)).astype(np.int64)
            break
        long &= sides >= edge  # a side shorter than the edge of a cube is not divided
    return counts

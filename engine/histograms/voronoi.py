"""Histograms whose cells are Voronoi cells of Voronoi cells."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.histograms.sampling import SampledHistogram
from engine.histograms.voronoi_tree import VoronoiTree

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclasses.dataclass(frozen=True, eq=False)
class VoronoiHistogram(SampledHistogram):
    """Cells and counts of a `VoronoiTree`: all that were not cut, or some of them.

    Chawla, Dwork, McSherry, Talwar 2005, section 2.2.  They bound the radius of a cell by twice the
    radius of the cover (lemma 2.3); here each cell has a ball and a box that certainly hold it
    (`engine.histograms.voronoi_cells.bounds`), from geometry alone, and distances follow from them.
    Empty cells may be left out; all other cells of the tiling are there, so that a point in none of
    them is in an empty one.

    Attributes
    ----------
    lower, upper, counts, level
        As of any `Histogram`.
    rows : ndarray of int64, shape (m,)
        Which cells of the tree these are.
    tree : VoronoiTree
        How they were cut.
    """

    rows: _Ints
    tree: VoronoiTree

    @classmethod
    def of(cls, tree: VoronoiTree, rows: _Ints, counts: ArrayLike) -> VoronoiHistogram:
        """Return the histogram of some cells of a tree."""
        region = tree.region
        # going back to data units rounds by no more than this
        pad = 4 * np.spacing(np.maximum(np.abs(region.box.lower), np.abs(region.box.upper)))
        lower = region.unscaled(tree.lower[rows]) - pad
        upper = region.unscaled(tree.upper[rows]) + pad
        if not region.is_ball:
            lower, upper = np.maximum(lower, region.box.lower), np.minimum(upper, region.box.upper)
        return cls(lower, upper, np.asarray(counts, dtype=np.float64), tree.level[rows], rows, tree)

    @cached_property
    def centers(self) -> _Floats:
        """Center of each cell in data units, shape (m, d)."""
        return self.tree.region.unscaled(self.tree.centers[self.rows])

    @cached_property
    def radii(self) -> _Floats:
        """Radius of a ball around the center that holds the cell, in data units, shape (m,)."""
        return self.tree.region.radius * self.tree.radii[self.rows]

    @cached_property
    def diameters(self) -> _Floats:
        """Diameter of the ball or the diagonal of the box, whichever is smaller, shape (m,)."""
        diagonal = np.linalg.norm(self.tree.upper[self.rows] - self.tree.lower[self.rows], axis=1)
        least = np.minimum(diagonal, 2 * self.tree.radii[self.rows])
        return np.asarray(self.tree.region.radius * least)

    def between(self, first: ArrayLike, second: ArrayLike) -> _Floats:
        """Return the least bound on the distance that follows from balls and boxes.

        Let b be the farthest distance of the balls, or of the boxes, or of ball and box.  With
        diameters D as above, |x - y| <= b <= |x - y| + D_x + D_y for the pair that defines D_x and
        D_y, and hence for the least: inequality (2) holds, although b may be above the true d_H.
        """
        tree, one, other = self.tree, self.rows[np.asarray(first)], self.rows[np.asarray(second)]
        centers, radii = tree.centers, tree.radii
        boxes = _length(np.maximum(tree.upper[one] - tree.lower[other], tree.upper[other] - tree.lower[one]))
        balls = _length(centers[one] - centers[other]) + radii[one] + radii[other]
        least = np.minimum(boxes, balls)
        for ball, box in ((one, other), (other, one)):
            corner = np.maximum(tree.upper[box] - centers[ball], centers[ball] - tree.lower[box])
            least = np.minimum(least, _length(corner) + radii[ball])
        itself = tree.region.radius * np.minimum(_length(tree.upper[one] - tree.lower[one]), 2 * radii[one])
        return np.asarray(np.where(one == other, itself, tree.region.radius * least))

    def places(self, points: ArrayLike) -> _Ints:
        """Return the cell that each point reaches by the nearest center, level by level."""
        where = np.full(len(self.tree.level) + 1, -1, dtype=np.int64)
        where[self.rows] = np.arange(self.size)
        return np.asarray(where[self.tree.rows(np.atleast_2d(np.asarray(points, dtype=np.float64)))])

    def chosen(self, cells: ArrayLike) -> VoronoiHistogram:
        """Return the histogram with only some of its cells, by index or as a mask."""
        return dataclasses.replace(super().chosen(cells), rows=self.rows[np.asarray(cells)])

    def at_level(self, level: int) -> VoronoiHistogram:
        """Return the cells that there were after `level` cuts, with the sums of these counts."""
        rows, which = np.unique(self.tree.ancestors(self.rows, level), return_inverse=True)
        counts = np.bincount(which, weights=self.counts, minlength=len(rows))
        return VoronoiHistogram.of(self.tree.up_to(level), rows, counts)

    def value(self) -> dict[str, Any]:
        """Return what is released, as numbers and lists."""
        return {
            "cells": [
                {**cell, "center": center, "radius": radius}
                for cell, center, radius in zip(
                    super().value()["cells"], self.centers.tolist(), self.radii.tolist(), strict=True
                )
            ]
        }


def _length(vectors: _Floats) -> _Floats:
    return np.asarray(np.linalg.norm(vectors, axis=-1))

"""Histograms whose cells are Voronoi cells of Voronoi cells."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import WRITING, uncollected
from engine.histograms.voronoi_tree import VoronoiTree
from engine.progress import Progress, part, reporting, silent


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class VoronoiHistogram(EnclosingHistogram):
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

    rows: Ints
    tree: VoronoiTree

    @classmethod
    def of(cls, tree: VoronoiTree, rows: Ints, counts: ArrayLike) -> VoronoiHistogram:
        """Return the histogram of some cells of a tree."""
        region, pad = tree.region, tree.region.spacing
        lower, upper = region.unscaled(tree.lower[rows]) - pad, region.unscaled(tree.upper[rows]) + pad
        if not region.is_ball:
            lower, upper = np.maximum(lower, region.box.lower), np.minimum(upper, region.box.upper)
        return cls(lower, upper, np.asarray(counts, dtype=np.float64), tree.level[rows], rows, tree)

    @property
    def box(self) -> Box:
        return self.tree.region.box

    @cached_property
    def centers(self) -> Floats:
        """Center of each cell in data units, shape (m, d)."""
        return self.tree.region.unscaled(self.tree.centers[self.rows])

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
        """Return what is released: a description of the cuts, too, from which all cells follow.

        A cell's path says by which of the centers of the cuts above it was made: the one that is
        nearest to all of its points.
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
                    {"path": path, "centers": tree.region.unscaled(tree.cuts[row].centers).tolist()}
                    for row, path in paths
                ],
            }

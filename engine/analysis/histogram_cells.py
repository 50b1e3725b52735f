"""Cells of a histogram along one or two coordinates, as they can be drawn."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.cell_outlines import cell_outlines
from engine.analysis.histogram_levels import deepest_level
from engine.analysis.memory import remembered
from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.tree import Tree
from engine.histograms.voronoi import VoronoiHistogram
from engine.progress import Progress, silent
from engine.shown import ShownInALine

WITH_EMPTY = 2
"""In so many dimensions cells without points belong to the picture, too."""

FINEST = 128
"""Largest number of parts of a grid along a coordinate over which counts are spread."""


MOST_BEHIND = 3_000
"""Cells behind a tree or a query point: with more of them, nothing else could be seen."""

MOST_REMEMBERED = 24


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CellsAlong(ShownInALine):
    """Cells along a = 1 or 2 coordinates, with counts, as `histogram_cells` returns them.

    Attributes
    ----------
    lower, upper : ndarray, shape (m, a)
        Boxes around the cells.
    counts : ndarray, shape (m,)
        How many points each holds; with noise they may be broken or negative.
    kind : {"cells", "boxes", "voronoi"}
        Whether boxes stand for cells of another form, or Voronoi cells are outlined.
    polygons : tuple of m ndarrays, shape (v, 2), or None
        Corners of cells that are no boxes, in order around each.
    spread : bool
        Whether these are not the cells themselves, but a grid over which the counts of cells of
        more dimensions are spread evenly.
    """

    lower: Floats
    upper: Floats
    counts: Floats
    kind: str = "cells"
    polygons: tuple[Floats, ...] | None = None
    spread: bool = False

    @classmethod
    def of(
        cls, lower: ArrayLike, upper: ArrayLike, counts: ArrayLike, axes: Sequence[int], kind: str = "cells"
    ) -> CellsAlong:
        """Look at boxes, shape (m, d), along one or two of d coordinates.

        Cells that lie behind each other are one cell with the counts of all.  Where they overlap
        but in part, each count is spread evenly over its cell, on a grid of the planes at which
        cells end, or of equal parts where there are too many.
        """
        low, high = (np.asarray(side, dtype=np.float64)[:, list(axes)] for side in (lower, upper))
        held = np.asarray(counts, dtype=np.float64)
        if np.asarray(lower).shape[1] == len(axes) or not held.size:
            return cls(low, high, held, kind)
        boxes, place = np.unique(np.hstack([low, high]), axis=0, return_inverse=True)
        held = np.bincount(place.ravel(), held, minlength=len(boxes)).astype(np.float64)
        low, high = boxes[:, : len(axes)], boxes[:, len(axes) :]
        whole = float(np.prod(high.max(axis=0) - low.min(axis=0)))
        if np.isclose(np.prod(high - low, axis=1).sum(), whole, rtol=1e-9):
            return cls(low, high, held, kind)
        return cls(*_spread(low, high, held), kind, spread=True)

    @property
    def flat(self) -> bool:
        """Whether there is one coordinate only."""
        return bool(self.lower.shape[1] == 1)

    @property
    def sizes(self) -> Floats:
        """Areas of the cells, or lengths along one coordinate, shape (m,)."""
        if self.polygons is None or self.flat:
            sides: Floats = np.prod(self.upper - self.lower, axis=1)
            return sides
        return np.array([_area(corners) for corners in self.polygons])

    @property
    def centers(self) -> Floats:
        """Middles of the cells: of polygons the mean of the corners, shape (m, a)."""
        if self.polygons is None or self.flat:
            return (self.lower + self.upper) / 2
        return np.array([corners.mean(axis=0) for corners in self.polygons]).reshape(-1, 2)


def histogram_cells(
    histogram: Histogram,
    box: Box,
    *,
    axes: Sequence[int] = (0, 1),
    level: int | None = None,
    progress: Progress = silent,
) -> CellsAlong:
    """Return the cells along coordinates, those without points too in few dimensions."""
    drawn = tuple(axes)

    def work() -> CellsAlong:
        progress(0.0, "drawing cells")
        cut = histogram if level is None else histogram.at_level(level)
        return _along(cut, drawn, box, progress)

    return remembered(histogram, ("cells", drawn, level, box), work, MOST_REMEMBERED)


def cells_behind(
    histogram: Histogram, box: Box, *, axes: Sequence[int] = (0, 1), progress: Progress = silent
) -> CellsAlong:
    """Return cells that lie behind something else: of the deepest level that has not too many."""
    level, last = None, deepest_level(histogram)
    if histogram.size > MOST_BEHIND and last:
        sizes = np.cumsum(np.bincount(histogram.level))
        level = int(np.searchsorted(sizes, MOST_BEHIND // 2))
        level = min(max(level - 1, 0), last - 1)
    return histogram_cells(histogram, box, axes=axes, level=level, progress=progress)


def _along(histogram: Histogram, drawn: tuple[int, ...], box: Box, progress: Progress) -> CellsAlong:
    lower, upper, counts = histogram.lower, histogram.upper, histogram.counts
    if isinstance(histogram, Tree) and histogram.dimension <= WITH_EMPTY:
        empty = histogram.empty
        lower, upper = np.concatenate([lower, empty.lower]), np.concatenate([upper, empty.upper])
        counts = np.concatenate([counts, empty.counts])
    outlines = cell_outlines(histogram, box, progress) if drawn == (0, 1) else None
    if outlines is None:
        around = isinstance(histogram, EnclosingHistogram) and histogram.dimension > 1
        return CellsAlong.of(lower, upper, counts, drawn, "boxes" if around else "cells")
    seen = np.array([len(corners) > 2 for corners in outlines])
    shown = tuple(corners for corners in outlines if len(corners) > 2)
    kind = "voronoi" if isinstance(histogram, VoronoiHistogram) else "cells"
    return CellsAlong(lower[seen], upper[seen], counts[seen], kind, shown)


def _spread(low: Floats, high: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Return lower and upper corners, and counts, of a grid over which counts are spread evenly."""
    cuts = [_cuts(low[:, axis], high[:, axis]) for axis in range(low.shape[1])]
    shares = []
    for axis, planes in enumerate(cuts):
        bottom, top = low[:, axis, None], high[:, axis, None]
        overlap = np.minimum(top, planes[1:]) - np.maximum(bottom, planes[:-1])
        shares.append(np.clip(overlap, 0, None) / (top - bottom))
    # sums over the cells: never all of them on all of the grid
    grid = counts @ shares[0] if len(shares) == 1 else (shares[0] * counts[:, None]).T @ shares[1]
    lower = np.stack(np.meshgrid(*(planes[:-1] for planes in cuts), indexing="ij"), axis=-1)
    upper = np.stack(np.meshgrid(*(planes[1:] for planes in cuts), indexing="ij"), axis=-1)
    return lower.reshape(-1, len(cuts)), upper.reshape(-1, len(cuts)), grid.ravel()


def _cuts(low: Floats, high: Floats) -> Floats:
    planes = np.unique(np.concatenate([low, high]))
    if len(planes) > FINEST + 1:
        planes = np.linspace(planes[0], planes[-1], FINEST + 1)
    return planes


def _area(corners: Floats) -> float:
    """Return the area of a polygon (shoelace formula)."""
    (x, y), (ahead_x, ahead_y) = corners.T, np.roll(corners, -1, axis=0).T
    return float(abs(np.sum(x * ahead_y - ahead_x * y)) / 2)

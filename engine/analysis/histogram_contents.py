"""Cells of histograms, their outlines, and the number of points of each level."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.memory import remembered
from engine.analysis.prepared_histograms import mechanism_of, released_histogram, simulated_histogram
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.findings import Finding
from engine.histograms.embedding import EmbeddedHistogram
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.tree import Tree
from engine.histograms.voronoi import VoronoiHistogram
from engine.histograms.voronoi_cells import Cell
from engine.histograms.voronoi_region import Region
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent
from engine.shown import ShownInALine

WITH_EMPTY = 2
"""Largest dimension in which cells without points are drawn, too."""

FINEST = 128
"""Largest number of grid cells along a coordinate for spreading counts."""


MAX_BEHIND = 3_000
"""Largest number of cells behind a tree or a query point; more would hide everything else."""

MAX_REMEMBERED = 24


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CellsAlong(ShownInALine):
    """Cells along a = 1 or 2 coordinates, with counts, as `histogram_cells` returns them."""

    lower: Floats  # shape (m, a); bounding boxes of the cells
    upper: Floats
    counts: Floats  # shape (m,); number of points in each; with noise it may be fractional or negative
    kind: str = "cells"  # whether boxes stand for cells of another shape, or are outlined Voronoi cells
    # shape (v, 2); corners of cells that are no boxes, in order around each
    polygons: tuple[Floats, ...] | None = None
    # whether this is a grid over which the counts of higher-dimensional cells are spread evenly, instead of
    # the cells themselves
    spread: bool = False

    @classmethod
    def of(
        cls, lower: ArrayLike, upper: ArrayLike, counts: ArrayLike, axes: Sequence[int], kind: str = "cells"
    ) -> CellsAlong:
        """Project boxes, shape (m, d), on one or two of d coordinates.

        Cells with the same projection become one cell with their total count.  If projections overlap only
        partly, each count is spread evenly over its cell.  The grid for this consists of the planes at which
        cells end, or is regular if there are too many planes.
        """
        low, high = (np.asarray(side, dtype=np.float64)[:, list(axes)] for side in (lower, upper))
        held = np.asarray(counts, dtype=np.float64)
        if np.asarray(lower).shape[1] == len(axes) or not held.size:
            return cls(low, high, held, kind)
        boxes, position = np.unique(np.hstack([low, high]), axis=0, return_inverse=True)
        held = np.bincount(position.ravel(), held, minlength=len(boxes)).astype(np.float64)
        low, high = boxes[:, : len(axes)], boxes[:, len(axes) :]
        whole = float(np.prod(high.max(axis=0) - low.min(axis=0)))
        if np.isclose(np.prod(high - low, axis=1).sum(), whole, rtol=1e-9):
            return cls(low, high, held, kind)
        return cls(*_spread(low, high, held), kind, spread=True)

    @property
    def flat(self) -> bool:
        """Whether there is only one coordinate."""
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
        """Centers of the cells; for polygons the mean of the corners, shape (m, a)."""
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
    """Return the cells along coordinates; in few dimensions with empty cells, too."""
    drawn = tuple(axes)

    def work() -> CellsAlong:
        progress(0.0, "drawing cells")
        cut = histogram if level is None else histogram.at_level(level)
        return _along(cut, drawn, box, progress=progress)

    return remembered(histogram, ("cells", drawn, level, box), work, MAX_REMEMBERED)


def cells_behind(
    histogram: Histogram, box: Box, *, axes: Sequence[int] = (0, 1), progress: Progress = silent
) -> CellsAlong:
    """Return cells to draw behind other elements: of the deepest level without too many."""
    level, last = None, deepest_level(histogram)
    if histogram.size > MAX_BEHIND and last:
        sizes = np.cumsum(np.bincount(histogram.level))
        level = int(np.searchsorted(sizes, MAX_BEHIND // 2))
        level = min(max(level - 1, 0), last - 1)
    return histogram_cells(histogram, box, axes=axes, level=level, progress=progress)


def _along(histogram: Histogram, drawn: tuple[int, ...], box: Box, *, progress: Progress) -> CellsAlong:
    lower, upper, counts = histogram.lower, histogram.upper, histogram.counts
    if isinstance(histogram, Tree) and histogram.dimension <= WITH_EMPTY:
        empty = histogram.empty
        lower, upper = np.concatenate([lower, empty.lower]), np.concatenate([upper, empty.upper])
        counts = np.concatenate([counts, empty.counts])
    outlines = cell_outlines(histogram, box, progress=progress) if drawn == (0, 1) else None
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
    # sum cell by cell: the full array of cells by grid cells may be too large
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


_Counts = Ints


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramLevels:
    """Numbers of cells and points by level, for a histogram of many dimensions (as public as it is).

    Returned by `histogram_levels`.
    """

    mechanism: HistogramMechanism  # the mechanism of the histogram
    level: _Counts  # shape (l,); increasing
    # shape (l,); number of cells of each level, and of those that are split further
    cells: _Counts
    cut: _Counts
    points: Floats  # shape (l,); sum of the counts of the cells that are not split
    diameter: Floats  # shape (l,); of the largest cell of the level, in the unit of the data
    released: bool = False  # whether the histogram has been released

    def findings(self) -> Iterator[Finding]:
        """Yield the number of cells of each level, and of their points."""
        yield Finding("cells of each level", self.cells - self.cut, public=self.released)
        yield Finding("points of each level", self.points, public=self.released)


def deepest_level(histogram: Histogram) -> int:
    """Return the deepest level that can be shown; 0 if cells were never split."""
    return 0 if type(histogram).at_level is Histogram.at_level else histogram.deepest


def histogram_levels(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    progress: Progress = silent,
) -> HistogramLevels:
    """Return the numbers of cells and points of each level of a histogram."""
    privacy = as_privacy(privacy)
    if released is None:
        histogram = simulated_histogram(mechanism, data, privacy, seed=seed, progress=progress)
    else:
        histogram, mechanism = released_histogram(released), mechanism_of(released)
    depth = np.arange(histogram.deepest + 1)
    held = np.bincount(histogram.level, minlength=len(depth)).astype(np.int64)
    cut = np.zeros(len(depth), dtype=np.int64)
    if isinstance(histogram, Tree):
        # levels counted before the smallest cells were known are empty
        cut[:] = [np.count_nonzero(level.cut) for level in histogram.levels[: len(depth)]]
    elif isinstance(histogram, VoronoiHistogram):
        cuts = histogram.tree.level[list(histogram.tree.cuts)]
        cut[:] = np.bincount(cuts, minlength=len(depth))[: len(depth)]
    points = np.bincount(histogram.level, histogram.counts, len(depth)).astype(np.float64)
    largest = np.zeros(len(depth))
    np.maximum.at(largest, histogram.level, histogram.diameters)
    if isinstance(histogram, Tree):  # including the split ones
        for number, level in enumerate(histogram.levels[: len(depth)]):
            lower, upper = histogram.scheme.bounds(level.index, number)
            largest[number] = np.sqrt(((upper - lower) ** 2).sum(axis=1).max(initial=0.0))
    return HistogramLevels(mechanism, depth, held + cut, cut, points, largest, released is not None)


MAX_OUTLINED = 4_000
"""With more cells, their bounding boxes are drawn."""

_CIRCLE_CORNERS = 96  # corners of a circle
_SIDE_POINTS = 8  # points along a side of a curved cell
_CELLS_PER_REPORT = 64  # cells between two progress reports


def cell_outlines(histogram: Histogram, box: Box, *, progress: Progress = silent) -> list[Floats] | None:
    """Return the corners of the part of each cell within the box, shape (v, 2), v = 0 for none.

    None if the cells are boxes, too many, or not two-dimensional.
    """
    if histogram.dimension != 2 or histogram.size > MAX_OUTLINED:
        return None
    results: list[Floats] = []
    if isinstance(histogram, VoronoiHistogram):
        region = histogram.tree.region
        around = _outline(region)
        for index, row in enumerate(histogram.rows.tolist()):
            if index % _CELLS_PER_REPORT == 0:
                progress(index / histogram.size, "outlining cells")
            corners = _of_cell(histogram.tree.cell(row), around)
            results.append(_within(region.unscale(corners), box))
        return results
    if isinstance(histogram, EmbeddedHistogram):
        cube = histogram.cube
        for index, (low, high) in enumerate(zip(cube.lower, cube.upper, strict=True)):
            if index % _CELLS_PER_REPORT == 0:
                progress(index / histogram.size, "outlining cells")
            results.append(_within(histogram.embedding.to_ball(_rim(low, high)), box))
        return results
    return None


def _of_cell(cell: Cell, around: Floats) -> Floats:
    corners = around
    for normal, offset in zip(cell.normals, cell.offsets.tolist(), strict=True):
        corners = _clipped(corners, normal, offset)
    return corners


def _within(corners: Floats, box: Box) -> Floats:
    """Clip a polygon to the box."""
    for axis in range(2):
        normal = np.eye(2)[axis]
        corners = _clipped(corners, normal, float(box.upper[axis]))
        corners = _clipped(corners, -normal, -float(box.lower[axis]))
    return corners


def _clipped(corners: Floats, normal: Floats, offset: float) -> Floats:
    """Return the part of a convex polygon where ``normal x <= offset`` (Sutherland, Hodgman 1974)."""
    beyond = corners @ normal - offset
    if (beyond <= 0).all():
        return corners
    if (beyond > 0).all():
        return np.empty((0, 2))
    ahead, after = np.roll(corners, -1, axis=0), np.roll(beyond, -1)
    crosses = (beyond > 0) != (after > 0)
    share = np.where(crosses, beyond, 0.0) / np.where(crosses, beyond - after, 1.0)
    cuts = corners + share[:, None] * (ahead - corners)
    both = np.stack([corners, cuts], axis=1).reshape(-1, 2)
    kept: Floats = both[np.stack([beyond <= 0, crosses], axis=1).ravel()]
    return kept


def _outline(region: Region) -> Floats:
    """Return the corners of a region in its own units; for a ball, enough to look round."""
    if region.is_ball:
        angles = np.linspace(0, 2 * np.pi, _CIRCLE_CORNERS, endpoint=False)
        corners: Floats = np.column_stack([np.cos(angles), np.sin(angles)]) / np.cos(np.pi / _CIRCLE_CORNERS)
        return corners
    (left, bottom), (right, top) = region.lower, region.upper
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])


def _rim(low: Floats, high: Floats) -> Floats:
    """Return points along the sides of a square, which may be mapped to curves."""
    (left, bottom), (right, top) = low, high
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    ahead = np.roll(corners, -1, axis=0)
    shares = np.arange(_SIDE_POINTS)[None, :, None] / _SIDE_POINTS
    rim: Floats = corners[:, None] + shares * (ahead - corners)[:, None]
    return rim.reshape(-1, 2)

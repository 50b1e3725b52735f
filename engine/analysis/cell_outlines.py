"""Corners of cells in the plane that are no boxes."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.embedding import EmbeddedHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.voronoi import VoronoiHistogram
from engine.histograms.voronoi_cells import Cell
from engine.histograms.voronoi_region import Region
from engine.progress import Progress, silent

MOST_OUTLINED = 4_000
"""Of more cells, the boxes around them are drawn."""

_ROUND = 96  # corners of a circle
_SIDE = 8  # points along a side of a cell that is bent
_OFTEN = 64  # a report after so many cells


def cell_outlines(histogram: Histogram, box: Box, progress: Progress = silent) -> list[Floats] | None:
    """Return the corners of the part of each cell that is in the box, shape (v, 2), v = 0 for none.

    None if the cells are boxes, or too many, or not in the plane.
    """
    if histogram.dimension != 2 or histogram.size > MOST_OUTLINED:
        return None
    found: list[Floats] = []
    if isinstance(histogram, VoronoiHistogram):
        region = histogram.tree.region
        around = _outline(region)
        for place, row in enumerate(histogram.rows.tolist()):
            if place % _OFTEN == 0:
                progress(place / histogram.size, "outlining cells")
            corners = _of_cell(histogram.tree.cell(row), around)
            found.append(_within(region.unscale(corners), box))
        return found
    if isinstance(histogram, EmbeddedHistogram):
        cube = histogram.cube
        for place, (low, high) in enumerate(zip(cube.lower, cube.upper, strict=True)):
            if place % _OFTEN == 0:
                progress(place / histogram.size, "outlining cells")
            found.append(_within(histogram.embedding.to_ball(_rim(low, high)), box))
        return found
    return None


def _of_cell(cell: Cell, around: Floats) -> Floats:
    corners = around
    for normal, offset in zip(cell.normals, cell.offsets.tolist(), strict=True):
        corners = _clipped(corners, normal, offset)
    return corners


def _within(corners: Floats, box: Box) -> Floats:
    """Cut off what is not in the box."""
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
    """Return the corners of a region in its own units; of a ball, as many as look round."""
    if region.is_ball:
        angles = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
        corners: Floats = np.column_stack([np.cos(angles), np.sin(angles)]) / np.cos(np.pi / _ROUND)
        return corners
    (left, bottom), (right, top) = region.lower, region.upper
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])


def _rim(low: Floats, high: Floats) -> Floats:
    """Return points along the sides of a square, which may become bent."""
    (left, bottom), (right, top) = low, high
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    ahead = np.roll(corners, -1, axis=0)
    shares = np.arange(_SIDE)[None, :, None] / _SIDE
    rim: Floats = corners[:, None] + shares * (ahead - corners)[:, None]
    return rim.reshape(-1, 2)

"""Areas of cells, what lies in them, and counts of cells that overlap spread over a grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.plots.elements.floats import Floats

FINEST = 128
"""Largest number of cells of the grid along a direction."""


def spread(low: Floats, high: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
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


def area(corners: Floats) -> float:
    """Return the area of a polygon (shoelace formula)."""
    (x, y), (ahead_x, ahead_y) = corners.T, np.roll(corners, -1, axis=0).T
    return float(abs(np.sum(x * ahead_y - ahead_x * y)) / 2)


def inside_polygon(corners: Floats, x: float, y: float) -> bool:
    """Tell whether a place is in a convex polygon."""
    edges = np.roll(corners, -1, axis=0) - corners
    turns: NDArray[np.float64] = edges[:, 0] * (y - corners[:, 1]) - edges[:, 1] * (x - corners[:, 0])
    return bool((turns >= 0).all() or (turns <= 0).all())

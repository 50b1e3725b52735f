"""The diameter of a set of points, and its bounds from a histogram."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.histograms.histogram import BoxHistogram, Histogram
from engine.progress import Progress, silent

MAX_DISTANCES = 20_000_000
"""Largest number of distances to compute: a few seconds."""

_SWEEPS = 4
_BATCH_SIZE = 1 << 17


@dataclasses.dataclass(frozen=True)
class Diameter:
    """Bounds on the largest distance, from `diameter`; equal if the result is exact."""

    lower: float
    upper: float


def diameter(histogram: Histogram, *, progress: Progress = silent) -> Diameter:
    """Return the largest d_H of occupied cells: at least the diameter of the points, for exact counts.

    Let e be the distance of a cell's farthest corner from the common center: d_H of two cells is at most the
    sum of their e.  The search takes cells by decreasing e, each with those that may be far enough from it.
    It stops once e is below half of the best distance.
    """
    cells = histogram.occupied
    if not cells.size:
        return Diameter(0.0, 0.0)
    lower, upper = cells.lower, cells.upper
    middle = lower.min(axis=0) / 2 + upper.max(axis=0) / 2
    reach = np.linalg.norm(np.maximum(upper - middle, middle - lower), axis=1)
    order = np.argsort(-reach)
    falling = -reach[order]
    largest, cell = 0.0, int(order[0])
    for _ in range(_SWEEPS):  # repeatedly jump to the farthest cell: usually this finds the diameter
        row = cells.farthest(cell)
        cell = int(row.argmax())
        largest = max(largest, float(row[cell]))
    looked = 0
    for position, cell in enumerate(order.tolist()):
        far = float(reach[cell])
        if 2 * far <= largest or looked > MAX_DISTANCES:
            return Diameter(largest, max(largest, 2 * far))
        # in each pair the second cell has no larger e than the first, and enough of it
        end = int(np.searchsorted(falling, far - largest, side="right"))
        for start in range(position, end, _BATCH_SIZE):
            progress(min(1.0, looked / MAX_DISTANCES))
            others = order[start : min(end, start + _BATCH_SIZE)]
            largest = max(largest, float(cells.between(cell, others).max()))
            looked += len(others)
    return Diameter(largest, largest)


def diameter_of_points(points: ArrayLike, *, progress: Progress = silent) -> Diameter:
    """Return the diameter of points (n, d); private, if they are."""
    values = np.asarray(points, dtype=np.float64)
    return diameter(
        BoxHistogram(values, values, np.ones(len(values)), np.zeros(len(values), dtype=np.int64)),
        progress=progress,
    )

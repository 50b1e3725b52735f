"""Records along one or two directions: one by one, or as counts of cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.memory import remembered
from engine.analysis.shared.projections import Projection
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Interval
from engine.shown import ShownInALine

MAX_DOTS = 4_000
"""Largest number of records to draw one by one; more are drawn as a density."""

CELLS = 160
"""Number of cells of a density in each direction."""

COARSE_CELLS = 40
"""Number of cells of a small map in each direction; a divisor of `CELLS`."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Records(ShownInALine):
    """The data along a = 1 or 2 directions (private)."""

    n: int  # number of records
    dots: Floats | None  # shape (m, a); all of them, or those in the window, if there are few
    # shape (CELLS,) or (CELLS, CELLS); otherwise the count of each cell; the first axis is the first
    # direction
    counts: Ints | None
    window: tuple[Interval, ...]  # range of the cells

    @classmethod
    def of(cls, values: ArrayLike, window: Sequence[Interval]) -> Records:
        """Convert values, shape (n, a), in a window; takes a fraction of a second for a million."""
        points = np.asarray(values, dtype=np.float64)
        if len(points) <= MAX_DOTS:
            return cls(len(points), points, None, tuple(window))
        low, high = np.array([(side.lower, side.upper) for side in window]).T
        inside = ((points >= low) & (points <= high)).all(axis=1)
        seen = points if inside.all() else points[inside]
        if len(seen) <= MAX_DOTS:
            return cls(len(points), seen, None, tuple(window))
        cells = np.minimum((seen - low) * (CELLS / (high - low)), CELLS - 1).astype(np.int64)
        shape = (CELLS,) * len(window)
        counts = np.bincount(np.ravel_multi_index(tuple(cells.T), shape), minlength=CELLS ** len(shape))
        return cls(len(points), None, counts.reshape(shape), tuple(window))

    def coarse_counts(self) -> Ints:
        """Return the counts of fewer, larger cells, as for a small map."""
        if self.dots is not None:
            sides = [(side.lower, side.upper) for side in self.window]
            return np.histogramdd(self.dots, COARSE_CELLS, sides)[0].astype(np.int64)
        assert self.counts is not None
        blocks = [part for _ in self.window for part in (COARSE_CELLS, CELLS // COARSE_CELLS)]
        coarse: Ints = self.counts.reshape(blocks).sum(axis=tuple(range(1, len(blocks), 2)))
        return coarse


def records_along(data: Points, seen: Projection) -> Records:
    """Return the records along the directions of a projection, in its window (private)."""
    return remembered(data, ("records", seen), lambda: Records.of(seen.points(data.values), seen.window))

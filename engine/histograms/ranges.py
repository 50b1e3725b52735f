"""Counts of points in public boxes: the queries that compare histograms."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.histogram import COUNTING, Histogram
from engine.progress import Progress, silent

QUESTIONS = 100
SMALLEST, LARGEST = 0.2, 0.8
"""Sides of the boxes in one dimension, as shares of the bounds; in d dimensions the volume is the same."""

_SEED = 2005


@dataclasses.dataclass(frozen=True, eq=False)
class Ranges:
    """Public boxes in a box."""

    lower: Floats  # (k, d)
    upper: Floats

    @classmethod
    def within(cls, box: Box, questions: int = QUESTIONS) -> Ranges:
        """Return boxes of many sizes and positions, always the same for the same bounds."""
        rng = np.random.Generator(np.random.PCG64DXSM(_SEED))
        d = box.dimension
        sides = rng.uniform(SMALLEST, LARGEST, (questions, d)) ** (1 / d)
        starts = rng.random((questions, d)) * (1 - sides)
        lower = box.lower + starts * box.width
        return cls(lower, np.minimum(lower + sides * box.width, box.upper))

    @property
    def size(self) -> int:
        """Number of boxes k."""
        return len(self.lower)

    def exact(self, points: ArrayLike, progress: Progress = silent) -> Floats:
        """Count the points in each box (private), shape (k,)."""
        values = np.asarray(points, dtype=np.float64)
        counts = np.zeros(self.size)
        for question in range(self.size):
            progress(question / self.size, COUNTING)
            inside = np.ones(len(values), dtype=bool)
            for axis, column in enumerate(values.T):
                inside &= (column >= self.lower[question, axis]) & (column <= self.upper[question, axis])
            counts[question] = np.count_nonzero(inside)
        return counts

    def answers(self, histogram: Histogram, progress: Progress = silent) -> Floats:
        """Estimate the counts from a histogram, assuming uniform points in each cell, shape (k,)."""
        return histogram.estimates(self.lower, self.upper, progress)

"""Cells of any shape: even samples of them, and volumes measured by these."""

from __future__ import annotations

import abc
import dataclasses
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.histograms.histogram import Histogram
from engine.randomness import reproducible

_Floats = NDArray[np.float64]

_SEED = 4
_FEWEST, _MOST, _ALL = 4, 256, 1 << 16  # points per cell, and of all cells
_BLOCK, _ROUNDS = 1 << 16, 16


@dataclasses.dataclass(frozen=True, eq=False)
class SampledHistogram(Histogram):
    """Cells that are known by boxes around them and by which points they hold.

    Whatever needs their volume is measured by a sample, which depends on the cells alone.
    """

    @property
    @abc.abstractmethod
    def centers(self) -> _Floats:
        """A point of each cell, shape (m, d)."""

    def sampled(self, rng: np.random.Generator, sizes: ArrayLike) -> _Floats:
        """Draw evenly from each cell, by rejection from the box around it.

        Points of slivers that ten thousands of tries do not hit are put at the center.
        """
        cells = np.repeat(np.arange(self.size), np.asarray(sizes, dtype=np.int64))
        points = self.centers[cells]
        missing = np.ones(len(cells), dtype=np.bool_)
        for doublings in range(_ROUNDS):
            left = np.flatnonzero(missing)
            if not len(left):
                break
            # the fewer are left, the more tries has each
            repeats = max(1, min(_BLOCK // len(left), 1 << doublings))
            for start in range(0, len(left), _BLOCK):
                some = np.repeat(left[start : start + _BLOCK], repeats)
                low, high = self.lower[cells[some]], self.upper[cells[some]]
                tries = low + rng.random(low.shape) * (high - low)
                hit = self.places(tries) == cells[some]
                points[some[hit]] = tries[hit]  # of several hits, which are all alike, the last
                missing[some[hit]] = False
        return points

    @cached_property
    def _sample(self) -> _Floats:
        """Equally many points of each cell, shape (m, s, d); the same whenever they are drawn."""
        each = int(np.clip(_ALL // max(1, self.size), _FEWEST, _MOST))
        points = self.sampled(reproducible(_SEED), np.full(self.size, each))
        return points.reshape(self.size, each, self.dimension)

    def shares(self, lower: ArrayLike, upper: ArrayLike) -> _Floats:
        """Return shares of samples, shape (k, m); exact for cells that are outside, or all inside.

        With s points, 4 to 256, the standard error is at most 1 / (2 sqrt(s)) for each cell.
        """
        low, high = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (lower, upper))
        found = np.zeros((len(low), self.size))
        for box, (bottom, top) in enumerate(zip(low, high, strict=True)):
            inside = ((self.lower >= bottom) & (self.upper <= top)).all(axis=1)
            outside = ((self.upper < bottom) | (self.lower > top)).any(axis=1)
            found[box, inside] = 1.0
            partly = np.flatnonzero(~inside & ~outside)
            if len(partly):
                points = self._sample[partly]
                found[box, partly] = ((points >= bottom) & (points <= top)).all(axis=2).mean(axis=1)
        return found

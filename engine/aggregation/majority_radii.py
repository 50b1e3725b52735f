"""The center of attention of many outputs: of their m^2 distances each pair is held once, and nothing beside.

What a center and its smooth bound are says `engine.aggregation.center_of_attention`; both ask for the
radii of balls that hold a majority, at a few levels, and not for all radii in order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.center_of_attention import SmoothBound, bound_of
from engine.aggregation.spaces import PairDistances
from engine.errors import ParameterError
from engine.progress import Progress, silent

_Floats = NDArray[np.float64]

LEVELS = 512
"""So many levels are found in one look at all distances: seldom are more needed."""

CELLS = 1 << 20
"""Distances that are selected from between two reports."""


class MajorityRadii:
    """The balls around m outputs that hold t_0 + k s of them (private).

    Equal to `Radii` where both can be asked.  Takes the memory of `pairs` and 8 m `LEVELS` bytes; time
    O(m^2) for so many levels.

    Parameters
    ----------
    pairs : PairDistances
    diameter : float
        Λ.
    s : int
        How many outputs one person can change.
    progress : Progress
    """

    def __init__(
        self, pairs: PairDistances, diameter: float, s: int = 1, progress: Progress = silent
    ) -> None:
        self.m = pairs.m
        if not 1 <= s < self.m:
            raise ParameterError(
                "s", f"{s} of {self.m} outputs change at once; it must be at least 1 and below {self.m}"
            )
        self.diameter = diameter
        self.s = s
        self._pairs = pairs
        self._progress = progress
        self._levels: list[float] = []
        first = self._look()
        self.center = int(np.argmin(first))
        self.radius = float(first[self.center])

    @property
    def majority(self) -> int:
        """t_0: so many outputs that two balls of as many always share one that did not change."""
        return (self.m + self.s) // 2 + 1

    def smooth_bound(self, beta: float) -> SmoothBound:
        """Return S."""
        return bound_of(self._level, self.diameter, beta)

    def _level(self, k: int) -> float:
        """Return r_(1 + k s)(t_0 + k s)."""
        while k >= len(self._levels):
            self._look()
        return self._levels[k]

    def _look(self) -> _Floats:
        """Find the next levels; return r(c, t) of every output c at the first of them."""
        begin = len(self._levels)
        ranks = self.majority + self.s * np.arange(begin, begin + LEVELS)
        known = ranks[ranks <= self.m]
        radii = np.full((len(known) or 1, self.m), self.diameter)
        if len(known):
            self._fill(radii, known)
        for column, k in zip(radii, range(begin, begin + len(known)), strict=False):
            place = k * self.s
            self._levels.append(float(np.partition(column, place)[place]))
        self._levels += [self.diameter] * (LEVELS - len(known))
        first: _Floats = radii[0]
        return first

    def _fill(self, radii: _Floats, ranks: NDArray[np.int64]) -> None:
        """Write r(c, t) for all outputs c, one column for each, and all ranks t."""
        low, high = int(ranks[0]) - 1, int(ranks[-1]) - 1
        rows = max(1, CELLS // self.m)
        for start in range(0, self.m, rows):
            self._progress(start / self.m, "balls around outputs")
            some = self._pairs.rows(start, min(self.m, start + rows))
            some.partition((low, high), axis=1)
            between = np.sort(some[:, low : high + 1], axis=1)[:, ranks - 1 - low]
            radii[:, start : start + len(some)] = np.minimum(between, self.diameter).T

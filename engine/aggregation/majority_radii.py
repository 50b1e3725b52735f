"""The center of attention of many outputs, without the table of all their distances.

What a center and its smooth bound are says `engine.aggregation.center_of_attention`; both ask for the
smallest of the radii r(c, t) of balls that hold a majority, at a few levels t >= t_0.  Since r(c, t) is at
least r(c, t_0), those that are at most a limit belong to outputs with ``r(c, t_0) <= limit``: to tell which
these are it is enough to count distances, and only theirs are selected from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.aggregation.center_of_attention import SmoothBound, bound_of
from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.progress import Progress, part, silent

LEVELS = 512
"""So many levels are found in one look at distances: seldom are more needed."""

CELLS = 1 << 20
"""Distances that are selected from between two reports."""

SAMPLE = 128
"""Outputs whose radii tell where a limit is to be."""

NEAR, MORE = 16, 4
"""One of so many outputs lies within the first limit; each later one admits so many times more."""


class MajorityRadii:
    """The balls around m outputs that hold t_0 + k s of them (private).

    Equal to `Radii` where both can be asked.  Takes 8 m `LEVELS` bytes at most; time O(m^2) for so
    many levels.

    Parameters
    ----------
    space : OutputSpace
    outputs : array_like, shape (m, D)
    s : int
        How many outputs one person can change.
    progress : Progress
    """

    def __init__(
        self, space: OutputSpace, outputs: ArrayLike, s: int = 1, progress: Progress = silent
    ) -> None:
        self._outputs = np.asarray(outputs, dtype=np.float64)
        self.m = len(self._outputs)
        if not 1 <= s < self.m:
            raise ParameterError(
                "s", f"{s} of {self.m} outputs change at once; it must be at least 1 and below {self.m}"
            )
        self.diameter = space.diameter
        self.s = s
        self._space = space
        self._progress = progress
        self._levels: list[float] = []
        self._near = self.m // NEAR
        first, which = self._look()
        index = int(np.argmin(first))
        self.center, self.radius = int(which[index]), float(first[index])

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

    def _look(self) -> tuple[Floats, Ints]:
        """Find more levels; return r(c, t) at the first of them, and the outputs c that were looked at."""
        which, limit = np.arange(self.m), np.inf
        if self._near >= SAMPLE:
            limit = self._limit()
            which = self._within(limit, part(self._progress, 0, 0.7))
            self._near = self._near * MORE if self._near * MORE < self.m // 2 else 0
        begin = len(self._levels)
        ranks = self.majority + self.s * np.arange(begin, begin + LEVELS)
        ranks = ranks[ranks <= self.m]
        radii = np.full((1, self.m), self.diameter)
        if len(ranks):
            radii = self._radii(which, ranks, part(self._progress, 0.7, 1))
        for column, k in zip(radii, range(begin, begin + len(ranks)), strict=False):
            index = k * self.s
            smallest = np.partition(column, index)[index] if index < len(which) else np.inf
            if smallest > limit:
                return radii[0], which
            self._levels.append(float(smallest))
        self._levels += [self.diameter] * (LEVELS - len(ranks))
        return radii[0], which

    def _limit(self) -> float:
        """Return what r(c, t_0) exceeds for all outputs c but about `_near`, and some for certain."""
        rng = np.random.Generator(np.random.PCG64(self.m))  # which outputs: public
        sample = np.sort(rng.choice(self.m, SAMPLE, replace=False))
        radii = np.sort(self._radii(sample, np.array([self.majority]), self._progress)[0])
        return float(radii[-(-SAMPLE * self._near // self.m) - 1])

    def _within(self, limit: float, progress: Progress) -> Ints:
        """Return the outputs c with ``r(c, t_0) <= limit``."""
        if limit >= self.diameter:
            return np.arange(self.m)
        inside = np.zeros(self.m, dtype=np.int64)
        for start, block in self._space.pairs(self._outputs, progress):
            close = block <= limit
            stop = start + len(close)
            inside[start:stop] += [np.count_nonzero(row) for row in close]
            # what follows the rows sees them in its columns
            inside[stop:] += close[:, len(close) :].sum(axis=0, dtype=np.int32)
        return np.flatnonzero(inside >= self.majority)

    def _radii(self, which: Ints, ranks: Ints, progress: Progress) -> Floats:
        """Return r(c, t), one row for each of the ranks t, one column for each of some outputs c."""
        radii = np.empty((len(ranks), len(which)))
        low, high = int(ranks[0]) - 1, int(ranks[-1]) - 1
        rows = max(1, CELLS // self.m)
        for start in range(0, len(which), rows):
            progress(start / len(which), "balls around outputs")
            some = self._space.rows(self._outputs, which[start : start + rows])
            some.partition((low, high), axis=1)
            between = np.sort(some[:, low : high + 1], axis=1)[:, ranks - 1 - low]
            radii[:, start : start + len(some)] = np.minimum(between, self.diameter).T
        return radii

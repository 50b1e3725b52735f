"""The center of attention: the output with the smallest ball that holds a majority.

`Radii` has the definitions, and the proof of the smooth bound.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.progress import Progress, part, silent
from engine.queries.base import check_beta
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, repr=False)
class SmoothBound(ShownInALine):
    """A smooth upper bound S on how far an aggregate moves, and the k that determines it (private).

    Made by `Radii`.
    """

    value: float  # S
    argmax_k: int
    beta: float


def check_changes(s: int, m: int) -> None:
    """Raise `ParameterError` unless s of m outputs can change."""
    if not 1 <= s < m:
        raise ParameterError("s", f"{s} of {m} outputs change at once; it must be at least 1 and below {m}")


def bound_of(level: Callable[[int], float], diameter: float, beta: float) -> SmoothBound:
    """Return max_k exp(-beta k) U_k, with U_k = min(Λ, level(k) + level(k + 1)).

    After the first U_k = Λ, or once exp(-beta k) Λ is small enough, no k can give more.
    """
    check_beta(beta)
    best, argmax, k, near = 0.0, 0, 0, level(0)
    while True:
        far = level(k + 1)
        moves = min(diameter, near + far)
        if moves * math.exp(-beta * k) > best:
            best, argmax = moves * math.exp(-beta * k), k
        if moves >= diameter or diameter * math.exp(-beta * (k + 1)) <= best:
            return SmoothBound(best, argmax, beta)
        k, near = k + 1, far


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Radii(ShownInALine):
    """The balls around m outputs (private).

    Let z be m outputs in a metric space of diameter Λ.  One person can change at most s of them.

    * r(c, t) is the distance from c to its t-th nearest output (c counts first), Λ for t > m.
    * r_j(t) is the j-th smallest of all r(c, t), Λ for j > m.
    * With t_0 = floor((m + s)/2) + 1, the center g(z) is the c in z with the smallest r(c, t_0).

    Statement.  With U_k = min(Λ, r_{1+ks}(t_0 + ks) + r_{1+(k+1)s}(t_0 + (k+1)s)),

        S(z) = max_{k >= 0} exp(-beta k) U_k(z)

    is a beta-smooth upper bound on how far g moves when s outputs change.

    Proof.  Let z' differ from z in at most s outputs.  Consider the j + s best centers of z' at level t + s.
    At least j of them are in z, too, and each of their balls holds at least t outputs of z.  So r_j(t) for z
    is at most r_{j+s}(t + s) for z', and U_k(z) <= U_{k+1}(z').

    The balls of g(z) and g(z') both hold t_0 > (m + s)/2 outputs.  At least t_0 - s of these are among the
    m - s common outputs, so the balls meet.  The distance of the centers is at most r_1(t_0) for z plus
    r_1(t_0) for z' <= r_{1+s}(t_0 + s), which is U_0.

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4.  The bound published there (`published_bound`) is
    neither beta-smooth nor always an upper bound, and so not private; the one above is derived here.
    """

    sorted_distances: Floats  # shape (m, m); row c holds r(c, 1), ..., r(c, m)
    diameter: float  # Λ
    s: int  # number of outputs that one person can change

    @classmethod
    def of(cls, distances: ArrayLike, diameter: float, s: int = 1) -> Radii:
        """Sort a matrix of distances, shape (m, m); O(m^2 log m)."""
        matrix = np.asarray(distances, dtype=np.float64)
        m = len(matrix)
        check_changes(s, m)
        ordered = np.sort(matrix, axis=1)
        return cls(np.minimum(ordered, diameter, out=ordered), diameter, s)

    @property
    def m(self) -> int:
        """Number of outputs."""
        return len(self.sorted_distances)

    @property
    def majority(self) -> int:
        """t_0: the smallest number such that two balls with that many outputs share an unchanged one."""
        return (self.m + self.s) // 2 + 1

    def radius(self, t: int) -> Floats:
        """Return r(c, t) for every output c."""
        if t > self.m:
            return np.full(self.m, self.diameter)
        return self.sorted_distances[:, t - 1]

    def smallest(self, j: int, t: int) -> float:
        """Return r_j(t)."""
        if j > self.m or t > self.m:
            return self.diameter
        return float(np.partition(self.radius(t), j - 1)[j - 1])

    @property
    def center(self) -> int:
        """Index of the center of attention; of several, the first."""
        return int(np.argmin(self.radius(self.majority)))

    def smooth_bound(self, beta: float) -> SmoothBound:
        """Return S."""
        return bound_of(self._level, self.diameter, beta)

    def published_bound(self, beta: float) -> float:
        """Return the published bound, which is NOT private: for demonstration only.

        ``2 max_k rho(t_0 + (k+1)s) exp(-beta k)`` with rho(t) the mean of the a smallest
        r(c, t), a = ceil(s/beta).  Its logarithm changes by up to 1.69 beta per step, and
        for a < 2s it can be below the local sensitivity.
        """
        check_beta(beta)
        a = min(self.m, math.ceil(self.s / beta))
        best = 0.0
        for k in range(self.m // self.s + 1):
            radii = np.partition(self.radius(self.majority + (k + 1) * self.s), a - 1)[:a]
            best = max(best, 2 * float(radii.mean()) * math.exp(-beta * k))
        return best

    def _level(self, k: int) -> float:
        return self.smallest(1 + k * self.s, self.majority + k * self.s)


@dataclasses.dataclass(frozen=True, eq=False)
class LineRadii:
    """The shortest intervals around numbers: the center of attention may be any number.

    Let r(t) be half the length of the shortest interval that holds t of the numbers (Λ/2 for t > m).  The
    center is the middle of the interval for t_0, and

        U_k = min(Λ, r(t_0 + ks) + r(t_0 + (k+1)s)).

    The proof is that of `Radii`.  Since any point can be the center, the smallest ball of z at level t is
    never larger than that of z' at t + s, and no rank j is needed.
    """

    values: Floats  # shape (m,); sorted, in an interval of length Λ
    diameter: float
    s: int

    @classmethod
    def of(cls, values: ArrayLike, diameter: float, s: int = 1) -> LineRadii:
        """Sort the numbers."""
        array = np.sort(np.asarray(values, dtype=np.float64))
        check_changes(s, array.size)
        return cls(array, diameter, s)

    @property
    def majority(self) -> int:
        """t_0, as in `Radii`."""
        return (self.values.size + self.s) // 2 + 1

    @property
    def exact_center(self) -> Fraction:
        """The middle of the shortest interval that holds t_0 numbers; of several, the lowest."""
        start = int(np.argmin(self._lengths(self.majority)))
        ends = (float(self.values[index]) for index in (start, start + self.majority - 1))
        return sum(map(Fraction, ends), Fraction(0)) / 2

    @property
    def center(self) -> float:
        """The double nearest to the exact center."""
        return float(self.exact_center)

    def smooth_bound(self, beta: float) -> SmoothBound:
        """Return S = max_k exp(-beta k) U_k."""
        return bound_of(self._radius, self.diameter, beta)

    def _radius(self, k: int) -> float:
        t = self.majority + k * self.s
        return float(self._lengths(t).min() if t <= self.values.size else self.diameter) / 2

    def _lengths(self, t: int) -> Floats:
        return self.values[t - 1 :] - self.values[: self.values.size - t + 1]


LEVELS = 512
"""Levels computed in one pass over the distances; usually enough."""

DISTANCES_PER_REPORT = 1 << 20
"""Distances to select from between two progress reports."""

LIMIT_SAMPLE_SIZE = 128
"""Sampled outputs that determine the limit for radii."""

FIRST_LIMIT_DIVISOR, LIMIT_GROWTH = 16, 4
"""The first limit admits one of this many outputs; each later one admits more by this factor."""


class MajorityRadii:
    """The balls around m outputs that hold t_0 + k s of them (private).

    Equal to `Radii` where both apply.  Takes at most 8 m `LEVELS` bytes and time O(m^2) per `LEVELS` levels.
    """

    def __init__(
        self, space: OutputSpace, outputs: ArrayLike, s: int = 1, *, progress: Progress = silent
    ) -> None:
        self._outputs = np.asarray(outputs, dtype=np.float64)
        self.m = len(self._outputs)
        check_changes(s, self.m)
        self.diameter = space.diameter
        self.s = s
        self._space = space
        self._progress = progress
        self._levels: list[float] = []
        self._near = self.m // FIRST_LIMIT_DIVISOR
        first, which = self._look()
        index = int(np.argmin(first))
        self.center, self.radius = int(which[index]), float(first[index])

    @property
    def majority(self) -> int:
        """t_0: the smallest number such that two balls with that many outputs share an unchanged one."""
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
        """Compute more levels; return r(c, t) at the first of them, and the indices c of the outputs."""
        which, limit = np.arange(self.m), np.inf
        if self._near >= LIMIT_SAMPLE_SIZE:
            limit = self._limit()
            which = self._within(limit, part(self._progress, 0, 0.7))
            self._near = self._near * LIMIT_GROWTH if self._near * LIMIT_GROWTH < self.m // 2 else 0
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
        """Return a limit for r(c, t_0) that holds for about `_near` outputs c, and at least for some."""
        rng = np.random.Generator(np.random.PCG64(self.m))  # indices of outputs: public
        sample = np.sort(rng.choice(self.m, LIMIT_SAMPLE_SIZE, replace=False))
        radii = np.sort(self._radii(sample, np.array([self.majority]), self._progress)[0])
        return float(radii[-(-LIMIT_SAMPLE_SIZE * self._near // self.m) - 1])

    def _within(self, limit: float, progress: Progress) -> Ints:
        """Return the outputs c with ``r(c, t_0) <= limit``."""
        if limit >= self.diameter:
            return np.arange(self.m)
        inside = np.zeros(self.m, dtype=np.int64)
        for start, block in self._space.pairs(self._outputs, progress):
            close = block <= limit
            stop = start + len(close)
            inside[start:stop] += [np.count_nonzero(row) for row in close]
            # the rows that follow see these outputs in their columns
            inside[stop:] += close[:, len(close) :].sum(axis=0, dtype=np.int32)
        return np.flatnonzero(inside >= self.majority)

    def _radii(self, which: Ints, ranks: Ints, progress: Progress) -> Floats:
        """Return r(c, t), one row for each rank t, one column for each of some outputs c."""
        radii = np.empty((len(ranks), len(which)))
        low, high = int(ranks[0]) - 1, int(ranks[-1]) - 1
        rows = max(1, DISTANCES_PER_REPORT // self.m)
        for start in range(0, len(which), rows):
            progress(start / len(which), "balls around outputs")
            some = self._space.rows(self._outputs, which[start : start + rows])
            some.partition((low, high), axis=1)
            between = np.sort(some[:, low : high + 1], axis=1)[:, ranks - 1 - low]
            radii[:, start : start + len(some)] = np.minimum(between, self.diameter).T
        return radii

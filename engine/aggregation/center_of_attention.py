"""The center of attention: the output with the smallest ball that holds a majority.

For m outputs z, a metric d of diameter Λ, and at most s outputs that one person can change:
r(c, t) is the distance from c to its t-th nearest output (c counts first), Λ for t > m;
t_0 = floor((m + s)/2) + 1; the center g(z) is the c in z with the smallest r(c, t_0); and
r_j(t) is the j-th smallest of all r(c, t), Λ for j > m.

Statement.  With U_k = min(Λ, r_{1+ks}(t_0 + ks) + r_{1+(k+1)s}(t_0 + (k+1)s)),

    S(z) = max_{k >= 0} exp(-beta k) U_k(z)

is a beta-smooth upper bound on how far g moves when s outputs change.

Proof.  Let z' differ from z in at most s outputs.  Of the j + s best centers of z' at level
t + s, at least j are in z, too, and each of their balls holds at least t outputs of z; so
r_j(t) for z is at most r_{j+s}(t + s) for z', and U_k(z) <= U_{k+1}(z').  Both balls that
define g(z) and g(z') hold t_0 > (m + s)/2 outputs, at least t_0 - s of them among the m - s
that z and z' share; so they meet, and the centers are at most r_1(t_0) for z plus r_1(t_0)
for z' <= r_{1+s}(t_0 + s) apart, which is U_0.

Source: Nissim, Raskhodnikova, Smith 2007, Section 4.  The bound printed there
(`published_bound`) is neither beta-smooth nor always an upper bound, and so not private; the
one above is derived here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.queries.reach import check_beta
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, repr=False)
class SmoothBound(ShownInALine):
    """A smooth upper bound S on how far an aggregate moves, and the k that decides it (private).

    Made by `Radii`.

    Attributes
    ----------
    value : float
        S.
    argmax_k : int
    beta : float
    """

    value: float
    argmax_k: int
    beta: float


def bound_of(level: Callable[[int], float], diameter: float, beta: float) -> SmoothBound:
    """Return max_k exp(-beta k) U_k, with U_k = min(Λ, level(k) + level(k + 1)).

    Beyond the first U_k = Λ nothing can be larger, and neither where exp(-beta k) Λ is not.
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

    Attributes
    ----------
    sorted_distances : ndarray, shape (m, m)
        In row c, r(c, 1), ..., r(c, m).
    diameter : float
        Λ.
    s : int
        How many outputs one person can change.

    Examples
    --------
    Four outputs at 0, 1, 2 and 10 on a line of length 20; the smallest ball with three is around 1.

    >>> import numpy as np
    >>> outputs = np.array([0.0, 1.0, 2.0, 10.0])
    >>> radii = Radii.of(abs(outputs - outputs[:, np.newaxis]), diameter=20.0)
    >>> radii.majority, radii.center, round(radii.smooth_bound(beta=0.5).value, 2)
    (3, 1, 12.13)
    """

    sorted_distances: Floats
    diameter: float
    s: int

    @classmethod
    def of(cls, distances: ArrayLike, diameter: float, s: int = 1) -> Radii:
        """Sort a matrix of distances, shape (m, m); O(m^2 log m)."""
        matrix = np.asarray(distances, dtype=np.float64)
        m = len(matrix)
        if not 1 <= s < m:
            raise ParameterError(
                "s", f"{s} of {m} outputs change at once; it must be at least 1 and below {m}"
            )
        ordered = np.sort(matrix, axis=1)
        return cls(np.minimum(ordered, diameter, out=ordered), diameter, s)

    @property
    def m(self) -> int:
        """Number of outputs."""
        return len(self.sorted_distances)

    @property
    def majority(self) -> int:
        """t_0: so many outputs that two balls of as many always share one that did not change."""
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
        """Which output is the center of attention; of several, the first."""
        return int(np.argmin(self.radius(self.majority)))

    def smooth_bound(self, beta: float) -> SmoothBound:
        """Return S."""
        return bound_of(self._level, self.diameter, beta)

    def published_bound(self, beta: float) -> float:
        """Return the bound as it was published, which is NOT private: for demonstration only.

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
    """The shortest intervals around numbers: the center of attention may lie anywhere.

    With r(t) half the length of the shortest interval that holds t of the numbers (Λ/2 for
    t > m), the center is the middle of the one for t_0, and

        U_k = min(Λ, r(t_0 + ks) + r(t_0 + (k+1)s)).

    The proof is that of the statement above; any point can be the center, so that the
    smallest ball of z at level t is never larger than that of z' at t + s, and no rank j
    is needed.

    Attributes
    ----------
    values : ndarray, shape (m,)
        Sorted, in an interval of length Λ.
    """

    values: Floats
    diameter: float
    s: int

    @classmethod
    def of(cls, values: ArrayLike, diameter: float, s: int = 1) -> LineRadii:
        """Sort the numbers."""
        array = np.sort(np.asarray(values, dtype=np.float64))
        if not 1 <= s < array.size:
            raise ParameterError(
                "s",
                f"{s} of {array.size} outputs change at once; it must be at least 1 and below {array.size}",
            )
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

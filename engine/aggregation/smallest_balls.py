"""The smallest balls that hold a given number of outputs; their centers may be any points.

`BallRadii` has the definitions, and the proof of the smooth bound.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from engine.aggregation.center_of_attention import SmoothBound, bound_of, check_changes
from engine.array_types import Floats
from engine.progress import Progress, silent
from engine.shown import ShownInALine

MAX_DIMENSIONS = 3
"""In higher dimensions even few outputs would be too many."""

MAX_DISTANCES = 10**8
"""Largest number of distances between centers and outputs: some seconds."""

ACCURACY = 2.0**-24
"""Relative error of the radii.

Differences of outputs are rounded once.  So the center of a sphere has an error of 2^-52 times the condition
of the directions from one of its outputs.  If these are nearly parallel or coplanar, within an angle x, the
sphere through one output less is as good, up to x times the radius: at worst, x = 2^-26.
"""

_CHUNK = 1 << 19


def distances_needed(m: int, d: int) -> int:
    """Return the number of distances to compute for m outputs (public)."""
    return m * sum(math.comb(m, k) for k in range(1, d + 2))


def most_outputs(d: int) -> int:
    """Return the largest number of outputs whose smallest balls can be computed (public)."""
    m = d + 1
    while distances_needed(m + 1, d) <= MAX_DISTANCES:
        m += 1
    return m


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallRadii(ShownInALine):
    """The smallest balls that hold t_0, t_0 + s, ... of m outputs (private).

    Let z be m outputs in R^d with the Euclidean distance, in a set of diameter Λ; one person can change s.
    r(t) is the radius of the smallest ball that holds t of them, Λ for t > m.  With t_0 = floor((m + s)/2) +
    1, g(z) is the center of the smallest ball that holds t_0.

    Statement.  With U_k = min(Λ, r(t_0 + k s) + r(t_0 + (k + 1) s)),

        S(z) = max_{k >= 0} exp(-beta k) U_k(z)

    is a beta-smooth upper bound on how far g moves when s outputs change.

    Proof.  Let z' differ from z in at most s outputs.  A ball with t + s outputs of z' holds at least t of z.
    So r(t) for z is at most r(t + s) for z' (also for t + s > m: no ball need be wider than Λ).  Hence
    U_k(z) <= U_{k+1}(z').

    The balls of g(z) and g(z') hold t_0 > (m + s)/2 outputs each, at least t_0 - s of them unchanged, and
    thus one in common.  The distance of the centers is at most r(t_0) for z plus r(t_0) for z' <= r(t_0 + s),
    which is U_0.  It is at most Λ, since they lie in the convex hulls.

    A smallest ball is determined by at most d + 1 of its outputs, all at its radius.  So its center is that
    of a sphere through 1, 2, ..., d + 1 outputs, in their affine hull.  r(t) is the smallest distance of the
    t-th nearest output from one of these centers.

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4, name the unconstrained center; the bound is derived
    here.  On a line it is `engine.aggregation.center_of_attention.LineRadii`.
    """

    radii: Floats  # r(t_0), r(t_0 + s), ..., while there are enough outputs
    exact_center: tuple[Fraction, ...]  # the center g(z)
    majority: int  # t_0
    diameter: float  # Λ

    @classmethod
    def of(cls, outputs: ArrayLike, diameter: float, s: int = 1, *, progress: Progress = silent) -> BallRadii:
        """Compute all spheres through at most d + 1 outputs."""
        points = np.asarray(outputs, dtype=np.float64)
        m = len(points)
        check_changes(s, m)
        majority = (m + s) // 2 + 1
        unit = (
            2.0 ** -math.frexp(diameter)[1]
        )  # scales distances near 1, so that no square underflows or overflows
        levels = np.arange(majority, m + 1, s) - 1
        least = np.full(len(levels), np.inf)
        best: tuple[int, Floats] = (0, np.zeros(points.shape[1]))
        for anchor, centers in _spheres(points * unit, progress=progress):
            local = (points - points[anchor]) * unit
            squares = np.zeros((len(centers), m))
            for axis, column in enumerate(local.T):
                squares += (centers[:, axis, None] - column) ** 2
            squares.partition(levels, axis=1)
            here = squares[:, levels]
            row = int(here[:, 0].argmin()) if len(levels) else 0
            if len(levels) and here[row, 0] < least[0]:
                best = anchor, centers[row]
            np.minimum(least, here.min(axis=0), out=least)
        anchor, offset = best
        center = tuple(
            Fraction(at) + Fraction(step) / Fraction(unit)
            for at, step in zip(points[anchor].tolist(), offset.tolist(), strict=True)
        )
        return cls(np.minimum(np.sqrt(least) / unit, diameter), center, majority, diameter)

    def smooth_bound(self, beta: float) -> SmoothBound:
        """Return S."""
        return bound_of(self._level, self.diameter, beta)

    def _level(self, k: int) -> float:
        return float(self.radii[k]) if k < len(self.radii) else self.diameter


def _spheres(points: Floats, *, progress: Progress) -> Iterator[tuple[int, Floats]]:
    """Yield centers of spheres through 1 to d + 1 points, relative to one of these, and the index of that
    point.
    """
    m, d = points.shape
    yield from ((anchor, np.zeros((1, d))) for anchor in range(m))
    rows = max(1, _CHUNK // m)
    for anchor in range(m - 1):
        progress(1 - (1 - anchor / m) ** (d + 1), "looking for the smallest balls")
        away = points[anchor + 1 :] - points[anchor]
        for others in range(1, min(d, len(away)) + 1):
            sets = itertools.combinations(range(len(away)), others)
            while some := list(itertools.islice(sets, rows)):
                centers = _centers(away[np.array(some)])
                if len(centers):
                    yield anchor, centers


def _centers(away: Floats) -> Floats:
    """Return centers of the spheres through 0 and `away`, shape (n, k, d), in their span.

    Identical points, and linearly dependent directions, have none.
    """
    lengths = np.linalg.norm(away, axis=2)
    away, lengths = away[(lengths > 0).all(axis=1)], lengths[(lengths > 0).all(axis=1)]
    # u = Q y with  direction . u = length / 2:  R^T y = lengths / 2
    q, r = np.linalg.qr(np.swapaxes(away / lengths[:, :, None], 1, 2))
    free = (np.abs(np.diagonal(r, axis1=1, axis2=2)) > 2.0**-40).all(axis=1)
    y = np.linalg.solve(np.swapaxes(r[free], 1, 2), lengths[free][:, :, None] / 2)
    centers: Floats = (q[free] @ y)[:, :, 0]
    return centers

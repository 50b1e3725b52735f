"""Two ideas for finding a cluster that fail, shown on public synthetic points.

Source: Nissim, Stemmer, Vadhan 2016, Section 3.2 (first and second attempt, Figure 1).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.findings import Finding
from engine.randomness import reproducible

CLUSTER, RADIUS = (0.6, 0.36), 0.04
"""Center and radius of the cluster of `misleading`."""

SHARES = (0.3, 0.35, 0.35)
"""Shares of the points in the cluster and the two bands."""

BANDS = 0.2, 0.84
"""Positions of the vertical band on the x axis and the horizontal band on the y axis."""


EXTENTS = (0.42, 0.76), (0.28, 0.54)
"""Extents of the bands: they pass the cluster but do not meet."""


@dataclasses.dataclass(frozen=True)
class AxisByAxis:
    """The fullest interval of each axis, and the number of points that lie in all of them."""

    lower: Floats  # shape (d,)
    upper: Floats  # shape (d,)
    counts: Ints  # shape (d,); points in the interval of each axis
    inside: int  # points in the box that the intervals make


def misleading(n: int, pattern: int = 1) -> Floats:
    """Return n points of the unit square, shape (n, 2): a small cluster, and two bands.

    On each axis a band looks fuller than the cluster, and no points lie where the bands would cross.
    """
    rng = reproducible(pattern)
    in_cluster, upright = (round(share * n) for share in SHARES[:2])
    angle, distance = rng.uniform(0, 2 * np.pi, in_cluster), np.sqrt(rng.uniform(0, 1, in_cluster))
    cluster = np.array(CLUSTER) + RADIUS * distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    thin, level = RADIUS / 2, n - in_cluster - upright
    first = np.stack([rng.uniform(-thin, thin, upright) + BANDS[0], rng.uniform(*EXTENTS[0], upright)], 1)
    second = np.stack([rng.uniform(*EXTENTS[1], level), rng.uniform(-thin, thin, level) + BANDS[1]], 1)
    return np.concatenate([cluster, first, second])


def axis_by_axis(points: ArrayLike, length: float) -> AxisByAxis:
    """Return the fullest interval of a length on each axis of points (n, d), and the points in all of them.

    The intervals of an axis are 0 to length, length to 2 length ...
    """
    values = np.asarray(points, dtype=np.float64)
    cells = np.floor(values / length).astype(np.int64)
    fullest = np.array([np.bincount(column - column.min()).argmax() + column.min() for column in cells.T])
    hits = cells == fullest
    return AxisByAxis(
        lower=fullest * length,
        upper=(fullest + 1) * length,
        counts=np.count_nonzero(hits, axis=0),
        inside=int(np.count_nonzero(hits.all(axis=1))),
    )


def box_of(d: int, chance: float = 0.5) -> tuple[float, float]:
    """Return side and diameter, in radii, of boxes that contain a ball with probability `chance` in d axes.

    With randomly shifted boxes, an interval of length s contains the 2 r of a ball with probability 1 - 2
    r/s.  All axes together do with probability (1 - 2 r/s)^d.  So s grows like d, and the diameter s sqrt(d)
    even faster: the box is no longer a small ball.
    """
    side = 2 / (1 - math.pow(chance, 1 / d))
    return side, side * math.sqrt(d)


@dataclasses.dataclass(frozen=True, eq=False)
class AxesAttempt:
    """Points of the unit square, and the fullest interval of each axis (public).

    Returned by `attempt_axis_by_axis`.
    """

    points: Floats  # shape (n, 2)
    lower: Floats  # shape (2,); the fullest interval of each axis
    upper: Floats
    counts: Ints  # shape (2,); number of points in each interval
    inside: int  # number of points in both
    center: Floats  # shape (2,); of the missed cluster
    radius: float
    held: int  # number of points in the cluster

    def findings(self) -> Iterator[Finding]:
        """Yield the points in the intervals, and in the missed cluster."""
        yield Finding("points in the fullest interval of each axis", self.counts, public=True)
        yield Finding("points in both", self.inside, public=True)
        yield Finding("points in the cluster that is missed", self.held, public=True)


@dataclasses.dataclass(frozen=True, eq=False)
class SidesAttempt:
    """Sizes of boxes that contain a ball, against the dimension (public).

    Returned by `attempt_all_dimensions`.
    """

    d: Ints  # shape (p,)
    side: Floats  # shape (p,); in radii of the ball
    diameter: Floats
    chance: float  # probability that the ball lies in one box

    def findings(self) -> Iterator[Finding]:
        """Yield the sizes of boxes for each dimension."""
        yield Finding("sides, in radii of the ball", self.side, public=True)
        yield Finding("diameters", self.diameter, public=True)


def attempt_axis_by_axis(*, size: int = 400, pattern: int = 1) -> AxesAttempt:
    """Return `size` points for which the fullest interval of each axis misses the cluster (public).

    The intervals are as wide as the cluster.
    """
    points = misleading(size, pattern)
    result = axis_by_axis(points, 2 * RADIUS)
    center, radius = np.array(CLUSTER), RADIUS
    held = int((np.linalg.norm(points - center, axis=1) <= radius).sum())
    return AxesAttempt(points, result.lower, result.upper, result.counts, result.inside, center, radius, held)


def attempt_all_dimensions(*, largest: int = 100, chance: float = 0.5) -> SidesAttempt:
    """Return boxes that contain a ball with probability `chance`, for dimensions 1 to `largest` (public)."""
    d = np.arange(1, largest + 1)
    side, diameter = np.array([box_of(k, chance) for k in d.tolist()]).T
    return SidesAttempt(d, side, diameter, chance)

"""Two ideas for finding a cluster that do not work, shown on public points of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.array_types import Floats, Ints
from engine.findings import Finding
from engine.mechanisms.one_cluster import first_attempts as attempts


@dataclasses.dataclass(frozen=True, eq=False)
class AxesAttempt:
    """Points of the unit square, and the fullest interval of each axis (public).

    Returned by `attempt_axis_by_axis`.
    """

    points: Floats  # shape (n, 2)
    lower: Floats  # shape (2,); The fullest interval of each axis
    upper: Floats
    counts: Ints  # shape (2,); How many points are in each interval
    inside: int  # How many are in both
    center: Floats  # shape (2,); Of the cluster that was missed
    radius: float
    held: int  # How many points the cluster has

    def findings(self) -> Iterator[Finding]:
        """Yield what the intervals hold, and what they miss."""
        yield Finding("points in the fullest interval of each axis", self.counts, public=True)
        yield Finding("points in both", self.inside, public=True)
        yield Finding("points in the cluster that is missed", self.held, public=True)


@dataclasses.dataclass(frozen=True, eq=False)
class SidesAttempt:
    """Boxes that a ball fits into, against the dimension (public).

    Returned by `attempt_all_dimensions`.
    """

    d: Ints  # shape (p,)
    side: Floats  # shape (p,); In radii of the ball
    diameter: Floats
    chance: float  # Probability with which the ball lies in one box

    def findings(self) -> Iterator[Finding]:
        """Yield the sizes of boxes for each dimension."""
        yield Finding("sides, in radii of the ball", self.side, public=True)
        yield Finding("diameters", self.diameter, public=True)


def attempt_axis_by_axis(*, size: int = 400, pattern: int = 1) -> AxesAttempt:
    """Return `size` points for which the fullest interval of each axis misses the cluster (public).

    The intervals are as wide as the cluster.
    """
    points = attempts.misleading(size, pattern)
    result = attempts.axis_by_axis(points, 2 * attempts.RADIUS)
    center, radius = np.array(attempts.CLUSTER), attempts.RADIUS
    held = int((np.linalg.norm(points - center, axis=1) <= radius).sum())
    return AxesAttempt(points, result.lower, result.upper, result.counts, result.inside, center, radius, held)


def attempt_all_dimensions(*, largest: int = 100, chance: float = 0.5) -> SidesAttempt:
    """Return boxes that hold a ball with probability `chance`, for dimensions 1 to `largest` (public)."""
    d = np.arange(1, largest + 1)
    side, diameter = np.array([attempts.box_of(k, chance) for k in d.tolist()]).T
    return SidesAttempt(d, side, diameter, chance)

"""A released ball: a public set that can screen points."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.one_cluster.grid import STEPS, DomainGrid


@dataclasses.dataclass(frozen=True)
class Ball:
    """All points within `radius` of `center`, in the unit of the data.

    A released ball is public, and so is whether a given point lies in it.  It can serve as a test for
    outliers, or as a smaller domain for the next release.

    Attributes
    ----------
    center : tuple of float
    radius : float
        At least 0.

    See Also
    --------
    one_cluster, screen_points

    Examples
    --------
    >>> import numpy as np
    >>> ball = Ball((0.0, 0.0), radius=5.0)
    >>> ball.contains(np.array([[3.0, 4.0], [4.0, 4.0]])).tolist()
    [True, False]
    """

    center: tuple[float, ...]
    radius: float

    @classmethod
    def of(cls, row: ArrayLike) -> Ball | None:
        """Return the ball of a row (center, radius), shape (d + 1,); None if the row has NaN."""
        numbers = np.asarray(row, dtype=np.float64)
        return None if np.isnan(numbers).any() else cls(tuple(numbers[:-1].tolist()), float(numbers[-1]))

    @classmethod
    def at(cls, center: Floats, radius: float) -> Ball:
        """Return the ball around a point, shape (d,)."""
        return cls(tuple(center.tolist()), float(radius))

    @property
    def row(self) -> Floats:
        """Center and radius in one array, shape (d + 1,)."""
        return np.array([*self.center, self.radius])

    def facts(self) -> dict[str, Any]:
        """Return center and radius in released form."""
        return {"center": list(self.center), "radius": self.radius}

    def contains(self, points: ArrayLike) -> Bools:
        """Return which points, shape (m, d), lie inside or on the edge, shape (m,)."""
        from_center = np.abs(np.asarray(points, dtype=np.float64) - np.array(self.center))
        # tolerate the rounding of coordinates for points on the edge
        reach = self.radius * (1 + 8 * np.finfo(np.float64).eps) + 4 * np.spacing(
            np.abs(self.center).max() + self.radius
        )
        inside: Bools = (from_center <= reach).all(axis=1)
        # divide by the radius first, so that squares neither overflow nor underflow
        inside[inside] = np.square(from_center[inside] / reach).sum(axis=1) <= 1
        return inside

    def bounds(self, box: Box) -> Box:
        """Return the smallest box around the part of the ball that lies in `box`.

        Raise `ParameterError` if an interval would have length 0.
        """
        center = np.array(self.center)
        low, high = np.maximum(box.lower, center - self.radius), np.minimum(box.upper, center + self.radius)
        if not (low < high).all():
            raise ParameterError(
                "ball", "a ball of radius 0 leaves no domain; release its center only, or a larger ball"
            )
        return Box.of(low.tolist(), high.tolist())


def screen_points(points: Points, ball: Ball, grid: int = STEPS) -> Points:
    """Round points to the grid, and move all points outside a public ball to its center.

    Each record changes by itself and the number of records stays, so neighbours stay neighbours.  A release
    from the result costs its own budget in the smaller domain, in addition to that of the ball.

    Parameters
    ----------
    points : Points
    ball : Ball
        A released ball.
    grid : int
        Number of steps of the grid on which the ball was found.

    Returns
    -------
    Points
        The same number of points, in the smallest box around the ball.

    Raises
    ------
    ParameterError
        If the part of the ball inside the box has width 0 along an axis.

    See Also
    --------
    one_cluster, Ball, NoisyAverage

    Examples
    --------
    The point outside the ball moves to its center, (0.5, 0.5).

    >>> from engine import Ball, Box
    >>> data = Points([[0.5, 0.75], [0.0, 1.0]], Box.of([0, 0], [1, 1]))
    >>> inside = screen_points(data, Ball((0.5, 0.5), 0.25))
    >>> inside.values.round(3).tolist(), inside.domain.lower.tolist()
    ([[0.5, 0.75], [0.5, 0.5]], [0.25, 0.25])
    """
    domain = ball.bounds(points.domain)
    rounded = DomainGrid(points.domain, grid).round_points(points.values)
    inside = ball.contains(rounded)
    return Points(np.where(inside[:, None], rounded, domain.clamp([ball.center])), domain)


def records_in(row: ArrayLike, places: Floats) -> float:
    """Return the number of records, shape (n, d), in a ball (center, radius); NaN for no ball."""
    ball = Ball.of(row)
    return np.nan if ball is None else float(np.count_nonzero(ball.contains(places)))


def relative_radii(radii: Floats, true: float) -> Floats:
    """Return the ratios of radii to the true radius: 1 if both are 0, inf if only the true one is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(radii == true, 1.0, radii / true)


def typical_quality(coverage: Floats, ratio: Floats) -> tuple[float, float]:
    """Return the medians over runs with a ball and finite numbers; NaN if there are none."""
    known = np.isfinite(coverage) & np.isfinite(ratio)
    if not known.any():
        return np.nan, np.nan
    return float(np.median(coverage[known])), float(np.median(ratio[known]))

"""A ball, once it is released: a public set that can be asked about any point."""

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

    A released ball is public, and so is whether a given point lies in it: it may serve as a
    test for outliers, or as a smaller domain for whatever is released next.

    Attributes
    ----------
    center : tuple of float
    radius : float
        At least 0.

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
        """Return the ball of a row (center, radius), shape (d + 1,); None for NaN."""
        numbers = np.asarray(row, dtype=np.float64)
        return None if np.isnan(numbers).any() else cls(tuple(numbers[:-1].tolist()), float(numbers[-1]))

    @classmethod
    def at(cls, center: Floats, radius: float) -> Ball:
        """Return the ball around a point, shape (d,)."""
        return cls(tuple(center.tolist()), float(radius))

    @property
    def row(self) -> Floats:
        """Center and radius one after the other, shape (d + 1,)."""
        return np.array([*self.center, self.radius])

    def facts(self) -> dict[str, Any]:
        """Return the ball as it is released: center and radius."""
        return {"center": list(self.center), "radius": self.radius}

    def contains(self, points: ArrayLike) -> Bools:
        """Tell which of several points, shape (m, d), lie inside or on the edge, shape (m,)."""
        from_center = np.abs(np.asarray(points, dtype=np.float64) - np.array(self.center))
        # a point of the edge may miss the radius by the rounding of its coordinates
        reach = self.radius * (1 + 8 * np.finfo(np.float64).eps) + 4 * np.spacing(
            np.abs(self.center).max() + self.radius
        )
        inside: Bools = (from_center <= reach).all(axis=1)
        # in shares of the radius, so that no square is too large or too small
        inside[inside] = np.square(from_center[inside] / reach).sum(axis=1) <= 1
        return inside

    def bounds(self, box: Box) -> Box:
        """Return the smallest box around the part of the ball that lies in `box`.

        Raise `ParameterError` if the ball has no extent there, so that no interval is left.
        """
        center = np.array(self.center)
        low, high = np.maximum(box.lower, center - self.radius), np.minimum(box.upper, center + self.radius)
        if not (low < high).all():
            raise ParameterError(
                "ball", "a ball of radius 0 leaves no domain; nothing is left to release but its center"
            )
        return Box.of(low.tolist(), high.tolist())


def screen_points(points: Points, ball: Ball, grid: int = STEPS) -> Points:
    """Return the points, rounded to the grid, with all outside of a public ball moved to its center.

    Each record is changed by itself and their number stays, so neighbours stay neighbours:
    whatever is released of the result in the smaller domain costs what it costs there, beside
    what the ball has cost.

    Parameters
    ----------
    points : Points
    ball : Ball
        Released before.
    grid : int
        Steps of the grid on which the ball was found: a ball knows about points of the grid.

    Returns
    -------
    Points
        As many, in the smallest box around the ball.

    Raises
    ------
    ParameterError
        If the ball has no extent in the box of the points.

    Examples
    --------
    The point outside of the ball becomes its center, (0.5, 0.5).

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
    """Return how many records, shape (n, d), a ball (center, radius) holds; NaN for no ball."""
    ball = Ball.of(row)
    return np.nan if ball is None else float(np.count_nonzero(ball.contains(places)))


def relative_radii(radii: Floats, true: float) -> Floats:
    """Return radii by the true one: 1 where both are 0, inf where only the true one is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(radii == true, 1.0, radii / true)


def typical_quality(coverage: Floats, ratio: Floats) -> tuple[float, float]:
    """Return the medians over the runs that found a ball and can be compared; NaN if none did."""
    known = np.isfinite(coverage) & np.isfinite(ratio)
    if not known.any():
        return np.nan, np.nan
    return float(np.median(coverage[known])), float(np.median(ratio[known]))

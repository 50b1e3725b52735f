"""The public region of Voronoi cells: a box, or the ball around it."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats
from engine.domain import Box

SLACK = 1e-9
"""Tolerance for rounding, in units of the region's radius; actual errors are about 1e-15."""


@dataclasses.dataclass(frozen=True)
class Region:
    """A box, or its circumscribed ball, scaled to the unit ball.

    Chawla, Dwork, McSherry, Talwar 2005, section 2, split the unit ball, or "a known bounding ball".  All
    geometry uses the region's units: coordinates relative to the center of the box, divided by its
    circumradius.  The scale is the same along all axes, so that distances stay Euclidean.
    """

    box: Box  # public bounds of the points
    is_ball: bool = False  # whether to split the ball around the box instead of the box itself

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return self.box.dimension

    @cached_property
    def center(self) -> Floats:
        """Center in data units, shape (d,)."""
        return self.box.center

    @cached_property
    def radius(self) -> float:
        """Circumradius in data units; includes all corners although the center is rounded."""
        sides = np.maximum(self.box.upper - self.center, self.center - self.box.lower)
        longest = float(sides.max())
        return longest * float(np.linalg.norm(sides / longest))

    @property
    def spacing(self) -> Floats:
        """Rounding error of conversion to data units, shape (d,)."""
        return np.asarray(4 * np.spacing(np.maximum(np.abs(self.box.lower), np.abs(self.box.upper))))

    @cached_property
    def lower(self) -> Floats:
        """Lower bounds of the region in its own units, shape (d,)."""
        return -np.ones(self.dimension) if self.is_ball else self.scale(self.box.lower)

    @cached_property
    def upper(self) -> Floats:
        """Upper bounds of the region in its own units, shape (d,)."""
        return np.ones(self.dimension) if self.is_ball else self.scale(self.box.upper)

    def scale(self, points: ArrayLike) -> Floats:
        """Return points, shape (..., d), in units of the region."""
        scaled: Floats = (np.asarray(points, dtype=np.float64) - self.center) / self.radius
        return scaled

    def unscale(self, points: Floats) -> Floats:
        """Return points, shape (..., d), in data units."""
        unscaled: Floats = self.center + self.radius * points
        return unscaled

    def inside(self, points: Floats) -> Bools:
        """Tell which points (n, d) in its units the region holds, up to rounding."""
        return self.margins(points) >= -SLACK

    def margins(self, points: Floats) -> Floats:
        """Return the distance of points (n, d) in its units to the boundary; below 0 outside."""
        if self.is_ball:
            return 1.0 - np.asarray(np.linalg.norm(points, axis=1))
        return np.asarray(np.minimum(points - self.lower, self.upper - points).min(axis=1))

    def touches(self, middles: Floats, half: Floats) -> Bools:
        """Tell which boxes, given by centers (n, d) and half their sides (d,), meet the region."""
        if self.is_ball:
            nearest = np.clip(np.abs(middles) - half, 0.0, None)
            return np.asarray(np.linalg.norm(nearest, axis=1) <= 1.0 + SLACK)
        gaps = np.maximum(self.lower - middles, middles - self.upper) - half
        return np.asarray((gaps <= SLACK).all(axis=1))

"""The finite domain X^d of the search for a ball: a public grid, with whole numbers as indices."""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.parameters import parameter
from engine.sampling.public_grid import PublicGrid

STEPS = 1 << 16
"""Default number of steps of the longest side."""

SMALLEST_BETA = 1e-100
"""Guarantees divide by small shares of beta and delta; with this limit the results are finite."""


def failure_probability() -> Any:
    """Declare beta, the failure probability of guarantees."""
    return parameter(
        default=0.1,
        lower=SMALLEST_BETA,
        upper=1.0,
        upper_open=True,
        label="Failure β",
        help="Probability with which the theoretical guarantee may fail.",
        advanced=True,
    )


def grid_steps() -> Any:
    """Declare the public resolution."""
    return parameter(
        default=STEPS,
        lower=2,
        upper=1 << 20,
        label="Grid steps",
        help="Number of steps of the longest side, rounded up to a power of two. Points are rounded to this "
        "public grid.",
        advanced=True,
    )


@dataclasses.dataclass(frozen=True)
class DomainGrid:
    """A grid with the same step along all sides of a box.

    Squared distances between its points, in steps, are whole numbers below 2^53.  So counts of points in
    balls and boxes depend on the points alone and not on rounding.
    """

    box: Box
    steps: int

    @cached_property
    def bits(self) -> int:
        """Binary logarithm of the number of steps along the longest side."""
        return max(1, (self.steps - 1).bit_length())

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return self.box.dimension

    @cached_property
    def step(self) -> float:
        """The public resolution, in the unit of the data."""
        return float(self.box.width.max()) / 2.0**self.bits

    @property
    def points(self) -> PublicGrid:
        """The grid of coordinates, clamped to the box."""
        d = self.dimension
        return PublicGrid(np.full(d, self.step), self.unclamped(np.zeros(d)), self.box.lower, self.box.upper)

    @cached_property
    def last(self) -> Ints:
        """Index of the last grid point along each side, shape (d,)."""
        return np.rint(self.box.width / self.step).astype(np.int64)

    @cached_property
    def diameter(self) -> float:
        """Largest distance between two grid points, in steps."""
        return math.hypot(*self.last.astype(float))

    def index_points(self, points: ArrayLike) -> Ints:
        """Return the indices of the grid points nearest to points (n, d) of the box."""
        from_corner = (np.asarray(points, dtype=np.float64) - self.box.lower) / self.step
        return np.clip(np.rint(from_corner), 0, self.last).astype(np.int64)

    def round_points(self, points: ArrayLike) -> Floats:
        """Round points (n, d) of the box to the grid, in the unit of the data."""
        return self.points_at(self.index_points(points))

    def points_at(self, indices: ArrayLike) -> Floats:
        """Convert indices (..., d), whole or not, to the unit of the data, clamped to the box."""
        return np.clip(self.unclamped(indices), *self._ends)

    def unclamped(self, indices: ArrayLike) -> Floats:
        """Convert indices (..., d) to the unit of the data; cells may reach beyond the box."""
        placed: Floats = self._start + np.asarray(indices, dtype=np.float64) * self.step
        return placed

    @cached_property
    def _start(self) -> Floats:
        """The first grid point; a side too short for two points has one in its middle."""
        return np.where(self.last > 0, self.box.lower, self.box.center)

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        return self.box.lower, self.box.upper

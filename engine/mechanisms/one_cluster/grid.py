"""The finite domain X^d in which a ball is sought: points on a public grid, as whole numbers."""

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
"""Steps of the longest side by default."""

SMALLEST_BETA = 1e-100
"""Promises divide by it, by small shares of it and of delta: all of that is a number still."""


def failure_probability() -> Any:
    """Declare beta, with which promises may fail."""
    return parameter(
        default=0.1,
        lower=SMALLEST_BETA,
        upper=1.0,
        upper_open=True,
        label="Failure β",
        help="Probability with which what theory promises may fail.",
        advanced=True,
    )


def grid_steps() -> Any:
    """Declare the public resolution."""
    return parameter(
        default=STEPS,
        lower=2,
        upper=1 << 20,
        label="Grid steps",
        help="The longest side of the box is divided into so many steps, a power of two, to which "
        "points are rounded: the public resolution.",
        advanced=True,
    )


@dataclasses.dataclass(frozen=True)
class DomainGrid:
    """A grid with the same step along all sides of a box.

    Distances between its points are square roots of whole numbers below 2^53, so that counts of
    balls and boxes depend on the points alone and not on how they were rounded.
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
        """The grid of the coordinates of its points, moved into the box."""
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
        """Return the nearest grid point of each point (n, d) of the box, as indices."""
        from_corner = (np.asarray(points, dtype=np.float64) - self.box.lower) / self.step
        return np.clip(np.rint(from_corner), 0, self.last).astype(np.int64)

    def round_points(self, points: ArrayLike) -> Floats:
        """Return points (n, d) of the box where the grid has them, in the unit of the data."""
        return self.points_at(self.index_points(points))

    def points_at(self, indices: ArrayLike) -> Floats:
        """Return where indices (..., d), whole or not, lie in the unit of the data, within the box."""
        return np.clip(self.unclamped(indices), *self._ends)

    def unclamped(self, indices: ArrayLike) -> Floats:
        """Return where indices (..., d) lie in the unit of the data; cells may reach beyond the box."""
        placed: Floats = self._start + np.asarray(indices, dtype=np.float64) * self.step
        return placed

    @cached_property
    def _start(self) -> Floats:
        """Where the first grid point lies; a side without room for two has one in its middle."""
        return np.where(self.last > 0, self.box.lower, self.box.center)

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        return self.box.lower, self.box.upper

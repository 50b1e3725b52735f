"""The public grid on which the numbers of a release must lie."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.array_types import Bools, Floats


@dataclasses.dataclass(frozen=True, eq=False)
class PublicGrid:
    """Where the numbers of a release lie, from public facts alone."""

    # shape (D,); Spacing of the grid of each number, NaN where there is none; one entry stands for all
    # numbers
    step: Floats
    origin: Floats  # shape (D,); A point of each grid
    # shape (D,); Bounds to which numbers are moved, which are public whether they lie on the grid or not
    lower: Floats
    upper: Floats

    @classmethod
    def multiples(cls, step: float | list[float]) -> PublicGrid:
        """Return the whole multiples of a step, or of one for each number."""
        steps = np.atleast_1d(np.asarray(step, dtype=np.float64))
        zero, far = np.zeros_like(steps), np.full_like(steps, math.inf)
        return cls(steps, zero, -far, far)

    @classmethod
    def joined(cls, *grids: PublicGrid) -> PublicGrid:
        """Return the grid of the numbers of several, one after the other."""
        sides = zip(*(dataclasses.astuple(grid) for grid in grids), strict=True)
        return cls(*(np.concatenate(side) for side in sides))

    def same(self, other: PublicGrid) -> bool:
        """Tell whether both are the same grid."""
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(mine, others, strict=True))

    def index(self, numbers: Floats) -> Floats:
        """Return how many steps numbers (size, D) are from the origin, whole or not."""
        with np.errstate(over="ignore", invalid="ignore"):
            steps: Floats = (numbers - self.origin) / self.step
        return steps

    def holds(self, numbers: Floats) -> Bools:
        """Tell which numbers (size, D) are points of the grid, exactly; a refusal is none that is off it.

        A point is a whole number of steps from the origin, rounded to the nearest double where it is
        none.  With a power of two as the step, of a grid around 0, nothing is rounded.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            points = self.origin + np.rint(self.index(numbers)) * self.step
        on = (points == numbers) | (numbers == self.lower) | (numbers == self.upper)
        result: Bools = on | np.isnan(self.step) | np.isnan(numbers)
        return result


FREE = PublicGrid(np.array([math.nan]), np.zeros(1), np.array([math.nan]), np.array([math.nan]))
"""One number that lies on no grid."""


def stack_rows(rows: list[Floats]) -> Floats:
    """Return arrays of numbers one below the other, filled with NaN where some have fewer."""
    widest = max(some.shape[1] for some in rows)
    return np.concatenate(
        [np.pad(some, ((0, 0), (0, widest - some.shape[1])), constant_values=np.nan) for some in rows]
    )

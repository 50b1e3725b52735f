"""The public grid of each number in a release."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.array_types import Bools, Floats


@dataclasses.dataclass(frozen=True, eq=False)
class PublicGrid:
    """The grid of each number in a release; it depends on public facts alone."""

    step: Floats  # (D,), spacing for each number, NaN if it has no grid; one entry may stand for all
    origin: Floats  # (D,), one point of each grid
    # (D,), bounds to which numbers are clamped; these are allowed even off the grid
    lower: Floats
    upper: Floats

    @classmethod
    def multiples(cls, step: float | list[float]) -> PublicGrid:
        """Return the grid of whole multiples of one step, or of one step for each number."""
        steps = np.atleast_1d(np.asarray(step, dtype=np.float64))
        zero, far = np.zeros_like(steps), np.full_like(steps, math.inf)
        return cls(steps, zero, -far, far)

    @classmethod
    def joined(cls, *grids: PublicGrid) -> PublicGrid:
        """Return the grid of several groups of numbers, one after the other."""
        sides = zip(*(dataclasses.astuple(grid) for grid in grids), strict=True)
        return cls(*(np.concatenate(side) for side in sides))

    def same(self, other: PublicGrid) -> bool:
        """Return whether both grids are the same."""
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(mine, others, strict=True))

    def index(self, numbers: Floats) -> Floats:
        """Return the distance of numbers (size, D) from the origin in steps, which need not be whole."""
        with np.errstate(over="ignore", invalid="ignore"):
            steps: Floats = (numbers - self.origin) / self.step
        return steps

    def holds(self, numbers: Floats) -> Bools:
        """Return which numbers (size, D) lie on the grid exactly; a refusal (NaN) counts as on it.

        A point is the origin plus a whole number of steps, rounded to the nearest double.  Nothing is
        rounded if the step is a power of two and the origin is 0.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            points = self.origin + np.rint(self.index(numbers)) * self.step
        on = (points == numbers) | (numbers == self.lower) | (numbers == self.upper)
        result: Bools = on | np.isnan(self.step) | np.isnan(numbers)
        return result


FREE = PublicGrid(np.array([math.nan]), np.zeros(1), np.array([math.nan]), np.array([math.nan]))
"""The grid of one number that may be any double."""


def stack_rows(rows: list[Floats]) -> Floats:
    """Return arrays of numbers one below the other; NaN fills the shorter rows."""
    widest = max(some.shape[1] for some in rows)
    return np.concatenate(
        [np.pad(some, ((0, 0), (0, widest - some.shape[1])), constant_values=np.nan) for some in rows]
    )

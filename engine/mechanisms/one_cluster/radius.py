"""Radii: one at which L(r, S) falls below t, and one around a center that is public."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.capped_counts import average_counts
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.search import Crossing
from engine.primitives import choose_crossing, exponential_slack
from engine.progress import Progress, silent

SENSITIVITY = 2.0
"""By how much one person can change L(r, S), Lemma 4.5 of the paper: by less than 2, and by no more
than 2 once L is moved to the grid of scores, on which everything that follows is exact."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CandidateRadii:
    """The radii ``sqrt(d) 2^-j`` of the longest side, and what each is good for."""

    grid: DomainGrid
    quality: Floats  # shape (J + 1,); L(r_j, S), never increasing (private)
    t: int

    @classmethod
    def of(cls, grid: DomainGrid, points: Ints, t: int, *, progress: Progress = silent) -> CandidateRadii:
        """Work out L(r, S) at all radii."""
        return cls(grid, average_counts(points, squares(grid), t, progress=progress), t)

    def choose(self, epsilon: float, beta: float, rng: np.random.Generator) -> Crossing:
        """Choose a radius at which L falls below t by the exponential mechanism: epsilon-private.

        With G its slack for quality of sensitivity 1, the target is t - 2 G: with probability
        1 - beta the radius r has L(r) >= t - 4 G and L(r/2) <= t, and so is at most four times that
        of the smallest ball with t points.

        Source: in place of Algorithm 1 (GoodRadius) of Nissim, Stemmer, Vadhan 2016, which uses
        RecConcave on a grid of radii of the same distance.
        """
        target = self.t - radius_slack(self.grid, epsilon, beta)
        chosen = choose_crossing(self.quality, target, epsilon, rng, sensitivity=SENSITIVITY)
        radii = np.sqrt(np.array(squares(self.grid), dtype=np.float64)) * self.grid.step
        return Crossing(radii, self.quality, target, chosen)


def squares(grid: DomainGrid) -> list[int]:
    """Return the squares of the radii in steps, down to one that holds copies of a point only."""
    longest = grid.dimension << 2 * grid.bits
    most = math.ceil(math.log2(2 * math.sqrt(longest)))
    return [longest >> 2 * j for j in range(most + 1)]


def radius_slack(grid: DomainGrid, epsilon: float, beta: float) -> float:
    """Return 2 G: by how much L at the chosen radius may miss the target, but for probability beta."""
    return exponential_slack(math.log(len(squares(grid))), epsilon, beta, SENSITIVITY)


PER_DOUBLING = 4
"""Radii are ``far 2^(-i/4)``."""

SMALLEST = 0.5
"""In steps: nothing but the grid point next to the center is nearer."""


def number_of_radii(far: float) -> int:
    """Return how many radii there are between `far` and half a step (public)."""
    return 1 + max(0, math.floor(PER_DOUBLING * math.log2(far / SMALLEST)))


def reach(
    grid: DomainGrid,
    points: Ints,
    center: Floats,
    far: float,
    target: float,
    epsilon: float,
    rng: np.random.Generator,
    changes: int = 1,
) -> Crossing:
    """Choose a radius around a public center at which the number of points falls below a target.

    Center and `far`, the largest radius, are in steps; one person can change `changes` points.
    """
    radii = far * 2.0 ** (-np.arange(number_of_radii(far)) / PER_DOUBLING)
    squared = np.square(points - center).sum(axis=1)
    # radii in ascending order: the place of a point is that of the first that reaches it
    places = np.searchsorted(np.square(radii[::-1]), squared)
    counts = np.cumsum(np.bincount(places, minlength=len(radii) + 1)[: len(radii)])[::-1]
    chosen = choose_crossing(counts, target, epsilon, rng, sensitivity=changes)
    return Crossing(radii * grid.step, counts.astype(np.float64), target, chosen)


def reach_slack(far: float, epsilon: float, beta: float, changes: int = 1) -> float:
    """Return by how many points the choice may miss the target, but for probability beta."""
    return exponential_slack(math.log(number_of_radii(far)), epsilon, beta, changes)

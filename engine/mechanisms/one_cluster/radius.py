"""Private choices of a radius: by L(r, S), or around a public center."""

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
"""Largest change of L(r, S) by one person: below 2 (Lemma 4.5 of the paper), and at most 2 after rounding
down to the grid of scores, where all further computation is exact."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CandidateRadii:
    """The candidate radii ``sqrt(d) 2^-j`` of the longest side, with their quality."""

    grid: DomainGrid
    quality: Floats  # (J + 1,), L(r_j, S), never increasing (private)
    t: int

    @classmethod
    def of(cls, grid: DomainGrid, points: Ints, t: int, *, progress: Progress = silent) -> CandidateRadii:
        """Compute L(r, S) at all radii."""
        return cls(grid, average_counts(points, squares(grid), t, progress=progress), t)

    def choose(self, epsilon: float, beta: float, rng: np.random.Generator) -> Crossing:
        """Choose a radius at which L falls below t with the exponential mechanism: epsilon-DP.

        With slack G for quality of sensitivity 1, the target is t - 2 G.  With probability 1 - beta, the
        radius r has L(r) >= t - 4 G and L(r/2) <= t.  So it is at most four times that of the smallest ball
        with t points.

        Source: instead of Algorithm 1 (GoodRadius) of Nissim, Stemmer, Vadhan 2016, which uses
        RecConcave on an equally spaced grid of radii.
        """
        target = self.t - radius_slack(self.grid, epsilon, beta)
        chosen = choose_crossing(self.quality, target, epsilon, rng, sensitivity=SENSITIVITY)
        radii = np.sqrt(np.array(squares(self.grid), dtype=np.float64)) * self.grid.step
        return Crossing(radii, self.quality, target, chosen)


def squares(grid: DomainGrid) -> list[int]:
    """Return the squared radii in steps; balls of the last radius hold copies of one point only."""
    longest = grid.dimension << 2 * grid.bits
    most = math.ceil(math.log2(2 * math.sqrt(longest)))
    return [longest >> 2 * j for j in range(most + 1)]


def radius_slack(grid: DomainGrid, epsilon: float, beta: float) -> float:
    """Return 2 G, by which L at the chosen radius may miss the target, except with probability beta."""
    return exponential_slack(math.log(len(squares(grid))), epsilon, beta, SENSITIVITY)


PER_DOUBLING = 4
"""Candidate radii are ``far 2^(-i/4)``."""

SMALLEST = 0.5
"""Smallest radius in steps; closer to the center there is one grid point at most."""


def number_of_radii(far: float) -> int:
    """Return the number of candidate radii between `far` and half a step (public)."""
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
    # radii in ascending order; each point counts from the first radius that reaches it
    places = np.searchsorted(np.square(radii[::-1]), squared)
    counts = np.cumsum(np.bincount(places, minlength=len(radii) + 1)[: len(radii)])[::-1]
    chosen = choose_crossing(counts, target, epsilon, rng, sensitivity=changes)
    return Crossing(radii * grid.step, counts.astype(np.float64), target, chosen)


def reach_slack(far: float, epsilon: float, beta: float, changes: int = 1) -> float:
    """Return by how many points the choice may miss the target, except with probability beta."""
    return exponential_slack(math.log(number_of_radii(far)), epsilon, beta, changes)

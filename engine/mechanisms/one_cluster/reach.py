"""The last step: how far from the released center enough points are."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.search import Crossing
from engine.primitives import choose_crossing, exponential_slack

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

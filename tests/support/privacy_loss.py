"""What two output distributions really reveal, from their densities."""

from __future__ import annotations

import functools
from collections.abc import Collection, Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from engine.mechanisms import Prepared
from engine.mechanisms.global_noise import AdditivePrepared


def law(prepared: Prepared) -> Hashable:
    """Return what the law of an additive release follows from; any other stands for itself."""
    if type(prepared) is AdditivePrepared:
        return prepared.center, prepared.scale, prepared.family, prepared.grid
    return id(prepared)


def different(pairs: Iterable[tuple[Prepared, Prepared]]) -> Collection[tuple[Prepared, Prepared]]:
    """Return one pair of neighbours for each pair of laws; which of the two is which does not matter."""
    return {frozenset((law(x), law(y))): (x, y) for x, y in pairs}.values()


def outputs(*prepared: Prepared, points: int = 601) -> NDArray[np.float64]:
    """A grid of output values: dense in the middle, far into both tails."""
    return np.unique(np.concatenate([one.quantile(probabilities(points)) for one in prepared]))


@functools.cache
def probabilities(points: int) -> NDArray[np.float64]:
    p = np.concatenate([np.logspace(-12, -2, points // 4), np.linspace(0.01, 0.99, points // 2)])
    return np.unique(np.concatenate([p, 1 - p]))


def largest_log_ratio(x: Prepared, y: Prepared) -> float:
    """sup |ln p_x(v) - ln p_y(v)| over the grid: the pure epsilon."""
    grid = outputs(x, y)
    middle = (grid[1:] + grid[:-1]) / 2
    p, q = x.density(middle), y.density(middle)
    both = (p > 0) & (q > 0)
    if np.any((p > 0) != (q > 0)):
        return np.inf
    return float(np.max(np.abs(np.log(p[both] / q[both]))))


def hockey_stick(x: Prepared, y: Prepared, epsilon: float) -> float:
    """∫ max(0, p - e^epsilon q) in the worse direction, by the trapezoid rule."""
    grid = outputs(x, y, points=20_001)
    p, q = x.density(grid), y.density(grid)
    excess = np.maximum(0.0, [p - np.exp(epsilon) * q, q - np.exp(epsilon) * p])
    return float(np.max(np.sum((excess[:, 1:] + excess[:, :-1]) / 2 * np.diff(grid), axis=1)))

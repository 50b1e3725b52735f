"""k-means on the cells of a released histogram, which is post-processing."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats, Ints
from engine.histograms.histogram import Histogram
from engine.progress import Progress, each, silent

MAX_ROUNDS = 60
"""The largest number of rounds of Lloyd's algorithm."""

_TOLERANCE = 1e-7
"""Centers have converged if none moves by more than this share of the widest side."""

_DISTANCES = 1 << 18
"""Distances computed at once."""


def centers_of(
    histogram: Histogram, k: int, restarts: int, rng: np.random.Generator, *, progress: Progress = silent
) -> Floats:
    """Return k centers with a small weighted sum of squared distances to the centers of cells.

    The center of each cell has its count as weight; cells with a count of at most 0 are left out.  The result
    is the best of several starts, which `rng` draws by k-means++.

    If fewer than k cells have a positive count, some of the centers, shape (k, d), are equal.
    """
    low, high = histogram.lower.min(axis=0), histogram.upper.max(axis=0)
    held = histogram.counts > 0
    if not held.any():
        return np.tile(low / 2 + high / 2, (k, 1))
    unit = (high - low).max()  # keeps squares finite and positive
    middles = histogram.lower[held] / 2 + histogram.upper[held] / 2
    sites, weights = np.asfortranarray((middles - low) / unit), histogram.counts[held]
    begun = np.stack([_choose_starts(sites, weights, k, rng) for _ in range(restarts)])
    resting = _run_lloyd(sites, weights, begun, progress=progress)
    costs = [float(weights @ apart) for apart in _nearest(sites, resting)[1]]
    centers: Floats = np.clip(low + resting[int(np.argmin(costs))] * unit, low, high)
    return centers


def _choose_starts(sites: Floats, weights: Floats, k: int, rng: np.random.Generator) -> Floats:
    """Return k sites, drawn one by one with probability proportional to weight times squared distance.

    Source: Arthur, Vassilvitskii 2007 (k-means++).
    """
    mass = weights.copy()
    chosen: list[int] = []
    for draw in rng.random(k):
        added = np.cumsum(mass)
        chosen.append(min(int(np.searchsorted(added, draw * added[-1], side="right")), len(sites) - 1))
        apart = _squared_distances(sites, sites[chosen[-1]])
        mass = np.minimum(mass, weights * apart) if len(chosen) > 1 else weights * apart
    return sites[chosen]


def _run_lloyd(sites: Floats, weights: Floats, centers: Floats, *, progress: Progress) -> Floats:
    """Move every center to the mean of its nearest sites, until all have converged; source: Lloyd 1982.

    The first axis of `centers` is the starts, which run together: there are few cells, so one start takes
    hardly less time than all.
    """
    centers, k = centers.copy(), centers.shape[1]
    moving = np.arange(len(centers))
    for _ in each(MAX_ROUNDS, progress):
        before = centers[moving]
        of_start = k * np.arange(len(moving))[:, None]
        nearest = _nearest(sites, before)[0] + of_start
        held = _sum_by_center(weights, nearest, k)[..., None]
        sums = np.stack([_sum_by_center(weights * column, nearest, k) for column in sites.T], axis=-1)
        after = np.where(held > 0, sums / np.where(held > 0, held, 1.0), before)
        centers[moving] = after
        moving = moving[np.abs(after - before).max(axis=(1, 2)) > _TOLERANCE]
        if not moving.size:
            break
    return centers


def _sum_by_center(values: Floats, bins: Ints, k: int) -> Floats:
    """Return the sums of values in the k bins of each start, shape (starts, k)."""
    sums = np.bincount(bins.ravel(), np.tile(values, len(bins)), len(bins) * k)
    return sums.reshape(-1, k).astype(np.float64, copy=False)


def _nearest(sites: Floats, centers: Floats) -> tuple[Ints, Floats]:
    """Return the nearest center of each site in each start, and its squared distance; shapes (starts, m)."""
    nearest = np.zeros((len(centers), len(sites)), dtype=np.int64)
    distances = np.empty(nearest.shape)
    some = max(1, _DISTANCES // len(centers))
    for start in range(0, len(sites), some):
        here = slice(start, start + some)
        index, least = nearest[:, here], distances[:, here]
        least[:] = _squared_distances(sites[here], centers[:, 0])
        for number in range(1, centers.shape[1]):
            apart = _squared_distances(sites[here], centers[:, number])
            index[apart < least] = number
            np.minimum(least, apart, out=least)
    return nearest, distances


def _squared_distances(sites: Floats, center: Floats) -> Floats:
    """Return the squared distance of each site to one center, or to one of each start."""
    return np.asarray(
        sum(
            np.square(column - coordinate[..., None])
            for column, coordinate in zip(sites.T, center.T, strict=True)
        )
    )

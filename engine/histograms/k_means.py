"""k-means of the cells of a histogram: nothing but what was released enters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.histograms.histogram import Histogram
from engine.progress import Progress, each, silent

_Floats = NDArray[np.float64]

MOST_ROUNDS = 60
"""Rounds of Lloyd's algorithm before centers are taken as they are."""

_STILL = 1e-7
"""Centers rest when none moves by more than this share of the widest side."""

_DISTANCES = 1 << 18
"""Distances that are worked out at once."""


def centers_of(
    histogram: Histogram, k: int, restarts: int, rng: np.random.Generator, progress: Progress = silent
) -> _Floats:
    """Return k centers for which the weighted squared distances to the middles of cells are small.

    The middle of each cell stands for as many points as its count says; cells with a count of 0 or
    less stand for none.  The best of several starts is taken.

    Parameters
    ----------
    histogram : Histogram
    k : int
        How many centers; where fewer cells have a count above 0, some centers are alike.
    restarts : int
    rng : Generator
        Draws where each start begins, by k-means++.
    progress : Progress

    Returns
    -------
    ndarray, shape (k, d)

    Examples
    --------
    One center for the three points around 0.05, another for the one around 0.9:

    >>> from engine import BoxHistogram, reproducible
    >>> cells = [(0.0, 0.1, 3), (0.1, 0.8, 0), (0.8, 1.0, 1)]
    >>> histogram = BoxHistogram.of({"cells": [
    ...     {"lower": [low], "upper": [high], "count": count, "level": 1} for low, high, count in cells
    ... ]})
    >>> centers_of(histogram, 2, 1, reproducible(1)).round(6).ravel().tolist()
    [0.05, 0.9]
    """
    low, high = histogram.lower.min(axis=0), histogram.upper.max(axis=0)
    held = histogram.counts > 0
    if not held.any():
        return np.tile(low / 2 + high / 2, (k, 1))
    unit = (high - low).max()  # so that no square is 0 or infinite
    middles = histogram.lower[held] / 2 + histogram.upper[held] / 2
    sites, weights = np.asfortranarray((middles - low) / unit), histogram.counts[held]
    best, least = sites[:0], np.inf
    for here in each(restarts, progress):
        found = _converged(sites, weights, _started(sites, weights, k, rng), here)
        cost = float(weights @ _nearest(sites, found)[1])
        if cost < least:
            best, least = found, cost
    centers: _Floats = np.clip(low + best * unit, low, high)
    return centers


def _started(sites: _Floats, weights: _Floats, k: int, rng: np.random.Generator) -> _Floats:
    """Return k sites, each with probability proportional to weight and squared distance so far.

    Source: Arthur, Vassilvitskii 2007 (k-means++).
    """
    mass = weights.copy()
    chosen: list[int] = []
    for draw in rng.random(k):
        added = np.cumsum(mass)
        chosen.append(min(int(np.searchsorted(added, draw * added[-1], side="right")), len(sites) - 1))
        apart = _squared(sites, sites[chosen[-1]])
        mass = np.minimum(mass, weights * apart) if len(chosen) > 1 else weights * apart
    return sites[chosen]


def _converged(sites: _Floats, weights: _Floats, centers: _Floats, progress: Progress) -> _Floats:
    """Move every center to the mean of what is nearest to it, until all rest; source: Lloyd 1982."""
    for _ in each(MOST_ROUNDS, progress):
        nearest = _nearest(sites, centers)[0]
        held = np.bincount(nearest, weights, len(centers))[:, None]
        sums = np.stack([np.bincount(nearest, weights * column, len(centers)) for column in sites.T], axis=1)
        after = np.where(held > 0, sums / np.where(held > 0, held, 1.0), centers)
        moved = float(np.abs(after - centers).max())
        centers = after
        if moved <= _STILL:
            break
    return centers


def _nearest(sites: _Floats, centers: _Floats) -> tuple[NDArray[np.int64], _Floats]:
    """Return the nearest center of each site, and its squared distance."""
    nearest, distances = np.empty(len(sites), dtype=np.int64), np.empty(len(sites))
    some = max(1, _DISTANCES // len(centers))
    for start in range(0, len(sites), some):
        here = slice(start, start + some)
        apart = np.stack([_squared(sites[here], center) for center in centers])
        nearest[here] = apart.argmin(axis=0)
        distances[here] = apart.min(axis=0)
    return nearest, distances


def _squared(sites: _Floats, center: _Floats) -> _Floats:
    """Return the squared distance of each site to one center."""
    return np.asarray(sum(np.square(column - place) for column, place in zip(sites.T, center, strict=True)))

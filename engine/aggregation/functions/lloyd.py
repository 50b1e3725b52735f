"""k-means of many blocks at once: k-means++ and Lloyd's rounds.

Every step is a correctly rounded operation on single numbers, or adds the numbers of one
block in the order in which they stand.  So the result of a block is the same, to the last
bit, whichever blocks are worked out together with it, and whenever those have converged:
if it were not, what is computed on one person's block could change another block's output.

Points are kept as (d, B, b), centers as (k, d, B).
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from engine.randomness import reproducible

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

MOST_ROUNDS = 100
"""Lloyd's rounds before a block is taken as it is; most blocks need fewer than twenty."""


TOLERANCE = 1e-4
"""A block is done when the squared moves of its centers add up to less than this share of its
variance, which is scikit-learn's rule."""


@dataclasses.dataclass(frozen=True, eq=False)
class Clustering:
    """The best clustering found of each block.

    Attributes
    ----------
    centers : ndarray, shape (B, k, d)
        Fewer distinct points than k: some centers are repeated.
    labels : ndarray of int, shape (B, b)
        The nearest center of each point; of several, the first.
    costs : ndarray, shape (B,)
        Sum of the squared distances to the nearest centers.
    """

    centers: _Floats
    labels: _Ints
    costs: _Floats


def cluster(blocks: _Floats, seeds: _Ints, k: int, restarts: int) -> Clustering:
    """Cluster each of several blocks of the same size, shape (B, b, d), by k-means.

    A block's starting points are drawn from its seed alone.  They are picked by their place
    in the block: the same points in another order may start, and end, elsewhere.

    Source: Lloyd 1982; Arthur, Vassilvitskii 2007 (k-means++).
    """
    points = np.ascontiguousarray(np.moveaxis(blocks, 2, 0))
    draws = np.array([reproducible(int(seed)).random((restarts, k)) for seed in seeds])
    best = _converged(points, _started(points, draws[:, 0]))
    for restart in range(1, restarts):
        found = _converged(points, _started(points, draws[:, restart]))
        better = found.costs < best.costs
        for name in ("centers", "labels", "costs"):
            getattr(best, name)[better] = getattr(found, name)[better]
    return best


def cluster_sums(values: _Floats, labels: _Ints, k: int) -> _Floats:
    """Return the sum of `values` (B, b), or of ones, over each cluster: shape (k, B)."""
    places = labels + k * np.arange(len(labels))[:, None]
    sums: _Floats = np.bincount(places.ravel(), values.ravel(), k * len(labels)).astype(
        np.float64, copy=False
    )
    return sums.reshape(-1, k).T


def _started(points: _Floats, draws: _Floats) -> _Floats:
    """Return k starting points, each with probability proportional to the squared distance so far."""
    _, count, b = points.shape
    rows = np.arange(count)
    place = np.minimum((draws[:, 0] * b).astype(np.int64), b - 1)
    centers = [points[:, rows, place]]
    nearest = _squared(points, centers[0])
    for draw in draws.T[1:]:
        mass = np.cumsum(nearest, axis=1)
        place = np.minimum(np.count_nonzero(mass <= (draw * mass[:, -1])[:, None], axis=1), b - 1)
        centers.append(points[:, rows, place])
        np.minimum(nearest, _squared(points, centers[-1]), out=nearest)
    return np.stack(centers)


def _converged(points: _Floats, centers: _Floats) -> Clustering:
    """Move every center to the mean of its points until they hardly move; one without points stays."""
    centers = centers.copy()
    still = TOLERANCE * points.var(axis=2).mean(axis=0)
    active, left = np.arange(points.shape[1]), points
    for _ in range(MOST_ROUNDS):
        before = centers[:, :, active]
        labels, _ = _nearest(left, before)
        counts = cluster_sums(np.ones(labels.shape), labels, len(centers))[:, None]
        sums = np.stack([cluster_sums(column, labels, len(centers)) for column in left], axis=1)
        after = np.where(counts > 0, sums / np.maximum(counts, 1), before)
        centers[:, :, active] = after
        moved = np.square(after - before).sum(axis=(0, 1)) > still[active]
        if not moved.all():
            active, left = active[moved], left[:, moved]
        if not active.size:
            break
    labels, distances = _nearest(points, centers)
    return Clustering(np.moveaxis(centers, 2, 0), labels, distances.sum(axis=1))


def _nearest(points: _Floats, centers: _Floats) -> tuple[_Ints, _Floats]:
    """Return the nearest center of each point and its squared distance, both (B, b)."""
    best = _squared(points, centers[0])
    labels = np.zeros(best.shape, dtype=np.int64)
    for j, center in enumerate(centers[1:], start=1):
        distances = _squared(points, center)
        labels[distances < best] = j
        np.minimum(best, distances, out=best)
    return labels, best


def _squared(points: _Floats, center: _Floats) -> _Floats:
    """Return the squared distance of each point to the center of its block: (d, B, b) to (B, b)."""
    total: _Floats = np.square(points[0] - center[0][:, None])
    for column, middle in zip(points[1:], center[1:], strict=True):
        apart = column - middle[:, None]
        total += np.square(apart, out=apart)
    return total

"""k-means of many blocks at once: k-means++ and Lloyd's rounds, with points (d, B, b), centers (k, d, B).

Each block's result is independent of the other blocks to the last bit: sums run over one block, in order.
Otherwise one person's block could change the outputs of other blocks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.array_types import Floats, Ints
from engine.randomness import reproducible

MAX_ROUNDS = 100
"""Largest number of Lloyd's rounds; most blocks need fewer than twenty."""


MIN_MATRIX_COORDINATES = 16
"""Total number of coordinates of centers from which a matrix product is faster."""


AT_ONCE = 1 << 15
"""Points compared with all centers at once, so that results fit into the processor's cache."""


TOLERANCE = 1e-4
"""scikit-learn's rule: a block is done when the squared moves of its centers sum to less than this share of
its variance.
"""


@dataclasses.dataclass(frozen=True, eq=False)
class Clustering:
    """The best clustering of each block."""

    centers: Floats  # shape (B, k, d); with fewer distinct points than k, some centers are repeated
    labels: Ints  # shape (B, b); the nearest center of each point; of several, the first
    costs: Floats  # shape (B,); sum of the squared distances to the nearest centers


def cluster(blocks: Floats, seeds: Ints, k: int, restarts: int) -> Clustering:
    """Cluster each of several blocks of the same size, shape (B, b, d), by k-means.

    A block's starting points depend only on its seed.  They are chosen by position: the same points in
    another order may give another result.

    Source: Lloyd 1982; Arthur, Vassilvitskii 2007 (k-means++).
    """
    points = np.ascontiguousarray(np.moveaxis(blocks, 2, 0))
    draws = np.array([reproducible(int(seed)).random((restarts, k)) for seed in seeds])
    still = TOLERANCE * points.var(axis=2).mean(axis=0)
    largest = np.abs(points).max(axis=(0, 2))
    best = _converged(points, _started(points, draws[:, 0]), still, largest)
    for restart in range(1, restarts):
        result = _converged(points, _started(points, draws[:, restart]), still, largest)
        better = result.costs < best.costs
        for name in ("centers", "labels", "costs"):
            getattr(best, name)[better] = getattr(result, name)[better]
    return best


def cluster_sums(values: Floats, labels: Ints, k: int) -> Floats:
    """Return the sum of `values` (B, b), or of ones, over each cluster: shape (k, B)."""
    return _summed(values, _places(labels, k), k, len(labels))


def _places(labels: Ints, k: int) -> Ints:
    """Number the clusters of all blocks; return the number for each point."""
    places: Ints = (labels + k * np.arange(len(labels))[:, None]).ravel()
    return places


def _summed(values: Floats | None, places: Ints, k: int, count: int) -> Floats:
    """Return the sum of values, or of ones, over each cluster of `count` blocks: shape (k, B)."""
    weights = None if values is None else values.ravel()
    sums: Floats = np.bincount(places, weights, k * count).astype(np.float64, copy=False)
    return sums.reshape(-1, k).T


def _started(points: Floats, draws: Floats) -> Floats:
    """Return k starting points by k-means++: probabilities are proportional to squared distances."""
    _, count, b = points.shape
    rows = np.arange(count)
    position = np.minimum((draws[:, 0] * b).astype(np.int64), b - 1)
    centers = [points[:, rows, position]]
    nearest = np.full(points.shape[1:], np.inf)
    for draw in draws.T[1:]:
        np.minimum(nearest, _squared(points, centers[-1]), out=nearest)
        mass = np.cumsum(nearest, axis=1)
        position = np.minimum(np.count_nonzero(mass <= (draw * mass[:, -1])[:, None], axis=1), b - 1)
        centers.append(points[:, rows, position])
    return np.stack(centers)


def _converged(points: Floats, centers: Floats, still: Floats, largest: Floats) -> Clustering:
    """Move every center to the mean of its points until they converge; a center without points stays.

    For each block, `still` is the limit for squared moves, and `largest` the largest absolute coordinate.
    """
    centers = centers.copy()
    active, left = np.arange(points.shape[1]), points
    for _ in range(MAX_ROUNDS):
        before = centers[:, :, active]
        places = _places(_labels(left, before, largest[active]), len(centers))
        counts = _summed(None, places, len(centers), len(active))[:, None]
        sums = np.stack([_summed(column, places, len(centers), len(active)) for column in left], axis=1)
        after = np.where(counts > 0, sums / np.maximum(counts, 1), before)
        centers[:, :, active] = after
        moved = np.square(after - before).sum(axis=(0, 1)) > still[active]
        if not moved.all():
            active, left = active[moved], left[:, moved]
        if not active.size:
            break
    labels = _labels(points, centers, largest)
    places = _places(labels, len(centers)).reshape(labels.shape)
    own = np.ascontiguousarray(centers.transpose(1, 2, 0)).reshape(len(points), -1)  # by axis and position
    distances = _sum_of_squares(
        column - middle.take(places) for column, middle in zip(points, own, strict=True)
    )
    return Clustering(np.moveaxis(centers, 2, 0), labels, distances.sum(axis=1))


def _labels(points: Floats, centers: Floats, largest: Floats) -> Ints:
    """Return the nearest center of each point, (B, b), exactly as `_nearest` does; see `_converged`."""
    k, d, count = centers.shape
    if k * d < MIN_MATRIX_COORDINATES:
        return _nearest(points, centers)[0]
    labels = np.empty(points.shape[1:], dtype=np.int64)
    step = max(1, AT_ONCE // count)
    for some in (slice(start, start + step) for start in range(0, points.shape[2], step)):
        labels[:, some] = _by_products(points[:, :, some], centers, largest)
    return labels


def _by_products(points: Floats, centers: Floats, largest: Floats) -> Ints:
    """Do the same as `_nearest` by matrix products: |c|^2 - 2 x c is smallest for the nearest c.

    Rounding of matrix products may depend on the other blocks.  So they decide only if the second nearest
    center is farther by more than all rounding errors.  With coordinates up to r, these are at most 3 d (d +
    1) eps r^2 for two scores, and 4 d (d + 2) eps r^2 for two distances of `_nearest`.  Blocks with closer
    ties are left to `_nearest`.
    """
    k, d, _ = centers.shape
    limits = np.finfo(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # non-finite values decide nothing
        scores = np.moveaxis(-2 * centers, 2, 0) @ points.transpose(1, 0, 2)
        scores += np.square(centers).sum(axis=1).T[:, :, None]
        largest = np.maximum(largest, np.abs(centers).max(axis=(0, 1)))
        doubt = 16 * d * (d + 4) * limits.eps * np.square(largest) + limits.tiny
        near = (scores <= (scores.min(axis=1) + doubt[:, None])[:, None]).view(np.uint8)
    small = np.min_scalar_type(k)
    numbers = np.arange(k, dtype=small)[:, None]
    labels: Ints = np.add.reduce(near * numbers, axis=1, dtype=small).astype(np.int64)
    doubtful = np.flatnonzero((np.add.reduce(near, axis=1, dtype=small) != 1).any(axis=1))
    if doubtful.size:
        labels[doubtful] = _nearest(points[:, doubtful], centers[:, :, doubtful])[0]
    return labels


def _nearest(points: Floats, centers: Floats) -> tuple[Ints, Floats]:
    """Return the nearest center of each point and its squared distance, both (B, b)."""
    best = _squared(points, centers[0])
    labels = np.zeros(best.shape, dtype=np.int64)
    for j, center in enumerate(centers[1:], start=1):
        distances = _squared(points, center)
        labels[distances < best] = j
        np.minimum(best, distances, out=best)
    return labels, best


def _squared(points: Floats, center: Floats) -> Floats:
    """Return the squared distance of each point to the center of its block: (d, B, b) to (B, b)."""
    return _sum_of_squares(column - middle[:, None] for column, middle in zip(points, center, strict=True))


def _sum_of_squares(columns: Iterator[Floats]) -> Floats:
    """Sum the squares of new arrays, one after the other, into the first of them."""
    total = next(columns)
    np.square(total, out=total)
    for column in columns:
        total += np.square(column, out=column)
    return total

"""All multisets of outputs in a small metric space, and which are neighbours."""

from __future__ import annotations

import itertools

import numpy as np


def grid(size):
    """Return the points 0, ..., size - 1 and their distances."""
    points = np.arange(float(size))
    return points, np.abs(points[:, None] - points)


def random_metric(rng, size):
    """Return distances that obey the triangle inequality and little else."""
    distances = rng.integers(1, 12, (size, size)).astype(float)
    distances = distances + distances.T
    np.fill_diagonal(distances, 0)
    for middle in range(size):
        distances = np.minimum(distances, distances[:, [middle]] + distances[middle])
    return distances


def multisets(size, m):
    """Return all multisets of m of `size` points, shape (count, m)."""
    return np.array(list(itertools.combinations_with_replacement(range(size), m)))


def within(everything, size, s):
    """Return which multisets differ in at most s elements, shape (count, count)."""
    counts = np.array([np.bincount(row, minlength=size) for row in everything])
    common = np.minimum(counts[:, None], counts[None]).sum(axis=2)
    return everything.shape[1] - common <= s


def largest_rate(bound, near, beta):
    """Return how much faster than beta the logarithm of `bound` changes between neighbours."""
    assert np.all(bound > 0)
    logarithms = np.log(bound)
    return float(np.abs(logarithms[:, None] - logarithms)[near].max() / beta)


def moves(candidates, near, distance):
    """Return the local sensitivity of an aggregate for the worst choice between ties.

    `candidates` holds for each multiset all values that its aggregate may take.
    """
    found = np.zeros(len(candidates))
    for here, row in enumerate(near):
        others = {value for there in np.flatnonzero(row) for value in candidates[there]}
        found[here] = max(distance(a, b) for a in candidates[here] for b in others)
    return found

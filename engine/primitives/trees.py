"""Noisy counts of a tree's nodes, made to add up: constrained inference."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.progress import Progress, silent


def consistent_tree(
    values: ArrayLike, variances: ArrayLike, parents: ArrayLike, *, progress: Progress = silent
) -> Floats:
    """Return the weighted least squares estimate of the counts of a tree: each is the sum of its children.

    Minimizes the sum of (estimate - value)^2/variance.  The true counts add up, too, so the estimate is at
    most as far from them as the values, in that norm.  For independent noise it has the least variance
    among linear unbiased estimates of every count.

    Source: Hay, Rastogi, Miklau, Suciu 2010, Theorem 3, for any fan-out and any variances.  On the way up,
    a node's own count and the sum of its children's estimates are averaged with inverse variances as
    weights.  On the way down, the children share the difference to their parent's estimate in proportion
    to their variances.

    `values`, (m,), are the noisy counts of nodes, with the variances of their noise, (m,): above 0, ``inf``
    for a node without a count (not a leaf), 0 for a root whose count is known.  `parents`, (m,), come before
    their children; -1 for a root.
    """
    own, noise = (np.asarray(numbers, dtype=np.float64) for numbers in (values, variances))
    above = np.asarray(parents, dtype=np.int64)
    m = len(above)
    if np.any(above >= np.arange(m)) or np.any(above < -1):
        raise ParameterError("parents", "a node comes before its parent; parents must come first")
    inner = np.zeros(m, dtype=bool)
    inner[above[above >= 0]] = True
    if not np.all((noise > 0) | ((noise == 0) & (above < 0))) or not np.isfinite(noise[~inner]).all():
        raise ParameterError(
            "variances", "must be above 0 (at a root at least 0), and that of a leaf must be finite"
        )
    progress(0.1)
    levels = _levels(above, progress=progress)
    estimate, variance = own.copy(), noise.copy()
    sums, spreads = np.zeros(m), np.zeros(m)  # of the children
    progress(0.2)
    for level in reversed(levels):
        nodes = level[inner[level]]
        weight = spreads[nodes] / (noise[nodes] + spreads[nodes])  # of the node's own count
        known = np.where(weight > 0, own[nodes], 0.0)
        estimate[nodes] = weight * known + (1 - weight) * sums[nodes]
        variance[nodes] = (1 - weight) * spreads[nodes]
        below = level[above[level] >= 0]
        np.add.at(sums, above[below], estimate[below])
        np.add.at(spreads, above[below], variance[below])
        progress(0.6)
    for level in levels[1:]:
        progress(0.8)
        parent = above[level]
        estimate[level] += variance[level] / spreads[parent] * (estimate[parent] - sums[parent])
    return estimate


def _levels(parents: Ints, *, progress: Progress) -> list[Ints]:
    """Return the nodes of each level, roots first."""
    depth = np.zeros(len(parents), dtype=np.int64)
    nodes, ancestors = np.arange(len(parents)), parents
    while (deeper := ancestors >= 0).any():
        progress(0.1)
        nodes, ancestors = nodes[deeper], parents[ancestors[deeper]]
        depth[nodes] += 1
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])

"""What the trees of PrivTree reveal, exactly, from the probabilities of their decisions."""

from __future__ import annotations

import functools

import numpy as np
from discrete import laplace_below

PARTS = (2, 4, 9, 3.0**12)


def log_cut(cutting, count, depth, cut=True):
    """The logarithm of the probability of a decision, from the definition of the mechanism."""
    b = np.maximum(cutting.threshold - cutting.decay, count - depth * cutting.decay)
    z = b - cutting.threshold  # Pr[Lap > -z] = Pr[Lap < z]
    return np.log(laplace_below(z if cut else -z, cutting.scale))


@functools.cache
def one_cut(cutting, count, depth, cut):
    return float(log_cut(cutting, count, depth, cut))


def on_paths(cutting, depth=60):
    """The worst loss of two paths, over all counts, even such as are no whole numbers.

    With the same count on all levels, scores are as dense as they can be: decay apart.
    """
    low, high = (
        cutting.threshold - cutting.decay - 1,
        cutting.threshold + 2 * cutting.decay + 50 * cutting.scale,
    )
    counts = np.linspace(low, high, 20_001)[:, None]
    levels = np.arange(depth)
    gain = log_cut(cutting, counts, levels) - log_cut(cutting, counts - 1, levels)
    end = log_cut(cutting, counts - 1, 0, cut=False) - log_cut(cutting, counts, 0, cut=False)
    return float(gain.sum(axis=1).max() + end.max())


def trees(counts, other, cutting, depth=0):
    """The largest log-ratio of any tree, for counts of the finest cells of a line."""
    if len(counts) == 1:
        return 0.0  # not cut any more, whatever they are
    c, o = sum(counts), sum(other)
    end, on = (one_cut(cutting, c, depth, cut) - one_cut(cutting, o, depth, cut) for cut in (False, True))
    half = len(counts) // 2
    below = (
        trees(a, b, cutting, depth + 1)
        for a, b in ((counts[:half], other[:half]), (counts[half:], other[half:]))
    )
    return max(end, on + sum(below))

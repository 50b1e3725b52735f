"""Histograms near noisy counts: not negative, with a public total, whole, or sorted."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.numerals import short
from engine.progress import Progress, silent


def onto_simplex(values: ArrayLike, total: float) -> Floats:
    """Return the Euclidean projection on the vectors that are >= 0 and add up to `total`.

    One number is taken off all values, such that what is left above 0 adds up to the total.  The
    set is convex and holds every histogram of `total` points, so no projection is farther from
    the true one than `values` were.

    Source: Held, Wolfe, Crowder 1974; O(m log m) for m values, by sorting.
    """
    if not (math.isfinite(total) and total >= 0):
        raise ParameterError(
            "total", f"{short(total)} is not possible; it must be a finite number of at least 0"
        )
    array = np.asarray(values, dtype=np.float64)
    # what all values share changes nothing, and would cost digits of the sums
    offsets = array - array.max()
    falling = -np.sort(-offsets, axis=None)
    taken = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    kept = int(np.flatnonzero(falling >= taken)[-1])
    nearest: Floats = np.maximum(offsets - taken[kept], 0.0)
    return nearest


def whole_on_simplex(values: ArrayLike, total: int) -> Floats:
    """Return whole counts that are >= 0 and add up to `total`, near the projection on the simplex.

    The projection is rounded down, and the counts with the largest fractions get 1 more.  Among whole counts
    with this total, none are nearer to the projection.  Sorted values stay sorted.
    """
    nearest = onto_simplex(values, total)
    whole: Floats = np.floor(nearest)
    missing = max(0, total - int(whole.sum()))
    largest = np.argsort((whole - nearest).ravel(), kind="stable")[:missing]
    whole.ravel()[largest] += 1.0
    return whole


def top_down(counts: ArrayLike, total: float, *, whole: bool = False, progress: Progress = silent) -> Floats:
    """Return counts of a grid that are >= 0 and add up to `total`, close to the noisy ones in sums, too.

    The projection on the simplex takes the same amount from every cell.  If most cells are empty, it moves
    much from wide regions with few points to the few cells with many.  Here the axes are halved in turn.
    From the top, the halves of each block get the nearest counts >= 0 that add up to the block's count.
    With `whole`, and a whole `total`, each half gets a whole count.

    Source: the TopDown algorithm of the 2020 census of the United States, Abowd and others 2022, in its
    simplest form.
    """
    noisy = np.asarray(counts, dtype=np.float64)
    steps: list[tuple[int, Floats]] = []
    while noisy.size > 1:
        axis = int(np.argmax(noisy.shape))
        steps.append((axis, noisy))
        progress(0.0)
        noisy = np.moveaxis(_pairs(noisy, axis, 0.0).sum(axis=-1), -1, axis)
    shares = np.full(noisy.shape, float(total))
    for axis, noisy in reversed(steps):
        progress(shares.size / (2 * np.size(counts)))
        pairs, both = _pairs(noisy, axis, -np.inf), np.moveaxis(shares, axis, -1)  # nothing beyond the end
        first = np.clip((both + pairs[..., 0] - pairs[..., 1]) / 2, 0, both)
        if whole:
            first = _rounded(first)
        halves = np.stack([first, both - first], axis=-1).reshape(*both.shape[:-1], -1)
        shares = np.moveaxis(halves[..., : noisy.shape[axis]], -1, axis)
    return shares


def _rounded(values: Floats) -> Floats:
    """Round to whole numbers; halves go up and down in turn, so that they shift no region."""
    rounded: Floats = np.floor(values + 0.5)
    rounded[..., ::2] = np.ceil(values[..., ::2] - 0.5) + 0.0  # no -0.0
    return rounded


def _pairs(array: Floats, axis: int, beyond: float) -> Floats:
    """Return pairs of neighbours along an axis, as the last two axes."""
    last = np.moveaxis(array, axis, -1)
    if odd := last.shape[-1] % 2:
        last = np.pad(last, [(0, 0)] * (array.ndim - 1) + [(0, odd)], constant_values=beyond)
    return last.reshape(*last.shape[:-1], -1, 2)


def sorted_fit(values: ArrayLike) -> Floats:
    """Return the nearest sequence, in the Euclidean norm, that never rises, shape (m,).

    Sorted sequences are a convex set, so of noisy counts that were sorted before the noise the fit
    is never farther from the true ones than they are.

    Source: isotonic regression by pooling adjacent violators (Ayer and others 1955); on sorted
    counts, Hay, Rastogi, Miklau, Suciu 2010, section 3.
    """
    from scipy.optimize import isotonic_regression

    fit: Floats = isotonic_regression(np.asarray(values, dtype=np.float64), increasing=False).x
    return fit

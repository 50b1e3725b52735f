"""The nearest histogram without negative counts that adds up to a public total."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ParameterError


def onto_simplex(values: ArrayLike, total: float) -> NDArray[np.float64]:
    """Return the Euclidean projection on the vectors that are >= 0 and add up to `total`.

    One number is taken off all values, such that what is left above 0 adds up to the total.  The
    set is convex and holds every histogram of `total` points, so no projection is farther from
    the true one than `values` were.

    Parameters
    ----------
    values : array_like, any shape but an empty one
    total : float

    Raises
    ------
    ParameterError
        If the total is no finite number of at least 0.

    Notes
    -----
    Source: Held, Wolfe, Crowder 1974; O(m log m) for m values, by sorting.

    Examples
    --------
    >>> onto_simplex([5.0, 1.0, -2.0], 4).tolist()
    [4.0, 0.0, 0.0]
    >>> onto_simplex([2.5, 1.5, -2.0], 3).tolist()
    [2.0, 1.0, 0.0]
    """
    if not (math.isfinite(total) and total >= 0):
        raise ParameterError("total", f"{total:g} is not possible; it must be a finite number of at least 0")
    array = np.asarray(values, dtype=np.float64)
    return rows_onto_simplex(array.reshape(1, -1), [total]).reshape(array.shape)


def rows_onto_simplex(values: ArrayLike, totals: ArrayLike) -> NDArray[np.float64]:
    """Return the projection of each row of `values`, (m, k), for its own total >= 0, shape (m,)."""
    array = np.asarray(values, dtype=np.float64)
    # what all values share changes nothing, and would cost digits of the sums
    offsets = array - array.max(axis=1, keepdims=True)
    falling = -np.sort(-offsets, axis=1)
    taken = np.cumsum(falling, axis=1) - np.asarray(totals, dtype=np.float64)[:, None]
    taken /= np.arange(1, array.shape[1] + 1)
    kept = array.shape[1] - 1 - np.argmax((falling >= taken)[:, ::-1], axis=1)
    nearest: NDArray[np.float64] = np.maximum(offsets - taken[np.arange(len(taken)), kept, None], 0.0)
    return nearest


def top_down(counts: ArrayLike, total: float) -> NDArray[np.float64]:
    """Return counts of a grid that are >= 0 and add up to `total`, close to the noisy ones in sums, too.

    The projection on the simplex takes the same from every cell, which moves much where most cells
    are empty: from wide regions with few points to the few cells with many.  Here the axes are
    halved again and again; from the top, the parts of each block get the nearest counts >= 0 that
    add up to the count of the block.

    Parameters
    ----------
    counts : array_like, any number of axes
    total : float
        At least 0.

    Notes
    -----
    Source: the algorithm of the same name of the census of the United States 2020, Abowd and others
    2022, in its simplest form.

    Examples
    --------
    >>> top_down([5.0, 1.0, -2.0, 0.0], 4).tolist()
    [4.0, 0.0, 0.0, 0.0]
    >>> top_down([3.0, -1.0, 2.0, 2.0], 6).tolist()
    [2.0, 0.0, 2.0, 2.0]
    """
    levels = [np.asarray(counts, dtype=np.float64)]
    while levels[0].size > 1:
        blocks = _in_blocks(levels[0], 0.0)
        levels.insert(0, blocks.sum(axis=-1).reshape([-(-length // 2) for length in levels[0].shape]))
    found = np.full(levels[0].shape, float(total))
    for noisy in levels[1:]:
        # so little that the nearest counts are 0 beyond the end of an axis
        blocks = _in_blocks(noisy, float(noisy.min()) - total - 1)
        parts = rows_onto_simplex(blocks, found.reshape(-1))
        halves = parts.reshape(*found.shape, *(2,) * noisy.ndim)
        order = [axis + noisy.ndim * part for axis in range(noisy.ndim) for part in (0, 1)]
        whole = halves.transpose(order).reshape([2 * length for length in found.shape])
        found = whole[tuple(slice(length) for length in noisy.shape)]
    return found


def _in_blocks(array: NDArray[np.float64], beyond: float) -> NDArray[np.float64]:
    """Return the 2^d parts of each block of an array with d axes, shape (blocks, 2^d)."""
    d = array.ndim
    even = np.pad(array, [(0, length % 2) for length in array.shape], constant_values=beyond)
    shape: list[int] = [size for length in array.shape for size in ((length + 1) // 2, 2)]
    return even.reshape(shape).transpose([*range(0, 2 * d, 2), *range(1, 2 * d, 2)]).reshape(-1, 1 << d)

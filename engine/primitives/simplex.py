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

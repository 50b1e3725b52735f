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
    # what all values share changes nothing, and would cost digits of the sums
    offsets = array - array.max()
    falling = -np.sort(-offsets, axis=None)
    taken = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    kept = int(np.flatnonzero(falling >= taken)[-1])
    nearest: NDArray[np.float64] = np.maximum(offsets - taken[kept], 0.0)
    return nearest

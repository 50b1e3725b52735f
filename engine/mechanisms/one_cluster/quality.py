"""How good balls are: what they hold, and how large they are, against the true one (private)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.one_cluster.ball import Ball


def records_in(row: ArrayLike, places: Floats) -> float:
    """Return how many records, shape (n, d), a ball (center, radius) holds; NaN for no ball.

    Parameters
    ----------
    row : array_like, shape (d + 1,)
        Center and radius; NaN for no ball.
    places : ndarray, shape (n, d)
        The records.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> records_in([0.0, 0.0, 5.0], np.array([[3.0, 4.0], [4.0, 4.0]]))
    1.0
    """
    ball = Ball.of(row)
    return np.nan if ball is None else float(np.count_nonzero(ball.contains(places)))


def relative_radii(radii: Floats, true: float) -> Floats:
    """Return radii by the true one: 1 where both are 0, inf where only the true one is.

    Parameters
    ----------
    radii : ndarray, shape (r,)
    true : float
        The radius of the smallest ball around a record that holds as many.

    Returns
    -------
    ndarray, shape (r,)

    Examples
    --------
    >>> import numpy as np
    >>> relative_radii(np.array([2.0, 0.0, np.nan]), 0.0)
    array([inf,  1., nan])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(radii == true, 1.0, radii / true)


def typical_quality(coverage: Floats, ratio: Floats) -> tuple[float, float]:
    """Return the medians over the runs that found a ball and can be compared; NaN if none did.

    Parameters
    ----------
    coverage, ratio : ndarray, shape (r,)
        Records in each ball by t, and its radius by the true one.

    Returns
    -------
    (float, float)
        Of coverage, and of ratio.

    Examples
    --------
    >>> import numpy as np
    >>> typical_quality(np.array([1.0, 0.5, np.nan]), np.array([2.0, 1.0, np.nan]))
    (0.75, 1.5)
    """
    known = np.isfinite(coverage) & np.isfinite(ratio)
    if not known.any():
        return np.nan, np.nan
    return float(np.median(coverage[known])), float(np.median(ratio[known]))

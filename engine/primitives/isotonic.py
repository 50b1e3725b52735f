"""The nearest sorted sequence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def sorted_fit(values: ArrayLike, *, increasing: bool = False) -> NDArray[np.float64]:
    """Return the nearest sequence, in the Euclidean norm, that never rises, shape (m,).

    With `increasing`, one that never falls.  Sorted sequences are a convex set, so of noisy counts
    that were sorted before the noise the fit is never farther from the true ones than they are.

    Source: isotonic regression by pooling adjacent violators (Ayer and others 1955); on sorted
    counts, Hay, Rastogi, Miklau, Suciu 2010, section 3.

    Examples
    --------
    >>> sorted_fit([9.0, 4.0, 6.0, 1.0]).tolist()
    [9.0, 5.0, 5.0, 1.0]
    """
    from scipy.optimize import isotonic_regression

    fit: NDArray[np.float64] = isotonic_regression(
        np.asarray(values, dtype=np.float64), increasing=increasing
    ).x
    return fit

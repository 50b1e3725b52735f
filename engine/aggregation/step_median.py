"""The smooth sensitivity of an order statistic, if one person can change up to s numbers.

`step_sensitivity` has the statement and its proof.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from engine.aggregation.center_of_attention import SmoothBound
from engine.array_types import Floats
from engine.domain import Interval
from engine.queries.base import SMALLEST, check_beta


def step_sensitivity(values: Floats, domain: Interval, rank: int, s: int, k: int) -> float:
    """Return A^(s,k) of sorted `values`, shape (m,), for the order statistic of that rank.

    Statement.  Let f(x) = x_r with x_i = L for i <= 0 and x_i = U for i > m.  Consider all data that differ
    from x in at most ks numbers.  The largest change of f by s further ones is

        A^(s,k)(x) = max { x_{i + s(k+1)} - x_i :  r - s(k+1) <= i <= r - s  or  r - ks <= i <= r },

    and S = max_k exp(-beta k) A^(s,k) is the smallest bound that is beta-smooth in steps of s.

    Proof.  Moving s numbers of y to U raises f to y_{r+s}, moving them to L lowers it to y_{r-s}, and nothing
    changes it more.  Let y differ from x in ks numbers, p of them at ranks above r + s and q at ranks up to
    r.  Then y_{r+s} <= x_{r+s+p} and y_r >= x_{r-q}; p + q <= ks gives the second range of i.  The first is
    its mirror image.  Both are attained, as for s = 1.

    For s = 1 and every k, and for k >= 1 and every s, the two ranges are r - s(k+1), ..., r.

    Source: derived here.  Example 4 of Nissim, Raskhodnikova, Smith 2007 uses windows of A^(k) for one change
    in steps of s, which is smooth only up to a factor of 2.
    """
    window = s * (k + 1)
    low = np.concatenate([np.arange(rank - window, rank - s + 1), np.arange(rank - k * s, rank + 1)])
    padded = np.concatenate([[domain.lower], values, [domain.upper]])
    first, last = (np.clip(index, 0, values.size + 1) for index in (low, low + window))
    return float(np.max(padded[last] - padded[first]))


def step_smooth_bound(values: ArrayLike, domain: Interval, rank: int, s: int, beta: float) -> SmoothBound:
    """Return S, exactly; stops once ``Λ exp(-beta k)`` cannot exceed the result."""
    check_beta(beta)
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    best, argmax, k = 0.0, 0, 0
    while domain.width * math.exp(-beta * k) > max(best, domain.width * SMALLEST):
        result = step_sensitivity(ordered, domain, rank, s, k)
        if result * math.exp(-beta * k) > best:
            best, argmax = result * math.exp(-beta * k), k
        if result >= domain.width:
            break
        k += 1
    return SmoothBound(best, argmax, beta)

"""Two simpler smooth upper bounds of S*, for comparison with the exact one.

Both are beta-smooth and at least S*, so both are private to use; the exact S* of
`WindowMean.smooth_sensitivity` is never larger and nearly as quick.
"""

from __future__ import annotations

import math

import numpy as np

from engine.data.order_statistics import OrderStatistics
from engine.progress import Progress, silent
from engine.queries.reach import FIRST_REACH, check_beta, decisive_reach
from engine.queries.window_mean import WindowMean


def double_window_bound(query: WindowMean, data: OrderStatistics, beta: float) -> float:
    """Return ``max_k exp(-beta k) (x_{high+k+1} - x_{low-k-1})/w``, at most twice S*.

    One term for each k instead of k + 2: O(n) given sorted data, and only as many terms
    as can decide.

    Source: Nissim, Raskhodnikova, Smith 2007, Claim 3.4 (i), stated there for the median.
    Each half of the double window is a window of A^(k), hence the factor 2.
    """
    check_beta(beta)
    low, high = query.window(data.n)
    largest = query.global_sensitivity(data.domain, data.n)
    best, reach, needed = 0.0, -1, min(FIRST_REACH, data.n)
    while reach < needed:
        reach = needed
        widest = data.ranks(high + 1, high + 1 + reach) - data.ranks(low - 1 - reach, low - 1)[::-1]
        discounted = widest / (high - low + 1) * np.exp(-beta * np.arange(reach + 1))
        best = float(np.max(discounted))
        needed = min(data.n, decisive_reach(largest, best, beta), 8 * reach)
    return best


def truncated_bound(
    query: WindowMean, data: OrderStatistics, beta: float, k0: int, progress: Progress = silent
) -> float:
    """Return ``max(GS exp(-beta k0), max_{k < k0} exp(-beta k) A^(k))``.

    `k0` must not depend on the data; with ``k0 = ceil(c ln(n)/beta)`` the result exceeds
    S* by at most GS n^-c, in O(k0^2) given access to the ranks.

    Source: Nissim, Raskhodnikova, Smith 2007, Claims 3.2 and 3.4 (ii).
    """
    check_beta(beta)
    rest = query.global_sensitivity(data.domain, data.n) * math.exp(-beta * k0)
    if k0 < 1:
        return rest
    near = query.sensitivity_at_distance(data, k0 - 1, progress)
    return max(rest, float(np.max(near * np.exp(-beta * np.arange(k0)))))

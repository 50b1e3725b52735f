"""Two simpler smooth upper bounds of S*, beside the exact one.

Both are beta-smooth and at least S*, so both are private to use; the exact S* is never larger, and for
order statistics nearly as quick.
"""

from __future__ import annotations

import math
from typing import Any

from engine.data.order_statistics import OrderStatistics
from engine.progress import Progress, silent
from engine.queries.base import (
    FIRST_REACH,
    Query,
    SmoothSensitivity,
    check_beta,
    decisive_reach,
    largest_discounted,
)
from engine.queries.order_statistics import WindowMean

EXACT, DOUBLE, TRUNCATED = "exact", "two-approximation", "truncated"
BOUNDS = (EXACT, DOUBLE, TRUNCATED)
"""By what noise can be scaled: S* itself, at most twice S*, or S* up to a distance k0."""


def smooth_upper_bound(
    query: Query[Any], data: Any, beta: float, bound: str, k0: int, *, progress: Progress = silent
) -> SmoothSensitivity:
    """Return one of `BOUNDS`, and the distance that decides it (private)."""
    if bound == DOUBLE:
        assert isinstance(query, WindowMean)
        return double_window_bound(query, data, beta)
    if bound == TRUNCATED:
        return truncated_bound(query, data, beta, k0, progress=progress)
    return query.smooth_sensitivity(data, beta, progress)


def double_window_bound(query: WindowMean, data: OrderStatistics, beta: float) -> SmoothSensitivity:
    """Return ``max_k exp(-beta k) (x_{high+k+1} - x_{low-k-1})/w``, at most twice S*.

    One term for each k instead of k + 2: O(n) given sorted data, and only as many terms
    as can decide.

    Source: Nissim, Raskhodnikova, Smith 2007, Claim 3.4 (i), stated there for the median.
    Each half of the double window is a window of A^(k), hence the factor 2.
    """
    check_beta(beta)
    low, high = query.window(data.n)
    largest = query.global_sensitivity(data.domain, data.n)
    best, reach, needed = SmoothSensitivity(0.0, 0, beta), -1, min(FIRST_REACH, data.n)
    while reach < needed:
        reach = needed
        widest = data.ranks(high + 1, high + 1 + reach) - data.ranks(low - 1 - reach, low - 1)[::-1]
        best = largest_discounted(widest / query.divisor(data.n), beta)
        needed = min(data.n, decisive_reach(largest, best.value, beta), 8 * reach)
    return best


def truncated_bound(
    query: Query[Any], data: Any, beta: float, k0: int, *, progress: Progress = silent
) -> SmoothSensitivity:
    """Return ``max(GS exp(-beta k0), max_{k < k0} exp(-beta k) A^(k))``, for any query.

    `k0` must not depend on the data; with ``k0 = ceil(c ln(n)/beta)`` the result exceeds
    S* by at most GS n^-c.  For order statistics it is O(k0^2) given access to the ranks.

    Source: Nissim, Raskhodnikova, Smith 2007, Claims 3.2 and 3.4 (ii).
    """
    check_beta(beta)
    rest = SmoothSensitivity(query.global_sensitivity(data.domain, data.n) * math.exp(-beta * k0), k0, beta)
    if k0 < 1:
        return rest
    near = query.sensitivity_at_distance(data, min(k0, data.records + 1) - 1, progress)
    return max(largest_discounted(near, beta), rest, key=lambda bound: bound.value)

"""The mean of the order statistics from one rank to another, and its sensitivities.

One rank is an order statistic (median, minimum, quantile), two are the average
median of an even n, the middle n - 2m are the trimmed mean, and all n the mean.  One
formula serves them all; for a sum it is not divided by w.

Statement.  Let f(x) be the mean of the w values at the ranks low, ..., high, and let
x_i = L for i <= 0 and x_i = U for i > n.  Then

    A^(k)(x) = 1/w  max { x_j - x_i :  i <= low,  j >= high,  j - i = w + k },

    S*(x)    = 1/w  max { (x_j - x_i) exp(-beta (j - i - w)) :
                          i <= low,  j >= high,  j - i >= w }.

Proof.  Replacing one record of y by U shifts every higher rank down by one place, so f
grows by at most (y_{high+1} - y_low)/w; replacing one by L is the mirror image; hence
LS(y) is the larger of (y_{high+1} - y_low)/w and (y_high - y_{low-1})/w.  Let y differ
from x in k records, of which p stand at the ranks up to low and s at those above high,
p + s <= k.  The low - p records of x below or at y_low show that y_low >= x_i for
i = low - p, the n - high - s above that y_{high+1} <= x_j for j = high + 1 + s, and
j - i = w + p + s <= w + k.  It is attained: of the w + p + s - 1 records between x_i and
x_j take p + s = k out, and put p at L and s at U.

Sources: Nissim, Raskhodnikova, Smith 2007, Section 3.1 (median, minimum: w = 1);
Bun and Steinke 2019 (trimmed mean).  The lecture slides that take the largest single
gap within distance k forget that k changes merge k + 1 gaps.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.progress import Progress, silent
from engine.queries.base import Query, SmoothSensitivity, WeightedRanks
from engine.queries.monotone import best_pair
from engine.queries.reach import FIRST_REACH, check_beta, decisive_reach


@dataclasses.dataclass(frozen=True)
class WindowMean(Query[OrderStatistics], abc.ABC):
    """The mean of the order statistics at the ranks low to high, which depend on n."""

    realises: ClassVar[str] = "engine.audit.pairs_of_data:moved_window"

    @abc.abstractmethod
    def window(self, n: int) -> tuple[int, int]:
        """Return (low, high) for n records, ``1 <= low <= high <= n``."""

    def weighted_ranks(self, n: int) -> tuple[WeightedRanks, ...]:
        return (WeightedRanks(*self.window(n), 1),)

    def divisor(self, n: int) -> int:
        """Return by what the sum of the window is divided: w, or 1 for a sum."""
        low, high = self.window(n)
        return high - low + 1

    def exact_value(self, data: OrderStatistics) -> Fraction:
        """Return f(x)."""
        low, high = self.window(data.n)
        return data.total(low, high) / self.divisor(data.n)

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return GS = (U - L)/w."""
        return domain.exact_width / self.divisor(n)

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        """Return A^(0), ..., A^(k_max); O(k_max^2) after one pass over the data."""
        low, high = self.window(data.n)
        left = data.ranks(low - 1 - k_max, low)
        right = data.ranks(high, high + 1 + k_max)
        widest = np.empty(k_max + 1)
        for k in range(k_max + 1):
            if k % 256 == 0:
                progress((k / (k_max + 1)) ** 2, "sensitivity at distance k")
            widest[k] = np.max(right[: k + 2] - left[k_max - k :])
        return widest / self.divisor(data.n)

    def distance_beyond(
        self, data: OrderStatistics, bound: float, farthest: int, progress: Progress = silent
    ) -> int:
        """Return min{k: A^(k) > bound}, or `farthest`; O(K log K) for a reach of K."""
        low, high = self.window(data.n)
        left = data.ranks(low - 1 - farthest, low)[::-1]
        right = data.ranks(high, high + 1 + farthest)
        # the nearest j for each i; a pair that is wide enough already counts for k = 0
        j = np.searchsorted(right, left + bound * self.divisor(data.n), side="right")
        reached = j < right.size
        k = np.arange(left.size)[reached] + j[reached] - 1
        return min(farthest, max(0, int(k.min()))) if k.size else farthest

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S*, without sorting the data.

        The search widens around the window until GS exp(-beta k) is below the best
        found, so what lies farther cannot decide: O(n + K log K) for a reach of K.
        """
        check_beta(beta)
        low, high = self.window(data.n)
        largest = self.global_sensitivity(data.domain, data.n)
        # where the gaps are alike, 1/beta of them decide
        first = min(max(FIRST_REACH, math.ceil(1 / beta)), data.n, decisive_reach(1.0, 0.0, beta))
        best, reach, needed = SmoothSensitivity(0.0, 0, beta), 0, max(1, first)
        width = high - low + 1
        while reach < needed:
            reach = needed
            progress(0.0, "smooth sensitivity")
            # beyond the bounds nothing gets wider
            farthest_low, farthest_high = max(0, low - 1 - reach), min(data.n, high + reach) + 1
            if width <= reach:
                data.ranks(farthest_low, farthest_high)  # both sides in one pass
            left, right = data.ranks(farthest_low, low), data.ranks(high, farthest_high)
            gap, k = best_pair(left, right, beta, width, progress)
            best = SmoothSensitivity(gap / self.divisor(data.n), k, beta)
            farthest = min(data.n, decisive_reach(largest, best.value, beta))
            needed = min(farthest, 8 * reach)
            progress(reach / max(needed, reach), "smooth sensitivity")
        return best

"""Median, quantile, minimum, maximum, mean, sum and trimmed mean: windows of ranks.

The mean of the order statistics from one rank to another, and its sensitivities.

One rank is an order statistic (median, minimum, quantile); two ranks are the average median of an
even n; the middle n - 2m are the trimmed mean, and all n the mean.  One formula covers them all; a sum
is not divided by w.

Statement.  Let f(x) be the mean of the w values at the ranks low, ..., high, and let
x_i = L for i <= 0 and x_i = U for i > n.  Then

    A^(k)(x) = 1/w  max { x_j - x_i :  i <= low,  j >= high,  j - i = w + k },

    S*(x)    = 1/w  max { (x_j - x_i) exp(-beta (j - i - w)) :
                          i <= low,  j >= high,  j - i >= w }.

Proof.  Replacing one record of y by U shifts every higher rank down by one, so f grows by at most
(y_{high+1} - y_low)/w.  Replacing one by L is the mirror image.  Hence LS(y) is the larger of
(y_{high+1} - y_low)/w and (y_high - y_{low-1})/w.  Let y differ from x in k records: p at the ranks up
to low and s above high, p + s <= k.  At least low - p records of x are at or below y_low, so
y_low >= x_i for i = low - p.  At least n - high - s are above, so y_{high+1} <= x_j for
j = high + 1 + s.  Here j - i = w + p + s <= w + k.  It is attained: remove p + s = k of the
w + p + s - 1 records between x_i and x_j, and put p at L and s at U.

Sources: Nissim, Raskhodnikova, Smith 2007, Section 3.1 (median, minimum: w = 1);
Bun and Steinke 2019 (trimmed mean).  Lecture slides that take the largest single gap within distance k
overlook that k changes merge k + 1 gaps.
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
from engine.domain import LARGEST, Interval
from engine.numerals import grouped, short
from engine.parameters import parameter
from engine.progress import Progress, silent
from engine.queries.base import (
    Query,
    SmoothSensitivity,
    WeightedRanks,
    check_beta,
    decisive_reach,
)
from engine.queries.monotone import best_pair
from engine.sampling.exactness import FRACTIONS

_FIRST_REACH = 128
"""The first search for S* covers this distance: one search among so many ranks is faster than two."""


class WindowMean(Query[OrderStatistics], abc.ABC):
    """The mean of the order statistics at the ranks low to high, which depend on n."""

    realises: ClassVar[str] = "engine.audit.pairs_of_data:moved_window"

    @abc.abstractmethod
    def window(self, n: int) -> tuple[int, int]:
        """Return (low, high) for n records, ``1 <= low <= high <= n``."""

    def weighted_ranks(self, n: int) -> tuple[WeightedRanks, ...]:
        return (WeightedRanks(*self.window(n), 1),)

    def divisor(self, n: int) -> int:
        """Return the divisor of the window's sum: w, or 1 for a sum."""
        low, high = self.window(n)
        return high - low + 1

    def exact_value(self, data: OrderStatistics) -> Fraction:
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
        first = min(max(_FIRST_REACH, math.ceil(1 / beta)), data.n, decisive_reach(1.0, 0.0, beta))
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
            gap, k = best_pair(left, right, beta, width, progress=progress)
            best = SmoothSensitivity(gap / self.divisor(data.n), k, beta)
            farthest = min(data.n, decisive_reach(largest, best.value, beta))
            needed = min(farthest, 8 * reach)
            progress(reach / max(needed, reach), "smooth sensitivity")
        return best


_NRS = "Nissim, Raskhodnikova, Smith 2007, Section 3.1"


class OrderStatistic(WindowMean, abc.ABC):
    """A query that asks for the value at a rank, so that ranks can score candidates."""

    decline: ClassVar[float] = 1.0

    def records_below(self, n: int) -> float:
        """Return how many records lie below the value sought (a half for its own record)."""
        low, high = self.window(n)
        return (low + high - 1) / 2


@dataclasses.dataclass(frozen=True)
class Median(OrderStatistic):
    """The middle value; for even n the lower of the two middle ones, or their average.

    Examples
    --------
    The values 1 to 10 in [0, 1000]: one record moves the median by at most 1.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> Median().value(data), Median().global_sensitivity(data.domain, data.n)
    (5.0, 1000.0)
    >>> smooth = Median().smooth_sensitivity(data, beta=2.0)
    >>> smooth.value, smooth.argmax_k
    (1.0, 0)
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median"
    summary: ClassVar[str] = "the value in the middle"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    even: str = parameter(
        default="lower",
        choices=("lower", "average"),
        label="Even n",
        help="Which middle value counts when n is even: the lower one, or the average of both.",
    )

    def window(self, n: int) -> tuple[int, int]:
        return (n + 1) // 2, n // 2 + 1 if self.even == "average" else (n + 1) // 2


@dataclasses.dataclass(frozen=True)
class Quantile(OrderStatistic):
    """The smallest value that at least a share q of the records does not exceed.

    Examples
    --------
    Nine of the values 1 to 10 are at most 9, five at most 5.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Quantile(q=0.9).value(data), Quantile(q=0.5).value(data)
    (9.0, 5.0)
    """

    name: ClassVar[str] = "quantile"
    label: ClassVar[str] = "Quantile"
    summary: ClassVar[str] = "the value below which a share q of the records lies"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    q: float = parameter(
        default=0.9,
        lower=0.0,
        upper=1.0,
        label="Share q",
        help="0.5 is the lower median, 0 the minimum, 1 the maximum.",
    )

    def window(self, n: int) -> tuple[int, int]:
        """Return the rank ceil(q n), at least 1."""
        # 0.1 * 30 is 3.0000000000000004 in floating point, and its rank is 3
        rank = max(1, math.ceil(round(self.q * n, 9)))
        return rank, rank


class Minimum(OrderStatistic):
    """The smallest value.

    Examples
    --------
    One record can take the minimum from 1 down to the bound, or up to the next value: 1 or 1.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Minimum().value(data), Minimum().local_sensitivity(data)
    (1.0, 1.0)
    """

    name: ClassVar[str] = "minimum"
    label: ClassVar[str] = "Minimum"
    summary: ClassVar[str] = "the smallest value"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    def window(self, n: int) -> tuple[int, int]:
        return 1, 1


class Maximum(OrderStatistic):
    """The largest value.

    Examples
    --------
    One record can take the maximum from 10 up to the bound.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Maximum().value(data), Maximum().local_sensitivity(data)
    (10.0, 90.0)
    """

    name: ClassVar[str] = "maximum"
    label: ClassVar[str] = "Maximum"
    summary: ClassVar[str] = "the largest value"
    source: ClassVar[str] = _NRS
    exact_because: ClassVar[str] = FRACTIONS

    def window(self, n: int) -> tuple[int, int]:
        return n, n


class Mean(WindowMean):
    """The mean of the clamped values; its local sensitivity is nearly global.

    Examples
    --------
    One record moves the mean of ten values by at most a tenth of the range.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Mean().value(data), Mean().global_sensitivity(data.domain, data.n)
    (5.5, 10.0)
    """

    name: ClassVar[str] = "mean"
    label: ClassVar[str] = "Mean"
    summary: ClassVar[str] = "the mean of the values moved into the bounds"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = FRACTIONS
    decline: ClassVar[float] = 0.0

    def window(self, n: int) -> tuple[int, int]:
        return 1, n


class Sum(WindowMean):
    """The sum of the clamped values: n times the mean, and as sensitive.

    Examples
    --------
    One record moves a sum by at most the range.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> Sum().value(data), Sum().global_sensitivity(data.domain, data.n)
    (55.0, 100.0)
    """

    name: ClassVar[str] = "sum"
    label: ClassVar[str] = "Sum"
    summary: ClassVar[str] = "the sum of the values moved into the bounds"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = FRACTIONS
    decline: ClassVar[float] = 0.0

    def window(self, n: int) -> tuple[int, int]:
        return 1, n

    def divisor(self, n: int) -> int:
        return 1

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(n * domain.lower, n * domain.upper)

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        largest = max(abs(domain.lower), abs(domain.upper))
        if largest > LARGEST / n:
            return "upper", f"{short(largest)} is too large for a sum of {grouped(n)}; use a larger unit"
        return None


@dataclasses.dataclass(frozen=True)
class TrimmedMean(WindowMean):
    """The mean of what is left when a share is cut off at each end.

    Examples
    --------
    Without one value at each end, (2 + ... + 9)/8 is left.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> TrimmedMean(trim=0.1).value(data)
    5.5
    """

    name: ClassVar[str] = "trimmed-mean"
    label: ClassVar[str] = "Trimmed mean"
    summary: ClassVar[str] = "the mean without the smallest and the largest values"
    source: ClassVar[str] = "Bun, Steinke 2019, Section 4"
    exact_because: ClassVar[str] = FRACTIONS

    trim: float = parameter(
        default=0.1,
        lower=0.0,
        upper=0.5,
        upper_open=True,
        label="Trim",
        help="Share of the records that is cut off at each end.",
    )

    def window(self, n: int) -> tuple[int, int]:
        """Return the ranks m + 1 to n - m for m = floor(trim n)."""
        m = trim_count(self.trim, n)
        return m + 1, n - m


def trim_count(trim: float, n: int) -> int:
    """Return m = floor(trim n), the number of records cut off at each end."""
    return min(math.floor(round(trim * n, 9)), (n - 1) // 2)

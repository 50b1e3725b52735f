"""The Winsorized mean, with its exact sensitivity at distance k.

The m smallest values are replaced by the next larger one and the m largest by the next
smaller one before the mean is taken.  With a = m + 1, b = n - m and b > a,

    n f(x) = (m + 1) x_a + x_{a+1} + ... + x_{b-1} + (m + 1) x_b.

Statement.  Let the gain of a database be the largest increase of n f by one replaced
record.  Over all databases that differ from x in at most k records it is

    G^(k)(x) = max { (m + 1) (x_{b+1+s} - x_{a-p}) - m (x_{i+g} - x_i) :
                     p + q + s = k,  g = b - a - 1 - q >= 0,
                     a - p < i,  i + g < b + 1 + s },

and n A^(k)(x) is the larger of G^(k)(x) and of G^(k) of the reflected data L + U - x.

Proof.  Moving one record of y to U shifts all higher ranks down, so the gain of y is
m (y_{a+1} - y_a) + (y_{b+1} - y_a) + m (y_{b+1} - y_b).  Let y differ from x in k records:
p of them stand at the ranks up to a, q at a + 1, ..., b and s above.  The a - p records
of x at the ranks up to a show that y_a >= x_{a-p}, the n - b - s above b that
y_{b+1} <= x_{b+1+s}.  The b - a - q = g + 1 records of x in the middle are among those of
rank a - p + 1 to b + s, so the first and the last of them, which y_b - y_{a+1} spans,
are at least some x_{i+g} - x_i apart.  If there are none (q = b - a), 0 bounds that
difference from below, as it does for g = 0, q = b - a - 1 with one more record for p or s.
It is attained: keep x_1, ..., x_{a-p}, then x_i, ..., x_{i+g}, then x_{b+1+s}, ..., x_n,
and put p records at L, q at x_i and s at U.

Reference: Bun and Steinke 2019 treat the trimmed mean; for the Winsorized mean only an
upper bound (up to 1.5 times too large in our tests) was known to us.  The statement
above is derived here and tested against the definition by enumeration.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.parameters import parameter
from engine.progress import Progress, parts, silent
from engine.queries.base import Query, SmoothSensitivity, WeightedRanks
from engine.queries.gain_search import largest_gain, margin, trailing_maximum
from engine.queries.order_statistics import trimmed
from engine.queries.reach import FIRST_REACH, NEGLIGIBLE, check_beta, decisive_reach
from engine.sampling.exactness import FRACTIONS

_ALL = 1024
"""Up to this distance every A^(k) is worked out."""


@dataclasses.dataclass(frozen=True)
class WinsorizedMean(Query[OrderStatistics]):
    """The mean with the extreme values pulled in to the nearest that is kept.

    Examples
    --------
    0 counts as 1, and 100 as 3.

    >>> from engine import Interval, Sample
    >>> data = Sample([0, 1, 2, 3, 100], Interval(0, 100))
    >>> WinsorizedMean(trim=0.2).value(data)
    2.0
    """

    name: ClassVar[str] = "winsorized-mean"
    label: ClassVar[str] = "Winsorized mean"
    summary: ClassVar[str] = "the mean with extreme values pulled in to the nearest kept one"
    source: ClassVar[str] = "sensitivity at distance k derived in engine/queries/winsorized_mean.py"
    exact_because: ClassVar[str] = FRACTIONS

    trim: float = parameter(
        default=0.1,
        lower=0.0,
        upper=0.5,
        upper_open=True,
        label="Pull in",
        help="Share of the records at each end that is pulled in.",
    )

    def error(self, n: int) -> float:
        return super().error(n) + 2.0**-50 * n

    def weighted_ranks(self, n: int) -> tuple[WeightedRanks, ...]:
        m = trimmed(self.trim, n)
        kept = WeightedRanks(m + 1, n - m, 1)
        ends = (WeightedRanks(m + 1, m + 1, m), WeightedRanks(n - m, n - m, m))
        return (kept, *ends) if m else (kept,)

    def divisor(self, n: int) -> int:
        return n

    def exact_value(self, data: OrderStatistics) -> Fraction:
        """Return f(x)."""
        m = trimmed(self.trim, data.n)
        low, high = (Fraction(float(data.ranks(rank, rank)[0])) for rank in (m + 1, data.n - m))
        return (data.total(m + 1, data.n - m) + m * (low + high)) / data.n

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return GS = (m + 1)(U - L)/n, or U - L where only the median is left."""
        m = trimmed(self.trim, n)
        return domain.exact_width if n - 2 * m == 1 else (m + 1) * domain.exact_width / n

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        """Return A^(0), ..., A^(k_max); O(k_max^2) after one pass over the data."""
        outer, inner, most_q = self._weights(data.n)
        gains = [
            _gains(left, right, outer, inner, most_q, half)
            for (left, right), half in zip(self._directions(data, k_max), parts(2, progress), strict=True)
        ]
        return np.maximum(*gains) / data.n

    def _weights(self, n: int) -> tuple[int, int, int]:
        """Return the weights of the outer and of the inner difference, and the largest q."""
        m = trimmed(self.trim, n)
        # with a single kept value all n weights stand on the median
        outer, inner = (n, 0) if n - 2 * m == 1 else (m + 1, m)
        return outer, inner, max(0, n - 2 * m - 2)

    def _directions(self, data: OrderStatistics, reach: int) -> tuple[tuple[Floats, Floats], ...]:
        """Return the values around the ranks a and b, and those of the reflected data."""
        m = trimmed(self.trim, data.n)
        a, b = m + 1, data.n - m
        left = data.ranks(a - 1 - reach, a + 1 + reach)
        right = data.ranks(b - 1 - reach, b + 1 + reach)
        return (left[1:], right[1:]), (-right[-2::-1], -left[-2::-1])

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S* where it is at least GS 2^-40, a lower bound below that.

        O(n) and some hundred looks at a reach of K, which the limit keeps below 28/beta:
        nothing that uses S looks closer.
        """
        return self.smooth_sensitivities(data, (beta,), progress)[0]

    def smooth_sensitivities(
        self, data: OrderStatistics, betas: Sequence[float], progress: Progress = silent
    ) -> tuple[SmoothSensitivity, ...]:
        """Return the exact S* for each of `betas`.

        The smallest beta reaches farthest: if S* = exp(-beta k) A^(k) there, another beta'
        > beta has S*' >= S* exp((beta - beta') k), hence ln(GS/S*')/beta' <= ln(GS/S*)/beta.
        So its A^(k) serve all, as long as they are few; farther away each beta searches.
        """
        for beta in betas:
            check_beta(beta)
        smallest = min(betas)
        largest = self.global_sensitivity(data.domain, data.n)
        reach, needed = -1, min(FIRST_REACH, data.n)
        while reach < needed:
            reach = needed
            levels = self.sensitivity_at_distance(data, reach, progress)
            best = _discounted_maximum(levels, smallest).value
            farthest = min(data.n, _ALL, decisive_reach(largest, best, smallest, NEGLIGIBLE))
            needed = farthest if best > 0 else min(farthest, 8 * reach)
        return tuple(
            self._searched(data, _discounted_maximum(levels, beta), reach, largest, progress)
            for beta in betas
        )

    def _searched(
        self,
        data: OrderStatistics,
        result: SmoothSensitivity,
        reach: int,
        largest: float,
        progress: Progress,
    ) -> SmoothSensitivity:
        """Return the exact S*, of which the best up to a reach is known."""
        beta = result.beta
        while True:
            farthest = min(data.n, decisive_reach(largest, result.value, beta, NEGLIGIBLE))
            if farthest <= reach:
                return result
            reach = min(farthest, max(8 * reach, math.ceil(1 / beta)))
            progress(0.0, "smooth sensitivity")
            gain, k = largest_gain(
                self._directions(data, reach + margin(reach)),
                *self._weights(data.n),
                beta,
                reach,
                (result.value * data.n, result.argmax_k),
                4 * self.error(data.n),
                progress,
            )
            if k != result.argmax_k:
                result = SmoothSensitivity(gain / data.n, k, beta)


def _discounted_maximum(levels: Floats, beta: float) -> SmoothSensitivity:
    """Return max_k exp(-beta k) A^(k)."""
    discounted = levels * np.exp(-beta * np.arange(levels.size))
    k = int(np.argmax(discounted))
    return SmoothSensitivity(float(discounted[k]), k, beta)


def _gains(left: Floats, right: Floats, outer: int, inner: int, most_q: int, progress: Progress) -> Floats:
    """Return G^(0), ..., G^(K) in one direction, in O(K^2).

    Parameters
    ----------
    left, right : ndarray, shape (2 K + 2,)
        Values at the ranks a + t and b + t for ``-K <= t <= K + 1``.
    outer, inner : int
        Weights of the outer and of the inner difference.
    most_q : int
        Largest number of replaced records in the middle, b - a - 1.

    Notes
    -----
    With i = a + 1 - v and i + g = b - w the four indices separate,

        (inner x_{a+1-v} - outer x_{a-p}) + (outer x_{b+1+s} - inner x_{b-w}),
        p >= max(0, v),  s >= max(0, -w),  0 <= w - v <= b - a - 1,

    at distance k = (p - v) + (s + w).  For w >= 0 nothing but k binds s: fix d = p - v,
    take the best v for each w, collect the best of (d, w) by d + w, and add the best s at
    the end.  For w < 0 nothing but k binds p: the same from the other side.
    """
    reach = left.size // 2 - 1
    # near the window the values then are small; what is taken off cancels but for this
    shift = (outer - inner) * float(right[reach] - left[reach])
    left, right = left - left[reach], right - right[reach]
    bound_s, bound_p = np.full(reach + 1, -np.inf), np.full(reach + 1, -np.inf)
    lowered = -outer * left[: reach + 1][::-1]  # -outer x_{a-v-d} for v = -d, ..., K - d
    raised = outer * right[reach + 1 :]  # outer x_{b+1+s} for s = 0, ..., K
    for d in range(reach + 1):
        if d % 64 == 0:
            progress(d / (2 * reach + 2), "sensitivity at distance k")
        best_v = trailing_maximum(inner * left[d + 1 : reach + d + 2][::-1] + lowered, most_q + 1)
        candidates = best_v[d:] - inner * right[d : reach + 1][::-1]
        np.maximum(bound_s[d:], candidates, out=bound_s[d:])
        best_w = trailing_maximum(raised[d + 1 :] - inner * right[reach + 1 : 2 * reach + 1 - d], most_q + 1)
        candidates = best_w + inner * left[reach + 2 : 2 * reach + 2 - d]
        np.maximum(bound_p[d + 1 :], candidates, out=bound_p[d + 1 :])
    gains = np.empty(reach + 1)
    for k in range(reach + 1):
        if k % 256 == 0:
            progress(0.5 + k / (2 * reach + 2), "sensitivity at distance k")
        gains[k] = max(np.max(raised[: k + 1] + bound_s[k::-1]), np.max(lowered[: k + 1] + bound_p[k::-1]))
    gains += shift
    return gains

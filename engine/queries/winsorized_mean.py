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
m (y_{a+1} - y_a) + (y_{b+1} - y_a) + m (y_{b+1} - y_b).  It is piecewise linear in each
replaced value, so p of the k replaced records may be taken at L, s at U, and q between
y_{a+1} and y_b, where they count but do not matter.  The records that they replace are
best taken from where they close ranks: then y_a = x_{a-p}, y_{b+1} = x_{b+1+s}, and
of the b - a values in the middle b - a - q are records of x between those two, which
lose least when they are neighbours: y_{a+1} = x_i and y_b = x_{i+g}.  Any such choice
needs p + q + s insertions and as many removals.  For q = b - a nothing of x is left in
the middle, and the value is the one for q = b - a - 1.

Reference: Bun and Steinke 2019 treat the trimmed mean; for the Winsorized mean only an
upper bound (up to 1.5 times too large in our tests) was known to us.  The statement
above is derived here and tested against the definition by enumeration.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.parameters import parameter
from engine.progress import Progress, silent
from engine.queries.base import Query, SmoothSensitivity
from engine.queries.order_statistics import trimmed
from engine.queries.reach import FIRST_REACH, check_beta, decisive_reach

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class WinsorizedMean(Query[OrderStatistics]):
    """The mean with the extreme values pulled in to the nearest that is kept."""

    name: ClassVar[str] = "winsorized-mean"
    label: ClassVar[str] = "Winsorized mean"
    summary: ClassVar[str] = "the mean with extreme values pulled in to the nearest kept one"
    source: ClassVar[str] = "sensitivity at distance k derived in engine/queries/winsorized_mean.py"

    trim: float = parameter(
        default=0.1,
        lower=0.0,
        upper=0.5,
        upper_open=True,
        label="Pull in",
        help="Share of the records at each end that is pulled in.",
    )

    def value(self, data: OrderStatistics) -> float:
        """Return f(x)."""
        m = trimmed(self.trim, data.n)
        low, high = (float(data.ranks(rank, rank)[0]) for rank in (m + 1, data.n - m))
        return (data.total(m + 1, data.n - m) + m * (low + high)) / data.n

    def global_sensitivity(self, domain: Interval, n: int) -> float:
        """Return GS = (m + 1)(U - L)/n, or U - L where only the median is left."""
        m = trimmed(self.trim, n)
        return domain.width if n - 2 * m == 1 else (m + 1) * domain.width / n

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> _Floats:
        """Return A^(0), ..., A^(k_max); O(k_max^2) unless the O(k) bounds of the gain are loose."""
        gains = _Gains(data, trimmed(self.trim, data.n), k_max)
        result = np.empty(k_max + 1)
        for k in range(k_max + 1):
            progress((k / (k_max + 1)) ** 2, "sensitivity at distance k")
            result[k] = gains.exact(k)
        return result / data.n

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S*; only distances that an O(k) bound does not rule out are tried."""
        check_beta(beta)
        largest = self.global_sensitivity(data.domain, data.n)
        best, done, reach = SmoothSensitivity(0.0, 0, beta), -1, min(FIRST_REACH, data.n)
        while done < reach:
            gains = _Gains(data, trimmed(self.trim, data.n), reach)
            # the bound grows with k, so equal values around the window are skipped at once
            first = bisect.bisect_left(range(reach + 1), True, lo=done + 1, key=gains.possible)
            for k in range(first, reach + 1):
                discount = math.exp(-beta * k) / data.n
                if gains.bound(k) * discount > best.value:
                    progress(k / (reach + 1), "smooth sensitivity")
                    value = gains.exact(k) * discount
                    if value > best.value:
                        best = SmoothSensitivity(value, k, beta)
            done, reach = reach, min(data.n, decisive_reach(largest, best.value, beta), 4 * reach)
        return best


class _Gains:
    """G^(k) for k up to `k_max`, in both directions.

    Parameters
    ----------
    data : OrderStatistics
        The sample.
    m : int
        Number of records pulled in at each end.
    k_max : int
        Largest distance that will be asked for.
    """

    def __init__(self, data: OrderStatistics, m: int, k_max: int) -> None:
        a, b = m + 1, data.n - m
        left = data.ranks(a - 1 - k_max, a + 1 + k_max)
        right = data.ranks(b - 1 - k_max, b + 1 + k_max)
        # with a single kept value all n weights stand on the median
        outer, inner = (data.n, 0) if a == b else (m + 1, m)
        most_q = min(k_max, b - a - 1) if inner else 0
        self._directions = (
            _Direction(left[1:], right[1:], outer, inner, most_q),
            _Direction(-right[-2::-1], -left[-2::-1], outer, inner, most_q),
        )

    def possible(self, k: int) -> bool:
        """Tell whether G^(k) can be above 0."""
        return self.bound(k) > 0

    def bound(self, k: int) -> float:
        """Return an upper bound of G^(k), non-decreasing in k."""
        return max(direction.bound(k) for direction in self._directions)

    def exact(self, k: int) -> float:
        """Return G^(k) of the data or of the reflected data, whichever is larger."""
        return max(direction.exact(k) for direction in self._directions)


class _Direction:
    """G^(k) of one direction; with t = k - q records moved to the bounds.

    Writing i = a + 1 + u, the statement's constraints are p >= -u and s >= u - q.  For
    0 <= u <= q they say nothing, and the widest outer difference for t goes with the
    narrowest gap for q; only the other u ask for a closer look.

    Parameters
    ----------
    left, right : ndarray, shape (2 K + 2,)
        Values at the ranks a + t and b + t for ``-K <= t <= K + 1``.
    """

    def __init__(self, left: _Floats, right: _Floats, outer: int, inner: int, most_q: int) -> None:
        self._left, self._right, self._outer, self._inner = left, right, outer, inner
        self._zero = zero = left.size // 2 - 1
        self._widest = np.array([self._outside(t).max() for t in range(zero + 1)])
        free, anywhere = np.zeros(most_q + 1), np.zeros(most_q + 1)
        if inner:
            for q in range(most_q + 1):
                free[q] = self._gaps(q, np.arange(q + 1)).min()
                anywhere[q] = self._gaps(q, np.arange(q - zero, zero + 1)).min()
        self._free, self._anywhere = free, anywhere

    def bound(self, k: int) -> float:
        return float(np.max(self._paired(k, self._anywhere)))

    def exact(self, k: int) -> float:
        best = float(np.max(self._paired(k, self._free)))
        for q in np.flatnonzero(self._paired(k, self._anywhere) > best).tolist():
            if q == k:
                continue
            outside = self._outside(k - q)
            v = np.arange(1, k - q + 1)
            below = np.maximum.accumulate(outside[::-1])[::-1][v]  # p >= v, with u = -v
            above = np.maximum.accumulate(outside)[k - q - v]  # s >= v, with u = q + v
            best = max(
                best,
                float(np.max(self._outer * below - self._inner * self._gaps(q, -v))),
                float(np.max(self._outer * above - self._inner * self._gaps(q, q + v))),
            )
        return best

    def _paired(self, k: int, narrowest: _Floats) -> _Floats:
        """Return, for every q, the widest outer difference against a gap for q."""
        q = np.arange(min(k + 1, narrowest.size))
        paired: _Floats = self._outer * self._widest[k - q] - self._inner * narrowest[q]
        return paired

    def _outside(self, t: int) -> _Floats:
        """Return x_{b+1+s} - x_{a-p} for p = 0, ..., t and s = t - p."""
        zero = self._zero
        return self._right[zero + 1 : zero + t + 2][::-1] - self._left[zero - t : zero + 1][::-1]

    def _gaps(self, q: int, u: NDArray[np.int64]) -> _Floats:
        """Return x_{i+g} - x_i for i = a + 1 + u."""
        return self._right[self._zero + u - q] - self._left[self._zero + 1 + u]

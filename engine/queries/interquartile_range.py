"""The distance from the first to the third quartile, and its sensitivities.

Statement.  Let f(x) = x_t - x_s for the ranks s = ceil(n/4) < t = ceil(3 n/4), with x_i = L for i <= 0
and x_i = U for i > n.  With A_r^(k) of the value at rank r (`engine.queries.order_statistics`),

    A^(k)(x) = max(A_s^(k)(x), A_t^(k)(x)),     S*(x) = max(S*_s(x), S*_t(x)).

Over databases that differ in at most k records, f attains the largest and the smallest value

    highest = max { x_{t+b} - x_{s-a} : a + b = k },
    lowest  = min { max(x_{t-b} - x_{s+a}, 0) : a + b = k }.

Proof.  A record that moves up past x_t, or down past x_s, moves one of the two quartiles to the next
rank.  A record that moves from above x_t to below x_s moves both the same way: f changes by a difference
of two gaps, at most the larger one.  So LS(y) is the largest of the gaps beside x_s and x_t, which is
max(LS_s(y), LS_t(y)), and maxima over the y near x can be exchanged.  For f itself: let a of the k new
records lie at or below y_s and b at or above y_t, with a + b <= k if f > 0.  Then y_s >= x_{s-a} and
y_t <= x_{t+b}.  Moving a records from between to L and b to U attains this.  To bring the quartiles
together, a records from below and b from above move between them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.domain import LARGEST, Interval
from engine.numerals import short
from engine.progress import Progress, parts, silent
from engine.queries.base import Query, SmoothSensitivity
from engine.queries.order_statistics import Quantile
from engine.sampling.exactness import FRACTIONS

QUARTILES = (Quantile(q=0.25), Quantile(q=0.75))


class InterquartileRange(Query[OrderStatistics]):
    """The third quartile less the first.

    Source: Dwork, Lei 2009, Section 4, as the scale of the data; the sensitivities are derived here.

    Examples
    --------
    The quartiles of 1 to 8 are 2 and 6; one record moves either to the next value.

    >>> from engine import Interval, Sample
    >>> data = Sample(range(1, 9), Interval(0, 100))
    >>> InterquartileRange().value(data), InterquartileRange().local_sensitivity(data)
    (4.0, 1.0)
    """

    name: ClassVar[str] = "interquartile-range"
    label: ClassVar[str] = "Interquartile range"
    summary: ClassVar[str] = "how far apart the first and the third quartile are"
    source: ClassVar[str] = "Dwork, Lei 2009, Section 4"
    exact_because: ClassVar[str] = FRACTIONS
    decline: ClassVar[float] = 1.0

    def ranks(self, n: int) -> tuple[int, int]:
        """Return s and t."""
        low, high = (one.window(n)[0] for one in QUARTILES)
        return low, high

    def exact_value(self, data: OrderStatistics) -> Fraction:
        low, high = (one.exact_value(data) for one in QUARTILES)
        return high - low

    def span(self, data: OrderStatistics) -> tuple[float, float]:
        low, high = (one.value(data) for one in QUARTILES)
        return low, high

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        return domain.exact_width

    def value_range(self, domain: Interval, n: int) -> Interval:
        return Interval(0.0, domain.width)

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        if domain.width > LARGEST:
            return (
                "upper",
                f"the bounds are {short(domain.width)} apart; at most {short(LARGEST)} is possible",
            )
        return ("n", "one record has no range; at least 2 are needed") if n < 2 else None

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        low, high = (
            one.sensitivity_at_distance(data, k_max, half)
            for one, half in zip(QUARTILES, parts(2, progress), strict=True)
        )
        return np.maximum(low, high)

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        results = [
            one.smooth_sensitivity(data, beta, half)
            for one, half in zip(QUARTILES, parts(2, progress), strict=True)
        ]
        return max(results, key=lambda one: one.value)

    def extremes(self, data: OrderStatistics, k_max: int) -> tuple[Floats, Floats]:
        """Return the lowest and the highest f of databases within distance 0, ..., k_max (private)."""
        s, t = self.ranks(data.n)
        down, up = data.ranks(s - k_max, s)[::-1], data.ranks(t, t + k_max)
        inner_s, inner_t = data.ranks(s, s + k_max), data.ranks(t - k_max, t)[::-1]
        lowest, highest = np.empty(k_max + 1), np.empty(k_max + 1)
        for k in range(k_max + 1):
            highest[k] = np.max(up[: k + 1] - down[k::-1])
            lowest[k] = max(float(np.min(inner_t[: k + 1] - inner_s[k::-1])), 0.0)
        return lowest, highest


def distance_to_leave(lowest: Floats, highest: Floats, low: float, high: float) -> int:
    """Return the least k with a value below `low`, or at least `high`; how many k are known where none is."""
    beyond = np.flatnonzero((lowest < low) | (highest >= high))
    return int(beyond[0]) if beyond.size else len(lowest)


def bin_around(value: float, factor: float, shift: float) -> tuple[float, float]:
    """Return the bin factor^(j + shift), factor^(j + 1 + shift) that holds a value above 0; j is whole."""
    exponent = math.floor(math.log(value) / math.log(factor) - shift)

    def edge(j: int) -> float:
        return float(factor ** (j + shift))

    while edge(exponent) > value:
        exponent -= 1
    while edge(exponent + 1) <= value:
        exponent += 1
    return edge(exponent), edge(exponent + 1)

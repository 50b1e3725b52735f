"""The Winsorized mean, with its exact sensitivity at distance k.

`WinsorizedMean.sensitivity_at_distance` has the formula and its proof; `largest_gain` describes the search.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.parameters import parameter
from engine.progress import Progress, parts, silent
from engine.queries.base import (
    FIRST_REACH,
    NEGLIGIBLE,
    Query,
    SmoothSensitivity,
    WeightedRanks,
    check_beta,
    decisive_reach,
    largest_discounted,
)
from engine.queries.monotone import widest
from engine.queries.order_statistics import trim_count
from engine.sampling.exactness import FRACTIONS

_BLOCKS = 128
"""Blocks of d, and of z, that share a bound."""

_CHORDS = 64
"""Values of h for which the best s is computed."""


def trailing_maximum(values: Floats, width: int) -> Floats:
    """Return the maximum of each value and the ``width - 1`` values before it."""
    if width >= values.size:
        return np.maximum.accumulate(values)
    from scipy.ndimage import maximum_filter1d

    trailing: Floats = maximum_filter1d(values, width, origin=(width - 1) // 2, mode="constant", cval=-np.inf)
    return trailing


def margin(reach: int) -> int:
    """Return how many more values than `reach` are needed."""
    return 2 * (reach // _BLOCKS + 1)


def largest_gain(
    directions: Sequence[tuple[Floats, Floats]],
    outer: int,
    inner: int,
    most_q: int,
    beta: float,
    reach: int,
    known: tuple[float, int],
    slack: float,
    *,
    progress: Progress = silent,
) -> tuple[float, int]:
    """Return the largest ``exp(-beta k) G^(k)`` of several directions, and its k.

    `directions` are values at the ranks a + t and b + t for ``-K <= t <= K + 1``; `reach` is K less the
    `margin`; `known` is an attained discounted gain, and its k; `slack` is the relative error of gains.

    The search need not compute the gain at every distance.  A gain at distance ``k = d + z + s`` is

        free(s) + max { far(d + u) - near(u) : u <= z, z - u <= b - a - 1 } + other(z),

    on two sides.  For w >= 0, d = p - v, u = v, z = w, and s is free.  For w < 0, d = s + w, u = -w, z = -v,
    and p is free.  All four functions except `near` are non-decreasing.  So a block of d and z is bounded by
    its last d, its last z, and its smallest discount.  For a value h of the other terms, the best s gives
    max_s exp(-beta s) (free(s) + h), which is convex in h, so chords bound it.  Blocks below the best known
    gain are dropped, the others divided again.
    """
    sides = [
        side
        for left, right in directions
        for side in _sides(left, right, outer, inner, most_q + 1, beta, reach)
    ]
    best = known[0]
    before, size = math.inf, sum(side.size for side in sides)
    while 4 * _BLOCKS < size <= before / 2:
        for side in sides:
            best = side.narrow(best, slack, progress)
        before, size = size, sum(side.size for side in sides)
    return max([known, *(side.best(progress) for side in sides)], key=lambda results: results[0])


def _sides(
    left: Floats, right: Floats, outer: int, inner: int, width: int, beta: float, reach: int
) -> tuple[GainSide, GainSide]:
    middle = left.size // 2 - 1
    # values near the window become small, which saves digits; the subtracted part cancels except this
    shift = (outer - inner) * float(right[middle] - left[middle])
    left, right = left - left[middle], right - right[middle]
    lowered, raised = -outer * left[: middle + 1][::-1], outer * right[middle + 1 :]
    return (
        GainSide(
            far=lowered,
            near=-inner * left[1:][::-1],
            other=-inner * right[: middle + 1][::-1],
            free=raised + shift,
            first_z=0,
            width=width,
            beta=beta,
            reach=reach,
        ),
        GainSide(
            far=raised,
            near=inner * right[:-1],
            other=inner * left[middle + 1 :],
            free=lowered + shift,
            first_z=1,
            width=width,
            beta=beta,
            reach=reach,
        ),
    )


@dataclasses.dataclass
class GainSide:
    """One side of a search for the largest discounted gain in one direction.

    Attributes
    ----------
    far, free, other : ndarray, shape (K + 1,)
        By their index; `free` contains the common part of all gains.
    near : ndarray, shape (2 K + 1,)
        From u = -K to K.
    first_z : int
        0 if u may be as low as -d, and 1 if both u and z are at least 1.
    width : int
        Number of possible u for each z.
    beta : float
    reach : int
        Largest k that is searched: K less the `margin`.
    """

    far: Floats
    near: Floats
    other: Floats
    free: Floats
    first_z: int
    width: int
    beta: float
    reach: int

    def __post_init__(self) -> None:
        self._d: Ints = np.arange(self.reach + 1)
        self._z: Ints = np.arange(self.first_z, self.reach + 1)
        self._discount: Floats = np.exp(-self.beta * np.arange(self.far.size))

    @property
    def size(self) -> int:
        """The number of d and z that are left."""
        return self._d.size + self._z.size

    def narrow(self, best: float, slack: float, progress: Progress) -> float:
        """Drop d and z that cannot beat `best`; return the new best."""
        if not (self._d.size and self._z.size):
            return best
        first_d, last_d = _blocks(self._d)
        first_z, last_z = _blocks(self._z)
        nearest = first_d[:, None] + first_z
        spread = int(np.max(last_z - first_z))
        attained, most = (np.full((first_d.size, first_z.size), -np.inf) for _ in range(2))
        for position, d in enumerate(last_d.tolist()):
            progress(position / last_d.size, "smooth sensitivity")
            within = last_z < self.far.size - d
            z = last_z[within]
            index, row = z - self._first_u(d), self._row(d)
            attained[position, within] = trailing_maximum(row, self.width)[index] + self.other[z]
            most[position, within] = attained[position, within]
            if self.width < row.size:
                most[position, within] = trailing_maximum(row, self.width + spread)[index] + self.other[z]
        possible = (nearest <= self.reach) & (most > -np.inf)
        most[~possible] = 0.0
        discount = np.where(possible, self._discount[np.minimum(nearest, self.reach)], 0.0)
        promising = (discount > 0) & (discount * (self.free[-1] + most) >= best * (1 - slack))
        if promising.any():
            height = np.linspace(most[promising].min(), most[promising].max(), _CHORDS)
            chord = np.array([np.max(self._discount * (self.free + h)) for h in height.tolist()])
            bound = discount * np.interp(most, height, chord)
            row_of, column_of = np.unravel_index(np.argmax(np.where(promising, bound, -np.inf)), bound.shape)
            farthest = last_d[row_of] + last_z[column_of]
            known = np.max(self._discount * (self.free + attained[row_of, column_of]))
            best = max(best, float(np.exp(-self.beta * farthest) * known))
            promising &= (bound >= best * (1 - slack)) & (bound > 0)
        self._d = _between(self._d, first_d[promising.any(axis=1)], last_d[promising.any(axis=1)])
        self._z = _between(self._z, first_z[promising.any(axis=0)], last_z[promising.any(axis=0)])
        return best

    def best(self, progress: Progress) -> tuple[float, int]:
        """Return the largest discounted gain among all d and z that are left, and its k."""
        rest = np.full(self.far.size, -np.inf)
        for index, d in enumerate(self._d.tolist()):
            if index % 16 == 0:
                progress(index / self._d.size, "smooth sensitivity")
            z = self._z[self._z < self.far.size - d]
            result = trailing_maximum(self._row(d), self.width)[z - self._first_u(d)] + self.other[z]
            np.maximum(rest[d + z], result, out=result)
            rest[d + z] = result
        down = np.flatnonzero(rest > -np.inf)
        if not down.size:
            return 0.0, 0
        # a smaller gain at a larger distance never decides
        rows = -np.maximum.accumulate(rest[down])
        pair = widest(rows, down, self.free, np.arange(self.free.size), self.beta, progress=progress)
        return (0.0, 0) if pair is None else (pair[0], pair[1] + pair[2])

    def _first_u(self, d: int) -> int:
        return self.first_z or -d

    def _row(self, d: int) -> Floats:
        """Return ``far(d + u) - near(u)`` for all u."""
        first, middle = self._first_u(d), self.far.size - 1
        return self.far[first + d :] - self.near[middle + first : 2 * middle + 1 - d]


def _blocks(values: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last value of each block."""
    start = np.arange(0, values.size, -(-values.size // _BLOCKS))
    return values[start], values[np.append(start[1:], values.size) - 1]


def _between(values: Ints, first: Ints, last: Ints) -> Ints:
    """Return the values from the first to the last remaining block, so that blocks stay narrow."""
    return values[(values >= first[0]) & (values <= last[-1])] if first.size else values[:0]


_ALL = 1024
"""Up to this distance every A^(k) is computed."""


@dataclasses.dataclass(frozen=True)
class WinsorizedMean(Query[OrderStatistics]):
    """The mean, where extreme values are replaced by the nearest value that is kept.

    The m smallest values become the next larger one, and the m largest the next smaller one, before the mean
    is taken.

    Examples
    --------
    0 counts as 1, and 100 counts as 3.

    >>> from engine import Interval, Sample
    >>> data = Sample([0, 1, 2, 3, 100], Interval(0, 100))
    >>> WinsorizedMean(trim=0.2).value(data)
    2.0
    """

    name: ClassVar[str] = "winsorized-mean"
    label: ClassVar[str] = "Winsorized mean"
    summary: ClassVar[str] = "the mean with extreme values replaced by the nearest kept one"
    source: ClassVar[str] = "sensitivity at distance k derived in engine/extras/frontier/winsorized_mean.py"
    exact_because: ClassVar[str] = FRACTIONS
    inexact_distance: ClassVar[str] = "the distance to a larger sensitivity is computed in floating point"

    trim: float = parameter(
        default=0.1,
        lower=0.0,
        upper=0.5,
        upper_open=True,
        label="Replaced share",
        help="Share of the records at each end that the nearest kept value replaces.",
    )

    def error(self, n: int) -> float:
        return super().error(n) + 2.0**-50 * n

    def weighted_ranks(self, n: int) -> tuple[WeightedRanks, ...]:
        m = trim_count(self.trim, n)
        kept = WeightedRanks(m + 1, n - m, 1)
        ends = (WeightedRanks(m + 1, m + 1, m), WeightedRanks(n - m, n - m, m))
        return (kept, *ends) if m else (kept,)

    def divisor(self, n: int) -> int:
        return n

    def exact_value(self, data: OrderStatistics) -> Fraction:
        m = trim_count(self.trim, data.n)
        low, high = (Fraction(float(data.ranks(rank, rank)[0])) for rank in (m + 1, data.n - m))
        return (data.total(m + 1, data.n - m) + m * (low + high)) / data.n

    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return GS = (m + 1)(U - L)/n, or U - L if only the median is kept."""
        m = trim_count(self.trim, n)
        return domain.exact_width if n - 2 * m == 1 else (m + 1) * domain.exact_width / n

    def sensitivity_at_distance(
        self, data: OrderStatistics, k_max: int, progress: Progress = silent
    ) -> Floats:
        """Return A^(0), ..., A^(k_max); O(k_max^2) after one pass over the data.

        Notes
        -----
        With a = m + 1, b = n - m and b > a,

            n f(x) = (m + 1) x_a + x_{a+1} + ... + x_{b-1} + (m + 1) x_b.

        Statement.  Let the gain of a database be the largest increase of n f by one replaced record.  Over
        all databases that differ from x in at most k records it is

            G^(k)(x) = max { (m + 1) (x_{b+1+s} - x_{a-p}) - m (x_{i+g} - x_i) :
                             p + q + s = k,  g = b - a - 1 - q >= 0,
                             a - p < i,  i + g < b + 1 + s },

        and n A^(k)(x) is the larger of G^(k)(x) and of G^(k) of the reflected data L + U - x.

        Proof.  Moving one record of y to U moves all higher ranks down, so the gain of y is
        m (y_{a+1} - y_a) + (y_{b+1} - y_a) + m (y_{b+1} - y_b).  Let y differ from x in k records: p of them
        at the ranks up to a, q at a + 1, ..., b, and s above.  The a - p records of x at the ranks up to a
        show that y_a >= x_{a-p}; the n - b - s above b show that y_{b+1} <= x_{b+1+s}.  The b - a - q = g + 1
        records of x in the middle are among those of rank a - p + 1 to b + s.  So the first and the last of
        them, which lie between y_{a+1} and y_b, are at least some x_{i+g} - x_i apart.  If there are none
        (q = b - a), the bound is 0, as for g = 0, q = b - a - 1 with one more record for p or s.
        It is attained: keep x_1, ..., x_{a-p}, then x_i, ..., x_{i+g}, then x_{b+1+s}, ..., x_n, and put p
        records at L, q at x_i and s at U.

        Bun and Steinke 2019 treat the trimmed mean.  For the Winsorized mean we know only of an upper bound,
        up to 1.5 times too large in our tests.  The statement is derived here; tests compare it with the
        definition by enumeration.
        """
        outer, inner, most_q = self._weights(data.n)
        gains = [
            _gains(left, right, outer, inner, most_q, progress=half)
            for (left, right), half in zip(self._directions(data, k_max), parts(2, progress), strict=True)
        ]
        return np.maximum(*gains) / data.n

    def _weights(self, n: int) -> tuple[int, int, int]:
        """Return the weights of the outer and of the inner difference, and the largest q."""
        m = trim_count(self.trim, n)
        # with a single kept value all n weights are on the median
        outer, inner = (n, 0) if n - 2 * m == 1 else (m + 1, m)
        return outer, inner, max(0, n - 2 * m - 2)

    def _directions(self, data: OrderStatistics, reach: int) -> tuple[tuple[Floats, Floats], ...]:
        """Return the values around the ranks a and b, and those of the reflected data."""
        m = trim_count(self.trim, data.n)
        a, b = m + 1, data.n - m
        left = data.ranks(a - 1 - reach, a + 1 + reach)
        right = data.ranks(b - 1 - reach, b + 1 + reach)
        return (left[1:], right[1:]), (-right[-2::-1], -left[-2::-1])

    def smooth_sensitivity(
        self, data: OrderStatistics, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S* if it is at least GS 2^-40, else a lower bound.

        It takes O(n), and some hundred passes over a reach of K; the limit keeps K below 28/beta.  No use of
        S needs more precision.
        """
        return self.smooth_sensitivities(data, (beta,), progress)[0]

    def smooth_sensitivities(
        self, data: OrderStatistics, betas: Sequence[float], progress: Progress = silent
    ) -> tuple[SmoothSensitivity, ...]:
        """Return the exact S* for each of `betas`.

        The smallest beta reaches farthest: if S* = exp(-beta k) A^(k) there, another beta' > beta has
        S*' >= S* exp((beta - beta') k), hence ln(GS/S*')/beta' <= ln(GS/S*)/beta.  So its A^(k) serve all, if
        they are few; beyond, each beta has its own search.
        """
        for beta in betas:
            check_beta(beta)
        smallest = min(betas)
        largest = self.global_sensitivity(data.domain, data.n)
        reach, needed = -1, min(FIRST_REACH, data.n)
        while reach < needed:
            reach = needed
            levels = self.sensitivity_at_distance(data, reach, progress)
            best = largest_discounted(levels, smallest).value
            farthest = min(data.n, _ALL, decisive_reach(largest, best, smallest, NEGLIGIBLE))
            needed = farthest if best > 0 else min(farthest, 8 * reach)
        return tuple(
            self._search(data, largest_discounted(levels, beta), reach, largest, progress) for beta in betas
        )

    def _search(
        self,
        data: OrderStatistics,
        result: SmoothSensitivity,
        reach: int,
        largest: float,
        progress: Progress,
    ) -> SmoothSensitivity:
        """Return the exact S*, given the best up to a reach."""
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
                progress=progress,
            )
            if k != result.argmax_k:
                result = SmoothSensitivity(gain / data.n, k, beta)


def _gains(left: Floats, right: Floats, outer: int, inner: int, most_q: int, *, progress: Progress) -> Floats:
    """Return G^(0), ..., G^(K) in one direction, in O(K^2), from values as in `largest_gain`.

    With i = a + 1 - v and i + g = b - w the four indices separate,

        (inner x_{a+1-v} - outer x_{a-p}) + (outer x_{b+1+s} - inner x_{b-w}),
        p >= max(0, v),  s >= max(0, -w),  0 <= w - v <= b - a - 1,

    at distance k = (p - v) + (s + w).  For w >= 0, only k limits s.  So fix d = p - v, take the best v for
    each w, collect the best of (d, w) by d + w, and add the best s at the end.  For w < 0, only k limits p:
    the same from the other side.
    """
    reach = left.size // 2 - 1
    # values near the window become small, which saves digits; the subtracted part cancels except this
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

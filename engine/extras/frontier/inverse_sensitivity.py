"""The inverse sensitivity mechanism, and a variant whose density is continuous."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.extras.frontier.distance_pieces import DistancePieces, Knots
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.base import Query
from engine.sampling.exactness import CHOSEN
from engine.sampling.sums import exact_sum

MAX_HELD = 1 << 16
"""Values in memory at once for sums."""


@dataclasses.dataclass(frozen=True)
class ByDistance(ScalarMechanism, is_meant_for=lambda query, n: bool(query.weighted_ranks(n))):
    """Base of mechanisms that weigh values by their distance from the data: see `distance_pieces`."""

    is_linear: ClassVar[bool] = False  # whether the distance rises linearly between knots

    smoothing: float = parameter(
        default=1e-6,
        lower=0.0,
        upper=0.5,
        label="Smoothing",
        help="Values within this share of the range of results around the true one count as the true one; "
        "values beyond move outward by as much. Without it, answers that many records share are hardly ever "
        "drawn. Half of a declared resolution applies if it is larger.",
        advanced=True,
    )

    guarantee: ClassVar[Guarantee] = CHOICE

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        from engine.mechanisms.planted.choices import is_inner_rank

        return {"exponential-doubled": Mistake()} if is_inner_rank(self.query) else {}

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if self.facts.is_meant_for(self.query, n):
            return ()
        return (
            Problem(
                "method",
                f"{self.query.label.lower()} has no known number of records that must change until a value "
                "is the answer; use the ladder, or smooth sensitivity",
            ),
        )

    def knots(self, data: Any, progress: Progress) -> Knots:
        """Return the knots of the data (private), by default those of ranks."""
        self.query.explore(data, progress)
        return RankKnots(self.query, data)

    def radius(self, results: Interval, resolution: float | None) -> float:
        """Return the radius around the truth within which values count as the truth (public)."""
        return max(self.smoothing * results.width, (resolution or 0.0) / 2)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> PiecewisePrepared:
        results = self.query.value_range(data.domain, data.n)
        radius, knots = self.radius(results, data.resolution), self.knots(data, progress)
        return PiecewisePrepared(
            near=DistancePieces.near(
                knots,
                radius,
                privacy.epsilon,
                is_linear=self.is_linear,
                progress=progress,
            ),
            grid=self.grid(data),
            # the error depends on the data
            error=None,
            diagnostics=Private({"true_value": float(knots.value)}),
        )


class InverseSensitivity(ByDistance):
    """Draw a value by the number of records that must be replaced to make it the answer.

    Let len(x, v) be the smallest number of replaced records that makes v the answer.  For neighbours it
    differs by at most 1, for any query, so a density proportional to ``exp(-epsilon len(x, v)/2)`` is
    epsilon-private.  It is computed exactly for sums of order statistics with weights of at least 0:
    median, quantiles, mean, trimmed and Winsorized mean.

    Statement.  With k replaced records such a mean takes all values between two answers: those of the data
    with all ranks moved by k down and by k up, where x_i = L for i <= 0 and x_i = U for i > n.

    Proof.  The mean does not fall if a value rises.  A neighbour at distance k has at most k new values, so
    its value at rank i is at most x_{i+k}.  It is equal to x_{i+k} if the k smallest values become U.  If
    records move there one after the other, the mean changes continuously.

    Source: Asi, Duchi 2020 (arXiv 2005.10630), with their smoothing by a radius.  For an order statistic
    and radius 0 it is the exponential mechanism by rank.

    Examples
    --------
    The trimmed mean of 1 to 1000; one record moves it by at most 1.25, and half of the errors are below 1.5.

    >>> import numpy as np
    >>> from engine import Interval, Privacy, Sample, TrimmedMean, simulate
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> mechanism = InverseSensitivity(query=TrimmedMean())
    >>> simulated = simulate(mechanism, data, Privacy(1.0), runs=10_000, seed=1)
    >>> round(np.median(simulated.distances).item(), 1)
    1.5
    """

    name: ClassVar[str] = "inverse-sensitivity"
    label: ClassVar[str] = "Inverse sensitivity"
    summary: ClassVar[str] = "draws a value by the number of records that must change to make it the answer"
    source: ClassVar[str] = "Asi, Duchi 2020"
    exact_because: ClassVar[str] = CHOSEN


class PiecewiseLaplace(ByDistance):
    """Draw a value as `InverseSensitivity` does, but with a density that falls within each step.

    Where the number of records to be replaced jumps from k - 1 to k, let it rise linearly instead.  It
    still differs by at most 1 between neighbours (`distance_pieces`).  The density is that of Laplace noise
    whose scale changes from piece to piece: the length of each piece times 2/epsilon.  If all pieces have
    the same length, the global sensitivity, it is Laplace noise of twice the usual scale.

    Without smoothing each piece keeps its mass, which moves to its nearer end.  So for any bound, the error
    exceeds it with at most the probability of `InverseSensitivity`.

    Source: Durfee 2025 (arXiv 2505.02798); we know only its abstract, so statement and proof are our own.

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Interval, Privacy, Sample, TrimmedMean, simulate
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> mechanism = PiecewiseLaplace(query=TrimmedMean())
    >>> simulated = simulate(mechanism, data, Privacy(1.0), runs=10_000, seed=1)
    >>> round(np.median(simulated.distances).item(), 1)
    1.4
    """

    name: ClassVar[str] = "piecewise-laplace"
    label: ClassVar[str] = "Piecewise Laplace"
    summary: ClassVar[str] = "Laplace noise whose scale follows how far each further record moves the answer"
    source: ClassVar[str] = "Durfee 2025; derived here"
    exact_because: ClassVar[str] = CHOSEN
    is_linear: ClassVar[bool] = True


class RankKnots:
    """Answers with all ranks moved by the same number, as `Knots`."""

    def __init__(self, query: Query[OrderStatistics], data: OrderStatistics) -> None:
        self._data = data
        self._ranks = query.weighted_ranks(data.n)
        self.value = query.exact_value(data)
        self.width = query.value_range(data.domain, data.n).width
        self.unit = query.divisor(data.n)
        self.last, self.most = data.n, data.most_ranks

    def rises(self, first: int, last: int, progress: Progress) -> tuple[Floats, Floats]:
        """Return how far each further rank moves the answer."""
        progress(0.0, "computing answers with replaced records")
        below, above = np.zeros(last - first + 1), np.zeros(last - first + 1)
        at = self._data.ranks
        for low, high, weight in self._ranks:
            above += weight * (at(high + first, high + last) - at(low + first - 1, low + last - 1))
            below += weight * (at(high - last + 1, high - first + 1) - at(low - last, low - first))[::-1]
        return below, above

    def knot(self, k: int) -> Fraction:
        """Return the answer with all ranks moved by k, up if k > 0."""
        if k == 0:
            return self.value
        moved = Fraction(0)
        for first, last, weight in self._ranks:
            new, old = (last + 1, first) if k > 0 else (first + k, last + 1 + k)
            moved += weight * (self._sum(new, new + abs(k) - 1) - self._sum(old, old + abs(k) - 1))
        return self.value + moved / self.unit

    def _sum(self, first: int, last: int) -> Fraction:
        """Return the sum of the values at ranks; many of them are not held in memory."""
        if last - first < MAX_HELD:
            return exact_sum(self._data.ranks(first, last))
        n, domain = self._data.n, self._data.domain
        low, high = max(first, 1), min(last, n)
        below, above = max(0, min(last, 0) - first + 1), max(0, last - max(first, n + 1) + 1)
        bounds = below * Fraction(domain.lower) + above * Fraction(domain.upper)
        return bounds + (self._data.total(low, high) if low <= high else 0)

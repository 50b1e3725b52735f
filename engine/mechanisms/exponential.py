"""The exponential mechanism for order statistics."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.rank_gaps import RankGaps
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.primitives.accounting import Concentrated, of_exponential
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import OrderStatistic
from engine.randomness import is_release
from engine.sampling.choice import choose, coins
from engine.sampling.output_grid import OutputGrid

if TYPE_CHECKING:
    from flint import arb


@dataclasses.dataclass(frozen=True)
class ExponentialRelease(ScalarMechanism):
    """Choose a value by how near its rank is to the one that is sought.

    A value v with i records below it scores ``-|i - t|``, t = rank - 1/2, and is drawn
    with density proportional to ``exp(epsilon * score / 2)``.  Replacing a record moves i
    by at most one, so the score has sensitivity 1 and the release is epsilon-DP.  Where a resolution is
    declared, its multiples are drawn, of which many records may share one (`rank_gaps`).

    Source: McSherry and Talwar 2007; Smith 2011 for quantiles.

    Examples
    --------
    An error between j and j + 1 has probability (1 - e^-0.5) e^(-j/2): half of them are below 1.45.

    >>> import numpy as np
    >>> from engine import Interval, Median, Privacy, Sample, simulate
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> found = simulate(ExponentialRelease(query=Median()), data, Privacy(1.0), runs=10_000, seed=1)
    >>> round(np.median(found.distances).item(), 2)
    1.45
    """

    name: ClassVar[str] = "exponential"
    label: ClassVar[str] = "Exponential mechanism"
    summary: ClassVar[str] = "draws a value by how near its rank is to the one sought"
    source: ClassVar[str] = "McSherry, Talwar 2007; Smith 2011"

    @property
    def uses_delta(self) -> bool:
        """It does without."""
        return False

    def concentrated(self, privacy: Privacy) -> Concentrated:
        """Return epsilon^2/8: the log-ratios of its probabilities span a range of epsilon."""
        return of_exponential(privacy.epsilon)

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not isinstance(self.query, OrderStatistic):
            return (
                Problem(
                    "method",
                    "the exponential mechanism picks a value by its rank, which a "
                    f"{self.query.label.lower()} has not; "
                    "use it for the median, a quantile, the minimum or the maximum",
                ),
            )
        return ()

    def prepare(self, data: Sample, privacy: Privacy, progress: Progress = silent) -> PiecewiseUniform:
        """Weigh the gaps between neighbouring values, the bounds added, and heaps that can be drawn."""
        self.refuse(privacy, data.domain, data.n)
        assert isinstance(self.query, OrderStatistic)
        sought = self.query.records_below(data.n)
        grid = self.grid(data)
        step = grid.step if grid.declared else None
        return PiecewiseUniform(
            near=RankGaps.near(data, sought, privacy.epsilon, step, progress),
            data=data,
            sought=sought,
            grid=grid,
            noise={},
            # how far the answer lies depends on the gaps between the data
            error=None,
            diagnostics=Private({"true_value": self.query.value(data)}),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class PiecewiseUniform(ScalarPrepared):
    """A density that is constant between neighbouring values.

    Attributes
    ----------
    near : RankGaps
        The gaps that have all of the mass but a share of 2^-69 (private).
    data : Sample
        Where the others are (private).
    sought : float
        How many records lie below the value sought.
    grid : OutputGrid
        Where released values lie.
    """

    near: RankGaps
    data: Sample
    sought: float
    grid: OutputGrid
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def edges(self) -> NDArray[np.float64]:
        """The sorted values between which it is constant."""
        return self.near.edges

    @functools.cached_property
    def probability(self) -> NDArray[np.float64]:
        """Mass of each gap."""
        weights = np.exp(self.near.log_weights - self.near.log_weights.max())
        return np.asarray(weights / weights.sum())

    @property
    def _complete(self) -> bool:
        """Whether all gaps are near."""
        return self.near.first == 0 and self.near.last == self.data.n

    @functools.cached_property
    def _all(self) -> RankGaps:
        """All gaps; a release draws one that is not near once in 2^69 times."""
        return RankGaps.of(self.data, self.sought, self.near.epsilon, 0, self.data.n, self.near.step)

    @functools.cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        """Mass below each edge but the first; a simulation asks for it again and again."""
        return np.cumsum(self.probability)

    @functools.cached_property
    def _last(self) -> int:
        """The last gap that has any mass."""
        return int(np.flatnonzero(self.probability)[-1])

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> NDArray[np.float64]:
        """Draw a gap, for a simulation by inversion, then a uniform point in it."""
        if is_release(rng):
            return np.array([self._released(rng) for _ in range(size)], dtype=np.float64)
        gap = np.searchsorted(self._cumulative, rng.random(size) * self._cumulative[-1], side="right")
        # rounding must not select a gap of weight zero behind the last
        gap = np.minimum(gap, self._last)
        low, high = self.edges[gap], self.edges[gap + 1]
        return self.grid.rounded(low + rng.random(size) * (high - low))

    def _released(self, rng: np.random.Generator) -> float:
        from engine.sampling.bits import Bits

        gaps = self._all.without(self.near) if self._beyond(rng) else self.near
        gap = choose(gaps.log_weights, gaps.log_weight, rng, gaps.magnitude)
        bits = Bits()
        return self.grid.nearest(lambda: gaps.point(gap, bits.uniform()))

    def _beyond(self, rng: np.random.Generator) -> bool:
        """Tell, by an exact coin, whether the gap is none of those that are near."""
        if self._complete:
            return False

        def share() -> arb:
            others = self._all.without(self.near).mass()
            return others / (others + self.near.mass())

        # less than what a coin allows for beside a share of 0
        return bool(coins(0.0, share, 1, rng)[0])

    def density(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the density of the released value, before rounding."""
        points = np.asarray(values, dtype=np.float64)
        beyond = (points < self.edges[0]) | (points > self.edges[-1])
        if beyond.any() and not self._complete:
            return dataclasses.replace(self, near=self._all).density(points)
        gap = np.clip(np.searchsorted(self.edges, points, side="right") - 1, 0, self.probability.size - 1)
        lengths = self.edges[gap + 1] - self.edges[gap]
        inside = ~beyond & (lengths > 0)
        height = np.zeros_like(points)
        np.divide(self.probability[gap], lengths, out=height, where=inside)
        return height

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return quantiles of the released value, before rounding."""
        cumulative = np.concatenate([[0.0], self._cumulative])
        return np.interp(np.asarray(p, dtype=np.float64), cumulative / cumulative[-1], self.edges)

    def unclamped(self) -> PiecewiseUniform:
        """Return the same without clamping."""
        return dataclasses.replace(self, grid=self.grid.unclamped)

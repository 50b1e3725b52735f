"""Averages of the outputs of blocks: plain, with noise for the global sensitivity, or winsorized."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.mechanisms.aggregators.base import (
    Aggregator,
    VectorAdditive,
    VectorPrepared,
    exact_mean,
    nearest_doubles,
    output_grids,
)
from engine.mechanisms.aggregators.expected import (
    DOUBT,
    UPPER_QUARTER,
    misled_distance,
    spread_of,
    typical_length,
    width_of,
)
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.guarantee import EXPONENTIAL
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Laplace
from engine.noise.base import check_bounds
from engine.primitives import Concentrated, compose, of_exponential, of_pure
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.queries import Quantile
from engine.randomness import is_release
from engine.sampling.exactness import CHOSEN, ROUNDED
from engine.sampling.output_grid import outward
from engine.sampling.sums import exact_sum


class Average(Aggregator):
    """The mean of the outputs with Laplace noise in each coordinate: epsilon-DP.

    One person changes s of m outputs, each by at most the width w_j of its coordinate.  Noise of scale
    ``s w_j D/(m epsilon)`` gives each of D coordinates epsilon/D.

    Source: Mohan, Thakurta, Shi, Song, Culler 2012 (GUPT).

    Examples
    --------
    One person changes one of 100 blocks, so the scale is 1/(100 epsilon).

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MeanFunction(), aggregator=Average())
    >>> simulated = mechanism.run(data, Privacy(1.0), reproducible(1))
    >>> round(simulated.noise["scale"], 6), round(simulated.value, 1)
    (0.01, 0.3)
    """

    name: ClassVar[str] = "average"
    label: ClassVar[str] = "Average"
    summary: ClassVar[str] = "the mean of the outputs, with noise scaled to the global sensitivity"
    source: ClassVar[str] = "Mohan, Thakurta, Shi, Song, Culler 2012"
    exact_because: ClassVar[str] = ROUNDED

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        return problems_of(check_bounds, privacy, space.dimension)

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats:
        scale = s * width_of(space) * space.dimension / privacy.epsilon / blocks
        return scale * typical_length(Laplace(), space.dimension)

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> VectorAdditive:
        scale = outward(s * space.box.width / len(outputs) * space.dimension / privacy.epsilon)
        exact = exact_mean(outputs)
        center = nearest_doubles(exact)
        return VectorAdditive(
            center=center,
            box=space.box,
            noise={"family": "laplace", "scale": float(np.max(scale))},
            error=None,  # the noise is known, but not the error of the blocks
            diagnostics=Private({"center": center, "scale": float(np.max(scale))}),
            exact=exact,
            scale=scale,
            family=Laplace(),
        )


WIDENING = 4.0
"""The half-width of the clipping interval is WIDENING m^(1/3) times the interquartile range."""


class WinsorizedAggregator(Aggregator):
    """The mean of outputs clipped to an interval that private quartiles determine.

    Each of D coordinates gets epsilon/D and has three steps.

    1. The exponential mechanism draws the quartiles a and b, each with a quarter of this budget.
    2. The interval has center (a + b)/2 and half-width ``4 m^(1/3) |b - a|``, within the public range.
    3. The outputs are clipped to it; their mean gets Laplace noise of scale ``s width/(m epsilon/(2 D))``.

    One person changes s outputs, so ranks and scores change by at most s.

    Source: Smith 2011, Algorithm 2.

    Examples
    --------
    The simulated mean of 10,000 records around 0.3, from 100 blocks:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MeanFunction(), aggregator=WinsorizedAggregator())
    >>> simulated = mechanism.run(data, Privacy(1.0), reproducible(1))
    >>> round(simulated.value, 1)
    0.3
    """

    name: ClassVar[str] = "winsorized-mean"
    label: ClassVar[str] = "Widened Winsorized mean"
    summary: ClassVar[str] = "private quartiles first, then the mean of the outputs clipped around them"
    source: ClassVar[str] = "Smith 2011, Algorithm 2"
    exact_because: ClassVar[str] = CHOSEN

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        return problems_of(check_bounds, privacy, 1, 4 * space.dimension * s)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the cost of two choices and a mean, which is largest for a single coordinate."""
        quartiles = [of_exponential(privacy.epsilon / 4)] * 2
        return compose((*quartiles, of_pure(privacy.epsilon / 2)))

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats:
        """Return the estimate for clipped normal outputs, or for the whole range if quartiles fail."""
        spread, width = spread_of(radius, space.dimension), width_of(space)
        astray = misled_distance(blocks, spread, width, self._quarter(space, s, privacy).epsilon, 1 / 4)
        clipped = 2 * WIDENING * np.cbrt(blocks) * 2 * UPPER_QUARTER * spread
        range_ = np.where(astray > DOUBT, width, np.minimum(clipped, width))
        scale = s * range_ * 2 * space.dimension / privacy.epsilon / blocks
        return scale * typical_length(Laplace(), space.dimension)

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> WinsorizedPrepared:
        quarter = self._quarter(space, s, privacy)
        quartiles = [
            tuple(
                ExponentialRelease(query=Quantile(q=q), choice=EXPONENTIAL).prepare(
                    Sample(column, side), quarter
                )
                for q in (0.25, 0.75)
            )
            for column, side in zip(outputs.T, space.box.sides, strict=True)
        ]
        ordered = np.sort(outputs, axis=0)
        center = outputs.mean(axis=0)
        return WinsorizedPrepared(
            center=center,
            box=space.box,
            noise={"family": "laplace"},
            error=None,
            diagnostics=Private({"center": center}),
            quartiles=tuple(quartiles),
            ordered=ordered,
            cumulative=np.concatenate([np.zeros((1, ordered.shape[1])), np.cumsum(ordered, axis=0)]),
            share=s / len(outputs),
            rest=privacy.epsilon / (2 * space.dimension),
        )

    def _quarter(self, space: OutputSpace, s: int, privacy: Privacy) -> Privacy:
        return Privacy(privacy.epsilon / (4 * space.dimension * s))


@dataclasses.dataclass(frozen=True, repr=False)
class WinsorizedPrepared(VectorPrepared):
    """Sorted outputs with their cumulative sums (private)."""

    # For each coordinate, draws its private quartiles
    quartiles: tuple[tuple[PiecewisePrepared, ...], ...]
    # (m, D) and (m + 1, D), sorted outputs of each coordinate, and their cumulative sums from 0
    ordered: Floats
    cumulative: Floats
    share: float  # s/m, sensitivity of the mean of numbers in [0, 1] (public)
    rest: float  # epsilon for the mean of one coordinate

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        if is_release(rng):
            columns = range(self.center.size)
            return np.array([[self._released(column, rng) for column in columns] for _ in range(size)])
        m = len(self.ordered)
        drawn = np.empty((size, self.center.size))
        for column, _ in enumerate(each(self.center.size, progress)):
            side, pair = self.box.sides[column], self.quartiles[column]
            first, second = (quartile.draw(rng, size) for quartile in pair)
            middle, half = (first + second) / 2, WIDENING * np.cbrt(m) * np.abs(second - first)
            low, high = side.clamp(middle - half), side.clamp(middle + half)
            ordered, sums = self.ordered[:, column], self.cumulative[:, column]
            below = np.searchsorted(ordered, low, side="left")
            above = m - np.searchsorted(ordered, high, side="right")
            inside = sums[m - above] - sums[below]
            mean = (below * low + inside + above * high) / m
            drawn[:, column] = mean + rng.laplace(size=size) * (high - low) * self.share / self.rest
        return drawn

    def _released(self, column: int, rng: np.random.Generator) -> float:
        """Draw one coordinate; the interval is public, since its quartiles are."""
        side, grid = self.box.sides[column], output_grids(self.box)[column]
        first, second = (float(quartile.draw(rng, 1)[0]) for quartile in self.quartiles[column])
        middle, half = (first + second) / 2, WIDENING * np.cbrt(len(self.ordered)) * abs(second - first)
        low, high = float(side.clamp(middle - half)), float(side.clamp(middle + half))
        mean = exact_sum(np.clip(self.ordered[:, column], low, high)) / len(self.ordered)
        scale = outward((high - low) * self.share / self.rest)
        return float(grid.noisy(mean, scale, Laplace(), rng, 1)[0])

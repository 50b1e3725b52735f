"""The median of the outputs of blocks by the exponential mechanism, without noise."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.mechanisms.aggregators.base import Aggregator, VectorPrepared
from engine.mechanisms.aggregators.expected import (
    DOUBT,
    RANK,
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
from engine.primitives import Concentrated, largest_rho, of_exponential
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.queries import Median
from engine.sampling.exactness import CHOSEN


class ExponentialMedian(Aggregator):
    """In each coordinate, a number whose rank among the outputs is near the middle.

    The exponential mechanism draws each of D coordinates with epsilon/D.  With a delta it uses
    sqrt(8 rho/D) if that is more, where rho-zCDP is what the budget allows; a draw with epsilon' costs
    epsilon'^2/8.  One person changes s outputs, so ranks change by at most s.

    With blocks of two records and linear regression, this is the private Theil-Sen estimator: the median of
    the slopes of disjoint pairs of records.

    Source: Smith 2011, Algorithm 1 (median of blocks); Alabi, McMillan, Sarathy, Smith, Vadhan
    2022 (median of slopes); Cesar, Rogers 2021 (several coordinates under zCDP).

    Examples
    --------
    The slope of a line, from blocks of two records; a tenth of the records are far from the line.

    >>> import numpy as np
    >>> from engine import *
    >>> rng = np.random.default_rng(1)
    >>> x = rng.uniform(0, 1, 10_000)
    >>> y = np.where(rng.random(10_000) < 0.1, rng.uniform(0, 1, 10_000), 0.2 + 0.5 * x)
    >>> data = Points(np.column_stack([x, y]), Box.of([0, 0], [1, 1]))
    >>> pairs, slope = Partition(blocks=5000), LinearRegression()
    >>> mechanism = SampleAggregate(sampling=pairs, block_function=slope, aggregator=ExponentialMedian())
    >>> round(mechanism.run(data, Privacy(1.0), reproducible(1)).value, 2)
    0.5
    """

    name: ClassVar[str] = "exponential-median"
    label: ClassVar[str] = "Exponential median"
    summary: ClassVar[str] = "in each coordinate a number whose rank is near the middle of the outputs"
    source: ClassVar[str] = "Smith 2011; Alabi, McMillan, Sarathy, Smith, Vadhan 2022"
    exact_because: ClassVar[str] = CHOSEN
    hides: ClassVar[str] = "A choice"

    def each(self, dimension: int, privacy: Privacy) -> float:
        """Return the epsilon of each coordinate."""
        pure = privacy.epsilon / dimension
        if privacy.delta == 0:
            return pure
        return max(pure, math.sqrt(8 * largest_rho(privacy) / dimension) * (1 - 2.0**-40))

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        return problems_of(check_bounds, privacy, 1, space.dimension * s)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the cost of all coordinates: that of a single one, or all that the budget allows."""
        one = of_exponential(privacy.epsilon)
        return one if privacy.delta == 0 else Concentrated(max(one.rho, largest_rho(privacy)))

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats:
        """Return the estimated distance for normal outputs, or a quarter of the range if it is unreliable."""
        d, epsilon = space.dimension, self._of_ranks(space, s, privacy).epsilon
        spread, width = spread_of(radius, d), width_of(space)
        astray = d * misled_distance(blocks, spread, width, epsilon, 1 / 2)
        near = RANK * spread / blocks * 2 / epsilon * typical_length(Laplace(), d)
        return np.where(astray > DOUBT, width / 4 * math.sqrt(d), near)

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> MedianPrepared:
        budget = self._of_ranks(space, s, privacy)
        draw = ExponentialRelease(query=Median(), choice=EXPONENTIAL)
        center = np.median(outputs, axis=0)
        columns = zip(outputs.T, space.box.sides, strict=True)
        return MedianPrepared(
            center=center,
            box=space.box,
            noise={},
            error=None,
            diagnostics=Private({"center": center}),
            middles=tuple(draw.prepare(Sample(column, side), budget) for column, side in columns),
        )

    def _of_ranks(self, space: OutputSpace, s: int, privacy: Privacy) -> Privacy:
        return Privacy(self.each(space.dimension, privacy) / s)


@dataclasses.dataclass(frozen=True, repr=False)
class MedianPrepared(VectorPrepared):
    """Sorted outputs (private)."""

    middles: tuple[PiecewisePrepared, ...]  # draws each coordinate

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        steps = zip(self.middles, each(len(self.middles), progress), strict=True)
        return np.stack([middle.draw(rng, size) for middle, _ in steps], axis=1)

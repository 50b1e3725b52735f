"""The median of each coordinate of the outputs of blocks, with noise for its exact smooth sensitivity."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.aggregation.center_of_attention import SmoothBound
from engine.aggregation.spaces import OutputSpace
from engine.aggregation.step_median import step_smooth_bound
from engine.array_types import Floats
from engine.mechanisms.aggregators.expected import RANK, spread_of, width_of
from engine.mechanisms.aggregators.smooth import Aggregate, SmoothAggregator, exactly
from engine.progress import Progress, silent
from engine.sampling.exactness import ROUNDED


@dataclasses.dataclass(frozen=True)
class MedianAggregator(SmoothAggregator):
    """The lower median of each coordinate, each for an equal share of the budget.

    Examples
    --------
    The simulated mean of 10,000 records around 0.3, from 100 blocks:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MeanFunction(), aggregator=MedianAggregator())
    >>> simulated = mechanism.run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise["family"], round(simulated.value, 1)
    ('power-laplace', 0.3)
    """

    name: ClassVar[str] = "median"
    label: ClassVar[str] = "Median of each coordinate"
    summary: ClassVar[str] = "the median of the blocks' numbers; exact smooth sensitivity"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Example 4, with a bound derived here"
    exact_because: ClassVar[str] = ROUNDED

    def parts(self, space: OutputSpace) -> int:
        return space.dimension

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        """Return the largest of gaps of s (k + 1) ranks amid normal outputs, weighed, or of the range."""
        gap = RANK * spread_of(radius, space.dimension) * s / blocks
        near = gap * max(1.0, math.exp(beta - 1) / beta)
        width = width_of(space)
        return np.minimum(width, np.maximum(near, width * np.exp(-beta * blocks / (2 * s))))

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        rank = (len(outputs) + 1) // 2
        bounds: list[SmoothBound] = []
        for column, side in zip(outputs.T, space.box.sides, strict=True):
            progress(len(bounds) / space.dimension, "smooth bounds")
            bounds.append(step_smooth_bound(column, side, rank, s, beta))
        return Aggregate(exactly(np.partition(outputs, rank - 1, axis=0)[rank - 1]), tuple(bounds), {})

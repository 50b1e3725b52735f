"""The center of the smallest ball that holds a majority, wherever it lies."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from engine.aggregation.smallest_balls import (
    ACCURACY,
    MOST_DIMENSIONS,
    MOST_DISTANCES,
    BallRadii,
    distances_needed,
    most_outputs,
)
from engine.aggregation.spaces import Euclidean, OutputSpace
from engine.array_types import Floats
from engine.mechanisms.aggregators.smooth import Aggregate, SmoothAggregator, bound_of_balls
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import ROUNDED


@dataclasses.dataclass(frozen=True)
class SmallestBall(SmoothAggregator):
    """The center of the smallest ball that holds a majority of outputs: no output need be there.

    Of few outputs in the plane or in space only: all spheres through d + 1 of them are looked at.

    Examples
    --------
    The simulated mean of 10,000 records around (0.3, 0.6), from 40 blocks:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Partition, Points, Privacy, SampleAggregate, reproducible
    >>> rng = np.random.default_rng(1)
    >>> data = Points(rng.normal((0.3, 0.6), 0.1, (10_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = SampleAggregate(
    ...     block_function=MeanFunction(), aggregator=SmallestBall(), sampling=Partition(blocks=40)
    ... )
    >>> simulated = mechanism.run(data, Privacy(2.0), reproducible(1))
    >>> simulated.noise["family"], np.round(simulated.value, 1).tolist()
    ('power-laplace', [0.3, 0.6])
    """

    name: ClassVar[str] = "smallest-ball"
    label: ClassVar[str] = "Center of the smallest ball"
    summary: ClassVar[str] = "the center of attention that may lie between outputs, of few of them"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4 (unconstrained), bound derived here"
    exact_because: ClassVar[str] = ROUNDED
    accuracy: ClassVar[float] = ACCURACY

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        d = space.dimension
        if not isinstance(space, Euclidean):
            message = (
                f"it needs outputs with the Euclidean distance; these have another ({space.label.lower()})"
            )
            return (Problem("aggregator", f"{message}; use the center of attention"),)
        if d > MOST_DIMENSIONS:
            message = f"it takes outputs of at most {MOST_DIMENSIONS} numbers, and these are {d}"
            return (Problem("aggregator", f"{message}; use the center of attention"),)
        if distances_needed(m, d) > MOST_DISTANCES:
            message = f"spheres through {d + 1} of {grouped(m)} outputs are too many"
            most = f"use at most {grouped(most_outputs(d))} blocks, or the center of attention"
            return (Problem("blocks", f"{message}; {most}"),)
        return super().problems(space, m, s, privacy)

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        """Return that of the center of attention, with r(t) of at most r each; infinity for too many."""
        bound = bound_of_balls(2 * radius, blocks, space, s, beta)
        return np.where(blocks <= most_outputs(space.dimension), bound, np.inf)

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        """Look at all spheres through d + 1 outputs."""
        balls = BallRadii.of(outputs, space.diameter, s, progress)
        facts = {"radius": float(balls.radii[0]), "majority": balls.majority}
        return Aggregate(balls.exact_center, (balls.smooth_bound(beta),), facts)

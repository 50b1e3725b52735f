"""The average of the outputs: no look at how well they agree, and so noise for the worst case."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.mechanisms.aggregators.base import Aggregator, VectorAdditive, exact_mean, nearest_doubles
from engine.mechanisms.aggregators.expected import typical_length, width_of
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Laplace
from engine.noise.base import check_bounds
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import outward


@dataclasses.dataclass(frozen=True)
class Average(Aggregator):
    """The mean of the outputs with Laplace noise in each coordinate: epsilon-private.

    One person changes s of m outputs, each by at most the width w_j of its coordinate, so
    that noise of scale ``s w_j D/(m epsilon)`` gives each of D coordinates epsilon/D.

    Source: Mohan, Thakurta, Shi, Song, Culler 2012 (GUPT).

    Examples
    --------
    100 blocks, of which one person changes one: noise of scale 1/(100 epsilon).

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
    summary: ClassVar[str] = "the mean of the outputs, with noise for the worst case"
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
        """Compute the mean; the scale is public."""
        scale = outward(s * space.box.width / len(outputs) * space.dimension / privacy.epsilon)
        exact = exact_mean(outputs)
        center = nearest_doubles(exact)
        return VectorAdditive(
            center=center,
            box=space.box,
            noise={"family": "laplace", "scale": float(np.max(scale))},
            error=None,  # that of the noise is known, that of the blocks is not
            diagnostics=Private({"center": center, "scale": float(np.max(scale))}),
            exact=exact,
            scale=scale,
            family=Laplace(),
        )

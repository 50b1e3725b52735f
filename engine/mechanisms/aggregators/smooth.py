"""Aggregators with noise scaled to a smooth bound, and the center of attention."""

from __future__ import annotations

import abc
import dataclasses
import math
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.center_of_attention import LEVELS, LineRadii, MajorityRadii, SmoothBound
from engine.aggregation.smallest_balls import (
    ACCURACY,
    MAX_DIMENSIONS,
    MAX_DISTANCES,
    BallRadii,
    distances_needed,
    most_outputs,
)
from engine.aggregation.spaces import Euclidean, OutputSpace
from engine.aggregation.step_median import step_smooth_bound
from engine.array_types import Floats
from engine.components import ComponentField
from engine.free_memory import MemoryNeeded
from engine.mechanisms.aggregators.base import Aggregator, VectorAdditive, nearest_doubles
from engine.mechanisms.aggregators.expected import RANK, spread_of, typical_length, width_of
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import NoiseChoice, PowerLaplace
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.base import ERROR, NEGLIGIBLE, paid
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import outward
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Aggregate(ShownInALine):
    """A center, and its smooth bounds (private)."""

    center: tuple[Fraction, ...]
    bounds: tuple[SmoothBound, ...]  # one for the whole vector, or one per coordinate
    facts: dict[str, Any]  # diagnostics for the data curator


@dataclasses.dataclass(frozen=True)
class SmoothAggregator(Aggregator, abc.ABC):
    """Releases ``g(z) + S(z)/alpha * Z``, where S is a smooth bound for s changed outputs per step.

    If there is one bound per coordinate, each gets an equal share of the budget, and they compose.
    """

    accuracy: ClassVar[float] = ERROR  # relative error of the computed S, which beta pays for

    noise: ComponentField[NoiseChoice] = parameter(
        default=PowerLaplace(), label="Noise", help="Family of the noise."
    )

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        """Estimate S, for the same arguments as `expected_noise`.

        By default ``max(4 r, Λ exp(-beta (m/(6 s) - 1)))``, the bound for the center of attention if two
        thirds of the outputs are within r of one point: for k up to m/(6 s) - 1, the balls of U_k hold at
        most two thirds of the outputs.
        """
        return bound_of_balls(4 * radius, blocks, space, s, beta)

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats:
        noise, joint = self.noise.usual(), self.parts(space) == 1
        pair = noise.admissible(self._share(space, privacy), self._dimension(space))
        length = typical_length(noise, space.dimension, joint) / pair.alpha
        if joint:
            length *= space.stretch(noise.norm)
        return self.expected_smooth(blocks, radius, space, s, pair.beta) * length

    @abc.abstractmethod
    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        """Return the center and its smooth bounds."""

    def parts(self, space: OutputSpace) -> int:
        """Return the number of smooth bounds that share the budget."""
        return 1

    def resolve_noise(self) -> SmoothAggregator:
        noise = self.noise.usual()
        return self if noise is self.noise else dataclasses.replace(self, noise=noise)

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        if m < 2 * s + 1:
            return (Problem("blocks", f"{m} outputs have no majority if {s} can change; use more blocks"),)
        parts, dimension = self.parts(space), self._dimension(space)
        return problems_of(check_bounds, privacy, dimension, parts) or problems_of(
            self.noise.usual().check, self._share(space, privacy), dimension
        )

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> VectorAdditive:
        share, dimension = self._share(space, privacy), self._dimension(space)
        noise = self.noise.usual()
        pair = noise.admissible(share, dimension)
        largest, stretch = space.box.width, 1.0
        if self.parts(space) == 1:
            largest = np.array([space.diameter])
            # the norm of the noise may be larger than the distance that S bounds
            stretch = outward(space.stretch(noise.norm))
        # beta pays for rounding errors in S
        left, factor = paid(pair.beta, self.accuracy)
        aggregate = self.aggregate(outputs, space, s, left if left > 0 else pair.beta, progress)
        smooth = np.array([bound.value for bound in aggregate.bounds]) if left > 0 else outward(largest)
        center = nearest_doubles(aggregate.center)
        scale = np.broadcast_to(
            np.maximum(smooth * factor, largest * NEGLIGIBLE) * stretch / pair.alpha, center.shape
        )
        return VectorAdditive(
            center=center,
            box=space.box,
            noise={
                "family": noise.name,
                **noise.settings(),
                "alpha": pair.alpha,
                "beta": pair.beta,
            },
            error=None,
            diagnostics=Private(
                {
                    "center": center,
                    "smooth": float(smooth.max()),
                    "argmax_k": aggregate.bounds[0].argmax_k,
                    "global": space.diameter,
                    "scale": float(np.max(scale)),
                    **aggregate.facts,
                }
            ),
            exact=aggregate.center,
            scale=scale,
            family=noise,
            joint=self.parts(space) == 1,
        )

    def _share(self, space: OutputSpace, privacy: Privacy) -> Privacy:
        parts = self.parts(space)
        return Privacy(privacy.epsilon / parts, privacy.delta / parts)

    def _dimension(self, space: OutputSpace) -> int:
        return space.dimension // self.parts(space)


class CenterOfAttention(SmoothAggregator):
    """The output with the smallest ball around it that holds a majority, in any metric.

    Examples
    --------
    The simulated mean of 10,000 records around 0.3, from 100 blocks:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MeanFunction(), aggregator=CenterOfAttention())
    >>> simulated = mechanism.run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise["family"], round(simulated.value, 1)
    ('power-laplace', 0.3)
    """

    name: ClassVar[str] = "center-of-attention"
    label: ClassVar[str] = "Center of attention"
    summary: ClassVar[str] = "the output with a majority of the others closest to it, in any metric"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4, with a bound derived here"
    exact_because: ClassVar[str] = ROUNDED
    by_radii: ClassVar[bool] = True

    def memory(self, m: int) -> MemoryNeeded:
        return MemoryNeeded(8.0 * LEVELS * m, "use fewer blocks")

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        """Compute all O(m^2) distances, but keep few of them."""
        radii = MajorityRadii(space, outputs, s, progress=progress)
        return Aggregate(
            exactly(outputs[radii.center]),
            (radii.smooth_bound(beta),),
            {"radius": radii.radius, "majority": radii.majority},
        )


class ShortestInterval(SmoothAggregator):
    """The middle of the shortest interval that holds a majority; for one number per block.

    Examples
    --------
    The simulated mean of 10,000 records around 0.3, from 100 blocks:

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (10_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(block_function=MeanFunction(), aggregator=ShortestInterval())
    >>> simulated = mechanism.run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise["family"], round(simulated.value, 1)
    ('power-laplace', 0.3)
    """

    name: ClassVar[str] = "shortest-interval"
    on_a_line: ClassVar[bool] = True
    label: ClassVar[str] = "Middle of the shortest majority"
    summary: ClassVar[str] = "the middle of the shortest interval that holds a majority of the numbers"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4 (unconstrained), bound derived here"
    exact_because: ClassVar[str] = ROUNDED

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        if space.dimension > 1:
            return (
                Problem(
                    "aggregator",
                    f"this needs one number from each block, not {space.dimension}; "
                    "use the center of attention",
                ),
            )
        return super().problems(space, m, s, privacy)

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        return bound_of_balls(2 * radius, blocks, space, s, beta)

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        radii = LineRadii.of(outputs[:, 0], space.diameter, s)
        return Aggregate((radii.exact_center,), (radii.smooth_bound(beta),), {"majority": radii.majority})


def bound_of_balls(radius: Floats, blocks: Floats, space: OutputSpace, s: int, beta: float) -> Floats:
    """Return the larger of a bound for outputs within a radius, and one for the k that reach beyond them."""
    far = space.diameter * np.exp(-beta * (blocks / (6 * s) - 1))
    return np.minimum(space.diameter, np.maximum(radius, far))


def exactly(vector: Floats) -> tuple[Fraction, ...]:
    """Convert doubles to fractions of the same value."""
    return tuple(map(Fraction, vector.tolist()))


class MedianAggregator(SmoothAggregator):
    """The lower median of each coordinate, with an equal share of the budget for each.

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
    summary: ClassVar[str] = "the median of each coordinate, with its exact smooth sensitivity"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Example 4, with a bound derived here"
    exact_because: ClassVar[str] = ROUNDED

    def parts(self, space: OutputSpace) -> int:
        return space.dimension

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        """Return the largest weighted gap of s (k + 1) ranks among normal outputs, or of the range."""
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


class SmallestBall(SmoothAggregator):
    """The center of the smallest ball that holds a majority of outputs; it need not be an output.

    For few outputs of two or three numbers only, since it examines all spheres through d + 1 of them.

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
    summary: ClassVar[str] = "the center of the smallest ball that holds a majority; for few outputs"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4 (unconstrained), bound derived here"
    exact_because: ClassVar[str] = ROUNDED
    accuracy: ClassVar[float] = ACCURACY

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        d = space.dimension
        if not isinstance(space, Euclidean):
            message = f"this needs the Euclidean distance between outputs, not {space.label.lower()}"
            return (Problem("aggregator", f"{message}; use the center of attention"),)
        if d > MAX_DIMENSIONS:
            message = f"this needs outputs of at most {MAX_DIMENSIONS} numbers, not {d}"
            return (Problem("aggregator", f"{message}; use the center of attention"),)
        if distances_needed(m, d) > MAX_DISTANCES:
            message = f"{grouped(m)} outputs have too many spheres through {d + 1} of them"
            most = f"use at most {grouped(most_outputs(d))} blocks, or the center of attention"
            return (Problem("blocks", f"{message}; {most}"),)
        return super().problems(space, m, s, privacy)

    def expected_smooth(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, beta: float
    ) -> Floats:
        """Return the bound of the center of attention with 2 r for 4 r; infinity for too many outputs."""
        bound = bound_of_balls(2 * radius, blocks, space, s, beta)
        return np.where(blocks <= most_outputs(space.dimension), bound, np.inf)

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        balls = BallRadii.of(outputs, space.diameter, s, progress=progress)
        facts = {"radius": float(balls.radii[0]), "majority": balls.majority}
        return Aggregate(balls.exact_center, (balls.smooth_bound(beta),), facts)

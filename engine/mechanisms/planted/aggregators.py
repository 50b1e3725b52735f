"""Aggregators with a wrong bound on how far the aggregate moves."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

from engine.aggregation.center_of_attention import Radii
from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.mechanisms.aggregators import CenterOfAttention, SmoothAggregator
from engine.mechanisms.aggregators.smooth import Aggregate
from engine.noise import GeneralizedCauchy, Noise
from engine.noise.base import Admissible
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent

RIGHT = CenterOfAttention()


@dataclasses.dataclass(frozen=True)
class OtherSmoothness(SmoothAggregator):
    """An aggregator with S for another beta than its noise can hide: NOT private."""

    name: ClassVar[str] = "other-smoothness"
    label: ClassVar[str] = "Another smoothness"

    right: SmoothAggregator = RIGHT
    wrong_beta: float = math.inf

    @classmethod
    def of(cls, right: SmoothAggregator, beta: float) -> OtherSmoothness:
        """Return an aggregator with its own noise and this beta."""
        return cls(right.noise, right, beta)

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        return self.right.aggregate(outputs, space, s, self.wrong_beta, progress)

    def parts(self, space: OutputSpace) -> int:
        return self.right.parts(space)


@dataclasses.dataclass(frozen=True)
class MostlyDilation(GeneralizedCauchy):
    """Generalized Cauchy noise that leaves nearly the whole budget to changes of its scale.

    The pair is admissible: with a bound that is smooth, the noise is private.
    """

    def admissible(
        self, privacy: Privacy, dimension: int = 1, *, constants: str = "tight", split: float = 0.5
    ) -> Admissible:
        """Return the pair that spends 1 % on changes of the center."""
        return super().admissible(privacy, dimension, constants=constants, split=0.01)


TELLING = MostlyDilation(gamma=8.0)
"""With this noise a bound that changes too much is found in the fewest runs."""


@dataclasses.dataclass(frozen=True)
class PublishedBound(CenterOfAttention):
    """The center of attention with the bound as it was printed: NOT private."""

    noise: Noise = parameter(default=TELLING, label="Noise", help="Hides changes of scale.")

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        aggregate = super().aggregate(outputs, space, s, beta, progress)
        printed = Radii.of(space.table(outputs), space.diameter, s).published_bound(beta)
        bound = dataclasses.replace(aggregate.bounds[0], value=printed)
        return dataclasses.replace(aggregate, bounds=(bound,))

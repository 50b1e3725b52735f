"""The center of attention with the bound in print, and aggregators with a wrong bound."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

from engine.aggregation.center_of_attention import Radii
from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.mechanisms.aggregators import CenterOfAttention, SmoothAggregator
from engine.mechanisms.aggregators.smooth import Aggregate
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.sample_aggregate import BlockMechanism
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


MIN_BLOCKS = 150


@dataclasses.dataclass(frozen=True)
class PublishedCenterOfAttention(Planted):
    """The bound in print, with noise that would be private for a smooth one.

    The mean of the a smallest radii is called beta-smooth; but where one of the a centers
    leaves, another comes in with up to twice their radius, which adds up to ln(1 + 1/a) to beta.
    The noise leaves nearly its whole budget to changes of scale, and shows what is too much of them.
    With several coordinates, or few blocks, what it shows is lost beyond the bounds.
    """

    name: ClassVar[str] = "published-center-of-attention"
    label: ClassVar[str] = "Center of attention as printed"
    summary: ClassVar[str] = (
        "the bound in print, a mean of some radii, can change by nearly e^(2β) where e^β is promised"
    )
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Theorem 4.9"
    worst: ClassVar[str] = "rings"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, BlockMechanism) and isinstance(mechanism.aggregator, CenterOfAttention)

    @property
    def model(self) -> BlockMechanism:
        """The mechanism as printed: its beta decides on the worst cases."""
        assert isinstance(self.right, BlockMechanism)
        return dataclasses.replace(self.right, aggregator=PublishedBound())

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        assert isinstance(self.right, BlockMechanism)
        if self.right.function.space(domain).dimension > 1:
            return (Problem("columns", "the bound in print shows with a single number; choose one column"),)
        if self.right.sampling.blocks < MIN_BLOCKS:
            message = f"the bound in print shows with {MIN_BLOCKS} blocks or more; choose so many"
            return (Problem("blocks", message),)
        return super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        self.refuse(privacy, data.domain, data.n)
        return self.model.prepare(data, privacy, progress)

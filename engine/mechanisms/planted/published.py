"""The center of attention as it was first published."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from engine.mechanisms.aggregators import CenterOfAttention
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.aggregators import PublishedBound
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent

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

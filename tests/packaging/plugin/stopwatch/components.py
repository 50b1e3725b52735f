"""A query, a noise, a mechanism and an aggregator: this module knows `engine` alone."""

import dataclasses
from typing import ClassVar

from sensiscope import Average, LaplaceRelease, StudentT, parameter, register
from sensiscope.engine.queries.order_statistics import OrderStatistic


@register
@dataclasses.dataclass(frozen=True)
class RunnerUp(OrderStatistic):
    """The second smallest value: who comes in second needs as long as that.

    Ties are counted: of two winners, one is the runner-up.
    """

    name: ClassVar[str] = "runner-up"
    label: ClassVar[str] = "Runner-up"
    summary: ClassVar[str] = "the second smallest value, or one a few ranks above"
    source: ClassVar[str] = "folklore"

    above: int = parameter(default=0, lower=0, upper=3, label="Ranks above", help="How many ranks above it.")

    def window(self, n: int) -> tuple[int, int]:
        """Return the smallest and the largest rank that it lies between."""
        rank = min(n, 2 + self.above)
        return rank, rank


@register
@dataclasses.dataclass(frozen=True)
class ThickTail(StudentT):
    """Student's t by another name."""

    name: ClassVar[str] = "thick-tail"
    label: ClassVar[str] = "Thick tail"
    summary: ClassVar[str] = "heavy tails by another name"
    source: ClassVar[str] = "folklore"


@register
@dataclasses.dataclass(frozen=True)
class Handicap(LaplaceRelease):
    """Laplace noise for the worst case, by another name."""

    name: ClassVar[str] = "handicap"
    label: ClassVar[str] = "Handicap"
    summary: ClassVar[str] = "noise for the worst case"
    source: ClassVar[str] = "folklore"


@register
@dataclasses.dataclass(frozen=True)
class Relay(Average):
    """The mean of the outputs of blocks, by another name."""

    name: ClassVar[str] = "relay"
    label: ClassVar[str] = "Relay"
    summary: ClassVar[str] = "the mean of outputs"
    source: ClassVar[str] = "folklore"

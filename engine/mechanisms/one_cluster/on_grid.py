"""What mechanisms have that work on a public grid and promise something with probability 1 - beta."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

from engine.domain import Box
from engine.mechanisms.one_cluster.grid import STEPS, DomainGrid
from engine.mechanisms.points import PointsMechanism
from engine.parameters import parameter
from engine.privacy import Privacy

LEAST_FAILURE = 1e-100
"""Promises divide by it, by small shares of it and of delta: all of that is a number still."""


def failure_probability() -> float:
    """Declare beta, with which promises may fail."""
    declared: float = parameter(
        default=0.1,
        lower=LEAST_FAILURE,
        upper=1.0,
        upper_open=True,
        label="Failure β",
        help="Probability with which what theory promises may fail.",
        advanced=True,
    )
    return declared


@dataclasses.dataclass(frozen=True)
class GridMechanism(PointsMechanism, abc.ABC):
    """A mechanism on points that are rounded to a grid."""

    topic: ClassVar[str] = "balls"

    beta: float = failure_probability()
    grid: int = parameter(
        default=STEPS,
        lower=2,
        upper=1 << 20,
        label="Grid steps",
        help="The longest side of the box is divided into so many steps, a power of two, to which "
        "points are rounded: the public resolution.",
        advanced=True,
    )

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return DomainGrid(domain, self.grid).step

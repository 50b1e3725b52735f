"""Functions whose output is a set of k points."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

from engine.aggregation.function import EACH, SENSIBLE, BlockFunction
from engine.aggregation.spaces import Wasserstein
from engine.domain import Box
from engine.parameters import parameter


@dataclasses.dataclass(frozen=True)
class CentersFunction(BlockFunction, abc.ABC):
    """A function to sets of k points of the box, listed one after the other: D = k d."""

    unordered: ClassVar[bool] = True
    among_data: ClassVar[bool] = True
    noun: ClassVar[str] = "center"

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")
    restarts: int = parameter(
        default=4,
        lower=1,
        upper=100,
        label="Restarts",
        help="How often each block starts anew; the best result counts.",
        advanced=True,
    )

    @property
    def question(self) -> tuple[str, int]:
        return "centers", self.k

    def space(self, box: Box) -> Wasserstein:
        return Wasserstein(box.times(self.k), self.k)

    def smallest_block(self, box: Box) -> int:
        return self.k

    def sensible_block(self, box: Box) -> int:
        return max(SENSIBLE, EACH * self.k)

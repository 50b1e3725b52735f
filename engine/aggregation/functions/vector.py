"""Functions whose output is a vector that means one thing in each coordinate."""

from __future__ import annotations

import abc
import dataclasses

from engine.aggregation.function import BlockFunction
from engine.aggregation.spaces import Euclidean, Manhattan, OutputSpace
from engine.domain import Box
from engine.parameters import parameter

_METRICS: dict[str, type[OutputSpace]] = {space.name: space for space in (Euclidean, Manhattan)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class VectorFunction(BlockFunction, abc.ABC):
    """A function to vectors, with the metric that says which of them are close."""

    metric: str = parameter(
        default="L2",
        choices=tuple(_METRICS),
        label="Distance",
        help="How far apart two outputs are: L2 suits Gaussian noise, L1 noise for each coordinate.",
        advanced=True,
    )

    @abc.abstractmethod
    def range(self, box: Box) -> Box:
        """Return the public range of each coordinate, for points in `box`."""

    def space(self, box: Box) -> OutputSpace:
        return _METRICS[self.metric](self.range(box))

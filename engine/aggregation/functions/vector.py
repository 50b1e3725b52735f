"""Functions with vector values whose coordinates have fixed meanings."""

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
    """A function with vector values, and the metric between them."""

    metric: str = parameter(
        default="L2",
        choices=tuple(_METRICS),
        label="Distance",
        help="Distance of two outputs: L2 suits Gaussian noise, L1 noise on each coordinate.",
        advanced=True,
    )

    @abc.abstractmethod
    def range(self, box: Box) -> Box:
        """Return the public range of each coordinate, for points in `box`."""

    def space(self, box: Box) -> OutputSpace:
        return _METRICS[self.metric](self.range(box))

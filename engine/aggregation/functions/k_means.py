"""The centers of k clusters of a block."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.function import BlockFunction
from engine.aggregation.functions.lloyd import cluster
from engine.aggregation.spaces import Wasserstein
from engine.domain import Box
from engine.parameters import parameter

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclasses.dataclass(frozen=True)
class KMeans(BlockFunction):
    """k centers with a small sum of squared distances to the nearest of them (k-SED).

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4.1 (k-SED); what finds them here is
    Lloyd 1982 from starting points of Arthur, Vassilvitskii 2007, the best of several.
    """

    name: ClassVar[str] = "k-means"
    label: ClassVar[str] = "Clusters (k-means)"
    summary: ClassVar[str] = "k centers near all points, by k-means++ and Lloyd's rounds"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4.1"
    unordered: ClassVar[bool] = True

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")
    restarts: int = parameter(
        default=4,
        lower=1,
        upper=100,
        label="Restarts",
        help="How often each block starts anew; the best result counts.",
    )

    def space(self, box: Box) -> Wasserstein:
        """Return sets of k points of `box`."""
        return Wasserstein(box.times(self.k), self.k)

    def smallest_block(self, box: Box) -> int:
        """Return k."""
        return self.k

    def apply(self, blocks: _Floats, seeds: _Ints) -> _Floats:
        """Return the centers one after the other, shape (B, k d)."""
        return cluster(blocks, seeds, self.k, self.restarts).centers.reshape(len(blocks), -1)

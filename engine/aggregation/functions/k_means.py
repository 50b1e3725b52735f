"""The centers of k clusters of a block."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

from engine.aggregation.function import EACH, SENSIBLE, BlockFunction
from engine.aggregation.functions.lloyd import cluster
from engine.aggregation.spaces import Wasserstein
from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.parameters import parameter
from engine.sampling.exactness import APART


@dataclasses.dataclass(frozen=True)
class CentersFunction(BlockFunction, abc.ABC):
    """A function with sets of k points of the box as values, concatenated: D = k d."""

    unordered: ClassVar[bool] = True
    among_data: ClassVar[bool] = True
    noun: ClassVar[str] = "center"

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")
    restarts: int = parameter(
        default=4,
        lower=1,
        upper=100,
        label="Restarts",
        help="Number of random starts per block; the best result counts.",
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


class KMeans(CentersFunction):
    """k centers with a small sum of squared distances to the nearest of them (k-SED).

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4.1 (k-SED); the algorithm is Lloyd 1982 from starting
    points of Arthur, Vassilvitskii 2007, the best of several.

    Examples
    --------
    Two centers of four points on a line, concatenated:

    >>> import numpy as np
    >>> KMeans(k=2).apply(np.array([[[0.0], [2.0], [10.0], [12.0]]]), np.array([0]))
    array([[11.,  1.]])
    """

    name: ClassVar[str] = "k-means"
    label: ClassVar[str] = "Clusters (k-means)"
    summary: ClassVar[str] = "k centers near all points, by k-means++ and Lloyd's rounds"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4.1"
    exact_because: ClassVar[str] = APART

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the concatenated centers, shape (B, k d)."""
        return cluster(blocks, seeds, self.k, self.restarts).centers.reshape(len(blocks), -1)

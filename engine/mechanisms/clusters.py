"""Sets of points from blocks: the centers of clusters, the means of Gaussians."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from engine.aggregation.function import BlockFunction
from engine.aggregation.functions import GaussianMixture, KMeans
from engine.aggregation.functions.mixture import fit_parameter
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.parameters import parameter
from engine.sampling.exactness import BLOCKS


@dataclasses.dataclass(frozen=True)
class Clusters(BlockMechanism):
    """The centers of k clusters.

    Examples
    --------
    The simulated centers of two heaps around (0.25, 0.25) and (0.75, 0.75):

    >>> import numpy as np
    >>> from engine import Box, Partition, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = Clusters(sampling=Partition(blocks=500), k=2)
    >>> np.round(mechanism.run(data, Privacy(4.0), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.76, 0.76]])
    """

    name: ClassVar[str] = "clusters"
    label: ClassVar[str] = "Clusters"
    summary: ClassVar[str] = "the centers of k clusters, by k-means on blocks"
    exact_because: ClassVar[str] = BLOCKS

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")

    @property
    def function(self) -> BlockFunction:
        return KMeans(k=self.k)


@dataclasses.dataclass(frozen=True)
class Mixture(BlockMechanism):
    """The means of k Gaussians of the same spherical shape.

    Examples
    --------
    The simulated means of two heaps around (0.25, 0.25) and (0.75, 0.75):

    >>> import numpy as np
    >>> from engine import Box, Partition, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = Mixture(sampling=Partition(blocks=500), k=2)
    >>> np.round(mechanism.run(data, Privacy(4.0), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.76, 0.76]])
    """

    name: ClassVar[str] = "mixture"
    label: ClassVar[str] = "Gaussian mixture"
    summary: ClassVar[str] = "the means of k Gaussians, fitted on blocks"
    exact_because: ClassVar[str] = BLOCKS

    k: int = parameter(default=3, lower=1, upper=32, label="Gaussians k", help="How many means.")
    fit: str = fit_parameter()

    @property
    def function(self) -> BlockFunction:
        return GaussianMixture(k=self.k, fit=self.fit)

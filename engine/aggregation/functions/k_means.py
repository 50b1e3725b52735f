"""The centers of k clusters of a block."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from engine.aggregation.functions.centers import CentersFunction
from engine.aggregation.functions.lloyd import cluster
from engine.array_types import Floats, Ints
from engine.sampling.exactness import APART


@dataclasses.dataclass(frozen=True)
class KMeans(CentersFunction):
    """k centers with a small sum of squared distances to the nearest of them (k-SED).

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4.1 (k-SED); what finds them here is
    Lloyd 1982 from starting points of Arthur, Vassilvitskii 2007, the best of several.

    Examples
    --------
    Two centers of four points on a line, one after the other:

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
        """Return the centers one after the other, shape (B, k d)."""
        return cluster(blocks, seeds, self.k, self.restarts).centers.reshape(len(blocks), -1)

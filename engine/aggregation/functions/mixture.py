"""The means of a mixture of Gaussians, fitted to a block."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.functions.k_means import CentersFunction
from engine.aggregation.functions.lloyd import cluster, cluster_sums
from engine.aggregation.functions.mean import means
from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.parameters import parameter
from engine.sampling.exactness import APART

MAX_ROUNDS = 1000
"""Rounds of expectation and maximisation; what is left unfinished then is taken as it is."""


def fit_parameter() -> Any:
    """Declare how a mixture is fitted."""
    return parameter(
        default="spectral",
        choices=("spectral", "em"),
        choice_labels=("spectral", "EM"),
        label="Fit",
        help="spectral: project on the main directions, then cluster. em: expectation and maximisation.",
    )


@dataclasses.dataclass(frozen=True)
class GaussianMixture(CentersFunction):
    """The means of k spherical Gaussians.

    "spectral": the points are projected on the k main directions of the block, clustered
    there by k-means, and each cluster's mean is taken in all dimensions.  It is made for
    Gaussians of one common variance.
    "em": expectation and maximisation (scikit-learn), a variance for each Gaussian, from
    the clusters that k-means finds.

    Source: Vempala, Wang 2004 (spectral projection; the centered block is projected here and
    k-means stands for its clustering by distance); Nissim, Raskhodnikova, Smith 2007,
    Section 4.1, for its use on blocks.

    Examples
    --------
    Two groups of points far apart:

    >>> import numpy as np
    >>> block = np.array([[[0.0, 0.0], [0.0, 2.0], [10.0, 0.0], [10.0, 2.0]]])
    >>> GaussianMixture(k=2).apply(block, np.array([0]))
    array([[10.,  1.,  0.,  1.]])
    """

    name: ClassVar[str] = "mixture"
    label: ClassVar[str] = "Gaussian mixture"
    summary: ClassVar[str] = "the means of k spherical Gaussians"
    source: ClassVar[str] = "Vempala, Wang 2004; Nissim, Raskhodnikova, Smith 2007, Section 4.1"
    exact_because: ClassVar[str] = APART

    fit: str = fit_parameter()

    def sensible_block(self, box: Box) -> int:
        """Return more records than for k-means: the main directions are found from the same ones.

        Of 20,000 records of four Gaussians in five dimensions, 21 in a block, outputs are too far apart in
        95 % of the releases of friendly cores; of 30 in none.
        """
        return super().sensible_block(box) + 2 * box.dimension

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the means one after the other, shape (B, k d)."""
        fit = _spectral if self.fit == "spectral" else _expectation_maximisation
        return fit(blocks, seeds, self.k, self.restarts).reshape(len(blocks), -1)


def _spectral(blocks: Floats, seeds: Ints, k: int, restarts: int) -> Floats:
    centred = blocks - means(blocks)[:, None]
    result = cluster(_projected(centred, k), seeds, k, restarts)
    counts = cluster_sums(np.ones(result.labels.shape), result.labels, k)
    sums = np.stack([cluster_sums(column, result.labels, k) for column in np.moveaxis(blocks, 2, 0)], axis=-1)
    # fewer distinct points than k: a cluster without points repeats the first, which has some
    full = np.where(counts > 0, np.arange(k)[:, None], 0).T
    middles = np.moveaxis(sums / np.maximum(counts, 1)[:, :, None], 0, 1)
    return np.take_along_axis(middles, full[:, :, None], axis=1)


def _projected(centred: Floats, k: int) -> Floats:
    """Project on the top k right singular vectors of each block: (B, b, d) to (B, b, min(k, d)).

    All sums are over single blocks, number by number, for the reason that `lloyd` gives.
    """
    count, _, d = centred.shape
    if d <= k:
        return centred
    columns = np.ascontiguousarray(np.moveaxis(centred, 2, 0))
    scatter = np.empty((count, d, d))
    for i in range(d):
        for j in range(i + 1):
            scatter[:, i, j] = scatter[:, j, i] = (columns[i] * columns[j]).sum(axis=1)
    directions = np.linalg.eigh(scatter).eigenvectors[:, :, -k:]
    projected = np.zeros((k, *columns.shape[1:]))
    for j in range(k):
        for i in range(d):
            projected[j] += columns[i] * directions[:, i, j, None]
    return np.moveaxis(projected, 0, 2)


def _expectation_maximisation(blocks: Floats, seeds: Ints, k: int, restarts: int) -> Floats:
    middles = means(blocks)
    scales = np.abs(blocks - middles[:, None]).max(axis=(1, 2))
    # scikit-learn adds a fixed number to variances: it must be small beside them in every unit
    scales[scales == 0] = 1
    scaled = (blocks - middles[:, None]) / scales[:, None, None]
    start = cluster(scaled, seeds, k, restarts)
    counts = cluster_sums(np.ones(start.labels.shape), start.labels, k).T
    result = np.array(
        [_fitted(*arguments) for arguments in zip(scaled, start.centers, counts, start.costs, strict=True)]
    )
    return np.asarray(result * scales[:, None, None] + middles[:, None])


def _fitted(points: Floats, centers: Floats, counts: Floats, cost: float) -> Floats:
    """Improve the means of k Gaussians, for points of size 1, until the likelihood hardly grows."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture as Fit

    # it would tell the terminal something about the data
    warnings.simplefilter("ignore", ConvergenceWarning)
    if cost < 1e-24 * points.size:  # no more than k distinct points: every one is a center
        return centers
    weights = np.maximum(counts, 1)
    fit = Fit(
        len(centers),
        covariance_type="spherical",
        max_iter=MAX_ROUNDS,
        weights_init=weights / weights.sum(),
        means_init=centers,
        precisions_init=np.full(len(centers), points.size / cost),
    )
    return np.asarray(fit.fit(points).means_)

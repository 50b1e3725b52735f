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
from engine.optional_packages import not_installed
from engine.parameters import parameter
from engine.sampling.exactness import APART

MAX_ROUNDS = 1000
"""Largest number of rounds of expectation and maximisation."""


def fit_parameter() -> Any:
    """Declare the method of fitting a mixture."""
    return parameter(
        default="spectral",
        choices=("spectral", "em"),
        choice_labels=("spectral", "EM"),
        label="Fit",
        help="spectral: project on the main directions, then cluster. em: expectation and maximization.",
    )


@dataclasses.dataclass(frozen=True)
class GaussianMixture(CentersFunction):
    """The means of k spherical Gaussians.

    "spectral": projects the points on the k main directions of the block, clusters them by k-means, and takes
    each cluster's mean in all dimensions.  It is made for Gaussians with equal variance.  "em": expectation
    and maximisation (scikit-learn) with one variance per Gaussian, starting from k-means.

    Source: Vempala, Wang 2004 (spectral projection; here with the centered block, and k-means as the
    clustering by distance); Nissim, Raskhodnikova, Smith 2007, Section 4.1, for its use on blocks.

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

    def problem(self, box: Box) -> tuple[str, str] | None:
        missing = not_installed("sklearn", "EM") if self.fit == "em" else ""
        return ("fit", missing) if missing else None

    def sensible_block(self, box: Box) -> int:
        """Return more records than for k-means, since the main directions need them.

        Measured with 20,000 records of four Gaussians in five dimensions: with 21 per block, friendly cores
        refuse 95 % of the releases because outputs are too far apart; with 30 none.
        """
        return super().sensible_block(box) + 2 * box.dimension

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the concatenated means, shape (B, k d)."""
        fit = _spectral if self.fit == "spectral" else _expectation_maximisation
        return fit(blocks, seeds, self.k, self.restarts).reshape(len(blocks), -1)


def _spectral(blocks: Floats, seeds: Ints, k: int, restarts: int) -> Floats:
    centred = blocks - means(blocks)[:, None]
    result = cluster(_projected(centred, k), seeds, k, restarts)
    counts = cluster_sums(np.ones(result.labels.shape), result.labels, k)
    sums = np.stack([cluster_sums(column, result.labels, k) for column in np.moveaxis(blocks, 2, 0)], axis=-1)
    # fewer distinct points than k: an empty cluster repeats the first one, which is not empty
    full = np.where(counts > 0, np.arange(k)[:, None], 0).T
    middles = np.moveaxis(sums / np.maximum(counts, 1)[:, :, None], 0, 1)
    return np.take_along_axis(middles, full[:, :, None], axis=1)


def _projected(centred: Floats, k: int) -> Floats:
    """Project on the top k right singular vectors of each block: (B, b, d) to (B, b, min(k, d)).

    All sums run over single blocks, number by number, for the reason in `lloyd`.
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
    # scikit-learn adds a constant to variances, which must be small in any unit
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

    # a warning would reveal facts about the data on the terminal
    warnings.simplefilter("ignore", ConvergenceWarning)
    if cost < 1e-24 * points.size:  # at most k distinct points: each one is a center
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

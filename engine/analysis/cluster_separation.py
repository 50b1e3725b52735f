"""How clearly data form k clusters: the cost saved by one more cluster."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.aggregation.functions import KMeans
from engine.aggregation.spaces import Wasserstein
from engine.analysis.memory import remembered
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.errors import ParameterError
from engine.findings import Finding
from engine.mechanisms import PointsMechanism
from engine.mechanisms.sample_aggregate import whole
from engine.progress import Progress, parts, silent
from engine.randomness import reproducible
from engine.shown import ShownInALine

MAX_RECORDS = 20_000
"""Largest number of records to use; from more, a fixed public sample is drawn."""

CLUSTERS_BELOW, CLUSTERS_ABOVE = 3, 2
"""Numbers of clusters to compare below and above the chosen one."""

_PATTERN = 1
"""Public fixed seed: chooses the sample, and the starts of k-means."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ClusterSeparation(ShownInALine):
    """Costs of k-means for several numbers of clusters (private); from `separate_clusters`."""

    k: Ints  # shape (c,); numbers of clusters from 2 on, increasing
    # shape (c,); cost of k clusters divided by that of k - 1: phi^2.  NaN if k - 1 clusters cost nothing.
    ratios: Floats
    costs: Floats  # shape (c,); mean squared distance to the nearest of the k centers of k-means
    chosen: int  # k of the mechanism
    records: int  # number of records used, and of all records
    n: int

    @property
    def at_chosen(self) -> float:
        """The ratio at the mechanism's k."""
        return float(self.ratios[self.k == self.chosen][0])

    def findings(self) -> Iterator[Finding]:
        """Yield numbers of clusters, ratios and costs."""
        yield Finding("numbers of clusters", self.k, public=True)
        yield Finding("cost over that of one cluster less", self.ratios)
        yield Finding("mean squared distance", self.costs)


def _clusters_of(mechanism: PointsMechanism, data: Points) -> int:
    """Return the number of a mechanism's centers; 1 if its answer is not a set of several (public)."""
    space = mechanism.vectors.space(data.domain)
    return space.k if isinstance(space, Wasserstein) else 1


def separate_clusters(
    mechanism: PointsMechanism, data: Points, *, progress: Progress = silent
) -> ClusterSeparation:
    """Compare the cost of k clusters with that of k - 1, around the k of a mechanism (private).

    Data are phi-separated for k means if the best k - 1 centers cost at least 1/phi^2 times as much as the
    best k.  The best centers cannot be found in general; k-means from several starts approximates them.

    Source: Ostrovsky, Rabani, Schulman, Swamy 2006, as used by Nissim, Raskhodnikova, Smith 2007,
    Section 4.1.
    """
    chosen = _clusters_of(mechanism, data)
    if chosen < 2:
        raise ParameterError("k", "a separation needs at least two centers; choose more clusters")
    looked = _some_of(data)
    first = max(1, chosen - CLUSTERS_BELOW)
    numbers = np.arange(first, min(chosen + CLUSTERS_ABOVE, max(chosen, looked.n)) + 1)
    costs = [
        _cost_of(looked, int(k), progress=here)
        for k, here in zip(numbers, parts(len(numbers), progress), strict=True)
    ]
    result = np.array(costs)
    ratios = np.full(len(result) - 1, np.nan)
    np.divide(result[1:], result[:-1], out=ratios, where=result[:-1] > 0)
    return ClusterSeparation(numbers[1:], ratios, result[1:], chosen, looked.n, data.n)


def _cost_of(data: Points, k: int, *, progress: Progress = silent) -> float:
    """Return the mean squared distance to the nearest of the k centers that k-means finds (private)."""

    def work() -> float:
        from scipy.spatial.distance import cdist

        centers = whole(KMeans(k=k), data, seed=_PATTERN, progress=progress).reshape(k, -1)
        unit = 2.0 ** -np.frexp(data.domain.width.max())[1]  # so that no square underflows or overflows
        apart = cdist(data.values * unit, centers * unit, "sqeuclidean").min(axis=1)
        return float(apart.mean() / unit**2)

    return remembered(data, ("cost of clusters", k), work)


def _some_of(data: Points) -> Points:
    if data.n <= MAX_RECORDS:
        return data
    drawn = reproducible(_PATTERN).choice(data.n, MAX_RECORDS, replace=False, shuffle=False)
    return Points(data.values[np.sort(drawn)], data.domain)

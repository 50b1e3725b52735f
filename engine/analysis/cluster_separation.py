"""How clearly data fall into k clusters: what one cluster more saves of the cost."""

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
"""Records looked at; of more, so many are drawn, by a public pattern."""

BELOW, ABOVE = 3, 2
"""Numbers of clusters beside the chosen one."""

_PATTERN = 1
"""Public and fixed: which records are looked at, and where k-means starts."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ClusterSeparation(ShownInALine):
    """Costs of k-means for several numbers of clusters (private); from `separate_clusters`."""

    k: Ints  # shape (c,); Numbers of clusters from 2 on, increasing
    # shape (c,); Cost of k clusters over that of k - 1: phi^2.  NaN where k - 1 clusters cost nothing.
    ratios: Floats
    costs: Floats  # shape (c,); Mean squared distance to the nearest of k centers, as k-means finds them
    chosen: int  # The k of the mechanism
    records: int  # How many records were looked at, of how many
    n: int

    @property
    def at_chosen(self) -> float:
        """The ratio at the k of the mechanism."""
        return float(self.ratios[self.k == self.chosen][0])

    @property
    def clearest(self) -> int:
        """The k with the smallest ratio; the chosen one where there is none."""
        return self.chosen if np.isnan(self.ratios).all() else int(self.k[np.nanargmin(self.ratios)])

    def findings(self) -> Iterator[Finding]:
        """Yield numbers of clusters, ratios and costs."""
        yield Finding("numbers of clusters", self.k, public=True)
        yield Finding("cost over that of one cluster less", self.ratios)
        yield Finding("mean squared distance", self.costs)


def _clusters_of(mechanism: PointsMechanism, data: Points) -> int:
    """Return how many centers a mechanism gives; 1 where what it gives is no set of several (public)."""
    space = mechanism.vectors.space(data.domain)
    return space.k if isinstance(space, Wasserstein) else 1


def separate_clusters(
    mechanism: PointsMechanism, data: Points, *, progress: Progress = silent
) -> ClusterSeparation:
    """Compare the cost of k clusters with that of k - 1, around the k of a mechanism (private).

    Data are called phi-separated for k means if the best k - 1 centers cost at least 1/phi^2 times as
    much as the best k.  Which are best cannot be found in general; here they are those of
    k-means from several starts.

    Source: Ostrovsky, Rabani, Schulman, Swamy 2006, as used by Nissim, Raskhodnikova, Smith 2007,
    Section 4.1.
    """
    chosen = _clusters_of(mechanism, data)
    if chosen < 2:
        raise ParameterError("k", "a separation is that of at least two centers; choose more clusters")
    looked = _some_of(data)
    first = max(1, chosen - BELOW)
    numbers = np.arange(first, min(chosen + ABOVE, max(chosen, looked.n)) + 1)
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
        unit = 2.0 ** -np.frexp(data.domain.width.max())[1]  # so that no square is 0 or infinite
        apart = cdist(data.values * unit, centers * unit, "sqeuclidean").min(axis=1)
        return float(apart.mean() / unit**2)

    return remembered(data, ("cost of clusters", k), work)


def _some_of(data: Points) -> Points:
    if data.n <= MAX_RECORDS:
        return data
    drawn = reproducible(_PATTERN).choice(data.n, MAX_RECORDS, replace=False, shuffle=False)
    return Points(data.values[np.sort(drawn)], data.domain)

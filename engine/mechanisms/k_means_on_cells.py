"""k-means of a histogram that was made privately: all that follows from its cells costs nothing more."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.functions import KMeans
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.grid import max_bins
from engine.histograms.histogram import Histogram
from engine.histograms.k_means import centers_of
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.histograms.privtree import PrivTree
from engine.mechanisms.k_centers import KCenters
from engine.mechanisms.points import too_many_centers
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.sample_aggregate import whole
from engine.noise.base import EPSILONS
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives import Concentrated
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.randomness import reproducible
from engine.sampling.exactness import COUNTED

_SHARE = 0.3
"""Of epsilon, for the shape of a tree: of 0.2, 0.3, 0.5 and 0.7 the best, with 0.2, on eight data sets."""

_POINTS = 100.0
"""Points times epsilon for each cell of a grid, where cells are as many as in the source."""

_MIN_RUNS_ON_CELLS, _MAX_CELL_DISTANCES, _COST_OF_RUN = 5, 4_000_000, 20_000
"""Of simulated releases for a picture: at least so many, points in all, and what one costs beside."""


@dataclasses.dataclass(frozen=True)
class KMeansOnCells(KCenters):
    """Release a histogram by PrivTree, or of a grid, and find k centers among its cells: epsilon-private.

    The whole budget pays for one look at the data: cells that are small where many points are, with
    noisy counts, which are made to add up to n.  The middle of each cell then stands for as many
    points as its count says, and k-means finds centers as it would of points: it sees what was
    released and a public number, so that it can have as many rounds and starts as it likes.

    Source: Su, Cao, Li, Bertino, Jin 2016, for a grid of M cells with M = (n epsilon/10)^(2d/(2 + d));
    here n epsilon/100, since counts lose their noise to the nearest ones that add up, which leaves
    larger cells the better ones.  Zhang, Xiao, Xie 2016, for cells that need no such rule.

    Examples
    --------
    The simulated centers of two heaps around (0.25, 0.25) and (0.75, 0.75):

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> np.round(KMeansOnCells(k=2).run(data, Privacy(1.0), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.75, 0.75]])
    """

    name: ClassVar[str] = "k-means-on-cells"
    label: ClassVar[str] = "k-means on cells"
    summary: ClassVar[str] = "the centers of k clusters, by k-means on the cells of a private histogram"
    source: ClassVar[str] = "Su, Cao, Li, Bertino, Jin 2016; Zhang, Xiao, Xie 2016"
    exact_because: ClassVar[str] = COUNTED
    why: ClassVar[str] = "It looks at the records once; all rounds of k-means on its cells are free."

    partition: str = parameter(
        default="privtree",
        choices=("privtree", "grid"),
        choice_labels=("PrivTree", "grid"),
        label="Cells",
        help="privtree cuts where many points are; grid takes equal cells, as many as n and epsilon ask for.",
    )
    starts: int = parameter(
        default=8,
        lower=1,
        upper=100,
        label="Starts",
        help="How often k-means starts anew on the cells, which costs nothing; the best result counts.",
        advanced=True,
    )

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        if self.partition == "privtree":
            return PrivTree(share=_SHARE).zcdp_cost(privacy)
        return super().zcdp_cost(privacy)

    def histogram(self, domain: Box, n: int, privacy: Privacy) -> HistogramMechanism:
        """Return what makes the cells: all that looks at the data (public)."""
        if self.partition == "privtree":
            return PrivTree(share=_SHARE)
        d = domain.dimension
        wanted = (n * privacy.epsilon / _POINTS) ** (2 / (2 + d))
        return NoisyHistogram(bins=round(min(max(2.0, wanted), max_bins(d))), post="simplex")

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        too_many = too_many_centers(self.k, n)
        if too_many:
            return too_many
        least = EPSILONS[0] / _SHARE * (1 + 1e-9)
        if self.partition == "privtree" and privacy.epsilon < least:
            return (
                Problem(
                    "epsilon", f"{short(privacy.epsilon)} is not possible here; use at least {short(least)}"
                ),
            )
        return self.histogram(domain, n, privacy).problems(privacy, domain, n)

    def effort(self, domain: Box, n: int) -> float:
        return 0.005 + 4e-7 * n

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CellsPrepared:
        """Make the histogram ready; it is drawn anew with each release."""
        self.refuse(privacy, data.domain, data.n)
        sanitizer = self.histogram(data.domain, data.n, privacy).sanitizer(data, privacy, progress)
        grids = output_grids(data.domain)

        def centers(histogram: Histogram, progress: Progress) -> Floats:
            centers = centers_of(
                histogram, self.k, self.starts, reproducible(self.pattern), progress=progress
            )
            return np.stack([grid.snap(centers[:, axis]) for axis, grid in enumerate(grids)], axis=1)

        return CellsPrepared(
            sanitizer=sanitizer,
            centers=centers,
            n=data.n,
            noise=sanitizer.noise,
            error=None,
            diagnostics=Private(
                {},
                later={"true_value": lambda progress: whole(KMeans(k=self.k), data, self.pattern, progress)},
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class CellsPrepared(Prepared):
    """Points that are ready to be made histograms of (private), and what makes centers of those.

    Attributes
    ----------
    sanitizer : HistogramSanitizer
        All that looks at the data.
    centers : callable
        Maps a released histogram to centers, shape (k, d).
    n : int
    """

    sanitizer: HistogramSanitizer
    centers: Callable[[Histogram, Progress], Floats]
    n: int
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def batch_size(self) -> int:
        """One at a time: each makes a whole histogram."""
        return 1

    def most_runs(self, wanted: int) -> int:
        """Return fewer of many points: each run places all of them."""
        return min(wanted, max(_MIN_RUNS_ON_CELLS, _MAX_CELL_DISTANCES // (self.n + _COST_OF_RUN)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return np.stack([self._run(rng, here).ravel() for here in each(size, progress)])

    def _run(self, rng: np.random.Generator, progress: Progress) -> Floats:
        histogram = self.sanitizer.histogram(rng, part(progress, 0.0, 0.6))
        return self.centers(histogram, part(progress, 0.6, 1.0))

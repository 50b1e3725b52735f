"""Cluster centers: k-means on noisy cells, and Lloyd's algorithm with noise."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable
from typing import ClassVar

import numpy as np

from engine.aggregation.functions import KMeans
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.privtree import PrivTree
from engine.extras.points.weighted_k_means import centers_of
from engine.histograms.grid import max_bins
from engine.histograms.histogram import Histogram
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.facts import Resources
from engine.mechanisms.guarantee import PURE, Guarantee
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.points import PointsMechanism, too_many_centers
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import as_replaced, relation_parameter
from engine.mechanisms.release import Private
from engine.mechanisms.sample_aggregate import Clusters, whole
from engine.noise.base import EPSILONS, check_bounds
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.accounting import compose, of_pure
from engine.primitives.counts import AddedNoise
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.randomness import public_generator, reproducible
from engine.sampling.exactness import COUNTED
from engine.sampling.output_grid import outward


@dataclasses.dataclass(frozen=True)
class KCenters(PointsMechanism, hides="Laplace"):
    """Base of mechanisms that release k points of the box; the truth is k-means on all records.

    `KMeansOnCells` and `Lloyd` are such mechanisms.
    """

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="The number of centers.")
    pattern: int = parameter(
        default=1,
        lower=0,
        label="Pattern",
        help="Public number that determines the starting points.",
        advanced=True,
    )

    @property
    def vectors(self) -> KMeans:
        return KMeans(k=self.k)

    @property
    def question(self) -> Hashable:
        return self.vectors.question

    @property
    def estimand(self) -> Hashable:
        return Clusters(k=self.k, pattern=self.pattern).estimand  # k-means on all points

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in output_grids(domain)]


_MIN_RUNS, _MAX_DISTANCES = 5, 10_000_000
"""For a picture: the least number of simulated releases, and the largest number of distances per round."""

_NUMBERS = 1 << 18
"""Distances computed at once."""


@dataclasses.dataclass(frozen=True)
class Lloyd(KCenters, why="It adds noise to counts and sums of all records, and its start was a good one."):
    """T rounds that use the data only through noisy counts and sums: epsilon-private.

    The box is scaled to [-1, 1]^d.  A round costs epsilon/T.  Half is for the k counts, which change by 2 in
    L1 if a record is replaced.  Half is for the k sums, which change by at most 2 d: one point leaves a sum
    and another enters one, each of L1 norm at most d.  The first centers, and new centers of empty
    clusters, are public random points.  Points are rounded to a very fine grid on which sums are exact, and
    the final centers to a public grid.

    Source: Blum, Dwork, McSherry, Nissim 2005 (SuLQ k-means).  A slide in circulation has the inverse of this
    share: 2T/epsilon instead of epsilon/(2T).

    Examples
    --------
    A round has epsilon/5.  Half of it is for counts, which change by 2: noise of scale 20/epsilon.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = Lloyd(k=2, rounds=5).run(data, Privacy(1.0), reproducible(1))
    >>> round(simulated.noise["scale_of_counts"], 6)
    20.0
    """

    name: ClassVar[str] = "lloyd"
    label: ClassVar[str] = "Noisy Lloyd"
    summary: ClassVar[str] = "k-means with noisy counts and sums in each round"
    source: ClassVar[str] = "Blum, Dwork, McSherry, Nissim 2005"
    exact_because: ClassVar[str] = COUNTED

    rounds: int = parameter(
        default=5, lower=1, upper=100, label="Rounds T", help="Each costs epsilon/T: more rounds, more noise."
    )
    relation: str = relation_parameter()

    @property
    def guarantee(self) -> Guarantee:
        steps = 2 * int(self.rounds)
        return Guarantee(
            uses_delta=False, zcdp=lambda privacy: compose([of_pure(privacy.epsilon / steps)] * steps)
        )

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=7e-9 * self.rounds * (2000 + n * self.k))

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_many_centers(self.k, n) or problems_of(
            check_bounds, privacy, domain.dimension, 2 * self.rounds
        )

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> LloydPrepared:
        half, middle = data.domain.width / 2, data.domain.center
        # multiples of 1/steps; a double represents the sum of n of them exactly
        steps = 2.0 ** (53 - (data.n - 1).bit_length())
        scaled = np.rint((data.values - middle) / half * steps) / steps
        whole_budget, d = as_replaced(privacy, self.relation), data.domain.dimension
        share = Privacy(whole_budget.epsilon / outward(2.0 * self.rounds))
        for_counts = AddedNoise.of("laplace", share, 2.0, math.inf)
        for_sums = AddedNoise.of("laplace", share, 2.0 * d, math.inf, unit=0.0)
        grids = output_grids(data.domain)

        def back(sets: Floats) -> Floats:
            placed = sets * half + middle
            columns = [grid.snap(placed[:, :, axis]) for axis, grid in enumerate(grids)]
            return np.stack(columns, axis=2).reshape(len(sets), -1)

        return LloydPrepared(
            points=np.asfortranarray(np.clip(scaled, -1, 1)),  # processed axis by axis
            back=back,
            first=reproducible(self.pattern).uniform(-1, 1, (self.k, d)),
            rounds=self.rounds,
            for_counts=for_counts,
            for_sums=for_sums,
            noise={"family": "laplace", "scale_of_counts": for_counts.scale},
            diagnostics=Private(
                {},
                later={
                    "true_value": lambda progress: whole(
                        KMeans(k=self.k), data, seed=self.pattern, progress=progress
                    )
                },
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class LloydPrepared(PreparedFields):
    """The points scaled to [-1, 1]^d (private), and the settings of each round."""

    points: Floats  # shape (n, d)
    # Maps sets of centers, shape (size, k, d), to vectors on a grid in the box, shape (size, k d)
    back: Callable[[Floats], Floats]
    first: Floats  # shape (k, d); the public first centers
    rounds: int
    # The noise of one round
    for_counts: AddedNoise
    for_sums: AddedNoise

    @property
    def batch_size(self) -> int:
        """Releases that take a fraction of a second; a round takes as long as 2,000 distances and its own."""
        return max(1, 4 * 10**6 // (self.rounds * (2000 + self.points_and_centers)))

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(_MIN_RUNS, _MAX_DISTANCES // self.points_and_centers))

    @property
    def points_and_centers(self) -> int:
        """n k, the distances of one round."""
        return len(self.points) * len(self.first)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.back(np.array([self._run(rng, here) for here in each(size, progress)]))

    def _run(self, rng: np.random.Generator, progress: Progress) -> Floats:
        centers = self.first
        for _ in each(self.rounds, progress):
            centers = self._round(centers, rng)
        return centers

    def _round(self, centers: Floats, rng: np.random.Generator) -> Floats:
        k, d = centers.shape
        nearest = assign_points(self.points, centers)
        held = np.bincount(nearest, minlength=k)
        added = np.stack([np.bincount(nearest, column, k) for column in self.points.T], axis=1)
        counts, sums = self.for_counts.added(held, rng), self.for_sums.added(added, rng)
        anew = public_generator(rng).uniform(-1, 1, (k, d))
        filled = (counts >= 1)[:, None]
        return np.where(filled, np.clip(sums / np.maximum(counts, 1)[:, None], -1, 1), anew)


def assign_points(points: Floats, centers: Floats) -> Ints:
    """Return the nearest of centers (k, d) for each of points (n, d), the first of equally near ones.

    The answer for a point depends only on that point and the centers: a library's matrix product could sum
    in another order for another row.
    """
    nearest = np.zeros(len(points), dtype=np.int64)
    # |c|^2 - 2 x c: the square of x is the same for all centers
    squares, doubled = (centers**2).sum(axis=1)[:, None], 2 * centers
    some = max(1, _NUMBERS // len(centers))
    for start in range(0, len(points), some):
        columns = points[start : start + some].T
        scores = squares - doubled[:, :1] * columns[0]
        for axis in range(1, len(columns)):
            scores -= doubled[:, axis, None] * columns[axis]
        nearest[start : start + some] = scores.argmin(axis=0)
    return nearest


_SHARE = 0.3
"""Share of epsilon for the shape of a tree: with 0.2 the best of 0.2, 0.3, 0.5 and 0.7 on eight datasets."""

_POINTS = 100.0
"""Points times epsilon for each cell of a grid; the number of cells follows the source."""

_MIN_RUNS_ON_CELLS, _MAX_CELL_DISTANCES, _COST_OF_RUN = 5, 4_000_000, 20_000
"""For a picture: least simulated releases, most points in all of them, and fixed cost of one in points."""


@dataclasses.dataclass(frozen=True)
class KMeansOnCells(KCenters, why="It uses the records once; all rounds of k-means on its cells are free."):
    """Release a histogram by PrivTree, or of a grid, and find k centers among its cells: epsilon-private.

    The whole budget pays for one histogram: small cells where points are dense, with noisy counts that are
    adjusted to sum to n.  Each cell's center then has its count as weight, and k-means finds centers.  This
    uses only the release and a public number, so it may take any number of rounds and starts.

    Source: Su, Cao, Li, Bertino, Jin 2016, for a grid of M cells with M = (n epsilon/10)^(2d/(2 + d)).  Here
    it is n epsilon/100: adjusting counts to their sum removes noise, which makes larger cells better.
    Zhang, Xiao, Xie 2016, for cells without such a rule.

    Examples
    --------
    The simulated centers of two groups around (0.25, 0.25) and (0.75, 0.75):

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

    partition: str = parameter(
        default="privtree",
        choices=("privtree", "grid"),
        choice_labels=("PrivTree", "grid"),
        label="Cells",
        help="privtree divides cells where points are dense; grid has equal cells, and n and epsilon decide "
        "how many.",
    )
    starts: int = parameter(
        default=8,
        lower=1,
        upper=100,
        label="Starts",
        help="Number of k-means runs on the cells, at no cost; the best result counts.",
        advanced=True,
    )

    @property
    def guarantee(self) -> Guarantee:
        return PrivTree(share=_SHARE).guarantee if self.partition == "privtree" else PURE

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=0.005 + 4e-7 * n)

    def histogram(self, domain: Box, n: int, privacy: Privacy) -> HistogramMechanism:
        """Return the histogram mechanism, the only step that uses the data (public)."""
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
                    "epsilon", f"{short(privacy.epsilon)} is too small here; use at least {short(least)}"
                ),
            )
        return self.histogram(domain, n, privacy).problems(privacy, domain, n)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CellsPrepared:
        sanitizer = self.histogram(data.domain, data.n, privacy)._sanitizer(data, privacy, progress)
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
            diagnostics=Private(
                {},
                later={
                    "true_value": lambda progress: whole(
                        KMeans(k=self.k), data, seed=self.pattern, progress=progress
                    )
                },
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class CellsPrepared(PreparedFields):
    """Points, ready for histograms (private), and the function from histograms to centers."""

    batch_size: ClassVar[int] = 1  # each release builds a whole histogram

    sanitizer: HistogramSanitizer  # the only part that uses the data
    centers: Callable[[Histogram, Progress], Floats]  # maps a released histogram to centers, shape (k, d)
    n: int

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(_MIN_RUNS_ON_CELLS, _MAX_CELL_DISTANCES // (self.n + _COST_OF_RUN)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return np.stack([self._run(rng, here).ravel() for here in each(size, progress)])

    def _run(self, rng: np.random.Generator, progress: Progress) -> Floats:
        histogram = self.sanitizer.histogram(rng, part(progress, 0.0, 0.6))
        return self.centers(histogram, part(progress, 0.6, 1.0))

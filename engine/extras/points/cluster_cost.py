"""The cost of k centers: the mean squared distance to the nearest of privately found centers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable
from typing import ClassVar

import numpy as np

from engine.aggregation.functions import KMeans
from engine.aggregation.spaces import Euclidean
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.k_means import CellsPrepared, KMeansOnCells
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.facts import Resources
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.sample_aggregate import whole
from engine.noise.base import EPSILONS
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives import Concentrated, compose, of_pure
from engine.primitives.counts import AddedNoise
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import COUNTED
from engine.sampling.output_grid import OutputGrid, outward


@dataclasses.dataclass(frozen=True)
class ClusterCost(PointsMechanism, hides="Laplace"):
    """Release the cost of k clusters, the mean squared distance to the nearest center: epsilon-private.

    A part of epsilon finds k centers on private cells (`KMeansOnCells`).  Let B be the smallest squared
    radius of a ball around one of the centers that contains the box.  Then for any centers, one record moves
    the mean by at most B/n.  Laplace noise of scale B/n, divided by the rest of epsilon, hides it.  B follows
    from the box and the released centers.

    Squared distances are rounded to a very fine grid on which sums are exact.

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4.1.  It prints Λ/n as the sensitivity of the cost
    of the best centers; for squared distances it is up to Λ^2/n.  The best centers are intractable in
    general, and the cost of other ones may change more; here the centers are the same for neighbours.

    Examples
    --------
    Two groups of points with variance 0.02^2 in each of two columns, and two centers:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> round(ClusterCost(k=2).run(data, Privacy(1.0), reproducible(1)).value, 3)
    0.001
    """

    name: ClassVar[str] = "cluster-cost"
    label: ClassVar[str] = "Cost of clusters"
    summary: ClassVar[str] = "the mean squared distance to the nearest of k privately found centers"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4.1"
    exact_because: ClassVar[str] = COUNTED

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="The number of centers.")
    share: float = parameter(
        default=0.5,
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        label="Share for the centers",
        help="Share of epsilon that finds the centers; the rest pays for their cost.",
        advanced=True,
    )
    pattern: int = parameter(
        default=1,
        lower=0,
        label="Pattern",
        help="Public number that determines starting points, and blocks if there are any.",
        advanced=True,
    )

    @property
    def guarantee(self) -> Guarantee:
        def zcdp(privacy: Privacy) -> Concentrated:
            for_centers, for_cost = self.budgets(privacy)
            return compose((self.finder.guarantee.zcdp_cost(for_centers), of_pure(for_cost.epsilon)))

        return Guarantee(uses_delta=False, zcdp=zcdp)

    @property
    def vectors(self) -> Vectors:
        return Vectors("cost", among_data=False, space=_costs, named=lambda columns: ("cost",))

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=self.finder.resources(domain, n).seconds + 1e-8 * n * self.k)

    @property
    def question(self) -> Hashable:
        return self.name, self.k

    @property
    def estimand(self) -> Hashable:
        return self.name, self.finder.estimand

    @property
    def finder(self) -> KMeansOnCells:
        """The mechanism that finds the centers."""
        return KMeansOnCells(k=self.k, pattern=self.pattern)

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in output_grids(_costs(domain).box)]

    def budgets(self, privacy: Privacy) -> tuple[Privacy, Privacy]:
        """Return the budgets of the centers and of the cost."""
        for_centers, for_cost = Privacy(privacy.epsilon).split((self.share, 1 - self.share))
        return for_centers, for_cost

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        problems = self.finder.problems(privacy, domain, n)
        if problems:
            return problems
        for_centers, for_cost = self.budgets(privacy)
        if self.finder.problems(for_centers, domain, n) or for_cost.epsilon < EPSILONS[0]:
            both = " for centers and ".join(short(one.epsilon) for one in (for_centers, for_cost))
            message = f"it leaves epsilon = {both} for their cost, too little for one of them"
            return (Problem("share", f"{message}; choose a share nearer to 0.5"),)
        return ()

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CostPrepared:
        for_centers, for_cost = self.budgets(privacy)
        # multiples of B/steps; a double represents the sum of n of them exactly
        steps = 2.0 ** (53 - (data.n - 1).bit_length())
        added = AddedNoise.of("laplace", for_cost, steps, math.inf, unit=0.0)
        return CostPrepared(
            finder=self.finder.prepare(data, for_centers, progress),
            points=data,
            steps=steps,
            added=added,
            grid=output_grids(_costs(data.domain).box)[0],
            noise={"family": "laplace", "scale_of_share": added.scale / steps / data.n},
            diagnostics=Private({}, later={"true_value": lambda progress: self._cost(data, progress)}),
        )

    def _cost(self, data: Points, progress: Progress) -> Floats:
        centers = whole(KMeans(k=self.k), data, seed=self.pattern, progress=progress).reshape(self.k, -1)
        return np.array([squared_distances(data.values, centers).mean()])


def _costs(box: Box) -> Euclidean:
    """Return the bounds of a cost for points in `box`."""
    return Euclidean(Box.of([0.0], [outward(box.diameter**2)]))


@dataclasses.dataclass(frozen=True, repr=False)
class CostPrepared(PreparedFields):
    """Points, ready for a private search for centers, and the noise of the cost (private)."""

    finder: CellsPrepared
    points: Points
    steps: float  # number of steps from 0 to B
    added: AddedNoise  # noise of a sum of such steps
    grid: OutputGrid  # grid of the released cost

    @property
    def batch_size(self) -> int:
        return self.finder.batch_size

    def most_runs(self, wanted: int) -> int:
        return self.finder.most_runs(wanted)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        runs = each(size, progress)
        return self.grid.snap(np.array([[self._run(rng, here)] for here in runs]))

    def _run(self, rng: np.random.Generator, progress: Progress) -> float:
        box = self.points.domain
        centers = self.finder.draw(rng, 1, progress).reshape(-1, box.dimension)
        most = farthest(centers, box)
        shares = np.minimum(squared_distances(self.points.values, centers) / most, 1.0)
        total = np.rint(shares * self.steps).sum(keepdims=True)
        noisy = float(self.added.added(total, rng)[0])
        return max(0.0, noisy / self.steps / self.points.n * most)


def farthest(centers: Floats, box: Box) -> float:
    """Return B, the smallest squared radius of a ball around one of `centers` that contains the box."""
    corners = np.maximum(centers - box.lower, box.upper - centers)
    return outward(float(np.square(corners).sum(axis=1).min()))


def squared_distances(points: Floats, centers: Floats) -> Floats:
    """Return the squared distance of each point to the nearest center; it depends on that point alone."""
    nearest = np.full(len(points), np.inf)
    for center in centers:
        apart = np.zeros(len(points))
        for column, coordinate in zip(points.T, center.tolist(), strict=True):
            apart += np.square(column - coordinate)
        np.minimum(nearest, apart, out=nearest)
    return nearest

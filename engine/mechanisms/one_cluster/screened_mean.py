"""The mean inside a released ball, which screens off outliers and so needs less noise."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism, BallsPrepared
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.search import Located, Share, mean
from engine.parameters import parameter
from engine.primitives import SumCount, compose
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import CHOSEN
from engine.sampling.public_grid import FREE, PublicGrid


@dataclasses.dataclass(frozen=True)
class ScreenedMean(BallMechanism):
    """Release a ball, then the mean of the records inside it.

    A released ball is public, and so is whether a given record lies in it.  The noise of the mean depends on
    the radius of the ball instead of the bounds of the data.  Both releases compose.

    Source: Nissim, Stemmer, Vadhan 2016, Section 1 (outliers); the mean is a noisy sum divided by a noisy
    count, instead of NoisyAVG.

    Examples
    --------
    The mean of the points in a ball, without outliers:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = ScreenedMean(t=500).run(data, Privacy(4.0, 1e-6), reproducible(1))
    >>> np.round(simulated.value["mean"], 2)
    array([0.25, 0.25])
    """

    name: ClassVar[str] = "screened-mean"
    label: ClassVar[str] = "Mean inside the ball"
    summary: ClassVar[str] = "a ball that screens off outliers, then the mean of the points inside"
    exact_because: ClassVar[str] = CHOSEN

    share: float = parameter(
        default=0.7,
        lower=0.0,
        upper=1.0,
        lower_open=True,
        upper_open=True,
        label="For the ball",
        help="Share of the budget for the ball; the rest is for the mean inside.",
    )

    # the budgets of ball and mean

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, ...]:
        """Split a budget between the ball and the mean."""
        return privacy.split([self.share, 1 - self.share])

    def _budget_of_ball(self, privacy: Privacy) -> Privacy:
        return self._budgets(privacy)[0]

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(
            zcdp=lambda privacy: compose((self.search.zcdp_cost(privacy), mean(self._budgets(privacy)[1])))
        )

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        return (*super().shares(box, n, privacy), Share("mean", "Mean inside", self._budgets(privacy)[1]))

    # preparing and drawing

    def _ready(
        self, located: tuple[Ints, Located], data: Points, privacy: Privacy, progress: Progress
    ) -> BallsPrepared:
        ready = super()._ready(located, data, privacy, progress)
        inside = MeanInside(ready.points, self.search.domain(data.domain), self._budgets(privacy)[1])
        return dataclasses.replace(ready, inside=inside.release, cost=ready.cost + ready.points.size)

    def _truth(self, data: Points, progress: Progress = silent) -> Floats:
        """Return the true ball and the mean of the records inside it, on the grid (private)."""
        row = super()._truth(data, progress)
        ball, grid = Ball.of(row), self.search.domain(data.domain)
        nothing = np.full(data.domain.dimension, np.nan)
        records = grid.round_points(data.values)
        inside = nothing if ball is None else records[ball.contains(records)].mean(axis=0)
        return np.concatenate([row, inside])

    # the meaning of drawn values: center, radius and mean in one row

    def _released(self, value: Floats, domain: Box) -> Any:
        ball = Ball.of(value[: domain.dimension + 1])
        return None if ball is None else {**ball.facts(), "mean": value[domain.dimension + 1 :].tolist()}

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        d = domain.dimension
        distances: Floats = np.linalg.norm(values[:, d + 1 :] - np.asarray(true_value)[d + 1 :], axis=1)
        return distances

    def _number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        """Return the grids of centers and means; a radius is a distance and has no grid."""
        points = self.search.domain(data.domain).points
        return PublicGrid.joined(points, FREE, points)


@dataclasses.dataclass(frozen=True, repr=False)
class MeanInside:
    """Releases the mean of the records inside a ball; holds the records on the grid (private)."""

    points: Ints
    grid: DomainGrid
    budget: Privacy

    def release(self, ball: Ball, rng: np.random.Generator) -> Floats:
        """Release the mean inside a ball; the radius determines the noise."""
        center = (np.array(ball.center) - self.grid.box.lower) / self.grid.step
        radius = ball.radius / self.grid.step
        if radius == 0:
            return np.array(ball.center)
        inside = self.points[ball.contains(self.grid.points_at(self.points))]
        offset = SumCount.of(2 * radius, self.budget).release(inside - center, radius, rng)
        # round to the grid: no digit of the noise beyond the public resolution is released
        return self.grid.points_at(np.rint(center + offset))

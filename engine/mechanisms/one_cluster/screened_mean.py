"""The mean inside a released ball: outliers are screened off before the noise is made."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism, BallRun, BallsPrepared
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.search import Found, Located, Task
from engine.mechanisms.one_cluster.steps import Share, mean
from engine.mechanisms.release import Private
from engine.parameters import parameter
from engine.primitives import Concentrated, SumCount, compose
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import CHOSEN
from engine.sampling.public_grid import FREE, PublicGrid


@dataclasses.dataclass(frozen=True)
class ScreenedMean(BallMechanism):
    """Release a ball, then the mean of the records inside it.

    The ball is public once it is released, and so is the test whether a record lies in it; the
    noise of the mean follows from the ball's radius, not from the bounds of the data.  Both
    releases compose.

    Source: Nissim, Stemmer, Vadhan 2016, Section 1 (outliers); the mean is a noisy sum by a noisy
    count in place of NoisyAVG.

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
    summary: ClassVar[str] = "a ball that screens off outliers, then the mean of what is inside"
    exact_because: ClassVar[str] = CHOSEN

    with_mean: ClassVar[bool] = True

    share: float = parameter(
        default=0.7,
        lower=0.0,
        upper=1.0,
        lower_open=True,
        upper_open=True,
        label="For the ball",
        help="Share of the budget that finds the ball; the rest is for the mean inside it.",
    )

    def search(self, box: Box, n: int, privacy: Privacy) -> Task:
        return self.task(box, n, self._budgets(privacy)[0])

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        ball, inside = self._budgets(privacy)
        return compose((self.cost_of_ball(ball), mean(inside)))

    def number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        """Return the grid of centers and of means; a radius is one of the distances of points."""
        points = DomainGrid(data.domain, self.grid).points
        return PublicGrid.joined(points, FREE, points)

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        steps = self.finder(box).shares(self.search(box, n, privacy))
        return (*steps, Share("mean", "Mean inside", self._budgets(privacy)[1]))

    def calibrated(
        self, counted: Any, data: Points, privacy: Privacy, progress: Progress
    ) -> ScreenedPrepared:
        ready = super().calibrated(counted, data, privacy, progress)
        assert isinstance(ready, ScreenedPrepared)
        return dataclasses.replace(ready, budget=self._budgets(privacy)[1])

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> ScreenedPrepared:
        self.refuse(privacy, data.domain, data.n)
        task = self.search(data.domain, data.n, privacy)
        points = task.grid.snapped(data.values)
        located = self.finder(data.domain).prepare(task, points, progress)
        return ScreenedPrepared(
            points=points,
            cost=located.cost + points.size,
            noise={},
            error=None,
            diagnostics=Private({}, later={"true_value": lambda progress: self.truth(data, progress)}),
            located=located,
            grid=task.grid,
            budget=self._budgets(privacy)[1],
        )

    def errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        d = domain.dimension
        distances: Floats = np.linalg.norm(values[:, d + 1 :] - np.asarray(true_value)[d + 1 :], axis=1)
        return distances

    def released(self, value: Floats, domain: Box) -> Any:
        """Return center, radius and mean by name; None where no ball was found."""
        ball = Ball.of(value[: domain.dimension + 1])
        return None if ball is None else {**ball.facts(), "mean": value[domain.dimension + 1 :].tolist()}

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, ...]:
        return privacy.split([self.share, 1 - self.share])

    def truth(self, data: Points, progress: Progress = silent) -> Floats:
        """Return the true ball, and the mean of the records inside it, on the grid (private)."""
        row = super().truth(data, progress)
        ball = Ball.of(row)
        nothing = np.full(data.domain.dimension, np.nan)
        records = DomainGrid(data.domain, self.grid).rounded(data.values)
        mean = nothing if ball is None else records[ball.contains(records)].mean(axis=0)
        return np.concatenate([row, mean])


@dataclasses.dataclass(frozen=True, repr=False)
class ScreenedPrepared(BallsPrepared):
    """Points, with what finds the ball (private)."""

    located: Located
    grid: DomainGrid
    budget: Privacy

    def with_task(self, task: Task) -> ScreenedPrepared:
        return dataclasses.replace(self, located=self.located.with_task(task))

    def trace(self, rng: np.random.Generator, progress: Progress = silent) -> BallRun:
        found, mean = self.run(rng, progress)
        return BallRun((found,), mean)

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> tuple[Found, Floats | None]:
        """Find a ball, and release the mean inside it."""
        found = self.located.run(rng, progress)
        progress(1.0)
        return found, None if found.ball is None else self._mean(found.ball, rng)

    def numbers(self, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        found, mean = self.run(rng, progress)
        if found.ball is None or mean is None:
            return np.full(2 * self.grid.dimension + 1, np.nan)
        return np.append(found.ball.row, mean)

    def _mean(self, ball: Ball, rng: np.random.Generator) -> Floats:
        center = (np.array(ball.center) - self.grid.box.lower) / self.grid.step
        radius = ball.radius / self.grid.step
        if radius == 0:
            return np.array(ball.center)
        inside = self.points[ball.contains(self.grid.placed(self.points))]
        offset = SumCount.of(2 * radius, self.budget).release(inside - center, radius, rng)
        # a grid point: no digit of the noise beyond the public resolution is released
        return self.grid.placed(np.rint(center + offset))

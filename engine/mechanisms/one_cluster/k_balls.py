"""Several small balls, one after the other, each of what the ones before have left."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism, BallRun, BallsPrepared, row_of
from engine.mechanisms.one_cluster.capped_counts import smallest_ball
from engine.mechanisms.one_cluster.search import Finder, Found, Located, Task
from engine.mechanisms.one_cluster.steps import Share
from engine.mechanisms.prepared import SharedWork
from engine.mechanisms.release import Private
from engine.parameters import parameter
from engine.primitives import Concentrated, best_share, compose
from engine.privacy import Privacy
from engine.progress import Progress, each, part, parts, silent
from engine.sampling.exactness import CHOSEN


@dataclasses.dataclass(frozen=True)
class KBalls(BallMechanism):
    """Find a ball, leave out the records in it, and go on.

    A released ball is public, so that leaving out what lies in it changes nothing about who is a
    neighbour: one person's record is in what is left, or is not.  How many are left is private.
    Each ball has an equal share of the budget, by basic or by advanced composition, whichever
    leaves more.

    Source: Nissim, Stemmer, Vadhan 2016, Observation 3.5.

    Examples
    --------
    500 points lie around (0.25, 0.25), and as many around (0.75, 0.75).

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> rng = np.random.default_rng(1)
    >>> heaps = [rng.normal(middle, 0.02, (500, 2)) for middle in (0.25, 0.75)]
    >>> data = Points(np.concatenate(heaps), Box.of([0, 0], [1, 1]))
    >>> balls = KBalls(t=400, k=2).run(data, Privacy(4.0, 1e-6), reproducible(1)).value
    >>> [np.round(ball["center"], 1).tolist() for ball in balls]
    [[0.2, 0.3], [0.7, 0.8]]
    """

    name: ClassVar[str] = "k-balls"
    label: ClassVar[str] = "k balls"
    summary: ClassVar[str] = "several small balls, each of the points that are left"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Observation 3.5"
    exact_because: ClassVar[str] = CHOSEN

    k: int = parameter(default=2, lower=1, upper=32, label="Balls k", help="How many balls.")

    @property
    def question(self) -> Hashable:
        return self.name, self.t, self.k

    @property
    def how_many(self) -> int:
        return self.k

    @property
    def estimand(self) -> Hashable:
        return super().estimand, self.k

    def shared_work(self, domain: Box) -> SharedWork:
        shared = super().shared_work(domain)
        return dataclasses.replace(shared, key=(shared.key, self.k))

    def search(self, box: Box, n: int, privacy: Privacy) -> Task:
        return self.task(box, n, best_share(privacy, self.k))

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        return compose([self.cost_of_ball(best_share(privacy, self.k))] * int(self.k))

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        part = Privacy(privacy.epsilon / self.k, privacy.delta / self.k)
        return tuple(Share(f"ball {i + 1}", f"Ball {i + 1}", part) for i in range(self.k))

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> KBallsPrepared:
        """Count for the first ball; the others are different with each draw."""
        self.refuse(privacy, data.domain, data.n)
        task, finder = self.search(data.domain, data.n, privacy), self.finder(data.domain)
        points = task.grid.snapped(data.values)
        first = finder.prepare(task, points, progress)
        return KBallsPrepared(
            points=points,
            cost=self.k * (first.cost + 100 * points.size),
            noise={},
            error=None,
            diagnostics=Private({}, later={"true_value": lambda progress: self.truth(data, progress)}),
            task=task,
            k=self.k,
            finder=finder,
            first=first,
        )

    def truth(self, data: Points, progress: Progress = silent) -> Floats:
        """Return k smallest balls around records, each of what is left (private)."""
        task = self.task(data.domain, data.n, Privacy(1.0))  # no budget: t and the grid alone matter
        return true_balls(task, task.grid.snapped(data.values), self.k, progress)

    def errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        from scipy.optimize import linear_sum_assignment
        from scipy.spatial.distance import cdist

        d = domain.dimension
        true = np.reshape(true_value, (-1, d + 1))[:, :d]
        found = np.full(len(values), np.nan)
        for place, row in enumerate(np.reshape(values, (len(values), -1, d + 1))[:, :, :d]):
            if np.isfinite(row).all() and np.isfinite(true).all():
                table = cdist(row, true)
                found[place] = table[linear_sum_assignment(table)].max()
        return found

    def released(self, value: Floats, domain: Box) -> Any:
        balls = map(Ball.of, value.reshape(-1, domain.dimension + 1))
        return [None if ball is None else ball.facts() for ball in balls]


@dataclasses.dataclass(frozen=True, repr=False)
class KBallsPrepared(BallsPrepared):
    """Points, and what is known of all of them (private)."""

    task: Task
    k: int
    finder: Finder
    first: Located

    def with_task(self, task: Task) -> KBallsPrepared:
        return dataclasses.replace(self, task=task, first=self.first.with_task(task))

    def trace(self, rng: np.random.Generator, progress: Progress = silent) -> BallRun:
        return BallRun(self.runs(rng, progress))

    def runs(self, rng: np.random.Generator, progress: Progress = silent) -> tuple[Found, ...]:
        """Find k balls."""
        found: list[Found] = []
        located, left = self.first, self.points
        for here in each(self.k, progress):
            if found:
                left = without(self.task, left, found[-1].ball)
                located = self.finder.prepare(self.task, left, part(here, 0.0, 0.8))
            found.append(located.run(rng, part(here, 0.8, 1.0)))
        return tuple(found)

    def numbers(self, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        d = self.task.grid.dimension
        return np.concatenate([row_of(found.ball, d) for found in self.runs(rng, progress)])


def without(task: Task, points: Ints, ball: Ball | None) -> Ints:
    """Return the points, as indices, that are not in a ball."""
    return points if ball is None else points[~ball.contains(task.grid.placed(points))]


def true_balls(task: Task, points: Ints, k: int, progress: Progress = silent) -> Floats:
    """Return k smallest balls around records, each of what is left (private), shape (k (d + 1),)."""
    rows: list[Floats] = []
    for here in parts(k, progress):
        found = smallest_ball(points, task.t, here)
        if found is None:
            rows.append(np.full(task.grid.dimension + 1, np.nan))
            continue
        ball = Ball.at(task.grid.placed(found[0]), np.sqrt(found[1]) * task.grid.step)
        rows.append(ball.row)
        points = without(task, points, ball)
    return np.concatenate(rows)

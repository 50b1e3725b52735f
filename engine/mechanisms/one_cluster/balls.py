"""The search for balls, and the base class of mechanisms that release balls."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.facts import Resources
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.capped_counts import smallest_ball
from engine.mechanisms.one_cluster.finders import AUTO, FINDERS, FORMER_NAMES, finder, ways
from engine.mechanisms.one_cluster.grid import DomainGrid, failure_probability, grid_steps
from engine.mechanisms.one_cluster.search import BallGuarantee, Finder, Located, SearchResult, Share, Task
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import Prepared, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives import Concentrated, worst
from engine.privacy import Privacy
from engine.progress import Progress, each, part, parts, silent

MIN_PICTURE_RUNS, PICTURE_BATCHES = 20, 20
"""Minimum number of simulated releases for a picture, and maximum number of batches beyond it."""


@dataclasses.dataclass(frozen=True)
class BallSearch:
    """Settings of a search for balls of about t points (public)."""

    t: int
    method: str
    grid: int
    beta: float
    k: int  # number of balls, one after the other
    budget: Callable[[Privacy], Privacy]  # maps a budget to the part for one ball

    def finder(self, box: Box) -> Finder:
        """Return the finder for `box`."""
        return finder(self.method, box.dimension)

    def domain(self, box: Box) -> DomainGrid:
        """Return the grid of `box`."""
        return DomainGrid(box, self.grid)

    def task(self, box: Box, n: int, privacy: Privacy) -> Task:
        """Return the task of the first ball, for n points of `box` and a budget."""
        return Task(self.domain(box), n, self.t, self.budget(privacy), self.beta)

    def promise(self, box: Box, n: int, privacy: Privacy) -> BallGuarantee:
        """Return the theoretical guarantee for the first ball (public)."""
        return self.finder(box).guarantee(self.task(box, n, privacy))

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        """Return the costs of the steps that find the first ball (public)."""
        return self.finder(box).shares(self.task(box, n, privacy))

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the zCDP cost of one ball, in any number of dimensions."""
        budget = self.budget(privacy)
        return worst(way.zcdp_cost(budget) for way in ways(self.method))

    def records(self, data: Points) -> Ints:
        """Return the records as indices of the grid (private), shape (n, d)."""
        return self.domain(data.domain).index_points(data.values)

    def locate(self, data: Points, privacy: Privacy, progress: Progress) -> tuple[Ints, Located]:
        """Return the records on the grid, and the prepared search for them (private)."""
        points = self.records(data)
        task = self.task(data.domain, data.n, privacy)
        return points, self.finder(data.domain).prepare(task, points, progress)

    def true_balls(self, data: Points, progress: Progress = silent) -> Floats:
        """Return k smallest balls around records, each of the remaining points (private), shape (k (d + 1),).

        The centers are records, on the grid.  This is a 2-approximation: no ball with t records has less than
        half the radius.  NaN if fewer than t records remain.
        """
        grid, points = self.domain(data.domain), self.records(data)
        rows: list[Floats] = []
        for here in parts(self.k, progress):
            smallest = smallest_ball(points, self.t, progress=here)
            if smallest is None:
                rows.append(np.full(grid.dimension + 1, np.nan))
                continue
            ball = Ball.at(grid.points_at(smallest[0]), np.sqrt(smallest[1]) * grid.step)
            rows.append(ball.row)
            points = outside(grid, points, ball)
        return np.concatenate(rows)


def outside(grid: DomainGrid, points: Ints, ball: Ball | None) -> Ints:
    """Return the points outside a ball, as indices of a grid."""
    return points if ball is None else points[~ball.contains(grid.points_at(points))]


@dataclasses.dataclass(frozen=True)
class BallMechanism(PointsMechanism, abc.ABC, topic="balls", shape="balls"):
    """A mechanism that first finds a small ball holding many points."""

    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016"

    beta: float = failure_probability()
    grid: int = grid_steps()
    t: int = parameter(
        default=500,
        lower=1,
        label="Points t",
        help="Target number of points in the ball; its radius is near that of the smallest such ball.",
    )
    method: str = parameter(
        default=AUTO,
        choices=(AUTO, *FINDERS),
        label="Method",
        help="auto: overlapping cells up to six dimensions, tight boxes above.",
        former=FORMER_NAMES,
    )

    @property
    def search(self) -> BallSearch:
        """Settings of the search for each ball."""
        return BallSearch(self.t, self.method, self.grid, self.beta, 1, self._budget_of_ball)

    def _budget_of_ball(self, privacy: Privacy) -> Privacy:
        """Return the part of a budget for one ball."""
        return privacy

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        """Return the cost of each step; together they cost the whole budget (public)."""
        return self.search.shares(box, n, privacy)

    @property
    def question(self) -> Hashable:
        return self.name, self.t

    @property
    def estimand(self) -> Hashable:
        return self.name, self.t, self.grid

    def resolve(self, privacy: Privacy | None = None, domain: Box | None = None) -> Self:
        return self if domain is None else dataclasses.replace(self, method=self.search.finder(domain).name)

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(self.search.finder(domain).memory(self.search.domain(domain), n))

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, domain.dimension)
        return impossible or self.search.finder(domain).problems(self.search.task(domain, n, privacy))

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> BallsPrepared:
        located = self.search.locate(data, privacy, progress)
        return self._ready(located, data, privacy, progress)

    def shared_work(self, domain: Box) -> SharedWork:
        way = self.search.finder(domain)
        key = self.name, way.name, self.grid, None if way.counts_in else self.t
        return SharedWork(key, self.search.locate, self._ready)

    def _ready(
        self, located: tuple[Ints, Located], data: Points, privacy: Privacy, progress: Progress
    ) -> BallsPrepared:
        """Return a `Prepared` for a budget from the work that all budgets share."""
        points, counts = located
        return BallsPrepared(
            points=points,
            located=counts.with_task(self.search.task(data.domain, data.n, privacy)),
            finder=self.search.finder(data.domain),
            cost=counts.cost,
            diagnostics=Private({}, later={"true_value": lambda progress: self._truth(data, progress)}),
        )

    def _truth(self, data: Points, progress: Progress = silent) -> Floats:
        """Return the true balls (private), in the form of a draw."""
        return self.search.true_balls(data, progress)

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.search.domain(domain).step

    def public_facts(self, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        promise = self.search.promise(box, n, privacy)
        return {
            "finder": self.search.finder(box).name,
            "grid_step": self.search.domain(box).step,
            "promised_points": promise.promised,
            "promised_share": promise.promised / self.t,
            "needed": promise.needed,
        }


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallRun:
    """One run (private): the search for each ball, and the mean inside if released, shape (d,)."""

    searches: tuple[SearchResult, ...]
    mean: Floats | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class BallsPrepared(Prepared):
    """Ready to find k balls one after the other, and perhaps the mean inside the last one."""

    points: Ints  # (n, d), the records as indices of the grid (private)
    located: Located  # prepared search for the first ball (private)
    finder: Finder  # prepares the search for each further ball
    diagnostics: Private
    cost: int  # numbers that a run reads, to choose batch sizes
    k: int = 1
    # Releases the mean inside the last ball
    inside: Callable[[Ball, np.random.Generator], Floats] | None = None
    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    error: float | None = None

    @property
    def batch_size(self) -> int:
        return max(1, 10**7 // (100_000 + self.cost))

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(MIN_PICTURE_RUNS, PICTURE_BATCHES * self.batch_size))

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> BallRun:
        """Run once and return all intermediate results."""
        task, located, left = self.located.task, self.located, self.points
        searches: list[SearchResult] = []
        for here in each(self.k, progress):
            if searches:
                left = outside(task.grid, left, searches[-1].ball)
                located = self.finder.prepare(task, left, part(here, 0.0, 0.8))
            searches.append(located.run(rng, part(here, 0.8, 1.0)))
        ball = searches[-1].ball
        mean = None if self.inside is None or ball is None else self.inside(ball, rng)
        return BallRun(tuple(searches), mean)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Run `size` times; each row has center and radius of each ball, then the mean; NaN if not found."""
        d = self.points.shape[1]
        rows = np.full((size, self.k * (d + 1) + (0 if self.inside is None else d)), np.nan)
        for row, here in zip(rows, each(size, progress), strict=True):
            run = self.run(rng, here)
            for numbers, one in zip(row[: self.k * (d + 1)].reshape(self.k, -1), run.searches, strict=True):
                if one.ball is not None:
                    numbers[:] = one.ball.row
            if run.mean is not None:
                row[-d:] = run.mean
        return rows

"""Thresholds: the shortest interval in a release of all counts of one column."""

from __future__ import annotations

import dataclasses
import math
from collections import deque
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.radius import squares
from engine.mechanisms.one_cluster.search import (
    Crossing,
    Finder,
    Guarantee,
    Located,
    SearchResult,
    Share,
    StepCosts,
    Task,
    needs_points,
    shared,
)
from engine.mechanisms.problem import Problem
from engine.primitives.accounting import of_pure
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.noise import LAPLACE, add_noise, noise_step
from engine.sampling.output_grid import outward


class Thresholds(Finder):
    """The shortest interval of one column.

    A tree over the grid is released: each of L levels of intervals of 2^l points with Laplace noise on
    all counts, of scale 2 L/epsilon.  Every interval between two grid points is a difference of two
    sums of at most L noisy counts, and by a Chernoff bound over all of them its error is at most E, but
    for probability beta.  The shortest one that seems to hold t - E points is the ball: post-processing.
    It is no longer than the shortest with t points, and holds t - 2 E.

    Source: query release for thresholds (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011), as
    compared in Nissim, Stemmer, Vadhan 2016, Table 1.
    """

    name: ClassVar[str] = "thresholds"
    in_cells: ClassVar[bool] = True
    uses_delta: ClassVar[bool] = False
    label: ClassVar[str] = "Thresholds"
    summary: ClassVar[str] = "the shortest interval by noisy counts of a tree: one column"
    source: ClassVar[str] = "Dwork, Naor, Pitassi, Rothblum 2010"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {"counts": ("Counts of all intervals", 1.0)}
    costs: ClassVar[StepCosts] = {"counts": lambda privacy: of_pure(privacy.epsilon)}

    def shares(self, task: Task) -> tuple[Share, ...]:
        return shared(task.privacy, self.parts, {})

    def budgets(self, privacy: Privacy) -> tuple[tuple[Share, ...], ...]:
        return (shared(privacy, self.parts, {}),)

    def scale(self, task: Task) -> float:
        """Return the scale of the noise: one record changes two counts of each level."""
        [share] = self.shares(task)
        return outward(2 * task.changes * levels_of(task.grid) / share.privacy.epsilon)

    def error(self, task: Task) -> float:
        """Return E, how far the count of any interval is off at most, but for probability beta (public).

        A sum of k Laplace variables of scale b is above s with probability at most
        exp(-h s/b)/(1 - h^2)^k for every h in (0, 1).
        """
        scale, nodes = self.scale(task), 2 * levels_of(task.grid)
        points = int(task.grid.last[0]) + 1
        rarely = math.log(points * (points + 1) / task.beta)  # intervals, from above and from below
        h = np.linspace(0.01, 0.99, 99)
        bound = float(np.min((rarely - nodes * np.log1p(-(h**2))) / h))
        return outward(bound * scale + nodes * noise_step(scale) / 2)

    def guarantee(self, task: Task) -> Guarantee:
        loss = 2 * self.error(task)
        return Guarantee.of(task.t, loss, loss, 1.0)

    def problems(self, task: Task) -> tuple[Problem, ...]:
        d = task.grid.dimension
        if d > 1:
            message = f"thresholds are for one column, not for {d}"
            return (Problem("method", f"{message}; choose one of them, or the method overlapping-cells"),)
        return needs_points(task, self.guarantee(task).needed)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InIntervals:
        held = np.bincount(points[:, 0], minlength=int(task.grid.last[0]) + 1)
        return InIntervals(self, task, held)


def levels_of(grid: DomainGrid) -> int:
    """Return L: how often the points of a grid, filled up to a power of two, are halved (public)."""
    return int(grid.last[0]).bit_length()


def sums_before(levels: list[Floats]) -> Floats:
    """Return the sums of the first i leaves, i = 0, 1, ..., from the nodes of a tree, the leaves first."""
    places = np.arange(len(levels[0]) + 1)
    total = np.zeros(len(places))
    for level, nodes in enumerate(levels):
        used = (places >> level) & 1 == 1
        total[used] += nodes[(places[used] >> level) - 1]
    if len(levels[-1]) == 2:
        total[-1] = levels[-1].sum()
    return total


def shortest(before: Floats, wanted: float) -> tuple[int, int] | None:
    """Return the first and the last place of the shortest run with a sum of at least `wanted`, if any."""
    best: tuple[int, int] | None = None
    starts: deque[int] = deque()
    sums = before.tolist()
    for end, total in enumerate(sums):
        while starts and total - sums[starts[0]] >= wanted:
            start = starts.popleft()
            if best is None or end - 1 - start < best[1] - best[0]:
                best = start, end - 1
        while starts and sums[starts[-1]] >= total:
            starts.pop()
        starts.append(end)
    return best


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class InIntervals(Located):
    """Points counted at each place of the grid (private)."""

    finder: Thresholds
    task: Task
    held: Ints

    @property
    def cost(self) -> int:
        return 20 * len(self.held)

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        grid, scale = self.task.grid, self.finder.scale(self.task)
        depth, step = levels_of(grid), noise_step(scale)
        counts = np.zeros(1 << depth)
        counts[: len(self.held)] = self.held
        nodes = []
        for level in range(depth):
            progress(level / depth, "adding noise to counts")
            nodes.append(add_noise(counts, scale, LAPLACE, step, rng))
            counts = counts.reshape(-1, 2).sum(axis=1)
        wanted = max(1.0, self.task.t - self.finder.error(self.task))
        ends = shortest(sums_before(nodes)[: len(self.held) + 1], wanted)
        radii, heights = self._fullest
        if ends is None:
            return SearchResult(
                None, Crossing(radii, heights, wanted, 0), why="no interval seems to hold enough"
            )
        first, last = ends
        reach = -(-(last - first) // 2)
        chosen = int(np.abs(radii - reach * grid.step).argmin())
        ball = Ball.at(grid.points_at(np.array([(first + last) // 2])), reach * grid.step)
        return SearchResult(ball, Crossing(radii, heights, wanted, chosen))

    @property
    def _fullest(self) -> tuple[Floats, Floats]:
        """Return radii, and how many points the fullest interval of each holds (private)."""
        grid, before = self.task.grid, np.concatenate([[0], np.cumsum(self.held)])
        reaches = [math.isqrt(square) for square in squares(grid)]
        places = np.arange(len(self.held))
        heights = [
            float(
                (
                    before[np.minimum(places + reach + 1, len(places))]
                    - before[np.maximum(places - reach, 0)]
                ).max()
            )
            for reach in reaches
        ]
        return np.array(reaches) * grid.step, np.array(heights)

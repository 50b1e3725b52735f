"""All balls: the exponential mechanism over every ball around a point of the grid."""

from __future__ import annotations

import dataclasses
import math
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
    choice,
    needs_points,
    shared,
)
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.primitives import choose_crossing, exponential_mechanism, exponential_slack
from engine.privacy import Privacy
from engine.progress import Progress, silent

MAX_CENTERS = 1 << 15
"""Grid points around which all balls are counted, some tens of radii each."""


class AllBalls(Finder):
    """All balls around points of the grid.

    1. The radius at which h_j, the number of points in the fullest ball of radius R_j, falls below
       t - G - 1, by the exponential mechanism, G its slack; radii are halved from the diagonal on.
    2. A center, all points of the grid being candidates, by the exponential mechanism.

    Both scores have sensitivity 1.  With probability 1 - beta the fullest ball has t - 2 G - 1 points or
    more, and no ball of the next smaller radius has t: so the radius is below twice the smallest one.

    Source: McSherry, Talwar 2007, as compared in Nissim, Stemmer, Vadhan 2016, Table 1: it needs time for
    all points of the grid, and loses d ln |X|.
    """

    name: ClassVar[str] = "balls"
    in_cells: ClassVar[bool] = True
    uses_delta: ClassVar[bool] = False
    label: ClassVar[str] = "All balls"
    summary: ClassVar[str] = "the exponential mechanism over the balls around all grid points: coarse grids"
    source: ClassVar[str] = "McSherry, Talwar 2007"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.4),
        "center": ("GoodCenter", 0.6),
    }
    costs: ClassVar[StepCosts] = {"scale": choice, "center": choice}

    def shares(self, task: Task) -> tuple[Share, ...]:
        return shared(task.privacy, self.parts, {})

    def budgets(self, privacy: Privacy) -> tuple[tuple[Share, ...], ...]:
        return (shared(privacy, self.parts, {}),)

    def slacks(self, task: Task) -> dict[str, float]:
        """Return by how many points each step may miss, but for half of beta (public)."""
        candidates = {"scale": len(squares(task.grid)), "center": centers_of(task.grid)}
        return {
            share.name: exponential_slack(
                math.log(candidates[share.name]), share.privacy.epsilon, task.beta / 2, task.changes
            )
            for share in self.shares(task)
        }

    def guarantee(self, task: Task) -> Guarantee:
        slacks = self.slacks(task)
        loss = 2 * slacks["scale"] + 1 + slacks["center"]
        return Guarantee.of(task.t, loss, loss, 2.0)

    def problems(self, task: Task) -> tuple[Problem, ...]:
        centers = centers_of(task.grid)
        if centers > MAX_CENTERS:
            steps = 1 << math.floor(math.log2(MAX_CENTERS ** (1 / task.grid.dimension) - 1))
            advice = (
                f"use at most {grouped(steps)} grid steps, or the method overlapping-cells"
                if steps > 1
                else "use overlapping-cells or tight-boxes"
            )
            return (
                Problem("method", f"all balls around {grouped(centers)} grid points are too many; {advice}"),
            )
        return needs_points(task, self.guarantee(task).needed)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InBalls:
        return InBalls(self, task, count_in_balls(task.grid, points, progress))


def centers_of(grid: DomainGrid) -> int:
    """Return how many points the grid has (public)."""
    return math.prod(int(last) + 1 for last in grid.last)


def count_in_balls(grid: DomainGrid, points: Ints, progress: Progress = silent) -> Floats:
    """Return how many points each ball holds, for each radius and grid point, shape (J + 1, centers).

    Counts are sums over the offsets within a radius, by a Fourier transform; rounded, they are exact.
    """
    shape = tuple(int(last) + 1 for last in grid.last)
    held = np.zeros(shape)
    np.add.at(held, tuple(points.T), 1.0)
    size = [3 * side for side in shape]
    axes = tuple(range(len(shape)))
    transformed = np.fft.rfftn(held, size, axes)
    offsets = np.meshgrid(*(np.arange(-side + 1, side) for side in shape), indexing="ij")
    squared = np.sum([offset.astype(np.int64) ** 2 for offset in offsets], axis=0)
    middle = tuple(slice(side - 1, 2 * side - 1) for side in shape)
    counts, radii = [], squares(grid)
    for index, square in enumerate(radii):
        progress(index / len(radii), "counting points in balls")
        kernel = np.fft.rfftn((squared <= square).astype(np.float64), size, axes)
        counts.append(np.rint(np.fft.irfftn(transformed * kernel, size, axes)[middle]).ravel())
    return np.array(counts)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class InBalls(Located):
    """Points counted in all balls (private)."""

    finder: AllBalls
    task: Task
    counts: Floats

    @property
    def cost(self) -> int:
        return 4 * int(self.counts.shape[1])

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        task, grid = self.task, self.task.grid
        epsilon = {share.name: share.privacy.epsilon for share in self.finder.shares(task)}
        target = task.t - self.finder.slacks(task)["scale"] - 1
        heights = self.counts.max(axis=1)
        level = choose_crossing(heights, target, epsilon["scale"], rng, sensitivity=task.changes)
        radii = np.sqrt(np.array(squares(grid), dtype=np.float64)) * grid.step
        index = exponential_mechanism(self.counts[level], epsilon["center"], rng, sensitivity=task.changes)
        center = np.array(np.unravel_index(index, tuple(grid.last + 1)))
        ball = Ball.at(grid.points_at(center), radii[level])
        return SearchResult(ball, Crossing(radii, heights, target, level))

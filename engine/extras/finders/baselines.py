"""Finders for comparison: all balls around grid points, and thresholds on one column."""

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
    BallGuarantee,
    Crossing,
    Finder,
    Located,
    SearchResult,
    StepCosts,
    Task,
    choice,
    needs_points,
)
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.primitives import choose_crossing, exponential_mechanism, exponential_slack
from engine.primitives.accounting import of_pure
from engine.progress import Progress, silent
from engine.sampling.noise import LAPLACE, add_noise, noise_step
from engine.sampling.output_grid import outward

MAX_CENTERS = 1 << 15
"""Grid points around which all balls are counted, with some tens of radii each."""


class AllBalls(Finder):
    """All balls around points of the grid.

    1. A radius, by the exponential mechanism.  Radii halve from the diagonal down, and h_j is the number of
       points in the fullest ball of radius R_j.  The step chooses where h_j falls below t - G - 1, with its
       slack G.
    2. A center, by the exponential mechanism, among all points of the grid.

    Both scores have sensitivity 1.  With probability 1 - beta the fullest ball has at least t - 2 G - 1
    points, and no ball of the next smaller radius has t, so the radius is below twice the smallest one.

    Source: McSherry, Talwar 2007, as compared in Nissim, Stemmer, Vadhan 2016, Table 1: its time grows with
    the number of grid points, and it loses d ln |X| points.
    """

    name: ClassVar[str] = "balls"
    counts_in: ClassVar[str] = "balls"
    uses_delta: ClassVar[bool] = False
    label: ClassVar[str] = "All balls"
    summary: ClassVar[str] = "the exponential mechanism over balls around all grid points, for coarse grids"
    source: ClassVar[str] = "McSherry, Talwar 2007"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.4),
        "center": ("GoodCenter", 0.6),
    }
    costs: ClassVar[StepCosts] = {"scale": choice, "center": choice}

    def slacks(self, task: Task) -> dict[str, float]:
        """Return by how many points each step may miss, with probability 1 - beta/2 (public)."""
        candidates = {"scale": len(squares(task.grid)), "center": centers_of(task.grid)}
        return {
            share.name: exponential_slack(
                math.log(candidates[share.name]), share.privacy.epsilon, task.beta / 2, task.changes
            )
            for share in self.shares(task)
        }

    def guarantee(self, task: Task) -> BallGuarantee:
        slacks = self.slacks(task)
        loss = 2 * slacks["scale"] + 1 + slacks["center"]
        return BallGuarantee.of(task.t, loss, loss, 2.0)

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
                Problem("method", f"{grouped(centers)} grid points are too many for all balls; {advice}"),
            )
        return needs_points(task, self.guarantee(task).needed)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InBalls:
        return InBalls(self, task, count_in_balls(task.grid, points, progress=progress))


def centers_of(grid: DomainGrid) -> int:
    """Return the number of points of the grid (public)."""
    return math.prod(int(last) + 1 for last in grid.last)


def count_in_balls(grid: DomainGrid, points: Ints, *, progress: Progress = silent) -> Floats:
    """Return the number of points in each ball, by radius and grid point, shape (J + 1, centers).

    Counts are convolutions with the ball of a radius, by a Fourier transform; rounding makes them exact.
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
    """The numbers of points in all balls (private)."""

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


class Thresholds(Finder):
    """The shortest interval of one column.

    This finder releases a tree over the grid.  On each of L levels, intervals have 2^l points, and counts get
    Laplace noise of scale 2 L/epsilon.  The count of any interval between two grid points is a difference
    of two sums of at most L noisy counts.  By a Chernoff bound over all intervals its error is at most E,
    with probability 1 - beta.  The ball is the shortest interval whose noisy count is at least t - E, which
    is post-processing.  It is no longer than the shortest interval with t points, and holds t - 2 E.

    Source: query release for thresholds (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011), as
    compared in Nissim, Stemmer, Vadhan 2016, Table 1.
    """

    name: ClassVar[str] = "thresholds"
    counts_in: ClassVar[str] = "balls"
    uses_delta: ClassVar[bool] = False
    label: ClassVar[str] = "Thresholds"
    summary: ClassVar[str] = "the shortest interval by a tree of noisy counts, for one column"
    source: ClassVar[str] = "Dwork, Naor, Pitassi, Rothblum 2010"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {"counts": ("Counts of all intervals", 1.0)}
    costs: ClassVar[StepCosts] = {"counts": lambda privacy: of_pure(privacy.epsilon)}

    def scale(self, task: Task) -> float:
        """Return the scale of the noise: one record changes two counts of each level."""
        [share] = self.shares(task)
        return outward(2 * task.changes * levels_of(task.grid) / share.privacy.epsilon)

    def error(self, task: Task) -> float:
        """Return E, the largest error of the count of any interval, with probability 1 - beta (public).

        A sum of k Laplace variables of scale b is above s with probability at most
        exp(-h s/b)/(1 - h^2)^k for every h in (0, 1).
        """
        scale, nodes = self.scale(task), 2 * levels_of(task.grid)
        points = int(task.grid.last[0]) + 1
        rarely = math.log(points * (points + 1) / task.beta)  # each interval, from above and from below
        h = np.linspace(0.01, 0.99, 99)
        bound = float(np.min((rarely - nodes * np.log1p(-(h**2))) / h))
        return outward(bound * scale + nodes * noise_step(scale) / 2)

    def guarantee(self, task: Task) -> BallGuarantee:
        loss = 2 * self.error(task)
        return BallGuarantee.of(task.t, loss, loss, 1.0)

    def problems(self, task: Task) -> tuple[Problem, ...]:
        d = task.grid.dimension
        if d > 1:
            message = f"thresholds need one column, not {d}"
            return (Problem("method", f"{message}; choose one column, or the method overlapping-cells"),)
        return needs_points(task, self.guarantee(task).needed)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InIntervals:
        held = np.bincount(points[:, 0], minlength=int(task.grid.last[0]) + 1)
        return InIntervals(self, task, held)


def levels_of(grid: DomainGrid) -> int:
    """Return L, the number of levels of the tree: log2 of the number of points, rounded up (public)."""
    return int(grid.last[0]).bit_length()


def sums_before(levels: list[Floats]) -> Floats:
    """Return the sums of the first i leaves, i = 0, 1, ..., from the levels of a tree, leaves first."""
    places = np.arange(len(levels[0]) + 1)
    total = np.zeros(len(places))
    for level, nodes in enumerate(levels):
        used = (places >> level) & 1 == 1
        total[used] += nodes[(places[used] >> level) - 1]
    if len(levels[-1]) == 2:
        total[-1] = levels[-1].sum()
    return total


def shortest(before: Floats, wanted: float) -> tuple[int, int] | None:
    """Return the first and last index of the shortest run with a sum of at least `wanted`, or None."""
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
    """The number of points at each grid point (private)."""

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
        """Return radii, and the number of points in the fullest interval of each radius (private)."""
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

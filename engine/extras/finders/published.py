"""GoodRadius and GoodCenter with the published constants, which need more points than real datasets have."""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.best import best
from engine.mechanisms.one_cluster.capped_counts import average_counts
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.in_boxes import heavy_box
from engine.mechanisms.one_cluster.search import (
    BallGuarantee,
    BoxPartition,
    Crossing,
    Finder,
    Located,
    SearchResult,
    Share,
    Task,
    needs_delta,
    needs_points,
)
from engine.mechanisms.one_cluster.tight_boxes import fullest_intervals, projected
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.primitives import (
    johnson_lindenstrauss,
    noisy_average,
    published_promise,
    random_rotation,
    rec_concave,
    stable_argmax,
)
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.noise import is_above
from engine.sampling.output_grid import outward


@dataclasses.dataclass(frozen=True)
class Constants:
    """The paper's constants; tests use others, which fit small datasets."""

    axes: float = 46.0  # the projection has dimension k = axes log2(2 n/beta)
    box: float = 300.0  # boxes have side box r
    slack: float = 100.0  # AboveThreshold looks for t - (slack/epsilon) log2(2 n/beta) points
    interval: float = 900.0  # intervals have length interval r sqrt(k ln(d n/beta)/d)
    promise: float = 1.0  # factor of RecConcave's published promise


class Published(Finder):
    """Algorithms 1 and 2 of the paper, with half of the budget each.

    GoodRadius finds a radius by RecConcave.  GoodCenter finds a center by boxes in a projection, intervals of
    a random rotation, and NoisyAVG.  RecConcave's promise alone needs t > 10^9 at epsilon = 1.  Below that,
    the first step of GoodRadius would always answer 0, so this method refuses and shows the t that it needs.

    Source: Nissim, Stemmer, Vadhan 2016, Algorithms 1 and 2.  The intervals are those of the later version,
    with sqrt(k) instead of k; the predicate of NoisyAVG is the ball around its center.
    """

    name: ClassVar[str] = "published"
    label: ClassVar[str] = "As published"
    summary: ClassVar[str] = "with the published constants, which need more than 10⁹ points"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Algorithms 1 and 2"

    def __init__(self, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()

    def shares(self, task: Task) -> tuple[Share, ...]:
        """Return the cost of each step; each of the two algorithms has half of the budget."""
        epsilon, delta = task.privacy.epsilon, task.privacy.delta
        return (
            Share("zero", "GoodRadius (zero)", Privacy(epsilon / 4)),
            Share("scale", "GoodRadius", Privacy(epsilon / 4, delta / 2)),
            Share("threshold", "AboveThreshold", Privacy(epsilon / 8)),
            Share("box", "GoodCenter (box)", Privacy(epsilon / 8, delta / 8)),
            Share("axes", "GoodCenter (axes)", Privacy(epsilon / 8, delta / 8)),
            Share("center", "NoisyAVG", Privacy(epsilon / 8, delta / 8)),
        )

    def promise(self, task: Task) -> float:
        """Return Γ, RecConcave's published promise for 2 |X| ceil(sqrt(d)) radii."""
        half = task.privacy.epsilon / 2, task.privacy.delta / 2
        scale = Privacy(half[0] / 2, half[1])
        return self.constants.promise * published_promise(
            number_of_radii(task.grid), scale, 0.5, task.beta / 2
        )

    def axes(self, task: Task) -> int:
        """Return k, the dimension of the projection."""
        return math.ceil(self.constants.axes * math.log2(2 * task.n / task.beta))

    def slack(self, task: Task) -> float:
        """Return the distance from t down to the threshold of AboveThreshold."""
        return self.constants.slack / (task.privacy.epsilon / 2) * math.log2(2 * task.n / task.beta)

    def losses(self, task: Task) -> dict[str, float]:
        """Return the t that each part needs for a useful answer (public).

        radius: 4 Γ + (4/epsilon) ln(2/beta).  box: the threshold with its slack on both sides, and the count
        of Theorem 2.5.  axes: the box's count plus twice that of Theorem 2.5, since the points of the box lie
        in two intervals of an axis.  center: the noise of NoisyAVG is below the radius r sqrt(k) with
        probability 1 - beta.
        """
        half, delta, beta = task.privacy.epsilon / 2, task.privacy.delta / 2, task.beta
        n, d, k = task.n, task.grid.dimension, self.axes(task)
        axis = half / (10 * math.sqrt(d * math.log(8 / delta))), delta / (8 * d)
        box = 2 * self.slack(task) + 8 / half * math.log(16 * n / (beta * delta))
        radius = 1.5 * self.constants.interval * math.sqrt(k * math.log(d * n / beta))
        noise = 16 * radius / (half / 4) * math.sqrt(2 * math.log(8 / (delta / 4)))
        length = math.sqrt(d) + math.sqrt(2 * math.log(1 / beta))
        return {
            "radius": 4 * self.promise(task) + 4 / half * math.log(2 / beta),
            "box": box,
            "axes": box + 2 * 2 / axis[0] * math.log(4 * n * d / (beta * axis[1])),
            "center": noise * length / math.sqrt(k),
        }

    def guarantee(self, task: Task) -> BallGuarantee:
        """Return the lemmas' promise: t - 4 Γ points less the loss of the box, within O(sqrt(log n))."""
        losses = self.losses(task)
        factor = 4 * 451 * math.sqrt(self.axes(task))
        return BallGuarantee.of(task.t, losses["radius"] + losses["box"], max(losses.values()), factor)

    def problems(self, task: Task) -> tuple[Problem, ...]:
        if task.changes > 1:
            return (
                Problem(
                    "method", "the published method needs data in which one person can change only one point"
                ),
            )
        if task.privacy.epsilon >= 16:
            return (
                Problem(
                    "epsilon", "NoisyAVG gets an eighth of epsilon and needs less than 2; use less than 16"
                ),
            )
        return needs_delta(task) or _refused(task, self.guarantee(task).needed)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InPrint:
        index = np.arange(number_of_radii(task.grid))[::-1]
        quality = average_counts(points, [int(i) ** 2 // 4 for i in index], task.t, progress=progress)[::-1]
        halves = average_counts(points, [int(i) ** 2 // 16 for i in index], task.t, progress=progress)[::-1]
        return InPrint(self, task, points, quality, halves)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class InPrint(Located):
    """Points with L(r, S) and L(r/2, S) at the radii 0, 1/2, 1, ... steps (private)."""

    finder: Published
    task: Task
    points: Ints
    quality: Floats
    halves: Floats

    @property
    def cost(self) -> int:
        return 10**9

    @cached_property
    def share(self) -> dict[str, Privacy]:
        """The cost of each step."""
        return {share.name: share.privacy for share in self.finder.shares(self.task)}

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        scale = self._radius(rng)
        return self._center(scale, scale.chosen / 2, rng, progress)

    def _radius(self, rng: np.random.Generator) -> Crossing:
        """Run GoodRadius, Algorithm 1."""
        t, promise = self.task.t, self.finder.promise(self.task)
        epsilon, beta = self.task.privacy.epsilon / 2, self.task.beta
        radii = np.arange(len(self.quality)) / 2 * self.task.grid.step
        at_least = t - 2 * promise - 4 / epsilon * math.log(2 / beta)
        if is_above(self.quality[0], outward(4 / epsilon), at_least, rng):
            return Crossing(radii, self.quality, t - 2 * promise, 0)
        # L is a multiple of the step of scores, and so is an integer: the score is exact
        score = np.minimum(t - self.halves, self.quality - t + math.ceil(4 * promise)) / 2
        chosen = rec_concave(score, promise, self.share["scale"], rng, alpha=0.5, beta=beta / 2)
        return Crossing(radii, self.quality, t - 2 * promise, chosen)

    def _center(
        self, scale: Crossing, radius: float, rng: np.random.Generator, progress: Progress
    ) -> SearchResult:
        """Run GoodCenter, Algorithm 2, for a radius in steps."""
        task, constants = self.task, self.finder.constants
        n, d, k, beta = task.n, task.grid.dimension, self.finder.axes(task), task.beta
        zero = radius == 0
        positions = self.points if zero else projected(self.points, johnson_lindenstrauss(d, k, rng))
        tries, index, why = heavy_box(
            positions.astype(np.float64),
            1.0 if zero else constants.box * radius,
            math.ceil(2 * n * math.log(1 / beta) / beta),
            task.t - self.finder.slack(task),
            self.share["threshold"].epsilon,
            self.share["box"],
            rng,
            progress=progress,
        )
        # no picture can show a partition along hundreds of axes, and there are thousands of partitions
        drawn = tuple(BoxPartition(task.grid, box.cells, box.side, box.side, box.shift) for box in tries[-1:])
        if index is None:
            return SearchResult(None, scale, drawn, why=why)
        if zero:
            return SearchResult(Ball.at(task.grid.points_at(index), 0.0), scale, drawn)
        width = constants.interval * radius * math.sqrt(k * math.log(d * n / beta) / d)
        members = self.points[tries[-1].holds(positions, index)]
        center = self._middle(members, width, rng)
        if center is None:
            return SearchResult(None, scale, drawn, why="no interval was clearly fuller than an empty one")
        extent = 1.5 * width * math.sqrt(d)
        offsets = members - center
        inside = np.square(offsets).sum(axis=1) <= extent**2
        offset = noisy_average(offsets, inside, extent, self.share["center"], rng)
        if offset is None:
            return SearchResult(None, scale, drawn, why="there seemed to be no points left for the mean")
        placed = task.grid.points_at(np.clip(np.rint(center + offset), 0, task.grid.last))
        size = 451 * radius * math.sqrt(k) * task.grid.step
        return SearchResult(Ball.at(placed, size), scale, drawn)

    def _middle(self, members: Ints, width: float, rng: np.random.Generator) -> Floats | None:
        """Return the middle of the intervals chosen on the axes of a random rotation (steps 8 to 10)."""
        d = members.shape[1]
        axes = self.task.privacy.epsilon / 2, self.task.privacy.delta / 2
        each = Privacy(axes[0] / (10 * math.sqrt(d * math.log(8 / axes[1]))), axes[1] / (8 * d))
        rotation = random_rotation(d, rng)
        middles = fullest_intervals(
            projected(members, rotation), width, lambda counts: stable_argmax(counts, each, rng)
        )
        return None if middles is None else rotation.T @ middles


def number_of_radii(grid: DomainGrid) -> int:
    """Return the number of radii: 0, 1/2, 1, ..., |X| ceil(sqrt(d)) steps."""
    return int(2 * 2**grid.bits * math.ceil(math.sqrt(grid.dimension))) + 1


def _refused(task: Task, needed: int) -> tuple[Problem, ...]:
    """Return the problem that t is too small for the constants at any n, if it is."""
    if task.t < needed:
        other = best(task.grid.dimension).guarantee(task).needed
        return (
            Problem(
                "t",
                f"the published constants need a t of at least {grouped(needed)}, not {grouped(task.t)}; "
                f"use the method auto, which promises a ball from t = {grouped(other)} on",
            ),
        )
    return needs_points(task, needed)

"""Randomly shifted boxes, the search for a cluster in them, and the finder "wide boxes"."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.cells import Cells, largest, merge_rows
from engine.mechanisms.one_cluster.radius import CandidateRadii, radius_slack, reach
from engine.mechanisms.one_cluster.search import (
    BallGuarantee,
    BoxPartition,
    Crossing,
    Finder,
    Located,
    SearchResult,
    StepCosts,
    Task,
    choice,
    mean,
    needs_delta,
    needs_points,
)
from engine.mechanisms.problem import Problem, problems_of
from engine.numerals import grouped
from engine.primitives import (
    SumCount,
    above_threshold,
    above_threshold_tight_slack,
    of_approximate,
    stability_needed,
    stability_slack,
    stability_threshold,
    stable_argmax,
)
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import public_generator
from engine.sampling.choice import up_to_grid

KEPT = 8
"""Number of partitions kept for pictures."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ShiftedBoxes:
    """A partition into boxes of equal sides with a random shift."""

    shift: Floats  # (k,), lower corner of the box with index 0
    side: float
    cells: Cells  # boxes that hold points, by index (private)

    @classmethod
    def drawn(cls, positions: Floats, side: float, rng: np.random.Generator) -> ShiftedBoxes:
        """Draw a shift that does not depend on the positions (n, k), and count these in the boxes."""
        shift = -public_generator(rng).uniform(np.zeros(positions.shape[1]), side)
        return cls(shift, side, counted(np.floor((positions - shift) / side).astype(np.int64)))

    def holds(self, positions: Floats | Ints, index: Ints) -> Bools:
        """Return which positions (n, k) lie in the box with an index, shape (n,)."""
        inside: Bools = (np.floor((positions - self.shift) / self.side) == index).all(axis=1)
        return inside


def counted(indices: Ints) -> Cells:
    """Return the boxes of these indices (n, k), with the number of points in each."""
    if not len(indices):
        return Cells(indices, np.zeros(0, dtype=np.int64))
    relative = indices - indices.min(axis=0)
    cells = merge_rows(relative, np.ones(len(indices), dtype=np.int64), relative.max(axis=0) + 1)
    return Cells(cells.corners + indices.min(axis=0), cells.counts)


def heavy_box(
    positions: Floats,
    side: float,
    rounds: int,
    threshold: float,
    epsilon: float,
    privacy: Privacy,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> tuple[tuple[ShiftedBoxes, ...], Ints | None, str]:
    """Draw partitions until one seems to have a box with enough points, and choose its fullest box.

    Return the last partitions, the index of the box (None if not found), and the reason if not found.
    `threshold` and `rounds` are public; AboveThreshold over all rounds costs `epsilon`, the choice `privacy`.

    Source: Nissim, Stemmer, Vadhan 2016, Algorithm 2 (GoodCenter), steps 2 to 7.
    """
    tries: deque[ShiftedBoxes] = deque(maxlen=KEPT)

    def fullest() -> Iterator[float]:
        for here in each(rounds, progress):
            here(0.5)
            tries.append(ShiftedBoxes.drawn(positions, side, rng))
            yield largest(tries[-1].cells.counts)

    if above_threshold(fullest(), threshold, epsilon, rng) is None:
        return tuple(tries), None, f"none of {grouped(rounds)} partitions had a box that seemed full enough"
    cells = tries[-1].cells
    chosen = stable_argmax(cells.counts, privacy, rng) if len(cells.counts) else -1
    if chosen < 0:
        return tuple(tries), None, "no box was clearly fuller than an empty one"
    return tuple(tries), cells.corners[chosen], ""


def chance(side: float, width: float, dimension: int) -> float:
    """Return the probability that a set of at most this width along d axes fits into one box."""
    return max(0.0, 1 - width / side) ** dimension


def rounds_for(chance: float, beta: float) -> int:
    """Return the number of independent tries that all fail with probability at most beta."""
    return max(1, math.ceil(math.log(beta) / math.log1p(-min(chance, 1 - 1e-12))))


@dataclasses.dataclass(frozen=True)
class ClusterRegion:
    """Center (public) and extent, in steps, of the region of the cluster once a box is chosen.

    `extent` is the radius of a ball, or the half-widths of a box, shape (d,).
    """

    center: Floats
    extent: float | Floats


class InBoxes(Finder, abc.ABC):
    """Base class of finders that choose a radius, then a randomly shifted box, then the mean in it."""

    parts: ClassVar[Mapping[str, tuple[str, float]]]
    with_delta: ClassVar[Mapping[str, float]]
    costs: ClassVar[StepCosts] = {
        "scale": choice,
        "threshold": of_approximate,
        "box": of_approximate,
        "center": mean,
        "reach": choice,
    }

    @abc.abstractmethod
    def side(self, radius: float, dimension: int) -> float:
        """Return the side of boxes for balls of a radius, both in steps."""

    @abc.abstractmethod
    def fits(self, task: Task) -> float:
        """Return a lower bound on the probability that the cluster fits into one box of a partition."""

    def failing(self, task: Task) -> float:
        """Return the failure probability of each step, an equal part of beta.

        The steps are scale, threshold, box and reach (if used); a further part is for no fit in any try.
        """
        return task.beta / (1 + len({"scale", "threshold", "box", "reach"} & set(self.parts)))

    def rounds(self, task: Task) -> int:
        """Return the largest number of partitions to draw."""
        return rounds_for(self.fits(task), self.failing(task))

    def losses(self, task: Task) -> dict[str, float]:
        """Return how many of t points each step may lose, except with probability `failing` (public)."""
        of = {share.name: share.privacy for share in self.shares(task)}
        failing = self.failing(task)
        loss = {
            "scale": 2 * radius_slack(task.grid, of["scale"].epsilon, failing),
            "threshold": 2 * above_threshold_tight_slack(self.rounds(task), of["threshold"].epsilon, failing),
            "box": 2 * stability_slack(task.n, of["box"], failing),
        }
        return {step: up_to_grid(lost) for step, lost in loss.items()}

    def guarantee(self, task: Task) -> BallGuarantee:
        losses = self.losses(task)
        [box] = [share.privacy for share in self.shares(task) if share.name == "box"]
        stable = losses["scale"] + losses["threshold"] + stability_needed(task.n, box, self.failing(task))
        last = self.loss_of_reach(task)
        return BallGuarantee.of(task.t, sum(losses.values()) + last, stable, self.factor(task))

    def least(self, task: Task) -> int:
        """Return one more than the first step may lose, so that it can tell t points from none."""
        return int(self.losses(task)["scale"]) + 1

    def loss_of_reach(self, task: Task) -> float:
        """Return how many points the last step may miss; 0 without such a step."""
        return 0.0

    @abc.abstractmethod
    def factor(self, task: Task) -> float:
        """Return the largest ratio of the ball's radius to the smallest radius."""

    def problems(self, task: Task) -> tuple[Problem, ...]:
        """Refuse more than one changed point, a delta of 0, and a t that the first step uses up."""
        if task.changes > 1:
            return (
                Problem(
                    "method",
                    f"boxes need data in which one person changes one point, not {task.changes}; "
                    "choose disjoint blocks",
                ),
            )
        problems = needs_delta(task) or needs_points(task, self.least(task))
        [box] = [share.privacy for share in self.shares(task) if share.name == "box"]
        return problems or problems_of(stability_threshold, box)

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> Boxed:
        return Boxed(self, task, points, CandidateRadii.of(task.grid, points, task.t, progress=progress))

    def positions(self, points: Ints, rng: np.random.Generator) -> Floats:
        """Return the points in the space of the boxes."""
        return points.astype(np.float64)

    def cell(
        self,
        located: Boxed,
        box: ShiftedBoxes,
        index: Ints,
        members: Ints,
        radius: float,
        rng: np.random.Generator,
    ) -> ClusterRegion | None:
        """Return the region of the members of the chosen box: by default, the box within the domain."""
        start = index * box.side + box.shift
        low, high = np.maximum(start, 0), np.minimum(start + box.side, located.task.grid.last)
        return ClusterRegion((low + high) / 2, np.maximum((high - low) / 2, 0))

    @abc.abstractmethod
    def ball(
        self, located: Boxed, center: Floats, cell: ClusterRegion, rng: np.random.Generator
    ) -> tuple[float, Crossing | None]:
        """Return the radius of the released ball in the unit of the data, and the choice behind it."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Boxed(Located):
    """Points with L(r, S) at all candidate radii (private)."""

    finder: InBoxes
    task: Task
    points: Ints
    radii: CandidateRadii

    @property
    def cost(self) -> int:
        return 20 * self.finder.rounds(self.task) * self.points.size

    @cached_property
    def share(self) -> dict[str, Privacy]:
        """Budget of each step."""
        return {share.name: share.privacy for share in self.finder.shares(self.task)}

    @cached_property
    def losses(self) -> dict[str, float]:
        """Number of points that each step may lose."""
        return self.finder.losses(self.task)

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        grid, finder, losses = self.task.grid, self.finder, self.losses
        scale = self.radii.choose(self.share["scale"].epsilon, finder.failing(self.task), rng)
        radius = float(scale.radii[scale.chosen]) / grid.step
        single = radius < 1
        positions = self.points.astype(np.float64) if single else finder.positions(self.points, rng)
        tries, index, why = heavy_box(
            positions,
            1.0 if single else finder.side(radius, positions.shape[1]),
            finder.rounds(self.task),
            self.task.t - losses["scale"] - losses["threshold"] / 2,
            self.share["threshold"].epsilon,
            self.share["box"],
            rng,
            progress=progress,
        )
        drawn = tuple(BoxPartition(grid, box.cells, box.side, box.side, box.shift) for box in tries)
        if index is None:
            return SearchResult(None, scale, drawn, why=why)
        drawn = (*drawn[:-1], dataclasses.replace(drawn[-1], chosen=index))
        if single:
            return SearchResult(Ball.at(grid.points_at(index), 0.0), scale, drawn)
        box = tries[-1]
        members = self.points[box.holds(positions, index)]
        cell = finder.cell(self, box, index, members, radius, rng)
        if cell is None:
            return SearchResult(None, scale, drawn, why="no interval was clearly fuller than an empty one")
        center = self._mean(members, cell, rng)
        size, crossing = finder.ball(self, center, cell, rng)
        return SearchResult(Ball.at(grid.points_at(center), size), scale, drawn, crossing)

    def _mean(self, members: Ints, cell: ClusterRegion, rng: np.random.Generator) -> Floats:
        offsets = members - cell.center
        diameter = 2 * float(np.linalg.norm(cell.extent))
        if np.ndim(cell.extent) == 0:
            offsets = offsets[np.square(offsets).sum(axis=1) <= float(cell.extent) ** 2]
        noisy = SumCount.of(max(diameter, 1e-9), self.share["center"])
        mean = cell.center + noisy.release(offsets, cell.extent, rng)
        # round to the grid: no digit of the noise beyond the public resolution is released
        return np.clip(np.rint(mean), 0, self.task.grid.last)

    def reached(self, center: Floats, far: float, rng: np.random.Generator) -> Crossing:
        """Choose the distance from the center that holds the target number of points."""
        target = max(self.task.t / 2, self.task.t - sum(self.losses.values()))
        return reach(self.task.grid, self.points, center, far, target, self.share["reach"].epsilon, rng)


def farthest(center: Floats, cell: ClusterRegion) -> float:
    """Return the largest distance from a point to any point of a region."""
    from_center = np.abs(center - cell.center)
    return (
        float(np.linalg.norm(from_center + cell.extent))
        if np.ndim(cell.extent)
        else float(np.linalg.norm(from_center) + cell.extent)
    )


class WideBoxes(InBoxes):
    """Finds the ball with wide, randomly shifted boxes.

    1. The exponential mechanism chooses a radius r_j = sqrt(d) 2^-j at which L(r, S) falls below t - 2 G.
       It is at most four times that of the smallest ball with t points.
    2. Boxes of side 4 d r are shifted randomly until one is full, by AboveThreshold.
    3. A stability histogram chooses the fullest box.
    4. Noisy sum and count of its points give the center; the ball reaches the farthest corner of the box.

    A ball of radius r fits into a box with probability (1 - 1/(2 d))^d, at least 1/2.  There is no projection
    and no rotation: the box itself bounds the points.  The price is a radius of up to 16 d sqrt(d) times the
    smallest.

    Source: derived for this program from Algorithms 1 and 2 of Nissim, Stemmer, Vadhan 2016.
    """

    name: ClassVar[str] = "wide-boxes"
    label: ClassVar[str] = "Wide boxes"
    summary: ClassVar[str] = "the published steps: a radius, randomly shifted boxes, the mean in one"

    source: ClassVar[str] = "After Nissim, Stemmer, Vadhan 2016, Algorithms 1 and 2"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.25),
        "threshold": ("AboveThreshold", 0.25),
        "box": ("GoodCenter (box)", 0.25),
        "center": ("NoisyAVG", 0.25),
    }
    with_delta: ClassVar[Mapping[str, float]] = {"box": 0.5, "center": 0.5}

    def side(self, radius: float, dimension: int) -> float:
        return 4 * dimension * radius

    def fits(self, task: Task) -> float:
        d = task.grid.dimension
        return chance(self.side(1.0, d), 2.0, d)

    def factor(self, task: Task) -> float:
        d = task.grid.dimension
        return 4 * self.side(1.0, d) * math.sqrt(d)

    def ball(
        self, located: Boxed, center: Floats, cell: ClusterRegion, rng: np.random.Generator
    ) -> tuple[float, Crossing | None]:
        return farthest(center, cell) * located.task.grid.step, None

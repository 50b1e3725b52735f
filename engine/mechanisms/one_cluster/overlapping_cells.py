"""The finder "overlapping cells": the fullest of overlapping dyadic cells, its mean, and a radius."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.free_memory import MemoryNeeded
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.cells import (
    COUNTING,
    LARGEST_CODE,
    Cells,
    add_to_previous,
    bounds,
    largest,
    log_cells,
    merge_rows,
    number_of_cells,
    overlapping,
    shift,
    side,
    sort_codes,
    strides_of,
)
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.radius import reach, reach_slack
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
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.primitives import SumCount, choose_crossing, exponential_mechanism, exponential_slack
from engine.progress import Progress, silent

# The count of the fullest cell does not need a list of the cells.  Levels with few cells are counted in an
# array, from which the array of each coarser level follows.  Levels with many cells are sorted by code, and
# cells are added up only where the fullest one can be.

PER_POINT = 2
"""A level with at most this many cells per point is counted in an array."""

MIN_CELLS = 1 << 16
"""A level with at most this many cells is always counted in an array."""


def heights_of(grid: DomainGrid, points: Ints, *, progress: Progress = silent) -> Ints:
    """Return the number of points in the fullest cell of each level, coarsest first (private)."""
    levels = grid.bits + 2
    if not len(points):
        return np.zeros(levels, dtype=np.int64)
    most = max(PER_POINT * len(points), MIN_CELLS)
    heights, counted = [], None
    for level in range(levels - 1, -1, -1):
        progress((levels - 1 - level) / levels, COUNTING)
        sizes = number_of_cells(grid, level)
        cells = math.prod(map(int, sizes))
        if cells > LARGEST_CODE:
            heights.append(largest(overlapping(grid, points, level, progress=progress).counts))
        elif level == levels - 1:
            heights.append(largest(sort_codes(points, sizes)[1]))
        elif cells > most:
            heights.append(_fullest_of_many(points >> shift(grid, level), sizes, progress))
        else:
            base = sizes - 1
            counted = _counted(points >> shift(grid, level), base) if counted is None else _halve(counted)
            heights.append(_fullest_of_few(counted))
    progress(1.0, COUNTING)
    return np.array(heights[::-1])


def memory_of_heights(grid: DomainGrid, n: int) -> int:
    """Estimate the bytes that `heights_of` needs for n points (public), including the points."""
    numbers = 3 * grid.dimension + 4
    if math.prod(map(int, number_of_cells(grid, grid.bits))) > LARGEST_CODE:
        numbers = 3 * (grid.dimension + 1) << grid.dimension
    return 8 * numbers * n


def _fullest_of_few(counts: NDArray[np.int32]) -> int:
    """Return the count of the fullest cell from the counts of all base cells."""
    for axis in range(counts.ndim):
        nothing = np.zeros_like(counts.take([0], axis))
        counts = np.concatenate([counts, nothing], axis) + np.concatenate([nothing, counts], axis)
    return int(counts.max())


def _counted(corners: Ints, sizes: Ints) -> NDArray[np.int32]:
    """Return the number of points in each base cell."""
    codes = corners @ np.array(strides_of(sizes))
    return np.bincount(codes, minlength=int(sizes.prod())).astype(np.int32).reshape(tuple(sizes))


def _halve(counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the counts of cells of twice the width."""
    for axis, size in enumerate(counts.shape):
        counts = np.add.reduceat(counts, np.arange(0, size, 2), axis)
    return counts


def _fullest_of_many(corners: Ints, sizes: Ints, progress: Progress) -> int:
    """Return the count of the fullest cell from the nonempty base cells.

    A cell consists of two halves, neighbours along the first axis.  If it holds more than the fullest half,
    one of its halves has more than half of that count.
    """
    strides = strides_of(sizes)
    codes, counts = sort_codes(corners + 1, sizes)
    for stride in strides[1:-1]:
        progress(0.0, COUNTING)
        codes, counts = add_to_previous(codes, counts, stride)
    progress(0.0, COUNTING)
    first = np.append(True, codes[1:] - codes[:-1] != 1)  # True where no cell has the code before
    pairs = counts.copy()
    pairs[:-1] += counts[1:] * ~first[1:]
    half = int(pairs.max())
    if len(strides) == 1:
        return half
    heavy = np.flatnonzero(2 * pairs > half)
    alone = np.flatnonzero((2 * counts > half) & first)
    halves = np.concatenate([codes[heavy], codes[alone] - 1])
    halves_hold = np.concatenate([pairs[heavy], counts[alone]])
    height = half
    for stride in (strides[0], -strides[0]):
        progress(0.0, COUNTING)
        others = _held(codes, counts, halves + stride) + _held(codes, counts, halves + stride + 1)
        height = max(height, largest(halves_hold + others))
    return height


def _held(codes: Ints, counts: Ints, wanted: Ints) -> Ints:
    """Return the counts of the cells with the wanted codes; `codes` of the nonempty cells are sorted."""
    places = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[places] == wanted, counts[places], 0)


LEVELS_KEPT = 4
"""Levels to keep in memory; each may be several times as large as the data."""


class DyadicCells:
    """Points of a grid, counted in the cells of every level.

    Level 0 is the coarsest.  At level `bits` cells are two grid points wide, and at the last level,
    `bits` + 1, a cell is a single grid point.
    """

    def __init__(self, grid: DomainGrid, points: Ints, progress: Progress = silent) -> None:
        self.grid = grid
        # (bits + 2,), number of points in the fullest cell of each level, never increasing (private)
        self.heights = heights_of(grid, points, progress=progress)
        self._points = points
        self._kept: dict[int, Cells] = {}

    @property
    def levels(self) -> int:
        """Number of levels, bits + 2."""
        return self.grid.bits + 2

    def cells(self, level: int, progress: Progress = silent) -> Cells:
        """Return the nonempty cells of a level."""
        if level not in self._kept:
            while len(self._kept) >= LEVELS_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[level] = overlapping(self.grid, self._points, level, progress=progress)
        return self._kept[level]


MAX_DIMENSIONS = 8
"""Largest number of columns; each point lies in 2^d cells."""

MAX_CELLS = 1 << 26
"""Largest number of cells that may hold points at one level; each takes some tens of bytes."""

DRAWN = 64
"""Cells to draw at once, until one of them is empty."""


class OverlappingCells(Finder):
    """Finds the ball with overlapping dyadic cells.

    1. The exponential mechanism chooses the level j at which h_j = max_v |S in C_{j,v}| falls below t - G.
       With its slack G, h_j >= t - 2 G and h_{j+1} <= t.
    2. The exponential mechanism chooses a cell among all cells of that level.
    3. Noisy sum and count of the points in the cell give the center.
    4. The exponential mechanism chooses the distance from the center that holds the target number of points.

    All scores have sensitivity 1.  A ball of radius r lies inside a cell of side 4 r.  With probability
    1 - beta, the side of the chosen cell is below 8 times the radius of the smallest ball with t points.  It
    then holds at least t points minus 2 G and the slack of step 2.

    Source: derived for this program, instead of Algorithms 1 and 2 of Nissim, Stemmer, Vadhan
    2016, whose constants need t > 10^9.
    """

    name: ClassVar[str] = "overlapping-cells"
    counts_in: ClassVar[str] = "cells"
    label: ClassVar[str] = "Overlapping cells"
    summary: ClassVar[str] = "the fullest of overlapping cubes, then its mean: up to six dimensions"
    source: ClassVar[str] = "In place of Nissim, Stemmer, Vadhan 2016, Algorithms 1 and 2"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.25),
        "box": ("GoodCenter (cell)", 0.35),
        "center": ("NoisyAVG", 0.2),
        "reach": ("Radius", 0.2),
    }
    with_delta: ClassVar[Mapping[str, float]] = {"center": 1.0}
    costs: ClassVar[StepCosts] = {"scale": choice, "box": choice, "center": mean, "reach": choice}

    def slacks(self, task: Task) -> dict[str, float]:
        """Return how many points each step may miss, except with a third of beta each (public)."""
        epsilon = {share.name: share.privacy.epsilon for share in self.shares(task)}
        third, grid = task.beta / 3, task.grid
        slack = {
            "scale": exponential_slack(math.log(grid.bits + 2), epsilon["scale"], third, task.changes),
            "box": exponential_slack(
                max(log_cells(grid, level) for level in (grid.bits, grid.bits + 1)),
                epsilon["box"],
                third,
                task.changes,
            ),
        }
        if "reach" in epsilon:
            far = 2.0 ** (grid.bits + 1) * math.sqrt(grid.dimension)
            slack["reach"] = reach_slack(far, epsilon["reach"], third, task.changes)
        return slack

    def guarantee(self, task: Task) -> BallGuarantee:
        """Return t minus the slacks, within 8 sqrt(d) times the smallest radius."""
        slacks = self.slacks(task)
        cell = loss_of_cell(slacks)
        return BallGuarantee.of(
            task.t, cell + slacks.get("reach", 0.0), cell, 8 * math.sqrt(task.grid.dimension)
        )

    def least(self, task: Task) -> int:
        """Return one more than the choice of the cell may lose, so that the cell holds a point."""
        return math.floor(loss_of_cell(self.slacks(task))) + 1

    def problems(self, task: Task) -> tuple[Problem, ...]:
        """Refuse too many columns or cells, a delta of 0, and a t that the slacks use up."""
        d = task.grid.dimension
        if d > MAX_DIMENSIONS:
            return (
                Problem(
                    "method",
                    f"{d} dimensions have too many overlapping cells; use at most {MAX_DIMENSIONS}, "
                    "or the method tight-boxes",
                ),
            )
        if task.n << d > MAX_CELLS:
            return (
                Problem(
                    "method",
                    f"overlapping cells of {grouped(task.n)} records in {d} dimensions need too much memory; "
                    "use the method tight-boxes",
                ),
            )
        return needs_delta(task) or needs_points(task, self.least(task))

    def memory(self, grid: DomainGrid, n: int) -> MemoryNeeded:
        return MemoryNeeded(
            memory_of_heights(grid, n), "use a part of the records, or the method tight-boxes"
        )

    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> InCells:
        return InCells(self, task, points, DyadicCells(task.grid, points, progress))


class CenterOnly(OverlappingCells):
    """Overlapping cells without the last step, for uses that need the center only."""

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.3),
        "box": ("GoodCenter (cell)", 0.4),
        "center": ("NoisyAVG", 0.3),
    }


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class InCells(Located):
    """Points counted in the cells of all levels (private)."""

    finder: OverlappingCells
    task: Task
    points: Ints
    dyadic: DyadicCells

    @property
    def cost(self) -> int:
        return 4 * self.points.size

    @cached_property
    def _epsilon(self) -> dict[str, float]:
        return {share.name: share.privacy.epsilon for share in self.finder.shares(self.task)}

    @cached_property
    def _rho(self) -> float:
        [center] = [share.privacy for share in self.finder.shares(self.task) if share.name == "center"]
        return SumCount.of(1.0, center).rho

    @cached_property
    def _slacks(self) -> dict[str, float]:
        return self.finder.slacks(self.task)

    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        grid = self.task.grid
        target = self.task.t - self._slacks["scale"]
        heights = self.dyadic.heights
        level = choose_crossing(heights, target, self._epsilon["scale"], rng, sensitivity=self.task.changes)
        scale = Crossing(self._radii, heights.astype(np.float64), target, level)
        cells = self.dyadic.cells(level, progress)
        progress(1.0)
        corner = self._corner(level, cells, rng)
        single = level == grid.bits + 1
        low, high = bounds(grid, level, corner)
        partition = BoxPartition(
            grid,
            cells,
            side(grid, level),
            1 if single else 2 * side(grid, level),
            # a cell begins half a step before its first grid point
            np.full(grid.dimension, -0.5),
            corner,
        )
        if single:
            return SearchResult(Ball.at(grid.points_at(low), 0.0), scale, (partition,))
        progress(1.0)
        center = self._mean(low, high, rng)
        progress(1.0)
        if "reach" not in self._epsilon:
            radius = float(np.linalg.norm(high - low))
            return SearchResult(Ball.at(grid.points_at(center), radius * grid.step), scale, (partition,))
        far = float(np.linalg.norm(np.maximum(high - center, center - low)))
        wanted = max(self.task.t / 2, self.task.t - loss_of_cell(self._slacks))
        crossing = reach(
            grid, self.points, center, far, wanted, self._epsilon["reach"], rng, self.task.changes
        )
        ball = Ball.at(grid.points_at(center), crossing.radii[crossing.chosen])
        return SearchResult(ball, scale, (partition,), crossing)

    @cached_property
    def _radii(self) -> Floats:
        """For each level, the radius of balls that always lie inside one of its cells."""
        grid = self.task.grid
        radii = np.array([side(grid, level) / 2 for level in range(grid.bits + 2)])
        radii[-1] = 0.0
        return radii * grid.step

    def _corner(self, level: int, cells: Cells, rng: np.random.Generator) -> Ints:
        """Choose one of all cells of a level by its count."""
        epsilon = self._epsilon["box"]
        heights, how_many = cells.heights
        empty = math.prod(map(int, number_of_cells(self.task.grid, level))) - len(cells.counts)
        index = exponential_mechanism(
            heights, epsilon, rng, sensitivity=self.task.changes, weights=how_many, others=empty
        )
        if index == len(heights):
            return empty_cell(self.task, level, cells, rng)
        order, starts = cells.by_count
        corner: Ints = cells.corners[order[starts[index] + rng.integers(how_many[index])]]
        return corner

    def _mean(self, low: Floats, high: Floats, rng: np.random.Generator) -> Floats:
        """Release the mean of the points in a cell, clamped to the domain and rounded to the grid."""
        # no digit of the noise beyond the public resolution is released
        return np.rint(self._noisy_mean(low, high, rng))

    def _noisy_mean(self, low: Floats, high: Floats, rng: np.random.Generator) -> Floats:
        low, high = np.maximum(low, 0), np.minimum(high, self.task.grid.last)
        middle, half = (low + high) / 2, (high - low) / 2
        inside = ((self.points >= low) & (self.points <= high)).all(axis=1)
        noisy = SumCount.of_rho(
            max(1.0, 2 * float(np.linalg.norm(half))), self._rho, changes=self.task.changes
        )
        return middle + noisy.release(self.points[inside] - middle, half, rng)


def loss_of_cell(slacks: Mapping[str, float]) -> float:
    """Return how many of t points the chosen cell may miss: two slacks of the level, one of the choice."""
    return 2 * slacks["scale"] + slacks["box"]


def empty_cell(task: Task, level: int, cells: Cells, rng: np.random.Generator) -> Ints:
    """Draw one of the empty cells of a level, all equally probable."""
    sizes, least = number_of_cells(task.grid, level), 0 if level == task.grid.bits + 1 else -1
    while True:
        drawn = least + rng.integers(0, sizes, (DRAWN, task.grid.dimension))
        corners, counts = np.concatenate([cells.corners, drawn]), np.pad(cells.counts, (0, DRAWN))
        together = merge_rows(corners, counts, sizes, least)
        empty = together.corners[together.counts == 0]
        if len(empty):
            cell: Ints = empty[rng.integers(len(empty))]
            return cell

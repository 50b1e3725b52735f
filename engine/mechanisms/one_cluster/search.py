"""What ways of finding a ball are asked, what their steps may cost, and what they return."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.free_memory import MemoryNeeded
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.cells import Cells
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.problem import Problem
from engine.numerals import grouped, short
from engine.primitives import Concentrated, SumCount, compose, of_approximate, of_exponential, worst
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.output_grid import outward

StepCosts = Mapping[str, Callable[[Privacy], Concentrated]]
"""What each step costs of its share, by the name of the step."""


@dataclasses.dataclass(frozen=True)
class Share:
    """What one step may cost, and what it is for."""

    name: str
    label: str
    privacy: Privacy


def choice(privacy: Privacy) -> Concentrated:
    """Return the cost of a choice by the exponential mechanism."""
    return of_exponential(privacy.epsilon)


def mean(privacy: Privacy) -> Concentrated:
    """Return the cost of a noisy sum and count, of any cell: Gaussian noise needs no delta here."""
    return SumCount.of(1.0, privacy).cost


def shared(
    privacy: Privacy, parts: Mapping[str, tuple[str, float]], with_delta: Mapping[str, float]
) -> tuple[Share, ...]:
    """Split a budget: epsilon by the second entries of `parts`, delta by `with_delta`.

    Shares are less by more than they are rounded, so that they do not add up to more than the whole.
    """
    whole = outward(1.0)
    return tuple(
        Share(
            name,
            label,
            Privacy(privacy.epsilon * share / whole, privacy.delta * with_delta.get(name, 0.0) / whole),
        )
        for name, (label, share) in parts.items()
    )


@dataclasses.dataclass(frozen=True)
class Task:
    """What is sought, all of it public."""

    grid: DomainGrid  # the finite domain
    n: int  # number of records
    t: int  # how many points the ball is to hold
    privacy: Privacy  # what all steps together may cost
    beta: float  # probability with which what is promised may fail
    changes: int = 1  # how many of the points one person can change


@dataclasses.dataclass(frozen=True)
class BallGuarantee:
    """What theory promises of a task, with probability 1 - beta (public).

    Points are taken as rounded to the grid, and radii as those of balls around grid points.
    """

    promised: float  # so many points, at least, are in the ball; 0 where nothing is promised
    needed: int  # the smallest t of which anything is promised
    factor: float  # the radius is at most this times that of the smallest ball that holds t points

    @classmethod
    def of(cls, t: int, loss: float, needed: float, factor: float) -> BallGuarantee:
        """Return the promise of t - `loss` points, made of t above both `loss` and `needed`."""
        least = max(loss, needed)
        return cls(t - loss if t > least else 0.0, math.floor(least) + 1, factor)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Crossing:
    """A choice of one radius among many, by where counts fall below a target."""

    radii: Floats  # shape (J,); public, in the unit of the data, decreasing
    counts: Floats  # shape (J,); how many points each radius is good for (private)
    target: float  # public
    chosen: int  # the place of the choice


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BoxPartition:
    """Boxes as they were drawn, and the one that was chosen."""

    grid: DomainGrid
    cells: Cells  # those that hold points, by index (private)
    # From one box to the next, and how wide each is, in steps
    spacing: float
    width: float
    shift: Floats  # shape (d,); where the box of index 0 begins, in steps
    chosen: Ints | None = None  # shape (d,), or None; index of the box that won

    def bounds(self, corners: Ints) -> tuple[Floats, Floats]:
        """Return the corners of boxes (m, d), lower and upper, in the unit of the data.

        Boxes that were drawn in a projection have none in the space of the data.
        """
        low = corners * self.spacing + self.shift
        return self.grid.unclamped(low), self.grid.unclamped(low + self.width)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """What one run has found; everything but the ball is private."""

    ball: Ball | None  # what is released; None where the run has failed
    scale: Crossing  # the first step: at which radius L(r, S), or the fullest cell, falls below t
    # The last partitions in the order in which they were drawn; the very last was chosen from
    tries: tuple[BoxPartition, ...] = ()
    reach: Crossing | None = None  # the last step: how far from the center enough points are
    why: str = ""  # why there is no ball


LocatedT = TypeVar("LocatedT", bound="Located")


class Located(abc.ABC):
    """Points with all that a way of finding needs to know of them (private); can be run many times."""

    diagnosed: Mapping[str, object]
    task: Task

    def with_task(self: LocatedT, task: Task) -> LocatedT:
        """Return what is known of the points, ready to be searched with another budget."""
        return dataclasses.replace(self, task=task)  # type: ignore[type-var]

    @abc.abstractmethod
    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        """Find a ball."""

    @property
    @abc.abstractmethod
    def cost(self) -> int:
        """How many numbers a run looks at, for pacing."""


class Finder(abc.ABC):
    """A way of finding a ball; its registry is `engine.mechanisms.one_cluster.finders.FINDERS`."""

    family: ClassVar[str] = "finder"
    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    in_cells: ClassVar[bool] = False
    """Whether the first step counts points in cells, the same for every t, and not L(r, S)."""
    uses_delta: ClassVar[bool] = True
    """Whether any step spends delta."""
    parts: ClassVar[Mapping[str, tuple[str, float]]] = {}
    """What each step is for, and its share of epsilon, by its name."""
    with_delta: ClassVar[Mapping[str, float]] = {}
    """The share of delta of each step that spends any."""
    costs: ClassVar[StepCosts] = {}
    """What each step costs of its share, by its name."""

    def shares(self, task: Task) -> tuple[Share, ...]:
        """Return what each step costs; together they cost what the task may."""
        return shared(task.privacy, self.parts, self.with_delta)

    @abc.abstractmethod
    def guarantee(self, task: Task) -> BallGuarantee:
        """Return what theory promises."""

    def budgets(self, privacy: Privacy) -> tuple[tuple[Share, ...], ...]:
        """Return all ways in which `shares` may split a budget by `parts`, whatever the dimension."""
        return (shared(privacy, self.parts, self.with_delta),) if self.parts else ()

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return what all steps cost together, in any dimension and however many outputs one person changes.

        Where nothing is said of single steps, it is what any step of this privacy costs.
        """
        ways = [compose(self.costs[one.name](one.privacy) for one in way) for way in self.budgets(privacy)]
        return worst(ways) if ways else of_approximate(privacy)

    def least(self, task: Task) -> int:
        """Return the smallest t that is not refused (public)."""
        return self.guarantee(task).needed

    @abc.abstractmethod
    def problems(self, task: Task) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone."""

    def memory(self, grid: DomainGrid, n: int) -> MemoryNeeded:
        """Return about how much memory `prepare` takes for n points of a grid."""
        return MemoryNeeded()

    @abc.abstractmethod
    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> Located:
        """Do everything that depends on the points, indices of the grid, shape (at most n, d)."""


MIN_DELTA = 1e-100
"""Promises divide by small shares of it and of the failure: all of that is a number still."""


def needs_delta(task: Task) -> tuple[Problem, ...]:
    """Refuse a delta of 0, or near 0: a mean with Gaussian noise needs one."""
    delta = task.privacy.delta
    if delta >= MIN_DELTA:
        return ()
    least = f"at least {short(MIN_DELTA)}" if delta else "above 0"
    return (
        Problem("delta", f"{short(delta)} is not possible for a 1-cluster; it must be {least} (say 1e-6)"),
    )


def needs_points(task: Task, needed: int) -> tuple[Problem, ...]:
    """Refuse a t above n, or too small for this budget."""
    if task.n < needed:
        message = (
            f"no t is possible with {_counted(task.n, 'record')}: a ball needs at least "
            f"{grouped(needed)} with this "
            "budget; use a larger epsilon or fewer grid steps"
        )
    elif task.t > task.n:
        message = (
            f"{grouped(task.t)} of {_counted(task.n, 'record')} are not possible; use at most "
            f"{grouped(task.n)} and at "
            f"least {grouped(needed)}"
        )
    elif task.t < needed:
        message = (
            f"{_counted(task.t, 'point')} {'is' if task.t == 1 else 'are'} too few to be found with this "
            f"budget; at least {grouped(needed)} are needed, or a larger epsilon, or fewer grid steps"
        )
    else:
        return ()
    return (Problem("t", message),)


def _counted(number: int, noun: str) -> str:
    return f"{grouped(number)} {noun}{'s' * (number != 1)}"

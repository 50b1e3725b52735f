"""The interface of finders: the task of a search, the costs of its steps, and its result."""

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
from engine.mechanisms.purposes import PURPOSES
from engine.numerals import grouped, short
from engine.primitives import Concentrated, SumCount, compose, of_approximate, of_exponential, worst
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.output_grid import outward

StepCosts = Mapping[str, Callable[[Privacy], Concentrated]]
"""Maps the name of each step to its zCDP cost as a function of its budget."""


@dataclasses.dataclass(frozen=True)
class Share:
    """Name, label and budget of one step."""

    name: str
    label: str
    privacy: Privacy

    @property
    def purpose(self) -> str:
        """Purpose of the step; its label if no purpose is known."""
        return PURPOSES.get(self.label, self.label)


def choice(privacy: Privacy) -> Concentrated:
    """Return the cost of a choice by the exponential mechanism."""
    return of_exponential(privacy.epsilon)


def mean(privacy: Privacy) -> Concentrated:
    """Return the cost of a noisy sum and count; their Gaussian noise is zCDP with delta = 0."""
    return SumCount.of(1.0, privacy).cost


def shared(
    privacy: Privacy, parts: Mapping[str, tuple[str, float]], with_delta: Mapping[str, float]
) -> tuple[Share, ...]:
    """Split a budget: epsilon by the second entries of `parts`, delta by `with_delta`.

    Shares are reduced by more than rounding errors, so that their sum does not exceed the whole.
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
    """The search for one ball; everything here is public."""

    grid: DomainGrid  # finite domain
    n: int  # number of records
    t: int  # target number of points in the ball
    privacy: Privacy  # budget of all steps together
    beta: float  # failure probability of the guarantee
    changes: int = 1  # number of points that one person can change


@dataclasses.dataclass(frozen=True)
class BallGuarantee:
    """The theoretical guarantee for a task, with probability 1 - beta (public).

    Points are rounded to the grid, and balls have grid points as centers.
    """

    promised: float  # smallest number of points in the ball; 0 if there is no guarantee
    needed: int  # smallest t with a guarantee
    factor: float  # largest ratio of the radius to that of the smallest ball with t points

    @classmethod
    def of(cls, t: int, loss: float, needed: float, factor: float) -> BallGuarantee:
        """Return the guarantee of t - `loss` points, if t exceeds both `loss` and `needed`."""
        least = max(loss, needed)
        return cls(t - loss if t > least else 0.0, math.floor(least) + 1, factor)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Crossing:
    """A choice of one radius, near the one at which counts fall below a target."""

    radii: Floats  # (J,), decreasing, in the unit of the data; public
    counts: Floats  # (J,), number of points for each radius (private)
    target: float  # public
    chosen: int  # index of the chosen radius


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BoxPartition:
    """Boxes as drawn, and the chosen one."""

    grid: DomainGrid
    cells: Cells  # boxes that hold points, by index (private)
    # Distance between neighbouring boxes, and width of a box, in steps
    spacing: float
    width: float
    shift: Floats  # (d,), lower corner of the box with index 0, in steps
    chosen: Ints | None = None  # (d,) or None, index of the chosen box

    def bounds(self, corners: Ints) -> tuple[Floats, Floats]:
        """Return the lower and upper corners of boxes (m, d), in the unit of the data.

        Not for boxes in a projection, which are no boxes in the space of the data.
        """
        low = corners * self.spacing + self.shift
        return self.grid.unclamped(low), self.grid.unclamped(low + self.width)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """Result of one run; everything but the ball is private."""

    ball: Ball | None  # released ball; None if the run failed
    scale: Crossing  # first step: radius at which L(r, S), or the count of the fullest cell, falls below t
    # Last partitions in the order of their draws; the box was chosen from the very last
    tries: tuple[BoxPartition, ...] = ()
    reach: Crossing | None = None  # last step: distance from the center that holds enough points
    why: str = ""  # why there is no ball


LocatedT = TypeVar("LocatedT", bound="Located")


class Located(abc.ABC):
    """Points prepared for a finder (private); can run many times."""

    diagnosed: Mapping[str, object]
    task: Task

    def with_task(self: LocatedT, task: Task) -> LocatedT:
        """Return a copy for the same points with another task, such as another budget."""
        return dataclasses.replace(self, task=task)  # type: ignore[type-var]

    @abc.abstractmethod
    def run(self, rng: np.random.Generator, progress: Progress = silent) -> SearchResult:
        """Find a ball."""

    @property
    @abc.abstractmethod
    def cost(self) -> int:
        """Numbers that a run reads, to choose batch sizes."""


class Finder(abc.ABC):
    """A method that finds a ball; `engine.mechanisms.one_cluster.finders.FINDERS` lists all."""

    family: ClassVar[str] = "finder"
    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    counts_in: ClassVar[str] = ""
    """Regions in which the first step counts points, for every t: cells or balls; "" for L(r, S)."""
    uses_delta: ClassVar[bool] = True
    """Whether any step spends delta."""
    parts: ClassVar[Mapping[str, tuple[str, float]]] = {}
    """Label and share of epsilon of each step, by name."""
    with_delta: ClassVar[Mapping[str, float]] = {}
    """Share of delta of each step that spends any, by name."""
    costs: ClassVar[StepCosts] = {}
    """zCDP cost of each step, by name."""

    def shares(self, task: Task) -> tuple[Share, ...]:
        """Return the budget of each step; together they are the budget of the task."""
        return shared(task.privacy, self.parts, self.with_delta)

    @abc.abstractmethod
    def guarantee(self, task: Task) -> BallGuarantee:
        """Return the theoretical guarantee."""

    def budgets(self, privacy: Privacy) -> tuple[tuple[Share, ...], ...]:
        """Return all ways to split a budget among the steps, for any dimension."""
        return (shared(privacy, self.parts, self.with_delta),) if self.parts else ()

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the zCDP cost of all steps together, for any dimension and number of changed points.

        A finder that does not declare its steps has the cost of any (epsilon, delta)-DP release.
        """
        ways = [compose(self.costs[one.name](one.privacy) for one in way) for way in self.budgets(privacy)]
        return worst(ways) if ways else of_approximate(privacy)

    def least(self, task: Task) -> int:
        """Return the smallest t that is accepted (public)."""
        return self.guarantee(task).needed

    @abc.abstractmethod
    def problems(self, task: Task) -> tuple[Problem, ...]:
        """Return the problems of a task, from public facts alone."""

    def memory(self, grid: DomainGrid, n: int) -> MemoryNeeded:
        """Estimate the memory of `prepare` for n points of a grid."""
        return MemoryNeeded()

    @abc.abstractmethod
    def prepare(self, task: Task, points: Ints, progress: Progress = silent) -> Located:
        """Do everything that depends on the points, which are indices of the grid, shape (at most n, d)."""


MIN_DELTA = 1e-100
"""Guarantees divide by small shares of delta and beta; with this limit the results are finite."""


def needs_delta(task: Task) -> tuple[Problem, ...]:
    """Return a problem for a delta of 0 or near 0: a mean with Gaussian noise needs delta."""
    delta = task.privacy.delta
    if delta >= MIN_DELTA:
        return ()
    least = f"at least {short(MIN_DELTA)}" if delta else "above 0"
    return (
        Problem("delta", f"{short(delta)} is not possible for a 1-cluster; it must be {least} (say 1e-6)"),
    )


def needs_points(task: Task, needed: int) -> tuple[Problem, ...]:
    """Return a problem for a t above n, or too small for this budget."""
    if task.n < needed:
        message = (
            f"{_counted(task.n, 'record')} cannot give a ball, which needs at least {grouped(needed)} with "
            "this budget; use a larger epsilon or fewer grid steps"
        )
    elif task.t > task.n:
        message = (
            f"{grouped(task.t)} of {_counted(task.n, 'record')} are not possible; choose from "
            f"{grouped(needed)} to {grouped(task.n)}"
        )
    elif task.t < needed:
        message = (
            f"{_counted(task.t, 'point')} {'is' if task.t == 1 else 'are'} too few for this budget, which "
            f"needs at least {grouped(needed)}; use a larger t, a larger epsilon or fewer grid steps"
        )
    else:
        return ()
    return (Problem("t", message),)


def _counted(number: int, noun: str) -> str:
    return f"{grouped(number)} {noun}{'s' * (number != 1)}"

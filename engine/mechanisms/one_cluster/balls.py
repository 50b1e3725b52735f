"""What the mechanisms share that release balls."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.free_memory import MemoryNeeded
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.capped_counts import smallest_ball
from engine.mechanisms.one_cluster.finders import AUTO, FINDERS, finder, ways
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.on_grid import GridMechanism
from engine.mechanisms.one_cluster.search import Finder, Found, Guarantee, Task
from engine.mechanisms.one_cluster.steps import Share
from engine.mechanisms.prepared import Prepared, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives import Concentrated, worst
from engine.privacy import Privacy
from engine.progress import Progress, each, silent

PreparedT = TypeVar("PreparedT", bound="BallsPrepared")

_FEWEST, _BATCHES = 20, 20
"""Of simulated releases for a picture: at least so many, and batches of which none takes long."""


@dataclasses.dataclass(frozen=True)
class BallMechanism(GridMechanism, abc.ABC):
    """A mechanism that begins with a small ball that holds many points."""

    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016"
    shape: ClassVar[str] = "balls"
    with_mean: ClassVar[bool] = False
    """Whether the mean inside the ball is released, too."""

    t: int = parameter(
        default=500,
        lower=1,
        label="Points t",
        help="How many points the ball is to hold; the ball is about as small as one that does.",
    )
    method: str = parameter(
        default=AUTO,
        choices=(AUTO, *FINDERS),
        label="Method",
        help="auto: overlapping cells (b) up to six dimensions, tight boxes (c) above.",
    )

    @property
    def question(self) -> Hashable:
        """Balls of t points; a ball of more points is another one."""
        return self.name, self.t

    @property
    def how_many(self) -> int:
        """How many balls are released."""
        return 1

    @property
    def estimand(self) -> Hashable:
        return self.name, self.t, self.grid

    def shared_work(self, domain: Box) -> SharedWork:
        way = self.finder(domain)
        key = self.name, way.name, self.grid, None if way.in_cells else self.t
        return SharedWork(key, self.prepare, self.calibrated)

    @abc.abstractmethod
    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> BallsPrepared:
        """Count what the method counts."""

    def calibrated(self, counted: Any, data: Points, privacy: Privacy, progress: Progress) -> BallsPrepared:
        task = self.search(data.domain, data.n, privacy)
        truth = Private({}, later={"true_value": lambda progress: self.truth(data, progress)})
        changed: BallsPrepared = dataclasses.replace(counted.with_task(task), diagnostics=truth)
        return changed

    def finder(self, box: Box) -> Finder:
        """Return the way of finding that is used in `box`."""
        return finder(self.method, box.dimension)

    def resolve_bounds(self, domain: Box) -> Self:
        return dataclasses.replace(self, method=self.finder(domain).name)

    def task(self, box: Box, n: int, privacy: Privacy) -> Task:
        """Return what is sought among n points of `box` with all of a budget."""
        return Task(DomainGrid(box, self.grid), n, self.t, privacy, self.beta)

    @abc.abstractmethod
    def search(self, box: Box, n: int, privacy: Privacy) -> Task:
        """Return what is sought first, with the part of the budget that it has."""

    def cost_of_ball(self, privacy: Privacy) -> Concentrated:
        """Return what a ball costs as concentrated privacy, in any number of dimensions."""
        return worst(way.zcdp_cost(privacy) for way in ways(self.method))

    def guarantee(self, box: Box, n: int, privacy: Privacy) -> Guarantee:
        """Return what theory promises of the (first) ball (public)."""
        return self.finder(box).guarantee(self.search(box, n, privacy))

    def places(self, data: Points) -> Floats:
        """Return the records on the grid, where the mechanism sees them (private), shape (n, d)."""
        return DomainGrid(data.domain, self.grid).rounded(data.values)

    @abc.abstractmethod
    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        """Return what each step costs; together they cost the whole (public)."""

    def truth(self, data: Points, progress: Progress = silent) -> Floats:
        """Return what would be released without noise (private), as the numbers of a draw.

        The smallest ball around a record that holds t records, on the grid: a 2-approximation,
        since no ball anywhere with t records has less than half its radius.  NaN if there are fewer.
        """
        grid = DomainGrid(data.domain, self.grid)
        found = smallest_ball(grid.snapped(data.values), self.t, progress)
        if found is None:
            return np.full(data.domain.dimension + 1, np.nan)
        center, squared = found
        return np.append(grid.placed(center), np.sqrt(squared) * grid.step)

    def memory(self, domain: Box, n: int) -> MemoryNeeded:
        return self.finder(domain).memory(DomainGrid(domain, self.grid), n)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, domain.dimension)
        return impossible or self.finder(domain).problems(self.search(domain, n, privacy))

    def public_facts(self, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return what a release states beside its parameters: method, resolution, promise."""
        promise = self.guarantee(box, n, privacy)
        return {
            "finder": self.finder(box).name,
            "grid_step": DomainGrid(box, self.grid).step,
            "promised_points": promise.promised,
            "promised_share": promise.promised / self.t,
            "needed": promise.needed,
        }


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallRun:
    """One run (private): how each ball was found, and the mean inside, shape (d,), where one is released."""

    found: tuple[Found, ...]
    mean: Floats | None = None


def row_of(ball: Ball | None, dimension: int) -> Floats:
    """Return a ball as numbers (center, radius), shape (d + 1,); NaN for none."""
    return np.full(dimension + 1, np.nan) if ball is None else ball.row


@dataclasses.dataclass(frozen=True, repr=False)
class BallsPrepared(Prepared, abc.ABC):
    """Ready to find balls: every draw is a whole run.

    Attributes
    ----------
    points : ndarray of int, shape (n, d)
        The records as indices of the grid (private).
    """

    points: Ints
    cost: int
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def batch_size(self) -> int:
        return max(1, 10**7 // (100_000 + self.cost))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Run `size` times; a row for each, NaN where a run has failed."""
        return np.stack([self.numbers(rng, here) for here in each(size, progress)])

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(_FEWEST, _BATCHES * self.batch_size))

    @abc.abstractmethod
    def with_task(self: PreparedT, task: Task) -> PreparedT:
        """Return the same counts for another budget."""

    @abc.abstractmethod
    def trace(self, rng: np.random.Generator, progress: Progress = silent) -> BallRun:
        """Run once, and tell how each ball was found."""

    @abc.abstractmethod
    def numbers(self, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        """Run once; what is released, as numbers."""

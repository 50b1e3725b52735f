"""Interior point: a number between the smallest and the largest record of a column."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.guarantee import APPROXIMATE, CHOICE, Guarantee
from engine.mechanisms.one_cluster.grid import DomainGrid, failure_probability, grid_steps
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly
from engine.mechanisms.one_cluster.search import Located, Task
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import as_replaced, relation_parameter
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives import exponential_mechanism, exponential_slack
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import CHOSEN
from engine.sampling.public_grid import PublicGrid

WIDER = 8.0
"""w: a ball released for one column has at most w times the smallest radius."""

FOR_BALL = 0.75
"""Share of epsilon for the ball; the rest is for the choice among the ends of intervals."""


@dataclasses.dataclass(frozen=True)
class InteriorPoint(PointsMechanism, topic="balls", shape="interior-point", most_columns=1):
    """Release a number that has records on both sides, or equals a record.

    *exponential*: the exponential mechanism chooses a grid point a with the score
    min(|{x <= a}|, |{x >= a}|), of sensitivity 1.

    *reduction*: the method of the paper, by a 1-cluster.  The data are the m - 2 P middle records, and t is
    their number.  The released ball of radius r is cut into intervals of length r/w.  No interval holds all
    of these records and some interval holds one, so an end of it lies between two of them.  The same score
    chooses that end; P is its slack.  On every grid of usual size this needs more records than the
    exponential way.  The paper uses it to prove a lower bound for 1-clusters.

    Source: Nissim, Stemmer, Vadhan 2016, Section 5 (IntPoint), with the exponential mechanism
    instead of RecConcave.

    Examples
    --------
    Simulated for 1,000 records between 0.4 and 0.6:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.linspace(0.4, 0.6, 1000)[:, np.newaxis], Box.of([0], [1]))
    >>> simulated = InteriorPoint().run(data, Privacy(1.0), reproducible(1))
    >>> 0.4 <= simulated.value <= 0.6
    True
    """

    name: ClassVar[str] = "interior-point"
    label: ClassVar[str] = "Interior point"
    summary: ClassVar[str] = "a number between the smallest and the largest record"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Section 5"
    exact_because: ClassVar[str] = CHOSEN

    beta: float = failure_probability()
    grid: int = grid_steps()
    way: str = parameter(
        default="exponential",
        choices=("exponential", "reduction"),
        label="Way",
        help="exponential: choose a grid point by its rank. reduction: find a small ball first.",
    )
    relation: str = relation_parameter(needs=("way", "exponential"))

    @property
    def guarantee(self) -> Guarantee:
        # the exponential way makes one choice by scores and nothing else
        return CHOICE if self.way == "exponential" else APPROXIMATE

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        """Return the step of the grid; for the reduction, an eighth of it."""
        whole = DomainGrid(domain, self.grid).step
        return whole if self.way == "exponential" else whole / WIDER

    def _number_grid(self, data: Points, privacy: Privacy) -> PublicGrid | None:
        """Return the grid; None for the reduction, where the ends of intervals depend on a ball."""
        return DomainGrid(data.domain, self.grid).points if self.way == "exponential" else None

    def needed(self, domain: Box, n: int, privacy: Privacy) -> int:
        """Return the number of records for success with probability 1 - beta (public)."""
        grid = DomainGrid(domain, self.grid)
        if self.way == "exponential":
            return (
                math.ceil(2 * exponential_slack(math.log(grid.last[0] + 1), self._choice(privacy), self.beta))
                + 1
            )
        task = self._task(grid, n, privacy)
        return CenterOnly().guarantee(task).needed + 2 * self._margin(privacy)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        if domain.dimension > 1:
            return (
                Problem(
                    "columns",
                    f"an interior point needs one column, not {domain.dimension}; choose one of them",
                ),
            )
        if self.way != "exponential" and self.relation != NEIGHBOURS:
            message = "the reduction leaves out records on both sides, and how many depends on n"
            return (Problem("relation", f"{message}; choose replace-one, or the exponential way"),)
        if self.guarantee.uses_delta and privacy.delta == 0:
            return (Problem("delta", "the reduction needs delta above 0 (say 1e-6), or choose exponential"),)
        impossible = problems_of(check_bounds, privacy, 1)
        if impossible:
            return impossible
        needed = self.needed(domain, n, privacy)
        if n < needed:
            return (
                Problem(
                    "way",
                    f"{grouped(n)} records are too few for this budget, which needs {grouped(needed)}; "
                    "use more records, a larger epsilon or fewer grid steps",
                ),
            )
        return ()

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> InteriorPrepared:
        grid = DomainGrid(data.domain, self.grid)
        records = np.sort(grid.index_points(data.values)[:, 0])
        first: Callable[[np.random.Generator], Candidates]
        if self.way == "exponential":
            first, epsilon = _Everywhere(pieces(records, int(grid.last[0]))), self._choice(privacy)
        else:
            margin, task = self._margin(privacy), self._task(grid, data.n, privacy)
            located = CenterOnly().prepare(task, records[margin : data.n - margin, None], progress)
            first, epsilon = _Edges(grid, located), privacy.epsilon * (1 - FOR_BALL)
        return InteriorPrepared(
            records=records,
            grid=grid,
            candidates=first,
            epsilon=epsilon,
            diagnostics=Private({"true_value": grid.points_at(records[data.n // 2, None])}),
        )

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        errors: Floats = np.abs(values - true_value)[:, 0]
        return errors

    def _choice(self, privacy: Privacy) -> float:
        """Return the epsilon of the choice among all grid points; zero-out only lowers scores."""
        return as_replaced(privacy, self.relation).epsilon

    def _margin(self, privacy: Privacy) -> int:
        """Return P, the number of records left out on each side."""
        choice = privacy.epsilon * (1 - FOR_BALL)
        return math.ceil(exponential_slack(math.log(2 * WIDER + 1), choice, self.beta / 2))

    def _task(self, grid: DomainGrid, n: int, privacy: Privacy) -> Task:
        middle = max(1, n - 2 * self._margin(privacy))
        ball = Privacy(privacy.epsilon * FOR_BALL, privacy.delta)
        return Task(grid, middle, middle, ball, self.beta / 2)


@dataclasses.dataclass(frozen=True, repr=False)
class Candidates:
    """Candidates in groups of equal score; each group has consecutive points one step apart."""

    first: Floats  # (m,), first point of each group, in steps
    how_many: Ints  # (m,), number of points in each group


def pieces(records: Ints, last: int) -> Candidates:
    """Return all grid points 0 to `last` in groups: each record, and the points between two records."""
    distinct = np.unique(records)
    starts = np.concatenate([[0], np.stack([distinct, distinct + 1], axis=1).ravel()])
    ends = np.append(starts[1:], last + 1)
    filled = ends > starts
    return Candidates(starts[filled].astype(np.float64), (ends - starts)[filled])


@dataclasses.dataclass(frozen=True, repr=False)
class _Everywhere:
    """Returns the same candidates in every draw."""

    candidates: Candidates

    def __call__(self, rng: np.random.Generator) -> Candidates:
        return self.candidates


@dataclasses.dataclass(frozen=True, repr=False)
class _Edges:
    """Releases a ball, and returns the ends of the intervals that it is cut into."""

    grid: DomainGrid
    located: Located

    def __call__(self, rng: np.random.Generator) -> Candidates:
        ball = self.located.run(rng).ball
        assert ball is not None
        # centers are grid points; without the last step, radii are whole numbers of steps
        center = np.rint((ball.center[0] - self.grid.box.lower[0]) / self.grid.step)
        radius = np.rint(ball.radius / self.grid.step)
        parts = np.arange(-WIDER, WIDER + 1) / WIDER if radius > 0 else np.zeros(1)
        return Candidates(center + radius * parts, np.ones(len(parts), dtype=np.int64))


@dataclasses.dataclass(frozen=True, repr=False)
class InteriorPrepared(PreparedFields):
    """Sorted records (private), and the source of candidates."""

    records: Ints  # (n,), in steps of the grid
    grid: DomainGrid
    candidates: Callable[[np.random.Generator], Candidates]  # returns the candidates of a draw
    epsilon: float  # cost of the choice among them

    @property
    def batch_size(self) -> int:
        return max(1, 10**6 // (1000 + len(self.records)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        chosen = np.empty((size, 1))
        for row, _ in zip(chosen, each(size, progress), strict=True):
            candidates = self.candidates(rng)
            at_most = np.searchsorted(self.records, candidates.first, side="right")
            at_least = len(self.records) - np.searchsorted(self.records, candidates.first, side="left")
            score = np.minimum(at_most, at_least)
            index = exponential_mechanism(score, self.epsilon, rng, weights=candidates.how_many)
            one = candidates.first[index] + rng.integers(candidates.how_many[index])
            row[:] = self.grid.points_at(np.array([one]))
        return chosen

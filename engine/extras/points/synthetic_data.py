"""The small-database mechanism: a few synthetic points that answer many questions like the true ones."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.grid import Grid
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives import exponential_mechanism
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import public_generator
from engine.sampling.exactness import CHOSEN

_Small = NDArray[np.int16]

_NUMBERS = 1 << 22
"""Answers computed at once."""


def how_many(cells: int, size: int) -> int:
    """Return the number of multisets of `size` out of `cells`."""
    return math.comb(cells + size - 1, size)


def batches(cells: int, size: int, questions: int) -> Iterator[_Small]:
    """Yield all multisets as sorted rows of cells, in batches whose size depends on the questions."""
    every = itertools.combinations_with_replacement(range(cells), size)
    while some := list(itertools.islice(every, max(1, _NUMBERS // max(questions, 512)))):
        yield np.array(some, dtype=np.int16)


@dataclasses.dataclass(frozen=True, eq=False)
class Questions:
    """Questions for the share of the records in each of many sets of cells."""

    holds: Floats  # (questions, cells): 1 where a cell is in the set, 0 elsewhere

    @classmethod
    def of(cls, family: str, grid: Grid) -> Questions:
        """Return the questions about a grid: all boxes of cells, or those from the lowest corner."""
        return cls(_product([_on_axis(family, grid.bins)] * grid.box.dimension))

    @staticmethod
    def how_many(family: str, grid: Grid) -> int:
        """Return the number of questions without creating them."""
        on_axis = len(_starts(family, grid.bins)[0])
        return int(on_axis**grid.box.dimension)

    def answers(self, shares: ArrayLike) -> Floats:
        """Return the answers of databases, given the share of each cell, shape (..., cells)."""
        answers: Floats = np.asarray(shares, dtype=np.float64) @ self.holds.T
        return answers

    def of_sets(self, sets: NDArray[np.integer]) -> Floats:
        """Return the answers of databases, given as rows of cells, shape (m, size)."""
        shares = np.zeros((len(sets), self.holds.shape[1]))
        for column in sets.T:
            shares[np.arange(len(sets)), column] += 1 / sets.shape[1]
        return self.answers(shares)

    def errors(self, sets: NDArray[np.integer], truth: Floats) -> Floats:
        """Return the largest error among the answers of each database."""
        errors: Floats = np.abs(self.of_sets(sets) - truth).max(axis=1)
        return errors


def _starts(family: str, bins: int) -> tuple[Ints, Ints]:
    """Return the first and last cells of all intervals of one axis."""
    first, last = np.triu_indices(bins)
    if family == "thresholds":
        first, last = np.zeros(bins, dtype=np.int64), np.arange(bins)
    return first, last


def _on_axis(family: str, bins: int) -> Floats:
    first, last = _starts(family, bins)
    cells = np.arange(bins)
    return ((cells >= first[:, None]) & (cells <= last[:, None])).astype(np.float64)


def _product(axes: list[Floats]) -> Floats:
    holds: Floats = np.ones((1, 1))
    for axis in axes:
        holds = np.kron(holds, axis).astype(np.float64)
    return holds


def walk(
    questions: Questions,
    truth: Floats,
    size: int,
    rate: float,
    steps: int,
    chains: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> Ints:
    """Return the last states of Metropolis chains on multisets, shape (chains, size).

    The stationary distribution over multisets is proportional to exp(-rate * largest error).  A step moves
    one record to a random cell.  If k records are in a cell, there are k ways to move one of them, so the
    acceptance uses the ratio of the numbers of ways back and forth (Hastings 1970).

    All chains run together, from multisets that are drawn uniformly, record by record.
    """
    cells, rows = questions.holds.shape[1], np.arange(chains)
    state = rng.integers(0, cells, (chains, size))
    counts = np.zeros((chains, cells), dtype=np.int64)
    np.add.at(counts, (rows[:, None], state), 1)
    columns = np.ascontiguousarray(questions.holds.T) / size
    off = questions.of_sets(state) - truth
    error = np.abs(off).max(axis=1)
    often = max(1, min(500, _NUMBERS // off.size))
    for step in range(steps):
        if step % often == 0:
            progress(step / steps, "sampling small databases")
        slot, target = rng.integers(0, size, chains), rng.integers(0, cells, chains)
        source = state[rows, slot]
        moved = off + columns[target] - columns[source]
        proposed = np.abs(moved).max(axis=1)
        ways = np.where(source == target, 1.0, (counts[rows, target] + 1) / counts[rows, source])
        accepted = np.log(ways) - rate * (proposed - error) > -rng.standard_exponential(chains)
        went = rows[accepted]
        state[went, slot[accepted]] = target[accepted]
        counts[went, source[accepted]] -= 1
        counts[went, target[accepted]] += 1
        off[accepted], error[accepted] = moved[accepted], proposed[accepted]
    return state


MAX_SETS = 1 << 20
"""Limit of small databases that are scored one by one."""

MAX_ENTRIES = 1 << 22
"""Limit of entries of the table of questions and cells."""

MAX_UPDATES = 1 << 26
"""Limit of answers that chains update together: about a second."""

MAX_WORK = 1 << 37
"""Limit of products for scoring all small databases: some tens of seconds."""

ROUNDING = 2.0**-49
"""Allowance, for each cell, for the change of a score by rounding in sums of shares.

The sum of the shares of m cells has an error of at most m 2^-53.  It enters four times: for two sets of
answers of each of two neighbours.  Their differences are rounded, too.  Together this is below 3/4 of the
allowance; the rest is for the rounding of the rate.
"""


@dataclasses.dataclass(frozen=True)
class SyntheticPoints(PointsMechanism, topic="histograms", shape="synthetic-points"):
    """Release a small database on a public grid, by the exponential mechanism.

    Its score is minus the largest error of the share of its points in a box, over a public family of boxes.
    Replacing one of n records moves each share by at most 1/n, and so the score.  A multiset of `size`
    cells has probability proportional to exp(-epsilon n error/2).

    ``sampler = exact`` scores all multisets, which is possible only for tiny grids; the release is
    epsilon-private.  ``sampler = metropolis`` runs a Markov chain on them.  Its distribution approaches that
    of the mechanism, and privacy holds only up to the remaining distance.  A chain that stops too early has
    no known epsilon, and no release by it is exact.

    Source: Blum, Ligett, Roth 2008, section 3; McSherry, Talwar 2007.

    Examples
    --------
    Six points of a 4 x 4 grid, near the data:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> rng = np.random.default_rng(1)
    >>> heaps = [rng.normal(middle, 0.02, (500, 2)) for middle in (0.25, 0.75)]
    >>> data = Points(np.concatenate(heaps), Box.of([0, 0], [1, 1]))
    >>> simulated = SyntheticPoints(bins=4, size=6).run(data, Privacy(1.0), reproducible(1))
    >>> np.array(simulated.value)
    array([[0.125, 0.125],
           [0.125, 0.375],
           [0.375, 0.125],
           [0.625, 0.625],
           [0.625, 0.875],
           [0.875, 0.625]])
    """

    name: ClassVar[str] = "synthetic"
    label: ClassVar[str] = "Synthetic points"
    summary: ClassVar[str] = "a few points on a grid that represent all records: differentially private"
    source: ClassVar[str] = "Blum, Ligett, Roth 2008"
    exact_because: ClassVar[str] = CHOSEN

    bins: int = parameter(default=4, label="Bins", lower=1, upper=1024, help="Parts of each axis.")
    size: int = parameter(
        default=6, label="Points", lower=1, upper=1000, help="The number of released synthetic points."
    )
    questions: str = parameter(
        default="ranges",
        choices=("ranges", "thresholds"),
        label="Questions",
        help="Shares that the points reproduce: in all boxes of cells, or in boxes from the lowest corner.",
    )
    sampler: str = parameter(
        default="exact",
        choices=("exact", "metropolis"),
        choice_labels=("exact", "Metropolis"),
        label="Sampler",
        help="exact scores all sets of points; metropolis samples them by a Markov chain, and is private "
        "only up to the chain's distance from its stationary distribution.",
        advanced=True,
    )
    steps: int = parameter(
        default=10_000,
        label="Steps",
        needs=("sampler", "metropolis"),
        lower=1,
        upper=200_000,
        help="Length of a Metropolis chain.",
        advanced=True,
    )

    guarantee: ClassVar[Guarantee] = CHOICE
    vectors: ClassVar[Vectors] = Vectors("synthetic point", unordered=True)

    @property
    def question(self) -> Hashable:
        return self.name, self.questions, self.bins

    @property
    def inexact(self) -> str:
        if self.sampler == "exact":
            return super().inexact
        return "the Metropolis chain stops before its stationary distribution, and uses floating point"

    def _largest_error(self, domain: Box, n: int) -> float:
        """Return 1, since errors are of shares."""
        return 1.0

    _trivial_error = _largest_error

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, domain.dimension)
        if impossible:
            return impossible
        grid = Grid(domain, int(self.bins))
        entries = grid.size * Questions.how_many(self.questions, grid)
        if entries > MAX_ENTRIES:
            message = f"{self.bins} bins on each of {domain.dimension} axes are too many for all questions"
            return (Problem("bins", f"{message}; choose fewer bins or columns"),)
        sets = how_many(grid.size, int(self.size))
        if self.sampler != "exact" or (sets <= MAX_SETS and sets * entries <= MAX_WORK):
            return ()
        ways = grouped(sets) if sets < 10**12 else f"about 10^{len(str(sets)) - 1}"
        message = (
            f"{self.size} points on {grouped(grid.size)} cells can be placed in {ways} ways, too "
            "many to score one by one; choose fewer points or bins, or metropolis sampling"
        )
        return (Problem("size", message),)

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        if self.sampler == "exact":
            return {"privacy_holds": "exactly"}
        return {
            "privacy_holds": "only up to the unknown distance of the Metropolis chain from its stationary "
            "distribution"
        }

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> SmallDatabases:
        grid = Grid(data.domain, int(self.bins))
        questions, size = Questions.of(self.questions, grid), int(self.size)
        truth = questions.answers(
            sum(data.found_in_parts(grid.counts), np.zeros(grid.size, np.int64)) / data.n
        )
        ready = SmallDatabases(
            mechanism=self,
            grid=grid,
            questions=questions,
            truth=truth,
            errors=None,
            rate=privacy.epsilon / (1 / data.n + grid.size * ROUNDING),
            diagnostics=Private({"true_value": truth}),
        )
        if self.sampler == "metropolis":
            return ready
        sets, errors, done, total = [], [], 0, how_many(grid.size, size)
        for some in batches(grid.size, size, len(truth)):
            progress(done / total, "scoring small databases")
            done += len(some)
            sets.append(some)
            errors.append(questions.errors(some, truth))
        return dataclasses.replace(ready, sets=np.concatenate(sets), errors=np.concatenate(errors))

    def _true_answer(self, true_value: Floats, domain: Box) -> dict[str, Any]:
        return {
            "questions": len(true_value),
            "smallest share": float(true_value.min()),
            "largest": float(true_value.max()),
        }

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        """Return the largest error of the share of any question, shape (size,)."""
        grid = Grid(domain, int(self.bins))
        cells = grid.cells(values.reshape(-1, domain.dimension)).reshape(len(values), -1)
        return Questions.of(self.questions, grid).errors(cells, np.asarray(true_value))


@dataclasses.dataclass(frozen=True, repr=False)
class SmallDatabases(PreparedFields):
    """All small databases with their errors, or the inputs of Metropolis chains (private)."""

    mechanism: SyntheticPoints
    grid: Grid
    questions: Questions
    truth: Floats  # (questions,): the true answers
    # epsilon divided by the sensitivity, which is 1/n and some rounding; the exponential mechanism uses
    # half of it for each unit of error
    rate: float
    sets: NDArray[np.int16] | None = None  # (m, size): all multisets of cells if they are scored
    errors: Floats | None = None  # (m,): their errors

    @property
    def batch_size(self) -> int:
        if self.sets is None:
            numbers = min(MAX_SETS, MAX_UPDATES // int(self.mechanism.steps))
            return max(1, numbers // len(self.truth))
        return max(1, 4 * MAX_SETS // len(self.sets))

    def cells(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Ints:
        """Draw `size` small databases, each a row of cells."""
        if self.sets is None or self.errors is None:
            mechanism = self.mechanism
            # Its path depends on the data and on rounded numbers, so the release is not exact and says so.
            # Its random bits are from the operating system nevertheless.
            return walk(
                self.questions,
                self.truth,
                int(mechanism.size),
                self.rate / 2,
                int(mechanism.steps),
                size,
                public_generator(rng),
                progress=progress,
            )
        chosen = [exponential_mechanism(-self.errors, self.rate, rng) for _ in each(size, progress)]
        return self.sets[chosen].astype(np.int64)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        lower, upper = self.grid.corners()
        centers = lower + (upper - lower) / 2
        return centers[self.cells(rng, size, progress)].reshape(size, -1)

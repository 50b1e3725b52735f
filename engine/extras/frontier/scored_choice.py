"""The general exponential mechanism: one of finitely many candidates, by your own scores and a prior."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.blocks import Partition
from engine.aggregation.function import BlockFunction
from engine.aggregation.functions import MeanFunction
from engine.aggregation.running import outputs
from engine.array_types import Floats
from engine.components import ComponentField
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.number_lists import positive_numbers
from engine.mechanisms.prepared import PreparedFields, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.mechanisms.sample_aggregate import SecretBlocks, pattern_parameter, whole
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives.selection import exponential_mechanism, exponential_slack, selection_probabilities
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import is_release, reproducible, secure
from engine.sampling.exactness import CHOSEN
from engine.shown import ShownInALine

MIN_SCORE_BITS = 20
"""Bits that the score of one block needs at least."""

MIN_BLOCKS = 3
"""With fewer blocks, one record decides."""

BETA = 0.05
"""Probability that the choice misses by more than the stated slack."""


@dataclasses.dataclass(frozen=True)
class ScoredChoice(SecretBlocks, Mechanism[Points], topic="histograms", shape="candidate"):
    """Choose candidate j with probability proportional to p_j exp(epsilon u_j/(2 Delta)): epsilon-private.

    A function from blocks of records to vectors gives one score to each of m candidates; it may come from a
    file.  u_j is the sum of the scores of disjoint blocks.  One record changes one block, whose scores stay
    within the public bounds of the function's outputs.  So Delta, the width of the widest bounds, holds for
    any function.  If all records together are scored, Delta is the stated sensitivity, which nothing
    checks.  p is a prior: public, positive weights.

    Scores of blocks are rounded to a grid on which sums are exact, so these are the exact probabilities.

    Source: McSherry, Talwar 2007, with their measure as the prior.

    Examples
    --------
    The column with the largest mean, with each record as a block.  The means of 1,000 records differ by 0.1,
    so the first is e^50 times as probable as the second.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> values = np.random.default_rng(1).normal([0.5, 0.6, 0.3], 0.1, (1000, 3))
    >>> data = Points(values, Box.of([0] * 3, [1] * 3), ["a", "b", "c"])
    >>> ScoredChoice().run(data, Privacy(1.0), reproducible(1)).value
    2
    """

    name: ClassVar[str] = "scored-choice"
    label: ClassVar[str] = "Choice by score"
    summary: ClassVar[str] = "the best of several candidates by your own score, or one nearly as good"
    source: ClassVar[str] = "McSherry, Talwar 2007"
    exact_because: ClassVar[str] = CHOSEN
    reads: ClassVar[str] = "points"
    worst_cases: ClassVar[str] = "engine.extras.frontier.pairs:pairs_of_scores"

    block_function: ComponentField[BlockFunction] = parameter(
        default=MeanFunction(),
        label="Scores",
        help="Gives a score to each candidate: its output has one number per candidate.",
        asks=True,
    )
    size: int = parameter(
        default=1,
        lower=1,
        label="Block size",
        help="Records per block; the scores of all blocks are added.",
        asks=True,
    )
    sensitivity: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0,
        lower_open=True,
        label="Sensitivity",
        help="By how much one record can change a score of all records together, which then form one block. "
        "Nothing checks it: if it is too small, there is no guarantee. Empty: blocks are scored, and the "
        "bounds of the scores decide.",
        advanced=True,
    )
    prior: str = parameter(
        default="",
        label="Prior",
        holds="numbers",
        help="Public weights of the candidates in order, separated by commas, all above 0: how much more "
        "likely each is if scores are equal. Empty: all the same. @FILE reads them from a file.",
        advanced=True,
        in_file=True,
    )
    pattern: int | None = pattern_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        positive_numbers(self.prior, "prior")

    guarantee: ClassVar[Guarantee] = CHOICE

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        return {"exponential-doubled": Mistake("rivals")}

    @property
    def inexact(self) -> str:
        if self.sensitivity is None:
            return super().inexact
        return f"the stated sensitivity of {self.sensitivity:g} is not checked, and scores may be rounded"

    @property
    def question(self) -> Hashable:
        return self.name, self.block_function.question

    def shared_work(self, domain: Box) -> SharedWork:
        key = self.block_function, self.block_function.version, self.size, self.sensitivity, self.seed
        return SharedWork(key, lambda data, _, progress: self._pattern_scores(data, progress), self._choose)

    def bounds(self, domain: Box) -> Box:
        """Return the public bounds of the score of each candidate."""
        return self.block_function.space(domain).box

    def blocks(self, n: int) -> int:
        """Return the number of scored blocks of n records."""
        return 1 if self.sensitivity is not None else n // self.size

    def change(self, domain: Box) -> float:
        """Return Delta, the largest change of a score by one record (public)."""
        return float(self.bounds(domain).width.max()) if self.sensitivity is None else self.sensitivity

    def slack(self, domain: Box, privacy: Privacy) -> float:
        """Return how far the chosen sum of scores may be below the best, with probability 95 % (public)."""
        weights = np.asarray(positive_numbers(self.prior, "prior") or np.ones(self.bounds(domain).dimension))
        unlikely = math.log(float(weights.sum() / weights.min()))
        return exponential_slack(unlikely, privacy.epsilon, BETA, self.change(domain))

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return the number of candidates, and how far one record and chance may change a mean score."""
        blocks, function = self.blocks(n), self.block_function
        settings = function.settings()
        return {
            "scores": settings.pop("function", function.name),
            **settings,
            "candidates": self.bounds(domain).dimension,
            "blocks": blocks,
            "changed_by_one_record": self.change(domain) / blocks,
            "slack": self.slack(domain, privacy) / blocks,
        }

    def _largest_error(self, domain: Box, n: int) -> float:
        box = self.bounds(domain)
        return float(box.upper.max() - box.lower.min())

    _trivial_error = _largest_error

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        function = self.block_function
        if result := problems_of(check_bounds, privacy, 1):
            return result
        if (wrong := function.problem(domain)) is not None:
            return (Problem(*wrong),)
        box = self.bounds(domain)
        if function.unordered:
            text = f"{function.label} gives points, not one score per candidate; choose another function"
            return (Problem("function", text),)
        if box.dimension < 2:
            text = "a single score leaves no choice; choose several columns, or a function that returns"
            return (Problem("function", f"{text} a number for each of several candidates"),)
        weights = positive_numbers(self.prior, "prior")
        if weights and len(weights) != box.dimension:
            text = f"{len(weights)} weights do not fit {box.dimension} candidates; give one for each, or none"
            return (Problem("prior", text),)
        smallest, blocks = function.smallest_block(domain), self.blocks(n)
        if n < smallest or (self.sensitivity is None and (self.size < smallest or blocks < MIN_BLOCKS)):
            text = (
                f"{grouped(n)} records must give at least {MIN_BLOCKS} blocks "
                f"of at least {smallest} records each"
            )
            return (Problem("size", f"{text}; choose from {smallest} to {max(smallest, n // MIN_BLOCKS)}"),)
        if self.sensitivity is None and digits_of_scores(box, blocks) < MIN_SCORE_BITS:
            text = "the bounds of the scores are too far apart from each other; choose bounds that overlap"
            return (Problem("function", text),)
        return ()

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> ScoredPrepared:
        return self._choose(self._pattern_scores(data, progress), data, privacy)

    def _prepare_release(self, data: Points, privacy: Privacy, progress: Progress = silent) -> ScoredPrepared:
        if self.simulated_by:
            return self.prepare(data, privacy, progress)
        ready = self._choose(self._scores(data, secure(), progress), data, privacy)
        return dataclasses.replace(ready, only_simulates=False)

    def _pattern_scores(self, data: Points, progress: Progress) -> Scores:
        """Return the sums of scores on the blocks of the pattern (private)."""
        return self._scores(data, reproducible(self.seed), progress)

    def _scores(self, data: Points, rng: np.random.Generator, progress: Progress) -> Scores:
        if self.sensitivity is not None:
            # a release also shuffles all records secretly
            values = whole(
                self.block_function,
                data,
                seed=self.seed,
                progress=progress,
                rng=rng if is_release(rng) else None,
            )
            return Scores(values, self.sensitivity, values)
        drawn = Partition(blocks=self.blocks(data.n)).draw(data.n, rng)
        result = outputs(self.block_function, data, drawn, seed=self.seed, executor=None, progress=progress)
        return add_up_scores(result.values, self.bounds(data.domain))

    def _choose(
        self, counted: Scores, data: Points, privacy: Privacy, progress: Progress = silent
    ) -> ScoredPrepared:
        return ScoredPrepared(
            scores=counted,
            weights=positive_numbers(self.prior, "prior") or None,
            epsilon=privacy.epsilon,
            diagnostics=Private({"true_value": counted.means}),
            only_simulates=True,
        )

    def _released(self, value: Floats, domain: Box) -> int:
        return int(np.ravel(value)[0]) + 1

    def _true_answer(self, true_value: Floats, domain: Box) -> int:
        return int(np.argmax(true_value)) + 1

    def numbers(self, value: Any, columns: Sequence[str], domain: Box) -> CategoryNumbers:
        """Return the chosen candidate among all others, whose numbers stay unknown."""
        function, m = self.block_function, self.bounds(domain).dimension
        labels = tuple(columns) if function.among_data else function.coordinates(columns, domain)
        chosen = None if value is None else value - 1
        return CategoryNumbers("candidate", labels, np.full(m, np.nan), "score points", chosen=chosen)

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        """Return how far the mean score of each choice is below the best one, shape (size,)."""
        means = np.asarray(true_value)
        errors: Floats = means.max() - means[values[:, 0].astype(np.int64)]
        return errors


SUM_BITS = 52
"""Sums of scores are integers below 2^52, which doubles represent."""


def digits_of_scores(box: Box, blocks: int) -> int:
    """Return the bits of the score of one block, such that sums of all scores are below 2^52."""
    widest = float(box.width.max()) or 1.0
    reach = 1 + float(box.lower.max() - box.lower.min()) / widest
    return SUM_BITS - math.ceil(math.log2(blocks * reach + 1))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Scores(ShownInALine):
    """The scores of all candidates (private)."""

    sums: Floats  # shape (m,); they decide the choice
    change: float  # largest change of each sum by one record
    means: Floats  # shape (m,); mean scores of blocks, in the unit of the function


def add_up_scores(scores: Floats, box: Box) -> Scores:
    """Return the sums of the scores of blocks, shape (b, m), each within the bounds in `box`.

    Each is rounded to a grid on its own range, so sums are exact: a block adds an integer between 0 and
    2^bits, plus the public start of its candidate's range.
    """
    widest = float(box.width.max()) or 1.0
    unit = 2.0 ** digits_of_scores(box, len(scores))
    gained = np.rint(np.clip((scores - box.lower) / widest, 0, 1) * unit)
    lowest = float(box.lower.min())
    before = np.rint((box.lower - lowest) / widest * unit)
    sums = gained.sum(axis=0) + len(scores) * before
    return Scores(sums, unit, lowest + sums / unit * widest / len(scores))


@dataclasses.dataclass(frozen=True, repr=False)
class ScoredPrepared(PreparedFields):
    """Scores and weights, ready for a choice (private)."""

    scores: Scores
    weights: tuple[float, ...] | None  # the prior; None if all weights are equal
    epsilon: float
    only_simulates: bool = False

    @property
    def probabilities(self) -> Floats:
        """The probability of each candidate (private), shape (m,)."""
        return selection_probabilities(
            self.scores.sums, self.epsilon, sensitivity=self.scores.change, weights=self.weights
        )

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, 10**6 // (100 + self.scores.sums.size)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        scores = self.scores
        places = [
            exponential_mechanism(
                scores.sums, self.epsilon, rng, sensitivity=scores.change, weights=self.weights
            )
            for _ in each(size, progress)
        ]
        return np.array(places, dtype=np.float64)[:, None]

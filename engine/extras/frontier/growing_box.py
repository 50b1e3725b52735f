"""The smallest box, growing from a corner of the bounds, that holds a share of the records."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.facts import Resources
from engine.mechanisms.guarantee import CHOICE, Guarantee
from engine.mechanisms.one_cluster.grid import failure_probability
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives.above_threshold import above_threshold, above_threshold_tight_slack
from engine.primitives.rec_concave import levels, needed_promise, rec_concave
from engine.primitives.selection import exponential_mechanism, exponential_slack
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import CHOSEN

EXPONENTIAL, REC_CONCAVE, ABOVE_THRESHOLD = "exponential", "rec-concave", "above-threshold"
ALPHA = 0.5
"""Share of its promise that `rec_concave` may lose."""

BOXES_PER_REPORT = 1024
"""Boxes between two progress reports."""


@dataclasses.dataclass(frozen=True)
class GrowingBox(PointsMechanism, is_one_choice=True, topic="balls", hides="A choice"):
    """Release the upper corner of the smallest of k boxes, growing from the lower corner, with t records.

    Box i spans the share i/k of each side of the bounds, from the lower corner.  It holds c_i records; one
    replaced record changes c_i by at most 1.  Sought is the i at which c_i first reaches t = q n, rounded up.
    For one column that is the t-th smallest record, rounded up to the next of k numbers.  There are three
    ways to choose, which are building blocks of other mechanisms:

    *exponential*: the exponential mechanism with the score min(c_i - t, t - 1 - c_{i-1}, 0).

    *rec-concave*: RecConcave with the same score plus its promise; in any data one box has score 0.

    *above-threshold*: AboveThreshold on c_0, c_1, ... until a noisy one is at least t; if none is, the last
    box.

    Source: McSherry, Talwar 2007; Beimel, Nissim, Stemmer 2013; Dwork et al. 2009: the building blocks
    of Nissim, Stemmer, Vadhan 2016 (Theorems 4.3 and 4.8).

    Examples
    --------
    A simulation with 2,000 records between 0.4 and 0.6; half of them are below 0.5:

    >>> import numpy as np
    >>> from engine import Box, GrowingBox, Points, Privacy, reproducible
    >>> data = Points(np.linspace(0.4, 0.6, 2000)[:, np.newaxis], Box.of([0], [1]))
    >>> for way in ("exponential", "rec-concave", "above-threshold"):
    ...     mechanism = GrowingBox(way=way)
    ...     print(round(mechanism.run(data, Privacy(1.0, 1e-6), reproducible(1)).value, 1))
    0.5
    0.5
    0.5
    """

    name: ClassVar[str] = "growing-box"
    label: ClassVar[str] = "Growing box"
    summary: ClassVar[str] = "the smallest box from a corner of the bounds that holds a share of the records"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Theorems 4.3 and 4.8"
    exact_because: ClassVar[str] = CHOSEN

    way: str = parameter(
        default=EXPONENTIAL,
        choices=(EXPONENTIAL, REC_CONCAVE, ABOVE_THRESHOLD),
        choice_labels=("exponential", "RecConcave", "AboveThreshold"),
        label="By",
        help="exponential weighs all boxes at once; rec-concave halves them repeatedly, for very many boxes; "
        "above-threshold checks one after another, and pays for one answer.",
        asks=True,
    )
    q: float = parameter(
        default=0.5,
        lower=0,
        upper=1,
        lower_open=True,
        label="Share q",
        help="The share of the records that the box should hold.",
        asks=True,
    )
    boxes: int = parameter(
        default=1024,
        lower=2,
        upper=1 << 16,
        label="Boxes k",
        help="The number of steps in which the sides grow (public).",
        advanced=True,
    )
    beta: float = failure_probability()

    vectors: ClassVar[Vectors] = Vectors("corner")

    @property
    def guarantee(self) -> Guarantee:
        if self.way == EXPONENTIAL:
            return CHOICE
        return Guarantee(uses_delta=self.way == REC_CONCAVE and levels(self.boxes + 1) > 0)

    def resources(self, domain: Box, n: int) -> Resources:
        # AboveThreshold is exact in each query, which takes time
        return Resources(seconds=5e-5 * self.boxes if self.way == ABOVE_THRESHOLD else 0.0)

    @property
    def question(self) -> Hashable:
        return self.name, self.q

    @property
    def estimand(self) -> Hashable:
        return self.name, self.q, self.boxes

    def sought(self, n: int) -> int:
        """Return t, the number of records that the box should hold (public)."""
        return min(n, max(1, math.ceil(Fraction(self.q).limit_denominator(10**9) * n)))

    def slack(self, privacy: Privacy) -> float:
        """Return the number of records by which the choice may miss, with probability 1 - beta (public).

        The chosen box holds at least t less this number, and the box before it fewer than t plus it.
        """
        if self.way == EXPONENTIAL:
            return exponential_slack(math.log(self.boxes + 1), privacy.epsilon, self.beta)
        if self.way == REC_CONCAVE:
            return ALPHA * self._promise(privacy)
        return above_threshold_tight_slack(self.boxes + 1, privacy.epsilon, self.beta)

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        return {"sought": self.sought(n), "slack": self.slack(privacy)}

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        steps: list[float] = (domain.width / self.boxes).tolist()
        return steps

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, domain.dimension)
        if impossible or self.way != REC_CONCAVE:
            return impossible
        return problems_of(self._promise, privacy)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> GrowingPrepared:
        held = count_in_boxes(data.values, data.domain, self.boxes)
        sought = self.sought(data.n)
        corners = data.domain.lower + np.linspace(0, 1, self.boxes + 1)[:, None] * data.domain.width
        return GrowingPrepared(
            corners=np.minimum(corners, data.domain.upper),
            held=held,
            sought=sought,
            way=self.way,
            privacy=self.guarantee.cost(privacy),
            promise=self._promise(privacy) if self.way == REC_CONCAVE else 0.0,
            beta=self.beta,
            diagnostics=Private({"true_value": corners[int(np.argmax(held >= sought))]}),
        )

    def _promise(self, privacy: Privacy) -> float:
        return needed_promise(self.boxes + 1, privacy, ALPHA, self.beta)


def count_in_boxes(values: Floats, box: Box, boxes: int) -> Floats:
    """Return c_0 to c_k, the number of points (n, d) in each box; the last box holds all.

    The first box that holds a point depends on that point alone.
    """
    width = np.where(box.width > 0, box.width, 1.0)
    from_box = np.ceil((values - box.lower) / width * boxes).max(axis=1)
    first = np.clip(from_box, 0, boxes).astype(np.int64)
    counts: Floats = np.cumsum(np.bincount(first, minlength=boxes + 1)).astype(np.float64)
    return counts


def scores_of(held: Floats, sought: int) -> Floats:
    """Return min(c_i - t, t - 1 - c_{i-1}, 0) with c_{-1} = 0; it is 0 for one box, and quasi-concave.

    The first term does not fall with i, and the second does not rise; one record changes each by 1.
    """
    before = np.concatenate([[0.0], held[:-1]])
    scores: Floats = np.minimum(np.minimum(held - sought, sought - 1 - before), 0.0)
    return scores


@dataclasses.dataclass(frozen=True, repr=False)
class GrowingPrepared(PreparedFields):
    """The number of records in each box (private)."""

    corners: Floats  # shape (k + 1, d); the upper corner of each box
    held: Floats  # shape (k + 1,)
    sought: int  # t
    way: str  # as in `GrowingBox`
    privacy: Privacy  # the cost of the choice
    # For RecConcave
    promise: float
    beta: float

    @property
    def batch_size(self) -> int:
        return max(1, 10**6 // (1000 + len(self.held)))

    @property
    def scores(self) -> Floats:
        """The score of each box, at most 0 (private), shape (k + 1,)."""
        return scores_of(self.held, self.sought)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        scores = self.scores
        return self.corners[[self._choose(scores, rng, here) for here in each(size, progress)]]

    def _choose(self, scores: Floats, rng: np.random.Generator, progress: Progress) -> int:
        if self.way == EXPONENTIAL:
            return exponential_mechanism(scores, self.privacy.epsilon, rng)
        if self.way == REC_CONCAVE:
            raised = scores + self.promise
            return rec_concave(
                raised, self.promise, self.privacy, rng, alpha=ALPHA, beta=self.beta, progress=progress
            )
        queries = reporting(self.held.tolist(), progress)
        chosen = above_threshold(queries, self.sought, self.privacy.epsilon, rng)
        return len(scores) - 1 if chosen is None else chosen


def reporting(values: list[float], progress: Progress) -> Iterator[float]:
    """Yield values, with a progress report every `BOXES_PER_REPORT` of them."""
    for index, value in enumerate(values):
        if index % BOXES_PER_REPORT == 0:
            progress(index / len(values), "checking boxes")
        yield value

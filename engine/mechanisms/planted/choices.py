"""Mistakes in the odds of a choice."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.extras.frontier.growing_box import ABOVE_THRESHOLD, GrowingBox, GrowingPrepared
from engine.extras.frontier.inverse_sensitivity import ByDistance
from engine.extras.frontier.ladder import Ladder
from engine.extras.frontier.metric_median import MetricMedian
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.extras.frontier.stable_cell import StableCell, StablePrepared
from engine.mechanisms.aggregators import ExponentialMedian
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import Mode, RandomizedResponse
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.histograms import Quantiles
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Maximum, Minimum, OrderStatistic, TriangleCount

FEW_CANDIDATES = 4
"""Among more, those between two rivals hide what tells these apart."""


@dataclasses.dataclass(frozen=True)
class ExponentialDoubled(Planted):
    """exp(epsilon score) in place of exp(epsilon score/2)."""

    name: ClassVar[str] = "exponential-doubled"
    label: ClassVar[str] = "Scores without the half"
    summary: ClassVar[str] = (
        "choices are weighed by e^(ε score); but a record changes the score of one and, the other way, "
        "those of all others, which costs 2ε"
    )
    source: ClassVar[str] = "a lecture slide in circulation"
    worst: ClassVar[str] = "three-heaps"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Choices by the exponential mechanism; a rank at the end leaves no room on one side."""
        if isinstance(mechanism, BlockMechanism):
            return isinstance(mechanism.aggregator, ExponentialMedian)
        if isinstance(mechanism, Ladder):
            return isinstance(mechanism.query, TriangleCount)
        if isinstance(mechanism, (ExponentialRelease, ByDistance)):
            ranked = isinstance(mechanism.query, OrderStatistic)
            return ranked and not isinstance(mechanism.query, (Minimum, Maximum))
        return isinstance(mechanism, (MetricMedian, Mode, Quantiles, ScoredChoice))

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Ask for a single quantile: several share the mistake, and an audit does not see it."""
        if isinstance(self.right, Quantiles) and self.right.parts > 2:
            return (Problem("parts", "the mistake shows with one quantile; choose 2 equal parts"),)
        if isinstance(self.right, MetricMedian) and len(self.right.points(domain)) > FEW_CANDIDATES:
            words = f"the mistake shows with at most {FEW_CANDIDATES} candidates; choose fewer parts"
            return (Problem("parts", words),)
        return super().problems(privacy, domain, n)

    @classmethod
    def worst_for(cls, mechanism: Mechanism[Any]) -> str:
        if isinstance(mechanism, (MetricMedian, ScoredChoice)):
            return "rivals"
        return "two-hubs" if isinstance(mechanism, Ladder) else cls.worst

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        return self.right.prepare(data, Privacy(2 * privacy.epsilon, privacy.delta), progress)


@dataclasses.dataclass(frozen=True)
class FixedThreshold(Planted):
    """No noise on the threshold of AboveThreshold."""

    name: ClassVar[str] = "fixed-threshold"
    label: ClassVar[str] = "A threshold without noise"
    summary: ClassVar[str] = (
        "each query gets the noise of a single one, and is held against the threshold itself; but a record "
        "changes all queries, and each that is below the threshold costs epsilon again"
    )
    source: ClassVar[str] = "variants in print that Lyu, Su, Li 2017 refute"
    worst: ClassVar[str] = "two-heaps"
    runs: ClassVar[int] = 2000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, GrowingBox) and mechanism.way == ABOVE_THRESHOLD

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> FixedPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, GrowingPrepared)
        return FixedPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


@dataclasses.dataclass(frozen=True, repr=False)
class FixedPrepared(GrowingPrepared):
    """Counts that are held against the threshold itself."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Return the corner of the first box whose noisy count reaches the threshold, shape (size, d)."""
        noisy = self.held + rng.laplace(scale=1 / self.privacy.epsilon, size=(size, self.held.size))
        noisy[:, -1] = np.inf
        found: Floats = self.corners[np.argmax(noisy >= self.sought, axis=1)]
        return found


@dataclasses.dataclass(frozen=True)
class AnyCell(Planted):
    """A stability histogram without its threshold."""

    name: ClassVar[str] = "any-cell"
    label: ClassVar[str] = "No threshold for cells"
    summary: ClassVar[str] = (
        "whichever cell has the largest noisy count is named, among those that hold records; but a cell "
        "that is named must hold one, and its neighbour may not"
    )
    worst: ClassVar[str] = "alone"
    runs: ClassVar[int] = 1000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, StableCell)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> AnyPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, StablePrepared)
        return AnyPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


@dataclasses.dataclass(frozen=True, repr=False)
class AnyPrepared(StablePrepared):
    """Counts of which the largest noisy one always wins."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Return the middle of the cell with the largest noisy count, shape (size, d)."""
        noisy = self.counts + rng.laplace(scale=2 / self.privacy.epsilon, size=(size, self.counts.size))
        found: Floats = self.middles[np.argmax(noisy, axis=1)]
        return found


@dataclasses.dataclass(frozen=True)
class TwoCategoryOdds(Planted):
    """The odds for two categories, where there are more."""

    name: ClassVar[str] = "two-category-odds"
    label: ClassVar[str] = "Odds for two categories"
    summary: ClassVar[str] = (
        "the truth is told with probability e^ε/(e^ε + 1) whatever the number of categories, and each "
        "other one is left with too little"
    )
    worst: ClassVar[str] = "alone"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Randomized response; with two categories there is no mistake in it."""
        return isinstance(mechanism, RandomizedResponse)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Tell the truth so often: with k categories it costs epsilon + ln(k - 1)."""
        spent = privacy.epsilon + math.log(max(1, data.domain.size - 1))
        return self.right.prepare(data, Privacy(spent, privacy.delta), progress)

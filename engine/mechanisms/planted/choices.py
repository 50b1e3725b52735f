"""Mistakes in the odds of a choice, and in a test."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

from engine.mechanisms.aggregators import ExponentialMedian
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import Mode, RandomizedResponse
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.histograms import Quantiles
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.propose_test_release import ProposeTestRelease, PtrPrepared
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Maximum, Minimum, OrderStatistic


def is_inner_rank(query: Any) -> bool:
    """Tell whether a query has a rank inside: at the ends there is no room on one side for the mistake."""
    return isinstance(query, OrderStatistic) and not isinstance(query, (Minimum, Maximum))


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
        if isinstance(mechanism, ExponentialRelease):
            return is_inner_rank(mechanism.query)
        return isinstance(mechanism, (Mode, Quantiles)) or cls.name in mechanism._mistakes

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Ask for a single quantile: several share the mistake, and an audit does not see it."""
        if isinstance(self.right, Quantiles) and self.right.parts > 2:
            return (Problem("parts", "the mistake shows with one quantile; choose 2 equal parts"),)
        return super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        return self.right.prepare(data, Privacy(2 * privacy.epsilon, privacy.delta), progress)


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
        return isinstance(mechanism, RandomizedResponse)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Tell the truth so often: with k categories it costs epsilon + ln(k - 1)."""
        spent = privacy.epsilon + math.log(max(1, data.domain.size - 1))
        return self.right.prepare(data, Privacy(spent, privacy.delta), progress)


PASSED = 1e9
"""A distance that passes every test."""


@dataclasses.dataclass(frozen=True)
class TestLeftOut(Planted):
    """Noise for a sensitivity that was proposed and never tested."""

    name: ClassVar[str] = "test-left-out"
    label: ClassVar[str] = "The test left out"
    summary: ClassVar[str] = "noise for a sensitivity that is hoped for, whatever the data are"
    worst: ClassVar[str] = "zeros-and-tops"
    __test__: ClassVar[bool] = False  # it is no test of pytest

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, ProposeTestRelease) or cls.name in mechanism._mistakes

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        if isinstance(ready, PtrPrepared):
            return dataclasses.replace(ready, distance=PASSED)
        planted: Prepared = self.right._mistakes[self.name].plant(ready)
        return planted

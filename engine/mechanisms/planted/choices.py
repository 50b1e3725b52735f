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
    """Return whether a query has an inner rank; at the ends, one side has no room for the mistake."""
    return isinstance(query, OrderStatistic) and not isinstance(query, (Minimum, Maximum))


class ExponentialDoubled(Planted):
    """exp(epsilon score) instead of exp(epsilon score/2)."""

    name: ClassVar[str] = "exponential-doubled"
    label: ClassVar[str] = "Scores without the half"
    summary: ClassVar[str] = (
        "choices have weight e^(ε score), without the half; but a record can raise one score and lower "
        "all others, which costs 2ε"
    )
    source: ClassVar[str] = "a lecture slide in circulation"
    worst: ClassVar[str] = "three-heaps"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Applies to the exponential mechanism; not for a rank at an end, where one side has no room."""
        if isinstance(mechanism, BlockMechanism):
            return isinstance(mechanism.aggregator, ExponentialMedian)
        if isinstance(mechanism, ExponentialRelease):
            return is_inner_rank(mechanism.query)
        return isinstance(mechanism, (Mode, Quantiles)) or cls.name in mechanism._mistakes

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Require a single quantile: several share the mistake, and an audit does not find it."""
        if isinstance(self.right, Quantiles) and self.right.parts > 2:
            return (Problem("parts", "an audit finds this mistake with one quantile only; choose 2 parts"),)
        return super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        return self.right.prepare(data, Privacy(2 * privacy.epsilon, privacy.delta), progress)


class TwoCategoryOdds(Planted):
    """The odds for two categories, used for more."""

    name: ClassVar[str] = "two-category-odds"
    label: ClassVar[str] = "Odds for two categories"
    summary: ClassVar[str] = (
        "the true answer has probability e^ε/(e^ε + 1) for any number of categories, which leaves too "
        "little for each of the others"
    )
    worst: ClassVar[str] = "alone"
    made_in: ClassVar = (RandomizedResponse,)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Prepare with these odds; with k categories they cost epsilon + ln(k - 1)."""
        spent = privacy.epsilon + math.log(max(1, data.domain.size - 1))
        return self.right.prepare(data, Privacy(spent, privacy.delta), progress)


PASSED = 1e9
"""A distance with which the test always passes."""


class TestLeftOut(Planted):
    """Noise for a proposed sensitivity that is never tested."""

    name: ClassVar[str] = "test-left-out"
    label: ClassVar[str] = "The test left out"
    summary: ClassVar[str] = "noise for a proposed sensitivity, without testing the data"
    worst: ClassVar[str] = "zeros-and-tops"
    __test__: ClassVar[bool] = False  # not a test for pytest to collect
    made_in: ClassVar = (ProposeTestRelease,)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        if isinstance(ready, PtrPrepared):
            return dataclasses.replace(ready, distance=PASSED)
        planted: Prepared = self.right._mistakes[self.name].plant(ready)
        return planted

"""Mistakes in the bound that replaces the smooth sensitivity."""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.center_of_attention import Radii
from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.data.order_statistics import OrderStatistics
from engine.mechanisms.aggregators import CenterOfAttention, SmoothAggregator
from engine.mechanisms.aggregators.smooth import Aggregate
from engine.mechanisms.base import Mechanism
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.planted.base import Planted, with_facts
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.mechanisms.smooth import SmoothRelease
from engine.noise import GeneralizedCauchy, Noise
from engine.noise.base import Admissible
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import OrderStatistic
from engine.queries.base import NEGLIGIBLE, Query, decisive_reach

RIGHT = CenterOfAttention()


@dataclasses.dataclass(frozen=True)
class OtherSmoothness(SmoothAggregator):
    """An aggregator with S for another beta than that of its noise: NOT private."""

    name: ClassVar[str] = "other-smoothness"
    label: ClassVar[str] = "Another smoothness"

    right: SmoothAggregator = RIGHT
    wrong_beta: float = math.inf

    @classmethod
    def of(cls, right: SmoothAggregator, beta: float) -> OtherSmoothness:
        """Return an aggregator with the noise of `right` and this beta."""
        return cls(right.noise, right, beta)

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        return self.right.aggregate(outputs, space, s, self.wrong_beta, progress)

    def parts(self, space: OutputSpace) -> int:
        return self.right.parts(space)


class MostlyDilation(GeneralizedCauchy):
    """Generalized Cauchy noise that spends nearly the whole budget on changes of its scale.

    The pair is admissible: with a smooth bound, the noise is private.
    """

    def admissible(
        self, privacy: Privacy, dimension: int = 1, *, constants: str = "tight", split: float = 0.5
    ) -> Admissible:
        """Return the pair that spends 1 % on the shift of the center."""
        return super().admissible(privacy, dimension, constants=constants, split=0.01)


TELLING = MostlyDilation(gamma=8.0)
"""The noise that reveals a bound that changes too much in the fewest runs."""


@dataclasses.dataclass(frozen=True)
class PublishedBound(CenterOfAttention):
    """The center of attention with the published bound: NOT private."""

    noise: Noise = parameter(default=TELLING, label="Noise", help="Noise that hides changes of scale.")

    def aggregate(
        self, outputs: Floats, space: OutputSpace, s: int, beta: float, progress: Progress = silent
    ) -> Aggregate:
        aggregate = super().aggregate(outputs, space, s, beta, progress)
        printed = Radii.of(space.table(outputs), space.diameter, s).published_bound(beta)
        bound = dataclasses.replace(aggregate.bounds[0], value=printed)
        return dataclasses.replace(aggregate, bounds=(bound,))


MIN_BLOCKS = 150


class PublishedCenterOfAttention(Planted):
    """The published bound, with noise that would be private for a smooth bound.

    The paper calls the mean of the a smallest radii beta-smooth.  But if one of the a centers leaves, another
    comes in with up to twice their radius.  This adds up to ln(1 + 1/a) to beta.  The noise spends nearly its
    whole budget on changes of scale, and so reveals changes that are too large.  With several coordinates or
    few blocks, clamping to the bounds hides them.
    """

    name: ClassVar[str] = "published-center-of-attention"
    label: ClassVar[str] = "Center of attention as printed"
    summary: ClassVar[str] = (
        "the published bound, a mean of some radii, can change by nearly e^(2β) instead of e^β"
    )
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Theorem 4.9"
    worst: ClassVar[str] = "rings"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, BlockMechanism) and isinstance(mechanism.aggregator, CenterOfAttention)

    @property
    def model(self) -> BlockMechanism:
        """The published mechanism, whose beta determines the worst cases."""
        assert isinstance(self.right, BlockMechanism)
        return dataclasses.replace(self.right, aggregator=PublishedBound())

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        assert isinstance(self.right, BlockMechanism)
        if self.right.function.space(domain).dimension > 1:
            return (Problem("columns", "an audit finds this mistake with one column only; choose one"),)
        if self.right.sampling.blocks < MIN_BLOCKS:
            message = f"an audit finds this mistake with at least {MIN_BLOCKS} blocks; choose more"
            return (Problem("blocks", message),)
        return super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        return self.model.prepare(data, privacy, progress)


NO_LOOK_AHEAD = 60.0
"""A beta so large that only the local sensitivity of the data counts."""


class OtherBound(Planted, abc.ABC):
    """The right noise for a wrong bound."""

    @abc.abstractmethod
    def bound(self, data: Any, beta: float, privacy: Privacy) -> float:
        """Return the wrong value for the beta-smooth sensitivity."""

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        right = self.right
        assert isinstance(right, SmoothRelease)
        ready = right.prepare(data, privacy, progress)
        assert isinstance(ready, AdditivePrepared)
        bound = self.bound(data, ready.noise["beta"], privacy)
        largest = right.query.global_sensitivity(data.domain, data.n)
        pair = Admissible(ready.noise["alpha"], ready.noise["beta"], "")
        scale = right._scale(bound, largest, pair, data.n)
        facts = with_facts(ready.diagnostics, scale=scale, smooth=bound)
        return dataclasses.replace(ready, scale=scale, diagnostics=facts)


class WrongSmoothness(OtherBound, abc.ABC):
    """The smooth sensitivity for another beta than that of the noise."""

    worst: ClassVar[str] = "before-the-jump"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Applies to smooth noise for a query or blocks, but not for a sum, whose bound is constant."""
        if isinstance(mechanism, BlockMechanism):
            return isinstance(mechanism.aggregator, SmoothAggregator)
        return isinstance(mechanism, SmoothRelease) and mechanism.query.decline > 0

    @abc.abstractmethod
    def beta(self, privacy: Privacy) -> float:
        """Return the wrong beta."""

    def bound(self, data: Any, beta: float, privacy: Privacy) -> float:
        assert isinstance(self.right, SmoothRelease)
        query: Query[Any] = self.right.query
        return query.smooth_sensitivity(data, self.beta(privacy)).value

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        right = self.right
        if not isinstance(right, BlockMechanism):
            return super().prepare(data, privacy, progress)
        assert isinstance(right.aggregator, SmoothAggregator)
        wrong = OtherSmoothness.of(right.aggregator, self.beta(privacy))
        return dataclasses.replace(right, aggregator=wrong).prepare(data, privacy, progress)


class LocalNoise(WrongSmoothness):
    """Noise proportional to the local sensitivity."""

    name: ClassVar[str] = "local-noise"
    label: ClassVar[str] = "Noise for the local sensitivity"
    summary: ClassVar[str] = (
        "the noise is scaled to what one record can change in these data, and its size reveals that"
    )

    def beta(self, privacy: Privacy) -> float:
        return NO_LOOK_AHEAD


class BetaIsEpsilon(WrongSmoothness):
    """S smooth for beta = epsilon."""

    name: ClassVar[str] = "beta-is-epsilon"
    label: ClassVar[str] = "β = ε"
    summary: ClassVar[str] = (
        "S changes by a factor of up to e^ε between neighboring databases, more than the noise can hide"
    )

    @classmethod
    def worst_for(cls, mechanism: Mechanism[Any]) -> str:
        """Choose outputs of blocks farther from the jump, where S changes most."""
        return "far-from-the-jump" if isinstance(mechanism, BlockMechanism) else cls.worst

    def beta(self, privacy: Privacy) -> float:
        return privacy.epsilon


class GapBound(OtherBound, abc.ABC):
    """A bound from the gaps around the target rank."""

    source: ClassVar[str] = "a lecture slide in circulation"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, SmoothRelease) and isinstance(mechanism.query, OrderStatistic)

    @abc.abstractmethod
    def at_distance(self, data: OrderStatistics, rank: int, k: int) -> float:
        """Return the wrong value for A^(k)."""

    def bound(self, data: OrderStatistics, beta: float, privacy: Privacy) -> float:
        """Return max_k exp(-beta k) A^(k) with the wrong values for A^(k)."""
        assert isinstance(self.right, SmoothRelease)
        assert isinstance(self.right.query, OrderStatistic)
        rank = int(np.ceil(self.right.query.records_below(data.n)))
        reach = min(data.n, decisive_reach(1.0, 0.0, beta, NEGLIGIBLE))
        return max(float(np.exp(-beta * k)) * self.at_distance(data, rank, k) for k in range(reach + 1))


class GapFormula(GapBound):
    """The largest single gap, although k changes can merge k + 1 gaps."""

    name: ClassVar[str] = "gap-formula"
    label: ClassVar[str] = "Largest single gap"
    summary: ClassVar[str] = (
        "at distance k only the largest single gap counts; but k changed records can merge k + 1 gaps"
    )
    worst: ClassVar[str] = "ruler"

    def at_distance(self, data: OrderStatistics, rank: int, k: int) -> float:
        return float(np.max(np.diff(data.ranks(rank - k - 1, rank + k + 1))))


class ShiftedGapFormula(GapBound):
    """Windows that begin at the rank, instead of all windows that contain it."""

    name: ClassVar[str] = "shifted-gap-formula"
    label: ClassVar[str] = "Windows shifted by one"
    summary: ClassVar[str] = (
        "the windows of k + 2 values begin at the median or above, so that no gap below it counts"
    )
    worst: ClassVar[str] = "zeros-and-tops"

    def at_distance(self, data: OrderStatistics, rank: int, k: int) -> float:
        """Return the largest x_{r+t+k+1} - x_{r+t} for t from 0 to k + 1."""
        values = data.ranks(rank, rank + 2 * k + 2)
        return float(np.max(values[k + 1 :] - values[: k + 2]))

"""Components, one of each family: this module knows `engine` alone."""

import dataclasses
from fractions import Fraction
from typing import ClassVar

import numpy as np

import engine
from engine import Average, LaplaceRelease, MeanFunction, StudentT, parameter
from engine.mechanisms.global_noise import AdditivePrepared
from engine.progress import silent
from engine.queries.base import Query, SmoothSensitivity
from engine.queries.order_statistics import OrderStatistic
from engine.randomness import public_generator


@engine.register
@dataclasses.dataclass(frozen=True)
class Second(OrderStatistic):
    """The second smallest value, or one a few ranks above."""

    name: ClassVar[str] = "second"
    label: ClassVar[str] = "Second smallest"
    summary: ClassVar[str] = "the value next to the smallest"
    source: ClassVar[str] = "folklore"

    above: int = parameter(default=0, lower=0, upper=3, label="Ranks above", help="How many ranks above it.")

    def window(self, n: int) -> tuple[int, int]:
        """Return rank 2, or a few above."""
        rank = min(n, 2 + self.above)
        return rank, rank


@engine.register
@dataclasses.dataclass(frozen=True)
class RoughMiddle(Query):
    """The lower median, with bounds of its sensitivity that are easy to prove.

    Whatever k + 1 records do, it stays between the values k + 1 ranks below and above.
    """

    name: ClassVar[str] = "rough-middle"
    label: ClassVar[str] = "Rough middle"
    summary: ClassVar[str] = "the value in the middle, of which bounds alone are known"
    source: ClassVar[str] = "folklore"
    smooth_is_bound: ClassVar[bool] = True

    def exact_value(self, data):
        """Return the lower median."""
        rank = (data.n + 1) // 2
        return Fraction(float(data.ranks(rank, rank)[0]))

    def exact_global_sensitivity(self, domain, n):
        """Return the length of the range."""
        return Fraction(domain.upper) - Fraction(domain.lower)

    def sensitivity_at_distance(self, data, k_max, progress=silent):
        """Return how far apart the values are between which it stays."""
        rank, k = (data.n + 1) // 2, k_max + 1
        return data.ranks(rank + 1, rank + k) - data.ranks(rank - k, rank - 1)[::-1]

    def smooth_sensitivity(self, data, beta, progress=silent):
        """Return the peak of the bounds, discounted by distance."""
        discounted = self.sensitivity_at_distance(data, data.n) * np.exp(-beta * np.arange(data.n + 1))
        k = int(discounted.argmax())
        return SmoothSensitivity(float(discounted[k]), k, beta)


@engine.register
@dataclasses.dataclass(frozen=True)
class Broad(StudentT):
    """Student's t with its usual tail, by another name."""

    name: ClassVar[str] = "broad"
    label: ClassVar[str] = "Broad"
    summary: ClassVar[str] = "heavy tails by another name"
    source: ClassVar[str] = "folklore"


@engine.register
@dataclasses.dataclass(frozen=True)
class Plain(LaplaceRelease):
    """Laplace noise for the worst case, by another name."""

    name: ClassVar[str] = "plain-laplace"
    label: ClassVar[str] = "Plain Laplace"
    summary: ClassVar[str] = "noise for the worst case"
    source: ClassVar[str] = "folklore"


@engine.register
@dataclasses.dataclass(frozen=True)
class InDoubles(LaplaceRelease):
    """Laplace noise on a mean, all of it worked out in double precision."""

    name: ClassVar[str] = "laplace-in-doubles"
    label: ClassVar[str] = "Laplace in doubles"
    summary: ClassVar[str] = "noise for the worst case, added as numpy does"
    source: ClassVar[str] = "folklore"

    def prepare(self, data, privacy, progress=silent):
        """Average in doubles."""
        ready = super().prepare(data, privacy, progress)
        known = {field.name: getattr(ready, field.name) for field in dataclasses.fields(ready)}
        return DoublesPrepared(**{**known, "center": Fraction(float(data.values.mean()))})


@dataclasses.dataclass(frozen=True, repr=False)
class DoublesPrepared(AdditivePrepared):
    """A number and the scale of its noise."""

    def draw(self, rng, size, progress=silent):
        """Add noise in doubles."""
        return float(self.center) + self.scale * public_generator(rng).laplace(size=size)


@engine.register
@dataclasses.dataclass(frozen=True)
class Halfway(MeanFunction):
    """The mean of a block, by another name."""

    name: ClassVar[str] = "halfway"
    label: ClassVar[str] = "Halfway"
    summary: ClassVar[str] = "the mean of a block"
    source: ClassVar[str] = "folklore"


@engine.register
@dataclasses.dataclass(frozen=True)
class Pool(Average):
    """The mean of outputs, by another name."""

    name: ClassVar[str] = "pool"
    label: ClassVar[str] = "Pool"
    summary: ClassVar[str] = "the mean of outputs"
    source: ClassVar[str] = "folklore"

"""Values weighed by how many records must be replaced before one of them is the answer.

Knots.  y_0 = f(x) <= y_1 <= y_2 ... are numbers of the database, with y'_{k+1} >= y_k for every neighbour
x' and every k >= 0, and so z_0 >= z_1 >= ... below, the other way round.  A value v above f(x) has the
distance k for y_{k-1} < v <= y_k, one below in the same way; with a radius r >= 0 all knots move outward
by r, and values within r of f(x) have the distance 0.

Statement.  Neighbours disagree about the distance of a value by at most 1.  So they do if the distance
rises linearly from k - 1 to k between knots, instead of by a step.

Proof.  For v between y_{k-1} and y_k, y'_{k+1} >= y_k: the distance from x' is at most k + 1, on this side
of f(x').  On the other side z'_1 <= f(x) <= v, and it is at most 1.  Exchange x and x'.  With linear rises
the only case that is not plain is v between y'_k and y'_{k+1}: there the distance from x' is
k + (v - y'_k)/(y'_{k+1} - y'_k), which decreases in both knots while v is between them; they are at least
y_{k-1} and y_k, so that it is at most one more than (k - 1) + (v - y_{k-1})/(y_k - y_{k-1}).

So a density proportional to exp(-epsilon distance/2) is epsilon-private, by the exponential mechanism, as
long as all values that can be drawn are the same for all databases.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.pieces import NEVER, Pieces
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from flint import arb


_FIRST_REACH = 1000
"""Distances that are looked at in any case."""


class Knots(Protocol):
    """Where a database has its knots (private)."""

    value: Fraction  # f(x)
    last: int  # the distance of the farthest value that can be drawn, or more
    width: float  # how long all that can be drawn is together, without a radius
    unit: int  # by what `rises` are to be divided
    most: int | None  # the largest distance that can be asked for (public); None for any

    def rises(self, first: int, last: int, progress: Progress) -> tuple[Floats, Floats]:
        """Return how far knots `first` >= 1 to `last` lie from those before, below and above, times `unit`.

        Each is right but for a relative error of 2^-45.
        """

    def knot(self, k: int) -> Fraction:
        """Return the knot with so large a number, negative below f(x), exactly."""


@dataclasses.dataclass(frozen=True, repr=False)
class DistancePieces(Pieces):
    """Pieces between knots; number k stands for distance |k|, below f(x) where it is negative (private)."""

    knots: Knots
    radius: float
    epsilon: float
    is_linear: bool  # whether the distance rises linearly between knots
    reach: int  # no number up to it is left out that has a length
    number: Ints  # shape (m,); rising
    log_lengths: Floats  # shape (m,)
    log_weights: Floats  # shape (m,)

    @classmethod
    def of(
        cls,
        knots: Knots,
        radius: float,
        epsilon: float,
        reach: int,
        *,
        is_linear: bool = False,
        progress: Progress = silent,
        first: int = 1,
    ) -> DistancePieces:
        """Weigh the pieces up to a distance, from a first one on; with the middle where that is 1."""
        below, above = knots.rises(first, reach, progress)
        steps = np.arange(first, reach + 1)
        middle = 2.0 * radius * knots.unit if first == 1 else 0.0
        rises = np.concatenate([below[::-1], [middle], above])
        number = np.concatenate([-steps[::-1], [0], steps])
        kept = np.flatnonzero(rises > 0)
        number = number[kept]
        log_lengths = np.log(rises[kept]) - math.log(knots.unit)
        falling = -epsilon / 2 * np.abs(number)
        if is_linear:
            falling += np.where(number != 0, _mean_above_end(epsilon), 0.0)
        return cls(knots, radius, epsilon, is_linear, reach, number, log_lengths, log_lengths + falling)

    @classmethod
    def near(
        cls,
        knots: Knots,
        radius: float,
        epsilon: float,
        *,
        is_linear: bool = False,
        progress: Progress = silent,
    ) -> DistancePieces:
        """Weigh as many pieces around f(x) as have all of the mass but a share of 2^-69.

        What lies beyond together is no longer than all, and weighed less than the farthest.
        """
        reach = _FIRST_REACH
        while True:
            reach = min(reach, knots.last)
            result = cls.of(knots, radius, epsilon, reach, is_linear=is_linear, progress=progress)
            missing = (
                math.log(knots.width + 2 * radius) - float(result.log_weights.max(initial=-np.inf)) + NEVER
            )
            if reach == knots.last or epsilon / 2 * reach >= missing:
                return result
            reach = int(min(8 * reach, max(2 * reach, 2 / epsilon * missing + 1)))

    @property
    def is_complete(self) -> bool:
        return self.reach == self.knots.last

    @property
    def can_be_completed(self) -> bool:
        return self.knots.most is None or self.knots.last < self.knots.most

    def everything(self) -> DistancePieces:
        return self.of(self.knots, self.radius, self.epsilon, self.knots.last, is_linear=self.is_linear)

    def others(self) -> Iterator[DistancePieces]:
        last, most = self.knots.last, self.knots.most or self.knots.last
        for first in range(self.reach + 1, last + 1, most):
            reach = min(first + most - 1, last)
            yield self.of(self.knots, self.radius, self.epsilon, reach, is_linear=self.is_linear, first=first)

    def without(self, others: DistancePieces) -> DistancePieces:
        left_out = np.abs(self.number) <= others.reach
        return dataclasses.replace(self, log_weights=np.where(left_out, -np.inf, self.log_weights))

    @cached_property
    def edges(self) -> Floats:
        """The ends, from f(x) outward, so that those near are the most exact."""
        lengths, value = np.exp(self.log_lengths), float(self.knots.value)
        below = value - self.radius - np.cumsum(lengths[self.number < 0][::-1])
        above = value + self.radius + np.cumsum(lengths[self.number > 0])
        middle = [value - self.radius, value + self.radius] if self.radius > 0 else [value]
        return np.concatenate([below[::-1], middle, above])

    @cached_property
    def falls(self) -> Floats:
        """Half of epsilon away from f(x), where the distance rises linearly."""
        return np.sign(self.number) * (self.epsilon / 2 if self.is_linear else 0.0)

    @property
    def magnitude(self) -> float:
        """Logarithms of lengths are below 2^10."""
        return 2.0**10 + self.epsilon * (self.reach + 1)

    def log_weight(self, piece: int) -> arb:
        from engine.sampling.balls import ball

        half = ball(self.epsilon) / 2
        result = self.length(piece).log() - half * abs(int(self.number[piece]))
        return result + _exact_mean_above_end(half) if self.falls[piece] else result

    def length(self, piece: int) -> arb:
        """Return a ball around its length."""
        from engine.sampling.balls import ball

        first, last = self._ends(piece)
        return ball(last - first)

    def point(self, piece: int, part: arb) -> arb:
        from engine.sampling.balls import ball

        first, last = self._ends(piece)
        return ball(first) + part * ball(last - first)

    def _ends(self, piece: int) -> tuple[Fraction, Fraction]:
        k, radius = int(self.number[piece]), Fraction(self.radius)
        if k == 0:
            return self.knots.value - radius, self.knots.value + radius
        first, last = (k - 1, k) if k > 0 else (k, k + 1)
        moved = radius if k > 0 else -radius
        return self.knots.knot(first) + moved, self.knots.knot(last) + moved


def _mean_above_end(epsilon: float) -> float:
    """Return the logarithm of the mean density of a falling piece, above that at its lower end."""
    return math.log(math.expm1(epsilon / 2) / (epsilon / 2))


def _exact_mean_above_end(half: arb) -> arb:
    return (half.expm1() / half).log()

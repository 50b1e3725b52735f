"""Values weighed by the number of records that must be replaced to make them the answer.

`DistancePieces` has the definition of the distance, the statement and the proof.
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
"""Distances that are always computed."""


class Knots(Protocol):
    """The knots of a database (private)."""

    value: Fraction  # f(x)
    last: int  # the distance of the farthest value that can be drawn, or more
    width: float  # length of the range from which values are drawn, without a radius
    unit: int  # divisor of `rises`
    most: int | None  # the largest distance for one call (public); None for any

    def rises(self, first: int, last: int, progress: Progress) -> tuple[Floats, Floats]:
        """Return how far knots `first` >= 1 to `last` lie from the previous ones, below and above.

        Both are times `unit`. Relative errors are at most 2^-45.
        """

    def knot(self, k: int) -> Fraction:
        """Return knot k exactly; negative k are below f(x)."""


@dataclasses.dataclass(frozen=True, repr=False)
class DistancePieces(Pieces):
    """Pieces between knots; piece k has distance |k| and lies below f(x) if k < 0 (private).

    Knots.  y_0 = f(x) <= y_1 <= y_2 ... are numbers of the database such that y'_{k+1} >= y_k for every
    neighbour x' and every k >= 0; z_0 >= z_1 >= ... are such numbers below f(x), with the opposite signs.  A
    value v above f(x) has the distance k if y_{k-1} < v <= y_k; below it correspondingly.  With a radius
    r >= 0 all knots move outward by r, and values within r of f(x) have the distance 0.

    Statement.  For neighbours, the distance of a value differs by at most 1.  This also holds if the
    distance rises linearly from k - 1 to k between knots, instead of by a step.

    Proof.  Let v be between y_{k-1} and y_k.  Since y'_{k+1} >= y_k, the distance from x' is at most k + 1 if
    v is on the same side of f(x').  On the other side z'_1 <= f(x) <= v, and the distance is at most 1.
    Exchange x and x'.  With linear rises, the only other case is v between y'_k and y'_{k+1}.  There the
    distance from x' is k + (v - y'_k)/(y'_{k+1} - y'_k), which decreases in both knots while v is between
    them.  These knots are at least y_{k-1} and y_k, so the distance is at most one more than
    (k - 1) + (v - y_{k-1})/(y_k - y_{k-1}).

    So by the exponential mechanism, a density proportional to exp(-epsilon distance/2) is epsilon-private,
    provided that all databases draw from the same set of values.
    """

    knots: Knots
    radius: float
    epsilon: float
    is_linear: bool  # whether the distance rises linearly between knots
    reach: int  # up to this distance, no piece with a length is left out
    number: Ints  # shape (m,); increasing
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
        """Return the weighted pieces at distances `first` to `reach`, and the middle one if `first` is 1."""
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
        """Return enough pieces around f(x) for all of the mass but a share of 2^-69.

        All pieces beyond are together no longer than the whole range, and their weight is below that of the
        farthest piece here.
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
        """The ends of pieces, summed from f(x) outward, so that those near f(x) are the most exact."""
        lengths, value = np.exp(self.log_lengths), float(self.knots.value)
        below = value - self.radius - np.cumsum(lengths[self.number < 0][::-1])
        above = value + self.radius + np.cumsum(lengths[self.number > 0])
        middle = [value - self.radius, value + self.radius] if self.radius > 0 else [value]
        return np.concatenate([below[::-1], middle, above])

    @cached_property
    def falls(self) -> Floats:
        """Slope of the log density: epsilon/2, decreasing away from f(x), if the distance rises linearly."""
        return np.sign(self.number) * (self.epsilon / 2 if self.is_linear else 0.0)

    @property
    def magnitude(self) -> float:
        """An upper bound of logarithms: those of lengths are below 2^10."""
        return 2.0**10 + self.epsilon * (self.reach + 1)

    def log_weight(self, piece: int) -> arb:
        from engine.sampling.balls import ball

        half = ball(self.epsilon) / 2
        result = self.length(piece).log() - half * abs(int(self.number[piece]))
        return result + _exact_mean_above_end(half) if self.falls[piece] else result

    def length(self, piece: int) -> arb:
        """Return a ball around the length of a piece."""
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
    """Return the logarithm of (mean density of a falling piece)/(density at its lower end)."""
    return math.log(math.expm1(epsilon / 2) / (epsilon / 2))


def _exact_mean_above_end(half: arb) -> arb:
    return (half.expm1() / half).log()

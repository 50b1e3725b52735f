"""Pieces of a line on which a density is constant, or falls exponentially from one end to the other.

What decides a release is a choice among pieces by their exact weights, and a point in the one that was
chosen.  Of many pieces those near the true answer have all of the mass but a share of 2^-69; the others
are looked at when a release is drawn from them, which an exact coin decides: part by part, where they
cannot be held at once.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.prepared import PreparedFields, ScalarPrepared
from engine.progress import Progress, silent
from engine.randomness import is_release
from engine.sampling.choice import choose, coins
from engine.sampling.output_grid import OutputGrid
from engine.shown import ShownInALine

if TYPE_CHECKING:
    from flint import arb


NEVER = 48.0
"""All pieces that are left out weigh less than e^-48 < 2^-69 times one that is not."""


class Pieces(ShownInALine, abc.ABC):
    """Pieces of a line that have a length, in order, with their weights (private)."""

    # shape (m,); Logarithms of their masses, but for one constant; minus infinity for a piece that is left
    # out
    log_weights: Floats

    @property
    @abc.abstractmethod
    def edges(self) -> Floats:
        """Their ends in the unit of the answer, shape (m + 1,), rising."""

    @property
    def falls(self) -> Floats:
        """By how much the logarithm of the density falls from the left end of each to its right, (m,)."""
        return np.zeros(self.log_weights.size)

    @property
    @abc.abstractmethod
    def is_complete(self) -> bool:
        """Whether there are no others."""

    @property
    def can_be_completed(self) -> bool:
        """Whether all others can be held at once."""
        return True

    @abc.abstractmethod
    def everything(self) -> Self:
        """Return all pieces."""

    @abc.abstractmethod
    def without(self, others: Self) -> Self:
        """Return the same, but for no weight on others."""

    def others(self) -> Iterator[Self]:
        """Yield all others, part by part where they cannot be held at once; without weight on these."""
        yield self.everything().without(self)

    @property
    @abc.abstractmethod
    def magnitude(self) -> float:
        """No logarithm is made of numbers larger than this together."""

    @abc.abstractmethod
    def log_weight(self, piece: int) -> arb:
        """Return a ball around the logarithm of its weight."""

    @abc.abstractmethod
    def point(self, piece: int, part: arb) -> arb:
        """Return the point that lies a part of the way through a piece, counted from the first."""

    def mass(self) -> arb:
        """Return a ball around the sum of all weights."""
        from engine.sampling.balls import ball

        weighed = np.flatnonzero(self.log_weights > -np.inf).tolist()
        return sum((self.log_weight(piece).exp() for piece in weighed), ball(0))

    def drawn(self, piece: int, uniform: arb) -> arb:
        """Return the point of a piece below which so much of its mass lies."""
        from engine.sampling.balls import ball

        fall = float(self.falls[piece])
        if fall == 0:
            return self.point(piece, uniform)
        exact = ball(fall)
        return self.point(piece, -(1 + uniform * (-exact).expm1()).log() / exact)


@dataclasses.dataclass(frozen=True, repr=False)
class PiecewisePrepared(PreparedFields, ScalarPrepared):
    """A density that is constant or exponential on each of many pieces."""

    near: Pieces  # those that have all of the mass but a share of 2^-69 (private)
    grid: OutputGrid  # where released values lie

    @property
    def edges(self) -> Floats:
        """The sorted values between which it has no jump."""
        return self.near.edges

    @functools.cached_property
    def probability(self) -> Floats:
        """Mass of each piece."""
        weights = np.exp(self.near.log_weights - self.near.log_weights.max())
        return np.asarray(weights / weights.sum())

    @functools.cached_property
    def _all(self) -> Pieces:
        """All pieces, where they can be held."""
        return self.near.everything()

    @functools.cached_property
    def _cumulative(self) -> Floats:
        """Mass below each edge but the first; a simulation asks for it again and again."""
        return np.cumsum(self.probability)

    @functools.cached_property
    def _last(self) -> int:
        """The last piece that has any mass."""
        return int(np.flatnonzero(self.probability)[-1])

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        if is_release(rng):
            return np.array([self._released(rng) for _ in range(size)], dtype=np.float64)
        piece = np.searchsorted(self._cumulative, rng.random(size) * self._cumulative[-1], side="right")
        # rounding must not select a piece of weight zero behind the last
        piece = np.minimum(piece, self._last)
        low, high = self.edges[piece], self.edges[piece + 1]
        return self.grid.round_values(low + parts(rng.random(size), self.near.falls[piece]) * (high - low))

    def _released(self, rng: np.random.Generator) -> float:
        from engine.sampling.balls import Bits

        pieces = self._other(rng) if self._beyond(rng) else self.near
        piece = choose(pieces.log_weights, pieces.log_weight, rng, pieces.magnitude)
        bits = Bits()
        return self.grid.nearest(lambda: pieces.drawn(piece, bits.uniform()))

    def _other(self, rng: np.random.Generator) -> Pieces:
        """Choose a part of the others by its mass, exactly; happens once in 2^69 times."""
        sizes = [(_log_sum(part.log_weights), part.magnitude) for part in self.near.others()]

        def part(index: int) -> Pieces:
            return next(itertools.islice(self.near.others(), index, None))

        log_masses, magnitudes = np.array(sizes).T
        return part(choose(log_masses, lambda index: part(index).mass().log(), rng, float(magnitudes.max())))

    def _beyond(self, rng: np.random.Generator) -> bool:
        """Tell, by an exact coin, whether the piece is none of those that are near."""
        if self.near.is_complete:
            return False

        def share() -> arb:
            others = sum(part.mass() for part in self.near.others())
            return others / (others + self.near.mass())

        # less than what a coin allows for beside a share of 0
        return bool(coins(0.0, share, 1, rng)[0])

    def density(self, values: ArrayLike) -> Floats:
        """Return the density of the released value, before rounding.

        Where not all pieces can be held it is 0 on those that are not near, which have less than 2^-69 of
        the mass.
        """
        points = np.asarray(values, dtype=np.float64)
        beyond = (points < self.edges[0]) | (points > self.edges[-1])
        if beyond.any() and not self.near.is_complete and self.near.can_be_completed:
            return dataclasses.replace(self, near=self._all).density(points)
        piece = np.clip(np.searchsorted(self.edges, points, side="right") - 1, 0, self.probability.size - 1)
        lengths = self.edges[piece + 1] - self.edges[piece]
        inside = ~beyond & (lengths > 0)
        height, part = np.zeros_like(points), np.zeros_like(points)
        np.divide(self.probability[piece], lengths, out=height, where=inside)
        np.divide(points - self.edges[piece], lengths, out=part, where=inside)
        density: Floats = height * _slope(part, self.near.falls[piece])
        return density

    def quantile(self, p: ArrayLike) -> Floats:
        wanted = np.asarray(p, dtype=np.float64) * self._cumulative[-1]
        piece = np.minimum(np.searchsorted(self._cumulative, wanted, side="right"), self._last)
        below = np.concatenate([[0.0], self._cumulative])[piece]
        share = np.clip((wanted - below) / self.probability[piece], 0.0, 1.0)
        low, high = self.edges[piece], self.edges[piece + 1]
        values: Floats = low + parts(share, self.near.falls[piece]) * (high - low)
        return values

    def unclamped(self) -> PiecewisePrepared:
        return dataclasses.replace(self, grid=self.grid.unclamped)


def parts(shares: Floats, falls: Floats) -> Floats:
    """Return which parts of pieces have such shares of their masses, for densities that fall so much."""
    steep = falls != 0
    parts = shares.copy()
    np.divide(-np.log1p(shares * np.expm1(-falls)), falls, out=parts, where=steep)
    return parts


def _log_sum(log_weights: Floats) -> float:
    """Return the logarithm of a sum of weights."""
    largest = float(log_weights.max(initial=-np.inf))
    return largest + math.log(np.exp(log_weights - largest).sum()) if largest > -np.inf else largest


def _slope(part: Floats, falls: Floats) -> Floats:
    """Return by which factors densities differ from their means a part of the way through pieces."""
    steep, mean = falls != 0, np.ones_like(falls)
    np.divide(-np.expm1(-falls), falls, out=mean, where=steep)
    slope: Floats = np.exp(-falls * part) / mean
    return slope

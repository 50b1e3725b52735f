"""Densities on a line that are constant or exponential on each of many pieces.

A release chooses a piece by its exact weight, then draws a point in it.
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


# With many pieces, those near the true answer have all but a share of 2^-69 of the mass, and only they are
# held.  An exact coin decides whether a release comes from the others, which are then read part by part.
NEVER = 48.0
"""All omitted pieces together weigh less than e^-48 < 2^-69 times one that is held."""


class Pieces(ShownInALine, abc.ABC):
    """Consecutive pieces of a line with positive lengths, and their weights (private)."""

    # (m,), logarithms of the masses up to a constant; minus infinity for an omitted piece
    log_weights: Floats

    @property
    @abc.abstractmethod
    def edges(self) -> Floats:
        """Ends of the pieces in the unit of the answer, shape (m + 1,), increasing."""

    @property
    def falls(self) -> Floats:
        """Decrease of the log-density from the left to the right end of each piece, shape (m,)."""
        return np.zeros(self.log_weights.size)

    @property
    @abc.abstractmethod
    def is_complete(self) -> bool:
        """Whether no piece is omitted."""

    @property
    def can_be_completed(self) -> bool:
        """Whether memory suffices for all pieces at once."""
        return True

    @abc.abstractmethod
    def everything(self) -> Self:
        """Return all pieces."""

    @abc.abstractmethod
    def without(self, others: Self) -> Self:
        """Return the same pieces with weight 0 on those in `others`."""

    def others(self) -> Iterator[Self]:
        """Yield the omitted pieces with their weights, in parts that memory can hold."""
        yield self.everything().without(self)

    @property
    @abc.abstractmethod
    def magnitude(self) -> float:
        """Upper bound on the sum of absolute values of the parts of any log-weight."""

    @abc.abstractmethod
    def log_weight(self, piece: int) -> arb:
        """Return a ball around the log-weight of a piece."""

    @abc.abstractmethod
    def point(self, piece: int, part: arb) -> arb:
        """Return the point at the fraction `part` of a piece, from its left end."""

    def mass(self) -> arb:
        """Return a ball around the sum of all weights."""
        from engine.sampling.balls import ball

        weighed = np.flatnonzero(self.log_weights > -np.inf).tolist()
        return sum((self.log_weight(piece).exp() for piece in weighed), ball(0))

    def drawn(self, piece: int, uniform: arb) -> arb:
        """Return the quantile of a piece at `uniform`."""
        from engine.sampling.balls import ball

        fall = float(self.falls[piece])
        if fall == 0:
            return self.point(piece, uniform)
        exact = ball(fall)
        return self.point(piece, -(1 + uniform * (-exact).expm1()).log() / exact)


@dataclasses.dataclass(frozen=True, repr=False)
class PiecewisePrepared(PreparedFields, ScalarPrepared):
    """A density that is constant or exponential on each of many pieces."""

    near: Pieces  # the pieces held; they have all but a share of 2^-69 of the mass (private)
    grid: OutputGrid  # grid of released values

    @property
    def edges(self) -> Floats:
        """The sorted values at which the density may jump."""
        return self.near.edges

    @functools.cached_property
    def probability(self) -> Floats:
        """Probability of each piece, shape (m,)."""
        weights = np.exp(self.near.log_weights - self.near.log_weights.max())
        return np.asarray(weights / weights.sum())

    @functools.cached_property
    def _all(self) -> Pieces:
        """All pieces, if memory can hold them."""
        return self.near.everything()

    @functools.cached_property
    def _cumulative(self) -> Floats:
        """Probability below each edge but the first; cached for repeated draws."""
        return np.cumsum(self.probability)

    @functools.cached_property
    def _last(self) -> int:
        """Index of the last piece with a positive probability."""
        return int(np.flatnonzero(self.probability)[-1])

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        if is_release(rng):
            return np.array([self._released(rng) for _ in range(size)], dtype=np.float64)
        piece = np.searchsorted(self._cumulative, rng.random(size) * self._cumulative[-1], side="right")
        # rounding must not choose a piece of weight 0 after the last
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
        """Choose a part of the omitted pieces by its exact mass; needed once in 2^69 draws."""
        sizes = [(_log_sum(part.log_weights), part.magnitude) for part in self.near.others()]

        def part(index: int) -> Pieces:
            return next(itertools.islice(self.near.others(), index, None))

        log_masses, magnitudes = np.array(sizes).T
        return part(choose(log_masses, lambda index: part(index).mass().log(), rng, float(magnitudes.max())))

    def _beyond(self, rng: np.random.Generator) -> bool:
        """Decide by an exact coin whether the draw comes from an omitted piece."""
        if self.near.is_complete:
            return False

        def share() -> arb:
            others = sum(part.mass() for part in self.near.others())
            return others / (others + self.near.mass())

        # the share is less than the error that a coin allows around 0
        return bool(coins(0.0, share, 1, rng)[0])

    def density(self, values: ArrayLike) -> Floats:
        """Return the density of the released value, before rounding.

        If memory cannot hold all pieces, the density is 0 on the omitted ones, which have less than 2^-69
        of the mass.
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
    """Return the fractions of pieces below which lie these shares of their mass; `falls` as in `Pieces`."""
    steep = falls != 0
    parts = shares.copy()
    np.divide(-np.log1p(shares * np.expm1(-falls)), falls, out=parts, where=steep)
    return parts


def _log_sum(log_weights: Floats) -> float:
    """Return the logarithm of a sum of weights."""
    largest = float(log_weights.max(initial=-np.inf))
    return largest + math.log(np.exp(log_weights - largest).sum()) if largest > -np.inf else largest


def _slope(part: Floats, falls: Floats) -> Floats:
    """Return the ratio of the density to its mean, at the fraction `part` of each piece."""
    steep, mean = falls != 0, np.ones_like(falls)
    np.divide(-np.expm1(-falls), falls, out=mean, where=steep)
    slope: Floats = np.exp(-falls * part) / mean
    return slope

"""The gaps between neighbouring values, weighed by how far their rank is from the one that is sought.

Where results are multiples of a declared step, each multiple is an outcome of its own.  Records move to
the nearest one; a multiple on which some of them lie, a heap, has between a and b records below it, the
most favourable of which counts: it misses the rank t by max(0, a - t, t - b).  A replaced record moves a
and b by at most one, and so the score.  A multiple with number k is the interval from k - 1/2 to k + 1/2,
of which any point is rounded to it: heaps and gaps are pieces of a line again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.mechanisms.pieces import NEVER, Pieces
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from flint import arb


_FIRST_REACH = 1000
"""Gaps to each side of the rank that is sought which are looked at in any case."""


class Ends(Protocol):
    """Two public numbers between which values lie."""

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

    @property
    def width(self) -> float: ...


class Ranked(Protocol):
    """Values seen through their ranks, as `Sample` is."""

    @property
    def n(self) -> int: ...

    @property
    def domain(self) -> Ends: ...

    @property
    def most_ranks(self) -> int | None: ...

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]: ...


@dataclasses.dataclass(frozen=True, repr=False)
class RankGaps(Pieces):
    """Gaps and heaps that have a length; number i has i records below it (private)."""

    places: Floats  # shape (m + 1,); their ends, no two of them equal, sorted; in steps where one is declared
    number: Ints  # shape (m,); increasing
    distance: Floats  # shape (m,); by how much each misses the rank that is sought
    log_weights: Floats  # shape (m,); logarithm of length times ``exp(-epsilon distance / 2)``
    data: Ranked
    sought: float  # the rank that is sought: how many records lie below
    epsilon: float
    # Between these, both included, no number is left out that has a length
    first: int
    last: int
    step: float | None = None  # the declared resolution

    @classmethod
    def of(
        cls, data: Ranked, sought: float, epsilon: float, first: int, last: int, step: float | None = None
    ) -> RankGaps:
        """Weigh the gaps and heaps of these numbers."""
        values, counts = data.ties(first, last + 1)
        if step is None:
            places, number = values, first - 1 + np.cumsum(counts)[:-1]
            distance = np.abs(number - sought)
        else:
            places, number, distance = _in_steps(values, counts, data, sought, first, last, step)
        log_weights = np.log(np.diff(places)) - epsilon / 2 * distance
        return cls(places, number, distance, log_weights, data, sought, epsilon, first, last, step)

    @classmethod
    def near(
        cls,
        data: Ranked,
        sought: float,
        epsilon: float,
        step: float | None = None,
        *,
        progress: Progress = silent,
    ) -> RankGaps:
        """Weigh as many gaps around the rank that is sought as have all of the mass but a share of 2^-69.

        What lies beyond together is no longer than the range, and weighed less than the farthest.
        """
        reach, n = _FIRST_REACH, data.n
        whole = data.domain.width if step is None else data.domain.width / step + 1
        while True:
            progress(0.0, "gaps between values")
            first, last = max(0, math.floor(sought) - reach), min(n, math.ceil(sought) + reach)
            gaps = cls.of(data, sought, epsilon, first, last, step)
            if last - first == n:
                return gaps
            heaviest = float(gaps.log_weights.max(initial=-np.inf))
            nearest = min(abs(end - sought) for end in (first, last) if 0 < end < n)
            missing = math.log(whole) - heaviest + NEVER
            if epsilon / 2 * nearest >= missing:
                return gaps
            reach = int(min(8 * reach, max(2 * reach, 2 / epsilon * missing + 1)))

    @property
    def is_complete(self) -> bool:
        return self.first == 0 and self.last == self.data.n

    def others(self) -> Iterator[RankGaps]:
        """Yield all that are left out, so many ranks at a time as the data hold at once.

        A heap that goes on beyond the ranks of one part counts, by its number, in the part in which its
        distance is known.
        """
        most = self.data.most_ranks
        size = self.data.n + 1 if most is None else max(1, most - 2)
        for first in range(0, self.data.n + 1, size):
            last = min(first + size - 1, self.data.n)
            gaps = self.of(self.data, self.sought, self.epsilon, first, last, self.step)
            own = (gaps.number >= first) & (gaps.number <= last)
            yield gaps._only(own & ((gaps.number < self.first) | (gaps.number > self.last)))

    @property
    def can_be_completed(self) -> bool:
        most = self.data.most_ranks
        return most is None or self.data.n < most

    def everything(self) -> RankGaps:
        return self.of(self.data, self.sought, self.epsilon, 0, self.data.n, self.step)

    def without(self, others: RankGaps) -> RankGaps:
        return self._only((self.number < others.first) | (self.number > others.last))

    def _only(self, some: Bools) -> RankGaps:
        """Return the same with the weights of some of them alone."""
        return dataclasses.replace(self, log_weights=np.where(some, self.log_weights, -np.inf))

    @cached_property
    def edges(self) -> Floats:
        return self.places if self.step is None else self.places * self.step

    def point(self, piece: int, part: arb) -> arb:
        from engine.sampling.balls import ball

        position = self._lower(piece) + part * self.length(piece)
        return position if self.step is None else position * ball(self.step)

    def length(self, gap: int) -> arb:
        """Return a ball around its length."""
        return self._lower(gap + 1) - self._lower(gap)

    def _lower(self, gap: int) -> arb:
        from engine.sampling.balls import ball

        return ball(float(self.places[gap]))

    def log_weight(self, piece: int) -> arb:
        from engine.sampling.balls import ball

        return self.length(piece).log() - ball(self.epsilon) * float(self.distance[piece]) / 2

    @property
    def magnitude(self) -> float:
        """No logarithm is made of numbers larger than this together: those of lengths are below 2^10."""
        return 2.0**10 + self.epsilon * float(self.distance.max(initial=0.0))


def _in_steps(
    values: Floats,
    counts: Ints,
    data: Ranked,
    sought: float,
    first: int,
    last: int,
    step: float,
) -> tuple[Floats, Ints, Floats]:
    """Return the ends of heaps and gaps in steps, and of each its number and how far it misses.

    A heap that goes on beyond the values given does so on the far side of the rank that is sought, or
    holds it: the distance is right.
    """
    lowest = math.ceil(Fraction(data.domain.lower) / Fraction(step))
    highest = math.floor(Fraction(data.domain.upper) / Fraction(step))
    begins, ends = first == 0, last == data.n
    records = counts.copy()  # but for the bounds, which are none
    records[0] -= begins
    records[-1] -= ends
    moved = np.clip(np.rint(values / step), lowest, highest)[records > 0]
    heaps, start = np.unique(moved, return_index=True)
    size = np.add.reduceat(records[records > 0], start) if heaps.size else np.empty(0, np.int64)
    below = max(first - 1, 0) + np.cumsum(size) - size
    upto = below + size
    places = np.concatenate(
        [
            [lowest - 0.5] if begins else [],
            np.stack([heaps - 0.5, heaps + 0.5], axis=1).ravel(),
            [highest + 0.5] if ends else [],
        ]
    )
    nearest = np.clip(math.floor(sought), below, upto)
    missed = np.maximum(0, np.maximum(below - sought, sought - upto))
    number = np.concatenate([[0] if begins else [], np.stack([nearest, upto], axis=1).ravel()])
    distance = np.concatenate(
        [[sought] if begins else [], np.stack([missed, np.abs(upto - sought)], axis=1).ravel()]
    )
    pieces = places.size - 1
    kept = np.flatnonzero(places[1:] != places[:-1])
    number, distance = number[:pieces].astype(np.int64), distance[:pieces]
    return np.append(places[kept], places[-1]), number[kept], distance[kept]

"""Gaps between neighbouring values, weighted by how far their rank is from the target rank."""

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


# With a declared step, each multiple of it is an outcome of its own.  Records move to the nearest multiple;
# a multiple with records on it is called a heap.  With a records below a heap and b up to it, its score is
# that of the best rank between: it misses the rank t by max(0, a - t, t - b).  With a margin K > 0, only the
# ranks between a + g and b - g count, g = min((b - a)/4, K): other heaps are then farther away.  A replaced
# record changes a, b, a + g and b - g by at most one, and so the score.  In units of the step, multiple k is
# the interval from k - 1/2 to k + 1/2, whose points all round to k.  So heaps and gaps are again pieces of a
# line.

_FIRST_REACH = 1000
"""Gaps on each side of the target rank that are always read."""


class Ends(Protocol):
    """Two public bounds on the values."""

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

    @property
    def width(self) -> float: ...


class Ranked(Protocol):
    """Sorted values that are accessed by rank, such as `Sample`."""

    @property
    def n(self) -> int: ...

    @property
    def domain(self) -> Ends: ...

    @property
    def most_ranks(self) -> int | None: ...

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]: ...


@dataclasses.dataclass(frozen=True, repr=False)
class RankGaps(Pieces):
    """Gaps and heaps of positive length; number i has i records below it (private)."""

    places: Floats  # (m + 1,), their ends, strictly increasing; in steps if a step is declared
    number: Ints  # (m,), increasing
    distance: Floats  # (m,), how far each is from the target rank
    log_weights: Floats  # (m,), logarithm of length times ``exp(-epsilon distance / 2)``
    data: Ranked
    sought: float  # target rank: number of records below it
    epsilon: float
    # First and last number (inclusive) that were read; between them, only pieces of length 0 are omitted
    first: int
    last: int
    step: float | None = None  # declared resolution
    margin: float = 0.0  # outer ranks of a heap that do not count, at most; needs a step

    @classmethod
    def of(
        cls,
        data: Ranked,
        sought: float,
        epsilon: float,
        first: int,
        last: int,
        step: float | None = None,
        margin: float = 0.0,
    ) -> RankGaps:
        """Weight the gaps and heaps with numbers from `first` to `last`."""
        # a heap that ends beyond the ranks read must have at least 4 K of them
        more = math.ceil(4 * margin)
        begin, end = max(0, first - more), min(data.n, last + more)
        values, counts = data.ties(begin, end + 1)
        if step is None:
            places, number = values, first - 1 + np.cumsum(counts)[:-1]
            distance = np.abs(number - sought)
        else:
            places, number, distance = _in_steps(values, counts, data, sought, begin, end, step, margin)
            start, stop = np.searchsorted(number, [first, last + 1])
            places, number, distance = places[start : stop + 1], number[start:stop], distance[start:stop]
        log_weights = np.log(np.diff(places)) - epsilon / 2 * distance
        return cls(places, number, distance, log_weights, data, sought, epsilon, first, last, step, margin)

    @classmethod
    def near(
        cls,
        data: Ranked,
        sought: float,
        epsilon: float,
        step: float | None = None,
        margin: float = 0.0,
        *,
        progress: Progress = silent,
    ) -> RankGaps:
        """Weight enough gaps around the target rank for all but a share of 2^-69 of the mass.

        All others together are at most as long as the range, and their density is below that of the farthest.
        """
        reach, n = _FIRST_REACH, data.n
        middle = min(max(sought, 0), n)  # a target may lie beyond all records
        whole = data.domain.width if step is None else data.domain.width / step + 1
        while True:
            progress(0.0, "gaps between values")
            first, last = max(0, math.floor(middle) - reach), min(n, math.ceil(middle) + reach)
            gaps = cls.of(data, sought, epsilon, first, last, step, margin)
            if last - first == n:
                return gaps
            heaviest = float(gaps.log_weights.max(initial=-np.inf))
            missing = math.log(whole) - heaviest + NEVER
            if epsilon / 2 * gaps.least_omitted >= missing:
                return gaps
            reach = int(min(8 * reach, max(2 * reach, 2 / epsilon * missing + 1)))

    @property
    def least_omitted(self) -> float:
        """Lower bound on the distance of all omitted pieces; inf if none is omitted."""
        ends = (end for end in (self.first, self.last) if 0 < end < self.data.n)
        return min((abs(end - self.sought) for end in ends), default=math.inf)

    def distance_at(self, multiple: int) -> float:
        """Return the distance of a multiple of the step from the target rank; reads omitted ranks."""
        for gaps in (self, *self.others()):
            piece = int(np.searchsorted(gaps.places, multiple)) - 1
            if 0 <= piece < gaps.distance.size and gaps.log_weights[piece] > -np.inf:
                return float(gaps.distance[piece])
        raise IndexError(f"{multiple} is no multiple between the bounds")

    @property
    def is_complete(self) -> bool:
        return self.first == 0 and self.last == self.data.n

    def others(self) -> Iterator[RankGaps]:
        """Yield all omitted gaps and heaps, in parts of as many ranks as the data can read at once.

        A heap may extend beyond the ranks of one part.  Its number assigns it to the part that knows its
        distance.
        """
        most = self.data.most_ranks
        size = self.data.n + 1 if most is None else max(1, most - 2 - 2 * math.ceil(4 * self.margin))
        for first in range(0, self.data.n + 1, size):
            last = min(first + size - 1, self.data.n)
            gaps = self._between(first, last)
            own = (gaps.number >= first) & (gaps.number <= last)
            yield gaps._only(own & ((gaps.number < self.first) | (gaps.number > self.last)))

    @property
    def can_be_completed(self) -> bool:
        most = self.data.most_ranks
        return most is None or self.data.n < most

    def everything(self) -> RankGaps:
        return self._between(0, self.data.n)

    def _between(self, first: int, last: int) -> RankGaps:
        return self.of(self.data, self.sought, self.epsilon, first, last, self.step, self.margin)

    def without(self, others: RankGaps) -> RankGaps:
        return self._only((self.number < others.first) | (self.number > others.last))

    def _only(self, some: Bools) -> RankGaps:
        """Return a copy with weight 0 on all pieces but `some`."""
        return dataclasses.replace(self, log_weights=np.where(some, self.log_weights, -np.inf))

    @cached_property
    def edges(self) -> Floats:
        return self.places if self.step is None else self.places * self.step

    def point(self, piece: int, part: arb) -> arb:
        from engine.sampling.balls import ball

        position = self._lower(piece) + part * self.length(piece)
        return position if self.step is None else position * ball(self.step)

    def length(self, gap: int) -> arb:
        """Return a ball around the length of a gap."""
        return self._lower(gap + 1) - self._lower(gap)

    def _lower(self, gap: int) -> arb:
        from engine.sampling.balls import ball

        return ball(float(self.places[gap]))

    def log_weight(self, piece: int) -> arb:
        from engine.sampling.balls import ball

        return self.length(piece).log() - ball(self.epsilon) * float(self.distance[piece]) / 2

    @property
    def magnitude(self) -> float:
        """Upper bound on the parts of any log-weight; logarithms of lengths are below 2^10."""
        return 2.0**10 + self.epsilon * float(self.distance.max(initial=0.0))


def _in_steps(
    values: Floats,
    counts: Ints,
    data: Ranked,
    sought: float,
    first: int,
    last: int,
    step: float,
    margin: float,
) -> tuple[Floats, Ints, Floats]:
    """Return the ends of heaps and gaps in steps, and for each its number and its distance.

    A heap may extend beyond the given values.  It does so away from the target rank, or contains it; so
    its distance is right if at least 4 `margin` of its records are given.
    """
    lowest = math.ceil(Fraction(data.domain.lower) / Fraction(step))
    highest = math.floor(Fraction(data.domain.upper) / Fraction(step))
    begins, ends = first == 0, last == data.n
    records = counts.copy()  # without the bounds, which are not records
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
    outer = np.minimum(size / 4, margin)
    missed = np.maximum(0, np.maximum(below + outer - sought, sought - upto + outer))
    number = np.concatenate([[0] if begins else [], np.stack([nearest, upto], axis=1).ravel()])
    distance = np.concatenate(
        [[abs(sought)] if begins else [], np.stack([missed, np.abs(upto - sought)], axis=1).ravel()]
    )
    pieces = places.size - 1
    kept = np.flatnonzero(places[1:] != places[:-1])
    number, distance = number[:pieces].astype(np.int64), distance[:pieces]
    return np.append(places[kept], places[-1]), number[kept], distance[kept]

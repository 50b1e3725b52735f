"""Records between two values, in which the next of several quantiles is looked for."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.order_statistics import ties_of
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True)
class Between:
    """Two numbers, the first not above the second, between which a quantile is looked for."""

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """How far they are apart."""
        return self.upper - self.lower


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Part(ShownInALine):
    """Sorted records between two values, seen through their ranks as `Sample` is (private)."""

    records: Floats
    domain: Between
    most_ranks = None  # all of them

    @property
    def n(self) -> int:
        """How many records there are; none is possible."""
        return int(self.records.size)

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the different values at these ranks, the ends beyond them, and how often each is there."""
        inside = self.records[max(first, 1) - 1 : max(min(last, self.n), 0)]
        before, after = max(0, 1 - first), max(0, last - self.n)
        ends = np.full(before, self.domain.lower), np.full(after, self.domain.upper)
        return ties_of(np.concatenate([ends[0], inside, ends[1]]))

"""In which order many quantiles are looked for, and what that costs: all of it public.

The middle one is found first.  It cuts the records in two parts, in which those below and those above are
looked for in the same way; on each level a record is in one part at most.

Statement.  In a part of m records between a and b, with an order that says that a share q lies below, a value
v with i records below it scores -|i - q m|.  A record that is added or taken away changes the score by at
most s = max(q, 1 - q); one that is replaced within the part by at most 1.  So a choice with probability
proportional to exp(e score/2) costs s e, or e.

A replaced record is in the same part before and after down to some level, and below that in two different
ones, of each of which it is one more or less: the first cost 1 each, the others the sum of the costs s of
both ways down.  The largest such sum is the price of the whole tree: with e = epsilon/price all choices
together are epsilon-private, by composition over levels, since the parts of a level have no record in common.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

FINE = 1 << 20
"""Shares are multiples of a part of so many, so that products with numbers of records are exact."""


@dataclasses.dataclass(frozen=True)
class QuantileNode:
    """A quantile, and those that are looked for in the two parts that it makes.

    Attributes
    ----------
    place : int
        Its number among all quantiles.
    share : float
        How much of its part lies below it.
    below, above : QuantileNode or None
    """

    place: int
    share: float
    below: QuantileNode | None
    above: QuantileNode | None

    @classmethod
    def of(cls, shares: Sequence[Fraction]) -> QuantileNode:
        """Return the tree for rising shares between 0 and 1."""
        node = _made(shares, 0, Fraction(0), Fraction(1))
        assert node is not None
        return node

    @property
    def moved(self) -> Fraction:
        """What one record more or less costs here, of e."""
        return max(Fraction(self.share), 1 - Fraction(self.share))

    def price(self, power: int = 1) -> Fraction:
        """Return what a replaced record costs in all, of e; of the squares of costs for power 2."""
        parts = [part for part in (self.below, self.above) if part is not None]
        apart = sum((part.way_down(power) for part in parts), Fraction(0))
        return 1 + max([apart, *(part.price(power) for part in parts)])

    def way_down(self, power: int = 1) -> Fraction:
        """Return what one record more or less costs on the most expensive way down."""
        return self._ways_down[power]

    @cached_property
    def _ways_down(self) -> dict[int, Fraction]:
        parts = [part for part in (self.below, self.above) if part is not None]
        return {
            power: self.moved**power + max((part.way_down(power) for part in parts), default=Fraction(0))
            for power in (1, 2)
        }


def _made(shares: Sequence[Fraction], first: int, low: Fraction, high: Fraction) -> QuantileNode | None:
    if not shares:
        return None
    middle = len(shares) // 2
    here = shares[middle]
    whole = math.floor((here - low) / (high - low) * FINE + Fraction(1, 2))
    return QuantileNode(
        place=first + middle,
        share=whole / FINE,
        below=_made(shares[:middle], first, low, here),
        above=_made(shares[middle + 1 :], first + middle + 1, here, high),
    )

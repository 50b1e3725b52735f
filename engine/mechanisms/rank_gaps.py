"""The gaps between neighbouring values, weighed by how far their rank is from the one that is sought."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.data.order_statistics import Sample
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from flint import arb

_Floats = NDArray[np.float64]

_FIRST_REACH = 1000
"""Gaps to each side of the rank that is sought which are looked at in any case."""

_NEVER = 48.0
"""All gaps that are left out weigh less than e^-48 < 2^-69 times one that is not."""


@dataclasses.dataclass(frozen=True)
class RankGaps:
    """Gaps that have a length; number i has i records below it (private).

    Attributes
    ----------
    edges : ndarray, shape (m + 1,)
        Their ends, no two of them equal, sorted.
    number : ndarray of int, shape (m,)
        Increasing.
    distance : ndarray, shape (m,)
        By how much each misses the rank that is sought.
    log_weights : ndarray, shape (m,)
        Logarithm of length times ``exp(-epsilon distance / 2)``.
    epsilon : float
    first, last : int
        Between these, both included, no number is left out that has a length.
    """

    edges: _Floats
    number: NDArray[np.int64]
    distance: _Floats
    log_weights: _Floats
    epsilon: float
    first: int
    last: int

    @classmethod
    def of(cls, data: Sample, sought: float, epsilon: float, first: int, last: int) -> RankGaps:
        """Weigh the gaps of these numbers."""
        values = data.ranks(first, last + 1)
        inside = np.flatnonzero(values[1:] != values[:-1])
        edges = np.append(values[inside], values[-1])
        number = first + inside
        distance = np.abs(number - sought)
        log_weights = np.log(np.diff(edges)) - epsilon / 2 * distance
        return cls(edges, number, distance, log_weights, epsilon, first, last)

    @classmethod
    def near(cls, data: Sample, sought: float, epsilon: float, progress: Progress = silent) -> RankGaps:
        """Weigh as many gaps around the rank that is sought as have all of the mass but a share of 2^-69.

        What lies beyond together is no longer than the range, and weighed less than the farthest.
        """
        reach, n = _FIRST_REACH, data.n
        while True:
            progress(0.0, "gaps between values")
            first, last = max(0, math.floor(sought) - reach), min(n, math.ceil(sought) + reach)
            found = cls.of(data, sought, epsilon, first, last)
            if last - first == n:
                return found
            heaviest = float(found.log_weights.max(initial=-np.inf))
            nearest = min(abs(end - sought) for end in (first, last) if 0 < end < n)
            missing = math.log(data.domain.width) - heaviest + _NEVER
            if epsilon / 2 * nearest >= missing:
                return found
            reach = int(min(8 * reach, max(2 * reach, 2 / epsilon * missing + 1)))

    def without(self, others: RankGaps) -> RankGaps:
        """Return the same, but for no weight on others."""
        left_out = (self.number >= others.first) & (self.number <= others.last)
        return dataclasses.replace(self, log_weights=np.where(left_out, -np.inf, self.log_weights))

    def lower(self, gap: int) -> arb:
        """Return the lower end of a gap, counted from the first."""
        from engine.sampling.balls import ball

        return ball(float(self.edges[gap]))

    def length(self, gap: int) -> arb:
        """Return a ball around its length."""
        return self.lower(gap + 1) - self.lower(gap)

    def log_weight(self, gap: int) -> arb:
        """Return a ball around the logarithm of its weight."""
        from engine.sampling.balls import ball

        return self.length(gap).log() - ball(self.epsilon) * float(self.distance[gap]) / 2

    def mass(self) -> arb:
        """Return a ball around the sum of all weights."""
        from engine.sampling.balls import ball

        weighed = np.flatnonzero(self.log_weights > -np.inf).tolist()
        return sum((self.log_weight(gap).exp() for gap in weighed), ball(0))

    @property
    def magnitude(self) -> float:
        """No logarithm is made of numbers larger than this together: those of lengths are below 2^10."""
        return 2.0**10 + self.epsilon * float(self.distance.max())

"""Proportions of successes, their confidence intervals, and differences of two of them."""

from __future__ import annotations

import dataclasses
import math

CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True)
class Proportion:
    """Successes in independent trials."""

    successes: int
    trials: int

    @property
    def rate(self) -> float:
        """Share of successes."""
        return self.successes / self.trials

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return a conservative confidence interval (Clopper and Pearson 1934)."""
        from scipy.special import betaincinv

        tail, yes, no = (1 - confidence) / 2, self.successes, self.trials - self.successes
        low = 0.0 if yes == 0 else float(betaincinv(yes, no + 1, tail))
        high = 1.0 if no == 0 else float(betaincinv(yes + 1, no, 1 - tail))
        return low, high

    def score_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return Wilson's interval of 1927: shorter, but with the right coverage only on average."""
        from scipy.special import ndtri

        z2 = float(ndtri((1 + confidence) / 2)) ** 2
        middle = (self.successes + z2 / 2) / (self.trials + z2)
        spread = self.successes * (self.trials - self.successes) / self.trials + z2 / 4
        half = math.sqrt(z2 * spread) / (self.trials + z2)
        # at the ends, rounding must not exclude the rate
        return max(0.0, min(middle - half, self.rate)), min(1.0, max(middle + half, self.rate))

    def above(self, other: Proportion, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return a confidence interval for the difference to another, independent proportion.

        Newcombe 1998, method 10: combines the two score intervals like perpendicular lengths.
        """
        (low, high), (low_other, high_other) = (
            self.score_interval(confidence),
            other.score_interval(confidence),
        )
        difference = self.rate - other.rate
        return (
            difference - math.hypot(self.rate - low, high_other - other.rate),
            difference + math.hypot(high - self.rate, other.rate - low_other),
        )

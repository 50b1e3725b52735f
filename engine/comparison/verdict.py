"""The best mechanism, its advantage, and the confidence in it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from engine.array_types import Floats
from engine.comparison.results import Outcome
from engine.shown import ShownInALine

CONFIDENCE = 0.99

MAX_RUNS_NEEDED = 10_000_000
"""Number of runs beyond which the difference is not worth waiting for."""

MAX_USEFUL_SHARE = 0.5
"""A release is useful if its median error is below this share of the trivial baseline."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Verdict(ShownInALine):
    """The private mechanism with the smallest median error, and the next best one.

    Returned by `verdict`.
    """

    best: Outcome
    other: Outcome
    ratio: float  # median error of `other` divided by that of `best`; a refusal is worse than any error
    # contain the true ratio with probability at least `confidence`, for any distributions
    low: float
    high: float
    confidence: float
    significant: bool  # `best` is better than all others, at that confidence
    useless: bool  # the error of `best` is half of the trivial baseline, or more
    fewest: int  # runs of each below which nothing can be concluded at that confidence

    @property
    def in_a_line(self) -> str:
        return f"confidence={self.confidence:g}; confidential"

    @property
    def runs_needed(self) -> int | None:
        """Approximate number of runs of each that would distinguish the two; None if out of reach.

        If one has fewer runs, they determine the interval.  The interval of the log-ratio shrinks like the
        square root of the number of runs.  It must become shorter than the distance of the ratio from 1.
        """
        if not (math.isfinite(self.ratio) and self.ratio > 1 and self.low > 0):
            return None
        gap, reach = math.log(self.ratio), math.log(self.ratio / self.low)
        runs = min(self.best.runs, self.other.runs) * (reach / gap) ** 2
        if not runs < MAX_RUNS_NEEDED:
            return None
        step: int = 10 ** math.floor(math.log10(max(runs, 1)))
        return step * math.ceil(runs / step)


def verdict(outcomes: Sequence[Outcome], confidence: float = CONFIDENCE) -> Verdict | None:
    """Compare the median errors of outcomes at one value of a sweep.

    The medians of all m mechanisms are bracketed by order statistics, each with probability at least 1 - (1 -
    confidence)/m.  So all brackets hold with probability `confidence` (Bonferroni).  Runs need not be
    independent between mechanisms, and the bracket of the ratio holds for any two mechanisms chosen by their
    medians.

    Parameters
    ----------
    outcomes : sequence of Outcome
        Of `Comparison.at`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Verdict or None
        None if fewer than two private mechanisms have runs; non-private ones are excluded.

    See Also
    --------
    compare, alternatives

    Examples
    --------
    The median error is 6.9 for Laplace noise of scale 10, and 28.5 for Gaussian noise of scale 42.2.

    >>> from engine import GaussianRelease, Interval, LaplaceRelease, Mean, Privacy, Sample, Sweep
    >>> from engine import compare
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> methods = [method(query=Mean(), clamp="none") for method in (LaplaceRelease, GaussianRelease)]
    >>> sweep = Sweep("epsilon", (1.0,))
    >>> found = compare(methods, data, Privacy(1.0, 1e-6), sweep, runs=10_000, seed=1)
    >>> won = verdict(found.at(0))
    >>> round(won.ratio), won.significant
    (4, True)
    """
    competing = [outcome for outcome in outcomes if outcome.runs and outcome.trial.mechanism.facts.is_private]
    if len(competing) < 2:
        return None
    each = 1 - (1 - confidence) / len(competing)
    competing.sort(key=_median)
    best, other = competing[:2]
    (low, high), (other_low, other_high) = (median_interval(o.ranked, each) for o in (best, other))
    lowest = min(median_interval(outcome.ranked, each)[0] for outcome in competing[1:])
    return Verdict(
        best=best,
        other=other,
        ratio=_ratio(_median(other), _median(best)),
        low=_ratio(other_low, high),
        high=_ratio(other_high, low),
        confidence=confidence,
        significant=lowest > high,
        useless=_median(best) >= MAX_USEFUL_SHARE * best.trivial_error,
        # all runs are on one side of the median with probability 2 / 2^n
        fewest=math.ceil(1 - math.log2(1 - each)),
    )


def median_interval(ranked: Floats, confidence: float) -> tuple[float, float]:
    """Return two order statistics of errors that contain the median with at least this confidence.

    The k-th smallest of n is above the median only if fewer than k are below: with probability at most
    Pr[Binomial(n, 1/2) < k].  With too few runs, the interval is [0, inf].

    Source: David and Nagaraja 2003, section 7.1.
    """
    from scipy.special import bdtr

    n = len(ranked)
    first = max(0, math.floor(n / 2 - 4 * math.sqrt(n)))  # eight standard deviations below the middle
    below = bdtr(np.arange(first, n // 2 + 1, dtype=np.float64), n, 0.5)
    k = first + int(np.searchsorted(below, (1 - confidence) / 2, side="right"))
    return (float(ranked[k - 1]), float(ranked[n - k])) if k else (0.0, math.inf)


def standing(samples: Sequence[Floats], confidence: float = CONFIDENCE) -> tuple[list[int], list[int]]:
    """Return the places of the samples by median error, and of these the ones that are worse than the first.

    One is worse if its whole interval is above that of the first.  All intervals hold together with this
    confidence (Bonferroni), as in `verdict`.  Empty samples have no place.
    """
    order = sorted(
        (index for index, one in enumerate(samples) if one.size),
        key=lambda index: float(np.median(samples[index])),
    )
    each = 1 - (1 - confidence) / max(len(order), 1)
    ends = {index: median_interval(np.sort(samples[index]), each) for index in order}
    return order, [index for index in order[1:] if ends[index][0] > ends[order[0]][1]]


def _median(outcome: Outcome) -> float:
    return outcome.quantile(0.5)


def _ratio(worse: float, better: float) -> float:
    """Return the ratio of errors; 1 if both are 0, or both refuse."""
    if worse == better:
        return 1.0
    return worse / better if better else math.inf

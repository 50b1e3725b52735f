"""A public model of a column, for rules that choose: its records lie evenly between the bounds."""

from __future__ import annotations

import math

import numpy as np

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries.base import Query

EXCEEDED = 0.05
"""Probability that an error exceeds its stated bound."""

MODEL_RECORDS = 20_000
"""Most records of a model whose smooth sensitivity is computed."""

_STEPS = 60


def choice_error(domain: Interval, n: int, share: float, epsilon: float) -> float:
    """Return the error that a choice by rank exceeds with probability 5 % (public).

    A candidate whose rank is i records away has a probability proportional to exp(-epsilon i/2).

    Parameters
    ----------
    domain : Interval
        Public bounds, and the public step of the values if there is one.
    n : int
        Number of records.
    share : float
        Share of the records below the target.
    epsilon : float
    """
    gap, step = domain.width / n, domain.resolution or 0.0
    rooms = share * domain.width, (1 - share) * domain.width
    heap = step / gap
    if heap > 1:  # several records share each value
        return _steps_off(epsilon * heap / 2, [math.floor(room / step) for room in rooms]) * step
    return gap * _gaps_off(epsilon / 2, [room / gap for room in rooms])


def _steps_off(rate: float, rooms: list[int]) -> int:
    """Return the smallest m with at least 95 % of the weight at most m steps away.

    The value k steps away is k - 1/2 heaps from the target rank.
    """

    def weight(most: int) -> float:
        """Return the weight of 1 to `most` steps on one side."""
        return math.exp(-rate / 2) * math.expm1(-rate * most) / math.expm1(-rate)

    whole = 1 + sum(map(weight, rooms))
    low, high = -1, max(rooms)
    while high - low > 1:
        middle = (low + high) // 2
        within = 1 + sum(weight(min(middle, room)) for room in rooms)
        low, high = (low, middle) if within >= (1 - EXCEEDED) * whole else (middle, high)
    return high


def _gaps_off(rate: float, rooms: list[float]) -> float:
    """Return the distance in gaps within which 95 % of the weight lies; gap j weighs exp(-rate j)."""

    def weight(distance: float) -> float:
        gaps = math.floor(distance)
        whole = math.expm1(-rate * gaps) / math.expm1(-rate)
        return whole + (distance - gaps) * math.exp(-rate * gaps)

    whole = sum(map(weight, rooms))
    low, high = 0.0, max(rooms)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        within = sum(weight(min(middle, room)) for room in rooms)
        low, high = (low, middle) if within >= (1 - EXCEEDED) * whole else (middle, high)
    return high


def even_smooth_sensitivity(query: Query[Sample], domain: Interval, n: int, beta: float) -> float:
    """Return S* of evenly spread records (public).

    Above `MODEL_RECORDS` records, it follows the power of n between half as many records and so many.
    """

    def smooth(records: int) -> float:
        values = domain.lower + domain.width * (np.arange(records) + 0.5) / records
        if domain.resolution:
            values = domain.clamp(np.rint(values / domain.resolution) * domain.resolution)
        return query.smooth_sensitivity(Sample(values, domain), beta).value

    if n <= MODEL_RECORDS:
        return smooth(n)
    half, whole = smooth(MODEL_RECORDS // 2), smooth(MODEL_RECORDS)
    return whole * (whole / half) ** math.log2(n / MODEL_RECORDS) if half > 0 else whole

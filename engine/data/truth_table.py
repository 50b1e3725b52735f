"""Which conditions can hold together for one value between public bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.array_types import Bools, Floats
from engine.data.conditions import Condition
from engine.domain import Interval


def distinct_values(conditions: Sequence[Condition], domain: Interval) -> Floats:
    """Return values between the bounds among which each combination of truths occurs that can occur.

    A comparison changes its truth at the numbers that it names alone: the bounds, these numbers, and one
    value between any two neighbours of them, are enough.  They are public.
    """
    named = [
        number
        for condition in conditions
        for comparisons in condition.alternatives
        for _, *numbers in comparisons
        for number in numbers
        if number is not None and domain.lower < number < domain.upper
    ]
    ends = np.unique([domain.lower, *named, domain.upper])
    return np.unique([*ends, *(ends[:-1] + np.diff(ends) / 2)])


def truth_table(conditions: Sequence[Condition], domain: Interval) -> Bools:
    """Return all combinations of truths that can occur, shape (m, number of conditions)."""
    values = distinct_values(conditions, domain)
    return np.unique(np.stack([one.holds(values) for one in conditions], axis=1), axis=0)

"""Values of a stored column of which equal ones are only counted, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from engine.array_types import Floats, Ints
from engine.domain import Interval

Counts = Ints
Tied = tuple[Floats, Counts]
"""Different values, sorted, and how often each is there."""


def tied(lower: float, upper: float, values: Floats) -> tuple[Floats, Counts, int]:
    """Return the different values from one number to another, their counts, and how many lie below."""
    found, counts = np.unique(values[(values >= lower) & (values <= upper)], return_counts=True)
    return found, counts.astype(np.int64), int(np.count_nonzero(values < lower))


def collected(
    parts: Iterable[tuple[Floats, Counts, int]], most: int, ask: Callable[[int], None]
) -> tuple[Tied, int]:
    """Put together what `tied` has found in parts of a column.

    Parameters
    ----------
    parts : iterable
    most : int
        So many different values are held without asking.
    ask : callable
        Raises an error where there is no room for so many.
    """
    whole: Tied = np.empty(0), np.empty(0, np.int64)
    waiting: list[Tied] = []
    below = held = 0
    for values, counts, under in parts:
        waiting.append((values, counts))
        below, held = below + under, held + values.size
        if held > most:
            whole, waiting, held = _together([whole, *waiting]), [], 0
            if whole[0].size > most:
                ask(whole[0].size)
    return _together([whole, *waiting]), below


def between_ranks(found: Tied, below: int, first: int, last: int, n: int, domain: Interval) -> Tied:
    """Return what stands at ranks, clamped, of values that cover those of them that are in the data.

    Parameters
    ----------
    found : ndarray, ndarray
    below : int
        How many values lie below all of them.
    first, last : int
        Ranks below 1 hold L, those above n hold U.
    n : int
    domain : Interval
    """
    values, counts = found
    ends = below + np.cumsum(counts)
    inside = np.minimum(ends, min(last, n)) - np.maximum(ends - counts, max(first, 1) - 1)
    kept = inside > 0
    bounds = np.array([domain.lower]), np.array([domain.upper])
    before, after = max(0, min(last, 0) - first + 1), max(0, last - max(first, n + 1) + 1)
    parts = [
        (bounds[0][:before], np.full(min(before, 1), before)),
        (domain.clamp(values[kept]), inside[kept]),
        (bounds[1][:after], np.full(min(after, 1), after)),
    ]
    return _together(parts)


def _together(parts: list[Tied]) -> Tied:
    values = np.concatenate([part for part, _ in parts])
    counts = np.concatenate([part for _, part in parts])
    order = np.argsort(values, kind="stable")
    values, counts = values[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])[: values.size])
    return values[starts], np.add.reduceat(counts, starts) if starts.size else counts

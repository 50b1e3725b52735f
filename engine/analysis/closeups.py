"""What lies around nearly all points of a histogram, as its cells tell it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.array_types import Floats
from engine.domain import Box, Interval
from engine.histograms.histogram import Histogram

TINY = 0.05
"""Share of each side of the bounds below which nearly all points are looked at closely at first."""

BESIDE, CLOSEST = 0.5, 1e-6
"""How far a close-up reaches beyond them: as a share of what they take; and at least, of the bounds."""

_FEW = 0.01  # of the points may lie beyond on each side


def closeup(
    histogram: Histogram, box: Box, *, axes: Sequence[int] = (0, 1), near: bool | None = None
) -> tuple[Interval, ...] | None:
    """Return what lies around nearly all points along coordinates, as the cells tell it; None for all."""
    held = np.clip(histogram.counts, 0.0, None)
    if near is False or not held.any():
        return None
    found = []
    for axis in axes:
        side, low, high = box.sides[axis], histogram.lower[:, axis], histogram.upper[:, axis]
        start, end = _first(low, held, _FEW * held.sum()), -_first(-high, held, _FEW * held.sum())
        if near is None and end - start >= TINY * side.width:
            return None
        reach = max((0.5 + BESIDE) * (end - start), CLOSEST * side.width)
        middle = start + (end - start) / 2
        found.append(Interval(max(side.lower, middle - reach), min(side.upper, middle + reach)))
    return tuple(found)


def _first(places: Floats, weights: Floats, share: float) -> float:
    """Return the first place up to which there is more than a share of the weights."""
    order = np.argsort(places)
    place = int(np.searchsorted(np.cumsum(weights[order]), share, side="right"))
    return float(places[order][min(place, len(order) - 1)])

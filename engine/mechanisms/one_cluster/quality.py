"""How good balls are: what they hold, and how large they are, against the true one (private)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.one_cluster.ball import Ball


def records_in(row: ArrayLike, places: Floats) -> float:
    """Return how many records, shape (n, d), a ball (center, radius) holds; NaN for no ball."""
    ball = Ball.of(row)
    return np.nan if ball is None else float(np.count_nonzero(ball.contains(places)))


def relative_radii(radii: Floats, true: float) -> Floats:
    """Return radii by the true one: 1 where both are 0, inf where only the true one is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(radii == true, 1.0, radii / true)


def typical_quality(coverage: Floats, ratio: Floats) -> tuple[float, float]:
    """Return the medians over the runs that found a ball and can be compared; NaN if none did."""
    known = np.isfinite(coverage) & np.isfinite(ratio)
    if not known.any():
        return np.nan, np.nan
    return float(np.median(coverage[known])), float(np.median(ratio[known]))

"""Draw points from a released histogram, and round its counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.histograms.histogram import Histogram
from engine.numerals import grouped
from engine.progress import Progress, silent

MAX_POINTS = 10_000_000
"""Largest number of points to draw."""


def whole_counts(counts: ArrayLike, n: int | None = None) -> Ints:
    """Return whole numbers in proportion to `counts`, (m,), by largest remainders: a post-processing.

    Negative counts, which noise may cause, count as 0.  Each number differs by less than 1 from its exact
    share of n; of equal remainders the first is rounded up.

    n is their sum, if public; by default the rounded sum of the counts.  `ParameterError` if n is negative or
    above 10,000,000, if no count is above 0 although n is, or if some are not finite.
    """
    clipped = np.clip(np.asarray(counts, dtype=np.float64), 0.0, None)
    if not np.isfinite(clipped).all():
        raise ParameterError("counts", "some are not finite; counts must be finite numbers")
    largest = float(clipped.max(initial=0.0))
    parts = clipped / largest if largest > 0 else clipped  # at most 1: their sum does not overflow
    total = float(parts.sum())
    size = _round_total(largest, total) if n is None else n
    if not 0 <= size <= MAX_POINTS:
        raise ParameterError(
            "n", f"{grouped(size)} points cannot be drawn; it must be 0 to {grouped(MAX_POINTS)}"
        )
    if not size:
        return np.zeros(len(clipped), dtype=np.int64)
    if not total > 0:
        raise ParameterError(
            "n", f"no cell has a count above 0, so {grouped(size)} points cannot be drawn; use 0"
        )
    shares = parts * (size / total)
    whole = np.floor(shares).astype(np.int64)
    missing = size - int(whole.sum())
    remainders = np.where(parts > 0, shares - whole, -1.0)
    whole[np.argsort(-remainders, kind="stable")[:missing]] += 1
    return whole


def _round_total(largest: float, total: float) -> int:
    """Return largest * total as a whole number, MAX_POINTS + 1 for all larger ones."""
    return round(min(float(MAX_POINTS + 1), largest * total)) if largest <= MAX_POINTS else MAX_POINTS + 1


def synthetic_points(
    histogram: Histogram, rng: np.random.Generator, n: int | None = None, *, progress: Progress = silent
) -> Floats:
    """Draw points uniformly from each cell, as many as its count; in random order, shape (n, d).

    They cost no further privacy.

    Parameters
    ----------
    histogram : Histogram
    rng : Generator
    n : int, optional
        Total number, if public; by default the sum of the counts.
    progress : Progress

    Returns
    -------
    ndarray, shape (n, d)

    Raises
    ------
    ParameterError
        As for `whole_counts`.

    See Also
    --------
    SyntheticPoints, NoisyHistogram

    Examples
    --------
    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> from engine import reproducible
    >>> synthetic_points(histogram, reproducible(1)).shape
    (8, 1)
    """
    points = histogram.sampled(rng, whole_counts(histogram.counts, n), progress)
    return points[rng.permutation(len(points))]

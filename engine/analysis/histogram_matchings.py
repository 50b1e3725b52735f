"""A minimum-weight matching of the points of a histogram, and of the records."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.analysis.histogram_trees import MOST_EDGES, HistogramTrees, TreeAlong
from engine.analysis.memory import remembered
from engine.data.points import Points
from engine.histograms.attacks import centers
from engine.histograms.histogram import Histogram
from engine.histograms.matching import MOST_MATCHED, Matching, match_cells, match_points
from engine.histograms.synthetic import synthetic_points
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class MatchingAlong(TreeAlong):
    """Pairs along a = 1 or 2 coordinates: edges join the points, or the cells, of a pair.

    `histogram_matching` finds them.

    Attributes
    ----------
    lower : float
        No matching of the points costs less, if the counts are exact.
    """

    lower: float = 0.0


def histogram_matching(
    histogram: Histogram,
    data: Points | None = None,
    *,
    axes: Sequence[int] = (0, 1),
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[HistogramTrees] = unpublished,
) -> HistogramTrees:
    """Match the points of cells in pairs, points drawn from the cells, and the records.

    Parameters
    ----------
    histogram : Histogram
    data : Points, optional
        The records; without them, or for more than `MOST_MATCHED`, theirs are not looked for.
    axes : sequence of int
        Coordinates along which pairs are drawn.
    seed : int
        Of the points that are drawn from the cells, at most `MOST_MATCHED`.
    progress : Progress
    publish : callable
        Takes what is known already.

    Returns
    -------
    HistogramTrees
        With a `MatchingAlong` in the place of each tree.

    Raises
    ------
    ParameterError
        If more than `MOST_MATCHED` cells have an odd count.

    Examples
    --------
    Neighbours on a line are 0.1 apart, and there are four pairs.

    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> found = histogram_matching(histogram, data, axes=[0])
    >>> round(found.truth.cost, 6), found.tree.cost
    (0.4, 1.25)
    """
    drawn = list(axes)
    cells = remembered(histogram, ("matching",), lambda: match_cells(histogram, part(progress, 0.0, 0.3)))
    found = HistogramTrees(_along(cells, centers(histogram), drawn))
    publish(found)
    cost = remembered(
        histogram, ("resampled matching", seed), lambda: _resampled(histogram, seed, part(progress, 0.3, 0.6))
    )
    found = dataclasses.replace(found, resampled=cost)
    if data is None or data.n > MOST_MATCHED:
        return found
    values = data.values
    true = remembered(data, ("true matching",), lambda: match_points(values, part(progress, 0.6, 1.0)))
    return dataclasses.replace(found, truth=_along(true, values, drawn))


def _resampled(histogram: Histogram, seed: int, progress: Progress) -> float | None:
    """Return what points cost that are drawn from the cells; None for too many or too few of them."""
    if not 0 < np.clip(histogram.counts, 0, None).sum() <= MOST_MATCHED:
        return None
    return match_points(synthetic_points(histogram, reproducible(seed)), progress).cost


def _along(found: Matching, nodes: _Floats, axes: list[int]) -> MatchingAlong:
    longest = np.argsort(-found.lengths, kind="stable")[:MOST_EDGES]
    starts, ends = (nodes[found.pairs[longest, end]][:, axes] for end in (0, 1))
    return MatchingAlong(starts, ends, found.cost, found.lower)

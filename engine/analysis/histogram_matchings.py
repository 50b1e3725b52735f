"""A minimum-weight matching of the points of a histogram, and of the records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.analysis.shared.built_on_cells import (
    BuildingProblem,
    HistogramTrees,
    MatchingAlong,
    longest_edges,
)
from engine.array_types import Floats
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.histograms.matching import MAX_MATCHED, Matching, match_cells, match_points
from engine.histograms.synthetic import synthetic_points
from engine.progress import Progress, Publish, part, silent, unpublished


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
        The records; without them, or for more than `MAX_MATCHED`, theirs are not looked for.
    axes : sequence of int
        Coordinates along which pairs are drawn.
    seed : int
        Of the points that are drawn from the cells, at most `MAX_MATCHED`.
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
        If more than `MAX_MATCHED` cells have an odd count.

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
    problem = BuildingProblem("matching", MAX_MATCHED, match_cells, _resampled, match_points, _along)
    return problem.solve(histogram, data, axes, seed, progress, publish)


def _resampled(histogram: Histogram, rng: np.random.Generator, progress: Progress) -> float:
    points = synthetic_points(histogram, rng, progress=part(progress, 0.0, 0.1))
    return match_points(points, progress=part(progress, 0.1, 1.0)).cost


def _along(found: Matching, nodes: Floats, axes: list[int]) -> MatchingAlong:
    return MatchingAlong(*longest_edges(found.lengths, found.pairs, nodes, axes), found.cost, found.lower)

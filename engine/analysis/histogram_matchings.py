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
    """Match the points of cells in pairs, points drawn from the cells, and the records."""
    problem = BuildingProblem("matching", MAX_MATCHED, match_cells, _resampled, match_points, _along)
    return problem.solve(histogram, data, axes, seed, progress, publish)


def _resampled(histogram: Histogram, rng: np.random.Generator, progress: Progress) -> float:
    points = synthetic_points(histogram, rng, progress=part(progress, 0.0, 0.1))
    return match_points(points, progress=part(progress, 0.1, 1.0)).cost


def _along(found: Matching, nodes: Floats, axes: list[int]) -> MatchingAlong:
    return MatchingAlong(*longest_edges(found.lengths, found.pairs, nodes, axes), found.cost, found.lower)

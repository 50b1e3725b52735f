"""What there is of each level of a histogram."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.preparing import mechanism_of, released_histogram, simulated_histogram
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.findings import Finding
from engine.histograms.histogram import Histogram
from engine.histograms.tree import Tree
from engine.histograms.voronoi import VoronoiHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent

_Counts = Ints


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramLevels:
    """Cells by level: what is left to see of a histogram of many dimensions (as public as it is).

    Returned by `histogram_levels`.

    Attributes
    ----------
    mechanism : HistogramMechanism
        What made the histogram.
    level : ndarray of int, shape (l,)
        Increasing.
    cells, cut : ndarray of int, shape (l,)
        How many cells there are at each level, and how many of those are cut further.
    points : ndarray, shape (l,)
        Sum of the counts of the cells that are not cut.
    diameter : ndarray, shape (l,)
        Of the largest cell of the level, in the unit of the data.
    released : bool
        Whether the histogram has been released.
    """

    mechanism: HistogramMechanism
    level: _Counts
    cells: _Counts
    cut: _Counts
    points: Floats
    diameter: Floats
    released: bool = False

    def findings(self) -> Iterator[Finding]:
        """Yield how many cells there are on each level, and what they hold."""
        yield Finding("cells of each level", self.cells - self.cut, public=self.released)
        yield Finding("points of each level", self.points, public=self.released)


def deepest_level(histogram: Histogram) -> int:
    """Return up to which level a histogram can be looked at; 0 for one whose cells were never cut."""
    return 0 if type(histogram).at_level is Histogram.at_level else histogram.deepest


def histogram_levels(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    progress: Progress = silent,
) -> HistogramLevels:
    """Return what there is of each level of a histogram."""
    privacy = as_privacy(privacy)
    if released is None:
        histogram = simulated_histogram(mechanism, data, privacy, seed=seed, progress=progress)
    else:
        histogram, mechanism = released_histogram(released), mechanism_of(released)
    depth = np.arange(histogram.deepest + 1)
    held = np.bincount(histogram.level, minlength=len(depth)).astype(np.int64)
    cut = np.zeros(len(depth), dtype=np.int64)
    if isinstance(histogram, Tree):
        # levels that were counted before it was known that no cell is so small hold none
        cut[:] = [np.count_nonzero(level.cut) for level in histogram.levels[: len(depth)]]
    elif isinstance(histogram, VoronoiHistogram):
        cuts = histogram.tree.level[list(histogram.tree.cuts)]
        cut[:] = np.bincount(cuts, minlength=len(depth))[: len(depth)]
    points = np.bincount(histogram.level, histogram.counts, len(depth)).astype(np.float64)
    largest = np.zeros(len(depth))
    np.maximum.at(largest, histogram.level, histogram.diameters)
    if isinstance(histogram, Tree):  # those that were cut, too
        for number, level in enumerate(histogram.levels[: len(depth)]):
            lower, upper = histogram.scheme.bounds(level.index, number)
            largest[number] = np.sqrt(((upper - lower) ** 2).sum(axis=1).max(initial=0.0))
    return HistogramLevels(mechanism, depth, held + cut, cut, points, largest, released is not None)

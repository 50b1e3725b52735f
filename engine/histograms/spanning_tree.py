"""The cost of a minimum spanning tree: from a histogram, and the true one."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.histograms.embedding import EmbeddedHistogram
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.gaps import BoxGaps, Gaps, StretchedGaps, SurroundedGaps
from engine.histograms.histogram import Histogram
from engine.histograms.shortest_tree import shortest_tree
from engine.histograms.synthetic import synthetic_points
from engine.progress import Progress, part, silent


@dataclasses.dataclass(frozen=True, eq=False)
class SpanningTree:
    """A minimum spanning tree of the occupied cells, or of points, and its cost for all points.

    Returned by `spanning_tree`.
    """

    edges: Ints  # shape (k - 1, 2); pairs of cells, by index in the histogram; or of points
    lengths: Floats  # shape (k - 1,); of the edges
    inside: float = 0.0  # cost of joining the points of each cell to one of them

    @property
    def cost(self) -> float:
        """Cost of the minimum spanning tree of all points."""
        return float(self.lengths.sum()) + self.inside


def spanning_tree(histogram: Histogram, *, progress: Progress = silent) -> SpanningTree:
    """Return the minimum spanning tree of the points under d_H: exact, from the histogram alone.

    Since d_H is no smaller than the distance, the cost is no smaller than that of the true tree, for exact
    counts.  Let s(C) = min(diam C, min over C' != C of d_H(C, C')).  Below a length of s(C) no point of C has
    an edge; from s(C) on all of them are connected.  So the c points of C cost (c - 1) s(C), in addition to a
    tree with one point for each occupied cell.

    Parameters
    ----------
    histogram : Histogram
        Cells with a count of 0 or less are empty; counts between 0 and 1 are taken as 1, others as they are.
    progress : Progress

    Returns
    -------
    SpanningTree

    See Also
    --------
    MstCost, NoisyHistogram

    Notes
    -----
    Chawla, Dwork, McSherry, Talwar 2005, section 3, bound the expected cost by d_H.

    Examples
    --------
    Four cells of length 1/4 hold 8 points; d_H of neighbouring cells is 1/2, of a cell with itself 1/4.

    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> tree = spanning_tree(histogram)
    >>> len(tree.edges), tree.lengths.tolist(), tree.inside
    (3, [0.5, 0.5, 0.5], 1.0)
    """
    held = np.flatnonzero(histogram.counts > 0)
    cells = histogram.chosen(held)
    if len(held) < 2:
        edges, lengths = np.empty((0, 2), dtype=np.int64), np.empty(0)
    else:
        edges, lengths = shortest_tree(_gaps(cells), progress=progress)
    every = np.arange(len(held))
    nearest = cells.between(every, every)  # of two points of one cell
    for end in edges.T:  # the shortest edge of every cell is in the tree
        np.minimum.at(nearest, end, lengths)
    more = np.clip(cells.counts - 1, 0.0, None)
    progress(1.0)
    return SpanningTree(held[edges], lengths, float(more @ nearest))


def resampled_tree(
    histogram: Histogram, rng: np.random.Generator, n: int | None = None, *, progress: Progress = silent
) -> tuple[SpanningTree, Floats]:
    """Return the minimum spanning tree of points drawn uniformly from each cell, and the points.

    Its cost estimates that of the true tree and is no upper bound on it.
    """
    points = synthetic_points(histogram, rng, n, progress=part(progress, 0.0, 0.1))
    return euclidean_tree(points, progress=part(progress, 0.1, 1.0)), points


def euclidean_tree(points: ArrayLike, *, progress: Progress = silent) -> SpanningTree:
    """Return the minimum spanning tree of points (n, d); private, if they are.

    Exact in all dimensions, with memory of order n; identical points cost nothing.
    """
    values = np.asarray(points, dtype=np.float64)
    if len(values) < 2:
        return SpanningTree(np.empty((0, 2), dtype=np.int64), np.empty(0))
    return SpanningTree(*shortest_tree(BoxGaps.of(values, values), progress=progress))


def _gaps(cells: Histogram) -> Gaps:
    """Return the bounds on distances of groups of cells; cells without balls are boxes."""
    if not isinstance(cells, EnclosingHistogram):
        return BoxGaps.of(cells.lower, cells.upper)
    gaps = SurroundedGaps.of(cells.lower, cells.upper, cells.centers, cells.radii)
    if not isinstance(cells, EmbeddedHistogram):
        return gaps
    cube = BoxGaps.of(cells.cube.lower, cells.cube.upper)
    return StretchedGaps.of(gaps, cube, cells.embedding.stretch, cells.slack)

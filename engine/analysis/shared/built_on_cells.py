"""What is built on the cells of a histogram, on points drawn from them, and on the records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from engine.analysis.memory import is_remembered, remembered
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.histograms.attacks import centers
from engine.histograms.histogram import Histogram
from engine.progress import Progress, Publish, part
from engine.randomness import reproducible
from engine.shown import ShownInALine

MOST_EDGES = 2_000
"""Edges of a tree that are kept for a picture: the longest, which show its shape."""


BuiltT = TypeVar("BuiltT")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class TreeAlong(ShownInALine):
    """A tree along a = 1 or 2 coordinates, as `histogram_trees` finds it.

    Attributes
    ----------
    starts, ends : ndarray, shape (k, a)
        Where the longest edges begin and end, at most `MOST_EDGES` of them.
    cost : float
        Total length of all edges, in the unit of the data.
    """

    starts: Floats
    ends: Floats
    cost: float


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MatchingAlong(TreeAlong):
    """Pairs along a = 1 or 2 coordinates: edges join the points, or the cells, of a pair.

    `histogram_matching` finds them.

    Attributes
    ----------
    lower : float
        No matching of the points costs less, if the counts are exact.
    """

    lower: float = 0.0


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class FacilitiesAlong(TreeAlong):
    """Facilities along a = 1 or 2 coordinates: edges lead from cells or records to the nearest of them.

    `histogram_facilities` finds them.

    Attributes
    ----------
    open : ndarray, shape (k, a)
        Where they are.
    price : float
        Of one facility; `cost` holds that of all of them, too.
    in_truth : float or None
        What those of cells cost all records, in truth (private).
    """

    open: Floats
    price: float
    in_truth: float | None = None


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HistogramTrees(ShownInALine):
    """The tree, matching or facilities on cells, and the true ones beside them; None is not known.

    Returned by `histogram_trees`, `histogram_matching` and `histogram_facilities`.

    Attributes
    ----------
    tree : TreeAlong
        Minimum spanning tree of the occupied cells, between their middles; its cost is the upper
        estimate under d_H, with the points that share a cell.  Or a matching, or facilities.
    resampled : float or None
        Cost of the tree, or the matching, of points drawn evenly from the cells.
    truth : TreeAlong or None
        The same of the records (private).
    """

    tree: TreeAlong
    resampled: float | None = None
    truth: TreeAlong | None = None


@dataclasses.dataclass(frozen=True)
class BuildingProblem(Generic[BuiltT]):
    """What is to be built, such as a spanning tree.

    Attributes
    ----------
    name : str
        By which what was found is remembered.
    most : int
        Points up to which it is built on points that are drawn, and on records.
    on_cells : callable
        Builds it on the cells of a histogram.
    resampled : callable
        Returns what it costs on points that are drawn from the cells.
    on_records : callable
        Builds it on points.
    along : callable
        Returns it along some coordinates of the points that it joins.
    """

    name: str
    most: int
    on_cells: Callable[..., BuiltT]
    resampled: Callable[[Histogram, np.random.Generator, Progress], float]
    on_records: Callable[..., BuiltT]
    along: Callable[[BuiltT, Floats, list[int]], TreeAlong]

    def solve(
        self,
        histogram: Histogram,
        data: Points | None,
        axes: Sequence[int],
        seed: int,
        progress: Progress,
        publish: Publish[HistogramTrees],
    ) -> HistogramTrees:
        """Build it on cells, on points drawn from them, and on the records; as `histogram_trees`.

        What is known is published before anything is looked for that is not remembered.
        """
        drawn, drawing = list(axes), (f"resampled {self.name}", seed)
        built = remembered(
            histogram, (self.name,), lambda: self.on_cells(histogram, progress=part(progress, 0.0, 0.3))
        )
        found = HistogramTrees(self.along(built, centers(histogram), drawn))
        if not is_remembered(histogram, drawing):
            publish(found)
        cost = remembered(histogram, drawing, lambda: self._cost(histogram, seed, part(progress, 0.3, 0.6)))
        found = dataclasses.replace(found, resampled=cost)
        if data is None or data.n > self.most:
            return found
        values, truth = data.values, (f"true {self.name}",)
        if not is_remembered(data, truth):
            publish(found)
        true = remembered(data, truth, lambda: self.on_records(values, progress=part(progress, 0.6, 1.0)))
        return dataclasses.replace(found, truth=self.along(true, values, drawn))

    def _cost(self, histogram: Histogram, seed: int, progress: Progress) -> float | None:
        """Return what it costs on points that are drawn; None for too many, or for none."""
        if not 0 < np.clip(histogram.counts, 0, None).sum() <= self.most:
            return None
        return self.resampled(histogram, reproducible(seed), progress)


def longest_edges(lengths: Floats, edges: Ints, nodes: Floats, axes: list[int]) -> tuple[Floats, Floats]:
    """Return where the longest edges begin and end, at most `MOST_EDGES` of them, along some coordinates."""
    longest = np.argsort(-lengths, kind="stable")[:MOST_EDGES]
    starts, ends = (nodes[edges[longest, end]][:, axes] for end in (0, 1))
    return starts, ends

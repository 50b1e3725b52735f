"""Spanning trees, facilities and matchings of the cells of histograms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from engine.analysis.memory import is_remembered, remembered
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import centers
from engine.histograms.facility import Facilities, locate_facilities, locate_points, places_of, true_cost
from engine.histograms.histogram import Histogram
from engine.histograms.matching import MAX_MATCHED, Matching, match_cells, match_points
from engine.histograms.spanning_tree import SpanningTree, euclidean_tree, spanning_tree
from engine.histograms.synthetic import synthetic_points
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine

MAX_EDGES = 5_000
"""Largest number of tree edges to draw: the longest, which show its shape."""


BuiltT = TypeVar("BuiltT")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class TreeAlong(ShownInALine):
    """A tree along a = 1 or 2 coordinates, from `histogram_trees`."""

    starts: Floats  # shape (k, a); ends of the longest edges, at most `MAX_EDGES` of them
    ends: Floats
    cost: float  # total length of all edges, in the unit of the data


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MatchingAlong(TreeAlong):
    """Pairs along a = 1 or 2 coordinates: edges join the points, or the cells, of a pair.

    Returned by `histogram_matching`.
    """

    lower: float = 0.0  # lower bound on the cost of a matching of the points, for exact counts


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class FacilitiesAlong(TreeAlong):
    """Facilities along a = 1 or 2 coordinates: edges join cells or records to the nearest one.

    Returned by `histogram_facilities`.
    """

    open: Floats  # shape (k, a); positions
    price: float  # price of one facility; `cost` includes all prices
    in_truth: float | None = None  # true cost for all records of the facilities found on cells (private)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HistogramTrees(ShownInALine):
    """The tree, matching or facilities on cells, and the true ones; None if unknown.

    Returned by `histogram_trees`, `histogram_matching` and `histogram_facilities`.
    """

    # Minimum spanning tree of the centers of occupied cells; its cost is the upper estimate under d_H,
    # including the points that share a cell.  Or a matching, or facilities.
    tree: TreeAlong
    resampled: TreeAlong | None = None  # of points drawn uniformly from the cells; of facilities None
    truth: TreeAlong | None = None  # the same for the records (private)

    @property
    def estimate(self) -> TreeAlong:
        """The one that is most like the true one: of drawn points, if it is known."""
        return self.tree if self.resampled is None else self.resampled


@dataclasses.dataclass(frozen=True)
class BuildingProblem(Generic[BuiltT]):
    """A structure to build, such as a spanning tree."""

    name: str  # prefix of cache keys
    most: int  # largest number of drawn points, and of records, to build it on
    on_cells: Callable[..., BuiltT]  # builds it on the cells of a histogram
    on_points: Callable[..., BuiltT]  # builds it on points: the records, or points drawn from the cells
    # projects it on some coordinates of its points
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
        """Build it on cells, on points drawn from them, and on the records, as in `histogram_trees`.

        Publishes intermediate results before each computation that is not cached.
        """
        drawn, drawing = list(axes), (f"resampled {self.name}", seed)
        built = remembered(
            histogram, (self.name,), lambda: self.on_cells(histogram, progress=part(progress, 0.0, 0.3))
        )
        result = HistogramTrees(self.along(built, centers(histogram), drawn))
        if not is_remembered(histogram, drawing):
            publish(result)
        again = remembered(
            histogram, drawing, lambda: self._resample(histogram, seed, part(progress, 0.3, 0.6))
        )
        if again is not None:
            result = dataclasses.replace(result, resampled=self.along(*again, drawn))
        if data is None or data.n > self.most:
            return result
        values, truth = data.values, (f"true {self.name}",)
        if not is_remembered(data, truth):
            publish(result)
        true = remembered(data, truth, lambda: self.on_points(values, progress=part(progress, 0.6, 1.0)))
        return dataclasses.replace(result, truth=self.along(true, values, drawn))

    def _resample(self, histogram: Histogram, seed: int, progress: Progress) -> tuple[BuiltT, Floats] | None:
        """Build it on points drawn from the cells, and return both; None with too many points, or none."""
        if not 0 < np.clip(histogram.counts, 0, None).sum() <= self.most:
            return None
        points = synthetic_points(histogram, reproducible(seed), progress=part(progress, 0.0, 0.1))
        return self.on_points(points, progress=part(progress, 0.1, 1.0)), points


def longest_edges(lengths: Floats, edges: Ints, nodes: Floats, axes: list[int]) -> tuple[Floats, Floats]:
    """Return the ends of the longest edges, at most `MAX_EDGES` of them, along some coordinates."""
    longest = np.argsort(-lengths, kind="stable")[:MAX_EDGES]
    starts, ends = (nodes[edges[longest, end]][:, axes] for end in (0, 1))
    return starts, ends


MAX_TRUE_RECORDS = 100_000
"""Largest number of records for the true tree."""

MAX_WAYS = 500
"""Largest number of paths to facilities to draw: a sample of cells or records with a public seed."""

PRICE_SHARE = 0.01
"""Default price of a facility: the cost if all points moved this share of the bounds' diameter.

For points spread evenly in a square, 5 or 6 facilities are then optimal.
"""

MAX_PRICES = 6
"""Number of prices with cached facilities: each stores a number per record."""

_SEED = 0  # public and fixed: the choice of paths reveals nothing


def histogram_trees(
    histogram: Histogram,
    data: Points | None = None,
    *,
    axes: Sequence[int] = (0, 1),
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[HistogramTrees] = unpublished,
) -> HistogramTrees:
    """Return the trees of the cells, of points drawn from them, and of the records."""
    problem = BuildingProblem("tree", MAX_TRUE_RECORDS, spanning_tree, euclidean_tree, _along)
    return problem.solve(histogram, data, axes, seed, progress, publish)


def histogram_facilities(
    histogram: Histogram,
    data: Points | None = None,
    *,
    price: float,
    axes: Sequence[int] = (0, 1),
    progress: Progress = silent,
    publish: Publish[HistogramTrees] = unpublished,
) -> HistogramTrees:
    """Return facilities on cells, their true cost for the records, and facilities at records."""
    drawn = list(axes)
    key, first = ("facilities", price), part(progress, 0.0, 0.3)
    located = remembered(histogram, key, lambda: locate_facilities(histogram, price, progress=first))
    held = np.flatnonzero(located.assignment >= 0)
    places = places_of(histogram, located.open)
    goal = np.searchsorted(located.open, located.assignment[held])
    on_cells = _facilities(located, centers(histogram)[held], places, goal, price, drawn)
    result = HistogramTrees(on_cells)
    if data is None:
        return result
    values = data.values
    if not is_remembered(data, key):
        publish(result)
    if len(places):
        cost = remembered(
            histogram,
            ("facilities in truth", data, price),
            lambda: true_cost(values, places, price, progress=part(progress, 0.3, 0.5)),
            MAX_PRICES,
        )
        result = HistogramTrees(dataclasses.replace(on_cells, in_truth=cost))
    # the choice of records reveals nothing: the sample is the same for all data
    at_records = remembered(
        data,
        key,
        lambda: locate_points(values, price, reproducible(_SEED), progress=part(progress, 0.5, 1.0)),
        MAX_PRICES,
    )
    goal = np.searchsorted(at_records.open, at_records.assignment)
    truth = _facilities(at_records, values, values[at_records.open], goal, price, drawn)
    return dataclasses.replace(result, truth=truth)


def default_facility_price(box: Box, n: int) -> float:
    """Return the default price of a facility, from public facts alone."""
    return float(f"{PRICE_SHARE * float(np.linalg.norm(box.width)) * max(n, 1):.1g}")


def _along(tree: SpanningTree, nodes: Floats, axes: list[int]) -> TreeAlong:
    return TreeAlong(*longest_edges(tree.lengths, tree.edges, nodes, axes), tree.cost)


def _facilities(
    result: Facilities,
    starts: Floats,
    places: Floats,
    goal: Ints,
    price: float,
    axes: list[int],
) -> FacilitiesAlong:
    some = np.arange(len(starts))
    if len(starts) > MAX_WAYS:
        some = np.sort(np.random.default_rng(_SEED).choice(len(starts), MAX_WAYS, replace=False))
    ends = places[goal[some]][:, axes]
    return FacilitiesAlong(starts[some][:, axes], ends, result.cost, places[:, axes], price)


def histogram_matching(
    histogram: Histogram,
    data: Points | None = None,
    *,
    axes: Sequence[int] = (0, 1),
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[HistogramTrees] = unpublished,
) -> HistogramTrees:
    """Return matchings of the cells' points, of points drawn from the cells, and of the records."""
    problem = BuildingProblem("matching", MAX_MATCHED, match_cells, match_points, _matching_along)
    return problem.solve(histogram, data, axes, seed, progress, publish)


def _matching_along(result: Matching, nodes: Floats, axes: list[int]) -> MatchingAlong:
    return MatchingAlong(*longest_edges(result.lengths, result.pairs, nodes, axes), result.cost, result.lower)

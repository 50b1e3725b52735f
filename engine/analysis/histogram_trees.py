"""What is built on the cells of a histogram, and on the records: spanning trees and facilities."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.analysis.memory import is_remembered, remembered
from engine.analysis.shared.built_on_cells import (
    BuildingProblem,
    FacilitiesAlong,
    HistogramTrees,
    TreeAlong,
    longest_edges,
)
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import centers
from engine.histograms.facility import Facilities, locate_facilities, locate_points, places_of, true_cost
from engine.histograms.histogram import Histogram
from engine.histograms.spanning_tree import SpanningTree, euclidean_tree, resampled_tree, spanning_tree
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible

MOST_TRUE = 100_000
"""Records up to which the true tree is found."""

MOST_WAYS = 500
"""Ways to facilities that are kept for a picture: of cells or records drawn by a public seed."""

SHARE = 0.01
"""A facility costs, at first, as much as if all points went so far, as a share of the bounds' diameter.

Of points spread evenly in a square, 5 or 6 facilities are then best.
"""

MOST_PRICES = 6
"""Prices whose facilities are remembered: each holds a number for every record."""

_SEED = 0  # public and fixed: which ways are drawn says nothing


def histogram_trees(
    histogram: Histogram,
    data: Points | None = None,
    *,
    axes: Sequence[int] = (0, 1),
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[HistogramTrees] = unpublished,
) -> HistogramTrees:
    """Find the tree on cells, what a tree of points drawn from them costs, and the true tree."""
    problem = BuildingProblem("tree", MOST_TRUE, spanning_tree, _resampled, euclidean_tree, _along)
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
    """Find facilities on cells, what they cost the records in truth, and facilities at records."""
    drawn = list(axes)
    key, first = ("facilities", price), part(progress, 0.0, 0.3)
    located = remembered(histogram, key, lambda: locate_facilities(histogram, price, progress=first))
    held = np.flatnonzero(located.assignment >= 0)
    places = places_of(histogram, located.open)
    goal = np.searchsorted(located.open, located.assignment[held])
    on_cells = _facilities(located, centers(histogram)[held], places, goal, price, drawn)
    found = HistogramTrees(on_cells)
    if data is None:
        return found
    values = data.values
    if not is_remembered(data, key):
        publish(found)
    if len(places):
        cost = remembered(
            histogram,
            ("facilities in truth", data, price),
            lambda: true_cost(values, places, price, progress=part(progress, 0.3, 0.5)),
            MOST_PRICES,
        )
        found = HistogramTrees(dataclasses.replace(on_cells, in_truth=cost))
    # which records are looked at says nothing: the sample is the same for all data
    at_records = remembered(
        data,
        key,
        lambda: locate_points(values, price, reproducible(_SEED), progress=part(progress, 0.5, 1.0)),
        MOST_PRICES,
    )
    goal = np.searchsorted(at_records.open, at_records.assignment)
    truth = _facilities(at_records, values, values[at_records.open], goal, price, drawn)
    return dataclasses.replace(found, truth=truth)


def default_facility_price(box: Box, n: int) -> float:
    """Return what a facility costs at first, from public facts alone."""
    return float(f"{SHARE * float(np.linalg.norm(box.width)) * max(n, 1):.1g}")


def _resampled(histogram: Histogram, rng: np.random.Generator, progress: Progress) -> float:
    return resampled_tree(histogram, rng, progress=progress)[0].cost


def _along(tree: SpanningTree, nodes: Floats, axes: list[int]) -> TreeAlong:
    return TreeAlong(*longest_edges(tree.lengths, tree.edges, nodes, axes), tree.cost)


def _facilities(
    found: Facilities,
    starts: Floats,
    places: Floats,
    goal: Ints,
    price: float,
    axes: list[int],
) -> FacilitiesAlong:
    some = np.arange(len(starts))
    if len(starts) > MOST_WAYS:
        some = np.sort(np.random.default_rng(_SEED).choice(len(starts), MOST_WAYS, replace=False))
    ends = places[goal[some]][:, axes]
    return FacilitiesAlong(starts[some][:, axes], ends, found.cost, places[:, axes], price)

"""Facilities on cells and on records, as pictures show them; made in a worker."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.histogram.tree_view import DrawnFacilities
from engine.domain import Box
from engine.histograms.attacks import centers
from engine.histograms.facility import Facilities, locate, locate_points, places_of, true_cost
from engine.histograms.histogram import Histogram
from engine.progress import Progress
from engine.randomness import reproducible

MOST_WAYS = 500
"""Ways to facilities that are drawn: of records or cells drawn by a public seed, which says nothing."""

SHARE = 0.01
"""A facility costs, at first, as much as if all points went so far, as a share of the bounds' diameter.

Of points spread evenly in a square, 5 or 6 facilities are then best.
"""

_SEED = 0

Floats = NDArray[np.float64]


def default_price(box: Box, n: int) -> float:
    """Return what a facility costs at first, from public facts alone."""
    return float(f"{SHARE * float(np.linalg.norm(box.width)) * max(n, 1):.1g}")


def facilities_on_cells(
    histogram: Histogram, price: float, drawn: tuple[int, ...], progress: Progress
) -> tuple[DrawnFacilities, Floats]:
    """Return facilities on the occupied cells, and the places of these along all directions."""
    found = locate(histogram, price, progress)
    held = np.flatnonzero(found.assignment >= 0)
    places = places_of(histogram, found.open)
    goal = np.searchsorted(found.open, found.assignment[held])
    return _drawn(found, centers(histogram)[held], places, goal, price, drawn), places


def facilities_on_records(
    values: Floats, price: float, drawn: tuple[int, ...], progress: Progress
) -> DrawnFacilities:
    """Return facilities at records (private)."""
    # which records are looked at says nothing: the sample is the same for all data
    found = locate_points(values, price, reproducible(_SEED), progress)
    goal = np.searchsorted(found.open, found.assignment)
    return _drawn(found, values, values[found.open], goal, price, drawn)


def cost_in_truth(values: Floats, places: Floats, price: float, progress: Progress) -> float | None:
    """Return what facilities somewhere cost all records (private); None for no facilities."""
    return true_cost(values, places, price, progress) if len(places) else None


def facility_words(*ways: int) -> str:
    """Say which ways are not in the picture, of so many on cells and on records."""
    if max(ways) <= MOST_WAYS:
        return ""
    return f"On each side, at most {number(MOST_WAYS)} of the ways to the facilities are drawn."


def _drawn(
    found: Facilities,
    starts: Floats,
    places: Floats,
    goal: NDArray[np.int64],
    price: float,
    drawn: tuple[int, ...],
) -> DrawnFacilities:
    some = np.arange(len(starts))
    if len(starts) > MOST_WAYS:
        some = np.sort(np.random.default_rng(_SEED).choice(len(starts), MOST_WAYS, replace=False))
    along = list(drawn)
    return DrawnFacilities(
        starts[some][:, along], places[goal[some]][:, along], found.cost, places[:, along], price
    )

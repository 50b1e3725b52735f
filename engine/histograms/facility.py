"""Facility location: where to open facilities, as a histogram tells it, and on the points themselves."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.local_search import local_optimum
from engine.numerals import short
from engine.progress import Progress, part, silent

CANDIDATES = 1000
"""Of so many cells, the fullest, some may be opened; or of so many points, drawn at random."""

CLIENTS = 4000
"""The search minimizes the cost of so many cells, the fullest, or of so many points."""

_BATCH_SIZE = 1 << 20


@dataclasses.dataclass(frozen=True, eq=False)
class Facilities:
    """Which facilities to open, and what that costs all points; from `locate`.

    Attributes
    ----------
    open : ndarray of int64, shape (k,)
        Cells, by their index in the histogram; or points.
    assignment : ndarray of int64, shape (m,)
        For each cell or point the nearest of `open`; -1 for empty cells.
    opening, connecting : float
        Cost of facilities, and of the way to them.
    complete : bool
        Whether the search looked at all occupied cells, or all points, as candidates and clients.
        If so, its cost is at most three times the least possible.
    """

    open: Ints
    assignment: Ints
    opening: float
    connecting: float
    complete: bool

    @property
    def cost(self) -> float:
        """Both costs."""
        return self.opening + self.connecting


def locate(histogram: Histogram, price: float, progress: Progress = silent) -> Facilities:
    """Open cells so that prices, and d_H from each point to the nearest open cell, cost little.

    Points of an open cell pay its diameter.  Greedy steps, then adding, dropping and swapping until
    nothing helps: where all cells are looked at, the cost is at most three times the least possible
    under d_H (Arya et al. 2004; their proof needs d(i, j) <= d(i, j') + d(i', j') +
    d(i', j) alone, which d_H satisfies although no cell is at distance 0 of itself).

    Parameters
    ----------
    histogram : Histogram
        Cells with a count of 0 or less are empty; other counts are weights.
    price : float
        Of one facility, in units of distance times points.
    progress : Progress

    Returns
    -------
    Facilities

    Raises
    ------
    ParameterError
        Unless the price is finite and above 0.

    Examples
    --------
    Facilities that cost next to nothing are opened in each cell.

    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> facilities = locate(histogram, price=0.01)
    >>> facilities.open.tolist(), round(facilities.opening, 6)
    ([0, 1, 2, 3], 0.04)
    """
    _check(price)
    held = np.flatnonzero(histogram.counts > 0)
    assignment = np.full(histogram.size, -1, dtype=np.int64)
    if not len(held):
        return Facilities(np.empty(0, dtype=np.int64), assignment, 0.0, 0.0, True)
    fullest = held[np.argsort(-histogram.counts[held], kind="stable")]
    candidates, clients = fullest[:CANDIDATES], fullest[:CLIENTS]
    distances = np.empty((len(candidates), len(clients)))
    for row, cell in enumerate(candidates.tolist()):
        progress(0.1 * row / len(candidates))
        distances[row] = histogram.between(cell, clients)
    chosen = local_optimum(distances, histogram.counts[clients], price, part(progress, 0.1, 0.9))
    found = np.sort(candidates[chosen])
    connecting = 0.0
    rows = max(1, _BATCH_SIZE // len(found))
    for start in range(0, len(held), rows):
        progress(0.9 + 0.1 * start / len(held))
        some = held[start : start + rows]
        away = histogram.between(some[:, None], found[None, :])
        assignment[some] = found[away.argmin(axis=1)]
        connecting += float(histogram.counts[some] @ away.min(axis=1))
    return Facilities(found, assignment, price * len(found), connecting, len(held) == len(candidates))


def places_of(histogram: Histogram, cells: ArrayLike) -> Floats:
    """Return where to build the facilities of cells: at a point of each, its middle if it is a box."""
    some = np.asarray(cells)
    if isinstance(histogram, EnclosingHistogram):
        return np.asarray(histogram.centers[some])
    return np.asarray(histogram.lower[some] / 2 + histogram.upper[some] / 2)


def true_cost(points: ArrayLike, places: ArrayLike, price: float, progress: Progress = silent) -> float:
    """Return what facilities at `places`, (k, d), cost `points`, (n, d), in truth (private).

    With the places of `locate` this is at most the cost that it states, if the counts are exact.
    """
    return price * len(np.atleast_2d(places)) + float(_nearest(points, places, progress)[0].sum())


def locate_points(
    points: ArrayLike, price: float, rng: np.random.Generator, progress: Progress = silent
) -> Facilities:
    """Open facilities at some of `points`, (n, d), by the same search on true distances (private).

    Of more than 4,000 points the search sees a sample, and candidates are 1,000 of them; the cost
    is always that of all points.

    Parameters
    ----------
    points : array_like, shape (n, d)
    price : float
        Of one facility, in units of distance times points.
    rng : Generator
        Chooses candidates and clients, where there are too many.
    progress : Progress

    Returns
    -------
    Facilities

    Raises
    ------
    ParameterError
        Unless the price is finite and above 0.

    Examples
    --------
    Two heaps of three points at 0 and 10, and facilities that cost 5 each:

    >>> from engine import reproducible
    >>> found = locate_points([[0.0], [0.0], [0.0], [10.0], [10.0], [10.0]], 5.0, reproducible(1))
    >>> len(found.open), found.opening, found.connecting
    (2, 10.0, 0.0)
    """
    from scipy.spatial.distance import cdist

    _check(price)
    values = np.asarray(points, dtype=np.float64)
    n = len(values)
    clients = rng.permutation(n)[:CLIENTS]
    candidates = clients[:CANDIDATES]
    weights = np.full(len(clients), n / len(clients))
    distances = np.asarray(cdist(values[candidates], values[clients]))
    chosen = local_optimum(distances, weights, price, part(progress, 0.0, 0.9))
    found = np.sort(candidates[chosen])
    away, which = _nearest(values, values[found], part(progress, 0.9, 1.0))
    return Facilities(found, found[which], price * len(found), float(away.sum()), n == len(candidates))


def _check(price: float) -> None:
    if not 0 < price < np.inf:
        raise ParameterError("price", f"{short(price)} is not a price; a finite number above 0 is needed")


def _nearest(points: ArrayLike, places: ArrayLike, progress: Progress) -> tuple[Floats, Ints]:
    """Return the distance of each point to the nearest place, and which it is."""
    from scipy.spatial import cKDTree

    values = np.asarray(points, dtype=np.float64)
    tree = cKDTree(np.atleast_2d(np.asarray(places, dtype=np.float64)))
    away, which = np.empty(len(values)), np.empty(len(values), dtype=np.int64)
    rows = _BATCH_SIZE // 32
    for start in range(0, len(values), rows):
        progress(start / len(values))
        away[start : start + rows], which[start : start + rows] = tree.query(values[start : start + rows])
    return away, which

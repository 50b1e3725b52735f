"""Facility location: choose facilities from a histogram, or from the points themselves."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.numerals import short
from engine.progress import Progress, part, silent

MAX_CANDIDATES = 1000
"""Largest number of candidates: the fullest cells, or randomly drawn points."""

MAX_CLIENTS = 4000
"""Largest number of clients whose cost the search minimizes: the fullest cells, or points."""

_BATCH_SIZE = 1 << 20

_MIN_SAVING = 1e-9
"""Smallest saving of a search step, as a share of the cost; rounding errors are smaller."""


@dataclasses.dataclass(frozen=True, eq=False)
class Facilities:
    """The facilities to open, and the resulting cost of all points; from `locate_facilities`."""

    open: Ints  # shape (k,); cells by index in the histogram, or points
    assignment: Ints  # shape (m,); the nearest of `open` for each cell or point; -1 for empty cells
    opening: float  # cost of facilities, and of the distances to them
    connecting: float
    # Whether all occupied cells, or all points, were candidates and clients.  If so, the cost is at most
    # three times the minimum.
    complete: bool

    @property
    def cost(self) -> float:
        """Sum of both costs."""
        return self.opening + self.connecting


def locate_facilities(histogram: Histogram, price: float, *, progress: Progress = silent) -> Facilities:
    """Choose open cells with the least sum of prices and of distances d_H from points to open cells.

    Points of an open cell pay its diameter.  A greedy start is improved by adding, dropping and swapping
    until nothing helps.  If all cells are included, the cost is at most three times the minimum under d_H
    (Arya et al. 2004).  Their proof needs only d(i, j) <= d(i, j') + d(i', j') + d(i', j); d_H satisfies
    this, although no cell is at distance 0 of itself.
    """
    _check(price)
    held = np.flatnonzero(histogram.counts > 0)
    assignment = np.full(histogram.size, -1, dtype=np.int64)
    if not len(held):
        return Facilities(np.empty(0, dtype=np.int64), assignment, 0.0, 0.0, True)
    fullest = held[np.argsort(-histogram.counts[held], kind="stable")]
    candidates, clients = fullest[:MAX_CANDIDATES], fullest[:MAX_CLIENTS]
    distances = np.empty((len(candidates), len(clients)))
    for row, cell in enumerate(candidates.tolist()):
        progress(0.1 * row / len(candidates))
        distances[row] = histogram.between(cell, clients)
    chosen = local_optimum(distances, histogram.counts[clients], price, progress=part(progress, 0.1, 0.9))
    opened = np.sort(candidates[chosen])
    connecting = 0.0
    rows = max(1, _BATCH_SIZE // len(opened))
    for start in range(0, len(held), rows):
        progress(0.9 + 0.1 * start / len(held))
        some = held[start : start + rows]
        away = histogram.between(some[:, None], opened[None, :])
        assignment[some] = opened[away.argmin(axis=1)]
        connecting += float(histogram.counts[some] @ away.min(axis=1))
    return Facilities(opened, assignment, price * len(opened), connecting, len(held) == len(candidates))


def places_of(histogram: Histogram, cells: ArrayLike) -> Floats:
    """Return the positions of the facilities of cells: a point of each, its middle for a box."""
    some = np.asarray(cells)
    if isinstance(histogram, EnclosingHistogram):
        return np.asarray(histogram.centers[some])
    return np.asarray(histogram.lower[some] / 2 + histogram.upper[some] / 2)


def true_cost(points: ArrayLike, places: ArrayLike, price: float, *, progress: Progress = silent) -> float:
    """Return the true cost for `points`, (n, d), of facilities at `places`, (k, d) (private).

    At the places of `locate_facilities` this is at most the cost that it reports, for exact counts.
    """
    return price * len(np.atleast_2d(places)) + float(_nearest(points, places, progress=progress)[0].sum())


def locate_points(
    points: ArrayLike, price: float, rng: np.random.Generator, *, progress: Progress = silent
) -> Facilities:
    """Open facilities at some of `points`, (n, d), by the same search on true distances (private).

    Of more than 4,000 points the search uses a sample, and 1,000 candidates; the cost always includes all
    points.
    """
    from scipy.spatial.distance import cdist

    _check(price)
    values = np.asarray(points, dtype=np.float64)
    n = len(values)
    clients = rng.permutation(n)[:MAX_CLIENTS]
    candidates = clients[:MAX_CANDIDATES]
    weights = np.full(len(clients), n / len(clients))
    distances = np.asarray(cdist(values[candidates], values[clients]))
    chosen = local_optimum(distances, weights, price, progress=part(progress, 0.0, 0.9))
    opened = np.sort(candidates[chosen])
    away, which = _nearest(values, values[opened], progress=part(progress, 0.9, 1.0))
    return Facilities(opened, opened[which], price * len(opened), float(away.sum()), n == len(candidates))


def _check(price: float) -> None:
    if not 0 < price < np.inf:
        raise ParameterError("price", f"{short(price)} is not possible; it must be a finite number above 0")


def _nearest(points: ArrayLike, places: ArrayLike, *, progress: Progress) -> tuple[Floats, Ints]:
    """Return the distance of each point to the nearest place, and the index of that place."""
    from scipy.spatial import cKDTree

    values = np.asarray(points, dtype=np.float64)
    tree = cKDTree(np.atleast_2d(np.asarray(places, dtype=np.float64)))
    away, which = np.empty(len(values)), np.empty(len(values), dtype=np.int64)
    rows = _BATCH_SIZE // 32
    for start in range(0, len(values), rows):
        progress(start / len(values))
        away[start : start + rows], which[start : start + rows] = tree.query(values[start : start + rows])
    return away, which


def local_optimum(distances: Floats, weights: Floats, price: float, *, progress: Progress = silent) -> Ints:
    """Return a set of candidates that no addition, removal or swap of one improves.

    Arya, Garg, Khandekar, Meyerson, Munagala, Pandit 2004, section 4: at most three times the minimum cost,
    if distances satisfy the triangle inequality.  Their search may take many steps to an optimum; here a step
    must save at least 1e-9 of the cost.

    `distances`, (c, m), are from each candidate to each client.  `weights`, (m,), of the clients are above 0.
    `price` is that of an open candidate.
    """
    search = _LocalSearch(distances, weights, price)
    steps = 0
    while search.step(progress, min(0.95, steps / (steps + 50))):
        steps += 1
    return np.flatnonzero(search.is_open)


class _LocalSearch:
    """Open candidates, and the nearest and second nearest of them for each client."""

    def __init__(self, distances: Floats, weights: Floats, price: float) -> None:
        self._distances, self._weights, self._price = distances, weights, price
        self.is_open = np.zeros(len(distances), dtype=np.bool_)
        self.is_open[int((distances @ weights).argmin())] = True
        self._renew()

    def _renew(self) -> None:
        """Find the nearest and the second nearest open candidate of each client."""
        some = np.flatnonzero(self.is_open)
        away = self._distances[some]
        nearest = away.argmin(axis=0)
        clients = np.arange(away.shape[1])
        self._nearest = some[nearest]
        self._first = away[nearest, clients]
        away[nearest, clients] = np.inf  # a copy
        self._second = away.min(axis=0)
        self._cost = self._price * len(some) + float(self._weights @ self._first)

    def step(self, progress: Progress, done: float) -> bool:
        """Make the best improvement, a swap only if nothing else helps; tell whether there was one."""
        progress(done)
        worth = _MIN_SAVING * self._cost
        saved = self._saved_by_adding(progress, done)
        added = int(saved.argmax())
        spent = self._spent_by_dropping()
        dropped = int(spent.argmin())
        if max(saved[added], -spent[dropped]) > worth:
            change = added if saved[added] >= -spent[dropped] else dropped
            self.is_open[change] ^= True
        else:
            gain, added, dropped = self._best_swap(progress, done)
            if gain <= worth:
                return False
            self.is_open[added], self.is_open[dropped] = True, False
        self._renew()
        return True

    def _blocks(self, progress: Progress, done: float) -> list[slice]:
        rows = max(1, _BATCH_SIZE // self._distances.shape[1])
        starts = range(0, len(self._distances), rows)
        progress(done)
        return [slice(start, start + rows) for start in starts]

    def _saved_by_adding(self, progress: Progress, done: float) -> Floats:
        saved = np.empty(len(self._distances))
        for some in self._blocks(progress, done):
            progress(done)
            nearer = np.minimum(self._distances[some] - self._first, 0.0)
            saved[some] = -(nearer @ self._weights) - self._price
        saved[self.is_open] = -np.inf
        return saved

    def _spent_by_dropping(self) -> Floats:
        if np.count_nonzero(self.is_open) == 1:
            return np.full(len(self._distances), np.inf)
        more = self._weights * (self._second - self._first)
        spent = np.bincount(self._nearest, weights=more, minlength=len(self._distances)) - self._price
        return np.where(self.is_open, spent, np.inf)

    def _best_swap(self, progress: Progress, done: float) -> tuple[float, int, int]:
        """Return the saving of the best swap, and the candidates that it opens and closes."""
        order = np.argsort(self._nearest, kind="stable")
        closed, starts = np.unique(self._nearest[order], return_index=True)
        weights, first, second = (x[order] for x in (self._weights, self._first, self._second))
        best = (-np.inf, 0, 0)
        for some in self._blocks(progress, done):
            progress(done)
            away = self._distances[some][:, order]
            kept = np.minimum(away, first)
            saved = (first - kept) @ weights
            # clients of the closed one move to the new one, or to their second nearest
            lost = np.add.reduceat((np.minimum(away, second) - kept) * weights, starts, axis=1)
            gain = saved[:, None] - lost
            gain[self.is_open[some]] = -np.inf
            row, column = np.unravel_index(int(gain.argmax()), gain.shape)
            if gain[row, column] > best[0]:
                best = (float(gain[row, column]), some.start + int(row), int(closed[column]))
        return best

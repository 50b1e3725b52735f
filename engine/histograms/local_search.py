"""Local search for uncapacitated facility location: add, drop, swap."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats, Ints
from engine.progress import Progress, silent

_BATCH_SIZE = 1 << 20
_WORTH = 1e-9
"""A step must save this share of the cost: rounding saves less."""


def local_optimum(distances: Floats, weights: Floats, price: float, progress: Progress = silent) -> Ints:
    """Return which candidates to open: no single one more, less or other costs less.

    Parameters
    ----------
    distances : ndarray, shape (c, m)
        From each candidate to each client.
    weights : ndarray, shape (m,)
        Of the clients, above 0.
    price : float
        Of an open candidate.
    progress : Progress

    Notes
    -----
    Arya, Garg, Khandekar, Meyerson, Munagala, Pandit 2004, section 4: at most three times the
    least cost, where distances satisfy the triangle inequality.  Their steps to an optimum may be
    many; a step here saves at least 1e-9 of the cost.
    """
    search = _LocalSearch(distances, weights, price)
    steps = 0
    while search.step(progress, min(0.95, steps / (steps + 50))):
        steps += 1
    return np.flatnonzero(search.is_open)


class _LocalSearch:
    """Open candidates, and for each client the nearest and second nearest of them."""

    def __init__(self, distances: Floats, weights: Floats, price: float) -> None:
        self._distances, self._weights, self._price = distances, weights, price
        self.is_open = np.zeros(len(distances), dtype=np.bool_)
        self.is_open[int((distances @ weights).argmin())] = True
        self._renew()

    def _renew(self) -> None:
        """Find the nearest and the second nearest open candidate of each client."""
        some = np.flatnonzero(self.is_open)
        away = self._distances[some]
        place = away.argmin(axis=0)
        clients = np.arange(away.shape[1])
        self._nearest = some[place]
        self._first = away[place, clients]
        away[place, clients] = np.inf  # a copy
        self._second = away.min(axis=0)
        self._cost = self._price * len(some) + float(self._weights @ self._first)

    def step(self, progress: Progress, done: float) -> bool:
        """Do what saves most, swapping only if nothing else helps; tell whether anything did."""
        progress(done)
        worth = _WORTH * self._cost
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
        """Return what the best swap saves, what it opens and what it closes."""
        order = np.argsort(self._nearest, kind="stable")
        closed, starts = np.unique(self._nearest[order], return_index=True)
        weights, first, second = (x[order] for x in (self._weights, self._first, self._second))
        best = (-np.inf, 0, 0)
        for some in self._blocks(progress, done):
            progress(done)
            away = self._distances[some][:, order]
            kept = np.minimum(away, first)
            saved = (first - kept) @ weights
            # the clients of what is closed go to the new one, or to their second
            lost = np.add.reduceat((np.minimum(away, second) - kept) * weights, starts, axis=1)
            gain = saved[:, None] - lost
            gain[self.is_open[some]] = -np.inf
            row, column = np.unravel_index(int(gain.argmax()), gain.shape)
            if gain[row, column] > best[0]:
                best = (float(gain[row, column]), some.start + int(row), int(closed[column]))
        return best

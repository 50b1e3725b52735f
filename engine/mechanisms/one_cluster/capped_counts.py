"""Counts of points near points: the quality L(r, S) of a radius, and the smallest ball.

Points are indices of a grid, so squared distances are exact whole numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import search_tree
from engine.mechanisms.one_cluster.cells import most_in_a_cube
from engine.progress import Progress, each, silent
from engine.sampling.choice import FINE

# There is no table of distances.  If a small cube holds enough points, the radius is large enough; otherwise
# neighbours are counted, but only for points that can still matter.

FLAT = 8
"""From this dimension on, computing all distances in batches is as fast as a tree."""

LEAF = 32
"""Points in a leaf of the tree."""

ALONE = 256
"""Up to this many points, one thread is faster than starting several."""

PER_ONE = round(1 / FINE)
"""Steps of the grid of scores between two whole numbers."""

TURN = 0.05
"""Seconds between two checks for a cancellation."""


class Neighbourhood:
    """Counts points within a distance of points."""

    def __init__(self, points: Ints, progress: Progress = silent) -> None:
        self._progress = progress
        # in the order of the tree, so that successive queries are about nearby points
        self.points = points if self._is_flat(points) else points[self._grown(points).indices]

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    def counts(self, chosen: Ints, squared: int) -> Ints:
        """Return the number of points within a squared radius of each chosen point, given by index."""
        if not self._is_flat(self.points):
            # halfway between two whole numbers, so that rounding cannot change a count
            radius = math.sqrt(squared + 0.5)
            threads = -1 if len(chosen) > ALONE else 1
            near = self._tree.query_ball_point(
                self._floats[chosen], radius, workers=threads, return_length=True
            )
            return np.asarray(near, dtype=np.int64)
        products = self._floats[chosen] @ self._floats.T  # whole numbers below 2^53, so exact
        distances = self._squares[chosen][:, None] + self._squares - 2 * products
        return np.asarray(np.count_nonzero(distances <= squared, axis=1))

    def fullest_cube(self, squared: int) -> int:
        """Return the largest count of a partition into cubes whose diagonal is at most the radius.

        Each point in that cube has at least this many points within the radius.
        """
        side = math.isqrt(squared // self.points.shape[1]) + 1
        return most_in_a_cube(self.points, side)

    @cached_property
    def _floats(self) -> Floats:
        if self._is_flat(self.points):
            return self.points.astype(np.float64)
        return np.asarray(self._tree.data)  # the tree already holds the points as doubles

    @cached_property
    def _squares(self) -> Floats:
        squares: Floats = np.square(self._floats).sum(axis=1)
        return squares

    @cached_property
    def _tree(self) -> Any:
        return self._grown(self.points)

    @staticmethod
    def _is_flat(points: Ints) -> bool:
        return bool(points.shape[1] >= FLAT)

    def _grown(self, points: Ints) -> Any:
        self._progress(0.0, "sorting points")
        tree = search_tree(points, LEAF)
        self._progress(0.0, "sorting points")
        return tree


def average_counts(points: Ints, squared: Sequence[int], t: int, *, progress: Progress = silent) -> Floats:
    """Return L(r, S) for several radii: the mean of the t largest numbers min(t, |S in B_r(x)|), x in S.

    Replacing a point changes L by at most 2 - 2/t at any radius: it changes each other count by at most one,
    and its own count entirely.  With fewer than t points, zeros fill the t counts.  The mean is rounded down
    to the grid of scores (by less than 2^-20), in whole numbers.  So the result changes by at most 2,
    without a rounding error.

    Source: Nissim, Stemmer, Vadhan 2016, Algorithm 1 (GoodRadius) and Lemma 4.5.
    """
    quality = np.zeros(len(squared))
    if not len(points):
        return quality
    near = Neighbourhood(points, progress)
    at_most = np.full(near.n, min(t, near.n))
    for index, turn in enumerate(each(len(squared), progress, "counting neighbors")):
        square = squared[index]
        if near.fullest_cube(square) >= t:
            quality[index] = t
        else:
            quality[index] = _sum_of_largest(near, square, at_most, t, turn) * PER_ONE // t * FINE
    return quality


def _sum_of_largest(near: Neighbourhood, squared: int, at_most: Ints, t: int, progress: Progress) -> int:
    """Return the sum of the t largest capped counts; tightens their upper bounds `at_most` in place."""
    order = np.argsort(-at_most, kind="stable")
    best = np.zeros(0, dtype=np.int64)
    for some in in_turns(order, progress=progress):
        if len(best) == t and at_most[some[0]] <= best.min():
            break
        at_most[some] = np.minimum(t, near.counts(some, squared))
        best = np.concatenate([best, at_most[some]])
        if len(best) > t:
            best = np.partition(best, len(best) - t)[-t:]
    return int(best.sum())


def smallest_ball(points: Ints, t: int, *, progress: Progress = silent) -> tuple[Ints, int] | None:
    """Return the smallest ball around a point that holds t points: the center, and the squared radius.

    No ball with t points has less than half this radius: around each of its points there is one of twice
    its radius.  None if there are fewer than t points.
    """
    near = Neighbourhood(points, progress)
    if near.n < t:
        return None
    alive = np.arange(near.n)
    low, high = -1, int(np.square(np.ptp(points, axis=0)).sum())
    while high - low > 1:
        # bisect on a log scale first: radii may differ by many orders of magnitude
        wide = high > 4 * (low + 2)
        middle = math.isqrt((low + 2) * high) if wide else (low + high) // 2
        middle = min(max(middle, low + 1), high - 1)
        progress(0.0, "smallest ball")
        if near.fullest_cube(middle) >= t:
            high = middle
            continue
        enough = _with_enough(near, alive, middle, t, progress)
        low, high = (low, middle) if len(enough) else (middle, high)
        alive = enough if len(enough) else alive
    return near.points[_with_enough(near, alive, high, t, progress)[0]], high


def _with_enough(near: Neighbourhood, alive: Ints, squared: int, t: int, progress: Progress) -> Ints:
    turns = in_turns(alive, progress=progress)
    return np.concatenate([some[near.counts(some, squared) >= t] for some in turns])


def in_turns(chosen: Ints, *, progress: Progress = silent) -> Iterator[Ints]:
    """Cut an array into pieces that each take about `TURN` seconds, so that a cancellation is quick."""
    start, size = 0, 64
    while start < len(chosen):
        progress(start / len(chosen), "counting neighbors")
        began = time.perf_counter()
        some = chosen[start : start + size]
        yield some
        start += len(some)
        size = max(16, min(4 * size, int(size * TURN / max(1e-6, time.perf_counter() - began))))

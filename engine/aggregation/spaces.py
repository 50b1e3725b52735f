"""Spaces of block outputs: a public box with a metric."""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.progress import Progress, silent

_CHUNK = 1 << 15
"""Distances per batch, so that intermediate results fit into the processor's cache."""

MEASURING = "distances between outputs"

GUESS = 0.02
"""Default guess of the error of a block, as a share of the diameter."""

MIN_CHECKED_CENTERS = 5
"""Smallest number of centers for which obvious matchings are checked first."""


@dataclasses.dataclass(frozen=True)
class OutputSpace(abc.ABC):
    """Outputs as vectors in a public box, to which they are clamped, with a metric."""

    name: ClassVar[str]
    label: ClassVar[str]

    box: Box

    @property
    def dimension(self) -> int:
        """Number of coordinates D of an output."""
        return self.box.dimension

    @property
    def diameter(self) -> float:
        """Λ: the largest possible distance of two outputs (public); by default, the Euclidean one."""
        return self.box.diameter

    @property
    def measure(self) -> str:
        """The name of the distance in a sentence about errors; "" for one number."""
        return self.label if self.dimension > 1 else ""

    def stretch(self, norm: str) -> float:
        """Return the largest ratio of the "L1" or "L2" norm of a difference to the distance.

        Noise is calibrated for a norm on vectors, a smooth bound for the metric.  For the Euclidean distance,
        also of lists in matched order, it is sqrt(D) for L1, by Cauchy and Schwarz, and 1 for L2.
        """
        return math.sqrt(self.dimension) if norm == "L1" else 1.0

    @abc.abstractmethod
    def _distances(self, first: Floats, second: Floats) -> Floats:
        """Return the distances between every row of two arrays."""

    def separations(self, outputs: Floats) -> Floats:
        """Return the distance of the nearest two centers within each output: infinity except for sets."""
        return np.full(len(outputs), np.inf)

    def in_order_of(self, reference: Floats, outputs: Floats) -> Floats:
        """Return outputs (m, D) with the centers of sets matched to the order of a reference."""
        return outputs

    def distances(self, first: ArrayLike, second: ArrayLike, progress: Progress = silent) -> Floats:
        """Return all distances between outputs, shape (a, b), for arrays (a, D) and (b, D)."""
        left, right = self._scaled(first), self._scaled(second)
        result = np.empty((len(left), len(right)))
        rows = max(1, _CHUNK // max(1, len(right)))
        for start in range(0, len(left), rows):
            progress(start / len(left), MEASURING)
            result[start : start + rows] = self._distances(left[start : start + rows], right)
        return result / self._unit

    def table(self, outputs: ArrayLike, progress: Progress = silent) -> Floats:
        """Return the distances between all pairs of outputs (m, D), shape (m, m)."""
        m = len(np.asarray(outputs))
        result = np.empty((m, m))
        for start, block in self.pairs(outputs, progress):
            result[start : start + len(block), start:] = block
            result[start:, start : start + len(block)] = block.T
        return result

    def pairs(self, outputs: ArrayLike, progress: Progress = silent) -> Iterator[tuple[int, Floats]]:
        """Yield the distances between all pairs of outputs (m, D), each once.

        They come in blocks of the next few table rows, starting at the column of the first of them, which is
        yielded as well.  Distances are measured from the first output of each pair: matched centers are
        summed in its order.
        """
        points = self._scaled(outputs)
        m, start = len(points), 0
        while start < m:
            progress(1 - (1 - start / m) ** 2, MEASURING)
            stop = min(m, start + max(1, _CHUNK // (m - start)))
            block = self._distances(points[start:stop], points[start:])
            block /= self._unit
            square = block[:, : len(block)]
            square[:] = np.triu(square) + np.triu(square, 1).T
            yield start, block
            start = stop

    def rows(self, outputs: ArrayLike, which: Ints, progress: Progress = silent) -> Floats:
        """Return some rows (`which`, increasing) of the `table`, to the last bit, shape (a, m)."""
        points = np.asarray(outputs, dtype=np.float64)
        some, low, high = points[which], int(which[0]), int(which[-1])
        result = np.empty((len(some), len(points)))
        result[:, high:] = self.distances(some, points[high:], progress)
        result[:, :high] = self.distances(points[:high], some, progress).T
        between = np.arange(low, high) >= which[:, None]
        result[:, low:high][between] = self.distances(some, points[low:high], progress)[between]
        return result

    @property
    def _unit(self) -> float:
        """A public power of two that scales distances near 1, so that no square underflows or overflows."""
        return 2.0 ** -math.frexp(self.diameter)[1]

    def _scaled(self, points: ArrayLike) -> Floats:
        scaled: Floats = np.asarray(points, dtype=np.float64) * self._unit
        return scaled


class Euclidean(OutputSpace):
    """Vectors with the Euclidean distance."""

    name: ClassVar[str] = "L2"
    label: ClassVar[str] = "Euclidean distance"

    def _distances(self, first: Floats, second: Floats) -> Floats:
        from scipy.spatial.distance import cdist

        return np.asarray(cdist(first, second))


class Manhattan(OutputSpace):
    """Vectors with the sum of the coordinates' distances."""

    name: ClassVar[str] = "L1"
    label: ClassVar[str] = "Sum of coordinates"

    @property
    def measure(self) -> str:
        return super().measure and "sum of coordinates"

    @property
    def diameter(self) -> float:
        return math.fsum(side.width for side in self.box.sides)

    def stretch(self, norm: str) -> float:
        """Return 1: the Euclidean norm is never larger."""
        return 1.0

    def _distances(self, first: Floats, second: Floats) -> Floats:
        from scipy.spatial.distance import cdist

        return np.asarray(cdist(first, second, "cityblock"))


@dataclasses.dataclass(frozen=True)
class Wasserstein(OutputSpace):
    """Sets of k centers under the best matching: min over permutations of the L2 distance.

    An output concatenates its centers.  Their order must mean nothing in a release: an order that depends on
    the data is not continuous.
    """

    name: ClassVar[str] = "wasserstein"
    label: ClassVar[str] = "Matched centers"
    largest_exact_table: ClassVar[int] = 8

    k: int = 1

    def __post_init__(self) -> None:
        if self.k < 1 or self.dimension % self.k:
            raise ParameterError(
                "k",
                f"{self.dimension} coordinates cannot be split evenly among {self.k} "
                "centers; check the bounds",
            )

    @property
    def measure(self) -> str:
        return f"all {self.k} centers together" if self.k > 1 else "distance of the center"

    def _distances(self, first: Floats, second: Floats) -> Floats:
        from scipy.spatial.distance import cdist

        left, right = (
            array.reshape(len(array), self.k, self.dimension // self.k) for array in (first, second)
        )
        cost = np.empty((self.k, self.k, len(first), len(second)))
        for i, j in np.ndindex(self.k, self.k):
            cdist(left[:, i], right[:, j], "sqeuclidean", out=cost[i, j])
        return np.sqrt(_by_subsets(cost) if self.k < MIN_CHECKED_CENTERS else _matched(cost))

    def separations(self, outputs: Floats) -> Floats:
        sets = self._scaled(outputs).reshape(len(outputs), self.k, -1)
        result = np.full(len(sets), np.inf)
        for i, j in itertools.combinations(range(self.k), 2):
            np.minimum(result, np.linalg.norm(sets[:, i] - sets[:, j], axis=1), out=result)
        return result / self._unit

    def in_order_of(self, reference: Floats, outputs: Floats) -> Floats:
        sets = outputs.reshape(len(outputs), self.k, -1)
        scaled, places = self._scaled(sets), self._scaled(reference).reshape(self.k, -1)
        nearest = [np.linalg.norm(scaled - position, axis=2).argmin(axis=1) for position in places]
        return np.take_along_axis(sets, np.stack(nearest, axis=1)[:, :, None], axis=1).reshape(outputs.shape)


def _matched(cost: Floats) -> Floats:
    """Return the cost of the best matchings of all pairs, (k, k, a, b) to (a, b), searching only where
    needed.

    If the centers of one side have distinct nearest centers on the other, no matching is cheaper.  This also
    holds after rounding: sums are rounded in the same order, and no summand is smaller.
    """
    k, _, *shape = cost.shape
    table = cost.reshape(k, k, -1)
    nearest = table.min(axis=1)
    times = np.add.reduce((table == nearest[:, None]).view(np.uint8), axis=0)
    doubtful = np.flatnonzero((times != 1).any(axis=0))
    result: Floats
    if k <= Wasserstein.largest_exact_table:
        result, search = nearest.sum(axis=0), _by_subsets
    else:
        result, search = np.ascontiguousarray(nearest.T).sum(axis=1), _by_assignment
    if 2 * doubtful.size > result.size:
        return search(cost)
    if doubtful.size:
        result[doubtful] = search(table.take(doubtful, axis=2))
    matched: Floats = result.reshape(shape)
    return matched


def _by_subsets(cost: Floats) -> Floats:
    """Return the cost of the best matchings, for all pairs at once: k 2^(k-1) additions instead of k k!.

    Dynamic programming: the first i centers are matched to every set of i centers of the other side,
    extending sets with one center less.
    """
    k = len(cost)
    best: dict[frozenset[int], Floats] = {frozenset(): np.zeros(cost.shape[2:])}
    for i in range(k):
        best = {
            taken: functools.reduce(np.minimum, (best[taken - {j}] + cost[i, j] for j in sorted(taken)))
            for taken in map(frozenset, itertools.combinations(range(k), i + 1))
        }
    return best[frozenset(range(k))]


def _by_assignment(cost: Floats) -> Floats:
    from scipy.optimize import linear_sum_assignment

    result = np.empty(cost.shape[2:])
    for position in np.ndindex(*result.shape):
        table = cost[(slice(None), slice(None), *position)]
        result[position] = table[linear_sum_assignment(table)].sum()
    return result

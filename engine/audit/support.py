"""The outputs that a mechanism can give on a database, where they are known."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from engine.array_types import Bools, Floats
from engine.audit import doubles
from engine.mechanisms.aggregators import VectorAdditive
from engine.mechanisms.categories.contingency_table import TablePrepared
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.mechanisms.histograms.noisy import NoisyGrid
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.planted.doubles import DoublesPrepared
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.propose_test_release import PtrPrepared
from engine.noise import Laplace


@runtime_checkable
class OwnArithmetic(Protocol):
    """What knows itself which doubles it can release."""

    def possible(self, values: Floats) -> Bools | None:
        """Tell which doubles can be released; None where that is not known."""


def possible(ready: Prepared, values: Floats, on_grid: Bools, dimension: int) -> Bools:
    """Tell which releases a prepared mechanism can give, shape (size,).

    One that is rounded exactly can give every point of its grid, and nothing else.  A refusal is possible.
    `values` are the numbers of releases and `on_grid` which lie on the grid, shape (size, D); `dimension` is
    D, or the numbers of one point where a release is a set of points, which has no order.
    """
    if isinstance(ready, DoublesPrepared):
        return np.asarray(_of_doubles(ready.ready, values, dimension) | np.isnan(values).any(axis=1))
    if isinstance(ready, OwnArithmetic) and (known := ready.possible(values[:, 0])) is not None:
        return known
    return np.asarray(on_grid.all(axis=1))


def _of_doubles(ready: Prepared, values: Floats, dimension: int) -> Bools:
    """Tell which are possible for noise in double precision; all where nothing is known of it."""
    if isinstance(ready, PtrPrepared):
        return _of_doubles(ready.answer, values, dimension)
    if isinstance(ready, PiecewisePrepared) and not ready.near.falls.any():
        return doubles.in_pieces(values[:, 0], ready.edges)
    if isinstance(ready, AdditivePrepared):
        is_laplace = isinstance(ready.family, Laplace)
        return doubles.sums(values[:, 0], float(ready.center), ready.scale, laplace=is_laplace)
    if isinstance(ready, VectorAdditive):
        return _of_vectors(ready, values, dimension)
    counts = _counts(ready)
    if counts is None:
        return np.ones(len(values), dtype=bool)
    centers, scale, is_laplace = counts
    columns = zip(values.T, centers.tolist(), strict=True)
    each = [doubles.sums(column, center, scale, laplace=is_laplace) for column, center in columns]
    possible_values: Bools = np.all(each, axis=0)
    return possible_values


def _of_vectors(ready: VectorAdditive, values: Floats, dimension: int) -> Bools:
    """Tell which vectors, or sets of points, are possible: each point must be for one of the centers.

    A number at the bounds is one that was moved there.
    """
    is_laplace = isinstance(ready.family, Laplace)

    def near(column: Floats, index: int) -> Bools:
        """Tell which numbers can be those of one coordinate of one center."""
        center, scale = float(ready.center[index]), float(ready.scale[index])
        ends = (column == ready.box.lower[index]) | (column == ready.box.upper[index])
        return np.asarray(doubles.sums(column, center, scale, laplace=is_laplace) | ends)

    starts = range(0, values.shape[1], dimension)
    possible_values = np.ones(len(values), dtype=bool)
    for point in starts:
        ways = [
            np.all([near(values[:, point + axis], center + axis) for axis in range(dimension)], axis=0)
            for center in starts
        ]
        possible_values &= np.any(ways, axis=0)
    return possible_values


def _counts(ready: Prepared) -> tuple[Floats, float, bool] | None:
    """Return the counts that noise is added to, its scale, and whether it is Laplace noise."""
    if isinstance(ready, TablePrepared):
        return ready.counts, ready.added.scale, ready.added.family == "laplace"
    if isinstance(ready, HistogramPrepared) and isinstance(ready.sanitizer, NoisyGrid):
        added = ready.sanitizer.added
        return ready.sanitizer.counts.astype(np.float64), added.scale, added.family == "laplace"
    return None

"""Distances of neighbours of points, diameters of their cells, and a bound on the second from the first."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.points import search_tree
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import DEEPEST
from engine.histograms.histogram import Histogram
from engine.numerals import grouped
from engine.progress import Progress, silent

_BATCH_SIZE = 1 << 16
"""Distances to compute between two progress reports."""


def neighbour_radii(points: ArrayLike, t: int, *, progress: Progress = silent) -> Floats:
    """Return the t-radius of each of `points`, (n, d): the distance of the t-th nearest other point
    (private).

    Copies of a point count as others, at distance 0.
    """
    values = np.asarray(points, dtype=np.float64)
    n = len(values)
    if not 1 <= t < n:
        raise ParameterError(
            "t",
            f"a point among {grouped(n)} has no {grouped(t)}th neighbor; it must be 1 to {grouped(n - 1)}",
        )
    order = np.lexsort(values.T)
    sorted_values = values[order]
    new = np.append(True, (sorted_values[1:] != sorted_values[:-1]).any(axis=1))
    group = np.cumsum(new) - 1
    # t + 1 copies of a point are as good as a million, which would be slow
    copy = np.arange(n) - np.flatnonzero(new)[group]
    progress(0.0)
    tree = search_tree(sorted_values[copy <= t])
    places = sorted_values[new]
    radii = np.empty(len(places))
    rows = max(1, _BATCH_SIZE // (t + 1))
    for start in range(0, len(places), rows):
        progress(start / len(places))
        distances, _ = tree.query(places[start : start + rows], k=[t + 1])  # the first is the point itself
        radii[start : start + rows] = np.asarray(distances)[:, 0]
    of_points = np.empty(n)
    of_points[order] = radii[group]
    return of_points


def cell_diameters(histogram: Histogram, points: ArrayLike) -> Floats:
    """Return Δ_x for each of `points`, (n, d): the diameter of its cell; NaN for omitted cells."""
    places = histogram.places(points)
    return np.where(places < 0, np.nan, histogram.diameters[np.maximum(places, 0)])


def diameter_bound(radii: ArrayLike, t: int, box: Box, max_depth: int = DEEPEST) -> Floats:
    """Bound E[Δ_x] for randomly shifted cubes by the 2t-radius of x: proven, with its constants.

    A cell of level l >= 1 (see `ShiftedCubes`) has sides of at most 2 s w, where s = 2^-(l + 1) and w are the
    sides of the box.  Its diameter is at most 2 s |w|.  A cell that holds x may stop at a level l <
    max_depth.  Then it misses one of the 2t - 1 nearest neighbours of x, which are within ρ.

    Planes of an axis with side w_k are s w_k apart with a random shift.  So one of them meets the ball around
    x, 2ρ wide, with probability at most 2ρ / (s w_k).  One lies between x and a given neighbour on some axis
    with probability at most ρ |1/w| / s.  (Planes near the faces are missing, which splits less.) Thus P[the
    cell stops at level l] <= M ρ / s, with

        M = min(2 sum_k 1/w_k, (2t - 1) |1/w|) ,

    and such a level adds at most 2 |w| M ρ to E[Δ_x].  From level K + 1 on all cells have diameters of at
    most 2 |w| 2^-(K + 2).  Hence for every K from 0 to max_depth - 1

        E[Δ_x] <= 2 |w| (K M ρ + 2^-(K + 2)) ,

    and the smallest of these is returned.  In the unit cube it is at most 2 min(2 d^1.5, (2t - 1) d) ρ max(1,
    log2(1 / (M ρ))), except for the limit by max_depth.  (`ShiftedCubes` rounds coordinates to 2^-30 of a
    side, which may move points apart by as much.)

    Chawla, Dwork, McSherry, Talwar 2005, Theorem 3.1, states 2 min(d^1.5, t d) ρ log(1/ρ) with the t-radius.
    That is wrong: around t points close together, and far from all others, cells stop at once.  Recursion
    needs 2t points, and the ball is 2ρ wide, not ρ.
    """
    values = np.asarray(radii, dtype=np.float64)
    width = box.width
    shrink = min(float(2 * (1 / width).sum()), (2 * t - 1) * float(np.linalg.norm(1 / width)))
    best = np.full(values.shape, 0.5)  # the whole box
    for levels in range(max_depth):
        np.minimum(best, levels * shrink * values + 2.0 ** -(levels + 2), out=best)
    return 2 * float(np.linalg.norm(width)) * best

"""Histograms as pictures show them, made in a worker."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.pages.base.projections import Axes
from app.plots.histogram.chart_view import LevelsView
from app.plots.histogram.polygons import polygons
from app.plots.histogram.view import PlottedCells, Shift
from engine.domain import Box, Interval
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.tree import Tree
from engine.histograms.voronoi import VoronoiHistogram
from engine.progress import Progress

MOST_PLANES = 48
"""Planes along an axis that can be told apart."""

TINY = 0.05
"""Share of each side of the bounds below which nearly all points are looked at closely at first."""

BESIDE, CLOSEST = 0.5, 1e-6
"""How far a close-up reaches beyond them: as a share of what they take; and at least, of the bounds."""

_FEW = 0.01  # of the points may lie beyond on each side

DRAWN_WHOLE = 2
"""In so many dimensions cells without points are drawn, too."""

Floats = NDArray[np.float64]


def coordinates(axes: Axes, dimension: int) -> tuple[int, ...]:
    """Return which coordinates are drawn: two different ones, where there are as many."""
    if dimension == 1:
        return (0,)
    across = min(axes.across, dimension - 1)
    up = min(axes.up, dimension - 1)
    return across, up if up != across else (across + 1) % dimension


def deepest(histogram: Histogram) -> int:
    """Return up to which level a histogram can be looked at; 0 for one whose cells were never cut."""
    return 0 if type(histogram).at_level is Histogram.at_level else histogram.deepest


def cells(histogram: Histogram, drawn: tuple[int, ...], box: Box, progress: Progress) -> PlottedCells:
    """Return the cells along coordinates, those without points too where all are drawn."""
    lower, upper, counts = histogram.lower, histogram.upper, histogram.counts
    if isinstance(histogram, Tree) and histogram.dimension <= DRAWN_WHOLE:
        empty = histogram.empty
        lower, upper = np.concatenate([lower, empty.lower]), np.concatenate([upper, empty.upper])
        counts = np.concatenate([counts, empty.counts])
    words = f"cell{'s' * (len(counts) != 1)}"
    outlines = polygons(histogram, box, progress) if drawn == (0, 1) else None
    if outlines is None:
        around = isinstance(histogram, EnclosingHistogram) and histogram.dimension > 1
        return PlottedCells.along(lower, upper, counts, drawn, "boxes around cells" if around else words)
    seen = np.array([len(corners) > 2 for corners in outlines])
    shown = tuple(corners for corners in outlines if len(corners) > 2)
    name = "Voronoi cells" if isinstance(histogram, VoronoiHistogram) else words
    return PlottedCells(lower[seen], upper[seen], counts[seen], name, shown)


def closeup(
    histogram: Histogram, drawn: tuple[int, ...], box: Box, near: bool | None
) -> tuple[Interval, ...] | None:
    """Return what lies around nearly all points along coordinates, as the cells tell it; None for all.

    Parameters
    ----------
    near : bool or None
        Whether to look closely; None: only if it is less than `TINY` of each side of the bounds.
    """
    held = np.clip(histogram.counts, 0.0, None)
    if near is False or not held.any():
        return None
    found = []
    for axis in drawn:
        side, low, high = box.sides[axis], histogram.lower[:, axis], histogram.upper[:, axis]
        start, end = _first(low, held, _FEW * held.sum()), -_first(-high, held, _FEW * held.sum())
        if near is None and end - start >= TINY * side.width:
            return None
        reach = max((0.5 + BESIDE) * (end - start), CLOSEST * side.width)
        middle = start + (end - start) / 2
        found.append(Interval(max(side.lower, middle - reach), min(side.upper, middle + reach)))
    return tuple(found)


def _first(places: Floats, weights: Floats, share: float) -> float:
    """Return the first place up to which there is more than a share of the weights."""
    order = np.argsort(places)
    place = int(np.searchsorted(np.cumsum(weights[order]), share, side="right"))
    return float(places[order][min(place, len(order) - 1)])


def shift(histogram: Histogram, drawn: tuple[int, ...], level: int, before: bool) -> Shift | None:
    """Return where the cubes were shifted to, and the planes of a level, unless there are too many."""
    scheme = getattr(histogram, "scheme", None)
    if not isinstance(scheme, ShiftedCubes):
        return None
    middle = np.array([scheme.placed(scheme.shifts[axis], axis) for axis in drawn], dtype=np.float64)
    width = scheme.box.width[list(drawn)]
    kept, dropped = [], []
    for axis in drawn:
        few = max(scheme.parts(level)) <= MOST_PLANES
        left = scheme.planes(level, axis)[1:-1] if few else np.empty(0)
        first = scheme.disbanded(level, axis)[1:-1] if few else np.empty(0)
        kept.append(left)
        dropped.append(first[~np.isin(first, left)])
    return Shift(middle - width, middle + width, middle, tuple(kept), tuple(dropped), before)


def levels(histogram: Histogram, unit: str) -> LevelsView:
    """Return what there is of each level, in numbers."""
    depth = np.arange(histogram.deepest + 1)
    held = np.bincount(histogram.level, minlength=len(depth)).astype(np.int64)
    cut = np.zeros(len(depth), dtype=np.int64)
    if isinstance(histogram, Tree):
        # levels that were counted before it was known that no cell is so small hold none
        cut[:] = [np.count_nonzero(level.cut) for level in histogram.levels[: len(depth)]]
    elif isinstance(histogram, VoronoiHistogram):
        cuts = histogram.tree.level[list(histogram.tree.cuts)]
        cut[:] = np.bincount(cuts, minlength=len(depth))[: len(depth)]
    points = np.bincount(histogram.level, histogram.counts, len(depth)).astype(np.float64)
    largest = np.zeros(len(depth))
    np.maximum.at(largest, histogram.level, histogram.diameters)
    if isinstance(histogram, Tree):  # those that were cut, too
        for number, level in enumerate(histogram.levels[: len(depth)]):
            lower, upper = histogram.scheme.bounds(level.index, number)
            largest[number] = np.sqrt(((upper - lower) ** 2).sum(axis=1).max(initial=0.0))
    return LevelsView(depth, held + cut, cut, points, largest, unit)

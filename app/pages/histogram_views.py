"""Histograms as pictures show them, made in a worker."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from app.pages.projections import Axes
from app.plots.histogram_view import Cells, Shift
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.grown import Tree
from engine.histograms.histogram import Histogram

MOST_PLANES = 48
"""Planes along an axis that can be told apart."""

DRAWN_WHOLE = 2
"""In so many dimensions cells without points are drawn, too."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class LevelRow:
    """One level of a histogram in numbers."""

    level: int
    cells: int
    cut: int
    points: float
    diameter: float


def coordinates(axes: Axes, dimension: int) -> tuple[int, ...]:
    """Return which coordinates are drawn: two different ones, where there are as many."""
    if dimension == 1:
        return (0,)
    across = min(axes.across, dimension - 1)
    up = min(axes.up, dimension - 1)
    return across, up if up != across else (across + 1) % dimension


def cells(histogram: Histogram, drawn: tuple[int, ...], level: int | None = None) -> Cells:
    """Return the cells along coordinates, those without points too where all are drawn."""
    shown = histogram if level is None else histogram.at_level(level)
    lower, upper, counts = shown.lower, shown.upper, shown.counts
    if isinstance(shown, Tree) and shown.dimension <= DRAWN_WHOLE:
        empty = shown.empty
        lower, upper = np.concatenate([lower, empty.lower]), np.concatenate([upper, empty.upper])
        counts = np.concatenate([counts, empty.counts])
    cut = "" if level is None else f", cut at most {level} time{'s' * (level != 1)}"
    return Cells.along(lower, upper, counts, drawn, f"cell{'s' * (len(counts) != 1)}{cut}")


def shift(histogram: Histogram, drawn: tuple[int, ...], level: int, before: bool) -> Shift | None:
    """Return where the cubes were shifted to, and the planes of a level, unless there are too many."""
    scheme = getattr(histogram, "scheme", None)
    if not isinstance(scheme, ShiftedCubes):
        return None
    box = scheme.box
    middle = np.array([scheme.placed(scheme.shifts[axis], axis) for axis in drawn], dtype=np.float64)
    width = np.array([box.width[axis] for axis in drawn])
    kept, dropped = [], []
    for axis in drawn:
        few = max(scheme.parts(level)) <= MOST_PLANES
        left = scheme.planes(level, axis)[1:-1] if few else np.empty(0)
        drawn_first = scheme.disbanded(level, axis)[1:-1] if few else np.empty(0)
        kept.append(left)
        dropped.append(drawn_first[~np.isin(drawn_first, left)])
    return Shift(middle - width, middle + width, middle, tuple(kept), tuple(dropped), before)


def level_rows(histogram: Histogram) -> tuple[LevelRow, ...]:
    """Return what there is of each level, in numbers."""
    rows = []
    for level in range(histogram.deepest + 1):
        here = histogram.level == level
        cut = 0
        if isinstance(histogram, Tree):
            cut = int(np.count_nonzero(histogram.levels[level].cut))
        held = int(np.count_nonzero(here))
        largest = float(histogram.diameters[here].max(initial=0.0))
        rows.append(LevelRow(level, held + cut, cut, float(histogram.counts[here].sum()), largest))
    return tuple(rows)

"""What pictures of histograms in the space of the data show: cells, the shift, records."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from app.plots.elements.floats import Floats
from app.plots.histogram.cell_geometry import area, spread
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval

MOST_RECORDS = 2_000
"""Largest number of records that are drawn on cells, so that these are still seen."""

_SEED = 0  # public and fixed: which records are drawn says nothing


def some_records(values: ArrayLike, window: Sequence[Interval]) -> Records:
    """Look at values, shape (n, a), as dots: all of them, or `MOST_RECORDS` that depend on n alone.

    A density, as in pictures without cells, could not be told from the shades of the cells.
    """
    points = np.asarray(values, dtype=np.float64)
    n = len(points)
    if n > MOST_RECORDS:
        points = points[np.sort(np.random.default_rng(_SEED).choice(n, MOST_RECORDS, replace=False))]
    return Records(n, points, None, tuple(window))


@dataclasses.dataclass(frozen=True, eq=False)
class PlottedCells:
    """Cells along a = 1 or 2 directions, with counts.

    Attributes
    ----------
    lower, upper : ndarray, shape (m, a)
        Boxes around the cells.
    counts : ndarray, shape (m,)
        How many points each holds; with noise they may be broken or negative.
    words : str
        What cells they are: "cubes of level 3", "Voronoi cells".
    polygons : tuple of m ndarrays, shape (v, 2), or None
        Corners of cells that are no boxes, in order around each.
    spread : bool
        Whether these are not the cells themselves, but a grid over which the counts of cells of
        more dimensions are spread evenly.
    """

    lower: Floats
    upper: Floats
    counts: Floats
    words: str = "cells"
    polygons: tuple[Floats, ...] | None = None
    spread: bool = False

    @classmethod
    def along(
        cls, lower: ArrayLike, upper: ArrayLike, counts: ArrayLike, axes: Sequence[int], words: str = "cells"
    ) -> PlottedCells:
        """Look at boxes, shape (m, d), along one or two of d axes.

        Cells that lie behind each other are one cell with the counts of all.  Where they overlap
        but in part, each count is spread evenly over its cell, on a grid of the planes at which
        cells end, or of equal parts where there are too many.
        """
        low, high = (np.asarray(side, dtype=np.float64)[:, list(axes)] for side in (lower, upper))
        held = np.asarray(counts, dtype=np.float64)
        if np.asarray(lower).shape[1] == len(axes) or not held.size:
            return cls(low, high, held, words)
        boxes, place = np.unique(np.hstack([low, high]), axis=0, return_inverse=True)
        held = np.bincount(place.ravel(), held, minlength=len(boxes)).astype(np.float64)
        low, high = boxes[:, : len(axes)], boxes[:, len(axes) :]
        whole = float(np.prod(high.max(axis=0) - low.min(axis=0)))
        if np.isclose(np.prod(high - low, axis=1).sum(), whole, rtol=1e-9):
            return cls(low, high, held, words)
        return cls(*spread(low, high, held), words, spread=True)

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return bool(self.lower.shape[1] == 1)

    @property
    def sizes(self) -> Floats:
        """Areas of the cells, or lengths along one direction, shape (m,)."""
        if self.polygons is None or self.flat:
            sides: Floats = np.prod(self.upper - self.lower, axis=1)
            return sides
        return np.array([area(corners) for corners in self.polygons])

    @property
    def centers(self) -> Floats:
        """Middles of the cells: of polygons the mean of the corners, shape (m, a)."""
        if self.polygons is None or self.flat:
            return (self.lower + self.upper) / 2
        return np.array([corners.mean(axis=0) for corners in self.polygons]).reshape(-1, 2)


@dataclasses.dataclass(frozen=True, eq=False)
class Shift:
    """The random shift and its planes at one level along a = 1 or 2 directions (public: it is drawn).

    Attributes
    ----------
    lower, upper : ndarray, shape (a,)
        Corners of the inflated cube, which reaches beyond the bounds.
    middle : ndarray, shape (a,)
        The place u that was drawn: the middle of the inflated cube.
    kept, dropped : tuple of a ndarrays
        Planes of each direction inside the bounds that cut cells, and those that are dropped, so
        that the cells along the perimeter belong to their neighbours.
    before : bool
        Whether the grid is shown as it was before planes were dropped; the cells along the
        perimeter are then hatched.  Else only what is left of it.
    """

    lower: Floats
    upper: Floats
    middle: Floats
    kept: tuple[Floats, ...]
    dropped: tuple[Floats, ...]
    before: bool = True


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramView:
    """Cells of one level; None is not drawn.

    `records` are private.  `cells` and `shift` are what a histogram releases: they are private
    unless they were `released`.

    Attributes
    ----------
    directions : tuple of Direction
        One or two; a of them below.
    window : tuple of Interval
        What is in view along each of them.
    cells : PlottedCells
    records : Records or None
        The data.
    shift : Shift or None
    chosen : int or None
        Place of the cell that is picked out; its count is said in words.
    per_area : bool
        Whether cells are shaded by count per area (bars: per length), else by count.
    numbers : bool
        Whether counts are written in the cells that have room.
    released : bool
        Whether the cells have been released.
    caption : str
        What is said below a saved picture: of exact counts, that they are not differentially private.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    cells: PlottedCells
    records: Records | None = None
    shift: Shift | None = None
    chosen: int | None = None
    per_area: bool = True
    numbers: bool = True
    released: bool = False
    caption: str = ""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own: nothing, as bars and records share the height."""
        return ()

    @property
    def is_closeup(self) -> bool:
        """Whether only a part of the bounds is in view."""
        sides = (direction.side for direction in self.directions)
        return any(seen.width < side.width for seen, side in zip(self.window, sides, strict=True))

    def around(self) -> tuple[Interval, ...]:
        """Return a window that holds the inflated cube, too; the bounds where there is none."""
        if self.shift is None:
            return tuple(direction.side for direction in self.directions)
        ends = zip(self.directions, self.shift.lower.tolist(), self.shift.upper.tolist(), strict=True)
        return tuple(Interval(min(d.side.lower, low), max(d.side.upper, high)) for d, low, high in ends)

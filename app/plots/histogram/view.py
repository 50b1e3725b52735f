"""What pictures of histograms in the space of the data show: cells, the shift, records."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.histogram_cells import CellsAlong
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.analysis.shift_planes import ShiftPlanes
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
    cells : CellsAlong
    records : Records or None
        The data.
    shift : ShiftPlanes or None
    before : bool
        Whether the grid is shown as it was before planes were dropped; the cells along the
        perimeter are then hatched.  Else only what is left of it.
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
    cells: CellsAlong
    records: Records | None = None
    shift: ShiftPlanes | None = None
    before: bool = False
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

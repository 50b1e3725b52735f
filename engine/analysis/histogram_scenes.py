"""What pictures of histograms in the space of the data show: cells, trees, a query point."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.histogram_cells import CellsAlong
from engine.analysis.isolation_test import IsolationTest
from engine.analysis.shared.built_on_cells import FacilitiesAlong, HistogramTrees, MatchingAlong
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.analysis.shift_planes import ShiftPlanes
from engine.array_types import Floats
from engine.domain import Interval
from engine.findings import Finding
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MappedHistogram(ShownInALine):
    """What all maps of a histogram have; None is not drawn.

    What `map_cells`, `map_trees` and `map_query` return are such maps.

    `records` are private.  All else follows from the histogram, and is private unless it was
    `released`.

    Attributes
    ----------
    directions : tuple of Direction
        One or two; a of them in the maps.
    window : tuple of Interval
        What is in view along each of them.
    cells : CellsAlong
    records : Records or None
        The data.
    mechanism : HistogramMechanism or None
        What made the histogram.
    released : bool
        Whether it has been released.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    cells: CellsAlong
    records: Records | None = None
    mechanism: HistogramMechanism | None = None
    released: bool = False

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own where there is one direction, the first one highest."""
        return ()

    @property
    def is_closeup(self) -> bool:
        """Whether only a part of the bounds is in view."""
        sides = (direction.side for direction in self.directions)
        return any(seen.width < side.width for seen, side in zip(self.window, sides, strict=True))


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CellMap(MappedHistogram):
    """Cells of one level, from `map_cells`.

    Attributes
    ----------
    deepest : int
        Up to which level the histogram can be looked at.
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
    """

    deepest: int = 0
    shift: ShiftPlanes | None = None
    before: bool = False
    chosen: int | None = None
    per_area: bool = True
    numbers: bool = True

    def findings(self) -> Iterator[Finding]:
        """Yield how many cells there are, and how many points each holds."""
        yield Finding("cells", len(self.cells.counts), public=self.released)
        yield Finding("points in each cell", self.cells.counts, public=self.released)

    def around(self) -> tuple[Interval, ...]:
        """Return a window that holds the inflated cube, too; the bounds where there is none."""
        if self.shift is None:
            return tuple(direction.side for direction in self.directions)
        ends = zip(self.directions, self.shift.lower.tolist(), self.shift.upper.tolist(), strict=True)
        return tuple(Interval(min(d.side.lower, low), max(d.side.upper, high)) for d, low, high in ends)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TreeMap(MappedHistogram):
    """The tree or the facilities on cells, and the true ones (private) beside them, from `map_trees`.

    Attributes
    ----------
    trees : HistogramTrees
    """

    trees: HistogramTrees

    def findings(self) -> Iterator[Finding]:
        """Yield what the tree or the facilities cost, and what the true ones do."""
        tree, truth = self.trees.tree, self.trees.truth
        if isinstance(tree, FacilitiesAlong):
            yield Finding("facilities, on cells", len(tree.open), public=self.released)
            yield Finding("their cost, on cells", tree.cost, public=self.released)
            if tree.in_truth is not None:
                yield Finding("their cost for the records", tree.in_truth)
            true_name = "cost of facilities that know the records"
        else:
            built = "matching" if isinstance(tree, MatchingAlong) else "tree"
            yield Finding(f"cost of the {built} on cells", tree.cost, public=self.released)
            if isinstance(tree, MatchingAlong):
                yield Finding("no matching costs less than", tree.lower, public=self.released)
            if self.trees.resampled is not None:
                name = f"cost of a {built} of points drawn from the cells"
                yield Finding(name, self.trees.resampled, public=self.released)
            true_name = f"cost of the true {built}"
        if truth is not None:
            yield Finding(true_name, truth.cost)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class QueryMap(MappedHistogram):
    """A query point on the cells, and whether it isolates a record, from `map_query`.

    Attributes
    ----------
    query : ndarray, shape (d,)
        q.
    c : float
        How many times δ the larger ball reaches.
    t : int
        So many records within it protect each other.
    axes : tuple of int
        The coordinates that are drawn: where there are more, balls are larger than they look full.
    verdict : IsolationTest or None
        (private)
    aimed : bool
        False where the attack that guessed found nothing to aim at; see `IsolationGuess`.
    """

    query: Floats
    c: float
    t: int
    axes: tuple[int, ...] = (0, 1)
    verdict: IsolationTest | None = None
    aimed: bool = True

    def findings(self) -> Iterator[Finding]:
        """Yield what the test of isolation says, where the records are known."""
        if self.verdict is not None:
            yield Finding("distance of the nearest record", self.verdict.distance)
            yield Finding("records within c times that", self.verdict.within)
            yield Finding("does the guess isolate a record?", self.verdict.isolates)

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("records",) * (self.records is not None) + ("cells", "query")

    @property
    def place(self) -> Floats:
        """Where q is along the directions, shape (a,)."""
        return self.query[list(self.axes)]

    @property
    def nearest(self) -> Floats | None:
        """The nearest record, shape (a,) (private)."""
        return None if self.verdict is None else self.verdict.nearest[list(self.axes)]

    def moved(self, x: float, y: float) -> Floats:
        """Return the place of q when it is dragged to a place of the axes, within the bounds."""
        return self._inside(np.array([x, y])[: len(self.directions)])

    def stepped(self, right: int, up: int) -> Floats:
        """Return the place of q after arrow keys, each a hundredth of what is in view, within the bounds."""
        widths = np.array([side.width for side in self.window])
        return self._inside(self.place + np.array([right, up])[: len(widths)] * widths / 100)

    def _inside(self, place: Floats) -> Floats:
        sides = [direction.side for direction in self.directions]
        inside: Floats = np.clip(place, [side.lower for side in sides], [side.upper for side in sides])
        return inside

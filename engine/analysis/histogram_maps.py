"""Maps of histograms: cells, trees, a query box, and the planes of a random shift."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from engine.analysis.histogram_contents import CellsAlong, deepest_level, histogram_cells
from engine.analysis.histogram_structures import (
    FacilitiesAlong,
    HistogramTrees,
    MatchingAlong,
    histogram_facilities,
    histogram_matching,
    histogram_trees,
)
from engine.analysis.isolation_attacks import (
    IsolationTest,
    isolation_guess,
    isolation_test,
    isolation_threshold,
)
from engine.analysis.shared.projections import Direction, SpaceScene
from engine.analysis.shared.records import Records
from engine.analysis.shared.shown_histograms import show_histogram
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.findings import Finding
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.histogram import Histogram
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished

CLOSEUP_BELOW_SHARE = 0.05
"""If nearly all points take a smaller share of each side, the view is a close-up by default."""

CLOSEUP_MARGIN, MIN_CLOSEUP_SHARE = 0.25, 1e-6
"""Margin of a close-up: as a share of its content, and the minimum extent as a share of the bounds."""

# share of the points that may lie outside on each side: of a close-up by default, and of a chosen one
TAIL_SHARE, CHOSEN_TAIL_SHARE = 0.01, 0.05


def closeup(
    histogram: Histogram, box: Box, *, axes: Sequence[int] = (0, 1), near: bool | None = None
) -> tuple[Interval, ...] | None:
    """Return a window around most points, estimated from the cells; None for everything."""
    held = np.clip(histogram.counts, 0.0, None)
    tail = (CHOSEN_TAIL_SHARE if near else TAIL_SHARE) * held.sum()
    if near is False or not held.any():
        return None
    results = []
    for axis in axes:
        side, low, high = box.sides[axis], histogram.lower[:, axis], histogram.upper[:, axis]
        start, end = _first(low, held, tail), -_first(-high, held, tail)
        if near is None and end - start >= CLOSEUP_BELOW_SHARE * side.width:
            return None
        reach = max((0.5 + CLOSEUP_MARGIN) * (end - start), MIN_CLOSEUP_SHARE * side.width)
        middle = start + (end - start) / 2
        results.append(Interval(max(side.lower, middle - reach), min(side.upper, middle + reach)))
    return tuple(results)


def _first(places: Floats, weights: Floats, share: float) -> float:
    """Return the first position where the cumulative weight exceeds a share."""
    order = np.argsort(places)
    index = int(np.searchsorted(np.cumsum(weights[order]), share, side="right"))
    return float(places[order][min(index, len(order) - 1)])


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MappedHistogram(SpaceScene):
    """Base of all maps of a histogram; None is not drawn.

    Base of the results of `map_cells`, `map_trees` and `map_query`.

    `records` are private.  All else is computed from the histogram, and is private unless the histogram was
    `released`.
    """

    directions: tuple[Direction, ...]  # one or two; a is their number in the maps
    window: tuple[Interval, ...]  # visible range along each direction
    cells: CellsAlong
    records: Records | None = None  # the data
    mechanism: HistogramMechanism | None = None  # the mechanism of the histogram
    released: bool = False  # whether it has been released

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of elements with their own lane in one dimension, from the top."""
        return ()


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CellMap(MappedHistogram):
    """Cells of one level, from `map_cells`."""

    deepest: int = 0  # deepest level that can be shown
    shift: ShiftPlanes | None = None
    # Whether the grid includes the dropped planes; the cells along the perimeter are then hatched.  Otherwise
    # only the remaining planes are drawn.
    before: bool = False
    chosen: int | None = None  # index of the selected cell, whose count is displayed as text
    # whether color shows the count per area instead of the count; bars of different widths: per length
    per_area: bool = True
    intervals: Floats | None = None  # shape (m, 2); public 95 % intervals of the true counts of bars
    numbers: bool = True  # whether counts are written into cells that are large enough
    half_width: float | None = None  # of 95 % intervals of the noise of each count (public); None: no noise

    def findings(self) -> Iterator[Finding]:
        """Yield the number of cells, and the points in each."""
        yield Finding("cells", len(self.cells.counts), public=self.released)
        yield Finding("points in each cell", self.cells.counts, public=self.released)

    def around(self) -> tuple[Interval, ...]:
        """Return a window that includes the inflated cube; the bounds without one."""
        if self.shift is None:
            return tuple(direction.side for direction in self.directions)
        ends = zip(self.directions, self.shift.lower.tolist(), self.shift.upper.tolist(), strict=True)
        return tuple(Interval(min(d.side.lower, low), max(d.side.upper, high)) for d, low, high in ends)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TreeMap(MappedHistogram):
    """The tree or the facilities on cells, and the true ones (private), from `map_trees`."""

    trees: HistogramTrees

    def findings(self) -> Iterator[Finding]:
        """Yield the costs of the tree or the facilities, and of the true ones."""
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
                yield Finding("lower bound on the cost of a matching", tree.lower, public=self.released)
            if self.trees.resampled is not None:
                name = f"cost of a {built} of points drawn from the cells"
                yield Finding(name, self.trees.resampled.cost, public=self.released)
            true_name = f"cost of the true {built}"
        if truth is not None:
            yield Finding(true_name, truth.cost)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class QueryMap(MappedHistogram):
    """A query point on the cells, and whether it isolates a record, from `map_query`."""

    query: Floats  # shape (d,); q
    c: float  # radius of the larger ball, in multiples of δ
    t: int  # this many records within it protect each other
    # the coordinates drawn; balls extend in more of them and look emptier than they are
    axes: tuple[int, ...] = (0, 1)
    verdict: IsolationTest | None = None  # (private)
    aimed: bool = True  # False if the attack found no target; see `IsolationGuess`

    def findings(self) -> Iterator[Finding]:
        """Yield the results of the isolation test, if the records are known."""
        if self.verdict is not None:
            yield Finding("distance of the nearest record", self.verdict.distance)
            yield Finding("records within c times that", len(self.verdict.within))
            yield Finding("does the guess isolate a record?", self.verdict.isolates)

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("records",) * (self.records is not None) + ("cells", "query")

    @property
    def position(self) -> Floats:
        """Position of q along the directions, shape (a,)."""
        return self.query[list(self.axes)]

    @property
    def nearest(self) -> Floats | None:
        """The nearest record, shape (a,) (private)."""
        return None if self.verdict is None else self.verdict.nearest[list(self.axes)]

    def moved(self, x: float, y: float) -> Floats:
        """Return q moved to a position on the axes, within the bounds."""
        return self._inside(np.array([x, y])[: len(self.directions)])

    def stepped(self, right: int, up: int) -> Floats:
        """Return q moved by arrow keys, a hundredth of the view each, within the bounds."""
        widths = np.array([side.width for side in self.window])
        return self._inside(self.position + np.array([right, up])[: len(widths)] * widths / 100)

    def _inside(self, position: Floats) -> Floats:
        sides = [direction.side for direction in self.directions]
        inside: Floats = np.clip(position, [side.lower for side in sides], [side.upper for side in sides])
        return inside


def map_cells(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    level: int | None = None,
    closely: bool | None = None,
    grid: str = "cells",
    per_area: bool = True,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CellMap:
    """Return the cells of one level of a histogram."""
    privacy = as_privacy(privacy)
    made, rest = part(progress, 0.0, 0.4), part(progress, 0.4, 1.0)
    shown = show_histogram(
        mechanism,
        data,
        privacy,
        axes=(across, up),
        seed=seed,
        released=released,
        records=records,
        progress=made,
    )
    histogram, axes, box = shown.histogram, shown.axes, shown.box
    last = deepest_level(histogram)
    level = level if level is not None and level < last else None
    zoom = closeup(histogram, box, axes=axes, near=closely)
    seen = dataclasses.replace(shown.projection, zoom=zoom)
    cells = histogram_cells(histogram, box, axes=axes, level=level, progress=rest)
    flat, spent = len(seen.directions) == 1, privacy if released is None else released.privacy
    as_released = level is None and len(cells.counts) == histogram.size  # not if empty cells are drawn, too
    result = CellMap(
        directions=seen.directions,
        window=seen.window,
        cells=cells,
        intervals=histogram.intervals if flat and as_released else None,
        half_width=shown.mechanism.half_width(box, spent) if as_released else None,
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        deepest=last,
        per_area=per_area and not (flat and np.allclose(cells.sizes, cells.sizes[:1])),
    )
    if grid == "cells" or not isinstance(shown.mechanism, ShiftedHistogram):
        return result
    planes = shift_planes(histogram, axes=axes, level=last if level is None else level)
    result = dataclasses.replace(result, shift=planes, before=grid == "before")
    return result if zoom is not None else dataclasses.replace(result, window=result.around())


def map_trees(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    price: float | None = None,
    matching: bool = False,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
    publish: Publish[TreeMap] = unpublished,
) -> TreeMap:
    """Return the tree, facilities or matching on the cells of a histogram, and the true ones."""
    privacy = as_privacy(privacy)
    made = part(progress, 0.0, 0.4)
    shown = show_histogram(
        mechanism,
        data,
        privacy,
        axes=(across, up),
        seed=seed,
        released=released,
        records=records,
        progress=made,
    )
    seen = shown.projection
    behind, dots = shown.behind(part(progress, 0.4, 0.5)), shown.records(seen)

    def mapped(trees: HistogramTrees) -> TreeMap:
        return TreeMap(
            directions=seen.directions,
            window=seen.window,
            cells=behind,
            records=dots,
            mechanism=shown.mechanism,
            released=shown.released,
            trees=trees,
        )

    def publish_trees(trees: HistogramTrees) -> None:
        publish(mapped(trees))

    rest = part(progress, 0.5, 1.0)
    if matching or price is None:
        build = histogram_matching if matching else histogram_trees
        result = build(
            shown.histogram,
            shown.data,
            axes=shown.axes,
            seed=seed,
            progress=rest,
            publish=publish_trees,
        )
    else:
        result = histogram_facilities(
            shown.histogram,
            shown.data,
            price=price,
            axes=shown.axes,
            progress=rest,
            publish=publish_trees,
        )
    return mapped(result)


QUERY_VIEW_SHARE, QUERY_VIEW_RADII, MIN_QUERY_VIEW_SHARE = 0.1, 1.5, 1e-6
"""Extent of a close-up: as a share of the bounds without data, in multiples of c δ with them, and the
minimum.
"""


def map_query(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    query: Sequence[float] | Floats | None = None,
    attack: str | None = None,
    attack_seed: int = 1,
    moved: Sequence[float] = (),
    c: float = 4.0,
    near: bool = False,
    window: tuple[Interval, ...] | None = None,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> QueryMap:
    """Return a query point among the cells of a histogram, and whether it isolates a record."""
    privacy = as_privacy(privacy)
    made, rest = part(progress, 0.0, 0.4), part(progress, 0.4, 1.0)
    shown = show_histogram(
        mechanism,
        data,
        privacy,
        axes=(across, up),
        seed=seed,
        released=released,
        records=records,
        progress=made,
    )
    axes, box, t = list(shown.axes), shown.box, isolation_threshold(shown.mechanism)
    position, aimed = np.asarray(query, dtype=np.float64), True
    if attack is not None or query is None:
        guess = isolation_guess(shown.histogram, box, attack=attack, seed=attack_seed)
        position, aimed = guess.query, guess.aimed
    if any(moved):
        position = np.clip(position + np.asarray(moved), box.lower, box.upper)
    verdict, reach = None, QUERY_VIEW_SHARE * box.width
    if shown.data is not None:
        verdict = isolation_test(shown.data, position, c=c, t=t)
        reach = np.clip(QUERY_VIEW_RADII * c * verdict.distance, MIN_QUERY_VIEW_SHARE * box.width, None)
    seen = shown.projection
    if near and window is None:
        ends = zip(position[axes] - reach[axes], position[axes] + reach[axes], strict=True)
        window = tuple(Interval(float(low), float(high)) for low, high in ends)
    if near:
        seen = dataclasses.replace(seen, zoom=window)
    return QueryMap(
        directions=seen.directions,
        window=seen.window,
        cells=shown.behind(rest),
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        query=position,
        c=c,
        t=t,
        axes=shown.axes,
        verdict=verdict,
        aimed=aimed,
    )


MAX_PLANES = 48
"""Largest number of distinguishable planes along an axis."""


@dataclasses.dataclass(frozen=True, eq=False)
class ShiftPlanes:
    """The random shift and its planes at one level along a = 1 or 2 coordinates (public: random).

    Returned by `shift_planes`.
    """

    lower: Floats  # shape (a,); corners of the inflated cube, which extends beyond the bounds
    upper: Floats
    middle: Floats  # shape (a,); the random position u: center of the inflated cube
    # Planes of each coordinate inside the bounds that cut cells, and the dropped ones, whose cells along the
    # perimeter join their neighbours
    kept: tuple[Floats, ...]
    dropped: tuple[Floats, ...]


def shift_planes(histogram: Histogram, *, axes: Sequence[int] = (0, 1), level: int) -> ShiftPlanes | None:
    """Return the position of shifted cubes and the planes of a level; None with too many planes.

    None for histograms without shifted cubes.
    """
    scheme = getattr(histogram, "scheme", None)
    if not isinstance(scheme, ShiftedCubes):
        return None
    middle = np.array([scheme.to_coordinates(scheme.shifts[axis], axis) for axis in axes], dtype=np.float64)
    width = scheme.box.width[list(axes)]
    kept, dropped = [], []
    for axis in axes:
        few = max(scheme.parts(level)) <= MAX_PLANES
        left = scheme.planes(level, axis)[1:-1] if few else np.empty(0)
        first = scheme.all_planes(level, axis)[1:-1] if few else np.empty(0)
        kept.append(left)
        dropped.append(first[~np.isin(first, left)])
    return ShiftPlanes(middle - width, middle + width, middle, tuple(kept), tuple(dropped))

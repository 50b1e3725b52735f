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
from engine.analysis.shared.projections import Direction
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
from engine.shown import ShownInALine

TINY = 0.05
"""Share of each side of the bounds below which nearly all points are looked at closely at first."""

BESIDE, CLOSEST = 0.5, 1e-6
"""How far a close-up reaches beyond them: as a share of what they take; and at least, of the bounds."""

TAIL_SHARE = 0.01  # of the points may lie beyond on each side


def closeup(
    histogram: Histogram, box: Box, *, axes: Sequence[int] = (0, 1), near: bool | None = None
) -> tuple[Interval, ...] | None:
    """Return what lies around nearly all points along coordinates, as the cells tell it; None for all."""
    held = np.clip(histogram.counts, 0.0, None)
    if near is False or not held.any():
        return None
    results = []
    for axis in axes:
        side, low, high = box.sides[axis], histogram.lower[:, axis], histogram.upper[:, axis]
        start, end = _first(low, held, TAIL_SHARE * held.sum()), -_first(-high, held, TAIL_SHARE * held.sum())
        if near is None and end - start >= TINY * side.width:
            return None
        reach = max((0.5 + BESIDE) * (end - start), CLOSEST * side.width)
        middle = start + (end - start) / 2
        results.append(Interval(max(side.lower, middle - reach), min(side.upper, middle + reach)))
    return tuple(results)


def _first(places: Floats, weights: Floats, share: float) -> float:
    """Return the first place up to which there is more than a share of the weights."""
    order = np.argsort(places)
    index = int(np.searchsorted(np.cumsum(weights[order]), share, side="right"))
    return float(places[order][min(index, len(order) - 1)])


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MappedHistogram(ShownInALine):
    """What all maps of a histogram have; None is not drawn.

    What `map_cells`, `map_trees` and `map_query` return are such maps.

    `records` are private.  All else follows from the histogram, and is private unless it was
    `released`.
    """

    directions: tuple[Direction, ...]  # One or two; a of them in the maps
    window: tuple[Interval, ...]  # What is in view along each of them
    cells: CellsAlong
    records: Records | None = None  # The data
    mechanism: HistogramMechanism | None = None  # What made the histogram
    released: bool = False  # Whether it has been released

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
    """Cells of one level, from `map_cells`."""

    deepest: int = 0  # Up to which level the histogram can be looked at
    shift: ShiftPlanes | None = None
    # Whether the grid is shown as it was before planes were dropped; the cells along the perimeter are then
    # hatched.  Else only what is left of it.
    before: bool = False
    chosen: int | None = None  # Place of the cell that is picked out; its count is said in words
    per_area: bool = True  # Whether cells are shaded by count per area (bars: per length), else by count
    numbers: bool = True  # Whether counts are written in the cells that have room

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
    """The tree or the facilities on cells, and the true ones (private) beside them, from `map_trees`."""

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
    """A query point on the cells, and whether it isolates a record, from `map_query`."""

    query: Floats  # shape (d,); q
    c: float  # How many times δ the larger ball reaches
    t: int  # So many records within it protect each other
    # The coordinates that are drawn: where there are more, balls are larger than they look full
    axes: tuple[int, ...] = (0, 1)
    verdict: IsolationTest | None = None  # (private)
    aimed: bool = True  # False where the attack that guessed found nothing to aim at; see `IsolationGuess`

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
    def position(self) -> Floats:
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
        return self._inside(self.position + np.array([right, up])[: len(widths)] * widths / 100)

    def _inside(self, position: Floats) -> Floats:
        sides = [direction.side for direction in self.directions]
        inside: Floats = np.clip(position, [side.lower for side in sides], [side.upper for side in sides])
        return inside


GRIDS = ("cells", "after", "before")
"""Of shifted cubes: the cells alone, with the planes that are left, or with those that are dropped."""


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
    result = CellMap(
        directions=seen.directions,
        window=seen.window,
        cells=histogram_cells(histogram, box, axes=axes, level=level, progress=rest),
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        deepest=last,
        per_area=per_area,
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
    """Return the tree on the cells of a histogram and the true one, or facilities, or a matching."""
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


AROUND, BEYOND, CLOSEST_VIEW = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""


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
    verdict, reach = None, AROUND * box.width
    if shown.data is not None:
        verdict = isolation_test(shown.data, position, c=c, t=t)
        reach = np.clip(BEYOND * c * verdict.distance, CLOSEST_VIEW * box.width, None)
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
"""Planes along an axis that can be told apart."""


@dataclasses.dataclass(frozen=True, eq=False)
class ShiftPlanes:
    """The random shift and its planes at one level along a = 1 or 2 coordinates (public: it is drawn).

    Returned by `shift_planes`.
    """

    lower: Floats  # shape (a,); Corners of the inflated cube, which reaches beyond the bounds
    upper: Floats
    middle: Floats  # shape (a,); The place u that was drawn: the middle of the inflated cube
    # Planes of each coordinate inside the bounds that cut cells, and those that are dropped, so that the
    # cells along the perimeter belong to their neighbours
    kept: tuple[Floats, ...]
    dropped: tuple[Floats, ...]


def shift_planes(histogram: Histogram, *, axes: Sequence[int] = (0, 1), level: int) -> ShiftPlanes | None:
    """Return where the cubes were shifted to, and the planes of a level, unless there are too many.

    None for histograms that are not made of shifted cubes.
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

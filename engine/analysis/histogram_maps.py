"""Histograms in the space of the data: cells, what is built on them, and a query point among them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.analysis.attack_sweep import isolation_threshold
from engine.analysis.closeups import closeup
from engine.analysis.histogram_cells import histogram_cells
from engine.analysis.histogram_levels import deepest_level
from engine.analysis.histogram_scenes import CellMap, QueryMap, TreeMap
from engine.analysis.histogram_trees import HistogramTrees, histogram_facilities, histogram_trees
from engine.analysis.isolation_test import isolation_guess, isolation_test
from engine.analysis.shared.shown_histograms import ShownHistogram
from engine.analysis.shift_planes import shift_planes
from engine.domain import Interval
from engine.progress import Progress, Publish, part, silent, unpublished

GRIDS = ("cells", "after", "before")
"""Of shifted cubes: the cells alone, with the planes that are left, or with those that are dropped."""

AROUND, BEYOND, CLOSEST = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""

_Floats = NDArray[np.float64]


def map_cells(
    shown: ShownHistogram,
    *,
    level: int | None = None,
    closely: bool | None = None,
    grid: str = "cells",
    per_area: bool = True,
    progress: Progress = silent,
) -> CellMap:
    """Return the cells of one level of a histogram.

    Parameters
    ----------
    shown : ShownHistogram
    level : int, optional
        How often cells are cut at most; by default as often as they are.
    closely : bool, optional
        Whether only what lies around nearly all points is in view; by default only if that is tiny.
    grid : {"cells", "after", "before"}
        As of `GRIDS`.
    per_area : bool
        Whether cells are shaded by density, else by count.
    progress : Progress

    Returns
    -------
    CellMap

    Examples
    --------
    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram, show_histogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> shown = show_histogram(RecursiveHistogram(t=2), data, NO_PROMISE)
    >>> map_cells(shown, level=1).cells.counts.tolist()
    [4.0, 4.0]
    """
    histogram, axes, box = shown.histogram, shown.axes, shown.box
    last = deepest_level(histogram)
    level = level if level is not None and level < last else None
    zoom = closeup(histogram, box, axes=axes, near=closely)
    seen = dataclasses.replace(shown.projection, zoom=zoom)
    found = CellMap(
        directions=seen.directions,
        window=seen.window,
        cells=histogram_cells(histogram, box, axes=axes, level=level, progress=progress),
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        deepest=last,
        per_area=per_area,
    )
    if grid == "cells":
        return found
    planes = shift_planes(histogram, axes=axes, level=last if level is None else level)
    found = dataclasses.replace(found, shift=planes, before=grid == "before")
    return found if zoom is not None else dataclasses.replace(found, window=found.around())


def map_trees(
    shown: ShownHistogram,
    *,
    price: float | None = None,
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[TreeMap] = unpublished,
) -> TreeMap:
    """Return the tree on the cells of a histogram and the true one, or facilities.

    Parameters
    ----------
    shown : ShownHistogram
    price : float, optional
        Of a facility; without one there is a spanning tree.
    seed : int
        Of points that are drawn from the cells.
    progress : Progress
    publish : callable
        Takes what is known already.

    Returns
    -------
    TreeMap

    Examples
    --------
    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram, show_histogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> shown = show_histogram(RecursiveHistogram(t=2), data, NO_PROMISE)
    >>> found = map_trees(shown)
    >>> round(found.trees.truth.cost, 6), found.trees.tree.cost
    (0.7, 2.5)
    """
    seen = shown.projection
    behind, records = shown.behind(part(progress, 0.0, 0.1)), shown.records(seen)

    def mapped(trees: HistogramTrees) -> TreeMap:
        return TreeMap(
            directions=seen.directions,
            window=seen.window,
            cells=behind,
            records=records,
            mechanism=shown.mechanism,
            released=shown.released,
            trees=trees,
        )

    def publish_trees(trees: HistogramTrees) -> None:
        publish(mapped(trees))

    rest = part(progress, 0.1, 1.0)
    if price is None:
        found = histogram_trees(
            shown.histogram,
            shown.data,
            axes=shown.axes,
            seed=seed,
            progress=rest,
            publish=publish_trees,
        )
    else:
        found = histogram_facilities(
            shown.histogram,
            shown.data,
            price=price,
            axes=shown.axes,
            progress=rest,
            publish=publish_trees,
        )
    return mapped(found)


def map_query(
    shown: ShownHistogram,
    *,
    query: Sequence[float] | _Floats | None = None,
    attack: str | None = None,
    attack_seed: int = 1,
    c: float = 4.0,
    near: bool = False,
    window: tuple[Interval, ...] | None = None,
    progress: Progress = silent,
) -> QueryMap:
    """Return a query point among the cells of a histogram, and whether it isolates a record.

    Parameters
    ----------
    shown : ShownHistogram
    query : sequence of d float, optional
        Where one guesses, unless an attack does; by default at a public place near a corner.
    attack, attack_seed : str, int
        As of `isolation_guess`.
    c : float
        Of the test of isolation.
    near : bool
        Whether only what lies around the query point is in view.
    window : tuple of Interval, optional
        What that is, if it is to stay as it was.
    progress : Progress

    Returns
    -------
    QueryMap

    Examples
    --------
    The record at 0.8 is nearest to 0.95, and the next one is within twice as far.

    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram, show_histogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> shown = show_histogram(RecursiveHistogram(t=2), data, NO_PROMISE)
    >>> found = map_query(shown, query=[0.95], c=2.0)
    >>> found.nearest.tolist(), found.verdict.within
    ([0.8], 2)
    """
    axes, box, t = list(shown.axes), shown.box, isolation_threshold(shown.mechanism)
    place, aimed = np.asarray(query, dtype=np.float64), True
    if attack is not None or query is None:
        guess = isolation_guess(shown.histogram, box, attack=attack, seed=attack_seed)
        place, aimed = guess.query, guess.aimed
    verdict, reach = None, AROUND * box.width
    if shown.data is not None:
        verdict = isolation_test(shown.data, place, c=c, t=t)
        reach = np.clip(BEYOND * c * verdict.distance, CLOSEST * box.width, None)
    seen = shown.projection
    if near and window is None:
        ends = zip(place[axes] - reach[axes], place[axes] + reach[axes], strict=True)
        window = tuple(Interval(float(low), float(high)) for low, high in ends)
    if near:
        seen = dataclasses.replace(seen, zoom=window)
    return QueryMap(
        directions=seen.directions,
        window=seen.window,
        cells=shown.behind(progress),
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        query=place,
        c=c,
        t=t,
        axes=shown.axes,
        verdict=verdict,
        aimed=aimed,
    )

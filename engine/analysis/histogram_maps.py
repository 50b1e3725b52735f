"""Histograms in the space of the data: their cells, and what is built on them."""

from __future__ import annotations

import dataclasses

from engine.analysis.closeups import closeup
from engine.analysis.histogram_cells import histogram_cells
from engine.analysis.histogram_levels import deepest_level
from engine.analysis.histogram_matchings import histogram_matching
from engine.analysis.histogram_scenes import CellMap, TreeMap
from engine.analysis.histogram_trees import histogram_facilities, histogram_trees
from engine.analysis.shared.built_on_cells import HistogramTrees
from engine.analysis.shared.shown_histograms import show_histogram
from engine.analysis.shift_planes import shift_planes
from engine.data.points import Points
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished

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
    found = CellMap(
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
        return found
    planes = shift_planes(histogram, axes=axes, level=last if level is None else level)
    found = dataclasses.replace(found, shift=planes, before=grid == "before")
    return found if zoom is not None else dataclasses.replace(found, window=found.around())


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
        found = build(
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

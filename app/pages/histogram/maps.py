"""Pictures of histograms in the space of the data: cells, trees and query points; made in a worker.

Without points they show only what follows from the histogram.
"""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np

from app.jobs.channels import JobTask
from app.pages.base.results import PictureResult
from app.pages.histogram.advice import BLIND, NOT_AIMED, facility_words, tree_words
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import projection_of, records_of
from app.plots.histogram.isolation_view import IsolationView
from app.plots.histogram.tree_view import TreeView
from app.plots.histogram.view import HistogramView
from engine.analysis.attack_sweep import isolation_threshold
from engine.analysis.closeups import closeup
from engine.analysis.histogram_cells import cells_behind, histogram_cells
from engine.analysis.histogram_levels import HistogramLevels, deepest_level, histogram_levels
from engine.analysis.histogram_trees import HistogramTrees, histogram_facilities, histogram_trees
from engine.analysis.isolation_test import isolation_guess, isolation_test
from engine.analysis.shared.projections import distinct_axes
from engine.analysis.shift_planes import shift_planes
from engine.data.points import Points
from engine.domain import Interval
from engine.histograms.attacks import BASELINE
from engine.histograms.histogram import Histogram
from engine.progress import part

AROUND, BEYOND, CLOSEST = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""


@dataclasses.dataclass(frozen=True)
class Levels:
    """Up to which level a histogram can be looked at, and what there is of each."""

    deepest: int
    table: HistogramLevels


@dataclasses.dataclass(frozen=True)
class AttackAim:
    """Where an attack has put the query point, and what is to be said about it."""

    query: tuple[float, ...]
    words: str


def publish_levels(
    request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
) -> None:
    """Publish what there is of each level."""
    found = Levels(deepest_level(histogram), histogram_levels(histogram, request.made_by))
    task.publish(PictureResult("levels", found, request, points is None))


def publish_cells(
    request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
) -> None:
    """Publish the cells of one level."""
    axes, box, last = (
        distinct_axes(request.axes, histogram.dimension),
        request.source.domain,
        deepest_level(histogram),
    )
    level = request.level if request.level is not None and request.level < last else None
    seen = projection_of(request, histogram.dimension)
    zoom = closeup(histogram, box, axes=axes, near=request.closely)
    seen = dataclasses.replace(seen, zoom=zoom)
    view = HistogramView(
        seen.directions,
        seen.window,
        histogram_cells(histogram, box, axes=axes, level=level, progress=part(task, 0.4, 0.8)),
        records=records_of(request, points, seen),
        per_area=request.per_area,
        released=request.released is not None,
        caption=request.caption,
    )
    if request.grid != "cells":
        planes = shift_planes(histogram, axes=axes, level=last if level is None else level)
        view = dataclasses.replace(view, shift=planes, before=request.grid == "before")
        if zoom is None:
            view = dataclasses.replace(view, window=view.around())
    task.publish(PictureResult("cells", view, request, points is None))


def publish_trees(
    request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
) -> None:
    """Publish the tree on cells, and the true one; or facilities."""
    axes, box = distinct_axes(request.axes, histogram.dimension), request.source.domain
    seen = projection_of(request, histogram.dimension)
    behind = cells_behind(histogram, box, axes=axes, progress=task)
    records = records_of(request, points, seen)
    truth = points if request.records else None

    def publish(trees: HistogramTrees) -> None:
        view = TreeView(
            seen.directions,
            seen.window,
            behind,
            trees,
            records=records,
            released=request.released is not None,
            caption=request.caption,
        )
        task.publish(PictureResult("tree", view, request, points is None))

    if request.price is None:
        find = partial(histogram_trees, seed=request.seed)
    else:
        find = partial(histogram_facilities, price=request.price)
    trees = find(histogram, truth, axes=axes, progress=part(task, 0.4, 1.0), publish=publish)
    publish(trees)
    if truth is not None:
        words = (
            tree_words(truth.n, trees) if request.price is None else facility_words(histogram.size, truth.n)
        )
        task.publish(PictureResult("advice", words, request))


def publish_isolation(
    request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
) -> None:
    """Publish the query point, put there by an attack if that was asked for, and the verdict."""
    public, box = points is None, request.source.domain
    axes = distinct_axes(request.axes, histogram.dimension)
    query = np.array(request.query)
    if request.attack is not None or request.query is None:
        name, seed = request.attack or (None, 1)
        guess = isolation_guess(histogram, box, attack=name, seed=seed)
        query = guess.query
        words = BLIND if name == BASELINE else NOT_AIMED * (not guess.aimed)
        task.publish(PictureResult("aim", AttackAim(tuple(query.tolist()), words), request, public))
    seen, t = projection_of(request, histogram.dimension), isolation_threshold(request.setup.mechanism)
    verdict, reach = None, AROUND * box.width
    if points is not None and request.records:
        verdict = isolation_test(points, query, c=request.c, t=t)
        reach = np.clip(BEYOND * request.c * verdict.distance, CLOSEST * box.width, None)
    view = IsolationView(
        seen.directions,
        seen.window,
        cells_behind(histogram, box, axes=axes, progress=part(task, 0.4, 1.0)),
        query[list(axes)],
        request.c,
        t,
        verdict=verdict,
        axes=axes,
        released=request.released is not None,
        caption=request.caption,
    )
    if request.near:
        ends = zip(view.query - reach[list(axes)], view.query + reach[list(axes)], strict=True)
        window = request.window or tuple(Interval(float(low), float(high)) for low, high in ends)
        view = dataclasses.replace(view, window=window)
        seen = dataclasses.replace(seen, zoom=window)
    view = dataclasses.replace(view, records=records_of(request, points, seen))
    task.publish(PictureResult("isolation", view, request, public))

"""Pictures of histograms in the space of the data: cells, trees and query points; made in a worker.

Without points they show only what follows from the histogram.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from app.jobs.channels import JobTask
from app.pages.base.results import PictureResult
from app.pages.histogram.attacks import AttackAim, aimed, threshold
from app.pages.histogram.facilities import (
    cost_in_truth,
    facilities_on_cells,
    facilities_on_records,
    facility_words,
)
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import HistogramSource
from app.pages.histogram.trees import drawn_tree, on_cells, resampled, tree_words, true_tree
from app.pages.histogram.views import closeup, coordinates, deepest, levels, shift
from app.plots.histogram.chart_view import LevelsView
from app.plots.histogram.isolation_view import IsolationResult, IsolationView
from app.plots.histogram.tree_view import DrawnTree, TreeView
from app.plots.histogram.view import HistogramView
from engine.data.points import Points
from engine.domain import Interval
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation
from engine.progress import part

AROUND, BEYOND, CLOSEST = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""

CORNER = 0.1
"""Where the query point is at first, in shares of the bounds: a public place."""


@dataclasses.dataclass(frozen=True)
class Levels:
    """Up to which level a histogram can be looked at, and what there is of each."""

    deepest: int
    table: LevelsView


class HistogramMaps:
    """Publishes them."""

    def __init__(self, source: HistogramSource) -> None:
        self._from = source

    def levels(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        """Publish what there is of each level."""
        unit = request.setup.unit
        table = self._from.drawn.get(("levels", histogram, unit), lambda: levels(histogram, unit))
        table = dataclasses.replace(table, caption=request.caption)
        found = Levels(deepest(histogram), table)
        task.publish(PictureResult("levels", found, request, points is None))

    def cells(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        """Publish the cells of one level."""
        public, last = points is None, deepest(histogram)
        level = request.level if request.level is not None and request.level < last else None
        seen = self._from.seen(request, histogram)
        drawn, box = coordinates(request.axes, histogram.dimension), request.source.domain
        zoom = self._from.drawn.get(
            ("closeup", histogram, drawn, request.closely),
            lambda: closeup(histogram, drawn, box, request.closely),
        )
        seen = dataclasses.replace(seen, zoom=zoom)
        view = HistogramView(
            seen.directions,
            seen.window,
            self._from.shown(request, histogram, level, part(task, 0.4, 0.8)),
            records=self._from.records(request, points, seen),
            per_area=request.per_area,
            released=request.released is not None,
            caption=request.caption,
        )
        if request.grid != "cells":
            depth = last if level is None else level
            view = dataclasses.replace(view, shift=shift(histogram, drawn, depth, request.grid == "before"))
            if zoom is None:
                view = dataclasses.replace(view, window=view.around())
        task.publish(PictureResult("cells", view, request, public))

    def tree(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        """Publish the tree on cells, and the true one; or facilities."""
        public, drawn = points is None, coordinates(request.axes, histogram.dimension)
        if request.price is not None:
            self._facilities(request, histogram, points, task)
            return
        tree = self._from.drawn.get(
            ("tree", histogram, drawn), lambda: on_cells(histogram, drawn, part(task, 0.4, 0.6))
        )
        view = self._tree_view(request, histogram, points, tree, task)
        known = self._from.drawn.holds(("resampled", histogram, request.seed))
        if not known:
            task.publish(PictureResult("tree", view, request, public))
        cost = self._from.drawn.get(
            ("resampled", histogram, request.seed),
            lambda: resampled(histogram, request.seed, part(task, 0.6, 0.8)),
        )
        view = dataclasses.replace(view, resampled=cost)
        if points is None or not request.records:
            task.publish(PictureResult("tree", view, request, public))
            return
        true = self._from.kept.get(
            ("true tree", points), lambda: true_tree(points.values, part(task, 0.8, 1.0))
        )
        truth = None if true is None else drawn_tree(true, points.values, drawn)
        task.publish(PictureResult("tree", dataclasses.replace(view, truth=truth), request))
        task.publish(PictureResult("advice", tree_words(points.n, tree, truth), request))

    def _facilities(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        public, drawn = points is None, coordinates(request.axes, histogram.dimension)
        price = request.price
        assert price is not None
        found, places = self._from.drawn.get(
            ("facilities", histogram, price, drawn),
            lambda: facilities_on_cells(histogram, price, drawn, part(task, 0.4, 0.6)),
        )
        view = self._tree_view(request, histogram, points, found, task)
        task.publish(PictureResult("tree", view, request, public))
        if points is None or not request.records:
            return
        cost = self._from.drawn.get(
            ("cost in truth", histogram, price, points),
            lambda: cost_in_truth(points.values, places, price, part(task, 0.6, 0.7)),
        )
        view = dataclasses.replace(view, tree=dataclasses.replace(found, in_truth=cost))
        truth = self._from.kept.get(
            ("facilities", points, price, drawn),
            lambda: facilities_on_records(points.values, price, drawn, part(task, 0.7, 1.0)),
        )
        task.publish(PictureResult("tree", dataclasses.replace(view, truth=truth), request))
        task.publish(PictureResult("advice", facility_words(histogram.size, points.n), request))

    def _tree_view(
        self,
        request: HistogramRequest,
        histogram: Histogram,
        points: Points | None,
        tree: DrawnTree,
        task: JobTask,
    ) -> TreeView:
        seen = self._from.seen(request, histogram)
        return TreeView(
            seen.directions,
            seen.window,
            self._from.behind(request, histogram, task),
            tree,
            records=self._from.records(request, points, seen),
            unit=request.setup.unit,
            released=request.released is not None,
            caption=request.caption,
        )

    def isolation(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        """Publish the query point, put there by an attack if that was asked for, and the verdict."""
        public, mechanism = points is None, request.setup.mechanism
        box, drawn = request.source.domain, coordinates(request.axes, histogram.dimension)
        query = np.array(box.lower + CORNER * box.width if request.query is None else request.query)
        if request.attack is not None:
            aim = aimed(*request.attack, histogram, box)
            query = np.array(aim.query)
            task.publish(PictureResult("aim", aim, request, public))
        elif request.query is None:
            task.publish(PictureResult("aim", AttackAim(tuple(query.tolist()), ""), request, public))
        seen, t = self._from.seen(request, histogram), threshold(mechanism)
        verdict, reach = None, AROUND * box.width
        if points is not None and request.records:
            isolation = self._from.kept.get(("isolation", points), lambda: Isolation(points.values))
            found = isolation.verdict(query, request.c, t)
            nearest = points.values[found.nearest, list(drawn)]
            verdict = IsolationResult(nearest, found.distance, found.within, found.isolates)
            reach = np.clip(BEYOND * request.c * found.distance, CLOSEST * box.width, None)
        view = IsolationView(
            seen.directions,
            seen.window,
            self._from.behind(request, histogram, part(task, 0.4, 1.0)),
            query[list(drawn)],
            request.c,
            t,
            verdict=verdict,
            dimensions=histogram.dimension,
            released=request.released is not None,
            caption=request.caption,
        )
        if request.near:
            ends = zip(view.query - reach[list(drawn)], view.query + reach[list(drawn)], strict=True)
            window = request.window or tuple(Interval(float(low), float(high)) for low, high in ends)
            view = dataclasses.replace(view, window=window)
            seen = dataclasses.replace(seen, zoom=window)
        view = dataclasses.replace(view, records=self._from.records(request, points, seen))
        task.publish(PictureResult("isolation", view, request, public))

"""Charts about histograms: attacks, comparisons and diameters (private); made in a worker."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.jobs.channels import JobTask
from app.pages.base.results import PictureResult
from app.pages.histogram.attacks import advantage_words, swept
from app.pages.histogram.compare import MOST_POINTS, TREELESS, HistogramBenchmark
from app.pages.histogram.radii import diameters, radii_problem
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import HistogramSource
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.progress import part


class HistogramCharts:
    """Publishes them, better and better."""

    def __init__(self, source: HistogramSource) -> None:
        self._from = source

    def attacks(self, request: HistogramRequest, histogram: Histogram, points: Points, task: JobTask) -> None:
        """Publish the success of attacks over a sweep."""
        setup, mechanism = request.setup, request.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("attacks", histogram, request.sweep, request.c, request.seed)
        known: list[Any] = self._from.drawn.get(key, list)
        if not known:
            here, last = part(task, 0.4, 1.0), None
            for view in swept(
                request.sweep, mechanism, setup.privacy, points, histogram, request.c, request.seed, here
            ):
                last = view
                task.publish(_noted("attacks", view, request))
            known.append(last)
        task.publish(_noted("attacks", known[-1], request))
        task.publish(PictureResult("advice", advantage_words(known[-1]), request))

    def compare(self, request: HistogramRequest, points: Points, task: JobTask) -> None:
        """Publish errors of all kinds of histograms."""
        privacy, mechanism = request.setup.privacy, request.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("contest", points, request.alternatives, privacy, request.seed, mechanism.name)
        known: list[Any] = self._from.kept.get(key, list)
        if not known:
            benchmark = HistogramBenchmark(request.alternatives, mechanism, points, privacy)
            for view in benchmark.run(request.seed, task):
                task.publish(PictureResult("compare", view, request))
            known.append(benchmark.view())
        task.publish(PictureResult("compare", known[-1], request))
        task.publish(PictureResult("advice", TREELESS * (points.n > MOST_POINTS), request))

    def radii(self, request: HistogramRequest, points: Points, task: JobTask) -> None:
        """Publish diameters of cells against radii."""
        setup, mechanism = request.setup, request.setup.mechanism
        assert isinstance(mechanism, ShiftedHistogram)
        t, depth = int(mechanism.t), int(mechanism.max_depth)
        problem = radii_problem(points.n, t)
        if problem:
            task.publish(PictureResult("problem", problem, request))
            return
        known: list[Any] = self._from.kept.get(("radii", points, mechanism, setup.unit, request.seed), list)
        if not known:
            ready, last = self._from.ready(setup, points, task), None
            for view in diameters(ready, points, t, depth, setup.unit, request.seed, task):
                last = view
                task.publish(_noted("radii", view, request))
            known.append(last)
        task.publish(_noted("radii", known[-1], request))


def _noted(picture: str, view: Any, request: HistogramRequest) -> PictureResult[Any]:
    """Say below a saved picture of exact counts what they are."""
    return PictureResult(picture, dataclasses.replace(view, caption=request.caption), request)

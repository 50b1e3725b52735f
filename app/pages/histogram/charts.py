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

    def attacks(
        self, question: HistogramRequest, histogram: Histogram, points: Points, task: JobTask
    ) -> None:
        """Publish the success of attacks over a sweep."""
        setup, mechanism = question.setup, question.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("attacks", histogram, question.sweep, question.c, question.seed)
        known: list[Any] = self._from.drawn.get(key, list)
        if not known:
            here, last = part(task, 0.4, 1.0), None
            for view in swept(
                question.sweep, mechanism, setup.privacy, points, histogram, question.c, question.seed, here
            ):
                last = view
                task.publish(_noted("attacks", view, question))
            known.append(last)
        task.publish(_noted("attacks", known[-1], question))
        task.publish(PictureResult("advice", advantage_words(known[-1]), question))

    def compare(self, question: HistogramRequest, points: Points, task: JobTask) -> None:
        """Publish errors of all kinds of histograms."""
        privacy, mechanism = question.setup.privacy, question.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("contest", points, question.alternatives, privacy, question.seed, mechanism.name)
        known: list[Any] = self._from.kept.get(key, list)
        if not known:
            contest = HistogramBenchmark(question.alternatives, mechanism, points, privacy)
            for view in contest.run(question.seed, task):
                task.publish(PictureResult("compare", view, question))
            known.append(contest.view())
        task.publish(PictureResult("compare", known[-1], question))
        task.publish(PictureResult("advice", TREELESS * (points.n > MOST_POINTS), question))

    def radii(self, question: HistogramRequest, points: Points, task: JobTask) -> None:
        """Publish diameters of cells against radii."""
        setup, mechanism = question.setup, question.setup.mechanism
        assert isinstance(mechanism, ShiftedHistogram)
        t, depth = int(mechanism.t), int(mechanism.max_depth)
        problem = radii_problem(points.n, t)
        if problem:
            task.publish(PictureResult("problem", problem, question))
            return
        known: list[Any] = self._from.kept.get(("radii", points, mechanism, setup.unit, question.seed), list)
        if not known:
            ready, last = self._from.ready(setup, points, task), None
            for view in diameters(ready, points, t, depth, setup.unit, question.seed, task):
                last = view
                task.publish(_noted("radii", view, question))
            known.append(last)
        task.publish(_noted("radii", known[-1], question))


def _noted(picture: str, view: Any, question: HistogramRequest) -> PictureResult[Any]:
    """Say below a saved picture of exact counts what they are."""
    return PictureResult(picture, dataclasses.replace(view, caption=question.caption), question)

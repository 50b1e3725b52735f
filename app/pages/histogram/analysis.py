"""What the page about histograms asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `HistogramAnalysis.public` publishes.
"""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.wording.numbers import number
from app.pages.base.results import PictureResult
from app.pages.histogram.charts import HistogramCharts
from app.pages.histogram.error_estimates import HistogramErrorEstimate, judged
from app.pages.histogram.maps import HistogramMaps
from app.pages.histogram.others import OtherPictures
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import HistogramSource
from app.pages.histogram.tabs import OF_CATEGORIES
from engine.data.points import Points
from engine.data.writing import write_points
from engine.histograms.histogram import Histogram
from engine.histograms.synthetic import synthetic_points
from engine.progress import part
from engine.randomness import public_generator, secure


class HistogramAnalysis:
    """Answers questions in one worker at a time."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._from = HistogramSource(databases)
        self._maps = HistogramMaps(self._from)
        self._charts = HistogramCharts(self._from)
        self._others = OtherPictures(self._from)

    def answer(self, request: HistogramRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        if request.tab in OF_CATEGORIES:
            self._others.categories(request, task)
            return
        points = self._from.data(request, task)
        others = {
            "compare": self._charts.compare,
            "radii": self._charts.radii,
            "matrix": self._others.matrix,
            "points": self._others.synthetic,
        }
        if request.tab in others:
            others[request.tab](request, points, task)
            return
        histogram = self._from.histogram(request, points, part(task, 0.0, 0.4))
        self._publish(request, histogram, points, task)
        if request.tab != "attacks":
            self._judge(request, points, task)

    def public(self, request: HistogramRequest, task: JobTask) -> None:
        """Publish the newest release; no data are looked at."""
        others = {"matrix": self._others.matrix, "points": self._others.synthetic}
        if request.tab in OF_CATEGORIES:
            self._others.show_categories(request, request.released.value, None, task)  # type: ignore[union-attr]
        elif request.tab in others:
            others[request.tab](request, None, task)
        else:
            self._publish(request, self._from.of_release(request), None, task)

    def save_points(self, request: HistogramRequest, path: str, task: JobTask) -> str:
        """Draw points from the histogram that is shown and write them; say what was written.

        Those of a release are as public as it is, and no data are looked at.
        """
        if request.released is not None:
            histogram = self._from.of_release(request)
        else:
            points = self._from.databases.get(request.setup.source)
            assert isinstance(points, Points)
            histogram = self._from.histogram(request, points, part(task, 0.0, 0.4))
        task(0.4, "drawing synthetic points")
        drawn = synthetic_points(histogram, public_generator(secure()), request.setup.source.n)
        write_points(path, request.setup.source.columns, drawn, part(task, 0.5, 1.0))
        said = f"Saved {path}: {number(len(drawn))} points drawn from"
        if request.released is not None:
            return f"{said} the newest release"
        return f"{said} a simulated histogram, which was derived from private data"

    def _judge(self, request: HistogramRequest, points: Points, task: JobTask) -> None:
        setup = request.setup
        budget = setup.privacy if setup.mechanism.is_private else None

        def work() -> HistogramErrorEstimate | None:
            here = part(task, 0.9, 1.0)
            return judged(setup, self._from.ready(setup, points, here), points, here)

        found = self._from.kept.get(("judgement", points, setup.mechanism, budget), work)
        task.publish(PictureResult("judgement", found, request))

    def _publish(
        self, request: HistogramRequest, histogram: Histogram, points: Points | None, task: JobTask
    ) -> None:
        """Publish the picture that is open; without points, only what follows from the histogram."""
        if request.tab == "attacks":
            assert points is not None
            self._charts.attacks(request, histogram, points, task)
            return
        self._maps.levels(request, histogram, points, task)
        picture = {"cells": self._maps.cells, "tree": self._maps.tree, "isolation": self._maps.isolation}
        if request.tab in picture:
            picture[request.tab](request, histogram, points, task)

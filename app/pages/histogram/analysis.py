"""What the page about histograms asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `HistogramAnalysis.public` publishes.
"""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.wording.numbers import number
from app.pages.base.results import PictureResult
from app.pages.histogram.charts import publish_attacks, publish_diameters, publish_errors
from app.pages.histogram.error_estimates import HistogramErrorEstimate
from app.pages.histogram.maps import publish_cells, publish_isolation, publish_levels, publish_trees
from app.pages.histogram.others import publish_categories, publish_matrix, publish_points
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.source import points_of, shown_of
from app.pages.histogram.tabs import OF_CATEGORIES
from engine.analysis.histogram_errors import expected_count_error
from engine.analysis.shared.shown_histograms import ShownHistogram
from engine.data.points import Points
from engine.data.writing import write_points
from engine.histograms.synthetic import synthetic_points
from engine.progress import part
from engine.randomness import public_generator, secure

NO_HISTOGRAM = {"matrix": publish_matrix, "points": publish_points}
IN_SPACE = {"cells": publish_cells, "tree": publish_trees, "isolation": publish_isolation}


class HistogramAnalysis:
    """Answers questions in one worker at a time."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases

    def answer(self, request: HistogramRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each part as soon as it is known."""
        if request.tab in OF_CATEGORIES:
            publish_categories(request, self._databases, task)
            return
        points = points_of(self._databases, request, task)
        others = {"compare": publish_errors, "radii": publish_diameters}
        if request.tab in others:
            others[request.tab](request, points, task)
        elif request.tab in NO_HISTOGRAM:
            NO_HISTOGRAM[request.tab](request, points, task)
        else:
            shown = shown_of(request, points, part(task, 0.0, 0.4))
            if request.tab == "attacks":
                publish_attacks(request, shown.histogram, points, task)
            else:
                self._publish(request, shown, task)
                self._judge(request, points, task)

    def public(self, request: HistogramRequest, task: JobTask) -> None:
        """Publish the newest release; no data are looked at."""
        if request.tab in OF_CATEGORIES:
            publish_categories(request, None, task)
        elif request.tab in NO_HISTOGRAM:
            NO_HISTOGRAM[request.tab](request, None, task)
        else:
            self._publish(request, shown_of(request, None, task), task)

    def save_points(self, request: HistogramRequest, path: str, task: JobTask) -> str:
        """Draw points from the histogram that is shown and write them; say what was written.

        Those of a release are as public as it is, and no data are looked at.
        """
        points = None if request.released else self._databases.get(request.setup.source)
        assert points is None or isinstance(points, Points)
        histogram = shown_of(request, points, part(task, 0.0, 0.4)).histogram
        task(0.4, "drawing synthetic points")
        drawn = synthetic_points(histogram, public_generator(secure()), request.setup.source.n)
        write_points(path, request.setup.source.columns, drawn, part(task, 0.5, 1.0))
        said = f"Saved {path}: {number(len(drawn))} points drawn from"
        if request.released is not None:
            return f"{said} the newest release"
        return f"{said} a simulated histogram, which was derived from private data"

    def _judge(self, request: HistogramRequest, points: Points, task: JobTask) -> None:
        setup = request.setup
        error = expected_count_error(setup.mechanism, points, setup.privacy, part(task, 0.9, 1.0))
        found = None if error is None else HistogramErrorEstimate(error)
        task.publish(PictureResult("judgement", found, request))

    def _publish(self, request: HistogramRequest, shown: ShownHistogram, task: JobTask) -> None:
        """Publish the picture that is open; without points, only what follows from the histogram."""
        publish_levels(request, shown, task)
        if request.tab in IN_SPACE:
            IN_SPACE[request.tab](request, shown, task)

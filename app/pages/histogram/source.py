"""Where the pictures of the page about histograms come from: data and histograms.

Everything here but what follows from a release is computed from raw data and is private.
"""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.base.results import PictureResult
from app.pages.histogram.request import HistogramRequest
from engine.analysis.memory import remembered
from engine.analysis.shared.shown_histograms import ShownHistogram, show_histogram, show_released_histogram
from engine.data.points import Points
from engine.progress import Progress


def points_of(databases: DatabaseCache, request: HistogramRequest, task: JobTask) -> Points:
    """Return the points; publish how many of them the bounds move."""
    points = databases.get(request.setup.source)
    assert isinstance(points, Points)
    task.publish(PictureResult("clamped", remembered(points, ("outside",), lambda: points.outside), request))
    return points


def shown_of(request: HistogramRequest, points: Points | None, progress: Progress) -> ShownHistogram:
    """Return the histogram that is looked at: a release, or simulated."""
    setup, released = request.setup, request.released
    if points is None:
        assert released is not None
        return show_released_histogram(setup.source, released, axes=request.axes)
    return show_histogram(
        setup.mechanism,
        points,
        setup.privacy,
        axes=request.axes,
        seed=request.seed,
        released=released,
        records=request.records,
        progress=progress,
    )

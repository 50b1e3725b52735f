"""Where the pictures of the page about histograms come from: data, histograms, records.

Everything here but what follows from a release is computed from raw data and is private.
"""

from __future__ import annotations

import numpy as np

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.base.results import PictureResult
from app.pages.histogram.request import HistogramRequest
from app.plots.histogram.view import some_records
from engine.analysis.memory import remembered
from engine.analysis.preparing import released_histogram, simulated_histogram
from engine.analysis.shared.projections import Projection, along_columns, distinct_axes
from engine.analysis.shared.records import Records
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.progress import Progress


def points_of(databases: DatabaseCache, request: HistogramRequest, task: JobTask) -> Points:
    """Return the points; publish how many of them the bounds move."""
    points = databases.get(request.setup.source)
    assert isinstance(points, Points)
    task.publish(PictureResult("clamped", remembered(points, ("outside",), lambda: points.outside), request))
    return points


def histogram_of(request: HistogramRequest, points: Points | None, progress: Progress) -> Histogram:
    """Return the histogram that is looked at: a release, or simulated."""
    if request.released is not None:
        return released_histogram(request.released)
    assert points is not None
    setup = request.setup
    return simulated_histogram(setup.mechanism, points, setup.privacy, seed=request.seed, progress=progress)


def projection_of(request: HistogramRequest, dimension: int) -> Projection:
    """Return the projection on the coordinates that are drawn."""
    return along_columns(request.source, distinct_axes(request.axes, dimension))


def records_of(request: HistogramRequest, points: Points | None, seen: Projection) -> Records | None:
    """Return some of the records along the directions, if they are to be seen."""
    if points is None or not request.records:
        return None
    axes = [int(np.argmax(vector)) for vector in seen.vectors]

    def work() -> Records:
        values = points.values[:, axes]
        if seen.zoom is not None:  # of those around, not of all
            low, high = np.array([(side.lower, side.upper) for side in seen.window]).T
            values = values[((values >= low) & (values <= high)).all(axis=1)]
        return some_records(values, seen.window)

    return remembered(points, ("some records", tuple(axes), seen.window), work)

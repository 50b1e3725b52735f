"""Where the pictures of the page about histograms come from: data, histograms, cells, records; kept.

Everything here but what follows from a release is computed from raw data and is private.
"""

from __future__ import annotations

import numpy as np

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.selection import Selection
from app.pages.base.cache import Cache
from app.pages.base.projections import Axes, Projection, among_data
from app.pages.base.results import PictureResult
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.views import cells, coordinates, deepest, of_release
from app.plots.clustering.cloud_view import Records
from app.plots.histogram.view import PlottedCells, some_records
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.mechanisms.release import Release
from engine.progress import Progress, part
from engine.randomness import reproducible

MOST_HISTOGRAMS = 6
"""Histograms that are kept: each may have hundreds of thousands of cells."""

MOST_BEHIND = 3_000
"""Cells behind a tree or a query point: with more of them, nothing else could be seen."""

MOST_DRAWN = 24
"""What is drawn of them, level by level."""


class HistogramSource:
    """Looks at data and makes histograms; what was counted is not counted again.

    Attributes
    ----------
    kept, drawn : Cache
        What pictures have found out from the data; and from histograms, level by level.
    """

    def __init__(self, databases: DatabaseCache) -> None:
        self.databases = databases
        self.kept = Cache()
        self.drawn = Cache(most=MOST_DRAWN)
        self._grown = Cache(most=MOST_HISTOGRAMS)

    def data(self, request: HistogramRequest, task: JobTask) -> Points:
        """Return the points; publish how many of them the bounds move."""
        points = self.databases.get(request.setup.source)
        assert isinstance(points, Points)
        task.publish(
            PictureResult("clamped", self.kept.get(("outside", points), lambda: points.outside), request)
        )
        return points

    def ready(self, setup: Selection, points: Points, progress: Progress) -> HistogramPrepared:
        """Look at the data as the mechanism does; without noise, the budget makes no difference."""
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None
        found = self._grown.get(
            ("ready", points, mechanism, budget), lambda: mechanism.prepare(points, setup.privacy, progress)
        )
        assert isinstance(found, HistogramPrepared)
        return found

    def histogram(self, request: HistogramRequest, points: Points, progress: Progress) -> Histogram:
        """Return the histogram that is looked at: a release, or simulated."""
        if request.released is not None:
            return self.of_release(request)
        setup = request.setup
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None

        def work() -> Histogram:
            ready = self.ready(setup, points, part(progress, 0.0, 0.5))
            return ready.histogram(reproducible(request.seed), part(progress, 0.5, 1.0))

        found: Histogram = self._grown.get(("histogram", points, mechanism, budget, request.seed), work)
        return found

    def of_release(self, request: HistogramRequest) -> Histogram:
        """Return the histogram that a release holds."""
        release = request.released
        assert release is not None
        # what is kept holds the release, too, so that no other one can have its identity
        found: tuple[Release, Histogram] = self._grown.get(
            ("released", id(release)), lambda: (release, of_release(release))
        )
        return found[1]

    def seen(self, request: HistogramRequest, histogram: Histogram) -> Projection:
        """Return the projection on the coordinates that are drawn."""
        drawn = coordinates(request.axes, histogram.dimension)
        return among_data(request.source, Axes(*drawn))

    def shown(
        self, request: HistogramRequest, histogram: Histogram, level: int | None, progress: Progress
    ) -> PlottedCells:
        """Return the cells that are drawn."""
        drawn = coordinates(request.axes, histogram.dimension)

        def work() -> PlottedCells:
            progress(0.0, "drawing cells")
            cut = histogram if level is None else histogram.at_level(level)
            return cells(cut, drawn, request.source.domain, progress)

        found: PlottedCells = self.drawn.get(("cells", histogram, drawn, level), work)
        return found

    def behind(self, request: HistogramRequest, histogram: Histogram, progress: Progress) -> PlottedCells:
        """Return cells that lie behind something else: of the deepest level that has not too many."""
        sizes = np.cumsum(np.bincount(histogram.level))
        last, level = deepest(histogram), None
        if histogram.size > MOST_BEHIND and last:
            level = int(np.searchsorted(sizes, MOST_BEHIND // 2))
            level = min(max(level - 1, 0), last - 1)
        return self.shown(request, histogram, level, progress)

    def records(self, request: HistogramRequest, points: Points | None, seen: Projection) -> Records | None:
        """Return some of the records along the directions, if they are to be seen."""
        if points is None or not request.records:
            return None
        axes = [int(column.argmax()) for column in seen.vectors.T]

        def work() -> Records:
            values = points.values[:, axes]
            if seen.zoom is not None:  # of those around, not of all
                low, high = np.array([(side.lower, side.upper) for side in seen.window]).T
                values = values[((values >= low) & (values <= high)).all(axis=1)]
            return some_records(values, seen.window)

        found: Records = self.kept.get(("records", points, tuple(axes), seen.window), work)
        return found

"""What the page about histograms asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `Histograms.public` publishes.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from app.jobs import Task
from app.pages.histogram_views import Floats, cells, coordinates, level_rows, shift
from app.pages.kept import Kept
from app.pages.projections import Axes, Projection, among_data
from app.pages.sensitivity_work import Drawn
from app.plots.cloud_view import Records
from app.plots.histogram_view import HistogramView, some_records
from app.setups import PointsSetup
from app.sources import Databases
from engine.data.points import Points
from engine.histograms.histogram import BoxHistogram, Histogram
from engine.mechanisms.base import Release
from engine.mechanisms.histograms.base import HistogramPrepared
from engine.progress import Progress, part
from engine.randomness import reproducible

MOST_HISTOGRAMS = 6
"""Histograms that are kept: each may have hundreds of thousands of cells."""

MOST_DRAWN = 16
"""What is drawn of them, level by level."""


@dataclasses.dataclass(frozen=True)
class HistogramQuestion:
    """What a job is to answer: a setup, the open picture, and the choices on it.

    Attributes
    ----------
    released : Release or None
        The newest release of what is asked, if it is to be shown in the place of a simulated one.
    level : int or None
        How often cells are cut at most; None for as often as they are.
    records : bool
        Whether the data are drawn, too.
    grid : {"cells", "after", "before"}
        Of shifted cubes: the cells alone, with the planes that are left, or with those that are dropped.
    per_area : bool
        Whether cells are shaded by density, else by count.
    """

    setup: PointsSetup
    tab: str
    axes: Axes
    seed: int
    released: Release | None = None
    level: int | None = None
    records: bool = True
    grid: str = "cells"
    per_area: bool = True


@dataclasses.dataclass(frozen=True)
class Levels:
    """What can be said of the levels of a histogram."""

    deepest: int
    rows: tuple[Any, ...]


class Histograms:
    """Answers questions in one worker at a time; what was counted is not counted again."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._kept = Kept()
        self._grown = Kept(most=MOST_HISTOGRAMS)
        self._drawn = Kept(most=MOST_DRAWN)

    def answer(self, question: HistogramQuestion, task: Task) -> None:
        """Publish a `Drawn` for each part as soon as it is known."""
        points = self._data(question, task)
        histogram = self.histogram(question, points, part(task, 0.0, 0.6))
        self._publish(question, histogram, points, task)

    def public(self, question: HistogramQuestion, task: Task) -> None:
        """Publish the newest release; no data are looked at."""
        histogram = self._of_release(question)
        self._publish(question, histogram, None, task)

    # What is found out.

    def ready(self, setup: PointsSetup, points: Points, progress: Progress) -> HistogramPrepared:
        """Look at the data as the mechanism does; without noise, the budget makes no difference."""
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None
        found = self._grown.get(
            ("ready", points, mechanism, budget), lambda: mechanism.prepare(points, setup.privacy, progress)
        )
        assert isinstance(found, HistogramPrepared)
        return found

    def histogram(self, question: HistogramQuestion, points: Points, progress: Progress) -> Histogram:
        """Return the histogram that is looked at: a release, or simulated."""
        if question.released is not None:
            return self._of_release(question)
        setup = question.setup
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None
        key = ("histogram", points, mechanism, budget, question.seed)

        def work() -> Histogram:
            ready = self.ready(setup, points, part(progress, 0.0, 0.5))
            return ready.histogram(reproducible(question.seed), part(progress, 0.5, 1.0))

        found: Histogram = self._grown.get(key, work)
        return found

    def _of_release(self, question: HistogramQuestion) -> Histogram:
        """Return the histogram that a release holds."""
        release = question.released
        assert release is not None
        # what is kept holds the release, too, so that no other one can have its identity
        found: tuple[Release, Histogram] = self._grown.get(
            ("released", id(release)), lambda: (release, BoxHistogram.of(release.value))
        )
        return found[1]

    # The pictures.

    def _publish(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        public = points is None
        task(0.7, "drawing cells")
        rows = self._drawn.get(("levels", histogram), lambda: level_rows(histogram))
        task.publish(Drawn("levels", Levels(histogram.deepest, rows), question, public=public))
        view = self._cells(question, histogram, points)
        task.publish(Drawn("cells", view, question, public=public))

    def _cells(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None
    ) -> HistogramView:
        drawn = coordinates(question.axes, histogram.dimension)
        seen = self._seen(question, histogram.dimension)
        level = question.level if question.level is None or question.level < histogram.deepest else None
        shown = self._drawn.get(("cells", histogram, drawn, level), lambda: cells(histogram, drawn, level))
        view = HistogramView(
            seen.directions,
            seen.window,
            shown,
            records=self._records(points, seen) if question.records and points is not None else None,
            per_area=question.per_area,
            released=question.released is not None,
        )
        if question.grid == "cells":
            return view
        depth = histogram.deepest if level is None else level
        view = dataclasses.replace(view, shift=shift(histogram, drawn, depth, question.grid == "before"))
        return dataclasses.replace(view, window=view.around())

    # What several pictures need.

    def _data(self, question: HistogramQuestion, task: Task) -> Points:
        """Return the points; publish how many of them the bounds move."""
        points = self._databases.get(question.setup.source)
        assert isinstance(points, Points)
        task.publish(Drawn("clamped", self._kept.get(("outside", points), lambda: points.outside), question))
        return points

    def _seen(self, question: HistogramQuestion, dimension: int) -> Projection:
        """Return the projection on the coordinates that are drawn."""
        drawn = coordinates(question.axes, dimension)
        return among_data(question.setup.source, Axes(*drawn))

    def _records(self, points: Points, seen: Projection) -> Records:
        """Return some of the records along the directions."""
        key = ("records", points, seen.directions)
        found: Records = self._kept.get(key, lambda: some_records(self._places(points, seen), seen.window))
        return found

    def _places(self, points: Points, seen: Projection) -> Floats:
        """Return the records along the directions, without a product of matrices."""
        return points.values[:, [int(column.argmax()) for column in seen.vectors.T]]

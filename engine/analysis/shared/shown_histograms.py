"""A simulated or released histogram for plots, and the records among its cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.analysis.histogram_contents import CellsAlong, cells_behind
from engine.analysis.memory import remembered
from engine.analysis.prepared_histograms import mechanism_of, released_histogram, simulated_histogram
from engine.analysis.shared.projections import (
    Axes,
    Projection,
    Space,
    along_columns,
    distinct_axes,
)
from engine.analysis.shared.records import Records
from engine.array_types import Floats
from engine.data.database import PublicFacts
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.histograms.histogram import Histogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.shown import ShownInALine

MAX_RECORDS = 2_000
"""Largest number of records to draw among cells, so that these stay visible."""

_SEED = 0  # public and fixed: the choice of records reveals nothing


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ShownHistogram(ShownInALine):
    """A simulated or released histogram for maps, with the data if they may be shown.

    Returned by `show_histogram` and `show_released_histogram`.
    """

    histogram: Histogram
    mechanism: HistogramMechanism  # its mechanism
    space: Space  # within its own bounds: a release keeps the bounds that it was made with
    axes: tuple[int, ...]  # one or two different coordinates
    data: Points | None = None
    released: bool = False

    @property
    def box(self) -> Box:
        """The public bounds."""
        return self.space.domain

    @property
    def projection(self) -> Projection:
        """The coordinates to draw."""
        return along_columns(self.space, self.axes)

    def records(self, seen: Projection) -> Records | None:
        """Return some of the records, if they may be shown (private)."""
        return None if self.data is None else some_records_along(self.data, seen)

    def behind(self, progress: Progress = silent) -> CellsAlong:
        """Return cells to draw behind other elements."""
        return cells_behind(self.histogram, self.box, axes=self.axes, progress=progress)


def show_histogram(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: Privacy,
    *,
    axes: Axes = (0, 1),
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> ShownHistogram:
    """Return the histogram of data with a seed, or a released one."""
    seen = data if records else None
    if released is not None:
        return dataclasses.replace(show_released_histogram(data, released, axes=axes), data=seen)
    made = simulated_histogram(mechanism, data, privacy, seed=seed, progress=progress)
    return ShownHistogram(made, mechanism, data, distinct_axes(axes, made.dimension), seen)


def show_released_histogram(source: Space, released: Release, *, axes: Axes = (0, 1)) -> ShownHistogram:
    """Return a released histogram; only public facts of the data are read."""
    histogram, space = released_histogram(released), released_space(source, released)
    drawn = distinct_axes(axes, histogram.dimension)
    return ShownHistogram(histogram, mechanism_of(released), space, drawn, released=True)


def released_space(source: Space, released: Release) -> PublicFacts:
    """Return the space of released points: the bounds of the release (public)."""
    box = Box.of(released.parameters["lower"], released.parameters["upper"])
    return PublicFacts(box, source.n, source.columns, source.units)


def some_records(values: Floats, window: Sequence[Interval]) -> Records:
    """Return values, shape (n, a), as dots: all, or a sample of `MAX_RECORDS` that depends only on n.

    A density, as in plots without cells, would look like the shading of the cells.
    """
    n = len(values)
    if n > MAX_RECORDS:
        values = values[np.sort(np.random.default_rng(_SEED).choice(n, MAX_RECORDS, replace=False))]
    return Records(n, values, None, tuple(window))


def some_records_along(data: Points, seen: Projection) -> Records:
    """Return some of the records along columns, among those in view (private)."""
    axes = [int(np.argmax(vector)) for vector in seen.vectors]

    def work() -> Records:
        values = data.values[:, axes]
        if seen.zoom is not None:  # of those in view, not of all
            low, high = np.array([(side.lower, side.upper) for side in seen.window]).T
            values = values[((values >= low) & (values <= high)).all(axis=1)]
        return some_records(values, seen.window)

    return remembered(data, ("some records", tuple(axes), seen.window), work)

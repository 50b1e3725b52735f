"""Errors of several kinds of histograms of the same data, over repeated runs (private)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.histogram.chart_view import HistogramErrorSample, HistogramErrorsView
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.histograms.ranges import Ranges
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared
from engine.privacy import Privacy
from engine.progress import Progress, part
from engine.randomness import reproducible

RUNS = 20

MOST_POINTS = 20_000
"""Records up to which trees are compared: each run finds one for each kind of histogram."""

EVERY = 0.4
"""Seconds between two looks at errors that grow: drawing them takes the window's time."""

TREELESS = (
    f"Trees are compared for up to {number(MOST_POINTS)} points; of more, only the counts of ranges are."
)

Floats = NDArray[np.float64]


class HistogramBenchmark:
    """Kinds of histograms of one database, each made again and again.

    Parameters
    ----------
    mechanisms : sequence of HistogramMechanism
    chosen : HistogramMechanism
        What the page shows: one of them.
    points : Points
    privacy : Privacy
        Of those that are private.
    """

    def __init__(
        self,
        mechanisms: Sequence[HistogramMechanism],
        chosen: HistogramMechanism,
        points: Points,
        privacy: Privacy,
    ) -> None:
        self._mechanisms, self._chosen = tuple(mechanisms), chosen
        self._points, self._privacy = points, privacy
        self._errors: dict[str, list[tuple[float, float]]] = {one.name: [] for one in mechanisms}
        self._problems = {
            one.name: problems[0].message
            for one in mechanisms
            if (problems := one.problems(privacy, points.domain, points.n))
        }

    def view(self) -> HistogramErrorsView:
        """Return the errors so far."""
        return HistogramErrorsView(tuple(self._sample(one) for one in self._mechanisms), self._points.n)

    def run(self, seed: int, progress: Progress) -> Iterator[HistogramErrorsView]:
        """Yield the errors so far, a few times a second, and at the end."""
        points = self._points
        ranges = Ranges.within(points.domain)
        truth = ranges.exact(points.values, part(progress, 0.0, 0.05))
        tree = self._true_cost(part(progress, 0.05, 0.1))
        able = [one for one in self._mechanisms if one.name not in self._problems]
        ready: dict[str, HistogramPrepared] = {}
        steps = RUNS * max(1, len(able))
        seen = time.monotonic()
        for run in range(RUNS):
            for place, one in enumerate(able):
                done = 0.1 + 0.9 * (run * len(able) + place) / steps
                here = part(progress, done, done + 0.9 / steps)
                here(0.0, f"run {run + 1} of {RUNS}: {one.label.lower()}")
                if one.name not in ready:
                    ready[one.name] = one.prepare(points, self._privacy, part(here, 0.0, 0.3))
                histogram = ready[one.name].histogram(reproducible(seed + run), part(here, 0.3, 0.5))
                off = float(np.abs(ranges.answers(histogram, part(here, 0.5, 0.7)) - truth).mean())
                tree_off = self._tree_error(histogram, tree, seed + run, part(here, 0.7, 1.0))
                self._errors[one.name].append((off, tree_off))
                if time.monotonic() - seen > EVERY:
                    yield self.view()
                    seen = time.monotonic()
        yield self.view()

    def _true_cost(self, progress: Progress) -> float:
        """Return the cost of the true tree; NaN where it is not looked for."""
        if self._points.n > MOST_POINTS:
            return np.nan
        return euclidean_tree(self._points.values, progress).cost

    def _tree_error(self, histogram: Histogram, true: float, seed: int, progress: Progress) -> float:
        """Return by which share of the true cost the resampled tree is off; NaN for what is not known."""
        if not true > 0 or not (histogram.counts > 0).any():
            return np.nan
        # n is public, and what noise has made of it is not worth a look
        found = resampled_tree(histogram, reproducible(seed), self._points.n, progress)[0].cost
        return abs(found / true - 1)

    def _sample(self, one: HistogramMechanism) -> HistogramErrorSample:
        errors = np.array(self._errors[one.name]).reshape(-1, 2)
        tree = errors[:, 1]
        return HistogramErrorSample(
            one.label,
            errors[:, 0],
            tree if np.isfinite(tree).any() else np.empty(0),
            one.is_private,
            one.name == self._chosen.name,
            self._problems.get(one.name, ""),
        )

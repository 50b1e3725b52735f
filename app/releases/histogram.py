"""Releasing histograms of points: cells with counts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from app.model.wording.console import columns, counted, plain
from app.model.wording.console import number as words
from app.releases.points import DIGITS, PointsRelease
from app.releases.postprocessing import NO_POSTPROCESSING, Postprocessing, estimate_rows
from engine.data.points import Points
from engine.mechanisms.histograms import ReleasedHistogram
from engine.mechanisms.histograms.base import HistogramPrepared

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.histograms.histogram import Histogram
    from engine.mechanisms import HistogramMechanism
    from engine.mechanisms.histograms import ReleasedHistogram
    from engine.privacy import Privacy
    from engine.progress import Progress

SHOWN, WIDEST = 10, 4
"""How many cells a table has, and of how many coordinates it says where they are."""


@dataclasses.dataclass(frozen=True)
class HistogramRelease(PointsRelease[HistogramPrepared, ReleasedHistogram]):
    """Cells with counts."""

    mechanism: HistogramMechanism
    postprocessing: Postprocessing = NO_POSTPROCESSING

    def diagnostics(self, prepared: HistogramPrepared, data: LoadedRecords[Points]) -> dict[str, Any]:
        """Return how many records public ranges hold, by which histograms are compared."""
        ranges, counts = prepared.ranges, prepared.diagnostics["true_value"]
        rows = zip(ranges.lower.tolist(), ranges.upper.tolist(), counts.tolist(), strict=True)
        names = ("lower", "upper", "count")
        return {
            "true_value": {"ranges": [dict(zip(names, row, strict=True)) for row in rows]},
            "clamped": data.clamped,
            "dropped": data.dropped,
        }

    def assess(
        self, release: ReleasedHistogram, prepared: HistogramPrepared, data: LoadedRecords[Points]
    ) -> dict[str, Any]:
        """Return how far the answers of the histogram are from the true counts of the ranges."""
        errors = np.abs(prepared.ranges.answers(release.histogram) - prepared.diagnostics["true_value"])
        return {"range_errors": {"mean": float(errors.mean()), "largest": float(errors.max())}}

    def fit(self, data: LoadedRecords[Points], privacy: Privacy) -> Self:
        """Return it as it is, unless more points are to be drawn than can be."""
        if self.postprocessing.points is None:
            self.postprocessing.check(data.database.n)
        return self

    def write_files(
        self,
        release: ReleasedHistogram,
        data: LoadedRecords[Points],
        rng: np.random.Generator,
        progress: Progress,
    ) -> Iterator[str]:
        """Write synthetic points down."""
        n = data.database.n
        yield from self.postprocessing.write(release.histogram, n, data.columns, rng, progress)

    def truth(self, data: LoadedRecords[Points], progress: Progress) -> dict[str, Any]:
        """Return the true values of what is estimated."""
        found = self.postprocessing.truth(data.database, progress)
        return {"estimates": found} if found else {}

    def estimate(
        self,
        release: ReleasedHistogram,
        data: LoadedRecords[Points],
        rng: np.random.Generator,
        progress: Progress,
    ) -> dict[str, Any]:
        """Return estimates."""
        return self.postprocessing.estimates(release.histogram, data.database.n, rng, progress)

    def estimate_rows(
        self, estimates: Mapping[str, Any], data: LoadedRecords[Points]
    ) -> list[tuple[str, str]]:
        """Return estimates in words."""
        return estimate_rows(estimates, self.unit(data))

    def private_rows(self, private: Mapping[str, Any], data: LoadedRecords[Points]) -> list[tuple[str, str]]:
        """Return what is private in words; of the ranges how many records they hold, and the errors."""
        counts = [answer["count"] for answer in private["true_value"]["ranges"]]
        errors = private["range_errors"]
        return [
            (
                f"records in {len(counts)} public ranges",
                f"{words(min(counts))} to {words(max(counts))}, as the histogram says within "
                f"{words(errors['mean'], 3)} on average and {words(errors['largest'], 3)} at most",
            ),
            *((name, plain(private[name])) for name in ("clamped", "dropped")),
            *estimate_rows(private.get("estimates", {}), self.unit(data)),
        ]

    def value(self, release: ReleasedHistogram, data: LoadedRecords[Points]) -> str:
        """Say how many cells there are, and what they hold."""
        counts = release.histogram.counts
        low, high = words(float(counts.min())), words(float(counts.max()))
        held = f"{low} point{'s' * (low != '1')}" if low == high else f"{low} to {high} points"
        some = np.count_nonzero(counts)
        full = "" if some == len(counts) else f", {some:,} of them above 0"
        return f"{counted(len(counts), 'cell')} of {held}{full}"

    def table(self, release: ReleasedHistogram, data: LoadedRecords[Points]) -> str:
        """Return the fullest cells, and how many cells and points there are at each level."""
        from engine.histograms.enclosing import EnclosingHistogram

        histogram = release.histogram
        fullest = np.argsort(-histogram.counts, kind="stable")[:SHOWN]
        named = self.header(data)
        more = len(named) - WIDEST
        header = ["points", "level", *named[:WIDEST], *([f"and {counted(more, 'more')}"] if more > 0 else [])]
        text = columns(header, [self._row(histogram, cell, data) for cell in fullest.tolist()])
        if histogram.size > SHOWN:
            text += f"\n  … and {counted(histogram.size - SHOWN, 'cell')} more, which --json writes down"
        if isinstance(histogram, EnclosingHistogram):
            text += "\n  cells are no boxes: the ranges are those of a box around each, within the bounds"
        return text + (f"\n\n{_levels(histogram)}" if histogram.deepest > 1 else "")

    def _row(self, histogram: Histogram, cell: int, data: LoadedRecords[Points]) -> list[str]:
        box = data.database.domain
        lower, upper = (
            np.maximum(histogram.lower[cell], box.lower),
            np.minimum(histogram.upper[cell], box.upper),
        )
        ends = zip(lower[:WIDEST], upper[:WIDEST], strict=True)
        return [
            words(histogram.counts[cell]),
            str(histogram.level[cell]),
            *(_side(low, high) for low, high in ends),
            *([""] if histogram.dimension > WIDEST else []),
        ]

    def remarks(self, release: ReleasedHistogram, data: LoadedRecords[Points]) -> Iterator[str]:
        """Yield that nothing is promised, where that is so, and what is hardly meant."""
        from engine.mechanisms.histograms.exact import WHY_NOT_PRIVATE, ExactHistogram

        if isinstance(self.mechanism, ExactHistogram):
            yield f"{self.name} is {WHY_NOT_PRIVATE}"
            for notice in self.mechanism.notices(data.database.domain, data.database.n):
                yield notice.message

    def panel(
        self,
        release: ReleasedHistogram,
        prepared: HistogramPrepared,
        data: LoadedRecords[Points],
        *,
        show_private: bool,
    ) -> FigurePanel:
        """Return the picture of the cells."""
        from app.releases.histogram_figure import histogram_panel

        return histogram_panel(self.mechanism, release, data, show_private=show_private)


def _side(low: float, high: float) -> str:
    """Return where a cell begins and ends, with digits enough to tell both apart."""
    large = max(abs(low), abs(high)) / (high - low) if high > low else 1.0
    digits = max(DIGITS, math.ceil(math.log10(large)) + 2)
    return f"{words(low, digits)} to {words(high, digits)}"


def _levels(histogram: Histogram) -> str:
    """Return how many cells of each level there are, and what they hold."""
    cells = np.bincount(histogram.level)
    points = np.bincount(histogram.level, histogram.counts)
    rows = [
        [str(level), f"{cells[level]:,}", words(float(points[level]))]
        for level in np.flatnonzero(cells).tolist()
    ]
    return columns(["level", "cells", "points in them"], rows)

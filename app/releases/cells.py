"""Histograms of points: cells with counts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.report_document import ReportTable
from app.model.wording.console import columns, counted, plain
from app.model.wording.console import number as console_number
from app.model.wording.not_dp import WHY_NOT_DP
from app.model.wording.numbers import format_count, grouped, number
from app.releases.geometry import DRAWN, directions_of, recorded_box, recorded_coordinates
from app.releases.labels import mechanism_class, title_words
from app.releases.points import DIGITS
from app.releases.postprocessing import estimate_rows
from app.releases.run import Rows, RunRecord
from app.releases.shape import ReleasedAnswer, Shape, Table, end_words, with_ends, within_words
from engine.analysis.prepared_histograms import released_histogram
from engine.data.points import Points
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

MAX_LISTED, MAX_SIDES = 10, 4
"""Most cells in a table, and most coordinates for which it gives their sides."""
MAX_ALONG = 40
"""Most cells in a table of one coordinate."""


class CellsShape(Shape):
    """Cells with counts."""

    name = "cells"
    heading = "Cells"
    short = "Counts"
    ranks = True

    def summary(self, record: ReleaseRecord) -> str:
        cells = record.release.value["cells"]
        return f"{format_count(len(cells))} cell{'s' * (len(cells) != 1)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return the bounding boxes of cells side by side: smallest and largest value of each column."""
        cells = record.release.value["cells"][:limit]
        own = [name for name in ("level", "count") if cells and name in cells[0]]
        rows = [
            [
                *(end for pair in zip(cell["lower"], cell["upper"], strict=True) for end in pair),
                *(cell[name] for name in own),
            ]
            for cell in cells
        ]
        return with_ends(record, [*_ends(record.coordinates), *own], rows)

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        cells = zip(record.release.value["cells"], end_words(record, limit), strict=False)
        return [f"{_cell_words(cell, record.coordinates)}{ends}" for cell, ends in cells]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        counts = [cell["count"] for cell in record.release.value["cells"]]
        held = f"{number(min(counts))} to {number(max(counts))} records in each" if counts else ""
        result = ReleasedAnswer(self.summary(record), notes=(held,) if held else ())
        within = "" if record.looked else within_words(record)
        return result.with_note(within[:1].upper() + within[1:]) if within else result

    def method(self, release: Release) -> str:
        kind = mechanism_class(release)
        return super().method(release) if kind is None or kind.facts.is_private else "exact counts"

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """Return the cells along the first two coordinates; for the curator among the data."""
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.map import HistogramMap
        from engine.analysis.histogram_contents import CellsAlong, cell_outlines
        from engine.analysis.histogram_maps import CellMap
        from engine.analysis.prepared_histograms import mechanism_of
        from engine.analysis.shared.shown_histograms import some_records

        release, coordinates, box = record.release, recorded_coordinates(record), recorded_box(record.release)
        if not coordinates or box is None or mechanism_class(release) is None or not release.value["cells"]:
            return None
        directions, histogram = directions_of(coordinates), released_histogram(release)
        cells = CellsAlong.of(histogram.lower, histogram.upper, histogram.counts, range(len(directions)))
        corners = cell_outlines(histogram, box, progress=progress)
        view = CellMap(
            directions=directions,
            window=tuple(direction.side for direction in directions),
            cells=cells if corners is None else dataclasses.replace(cells, polygons=tuple(corners)),
            released=not release.simulated,
            mechanism=mechanism_of(release),
        )
        private = isinstance(record, RunRecord) and record.prepared is not None
        if private:
            assert isinstance(record, RunRecord)
            values = record.run.data.database.values[:, :DRAWN]
            view = dataclasses.replace(view, records=some_records(values, view.window))
        return FigurePanel(title_words(record), HistogramMap, view, private=private)

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        return None  # without noise there would be other cells

    def recount(
        self, title: str, record: ReleaseRecord, database: AnyDatabase, limit: int, progress: Progress
    ) -> ReportTable | None:
        """Return the fullest cells with the true counts beside the noisy ones (private)."""
        kind = mechanism_class(record.release)
        if kind is None or not kind.facts.is_private or not isinstance(database, Points):
            return None
        if recorded_box(record.release) != database.domain:
            return None
        progress(0.0, "counting points")
        histogram = released_histogram(record.release)
        cells = histogram.places(database.values)
        true = np.bincount(cells[cells >= 0], minlength=histogram.size)
        fullest = np.argsort(-histogram.counts, kind="stable")[:limit]
        ends = np.stack([histogram.lower, histogram.upper], axis=2)[fullest].reshape(len(fullest), -1)
        return ReportTable(
            f"{title}: true counts beside the released ones, the fullest cells first",
            (*_ends(record.coordinates), "released", "true"),
            tuple(
                (*cell, count, held)
                for cell, count, held in zip(
                    ends.tolist(), histogram.counts[fullest].tolist(), true[fullest].tolist(), strict=True
                )
            ),
            left_out=histogram.size - len(fullest),
            private=True,
        )

    def interval(self, record: RunRecord) -> str:
        return within_words(record)

    def headline(self, record: RunRecord) -> str:
        counts = released_histogram(record.release).counts
        low, high = console_number(float(counts.min())), console_number(float(counts.max()))
        held = f"{low} point{'s' * (low != '1')}" if low == high else f"{low} to {high} points"
        some = np.count_nonzero(counts)
        full = "" if some == len(counts) else f", {grouped(int(some))} of them above 0"
        return f"{counted(len(counts), 'cell')} of {held}{full}"

    def listing(self, record: RunRecord) -> str:
        histogram = released_histogram(record.release)
        listed = _along_axes(histogram, MAX_LISTED if histogram.dimension > 1 else MAX_ALONG)
        named = [at.title for at in record.run.coordinates]
        more = len(named) - MAX_SIDES
        intervals = ["95 % interval"] * (histogram.intervals is not None)
        header = [
            "points",
            *intervals,
            "level",
            *named[:MAX_SIDES],
            *([f"and {counted(more, 'more')}"] * (more > 0)),
        ]
        rows = [_row(histogram, cell, record.run) for cell in listed]
        text = columns(header, rows)
        if histogram.size > len(listed):
            some = f"{len(listed)} of {grouped(histogram.size)}"
            text += f"\n  These are the fullest {some} cells; --json shows all."
        if isinstance(histogram, EnclosingHistogram):
            text += "\n  cells are not boxes: each range is that of a box around the cell, within the bounds"
        return text + (f"\n\n{_levels(histogram)}" if histogram.deepest > 1 else "")

    def remarks(self, record: RunRecord) -> Iterator[str]:
        run = record.run
        if isinstance(run.mechanism, HistogramMechanism) and not run.mechanism.facts.is_private:
            yield f"{run.name} is {WHY_NOT_DP}"
            for notice in run.mechanism.notices(run.data.database.domain, run.data.database.n):
                yield notice.message

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        assert isinstance(prepared, HistogramPrepared)
        ranges, counts = prepared.ranges, prepared.diagnostics["true_value"]
        rows = zip(ranges.lower.tolist(), ranges.upper.tolist(), counts.tolist(), strict=True)
        names = ("lower", "upper", "count")
        return {
            "true_value": {"ranges": [dict(zip(names, row, strict=True)) for row in rows]},
            "clamped": run.data.clamped,
            "dropped": run.data.dropped,
        }

    def assessment(self, record: RunRecord) -> dict[str, Any]:
        prepared = record.prepared
        assert isinstance(prepared, HistogramPrepared)
        answers = prepared.ranges.answers(released_histogram(record.release))
        errors = np.abs(answers - prepared.diagnostics["true_value"])
        return {"range_errors": {"mean": float(errors.mean()), "largest": float(errors.max())}}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return private facts as labels and words: records in the public ranges, and the errors."""
        counts = [answer["count"] for answer in private["true_value"]["ranges"]]
        errors = private["range_errors"]
        return [
            (
                f"records in {len(counts)} public ranges",
                (
                    f"{console_number(min(counts))} to {console_number(max(counts))}; the histogram is off "
                    f"by {console_number(errors['mean'], 3)} on average, by "
                    f"{console_number(errors['largest'], 3)} at most"
                ),
            ),
            *((name, plain(private[name])) for name in ("clamped", "dropped")),
            *estimate_rows(private.get("estimates", {}), run.unit),
        ]


def _ends(names: Sequence[str]) -> list[str]:
    """Name the smallest and the largest value of each column."""
    return [f"{name} {end}" for name in names for end in ("lower", "upper")]


def _cell_words(cell: Mapping[str, Any], names: Sequence[str]) -> str:
    sides = zip(names, cell["lower"], cell["upper"], strict=True)
    where = ", ".join(f"{name} {number(low)} to {number(high)}" for name, low, high in sides)
    return f"{where}: {number(cell['count'])}"


def _along_axes(histogram: Histogram, most: int) -> list[int]:
    """Return the indices of the fullest cells, ordered along the axes."""
    fullest = np.argsort(-histogram.counts, kind="stable")[:most]
    keys = (histogram.level, *histogram.upper.T[::-1], *histogram.lower.T[::-1])
    order = np.lexsort([key[fullest] for key in keys])
    return [int(cell) for cell in fullest[order]]


def _row(histogram: Histogram, cell: int, run: Run) -> list[str]:
    box = run.data.database.domain
    lower, upper = np.maximum(histogram.lower[cell], box.lower), np.minimum(histogram.upper[cell], box.upper)
    ends = zip(lower[:MAX_SIDES], upper[:MAX_SIDES], strict=True)
    known = histogram.intervals
    return [
        console_number(histogram.counts[cell]),
        *([] if known is None else [" to ".join(map(console_number, known[cell]))]),
        str(histogram.level[cell]),
        *(_side(low, high) for low, high in ends),
        *([""] if histogram.dimension > MAX_SIDES else []),
    ]


def _side(low: float, high: float) -> str:
    """Return the ends of a cell, with enough digits to tell them apart."""
    large = max(abs(low), abs(high)) / (high - low) if high > low else 1.0
    digits = max(DIGITS, math.ceil(math.log10(large)) + 2)
    return f"{console_number(low, digits)} to {console_number(high, digits)}"


def _levels(histogram: Histogram) -> str:
    """Return how many cells each level of the tree has, and how many points lie in them."""
    cells = np.bincount(histogram.level)
    points = np.bincount(histogram.level, histogram.counts)
    rows = [
        [str(level), grouped(cells[level]), console_number(float(points[level]))]
        for level in np.flatnonzero(cells).tolist()
    ]
    return columns(["level", "cells", "points in them"], rows)

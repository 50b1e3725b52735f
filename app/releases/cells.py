"""Histograms of points: cells with counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.report_document import ReportTable
from app.model.wording.console import columns, counted, plain
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_count
from app.model.wording.number_format import grouped
from app.model.wording.numbers import number
from app.releases.answer import ReleasedAnswer
from app.releases.geometry import recorded_box, recorded_coordinates, title_of
from app.releases.labels import mechanism_class, title_words
from app.releases.points import DIGITS
from app.releases.postprocessing import estimate_rows
from app.releases.public_rows import Rows
from app.releases.shape import Shape, Table
from engine.analysis.preparing import released_histogram
from engine.data.points import Points
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared
from engine.mechanisms.histograms.exact_counts import WHY_NOT_DP
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

SHOWN, WIDEST = 10, 4
"""How many cells a table has, and of how many coordinates it says where they are."""


class CellsShape(Shape):
    """Cells with counts."""

    name = "cells"
    heading = "Cells"
    short = "Cells"
    ranks = True

    def words(self, record: ReleaseRecord) -> str:
        cells = record.release.value["cells"]
        return f"{format_count(len(cells))} cell{'s' * (len(cells) != 1)}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return the bounding boxes of cells side by side: smallest and largest value of each column."""
        cells = record.release.value["cells"][:most]
        own = [name for name in ("level", "count") if cells and name in cells[0]]
        rows = [
            [
                *(end for pair in zip(cell["lower"], cell["upper"], strict=True) for end in pair),
                *(cell[name] for name in own),
            ]
            for cell in cells
        ]
        return [*_ends(record.coordinates), *own], rows

    def lines(self, record: ReleaseRecord, most: int) -> list[str]:
        return [_cell_words(cell, record.coordinates) for cell in record.release.value["cells"][:most]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        counts = [cell["count"] for cell in record.release.value["cells"]]
        held = f"{number(min(counts))} to {number(max(counts))} records in each" if counts else ""
        return ReleasedAnswer(self.words(record), lines=(held,) if held else ())

    def method(self, release: Release) -> str:
        """Name the noise; say so where there is none."""
        kind = mechanism_class(release)
        return super().method(release) if kind is None or kind.facts.is_private else "exact counts"

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        from app.releases.cells_figure import cells_panel, cells_view

        coordinates, box, kind = (
            recorded_coordinates(record),
            recorded_box(record.release),
            mechanism_class(record.release),
        )
        if not coordinates or box is None or kind is None or not record.release.value["cells"]:
            return None
        view = cells_view(coordinates, released_histogram(record.release), box, record.release, progress)
        return cells_panel(title_words(record), view)

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        """Nothing: without noise there would be other cells."""
        return None

    def recount(
        self, title: str, record: ReleaseRecord, database: AnyDatabase, most: int, progress: Progress
    ) -> ReportTable | None:
        """Return the fullest cells with the true counts beside the noisy ones (private)."""
        kind = mechanism_class(record.release)
        if kind is None or not kind.facts.is_private or not isinstance(database, Points):
            return None
        if recorded_box(record.release) != database.domain:
            return None
        progress(0.0, "counting points")
        histogram = released_histogram(record.release)
        places = histogram.places(database.values)
        true = np.bincount(places[places >= 0], minlength=histogram.size)
        fullest = np.argsort(-histogram.counts, kind="stable")[:most]
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

    def headline(self, run: Run, release: Release) -> str:
        counts = released_histogram(release).counts
        low, high = console_number(float(counts.min())), console_number(float(counts.max()))
        held = f"{low} point{'s' * (low != '1')}" if low == high else f"{low} to {high} points"
        some = np.count_nonzero(counts)
        full = "" if some == len(counts) else f", {grouped(int(some))} of them above 0"
        return f"{counted(len(counts), 'cell')} of {held}{full}"

    def listing(self, run: Run, release: Release) -> str:
        histogram = released_histogram(release)
        fullest = np.argsort(-histogram.counts, kind="stable")[:SHOWN]
        named = [at.title for at in run.coordinates]
        more = len(named) - WIDEST
        header = ["points", "level", *named[:WIDEST], *([f"and {counted(more, 'more')}"] if more > 0 else [])]
        text = columns(header, [_row(histogram, cell, run) for cell in fullest.tolist()])
        if histogram.size > SHOWN:
            text += f"\n  … and {counted(histogram.size - SHOWN, 'cell')} more, which --json writes down"
        if isinstance(histogram, EnclosingHistogram):
            text += "\n  cells are no boxes: the ranges are those of a box around each, within the bounds"
        return text + (f"\n\n{_levels(histogram)}" if histogram.deepest > 1 else "")

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
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

    def assessment(self, run: Run, release: Release, prepared: Prepared) -> dict[str, Any]:
        assert isinstance(prepared, HistogramPrepared)
        answers = prepared.ranges.answers(released_histogram(release))
        errors = np.abs(answers - prepared.diagnostics["true_value"])
        return {"range_errors": {"mean": float(errors.mean()), "largest": float(errors.max())}}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return what is private in words; of the ranges how many records they hold, and the errors."""
        counts = [answer["count"] for answer in private["true_value"]["ranges"]]
        errors = private["range_errors"]
        return [
            (
                f"records in {len(counts)} public ranges",
                f"{console_number(min(counts))} to {console_number(max(counts))}, as the histogram says "
                f"within {console_number(errors['mean'], 3)} on average and "
                f"{console_number(errors['largest'], 3)} at most",
            ),
            *((name, plain(private[name])) for name in ("clamped", "dropped")),
            *estimate_rows(private.get("estimates", {}), run.unit),
        ]

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        from app.releases.cells_figure import among_records, cells_panel, cells_view

        box = run.data.database.domain
        view = cells_view(run.coordinates, released_histogram(release), box, release, silent)
        if not show_private:
            return cells_panel(run.title(release), view)
        return cells_panel(title_of(run.mechanism), among_records(run, view), private=True)


def _ends(names: Sequence[str]) -> list[str]:
    """Name the smallest and the largest value of each column."""
    return [f"{name} {end}" for name in names for end in ("lower", "upper")]


def _cell_words(cell: Mapping[str, Any], names: Sequence[str]) -> str:
    sides = zip(names, cell["lower"], cell["upper"], strict=True)
    where = ", ".join(f"{name} {number(low)} to {number(high)}" for name, low, high in sides)
    return f"{where}: {number(cell['count'])}"


def _row(histogram: Histogram, cell: int, run: Run) -> list[str]:
    box = run.data.database.domain
    lower, upper = np.maximum(histogram.lower[cell], box.lower), np.minimum(histogram.upper[cell], box.upper)
    ends = zip(lower[:WIDEST], upper[:WIDEST], strict=True)
    return [
        console_number(histogram.counts[cell]),
        str(histogram.level[cell]),
        *(_side(low, high) for low, high in ends),
        *([""] if histogram.dimension > WIDEST else []),
    ]


def _side(low: float, high: float) -> str:
    """Return where a cell begins and ends, with digits enough to tell both apart."""
    large = max(abs(low), abs(high)) / (high - low) if high > low else 1.0
    digits = max(DIGITS, math.ceil(math.log10(large)) + 2)
    return f"{console_number(low, digits)} to {console_number(high, digits)}"


def _levels(histogram: Histogram) -> str:
    """Return how many cells of each level there are, and what they hold."""
    cells = np.bincount(histogram.level)
    points = np.bincount(histogram.level, histogram.counts)
    rows = [
        [str(level), grouped(cells[level]), console_number(float(points[level]))]
        for level in np.flatnonzero(cells).tolist()
    ]
    return columns(["level", "cells", "points in them"], rows)

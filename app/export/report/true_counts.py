"""What the cells of released histograms really hold (private), beside what was released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.model.release_record import ReleaseRecord
from app.model.report_document import ReportTable
from app.pages.histogram.views import of_release
from app.releases.text import query_words
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import MECHANISMS
from engine.progress import Progress, part


def true_counts(
    records: Sequence[ReleaseRecord],
    coordinates: tuple[str, ...],
    points: Points,
    most: int,
    progress: Progress,
) -> Iterator[ReportTable]:
    """Yield a table for each histogram with noise that was released of these columns and bounds.

    Parameters
    ----------
    records : sequence of ReleaseRecord
        All releases on the data.
    coordinates : tuple of str
        The columns that are chosen now.
    points : Points
        What stands in them.
    most : int
        Cells that are written out, the fullest ones.
    """
    for number, record in enumerate(records, 1):
        if _is_noisy(record) and record.coordinates == coordinates and _box(record) == points.domain:
            found = part(progress, (number - 1) / len(records), number / len(records))
            yield _beside(f"{number}. {query_words(record.release)}", record, points, most, found)


def _is_noisy(record: ReleaseRecord) -> bool:
    """Tell whether counts were released that are not the true ones."""
    value = record.release.value
    if not isinstance(value, dict) or not value.get("cells"):
        return False
    return "lower" in value["cells"][0] and MECHANISMS[record.release.query].is_private


def _box(record: ReleaseRecord) -> Box:
    known = record.release.parameters
    return Box.of(known["lower"], known["upper"])


def _beside(name: str, record: ReleaseRecord, points: Points, most: int, progress: Progress) -> ReportTable:
    progress(0.0, "counting points")
    histogram = of_release(record.release)
    places = histogram.places(points.values)
    true = np.bincount(places[places >= 0], minlength=histogram.size)
    fullest = np.argsort(-histogram.counts, kind="stable")[:most]
    sides = [f"{column} {end}" for column in record.coordinates for end in ("lower", "upper")]
    ends = np.stack([histogram.lower, histogram.upper], axis=2)[fullest].reshape(len(fullest), -1)
    rows = tuple(
        (*cell, count, held)
        for cell, count, held in zip(
            ends.tolist(), histogram.counts[fullest].tolist(), true[fullest].tolist(), strict=True
        )
    )
    return ReportTable(
        f"{name}: true counts beside the released ones, the fullest cells first",
        (*sides, "released", "true"),
        rows,
        left_out=histogram.size - len(rows),
        private=True,
    )

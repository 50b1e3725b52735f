"""Counts of conditions, each with its condition."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.model.wording.console import columns
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_count
from app.model.wording.numbers import number
from app.releases.answer import ReleasedAnswer, error_words
from app.releases.categories import first_words
from app.releases.labels import mechanism_class, title_words
from app.releases.shape import Shape, Table
from engine.mechanisms.histograms.counting import with_name
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.public_rows import Rows
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


class ConditionsShape(Shape):
    """How many records satisfy each of several conditions."""

    name = "conditions"
    heading = "Counts of conditions"
    short = "Conditions"

    def words(self, record: ReleaseRecord) -> str:
        rows = self.table(record)[1]
        written = [f"{condition}: {number(count)}" for condition, count in rows]
        return f"{format_count(len(rows))} count{'s' * (len(rows) != 1)}: {first_words(written, 1, '; ')}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        rows = record.release.value["counts"][:most]
        return ["condition", "count"], [
            [with_name(row["condition"], record.coordinates), row["count"]] for row in rows
        ]

    def lines(self, record: ReleaseRecord, most: int) -> list[str]:
        return [f"{condition}: {number(count)}" for condition, count in self.table(record, most)[1]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        said = super().answer(record)
        return dataclasses.replace(said, lines=(*said.lines, error_words(record, "count")))

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        rows = value.get("counts") if isinstance(value, dict) else None
        return isinstance(rows, list) and all(
            isinstance(row, dict)
            and isinstance(row.get("condition"), str)
            and isinstance(row.get("count"), int | float)
            for row in rows
        )

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        release, kind = record.release, mechanism_class(record.release)
        return _panel(title_words(record), kind, release, record.coordinates)

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        truth = prepared.diagnostics["true_value"] if show_private else None
        title = run.mechanism.label if show_private else run.title(release)
        return _panel(title, run.mechanism, release, run.data.columns, truth)

    def headline(self, run: Run, release: Release) -> str:
        count = len(release.value["counts"])
        return f"{format_count(count)} count{'s' * (count != 1)}"

    def listing(self, run: Run, release: Release) -> str:
        rows = (
            (with_name(row["condition"], run.data.columns), console_number(row["count"]))
            for row in release.value["counts"]
        )
        return columns(["condition", "count"], [list(row) for row in rows])

    def error(self, run: Run, release: Release) -> str:
        """Return the half-width that holds 95 % of the errors of each count."""
        return f"95 % within ± {console_number(release.error or 0.0, 4)} records in each count"

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return what is private in words; of the truth the counts alone."""
        counts = ", ".join(console_number(row["count"]) for row in private["true_value"]["counts"])
        others = {name: value for name, value in private.items() if name != "true_value"}
        return [("true_value", counts), *super().private_rows(run, others)]


def _panel(
    title: str, made_by: Any, release: Release, names: Sequence[str], truth: Any = None
) -> FigurePanel:
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.category_bars import CategoryBars

    view = made_by.numbers(release.value, names).compared(truth, simulated=release.simulated)
    return FigurePanel(title, CategoryBars, view, private=truth is not None)

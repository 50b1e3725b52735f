"""What all released values share that are computed from categories."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted
from app.model.wording.console import number as console_number
from app.releases.answer import ReleasedAnswer, error_words
from app.releases.labels import mechanism_class, title_words
from app.releases.public_rows import Rows
from app.releases.shape import Shape
from engine.data.categories import CategoryDomain
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

SHOWN = 40
"""How many rows a table has on the console."""


class CategoriesShape(Shape):
    """Something about records with one category in each column, of public lists."""

    explanations: ClassVar[Mapping[str, str]] = {"unseen": "records counted as 'other'"}

    @abc.abstractmethod
    def brief(self, truth: Any) -> str:
        """Write a true value on one line (private)."""

    def picture(
        self, title: str, made_by: Any, domain: CategoryDomain, release: Release, true_value: Any = None
    ) -> FigurePanel:
        """Return the picture for a file.

        Parameters
        ----------
        made_by : CategoriesMechanism
            Or its class, where the truth is not to be seen.
        true_value : object
            As diagnostics have it (private); None is not to be seen.
        """
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.category_bars import CategoryBars

        numbers = made_by.numbers(release.value, domain.columns, domain)
        view = numbers.compared(true_value, simulated=release.simulated)
        return FigurePanel(title, CategoryBars, view, private=true_value is not None)

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        said = super().answer(record)
        return dataclasses.replace(said, lines=(*said.lines, error_words(record, "count")))

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        known, release = record.release.parameters, record.release
        domain = CategoryDomain(known["columns"], known["categories"])
        return self.picture(title_words(record), mechanism_class(release), domain, release)

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        true_value = prepared.diagnostics["true_value"] if show_private else None
        title = run.mechanism.label if show_private else run.title(release)
        return self.picture(title, run.mechanism, run.data.database.domain, release, true_value)

    def fits(self, record: ReleaseRecord) -> bool:
        """Labels are no numbers; whether they make sense shows when they are told."""
        return True

    def error(self, run: Run, release: Release) -> str:
        """Return the half-width that holds 95 % of the errors of each count."""
        return f"95 % within ± {console_number(release.error or 0.0, 4)} records in each count"

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        truth = run.mechanism.output.true_answer(prepared.diagnostics["true_value"], run.data.database.domain)
        return {"true_value": truth, "unseen": run.data.clamped, "dropped": run.data.dropped}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return what is private in words; of a table of counts the counts alone."""
        others = {name: value for name, value in private.items() if name != "true_value"}
        return [("true_value", self.brief(private["true_value"])), *super().private_rows(run, others)]


def shortened(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of the first rows."""
    more = len(rows) - SHOWN
    text = columns(header, rows[:SHOWN])
    return text if more <= 0 else f"{text}\n  … and {counted(more, 'row')} more, which --json writes down"


def first_words(texts: Sequence[str], most: int, between: str = ", ") -> str:
    """Write the first few of them."""
    return between.join(texts[:most]) + (f"{between}…" if len(texts) > most else "")

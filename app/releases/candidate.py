"""A candidate: the one that was chosen among several by their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.wording.console import number as console_number
from app.releases.answer import ReleasedAnswer
from app.releases.labels import query_words
from app.releases.shape import Shape, Table
from engine.aggregation.functions import FUNCTIONS
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


class CandidateShape(Shape):
    """The number of a candidate, with the name of the column where columns are the candidates."""

    name = "candidate"
    heading = "Choices"
    short = "Choice"

    def words(self, record: ReleaseRecord) -> str:
        value, scores = record.release.value, str(record.release.parameters.get("scores"))
        are_columns = scores in FUNCTIONS and FUNCTIONS[scores].among_data
        named = are_columns and value <= len(record.coordinates)
        return record.coordinates[value - 1] if named else f"candidate {value}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        return [query_words(record.release)], [[self.words(record)]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        slack = record.release.parameters.get("slack")
        lines = (
            ()
            if slack is None
            else (f"No mean score is {console_number(slack, 3)} higher, in 95 % of all releases.",)
        )
        return ReleasedAnswer(self.words(record), lines=lines)

    def exact(self, record: ReleaseRecord) -> str:
        return str(record.release.value)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """None: a record does not hold the names of the other candidates."""
        return None

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.category_bars import CategoryBars

        truth: Any = prepared.diagnostics["true_value"] if show_private else None
        title = run.mechanism.label if show_private else run.title(release)
        numbers = run.mechanism.numbers(release.value, run.data.columns, run.data.database.domain)
        view = numbers.compared(truth, simulated=release.simulated)
        return FigurePanel(title, CategoryBars, view, private=truth is not None)

    def headline(self, run: Run, release: Release) -> str:
        data = run.data
        numbers = run.mechanism.numbers(release.value, data.columns, data.database.domain)
        return str(numbers.labels[numbers.chosen])

    def listing(self, run: Run, release: Release) -> str:
        """Nothing: the candidate is said above."""
        return ""

    def error(self, run: Run, release: Release) -> str:
        return f"in 95 % of releases no mean score is {console_number(release.parameters['slack'], 4)} higher"

"""What a shape of released value is: how it is told, tabled and drawn, in the window and everywhere else."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.report_document import ReportFigure, ReportTable
from app.model.wording.console import columns, plain
from app.model.wording.console import number as console_number
from app.model.wording.numbers import number
from app.releases.answer import LINES, ReleasedAnswer, first_lines
from app.releases.labels import mechanism_label, noise_words
from app.releases.public_rows import Rows, plan_facts
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.figure_style import FigureStyle
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

Table = tuple[list[str], list[list[Any]]]
"""Header and rows."""


class Shape(abc.ABC):
    """A kind of released value.

    What the history, reports and files say comes from the record of a release alone; only the command
    line, which has the mechanism and the data at hand, says more.  A shape needs `words`, `table` and
    `panel`; all else follows from them unless it knows better.

    Attributes
    ----------
    name : str
        As `Facts.shape` says it.
    nothing : str
        What is said where there is no value.
    blank : str
        What stands for an empty cell of a table in a line of words; "" leaves it out.
    ranks : bool
        Whether the last column counts, so that of a long table the fullest rows are shown first.
    heading : str
        Above which mechanisms that release such values stand together where one is chosen; "" for none.
    short : str
        A word or two for that, on a button; "" for none.
    explanations : mapping
        What the names of private facts mean, where they need to be explained.
    """

    name: ClassVar[str]
    nothing: ClassVar[str] = "nothing found"
    blank: ClassVar[str] = ""
    ranks: ClassVar[bool] = False
    heading: ClassVar[str] = ""
    short: ClassVar[str] = ""
    explanations: ClassVar[Mapping[str, str]] = {}

    # what is public, from the record alone

    @abc.abstractmethod
    def words(self, record: ReleaseRecord) -> str:
        """Write a released value on one line: of many numbers, the first ones."""

    @abc.abstractmethod
    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return what was released as a table, or its first `most` rows."""

    def lines(self, record: ReleaseRecord, most: int) -> list[str]:
        """Write the value part by part, at most so many of them; none of a single number."""
        header, rows = self.table(record, most)
        if len(header) * len(rows) == 1:
            return []
        names = header if len(header) > 1 else [""]
        return [self._line(names, row) for row in rows]

    def _line(self, names: list[str], row: list[Any]) -> str:
        parts = [
            f"{name} {written}".strip()
            for name, cell in zip(names, row, strict=True)
            if (written := cell_words(cell) or self.blank)
        ]
        return ", ".join(parts)

    @abc.abstractmethod
    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """Return the picture of a value; None where there is nowhere to draw it."""

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        """Return the picture for a report, which can be shared like the release itself."""
        from app.plots.figure_panel import figure

        panel = self.panel(record, progress)
        return (
            None if panel is None else ReportFigure(panel.title, self.words(record), partial(figure, panel))
        )

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        """Return what the card of a release shows large, and below it: how many parts, and the first ones."""
        value, _, _ = self.words(record).partition(":")
        return ReleasedAnswer(value, lines=first_lines(self.lines(record, LINES + 1)))

    def method(self, release: Release) -> str:
        """Name how it was released: the noise, or else the mechanism."""
        return noise_words(release) or mechanism_label(release)

    def fits(self, record: ReleaseRecord) -> bool:
        """Tell whether a value that was read from a file can be of this shape.

        What should be numbers is, and nothing where nothing was found; points have as many as there
        are coordinates.
        """
        value = record.release.value
        rows = [row for row in value if isinstance(row, list)] if isinstance(value, list) else []
        return _numeric(value) and all(len(row) == len(record.coordinates) for row in rows)

    def exact(self, record: ReleaseRecord) -> str:
        """Write a single number with all of its digits; "" of anything else."""
        return ""

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        """Return what would be released without noise (private); None where there is no such thing."""
        true = prepared.true_value(progress)
        return mechanism.output.true_answer(true, database.domain)

    def truth_table(self, record: ReleaseRecord) -> Table:
        """Return a true answer as a table, from a record that holds it as its value (private)."""
        return self.table(record)

    def recount(
        self, title: str, record: ReleaseRecord, database: AnyDatabase, most: int, progress: Progress
    ) -> ReportTable | None:
        """Return what was released beside the truth (private), its first `most` rows.

        None where that is no table, or where the release is of other columns or bounds than `database`.
        """
        return None

    # what the command line says, which has mechanism and data at hand

    def headline(self, run: Run, release: Release) -> str:
        """Say in a few words what was released."""
        return self.nothing if release.value is None else self.words(run.record(release))

    def listing(self, run: Run, release: Release) -> str:
        """Return what was released as a table, "" if it is said in `headline`."""
        if release.value is None:
            return ""
        header, rows = self.table(run.record(release))
        return columns(
            header,
            [[part if isinstance(part, str) else console_number(part) for part in row] for row in rows],
        )

    def rows(self, run: Run) -> Rows:
        """Return what follows from public facts for this shape alone, as labels and words."""
        return []

    def parameters(self, run: Run, release: Release) -> dict[str, Any]:
        """Return all public parameters for the JSON, and the plan if there is one."""
        public = dict(release.parameters)
        if run.data.columns:
            public["columns"] = list(run.data.columns)
        return public if run.plan is None else {**public, "plan": plan_facts(run.plan)}

    def error(self, run: Run, release: Release) -> str:
        """Return the half-width that holds 95 % of the errors."""
        return f"95 % within ± {console_number(release.error or 0.0, 4, run.unit)} in each coordinate"

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        """Yield what is to be said plainly, from public facts alone."""
        yield from ()

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        """Return what is private but the outputs of all blocks; vectors in the shape of a release."""
        domain, known = run.data.database.domain, prepared.diagnostics
        shaped = {
            **{name: value for name, value in known.items() if name != "outputs"},
            "true_value": run.mechanism.output.true_answer(known["true_value"], domain),
        }
        if "center" in known:
            shaped["center"] = run.mechanism.output.released(known["center"], domain)
        return {**shaped, "clamped": run.data.clamped, "dropped": run.data.dropped}

    def assessment(self, run: Run, release: Release, prepared: Prepared) -> dict[str, Any]:
        """Return what is private of the release itself, at once: a release is not to be lost."""
        return {}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return what is private as labels and words."""
        return [(self.explanations.get(name, name), plain(value, 8)) for name, value in private.items()]

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        """Return the picture of what was released: the curator's, or only what can be shared."""
        panel = None if release.value is None else self.panel(run.record(release))
        if panel is None:
            raise SensiscopeError("there is nothing to draw")
        return panel

    def figure(
        self, run: Run, release: Release, prepared: Prepared, style: FigureStyle, *, show_private: bool
    ) -> Figure:
        """Draw what was released: the curator's view, or only what can be shared."""
        from app.plots.figure_panel import figure

        return figure(self.run_panel(run, release, prepared, show_private=show_private), style)


def cell_words(value: Any) -> str:
    """Write one number or label of a table."""
    return value if isinstance(value, str) else number(value)


def _numeric(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_numeric, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, int | float)

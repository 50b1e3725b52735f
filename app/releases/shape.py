"""What a shape of released value is: how it is told, tabled and drawn, in the window and everywhere else."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.report_document import ReportFigure, ReportTable
from app.model.wording.console import columns, counted, plain
from app.model.wording.console import number as console_number
from app.model.wording.numbers import format_like, number, quantity, share
from app.releases.labels import mechanism_label, noise_words, title_words
from app.releases.run import Rows, RunRecord, plan_facts, truth_of
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.figure_style import FigureStyle
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.domain import Interval
    from engine.mechanisms.categories.numbers import CategoryNumbers
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

Table = tuple[list[str], list[list[Any]]]
"""Header and rows."""

MAX_LINES = 2
"""How many points, cells or balls the card of a release writes out."""

NO_INTERVAL = "No public interval: the error depends on the data."
LOOKED = "No interval: what should be public was taken from the data."
OUTSIDE = "The noise led out of the possible range."


@dataclasses.dataclass(frozen=True)
class ReleasedAnswer:
    """What the card of a release shows; all of it can be shared.

    `value` stands large, with its unit; `lines` are parts of it, and how far it may be off where that is
    public.
    """

    value: str
    unit: str = ""
    lines: tuple[str, ...] = ()

    def with_line(self, text: str) -> ReleasedAnswer:
        """Return the same with one more line."""
        return dataclasses.replace(self, lines=(*self.lines, text))


class Shape(abc.ABC):
    """A kind of released value.

    What the history, reports and files say comes from the record of a release alone.  The command line has
    a `RunRecord`, which knows the mechanism and the data, too: for it, pictures have the units of all columns
    and, for the curator, what lies behind a release.  A shape needs `summary`, `table` and `panel`; all else
    follows from them unless it knows better.

    Attributes
    ----------
    name : str
        As `Facts.shape` says it.
    nothing : str
        What is said where there is no value.
    blank : str
        What stands for an empty cell of a table in a line of words; "" leaves it out.
    draws_nothing : bool
        Whether there is a picture where there is no value: of where it could have been.
    ranks : bool
        Whether the last column counts, so that of a long table the fullest rows are shown first.
    each : str
        What has an error of its own; "" of a single number.
    error_unit : str or None
        In what errors are measured; None: as the value is.
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
    draws_nothing: ClassVar[bool] = False
    ranks: ClassVar[bool] = False
    each: ClassVar[str] = "coordinate"
    error_unit: ClassVar[str | None] = None
    heading: ClassVar[str] = ""
    short: ClassVar[str] = ""
    explanations: ClassVar[Mapping[str, str]] = {}

    # what is public, from the record alone

    @abc.abstractmethod
    def summary(self, record: ReleaseRecord) -> str:
        """Write a released value on one line: of many numbers, the first ones."""

    @abc.abstractmethod
    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return what was released as a table, or its first `limit` rows."""

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        """Write the value part by part, at most so many of them; none of a single number."""
        header, rows = self.table(record, limit)
        if len(header) * len(rows) == 1:
            return []
        names = header if len(header) > 1 else [""]
        return [self._line(names, row) for row in rows]

    def _line(self, names: list[str], row: list[Any]) -> str:
        parts = [
            f"{name} {text}".strip()
            for name, cell in zip(names, row, strict=True)
            if (text := cell_words(cell) or self.blank)
        ]
        return ", ".join(parts)

    @abc.abstractmethod
    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """Return the picture of a value; None where there is nowhere to draw it."""

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        """Return the picture for a report, which can be shared like the release itself."""
        from app.plots.figure_panel import figure

        panel = self.panel(record, progress)
        if panel is None:
            return None
        return ReportFigure(panel.title, self.summary(record), partial(figure, panel))

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        """Return what the card of a release shows large, and below it: how many parts, and the first ones."""
        value, _, _ = self.summary(record).partition(":")
        return ReleasedAnswer(value, lines=first_lines(self.lines(record, MAX_LINES + 1)))

    def method(self, release: Release) -> str:
        """Name how it was released: the noise, or else the mechanism."""
        return noise_words(release) or mechanism_label(release)

    def fits(self, record: ReleaseRecord) -> bool:
        """Tell whether a value that was read from a file can be of this shape.

        What should be numbers is, and nothing where nothing was released; points have as many as there
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
        self, title: str, record: ReleaseRecord, database: AnyDatabase, limit: int, progress: Progress
    ) -> ReportTable | None:
        """Return what was released beside the truth (private), its first `limit` rows.

        None where that is no table, or where the release is of other columns or bounds than `database`.
        """
        return None

    # what the command line says, which has mechanism and data at hand

    def headline(self, record: RunRecord) -> str:
        """Say in a few words what was released."""
        return self.nothing if record.release.value is None else self.summary(record)

    def listing(self, record: RunRecord) -> str:
        """Return what was released as a table, "" if it is said in `headline`."""
        return "" if record.release.value is None else console_table(*self.table(record))

    def rows(self, run: Run) -> Rows:
        """Return what follows from public facts for this shape alone, as labels and words."""
        return []

    def parameters(self, record: RunRecord) -> dict[str, Any]:
        """Return all public parameters for the JSON, and the plan if there is one."""
        run, public = record.run, dict(record.release.parameters)
        if run.data.columns:
            public["columns"] = list(run.data.columns)
        return public if run.plan is None else {**public, "plan": plan_facts(run.plan)}

    def error(self, record: RunRecord) -> str:
        """Return the half-width that holds 95 % of the errors."""
        unit = record.unit if self.error_unit is None else self.error_unit
        width = console_number(record.release.error or 0.0, 4, unit)
        return f"95 % within ± {width}{f' in each {self.each}' if self.each else ''}"

    def remarks(self, record: RunRecord) -> Iterator[str]:
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

    def assessment(self, record: RunRecord) -> dict[str, Any]:
        """Return what is private of the release itself, at once: a release is not to be lost."""
        return {}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return what is private as labels and words."""
        return [
            (
                self.explanations.get(name, name),
                self.truth_words(value) if name == "true_value" else plain(value, 8),
            )
            for name, value in private.items()
        ]

    def truth_words(self, truth: Any) -> str:
        """Write a true value on one line (private)."""
        return plain(truth, 8)

    def figure(self, record: RunRecord, style: FigureStyle) -> Figure:
        """Draw what was released: the curator's view, or only what can be shared."""
        from app.plots.figure_panel import figure

        empty = record.release.value is None and not self.draws_nothing
        panel = None if empty else self.panel(record)
        if panel is None:
            raise SensiscopeError("there is nothing to draw")
        return figure(panel, style)


# what stands on the card of a release


def first_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first lines of a value; dots at their end say that there are more."""
    first = list(islice(lines, MAX_LINES + 1))
    if len(first) <= MAX_LINES:
        return tuple(first)
    return (*first[: MAX_LINES - 1], f"{first[MAX_LINES - 1]} …")


def half_width(record: ReleaseRecord) -> float | None:
    """Return the half-width that holds 95 % of the errors; None where it is not public.

    It is not where the scale of the noise follows from the data, nor where bounds were taken from them.
    """
    return None if record.looked else record.release.error


def interval_words(record: ReleaseRecord, possible: Interval | None) -> str:
    """Write the interval that holds the true value in 95 % of all releases, if it is public."""
    width, value = half_width(record), record.release.value
    if width is None:
        return _no_interval(record)
    low, high = value - width, value + width
    if possible is not None and (high < possible.lower or low > possible.upper):
        return OUTSIDE
    if possible is not None:  # the truth is a possible result
        low, high = possible.clamp(low), possible.clamp(high)
    ends = (format_like(end, 10 * width, record.unit) for end in (low, high))
    paid = record.release.parameters.get("error_share") if "error_bar" in record.release.noise else 0
    return f"95 % interval {' to '.join(ends)}{f', for {share(paid)} of ε' if paid else ''}"


def error_words(record: ReleaseRecord, each: str) -> str:
    """Write how far each of several numbers may be off, if that is public."""
    width = half_width(record)
    if width is None:
        return _no_interval(record)
    return f"95 % within ± {quantity(width, record.unit)} in each {each}"


def _no_interval(record: ReleaseRecord) -> str:
    return LOOKED if record.looked else NO_INTERVAL


# tables and pictures


def console_table(
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    limit: int | None = None,
    noun: str = "row",
    digits: int = 5,
) -> str:
    """Return a table of the first rows for the console."""
    texts = [
        [part if isinstance(part, str) else console_number(part, digits) for part in row]
        for row in rows[:limit]
    ]
    more = len(rows) - len(texts)
    left_out = f"\n  … and {counted(more, noun)} more, which --json writes down" if more else ""
    return columns(header, texts) + left_out


def bars(record: ReleaseRecord, numbers: CategoryNumbers) -> FigurePanel:
    """Return the picture of numbers with a name each, beside the truth where that is to be seen."""
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.category_bars import CategoryBars

    truth = truth_of(record)
    view = numbers.compared(truth, simulated=record.release.simulated)
    return FigurePanel(title_words(record), CategoryBars, view, private=truth is not None)


def first_words(texts: Sequence[str], limit: int, between: str = ", ") -> str:
    """Write the first few of them."""
    return between.join(texts[:limit]) + (f"{between}…" if len(texts) > limit else "")


def cell_words(value: Any) -> str:
    """Write one number or label of a table."""
    return value if isinstance(value, str) else number(value)


def _numeric(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_numeric, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, int | float)

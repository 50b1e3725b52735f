"""Shapes of released values: how each is described, tabulated and drawn everywhere."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted, plain
from app.model.wording.console import number as console_number
from app.model.wording.numbers import format_like, number, quantity, share, with_unit
from app.releases.labels import mechanism_label, noise_words, title_words
from app.releases.run import Rows, RunRecord, plan_facts, truth_of
from engine.analysis.possible_answers import simulated_releases
from engine.errors import SensiscopeError
from engine.mechanisms.answer_rows import possible_range, rows_of
from engine.primitives.counts import AddedNoise
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.figure_style import FigureStyle
    from app.model.release_record import ReleaseRecord
    from app.model.report_document import ReportFigure, ReportTable
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.categories.numbers import CategoryNumbers
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

Table = tuple[list[str], list[list[Any]]]
"""Header and rows."""

MAX_LINES, MAX_PARTS = 2, 100
"""Largest number of points, cells, balls or groups on the card of a release, and in a list of all."""

NO_INTERVAL = "No error bar: its width is confidential."
IN_PARENTHESES = "In parentheses: 95 % intervals."
LOOKED = "No error bar: it needs public facts, and some were taken from the data."
OUTSIDE = "The noise moved the answer out of the possible range."


@dataclasses.dataclass(frozen=True)
class ReleasedAnswer:
    """The text on the card of a release; all of it can be shared.

    `value` is large, with its unit; `notes` are about all of it, such as its error if that is public.
    `parts` are the points, cells, balls or groups.
    """

    value: str
    unit: str = ""
    notes: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The first parts, and the notes."""
        return (*first_lines(self.parts, MAX_LINES), *self.notes)

    def with_note(self, text: str) -> ReleasedAnswer:
        """Return the same with one more note."""
        return dataclasses.replace(self, notes=(*self.notes, text))


class Shape(abc.ABC):
    """A kind of released value.

    History, reports and files use the record of a release alone.  The command line has
    a `RunRecord`, which knows the mechanism and the data, too: for it, pictures have the units of all columns
    and, for the curator, what lies behind a release.  A shape needs `summary`, `table` and `panel`; all else
    follows from them unless it knows better.

    Attributes
    ----------
    name : str
        The name in `Facts.shape`.
    nothing : str
        The text for a missing value.
    blank : str
        The text for an empty cell of a table in a line of words; "" leaves it out.
    draws_nothing : bool
        Whether a missing value has a picture too: its possible positions.
    ranks : bool
        Whether a column "count" orders the rows: a long table then shows the fullest first.
    each : str
        The part that has an error of its own; "" for a single number.
    error_unit : str or None
        The unit of errors; None for that of the value.
    heading : str
        The heading of mechanisms with such values in a list of choices; "" for none.
    short : str
        Text of the button that offers such mechanisms; several shapes may share it, "" has none.
    explanations : mapping
        Explanations of private facts by name.
    possible_answers : function
        Returns simulated releases (private): a picture draws each one as it draws a public release.
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
    possible_answers: ClassVar[Callable[..., list[Release]]] = staticmethod(simulated_releases)

    # public, from the record alone

    @abc.abstractmethod
    def summary(self, record: ReleaseRecord) -> str:
        """Write a released value on one line: for many numbers, the first ones."""

    @abc.abstractmethod
    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return the released value as a table, or its first `limit` rows."""

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        """Write the value part by part, at most `limit` parts; none for a single number."""
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
        """Return the picture of a value; None if it cannot be drawn."""

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        """Return the picture for a report, which can be shared like the release itself."""
        from app.model.report_document import ReportFigure
        from app.plots.figure_panel import figure

        panel = self.panel(record, progress)
        if panel is None:
            return None
        return ReportFigure(panel.title, self.summary(record), partial(figure, panel))

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        """Return the text on the card of a release: for several parts, their number and the first ones."""
        value, _, _ = self.summary(record).partition(":")
        return ReleasedAnswer(value, parts=first_lines(self.lines(record, MAX_PARTS + 1), MAX_PARTS))

    def method(self, release: Release) -> str:
        """Return the noise of a release, or else its mechanism."""
        return noise_words(release) or mechanism_label(release)

    def fits(self, record: ReleaseRecord) -> bool:
        """Return whether a value that was read from a file can have this shape.

        Numbers must be numbers, an empty release is None, and points have one number per coordinate.
        """
        value = record.release.value
        rows = [row for row in value if isinstance(row, list)] if isinstance(value, list) else []
        return _numeric(value) and all(len(row) == len(record.coordinates) for row in rows)

    def exact(self, record: ReleaseRecord) -> str:
        """Write a single number with all of its digits; "" for other values."""
        return ""

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        """Return the answer without noise (private); None if there is no such thing."""
        true = prepared.true_value(progress)
        return mechanism.output.true_answer(true, database.domain)

    def truth_table(self, record: ReleaseRecord) -> Table:
        """Return a true answer as a table, from a record that holds it as its value (private)."""
        return self.table(record)

    def recount(
        self, title: str, record: ReleaseRecord, database: AnyDatabase, limit: int, progress: Progress
    ) -> ReportTable | None:
        """Return the released value beside the truth (private), its first `limit` rows.

        None if that is not a table, or if the release has other columns or bounds than `database`.
        """
        return None

    # for the command line, which has mechanism and data at hand

    def headline(self, record: RunRecord) -> str:
        """Return a few words about the released value."""
        return self.nothing if record.release.value is None else self.summary(record)

    def listing(self, record: RunRecord) -> str:
        """Return the released value as a table, "" if `headline` says it all."""
        return "" if record.release.value is None else console_table(*self.table(record))

    def rows(self, run: Run) -> Rows:
        """Return public facts for this shape alone, as labels and words."""
        return []

    def parameters(self, record: RunRecord) -> dict[str, Any]:
        """Return all public parameters for the JSON output, and the plan if there is one."""
        run, public = record.run, dict(record.release.parameters)
        if run.data.columns:
            public["columns"] = list(run.data.columns)
        return public if run.plan is None else {**public, "plan": plan_facts(run.plan)}

    def value_json(self, release: Release) -> dict[str, Any]:
        """Return the released value for the JSON output."""
        return {"value": release.value}

    def error(self, record: RunRecord) -> str:
        """Return the half-width that holds 95 % of the errors."""
        unit = record.unit if self.error_unit is None else self.error_unit
        width = console_number(record.release.error or 0.0, 4, unit)
        return f"95 % within ± {width}{f' in each {self.each}' if self.each else ''}"

    def interval(self, record: RunRecord) -> str:
        """Return the public interval that is not `error`; "" if there is none."""
        return ""

    def remarks(self, record: RunRecord) -> Iterator[str]:
        """Yield remarks, from public facts alone."""
        yield from ()

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        """Return the diagnostics without the outputs of all blocks (private)."""
        domain, known = run.data.database.domain, prepared.diagnostics
        shaped = {
            **{name: value for name, value in known.items() if name != "outputs"},
            "true_value": run.mechanism.output.true_answer(known["true_value"], domain),
        }
        if "center" in known:
            shaped["center"] = run.mechanism.output.released(known["center"], domain)
        return {**shaped, "clamped": run.data.clamped, "dropped": run.data.dropped}

    def assessment(self, record: RunRecord) -> dict[str, Any]:
        """Return private facts about the release itself, at once: a release must not be lost."""
        return {}

    def private_rows(self, run: Run, private: Mapping[str, Any]) -> Rows:
        """Return private facts as labels and words."""
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
        """Draw the released value: the curator's view, or only the parts that can be shared."""
        from app.plots.figure_panel import figure

        empty = record.release.value is None and not self.draws_nothing
        panel = None if empty else self.panel(record)
        if panel is None:
            raise SensiscopeError("there is nothing to draw")
        return figure(panel, style)


# the card of a release


def first_lines(lines: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return the first lines of a value; dots at the end mean that there are more."""
    first = list(islice(lines, limit + 1))
    return tuple(first) if len(first) <= limit else (*first[: limit - 1], f"{first[limit - 1]} …")


def half_width(record: ReleaseRecord) -> float | None:
    """Return the half-width that holds 95 % of the errors; None if it is not public.

    It is not public if the scale of the noise follows from the data, or the bounds were taken from them.
    """
    return None if record.looked else record.release.error


def interval_words(record: ReleaseRecord) -> str:
    """Write the interval that holds the true value in 95 % of all releases, if it is public."""
    known = record.release.parameters
    if record.looked:
        return LOOKED
    if "interval" in known:
        return _paid_interval(record)
    if "rank_interval" in known:
        text = rank_words(known["rank_interval"])
        return text[:1].upper() + text[1:]
    interval, possible = next(rows_of(record.release)).interval, possible_range(record.release)
    if interval is None:
        return NO_INTERVAL
    if possible is not None and (interval[1] < possible.lower or interval[0] > possible.upper):
        return OUTSIDE
    ends = (format_like(end, 10 * (record.release.error or 1.0), record.unit) for end in interval)
    paid = known.get("error_share") if "error_bar" in record.release.noise else 0
    return f"95 % interval {' to '.join(ends)}{_for_share(paid)}"


def _paid_interval(record: ReleaseRecord) -> str:
    known = record.release.parameters
    low, high = known["interval"]
    ends = (format_like(end, 5 * (high - low) or abs(high) or 1.0, record.unit) for end in (low, high))
    covered = " for the population" if known.get("covers") == "population" else ""
    return f"95 % interval{covered} {' to '.join(ends)}{_for_share(known.get('error_share'))}"


def _for_share(paid: float | None) -> str:
    return f", for {share(paid)} of ε" if paid else ""


def rank_words(shares: Sequence[float]) -> str:
    """Write the shares of the records between which a released value lies in 95 % of releases."""
    low, high = (with_unit(number(100 * one, 3), "%") for one in shares)
    return f"between the {low} and the {high} point of the data (95 %)"


def error_words(record: ReleaseRecord, each: str) -> str:
    """Write the error of each of several numbers, or where their intervals are, if they are public."""
    if record.looked:
        return LOOKED
    if record.release.error is not None:
        return f"95 % within ± {quantity(record.release.error, record.unit)} in each {each}"
    return IN_PARENTHESES if any(row.interval for row in rows_of(record.release)) else NO_INTERVAL


def within_words(record: ReleaseRecord) -> str:
    """Write the public error of each noisy count; "" for counts without intervals."""
    if not any(row.interval for row in rows_of(record.release)):
        return ""
    family, scale = (record.release.noise[name] for name in ("family", "scale"))
    half = AddedNoise(family, scale[-1] if isinstance(scale, list) else scale).half_width
    before = "" if record.release.parameters.get("post") == "none" else "before post-processing, "
    return f"{before}95 % within ± {number(half)} records in each cell"


def end_words(record: ReleaseRecord, limit: int) -> Iterator[str]:
    """Yield the interval of each number in parentheses; "" if it is not public or the same width for all."""
    hidden = record.looked or record.release.error is not None
    for row in islice(rows_of(record.release), limit):
        ends = () if hidden else row.interval or ()
        yield f" ({' to '.join(map(number, ends))})" if ends else ""


def with_ends(record: ReleaseRecord, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Return a table of released numbers with the ends of their intervals, if these are public."""
    ends = [row.interval for row in islice(rows_of(record.release), len(rows))]
    if record.looked or not any(ends):
        return list(header), [list(row) for row in rows]
    both = zip(rows, ends, strict=True)
    return [*header, "95 % from", "to"], [[*row, *(interval or ("", ""))] for row, interval in both]


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
    """Return the picture of named numbers, with the truth in the curator's view."""
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.category_bars import CategoryBars

    truth = truth_of(record)
    numbers = dataclasses.replace(numbers, intervals=None) if record.looked else numbers
    view = numbers.compared(truth, simulated=record.release.simulated)
    return FigurePanel(title_words(record), CategoryBars, view, private=truth is not None)


def first_words(texts: Sequence[str], limit: int, between: str = ", ") -> str:
    """Write the first few texts."""
    return between.join(texts[:limit]) + (f"{between}…" if len(texts) > limit else "")


def cell_words(value: Any) -> str:
    """Write one number or label of a table."""
    return value if isinstance(value, str) else number(value)


def _numeric(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_numeric, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, int | float)

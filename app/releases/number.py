"""A number: the answer to a query."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from app.model.report_document import ReportFigure
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_like
from app.model.wording.numbers import quantity
from app.releases.answer import ReleasedAnswer, interval_words
from app.releases.labels import mechanism_class, mechanism_label, noise_words, query_words, title_words
from app.releases.shape import Shape, Table
from engine.domain import Interval
from engine.parameters import plain_parameters
from engine.progress import Progress, silent
from engine.queries import QUERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.figure_style import FigureStyle
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

REFUSED = "the mechanism refused to answer: the data are too close to some with a larger local sensitivity"


class NumberShape(Shape):
    """A number, or nothing where the mechanism refused to answer."""

    name = "number"
    nothing = "refused"

    def words(self, record: ReleaseRecord) -> str:
        return single_words(record)

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        return [query_words(record.release)], [[record.release.value]]

    def exact(self, record: ReleaseRecord) -> str:
        return repr(record.release.value)

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        """Return the number that the query has (private)."""
        return float(prepared.true_value(progress))

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return ReleasedAnswer(bare_words(record), record.unit, (interval_words(record, _possible(record)),))

    def method(self, release: Release) -> str:
        kind = mechanism_class(release)
        label, noise = mechanism_label(release), noise_words(release)
        chosen = kind is not None and any(one.kind == "noise" for one in kind.parameters())
        return f"{label}, {noise}" if chosen and noise else label

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        possible = _possible(record)
        return None if possible is None else line_drawing(record, possible)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        return None

    def headline(self, run: Run, release: Release) -> str:
        if release.value is None:
            return "no value: refused"
        return console_number(release.value, 8, run.unit)

    def listing(self, run: Run, release: Release) -> str:
        """Nothing: the number is said above."""
        return ""

    def parameters(self, run: Run, release: Release) -> dict[str, Any]:
        return {"method": release.mechanism, **release.parameters}

    def error(self, run: Run, release: Release) -> str:
        """Return the half-width that holds 95 % of the errors."""
        return f"95 % within ± {console_number(release.error or 0.0, 4, run.unit)}"

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        width = run.data.range_of(run.mechanism.query).width
        if release.value is None:
            yield REFUSED
        elif release.error is not None and release.error > width:
            yield (
                f"the noise ({self.error(run, release)}) is wider than the range of "
                f"possible results ({console_number(width, 4, run.unit)}): the value says little; "
                "try --method smooth or a larger epsilon"
            )

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        return {**prepared.diagnostics, "clamped": run.data.clamped, "dropped": run.data.dropped}

    def figure(
        self, run: Run, release: Release, prepared: Prepared, style: FigureStyle, *, show_private: bool
    ) -> Figure:
        from app.plots.figure_panel import figure
        from app.plots.figures import set_font
        from app.releases.number_figure import distribution_panel, number_line

        if show_private:
            released = None if release.simulated else release.value
            panel = distribution_panel(run.mechanism, run.data, run.privacy, released, seed=0)
            return figure(panel, style)
        possible = run.data.range_of(run.mechanism.query)
        drawn = number_line(release, possible, run.unit, release.query, style)
        set_font(drawn, style.font)
        return drawn


def single_words(record: ReleaseRecord) -> str:
    """Write a single number with the digits that its error leaves."""
    return f"{bare_words(record)} {record.unit}".rstrip()


def bare_words(record: ReleaseRecord) -> str:
    """Write it without its unit."""
    value, error = record.release.value, record.release.error
    return format_like(value, error * 100 if error else abs(value) or 1.0)


def line_drawing(record: ReleaseRecord, possible: Interval) -> ReportFigure:
    """Return the picture of a number among all possible ones."""
    from app.releases.number_figure import number_line

    draw = partial(number_line, record.release, possible, record.unit, query_words(record.release).lower())
    ends = (quantity(end, record.unit) for end in (possible.lower, possible.upper))
    said = f"{single_words(record)}, among possible results from {' to '.join(ends)}"
    return ReportFigure(title_words(record), said, draw)


def _possible(record: ReleaseRecord) -> Interval | None:
    """Return the public range of the results; None of a query that is not in the catalog."""
    release, known = record.release, record.release.parameters
    if release.query not in QUERIES:
        return None
    query = QUERIES[release.query]
    settings = {one.name: known[one.name] for one in plain_parameters(query) if one.name in known}
    domain = Interval(known["lower"], known["upper"]) if "lower" in known else Interval(0.0, 1.0)
    return query(**settings).value_range(domain, int(known.get("vertices", 1)))

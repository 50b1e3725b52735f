"""Numbers: the answer to a query, and the quantiles of a column."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from app.model.figure_style import STYLE, FigureStyle
from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import format_like, number, plain, quantity, share, short
from app.model.wording.releases import INEXACT
from app.releases.labels import mechanism_class, mechanism_label, noise_words, query_words, title_words
from app.releases.run import RunRecord
from app.releases.shape import (
    NO_INTERVAL,
    ReleasedAnswer,
    Shape,
    Table,
    bars,
    console_table,
    first_words,
    interval_words,
    rank_words,
)
from engine.analysis.possible_answers import quantile_releases
from engine.domain import Interval
from engine.mechanisms.answer_rows import possible_range, rows_of
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.release_record import ReleaseRecord
    from app.model.report_document import ReportFigure
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.database import AnyDatabase
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

SIZE = (7.8, 2.1)
"""Size of the picture of a number among all possible ones, in inches."""

REFUSED = "the mechanism refused to answer: a similar database has a larger local sensitivity"


class NumberShape(Shape):
    """A number, or nothing where the mechanism refused to answer."""

    name = "number"
    nothing = "refused"
    each = ""
    possible_answers = staticmethod(quantile_releases)

    def summary(self, record: ReleaseRecord) -> str:
        return number_words(record)

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return [query_words(record.release)], [[record.release.value]]

    def exact(self, record: ReleaseRecord) -> str:
        return repr(record.release.value)

    def true_answer(
        self, mechanism: Any, prepared: Prepared, database: AnyDatabase, progress: Progress
    ) -> Any:
        return float(prepared.true_value(progress))

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return ReleasedAnswer(bare_words(record), record.unit, (interval_words(record),))

    def method(self, release: Release) -> str:
        kind = mechanism_class(release)
        label, noise = mechanism_label(release), noise_words(release)
        chosen = kind is not None and any(one.kind == "noise" for one in kind.parameters())
        return f"{label}, {noise}" if chosen and noise else label

    def drawing(self, record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
        possible = possible_range(record.release)
        return None if possible is None else line_drawing(record, possible)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        return None

    def headline(self, record: RunRecord) -> str:
        value = record.release.value
        return "no value: refused" if value is None else console_number(value, 8, record.unit)

    def listing(self, record: RunRecord) -> str:
        return ""

    def parameters(self, record: RunRecord) -> dict[str, Any]:
        known = {name: one for name, one in record.release.parameters.items() if name != "interval"}
        return {"method": record.release.mechanism, **known}

    def value_json(self, release: Release) -> dict[str, Any]:
        interval = next(rows_of(release)).interval
        return {"value": release.value, "interval": None if interval is None else list(interval)}

    def interval(self, record: RunRecord) -> str:
        known = record.release.parameters
        if "interval" in known:
            ends = (console_number(end, 6, record.unit) for end in known["interval"])
            covered = (
                "the value of the population" if known.get("covers") == "population" else "the true value"
            )
            return f"{' to '.join(ends)} holds {covered} (95 %)"
        return rank_words(known["rank_interval"]) if "rank_interval" in known else ""

    def remarks(self, record: RunRecord) -> Iterator[str]:
        width = record.run.data.range_of(record.run.mechanism.query).width
        if record.release.value is None:
            yield REFUSED
        elif record.release.error is not None and record.release.error > width:
            yield (
                f"the noise ({self.error(record)}) is wider than the range of possible results "
                f"({console_number(width, 4, record.unit)}): the answer is useless; try --method "
                "smooth or a larger epsilon"
            )

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        return {**prepared.diagnostics, "clamped": run.data.clamped, "dropped": run.data.dropped}

    def figure(self, record: RunRecord, style: FigureStyle) -> Figure:
        from app.plots.figure_panel import figure
        from app.plots.figures import set_font

        run, release = record.run, record.release
        if record.prepared is not None:
            return figure(distribution_panel(run, None if release.simulated else release.value), style)
        possible = run.data.range_of(run.mechanism.query)
        drawn = number_line(release, possible, record.unit, release.query, style)
        set_font(drawn, style.font)
        return drawn


def number_words(record: ReleaseRecord) -> str:
    """Write a single number with the digits that its error leaves."""
    return f"{bare_words(record)} {record.unit}".rstrip()


def bare_words(record: ReleaseRecord) -> str:
    """Write a number without its unit."""
    value, error = record.release.value, record.release.error
    if error is None and (ends := record.release.parameters.get("interval")):
        error = (ends[1] - ends[0]) / 2
    return format_like(value, error * 100 if error else abs(value) or 1.0)


def line_drawing(record: ReleaseRecord, possible: Interval) -> ReportFigure:
    """Return the picture of a number among all possible ones, for a report."""
    from app.model.report_document import ReportFigure

    draw = partial(number_line, record.release, possible, record.unit, query_words(record.release).lower())
    ends = (quantity(end, record.unit) for end in (possible.lower, possible.upper))
    said = f"{number_words(record)}, among possible results from {' to '.join(ends)}"
    return ReportFigure(title_words(record), said, draw)


def distribution_panel(run: Run, released: float | None, seed: int = 0) -> FigurePanel:
    """Return the distribution of the released value, in theory and in simulated releases (private)."""
    from app.plots.figure_panel import FigurePanel
    from app.plots.sensitivity.release_distribution import ReleaseDistribution
    from engine.analysis.distribution import simulate_releases

    view = simulate_releases(run.mechanism, run.data.database, run.privacy, seed=seed, released=released)
    return FigurePanel(f"Released value: {run.mechanism.label}", ReleaseDistribution, view, run.data.unit)


def number_line(
    release: Release, possible: Interval, unit: str, name: str, style: FigureStyle = STYLE
) -> Figure:
    """Draw the released value among all possible results, with its error if that is public."""
    from app.model.theme import LIGHT
    from app.plots.elements.scales import linear_ticks, style_axes
    from app.plots.figures import titled_figure

    value, error = release.value, release.error
    title = plain(f"Simulated {name}, not a release" if release.simulated else f"Released {name}")
    drawn = titled_figure(title if style.has_title else "", LIGHT, style.sizes(SIZE)[0])
    drawn.set_dpi(style.resolution)
    axes = drawn.add_subplot()
    style_axes(axes, LIGHT)
    axes.yaxis.set_visible(False)
    axes.set_ylim(-1, 2.2)
    axes.set_xlabel(
        f"ε = {short(release.privacy.epsilon)}, δ = {short(release.privacy.delta)}, "
        f"{WORDS[release.neighbours].difference}{'' if release.exact else f', {INEXACT}'}; "
        "the gray line spans the possible results"
    )
    linear_ticks(axes.xaxis, unit)
    ends = [possible.lower, possible.upper]
    axes.plot(ends, [0, 0], color=LIGHT.border, linewidth=9, solid_capstyle="round")
    if value is None:
        text = "no value: the mechanism refused"
        axes.text(0.5, 0.65, text, transform=axes.transAxes, ha="center", color=LIGHT.ink)
        return drawn
    interval = release.parameters.get("interval")
    if interval is not None:
        axes.plot(interval, [0, 0], marker="|", markersize=10, color=LIGHT.released, linewidth=1.6)
    elif error is not None:
        axes.errorbar(value, 0, xerr=error, color=LIGHT.released, capsize=5, linewidth=1.6)
    axes.plot(value, 0, marker="o", markersize=9, color=LIGHT.released, markeredgecolor=LIGHT.card)
    text = quantity(value, unit, 5) + (f"  ± {quantity(error, unit)} (95 %)" if error is not None else "")
    if interval is not None:
        text += f"  ({' to '.join(quantity(end, unit) for end in interval)}, 95 %)"
    low, high = axes.get_xlim()
    quarter = (high - low) / 4
    side = "left" if value < low + quarter else "right" if value > high - quarter else "center"
    color = LIGHT.text(LIGHT.released)
    axes.annotate(plain(text), (value, 0.55), ha=side, color=color, fontweight="bold")
    return drawn


MAX_LISTED = 3
"""Most quantiles on a line."""


class QuantilesShape(Shape):
    """A value for each share."""

    name = "quantiles"
    heading = "Quantiles"
    short = "Distribution"

    def summary(self, record: ReleaseRecord) -> str:
        pairs = [f"{share(at)} {number(one)}" for at, one in _pairs(record.release.value)]
        return f"{counted(len(pairs), 'quantile')}: {first_words(pairs, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return ["share", "value"], [list(pair) for pair in _pairs(record.release.value)[:limit]]

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        return [f"{share(at)} below {number(one)}" for at, one in _pairs(record.release.value)[:limit]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return super().answer(record).with_note(NO_INTERVAL)

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        if not isinstance(value, dict):
            return False
        lists = [value.get("shares"), value.get("values")]
        return all(map(_is_numbers, lists)) and len(value["shares"]) == len(value["values"])

    def headline(self, record: RunRecord) -> str:
        return f"{counted(len(record.release.value['values']), 'quantile')} of {record.coordinates[0]}"

    def listing(self, record: RunRecord) -> str:
        return console_table(["share below", record.run.coordinates[0].title], self.table(record)[1])

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        from engine.mechanisms import Quantiles

        return bars(record, Quantiles.numbers(record.release.value))


def _pairs(value: Any) -> list[tuple[float, float]]:
    return list(zip(value["shares"], value["values"], strict=True))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, int | float) for one in value)

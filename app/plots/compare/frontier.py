"""Errors along a sweep: what accuracy each contender gives for how much privacy."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from app.model.theme import STROKES
from app.model.wording.numbers import number, plain
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.compare.contender_style import ContenderStyle, short_names, spoken_names
from app.plots.compare.view import (
    TRIVIAL,
    ComparisonView,
    behind,
    leaders,
    quantile_table,
    so_far,
    sweep_words,
    value_words,
    why_empty,
)
from app.plots.elements.error_axis import ErrorAxis
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.scales import GivenLocator, TickFormatter
from engine.array_types import Floats
from engine.comparison.results import Outcome

_BAND = (0.05, 0.95)
_REACH = 26.0  # points: a click farther from every run means none
_THIN, _SMALL, _LARGE = 1.4, 7.5, 9.5  # width of lines, and marks: all, and of the one that stands out


class ComparisonFrontier(Picture[ComparisonView]):
    """Median errors over a sweep, how far runs differ, and the best that any contender reaches."""

    title = "Accuracy against privacy"
    in_units = frozenset({"quantile"})
    has_log_y = False
    good_height = 260

    def build(self) -> None:
        self._columns = SweepColumns(self.axes.xaxis)
        self._errors = ErrorAxis(self.axes.yaxis, "")
        self._chosen = self.line("truth", linewidth=1.0, alpha=0.6)
        self._best: list[Line2D] = []
        self._trivial = self.line("global_")
        self._medians: list[Line2D] = []
        self._runs: list[Line2D] = []
        self._bands: list[Polygon] = []
        self._picked = self.dot("truth", markersize=15, clip_on=False, zorder=6, markerfacecolor="none")
        self._picked.set(markeredgecolor=self.palette.ink, markeredgewidth=2.2)
        self._sentence = self.sentence_above()

    def show(self, result: ComparisonView) -> None:
        self.named = result.comparison.complete  # then its sentence is shorter
        self._scale(result)
        while len(self._medians) < len(result.labels):
            self._add_contender()
        self._leading = result.leading
        for index in range(len(self._medians)):
            self._show_contender(result, index)
        edges = self.axes.get_xlim()
        self._trivial.set_data(*((edges, [result.trivial] * 2) if result.trivial else ([], [])))
        several = len(result.comparison.sweep.values) > 1
        self._chosen.set_data(*(([result.value] * 2, self.axes.get_ylim()) if several else ([], [])))
        self._picked.set_data(*self._place_of(result))
        labels = [self._label(result, index) for index in result.lines]
        if several:
            here = value_words(result.comparison.sweep.name, result.value)
            labels.append(Label(self.axes.get_ylim()[1], f"median error at {here}", self.palette.muted))
        if result.trivial:  # beside the picture: within, lines would run through it
            height = float(self._errors.locate(result.trivial))
            amount = f"up to {self.amount(result.trivial)}"
            stroke = STROKES["global_"]
            labels.append(Label(height, TRIVIAL, self.palette.global_, extra=amount, stroke=stroke))
        self.labels.set_labels(labels)
        asked = result.comparison, spoken_names(result.labels), result.places
        self._sentence.set_text(
            f"{so_far(result.comparison)}. {leaders(*asked)}".lstrip(". "), behind(*asked)
        )

    def _add_contender(self) -> None:
        band = Polygon(np.zeros((1, 2)), edgecolor="none", alpha=0.1, zorder=1.4)
        self._bands.append(self.add(band))
        self._runs.append(self.line("truth", zorder=2.0, marker="o", markersize=3.6, linestyle="none"))
        self._runs[-1].set_markeredgewidth(0)
        self._best.append(self.dot("truth", zorder=3.6, markersize=17.0, markerfacecolor="none"))
        self._medians.append(self.line("truth", clip_on=False))

    def _scale(self, r: ComparisonView) -> None:
        sweep = r.comparison.sweep
        made = sorted({outcome.trial.contender for outcome in r.comparison.outcomes if outcome.runs})
        self._columns.scale(sweep.values, made, apart=r.spread == "dots" or len(sweep.values) == 1)
        shares = (*_BAND, 0.5) if r.spread == "band" else (0.01, 0.5, 0.99)
        along = [outcome for index in range(len(r.labels)) for outcome in r.along(index)]
        drawn = [outcome.quantile(p) for outcome in along for p in shares]
        self._errors.scale([*drawn, *([] if r.trivial is None else [r.trivial])])
        self.axes.xaxis.set_major_locator(GivenLocator([sweep.values[index] for index in r.places]))
        self.axes.xaxis.set_major_formatter(TickFormatter(logarithmic=self._columns.logarithmic))
        # with the unit that the ticks leave out
        error = plain(f"error ({self.unit})") if self.unit else "error"
        bands = "band: 90 % of the runs" + " of the thick line" * (len(sweep.values) > 1)
        beside = bands if r.spread == "band" else "dots: single runs, side by side"
        set_y_label(self.axes, self.palette, f"median {error}; {beside}")
        won = "; ring: clear winner" * any(r.comparison.winner(at) is not None for at in r.places)
        shown, many = len(r.places), len(sweep.values)
        some = f"; {number(shown)} of {number(many)} values are drawn" if shown < many else ""
        set_x_label(self.axes, f"{sweep_words(sweep.name)}{won}{some}")

    def _show_contender(self, r: ComparisonView, index: int) -> None:
        line, runs, band = self._medians[index], self._runs[index], self._bands[index]
        outcomes = r.along(index) if index < len(r.labels) else []
        x = np.array([self._columns.middle(index, outcome.trial.position) for outcome in outcomes])
        self._best[index].set_data([], [])
        runs.set_data([], [])
        band.set_xy(np.zeros((1, 2)))
        line.set_data([], [])
        if not outcomes:
            return
        style = self._style(r, index)
        medians = np.array([outcome.quantile(0.5) for outcome in outcomes])
        line.set(data=_break_line(x, self._errors, medians))
        leads = index == self._leading
        line.set(color=style.colour, marker=style.marker, linestyle=style.stroke.linestyle)
        line.set(linewidth=style.stroke.width, markersize=_LARGE if leads else _SMALL, zorder=3.5 - leads / 2)
        # hollow in front of the filled one: marks that touch stay visible
        line.set_markerfacecolor(style.colour if leads else "none")
        band.set_color(style.colour)
        runs.set(color=style.colour, alpha=0.6 if leads else 0.2)
        self._best[index].set_markeredgecolor(style.colour)
        won = [r.comparison.winner(outcome.trial.position) == index for outcome in outcomes]
        self._best[index].set_data(x[won], self._errors.locate(medians[won]))
        if r.spread == "dots":
            runs.set_data(*np.concatenate([self._places(outcome, some=True)[1:] for outcome in outcomes], 1))
        elif x.size == 1 or leads:
            low, high = (self._errors.locate([o.quantile(p) for o in outcomes]) for p in _BAND)
            if x.size == 1:
                x = self._columns.edges(index, outcomes[0].trial.position)
                low, high = np.repeat(low, 2), np.repeat(high, 2)
            corners = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
            band.set_xy(np.column_stack(corners))

    def _style(self, r: ComparisonView, index: int) -> ContenderStyle:
        """Return how a mechanism is drawn: thin unless it is the one that stands out."""
        style = r.style(index, self.palette)
        thin = dataclasses.replace(style.stroke, width=_THIN)
        return style if index == self._leading else dataclasses.replace(style, stroke=thin)

    def _places(self, outcome: Outcome, *, some: bool) -> Floats:
        """Return runs, and where they stand, shape (3, runs): all, or some from the least error on."""
        runs = np.arange(outcome.runs)
        if some:
            ranks = np.linspace(0, outcome.runs - 1, min(MAX_DOTS, outcome.runs)).round().astype(np.int64)
            runs = np.argsort(outcome.errors)[ranks]
        trial = outcome.trial
        x = self._columns.spread(trial.contender, trial.position, runs)
        errors = outcome.errors[runs]  # refusals have none, and are worth an infinite one
        y = self._errors.locate(np.where(np.isnan(errors), np.inf, errors))
        return np.stack([runs, x, y])

    def pick(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the run that is drawn nearest to a point of the axes: the outcome's index, and which run.

        With bands it is a run of the contender whose median is nearest, with about that error.
        """
        if self.result is None or not (x > 0 or not self._columns.logarithmic) or not y > 0:
            return None
        click = self.axes.transData.transform((x, y))
        best, nearest = None, _REACH * figure_of(self.axes).dpi / 72
        drawn = set(self.result.places)
        outcomes = list(enumerate(self.result.comparison.outcomes))
        with_runs = [(index, one) for index, one in outcomes if one.runs and one.trial.position in drawn]
        if self.result.spread == "band" and with_runs:
            with_runs = [min(with_runs, key=lambda pair: self._distance(click, pair[1]))]
        for index, outcome in with_runs:
            runs, *places = self._places(outcome, some=False)
            away = np.linalg.norm(self.axes.transData.transform(np.transpose(places)) - click, axis=1)
            run = int(away.argmin())
            if away[run] <= nearest:
                best, nearest = (index, int(runs[run])), float(away[run])
        return best

    def _distance(self, click: Floats, outcome: Outcome) -> float:
        """Return how far a median is from a click, in pixels."""
        x = self._columns.middle(outcome.trial.contender, outcome.trial.position)
        middle = self.axes.transData.transform((x, float(self._errors.locate(outcome.quantile(0.5)))))
        return float(np.linalg.norm(middle - click))

    def _place_of(self, r: ComparisonView) -> tuple[Any, Any]:
        """Return where the picked run is, if it is there still."""
        index, run = r.picked or (-1, -1)
        if not (0 <= index < len(r.comparison.outcomes) and 0 <= run < r.comparison.outcomes[index].runs):
            return [], []
        _, x, y = self._places(r.comparison.outcomes[index], some=False)
        return [x[run]], [y[run]]

    def _label(self, r: ComparisonView, index: int) -> Label:
        style = self._style(r, index)
        name, rest = short_names([r.labels[one] for one in r.lines])[r.lines.index(index)]
        results = r.along(index)
        notes = [*r.remarks(index), *([rest] if rest else [])]
        if not results:
            reason = why_empty(next((one for one in r.comparison.of(index) if not one.problem), None))
            return Label(self._errors.high, plain(name), self.palette.muted, note=reason)
        typical = r.typical(index)
        return Label(
            float(self._errors.locate(typical if np.isfinite(typical) else results[-1].quantile(0.5))),
            plain(name),
            style.colour,
            extra=r.beside(index, self.amount(typical) if np.isfinite(typical) else ""),
            note=plain(" · ".join(notes)),
            bold=r.wins(index),
            stroke=style.stroke,
            marker=style.marker,
            hollow=index != self._leading,
        )

    def tooltip_at(self, r: ComparisonView, x: float, y: float) -> str:
        if not r.comparison.sweep.values:
            return ""
        here = dataclasses.replace(r, position=self._columns.nearest(x))
        texts = [f"{r.labels[index]}: {here.typical_words(index, self.unit)}" for index in here.order]
        texts = [value_words(r.comparison.sweep.name, here.value), *texts, here.trivial_words(self.unit)]
        return "\n".join(filter(None, texts))

    def alt_text_of(self, r: ComparisonView) -> str:
        if not r.comparison.sweep.values:
            return ""
        values = r.comparison.sweep.values
        ends = [self.tooltip(value) for value in dict.fromkeys((values[0], values[-1]))]
        return f"{self._sentence.text} " + " ".join(f"{text}.".replace("\n", "; ") for text in ends)

    def table_of(self, r: ComparisonView) -> Table:
        trials = ((one.trial, one) for one in r.comparison.outcomes)
        tried = [(r.labels[trial.contender], trial.value, one) for trial, one in trials]
        return quantile_table(r.comparison.sweep.name, tried, (0.05, 0.5, 0.95))


def _break_line(x: Floats, axis: ErrorAxis, errors: Floats) -> tuple[Floats, Floats]:
    """Return a line through errors that does not join refusals to numbers: nothing lies between them."""
    gaps = np.flatnonzero(np.diff(np.isinf(errors))) + 1
    return np.insert(x, gaps, np.nan), np.insert(axis.locate(errors), gaps, np.nan)


MAX_DOTS = 100  # runs that are drawn of one contender at one place
_LOG_PAYS = 8.0  # ratio of the ends from which on an axis is logarithmic
_MARGIN = 0.55, 0.2  # of a step: beside the outermost places, with columns and without
_SHARED = 0.8  # of a step: for the columns of one place
_FILLED = 0.7  # of a column, for its dots
_GOLDEN = (np.sqrt(5) - 1) / 2


class SweepColumns:
    """Gives every contender at every place of a sweep a column of its own, or its mark at the value.

    `values`: shape (places,), the values of the sweep. `logarithmic`: whether equal ratios are equally far
    apart.
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        self.values: Floats = np.ones(1)
        self.logarithmic = False
        self._step = self._share = 1.0
        self._contenders: Sequence[int] = [0]

    def scale(self, values: Sequence[float], contenders: Sequence[int], *, apart: bool) -> None:
        """Choose scale and limits for values in increasing order, and for the `contenders` that are drawn."""
        self.values = np.array(values or (1.0,), dtype=np.float64)
        self.logarithmic = bool(self.values[0] > 0 and self.values[-1] > _LOG_PAYS * self.values[0])
        self._contenders = contenders
        places = self._straight(self.values)
        self._step = float(np.diff(places).min()) if places.size > 1 else 0.2 * (abs(places[0]) or 1.0)
        self._share = apart * _SHARED * self._step / max(len(contenders), 1)
        margin = self._step * _MARGIN[not apart]
        limits = tuple(self._curved(places[[0, -1]] + [-margin, margin]).tolist())
        axes = self._axis.axes
        wanted = "log" if self.logarithmic else "linear"
        if axes.get_xscale() != wanted:
            axes.set_xlim(limits)  # positive before the scale is logarithmic
            axes.set_xscale(wanted)
            axes.minorticks_off()
        if axes.get_xlim() != limits:
            axes.set_xlim(limits)

    def nearest(self, x: float) -> int:
        """Return the place of the value that is drawn nearest to `x`."""
        x = max(x, np.finfo(np.float64).tiny) if self.logarithmic else x
        return int(np.abs(self._straight(self.values) - self._straight(x)).argmin())

    def middle(self, contender: int, index: int) -> float:
        """Return where the column of a contender at a place stands."""
        aside = (self._contenders.index(contender) - (len(self._contenders) - 1) / 2) * self._share
        return float(self._curved(self._straight(self.values[index]) + aside))

    def spread(self, contender: int, index: int, runs: ArrayLike) -> Floats:
        """Return where single runs stand: side by side in their column, always the same way."""
        middle = self._straight(self.middle(contender, index))
        beside = np.asarray(runs) * _GOLDEN % 1 - 0.5
        return self._curved(middle + _FILLED * self._share * beside)

    def edges(self, contender: int, index: int) -> Floats:
        """Return both edges of a column, shape (2,)."""
        middle = self._straight(self.middle(contender, index))
        return self._curved(middle + _FILLED * self._share * np.array([-0.5, 0.5]))

    def _straight(self, values: ArrayLike) -> Floats:
        """Return coordinates in which equal steps look equal."""
        return np.asarray(np.log(values) if self.logarithmic else values, dtype=np.float64)

    def _curved(self, places: ArrayLike) -> Floats:
        return np.asarray(np.exp(places) if self.logarithmic else places, dtype=np.float64)

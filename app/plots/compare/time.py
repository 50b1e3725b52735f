"""How long a release takes each contender: looking at the data, and drawing."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain
from app.plots.base import Table, set_x_label
from app.plots.compare.contender_rows import ContenderRows
from app.plots.compare.contender_style import short_names, spoken_names
from app.plots.compare.view import ComparisonView
from app.plots.elements.durations import DurationFormatter, duration
from app.plots.elements.labels import Label
from app.plots.elements.scales import LogLocator
from engine.comparison.results import Outcome

_SHORTEST = 1e-8  # seconds: what took less than any clock tells is drawn there
_AIR = 0.06
_MEANING = "time of a release: ○ a look at the data, once  │ a draw  (beside: both)"
_CLOSE = 1.25  # times as long: no difference that matters


class ComparisonTime(ContenderRows[ComparisonView]):
    """For each contender the seconds of looking at the data and of one draw; beside it both."""

    title = "Run time"

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._rows: list[tuple[Line2D, Line2D]] = []
        axes.set_xlim(1e-3, 1)  # positive before the scale is logarithmic
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(floor=np.finfo(np.float64).tiny))
        axes.xaxis.set_major_formatter(DurationFormatter())
        axes.minorticks_off()

    def show(self, result: ComparisonView) -> None:
        while len(self._rows) < len(result.labels):
            self._rows.append(self._new_row())
        self._scale(result)
        for index, row in enumerate(self._rows):
            self._show_row(result, index, row)
        set_x_label(self.axes, f"{_MEANING}{plain(result.left_out(result.rows))}")
        self.labels.set_labels([self._label(result, index) for index in result.rows])
        self._sentence.set_text(self._fastest(result))

    def _new_row(self) -> tuple[Line2D, Line2D]:
        look = self.dot("truth", markersize=9, markerfacecolor=self.palette.card, markeredgewidth=2.0)
        return look, self.dot("truth", marker="|", markersize=15, markeredgewidth=2.6)

    def _show_row(self, r: ComparisonView, index: int, row: tuple[Line2D, Line2D]) -> None:
        for mark in row:
            mark.set_data([], [])
        if index not in r.rows:
            return
        colour = r.style(index, self.palette).colour
        outcome, y = _timed(r, index), -r.rows.index(index)
        if outcome is None:
            self._write(r.empty(index), -y)
            return
        for mark, seconds in zip(row, _spans(outcome)[:2], strict=True):
            mark.set_markeredgecolor(colour)
            mark.set_data([max(seconds, _SHORTEST)], [y])

    def _scale(self, r: ComparisonView) -> None:
        outcomes = [outcome for index in range(len(r.labels)) if (outcome := _timed(r, index))]
        known = np.array([span for outcome in outcomes for span in _spans(outcome) if span > 0] or [1e-3])
        known = np.maximum(known, _SHORTEST)
        self._lay(len(r.rows), float(known.min()), float(known.max()), _AIR)

    def _label(self, r: ComparisonView, index: int) -> Label:
        name, rest = short_names(r.labels)[index]
        outcome, row = _timed(r, index), r.rows.index(index)
        if outcome is None:
            return Label(-row, plain(name), self.palette.muted, note=plain(rest))
        colour = r.style(index, self.palette).colour
        return Label(-row, plain(name), colour, extra=duration(outcome.seconds_per_run), note=plain(rest))

    def _fastest(self, r: ComparisonView) -> str:
        known = {p: match.seconds_per_run for p in range(len(r.labels)) if (match := _timed(r, p))}
        if not known:
            return "No run has been timed yet."
        names = spoken_names(r.labels)
        order = sorted(known, key=known.__getitem__)
        first, last = order[0], order[-1]
        if len(order) == 1:
            return f"{names[first]} takes {duration(known[first])} for a release."
        if known[last] <= _CLOSE * known[first]:
            return f"All of them take about {duration(known[last])} for a release."
        slower = f"{names[last]} takes {duration(known[last])}"
        if known[first] > 0:
            slower += f", {number(known[last] / known[first], 2)} times as long"
        return f"{names[first]} is the fastest, with {duration(known[first])} for a release; {slower}."

    def tooltip_at(self, r: ComparisonView, x: float, y: float) -> str:
        if not 0 <= round(-y) < len(r.rows):
            return ""
        return self._spent(r, r.rows[round(-y)])

    def _spent(self, r: ComparisonView, index: int) -> str:
        """Say how long a contender takes, or why that is not known."""
        outcome = _timed(r, index)
        if outcome is None:
            return f"{r.labels[index]}: {r.empty(index)}"
        look, draw, release = (duration(span) for span in _spans(outcome))
        return (
            f"{r.labels[index]}: {look} to look at the data, {draw} for each draw; a release takes {release}"
        )

    def alt_text_of(self, r: ComparisonView) -> str:
        rows = [self._spent(r, index) for index in range(len(r.labels))]
        return f"{self._fastest(r)} {'; '.join(rows)}."

    def table_of(self, r: ComparisonView) -> Table:
        header = ["mechanism", "value", "runs", "seconds to look", "seconds to draw", "seconds per release"]
        rows = []
        for index, label in enumerate(r.labels):
            outcome = _timed(r, index)
            spans = ["", "", ""] if outcome is None else list(_spans(outcome))
            rows.append([label, r.value, outcome.runs if outcome else 0, *spans, r.empty(index)])
        return [*header, "problem"], rows


def _timed(r: ComparisonView, index: int) -> Outcome | None:
    """Return the outcome of a contender at the chosen value if it has any runs, refused or not."""
    outcome = r.outcome(index)
    return outcome if outcome is not None and outcome.runs else None


def _spans(outcome: Outcome) -> tuple[float, float, float]:
    """Return the seconds of looking at the data, of one draw, and of a release."""
    return outcome.preparing, outcome.drawing / outcome.runs, outcome.seconds_per_run

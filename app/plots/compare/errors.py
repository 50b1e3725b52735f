"""Errors of all contenders at one value of the sweep: dots, boxes, or the share of runs within."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.wording.numbers import plain, quantity, share
from app.plots.base import Picture, Table, set_points, set_x_label
from app.plots.compare.contender_style import short_names
from app.plots.compare.view import TRIVIAL, ComparisonView, quantile_table
from app.plots.elements.dot_rows import SHARES, DotRow, DotRows
from app.plots.elements.error_axis import ErrorAxis
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.scales import TICK_SIZE, linear_ticks
from engine.array_types import Floats
from engine.comparison.results import Outcome

_HEIGHT, _BASE = 0.78, -0.42  # of a row, and where its dots begin
_MEDIAN = 0.88  # height of the line at the median, above the dots
_ROWS = 2  # at least there is room
_DOTS = 50
_HALF = 0.2  # of the thickness of a box, in rows
_STEPS, _LOWEST = 400, 0.01  # of a curve; and the share at which it begins
_BESIDE = 6.0  # points from no error at all to how many runs have none
_OVER = 12.0  # points above the axes, for the name of the largest error
_TOP = 104.0  # of the axis of shares, in per cent
_WORDS = {
    "dots": "each dot: {} of the runs; upright line: median",
    "box": "box: half of the runs, whiskers: 90 %, upright line: median",
    "ecdf": "height: share of the runs within",
}


class ComparisonErrors(Picture[ComparisonView]):
    """One row of errors for each contender, or one curve, and a sentence that says who wins."""

    title = "Errors of simulated releases"
    in_units = frozenset({"quantile"})
    has_log_y = False
    good_height = 260

    def build(self) -> None:
        self._errors = ErrorAxis(self.axes.xaxis, self.unit)
        self._trivial = self.line("global_")
        rail = self.palette.tint(self.palette.muted, 0.3)
        self._baselines = self.line("truth", color=rail, linewidth=1.0, zorder=1.6)
        # over boxes, but behind dots: it hides none
        self._medians = self.line("truth", linewidth=2.2, zorder=2.9, solid_capstyle="butt")
        self._rows = self.add(DotRows(self.axes))
        self._boxes = self.add(PatchCollection([], zorder=2.8))
        self._lines: list[Line2D] = []
        self._texts: list[Text] = []
        above = offset_copy(self.axes.get_xaxis_transform(), figure_of(self.axes), 4, 3, units="points")
        self._limit = self.text(
            1, 1, transform=above, color=self.palette.muted, fontsize=TICK_SIZE, ha="right"
        )
        self._sentence = self.sentence_above(_OVER)
        linear_ticks(self.axes.yaxis, "%")
        self.axes.yaxis.set_visible(False)

    def show(self, result: ComparisonView) -> None:
        self.named = result.mode, result.comparison.complete  # then its sentence is shorter
        self._clear(result)
        self._scale(result)
        if result.mode == "ecdf":
            self._show_curves(result)
        else:
            self._show_rows(result)
        self._show_trivial(result)
        marks = _WORDS[result.mode].format(share(1 / _dots(result)))
        set_x_label(self.axes, f"{result.measure}; {marks}")
        self._sentence.set_text(result.sentence(self.unit, result.where))
        heading = Label(self.axes.get_ylim()[1], "median error", self.palette.muted)
        self.labels.set_labels([*(self._label(result, index) for index in reversed(result.rows)), heading])

    def _clear(self, r: ComparisonView) -> None:
        self.clear(self._texts)
        while len(self._lines) < len(r.labels):
            self._lines.append(self.line("truth"))
        for line in (*self._lines, self._baselines, self._medians):
            line.set_data([], [])
        self._rows.set_rows([])
        self._boxes.set_paths([])

    def _scale(self, r: ComparisonView) -> None:
        curves = r.mode == "ecdf"
        results = [outcome for outcome in r.comparison.at(r.position) if outcome.runs]
        # curves that do not reach the top tell of refusals
        drawn = [o.curve(_STEPS, _LOWEST)[0] if curves else self._quantiles(r, o) for o in results]
        trivial = [] if r.trivial is None else [r.trivial]
        self._errors.scale(np.concatenate([*drawn, trivial]))
        self.axes.yaxis.set_visible(curves)
        limits = (0.0, _TOP) if curves else (0.5 - max(len(r.rows), _ROWS), 0.5)
        if self.axes.get_ylim() != limits:
            self.axes.set_ylim(limits)

    def _quantiles(self, r: ComparisonView, outcome: Outcome) -> Floats:
        dots = _dots(r)
        shares = (np.arange(dots) + 0.5) / dots if r.mode == "dots" else SHARES
        return np.array([outcome.quantile(p) for p in shares])

    def _show_rows(self, r: ComparisonView) -> None:
        rows, medians, boxes, colours = [], [], [], []
        for row, index in enumerate(r.rows):
            colour, base = r.style(index, self.palette).colour, _BASE - row
            outcome = r.outcome(index)
            if outcome is None or r.empty(index):
                self._write(r.empty(index), base)
                continue
            drawn, middle = self._quantiles(r, outcome), base + _HEIGHT / 2
            ends = (base, base + _MEDIAN) if r.mode == "dots" else (middle - _HALF, middle + _HALF)
            typical = outcome.quantile(0.5)
            if np.isfinite(typical):
                medians += [(float(self._errors.locate(typical)), end) for end in ends] + [(np.nan, np.nan)]
            if r.mode == "dots":
                # the other runs appear only as a share
                seen = drawn[(drawn > 0) & np.isfinite(drawn)]
                rows.append(DotRow(base, _HEIGHT, self._errors.locate(seen), colour))
                self._count(outcome, base, colour)
                continue
            low, first, _, third, high = self._errors.locate(drawn).tolist()
            boxes.append(Rectangle((first, middle - _HALF), third - first, 2 * _HALF))
            colours.append(colour)
            self._lines[index].set(data=([low, first, np.nan, third, high], [middle] * 5), color=colour)
            self._lines[index].set(linewidth=2.6, linestyle="solid", drawstyle="default")
        self._rows.set_rows(rows)
        self._boxes.set_paths(boxes)
        tints = [self.palette.tint(colour, 0.4) for colour in colours]
        self._boxes.set(facecolor=tints, edgecolor=colours, linewidth=1.6)
        set_points(self._medians, medians)
        if r.mode == "dots":
            lines = [(x, _BASE - row) for row in range(len(r.rows)) for x in (*self.axes.get_xlim(), np.nan)]
            set_points(self._baselines, lines)

    def _count(self, outcome: Outcome, base: float, colour: str) -> None:
        ends = ((outcome.exact, self._errors.zero), (outcome.refused / outcome.runs, self._errors.refused))
        used = (self._errors.has_zero, self._errors.has_refused)
        for (part, x), seen in zip(ends, used, strict=True):
            if part and seen:
                self._write(share(part), base, x, colour)

    def _show_curves(self, r: ComparisonView) -> None:
        for index, line in enumerate(self._lines[: len(r.labels)]):
            outcome = r.outcome(index)
            if outcome is None or not outcome.answered.size:
                continue
            style = r.style(index, self.palette)
            errors, counts = outcome.curve(_STEPS, _LOWEST)
            shares = 100 * counts / outcome.runs
            left, right = self.axes.get_xlim()
            x = [left, *self._errors.locate(errors).tolist(), right]
            line.set(data=(x, [0.0, *shares, shares[-1]]), color=style.colour, drawstyle="steps-post")
            line.set(linewidth=style.stroke.width, linestyle=style.stroke.linestyle)

    def _show_trivial(self, r: ComparisonView) -> None:
        known = [] if r.trivial is None else [r.trivial] * 2
        self._trivial.set_data(known, self.axes.get_ylim() if known else [])
        text = f"{TRIVIAL}: up to {self.amount(known[0])}" if known else ""
        self._limit.set(x=known[0] if known else 1.0, text=text)

    def _write(self, label: str, base: float, x: float | None = None, colour: str = "") -> None:
        data = self.axes.get_yaxis_transform() if x is None else self.axes.transData
        text = self.text(0.01 if x is None else x, base, plain(label), va="bottom", zorder=4)
        first = x is None or x == self._errors.zero
        beside = 0 if x is None or not first else _BESIDE
        text.set_transform(offset_copy(data, figure_of(self.axes), beside, 3, units="points"))
        text.set(ha="left" if first else "center", fontsize=TICK_SIZE + 0.5)
        text.set(color=self.palette.text(colour) if colour else self.palette.muted, clip_on=x is None)
        self._texts.append(text)

    def _label(self, r: ComparisonView, index: int) -> Label:
        style, curves, empty = r.style(index, self.palette), r.mode == "ecdf", r.empty(index)
        row = r.rows.index(index)
        name, rest = short_names([r.labels[one] for one in r.rows])[row]
        y = _TOP * (1 - (row + 0.5) / len(r.rows)) if curves else _BASE - row + _HEIGHT / 2
        notes = [*r.remarks(index), *([empty] if curves and empty else []), *([rest] if rest else [])]
        typical = r.typical(index)
        return Label(
            y,
            plain(name),
            self.palette.muted if empty else style.colour,
            extra=r.beside(index, "" if empty or np.isinf(typical) else self.amount(typical)),
            note=plain(" · ".join(notes)),
            bold=r.wins(index),
            stroke=style.stroke if curves else None,
        )

    def tooltip_at(self, r: ComparisonView, x: float, y: float) -> str:
        if r.mode == "ecdf":
            return "\n".join(self._within(r, index, x) for index in r.order)
        return self._within(r, r.rows[round(-y)], x) if 0 <= round(-y) < len(r.rows) else ""

    def _within(self, r: ComparisonView, index: int, x: float) -> str:
        outcome, label = r.outcome(index), r.labels[index]
        if outcome is None or r.empty(index):
            return f"{label}: {r.empty(index)}"
        if self._errors.has_refused and x > self._errors.high:
            return f"{label}: {share(outcome.refused / outcome.runs)} of the runs refused to answer"
        x = 0.0 if self._errors.has_zero and x < self._errors.low else x
        nearer = share(outcome.within(x))
        within = f"{label}: {nearer} of the runs are within {quantity(x, self.unit)} of the truth"
        return within if r.trivial is None or x < r.trivial else f"{within}\n{r.trivial_words(self.unit)}"

    def alt_text_of(self, r: ComparisonView) -> str:
        texts = [f"{r.labels[index]}: {r.typical_words(index, self.unit)}" for index in r.order]
        return f"{r.sentence(self.unit, r.where)} {'; '.join(texts)}."

    def table_of(self, r: ComparisonView) -> Table:
        tried = [(label, r.value, r.outcome(index)) for index, label in enumerate(r.labels)]
        return quantile_table("value", tried, SHARES)


def _dots(r: ComparisonView) -> int:
    """Return how many dots each row has: no more than some contender has runs at the chosen value."""
    return min(_DOTS, max((outcome.runs for outcome in r.comparison.at(r.position)), default=0) or _DOTS)

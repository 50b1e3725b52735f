"""How far releases are from the truth, mechanism beside mechanism (simulated)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.text import Text

from app.model.wording.numbers import number, plain, quantity, share
from app.plots.base import Picture, Table, set_points, set_x_label
from app.plots.clustering.point_cloud import baseline
from app.plots.elements.dot_rows import DOTS, QUANTILES, DotRow, DotRows, quantile_cells, quantile_dots
from app.plots.elements.labels import Label
from app.plots.elements.scales import TICK_SIZE, log_axis, logarithmic
from engine.analysis.points_errors import ErrorComparison, ErrorSample

_DEEPEST = 1e-6  # of Λ: smaller errors are drawn at the left edge
_HEIGHT, _BASE = 0.74, -0.4  # of a row, and where its dots begin
_MARGIN = 0.05  # of the logarithm of the limits, keeps the outermost ticks off the edges
_ROWS = 2  # at least there is room for
_DRAW = 1.1  # ratio of typical errors below which neither wins
_USELESS = 0.25  # of Λ
_SERIES = (2, 0, 3, 7, 6, 4)  # places in the series; green is what is released


class ReleaseErrors(Picture[ErrorComparison]):
    """Simulated errors of several mechanisms as rows of dots, and a sentence that says who wins."""

    title = "Errors of simulated releases"
    in_units = frozenset({"quantile"})
    has_log_y = False
    _limits: tuple[float, float] | None = None

    def build(self) -> None:
        self._largest = self.line("global_")
        self._baselines = self.line("truth", color=self.palette.border, linewidth=1.0, zorder=1.6)
        self._medians = self.line("truth", linewidth=1.6, zorder=3.5)
        self._rows = self.add(DotRows(self.axes))
        self._sentence = self.sentence_above(0.0)
        self._problems: list[Text] = []
        log_axis(self.axes.xaxis, self.unit)
        self.axes.yaxis.set_visible(False)
        set_x_label(self.axes, f"error, log scale (dotted: largest possible); a dot is 1 in {DOTS} releases")

    def show(self, result: ErrorComparison) -> None:
        self._scale(result)
        left, right = self.axes.get_xlim()
        rows, medians, labels = [], [], []
        for index, sample in enumerate(in_rows(result)):
            colour = self._colour(sample, result.samples)
            base = _BASE - index
            rows.append(DotRow(base, _HEIGHT, np.maximum(quantile_dots(sample.answered), left), colour))
            if sample.answered.size:
                middle = max(sample.typical, left)
                medians += [(middle, base), (middle, base + _HEIGHT), (np.nan, np.nan)]
            labels.append(self._label(result.ranked, sample, base + _HEIGHT / 2, colour))
        self._rows.set_rows(rows)
        set_points(self._medians, medians)
        lines = [(x, _BASE - p) for p in range(len(result.samples)) for x in (left, right, np.nan)]
        set_points(self._baselines, lines)
        self._largest.set_data([result.diameter] * 2, self.axes.get_ylim())
        self.labels.set_labels(labels)
        self._explain(result)
        self._sentence.set_text(*sentence(result, self.unit))

    def _scale(self, r: ErrorComparison) -> None:
        least = _DEEPEST * r.diameter
        known = [quantile_dots(sample.answered)[[0, -1]] for sample in r.ranked]
        drawn = np.maximum(np.concatenate([*known, [r.diameter]]), least)
        self._limits = logarithmic(self._limits, float(drawn.min()), float(drawn.max()))
        margin = (self._limits[1] / self._limits[0]) ** _MARGIN
        self.axes.set_xlim(self._limits[0] / margin, self._limits[1] * margin)
        self.axes.set_ylim(0.5 - max(len(r.samples), _ROWS), 0.5)

    def _colour(self, sample: ErrorSample, samples: tuple[ErrorSample, ...]) -> str:
        if sample.chosen:
            return self.palette.smooth
        if sample.baseline:
            return baseline(self.palette)
        others = [other for other in samples if not other.chosen and not other.baseline]
        return self.palette.series[_SERIES[others.index(sample) % len(_SERIES)]]

    def _label(self, ranked: Sequence[ErrorSample], sample: ErrorSample, y: float, colour: str) -> Label:
        if not sample.answered.size:
            return Label(y, plain(sample.label), self.palette.muted)
        note = f"95 % within {self.amount(float(np.quantile(sample.answered, 0.95)))}"
        refused = 1 - sample.answered.size / sample.errors.size
        if refused:
            note += f", {share(refused)} refused"
        twin = next(other for other in ranked if np.array_equal(other.errors, sample.errors, equal_nan=True))
        if twin is not sample:
            note = f"the same answers as {twin.label}"
        return Label(
            y, f"{plain(sample.label)}  {self.amount(sample.typical)}", colour, note=note, bold=sample.chosen
        )

    def _explain(self, r: ErrorComparison) -> None:
        self.clear(self._problems)
        for index, sample in enumerate(in_rows(r)):
            if not sample.answered.size:
                label = plain(sample.problem or "all refused")
                text = self.text(0.02, _BASE - index + 0.1, label, fontsize=TICK_SIZE, clip_on=True)
                text.set(transform=self.axes.get_yaxis_transform(), color=self.palette.muted)
                self._problems.append(text)

    def tooltip_at(self, r: ErrorComparison, x: float, y: float) -> str:
        if not 0 <= round(-y) < len(r.samples):
            return ""
        sample = in_rows(r)[round(-y)]
        if not sample.answered.size:
            return f"{sample.label}: {sample.problem or 'all refused'}"
        nearer = share(float(np.mean(sample.answered <= x)))
        return f"{sample.label}: {nearer} of the releases are within {quantity(x, self.unit)} of the truth"

    def alt_text_of(self, r: ErrorComparison) -> str:
        typical = [f"{s.label} {quantity(s.typical, self.unit)}" for s in r.ranked]
        text, why = sentence(r, self.unit)
        return f"{text} {why}".rstrip() + f" Typical errors: {'; '.join(typical) or 'none'}."

    def table_of(self, r: ErrorComparison) -> Table:
        rows: list[list[Any]] = []
        for sample in r.samples:
            runs, answers = sample.errors.size, sample.answered.size
            rows.append(
                [sample.label, runs, runs - answers, *quantile_cells(sample.answered), sample.problem]
            )
        return ["mechanism", "runs", "refused", *QUANTILES, "problem"], rows


def in_rows(compared: ErrorComparison) -> tuple[ErrorSample, ...]:
    """Return the mechanisms, the smallest typical error first; those without releases last."""
    return *compared.ranked, *(sample for sample in compared.samples if not sample.answered.size)


def sentence(compared: ErrorComparison, unit: str) -> tuple[str, str]:
    """Say in words who wins, and whether that is of any use; return also why."""
    ranked = compared.ranked
    if not ranked:
        return "No mechanism has made a release.", ""
    best = ranked[0]
    text = f"half of the releases are within {quantity(best.typical, unit)} of the truth"
    if best.typical >= _USELESS * compared.diameter:
        useless = f"Of little use here: even with {best.label}, only {text}"
        return f"{useless}, and the largest possible error is {quantity(compared.diameter, unit)}.", ""
    if len(ranked) == 1:
        return f"{best.label}: {text}.", ""
    chosen = next((sample for sample in ranked if sample.chosen), ranked[1])
    other = ranked[1] if chosen is best else chosen
    ratio = other.typical / best.typical if best.typical else float("inf")
    if ratio < _DRAW:
        return f"{best.label} and {other.label} are equally good: with both, {text}.", ""
    times = f"{number(ratio, 2)}× smaller error than {other.label}"
    return f"{best.label} wins: {text}, {times}.", best.why

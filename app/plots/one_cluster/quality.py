"""How good simulated balls are: what they hold, and how large they are, against the true one."""

from __future__ import annotations

import math

import numpy as np

from app.model.wording.numbers import number, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import around, linear_ticks, log_axis
from engine.analysis.ball_quality import BallSample
from engine.array_types import Floats
from engine.round_numbers import nice


class BallQuality(Picture[BallSample]):
    """Records in the ball against relative radius, one dot for each simulated release."""

    title = "Simulated balls"
    has_log_y = False

    def build(self) -> None:
        self._whole = self.line("global_")
        self._promise = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._median = self.line("released", linewidth=1.2, linestyle="solid")
        self._dots = self.line("released", marker="o", markersize=6, linestyle="none", alpha=0.45)
        self._dots.set_markeredgewidth(0)
        self._middle = self.dot("released", marker="D", markersize=9)
        self._truth = self.line("truth", marker="+", markersize=15, markeredgewidth=1.8, zorder=4)
        log_axis(self.axes.xaxis, "×")
        linear_ticks(self.axes.yaxis, "")
        set_y_label(self.axes, self.palette, "records in the ball")
        self._sentence = self.sentence_above()

    def show(self, result: BallSample) -> None:
        coverage, ratio = result.comparable
        held, promised = result.t * coverage, result.t * result.promised_share
        self._scale(np.append(held, [result.t, *[promised] * (promised > 0)]), ratio)
        runs = f"1 dot: 1 of {number(len(result.coverage))} simulated runs; groups: radii are tried in steps"
        set_x_label(self.axes, f"radius ÷ true radius  (← smaller balls)\n{runs}")
        left, right = self.axes.get_xlim()
        self._dots.set_data(np.maximum(ratio, left), held)
        middle, size = result.typical
        size = np.maximum(size, left)  # NaN stays NaN
        middle *= result.t
        self._middle.set_data([size], [middle])
        self._median.set_data([size, size, right], [self.axes.get_ylim()[0], middle, middle])
        self._whole.set_data([left, right], [result.t] * 2)
        self._promise.set_data([left, right], [promised if promised > 0 else np.nan] * 2)
        self._truth.set_data([1.0], [result.t])
        self._sentence.set_text(_sentence(result))
        self.labels.set_labels(self._labels(result))

    def _scale(self, held: Floats, ratio: Floats) -> None:
        positive = np.append(ratio[ratio > 0], 1.0)
        low, high = 0.95 * float(positive.min()), 1.05 * float(positive.max())
        self.axes.set_xlim(nice(low, up=False), nice(high, up=True))
        self.axes.set_ylim(around(self.axes.get_ylim(), float(held.min()), float(held.max())))

    def _labels(self, r: BallSample) -> list[Label]:
        p = self.palette
        middle, _ = r.typical
        promised = math.ceil(r.t * r.promised_share)
        name = f"promised {number(promised)}" if promised > 0 else "nothing promised"
        chance = f"with probability {share(1 - r.beta)}" * (promised > 0)
        return [
            Label(r.t, f"{number(r.t)} wanted", p.global_, note="+ the true ball"),
            Label(r.t * middle, f"typical {number(r.t * middle)}", p.released, bold=True),
            Label(max(promised, self.axes.get_ylim()[0]), name, p.accent, note=chance),
        ]

    def tooltip_at(self, r: BallSample, x: float, y: float) -> str:
        if not r.comparable[0].size:
            return ""
        coverage, ratio = r.comparable
        good = int(((r.t * coverage >= y) & (ratio <= x)).sum())
        return (
            f"{number(good)} of {number(len(r.coverage))} balls hold at least "
            f"{number(math.ceil(y))} records within {number(x, 2)}× the true radius"
        )

    def alt_text_of(self, r: BallSample) -> str:
        return f"{_sentence(r)} Promised are {number(math.ceil(r.t * r.promised_share))}."

    def table_of(self, r: BallSample) -> Table:
        header = ["run", "share of t", "radius by the true radius", "promised share"]
        pairs = zip(r.coverage.tolist(), r.ratio.tolist(), strict=True)
        return header, [
            [run, *(value if np.isfinite(value) else "" for value in pair), r.promised_share]
            for run, pair in enumerate(pairs, 1)
        ]


def _sentence(r: BallSample) -> str:
    """Say what a typical ball holds, how large it is, and in how many runs there is none."""
    middle, size = r.typical
    lost = f"no ball in {number(r.failed)} of {number(len(r.coverage))} runs"
    if np.isnan(middle):
        return f"Nothing can be compared: {lost}."
    text = f"A typical ball holds {number(r.t * middle)} of the {number(r.t)} records wanted"
    return f"{text}, within {number(size, 2)}× the true radius{f'; {lost}' if r.failed else ''}."

"""How well the outputs of blocks agree: which share of them lies within a distance."""

from __future__ import annotations

import numpy as np

from app.model.wording.numbers import number, quantity, share
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks
from engine.analysis.output_agreement import ACCURATE, OutputAgreement
from engine.array_types import Floats

REACH = 3.0  # how far the picture reaches, in accuracies of blocks; at least to nine tenths of the outputs


class Agreement(Picture[OutputAgreement]):
    """Two lines that rise to 1, around the truth and around the aggregate, and the accuracy of blocks."""

    title = "Agreement of outputs"
    has_log_y = False

    def build(self) -> None:
        self._quarter = self.line("global_")
        self._radius = self.line("accent", linewidth=1.2)
        self._center = self.line("smooth", linewidth=2.0, drawstyle="steps-post")
        self._truth = self.line("truth", linewidth=2.0, drawstyle="steps-post")
        self._accuracy = self.dot("accent", markersize=9, clip_on=False)
        linear_ticks(self.axes.xaxis, self.unit)
        linear_ticks(self.axes.yaxis, "")
        self.axes.set_ylim(0, 1.04)
        set_x_label(self.axes, "distance")
        set_y_label(self.axes, self.palette, "share of the outputs within the distance")
        self._sentence = self.sentence_above()

    def show(self, result: OutputAgreement) -> None:
        high = self._reach(result)
        self.axes.set_xlim(0, high)
        self._quarter.set_data([0, high], [ACCURATE, ACCURATE])
        self._radius.set_data([result.accuracy] * 2, [0, ACCURATE])
        for line, distances in ((self._truth, result.to_truth), (self._center, result.to_center)):
            line.set_data(*_steps(distances, high))
        self._accuracy.set_data([result.accuracy], [ACCURATE])
        self.labels.set_labels(self._labels(result))
        near, stable = quantity(result.accuracy, self.unit), share(result.stable(result.accuracy))
        self._sentence.set_text(
            f"Of {number(len(result.to_truth))} outputs, {share(ACCURATE)} lie within {near} of the truth, "
            f"and {stable} of the aggregate."
        )

    @staticmethod
    def _reach(r: OutputAgreement) -> float:
        far = max(REACH * r.accuracy, r.at_share(r.to_truth, 0.9), r.at_share(r.to_center, 0.9))
        return min(far, 1.02 * r.diameter) or r.diameter

    def _labels(self, r: OutputAgreement) -> list[Label]:
        p = self.palette
        truth, center = (float(np.ravel(line.get_ydata())[-1]) for line in (self._truth, self._center))
        return [
            Label(truth, "around the truth", p.truth),
            Label(center, "around the aggregate", p.smooth),
            Label(ACCURATE, f"three quarters: r = {quantity(r.accuracy, self.unit, 2)}", p.accent, bold=True),
        ]

    def tooltip_at(self, r: OutputAgreement, x: float, y: float) -> str:
        near = float(np.searchsorted(r.to_truth, x, side="right")) / len(r.to_truth)
        return (
            f"within {quantity(x, self.unit, 3)}: {share(near)} of the outputs around the truth, "
            f"{share(r.stable(x))} around the aggregate"
        )

    def table_of(self, r: OutputAgreement) -> Table:
        shares = (np.arange(len(r.to_truth)) + 1) / len(r.to_truth)
        header = ["share of the outputs", "within of the truth", "within of the aggregate"]
        return header, rows_of(shares, r.to_truth, r.to_center)


def _steps(distances: Floats, high: float) -> tuple[Floats, Floats]:
    shares = np.arange(len(distances) + 1) / len(distances)
    within = np.concatenate([[0.0], distances])
    last = int(np.searchsorted(within, high, side="right"))
    return np.append(within[:last], high), np.append(shares[:last], shares[last - 1])

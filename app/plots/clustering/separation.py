"""How clearly the data fall into k clusters: how much of the cost each further cluster saves."""

from __future__ import annotations

import numpy as np

from app.model.wording.numbers import number, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks
from engine.analysis.cluster_separation import ClusterSeparation


class Separation(Picture[ClusterSeparation]):
    """A dot for each number of clusters, on what the last one saves; the chosen one stands out."""

    title = "Separation of clusters"
    has_log_y = False

    def build(self) -> None:
        self._here = self.line("truth", linewidth=1.0, alpha=0.6)
        self._savings = self.line("truth", marker="o", markersize=6)
        self._chosen = self.dot("smooth", markersize=9, clip_on=False)
        linear_ticks(self.axes.yaxis, "%")
        set_y_label(self.axes, self.palette, "fall of squared distances to centers, from k − 1 to k clusters")
        self._sentence = self.sentence_above()

    def show(self, result: ClusterSeparation) -> None:
        some = "" if result.records == result.n else f"  (from {number(result.records)} records)"
        set_x_label(self.axes, f"k, the number of clusters{some}")
        self.axes.set_xlim(float(result.k[0]) - 0.5, float(result.k[-1]) + 0.5)
        self.axes.set_xticks(result.k)
        saved = 100 * (1 - result.ratios)
        known = np.isfinite(saved)
        self.axes.set_ylim(min(0.0, saved[known].min(initial=0.0)), 104)
        self._here.set_data([result.chosen] * 2, self.axes.get_ylim())
        self._savings.set_data(result.k[known], saved[known])
        here = known & (result.k == result.chosen)
        self._chosen.set_data(result.k[here], saved[here])
        name, colour = f"k = {number(result.chosen)}", self.palette.smooth
        labels = [Label(y, f"{name}:  {share(y / 100)}", colour, bold=True) for y in saved[here].tolist()]
        self.labels.set_labels(labels)
        self._sentence.set_text(self._compare(result))

    def _compare(self, r: ClusterSeparation) -> str:
        """Say by how much the cost falls with the last cluster, and with one more."""
        pairs = zip(r.k.tolist(), r.ratios.tolist(), strict=True)
        near = [(k, ratio) for k, ratio in pairs if k in (r.chosen, r.chosen + 1) and ratio <= 1]
        texts = (f"by {share(1 - ratio)} from {number(k - 1)} to {number(k)}" for k, ratio in near)
        return f"The squared distance falls {' and '.join(texts)} clusters." if near else ""

    def tooltip_at(self, r: ClusterSeparation, x: float, y: float) -> str:
        index = int(np.clip(round(x) - r.k[0], 0, len(r.k) - 1))
        k, ratio = int(r.k[index]), float(r.ratios[index])
        if np.isnan(ratio):
            return f"{number(k - 1)} clusters leave no distance"
        return f"squared distance falls by {share(1 - ratio)} from {number(k - 1)} to {number(k)} clusters"

    def table_of(self, r: ClusterSeparation) -> Table:
        rows = zip(r.k.tolist(), r.ratios.tolist(), r.costs.tolist(), strict=True)
        return ["k", "cost over that of k - 1", "mean squared distance"], [
            [k, "" if np.isnan(ratio) else ratio, cost] for k, ratio, cost in rows
        ]

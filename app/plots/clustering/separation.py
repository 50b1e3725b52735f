"""How clearly the data fall into k clusters: what each cluster more leaves of the cost."""

from __future__ import annotations

import numpy as np

from app.model.wording.numbers import number, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks
from engine.analysis.cluster_separation import ClusterSeparation


class Separation(Picture[ClusterSeparation]):
    """A dot for each number of clusters, on its ratio of costs; the chosen one stands out."""

    title = "Separation of clusters"
    has_log_y = False

    def build(self) -> None:
        self._nothing = self.line("global_")
        self._here = self.line("truth", linewidth=1.0, alpha=0.6)
        self._ratios = self.line("truth", marker="o", markersize=6)
        self._chosen = self.dot("smooth", markersize=9, clip_on=False)
        for axis in (self.axes.xaxis, self.axes.yaxis):
            linear_ticks(axis, "")
        set_y_label(self.axes, self.palette, "squared distance left, as a share of that with k − 1 clusters")
        self._sentence = self.sentence_above()

    def show(self, result: ClusterSeparation) -> None:
        some = "" if result.records == result.n else f"  (from {number(result.records)} records)"
        set_x_label(self.axes, f"k, the number of clusters{some}")
        ends = float(result.k[0]) - 0.5, float(result.k[-1]) + 0.5
        self.axes.set_xlim(ends)
        self.axes.set_xticks(result.k)
        known = np.isfinite(result.ratios)
        self.axes.set_ylim(0.0, max(1.0, result.ratios[known].max(initial=0.0)))
        self._nothing.set_data(ends, [1.0, 1.0])
        self._here.set_data([result.chosen] * 2, self.axes.get_ylim())
        self._ratios.set_data(result.k[known], result.ratios[known])
        here = np.isfinite(result.at_chosen)
        self._chosen.set_data([result.chosen] if here else [], [result.at_chosen] if here else [])
        self.labels.set_labels(self._labels(result))
        self._sentence.set_text(self._savings(result))

    def _savings(self, r: ClusterSeparation) -> str:
        """Say how much the last cluster saves, and one more."""
        pairs = zip(r.k.tolist(), r.ratios.tolist(), strict=True)
        near = [(k, ratio) for k, ratio in pairs if k in (r.chosen, r.chosen + 1) and ratio <= 1]
        texts = (f"cluster {number(k)} saves {share(1 - ratio)}" for k, ratio in near)
        return f"Of the squared distance, {', '.join(texts)}." if near else ""

    def _labels(self, r: ClusterSeparation) -> list[Label]:
        p, end = self.palette, r.ratios[np.isfinite(r.ratios)]
        labels = [Label(1.0, "one more saves nothing", p.global_)]
        if end.size:
            labels.append(Label(float(end[-1]), "distance left", p.truth, note="low: cluster k saves much"))
        if np.isfinite(r.at_chosen):
            name = f"k = {number(r.chosen)}:  {number(r.at_chosen, 2)}"
            labels.append(Label(r.at_chosen, name, p.smooth, bold=True))
        return labels

    def tooltip_at(self, r: ClusterSeparation, x: float, y: float) -> str:
        index = int(np.clip(round(x) - r.k[0], 0, len(r.k) - 1))
        k = int(r.k[index])
        return f"{number(k)} clusters cost {self._words(float(r.ratios[index]))} of what {number(k - 1)} cost"

    @staticmethod
    def _words(ratio: float) -> str:
        return "nothing" if np.isnan(ratio) else number(ratio, 2)

    def table_of(self, r: ClusterSeparation) -> Table:
        rows = zip(r.k.tolist(), r.ratios.tolist(), r.costs.tolist(), strict=True)
        return ["k", "cost over that of k - 1", "mean squared distance"], [
            [k, "" if np.isnan(ratio) else ratio, cost] for k, ratio, cost in rows
        ]

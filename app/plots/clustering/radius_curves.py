"""How far one must go from each output to meet t of them: where the bound comes from."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection

from app.model.wording.numbers import number, quantity
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.clustering.point_cloud import attention
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks, scale_from_zero
from engine.analysis.radii import RadiusProfile
from engine.array_types import Floats

_MARGIN = 1.015  # keeps the last step off the edge
_NEAR = 0.02  # of all outputs: radii of fewer are no reason to stretch a logarithmic axis


class RadiusCurves(Picture[RadiusProfile]):
    """r(c, t) of all outputs, that of the center, t_0, the levels U_k and their discount."""

    title = "Radii of outputs"
    in_units = frozenset({"center", "level", "discounted", "smooth", "global"})
    x_ticks_vary = False

    def build(self) -> None:
        # thousands of points, which do not change with epsilon: not drawn again with all the rest
        pale = self.palette.tint(attention(self.palette), 0.35)
        self._others = LineCollection([], colors=pale, linewidths=0.7, zorder=1.6)
        self._others.set_in_layout(False)
        self._drawn: Floats | None = None
        self.axes.add_collection(self._others, autolim=False)
        self._global = self.line("global_")
        self._chosen = self.line("truth", linewidth=1.0, alpha=0.6)
        self._center = self.line("smooth", layer="center", color=attention(self.palette), linewidth=2.0)
        self._levels = self.line("local", drawstyle="steps-post")
        self._discounted = self.line(
            "smooth", layer="discounted", drawstyle="steps-post", linewidth=1.0, alpha=0.75
        )
        self._radius = self.dot("smooth", layer="center", color=attention(self.palette), markersize=7)
        self._smooth = self.line("smooth", zorder=3.2)
        self._peak = self.dot("smooth", clip_on=False)
        self._name, self._discount = self.text(), self.text(layer="discounted")
        self._near = self.text(layer="center")
        linear_ticks(self.axes.xaxis, "", integer=True)
        self._sentence = self.sentence_above()

    def show(self, result: RadiusProfile) -> None:
        self._scale(result)
        if self._drawn is None or not np.array_equal(self._drawn, result.curves):
            self._drawn = self.behind = result.curves
            self._others.set_segments([np.column_stack([result.t, curve]) for curve in result.curves])
        t = np.arange(1, result.m + 1)
        self._center.set_data(t, result.center)
        self._global.set_data(self.axes.get_xlim(), [result.diameter] * 2)
        shown = max(1, result.argmax_k + 1, result.levels.size - 1)  # the last one: all outputs changed
        self._levels.set_data(result.at_levels[:shown], result.levels[:shown])
        self._discounted.set_data(result.at_levels, result.discounted)
        self._peak.set_data([result.at_levels[result.argmax_k]], [result.smooth])
        self._smooth.set_data([result.majority, self.axes.get_xlim()[1]], [result.smooth] * 2)
        self._chosen.set_data([result.majority] * 2, self.axes.get_ylim())
        self._radius.set_data([result.majority], [result.radius(result.majority)])
        name = f"majority: {number(result.majority)}"
        self.name_upright(self._name, name, result.majority, result.diameter, left=True)
        seen = np.flatnonzero(result.discounted[result.argmax_k :] >= self.axes.get_ylim()[0])
        k = result.argmax_k + seen[seen.size // 2]
        at = result.at_levels[k], result.discounted[k]
        self.name_upright(self._discount, "move, discounted", *at, left=False)
        self._discount.set(va="bottom")  # clear of the line, which falls
        self.labels.set_labels(self._labels(result))
        near, move = result.radius(result.majority), float(result.levels[0])
        self.name_upright(self._near, self.amount(near), result.majority, near, left=True)
        self._sentence.set_text(
            f"Most outputs lie within {quantity(near, self.unit)} of the center, so one record moves it at "
            f"most {quantity(move, self.unit)}."
        )

    def _scale(self, r: RadiusProfile) -> None:
        set_x_label(self.axes, f"t outputs inside the ball, of {number(r.m)}")
        set_y_label(self.axes, self.palette, ", ".join(filter(None, ("distance", r.measure))))
        self.axes.set_xlim(0, _MARGIN * max(r.m, int(r.at_levels[-1])))
        far = r.center[max(1, int(_NEAR * r.m)) :]
        scale_from_zero(self.axes, [*far[far > 0], r.smooth, r.diameter], self.unit, self.log_y)

    def _labels(self, r: RadiusProfile) -> list[Label]:
        p, last = self.palette, float(np.ravel(self._levels.get_ydata())[-1])
        changed = f"t − {number(r.majority)}" if r.s == 1 else f"(t − {number(r.majority)}) ÷ {number(r.s)}"
        smooth, pale = f"smooth S  {self.amount(r.smooth)}", "pale: around other outputs"
        return [
            Label(r.diameter, f"global  {self.amount(r.diameter)}", p.global_, note="largest possible"),
            Label(last, "center moves at most", p.local, note=f"after {changed} changes"),
            Label(r.smooth, smooth, p.smooth, note="largest discounted move", bold=True),
            Label(r.radius(r.m), "ball around the center", attention(p), note=pale, layer="center"),
        ]

    def tooltip_at(self, r: RadiusProfile, x: float, y: float) -> str:
        t = round(min(max(x, 1), r.m))
        text = f"{number(t)} outputs within {quantity(r.radius(t), self.unit)} of the center of attention"
        k = (t - r.majority) // r.s
        if not 0 <= k < r.levels.size:
            return text
        return (
            f"{text}\nafter {number(k)} other changes it moves by at most "
            f"{quantity(float(r.levels[k]), self.unit)}, "
            f"discounted {quantity(float(r.discounted[k]), self.unit)}"
        )

    def alt_text_of(self, r: RadiusProfile) -> str:
        return (
            f"{super().alt_text_of(r)} Smooth bound {quantity(r.smooth, self.unit)}, decided at "
            f"k = {number(r.argmax_k)}; no two outputs are farther apart than "
            f"{quantity(r.diameter, self.unit)}."
        )

    def table_of(self, r: RadiusProfile) -> Table:
        """Return r(c, t) of the center for every t, and k, U_k and its discount where they belong to t."""
        header = ["t", "center", "k", "level", "discounted", "smooth", "global"]
        rows = zip(r.at_levels.tolist(), r.levels.tolist(), r.discounted.tolist(), strict=True)
        levels = {t: [k, *pair] for k, (t, *pair) in enumerate(rows)}
        last = max(r.m, int(r.at_levels[-1]))
        return header, [
            [t, r.radius(t), *levels.get(t, ["", "", ""]), r.smooth, r.diameter] for t in range(1, last + 1)
        ]

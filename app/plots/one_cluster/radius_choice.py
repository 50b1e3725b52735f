"""How many records each radius is good for, and the radius that was chosen where they fall below t."""

from __future__ import annotations

import numpy as np

from app.model.theme import STROKES, Stroke
from app.model.wording.numbers import number, plain, quantity
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import log_ticks_on, scale_from_zero
from engine.analysis.radii import ChosenRadius
from engine.array_types import Floats

NAMES = {
    "capped": "L(r, S)",
    "cells": "records in the fullest cell (width: 4 × radius)",
    "balls": "records in the fullest ball",
    "center": "records around the released center",
}
"""Names of the counts, by `ChosenRadius.counted`."""

_MAX_POINTS = 2_000  # of the curve; more could not be told apart
_MAX_MARKED = 40
_ABOVE = 1.7  # times t: counts that are larger are out of view, unless the axis is logarithmic
_NAME_HEIGHT = 0.25  # of the name of the true radius, below the curve
_HEADROOM = 1.4  # times t are in view in any case
_TAIL = 0.02  # of t: radii for which fewer are counted are drawn next to zero
_ZERO = 0.09  # of the width, for radius zero


class RadiusChoice(Picture[ChosenRadius]):
    """Counts against radii, t and the target, and the radius that was chosen."""

    title = "Choice of the radius"
    in_units = frozenset({"radius"})

    def build(self) -> None:
        self._t = self.line("global_")
        self._target = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._choice = self.line("released", linewidth=1.8)
        # no dot: it is no place on the curve, which may count in other regions than balls
        self._truth = self.line("truth", linewidth=1.0, alpha=0.6)
        self._name = self.text()
        self._curve = self.line("truth", linewidth=2.2, markersize=4, zorder=3)
        self._dot = self.dot("released", clip_on=False)
        self.axes.set_xlim(0.1, 1)

    def show(self, result: ChosenRadius) -> None:
        self._scale(result)
        left, right = self.axes.get_xlim()
        bottom, top = self.axes.get_ylim()
        radii, counts = thin_curve(result)
        self._curve.set_data(radii, counts)
        self._curve.set_marker("o" if len(result.radii) <= _MAX_MARKED else "")
        self._t.set_data([left, right], [result.t] * 2)
        self._target.set_data([left, right], [result.target] * 2)
        chosen = float(result.radii[result.chosen])
        self._choice.set_data([chosen] * 2, [bottom, top])
        truth = [] if result.truth is None else [result.truth]
        self._truth.set_data(truth * 2, [bottom, top] * len(truth))
        name = f"true radius {self.amount(truth[0])}" if truth else ""
        self.name_upright(self._name, name, (truth or [chosen])[0], _NAME_HEIGHT * top, left=False)
        self._dot.set_data([chosen], [min(float(result.counts[result.chosen]), top)])
        self.labels.set_labels(self._labels(result))

    def _scale(self, r: ChosenRadius) -> None:
        set_y_label(self.axes, self.palette, plain(NAMES[r.counted]))
        tried = "; dots: the sizes tried" * (len(r.radii) <= _MAX_MARKED)
        doubled = ", each twice the last" * bool(tried and r.radii[0] == 2 * r.radii[1])
        set_x_label(self.axes, f"radius{tried}{doubled}  (← smaller balls)")
        low, high = self._reach(r)
        wanted = (0.0 if r.radii[r.chosen] == 0 else low, high)
        if self.axes.get_xlim() != wanted:
            decades = np.log10(high / low)
            self.axes.set_xscale("symlog", linthresh=low, linscale=max(0.3, _ZERO * decades))
            log_ticks_on(self.axes.xaxis, self.unit, floor=low)
            self.axes.set_xlim(wanted)
        log = bool(self.log_y)
        highest = max(_ABOVE * r.t, float(r.counts[r.chosen]))
        counts = thin_curve(r)[1] if log else np.minimum(thin_curve(r)[1], highest)
        scale_from_zero(self.axes, [*counts.tolist(), r.t * _HEADROOM], "", log)

    def _reach(self, r: ChosenRadius) -> tuple[float, float]:
        """Return the range of radii that need distinguishing."""
        positive = r.radii > 0
        full = positive & (r.counts > _TAIL * r.t)
        low, chosen = float(r.radii[full if full.any() else positive].min()), float(r.radii[r.chosen])
        low = min(low, chosen) if chosen > 0 else low
        return max(low / 3, float(r.radii[positive].min()) / 1.3), 1.3 * float(r.radii.max())

    def _labels(self, r: ChosenRadius) -> list[Label]:
        p, top, chosen = self.palette, self.axes.get_ylim()[1], float(r.radii[r.chosen])
        stroke, dashes = Stroke(1.8, STROKES["released"].dashes), Stroke(1.8, (5.0, 2.2))
        name = "radius" if r.counted == "center" else "size estimate"
        why = "t less a margin for noise"
        return [
            Label(top, name, p.released, self.amount(chosen), bold=True, stroke=stroke),
            Label(float(r.t), f"t  {number(r.t)}", p.global_, stroke=STROKES["global_"]),
            Label(r.target, f"aim: above {number(r.target)}", p.accent, note=why, stroke=dashes),
        ]

    def tooltip_at(self, r: ChosenRadius, x: float, y: float) -> str:
        index = int(np.abs(r.radii - max(x, 0.0)).argmin())
        text = f"radius {quantity(float(r.radii[index]), self.unit)}: {number(float(r.counts[index]))}"
        return text + " (chosen)" * (index == r.chosen)

    def alt_text_of(self, r: ChosenRadius) -> str:
        text = (
            f"{NAMES[r.counted]}: {number(float(r.counts[r.chosen]))} at the chosen radius "
            f"{quantity(float(r.radii[r.chosen]), self.unit)}; target {number(r.target)}, t {number(r.t)}"
        )
        return f"{text}." if r.truth is None else f"{text}; true ball {quantity(r.truth, self.unit)}."

    def table_of(self, r: ChosenRadius) -> Table:
        header = ["radius", "count", "chosen", "target", "t"]
        chosen = ["chosen" * (index == r.chosen) for index in range(r.radii.size)]
        return header, rows_of(r.radii, r.counts, chosen, r.target, r.t)


def thin_curve(r: ChosenRadius) -> tuple[Floats, Floats]:
    """Return the points of the curve that is drawn, with increasing radii."""
    last = len(r.radii) - 1
    places = np.arange(last + 1)
    if last >= _MAX_POINTS:
        # evenly, and ever more densely towards the smallest, as on a logarithmic axis
        places = np.unique(
            np.concatenate(
                [
                    np.linspace(0, last, _MAX_POINTS // 2),
                    last + 1 - np.geomspace(1, last + 1, _MAX_POINTS // 2),
                    [r.chosen],
                ]
            ).round()
        ).astype(np.int64)
    places = places[::-1]
    return r.radii[places], r.counts[places]

"""How many records each radius is good for, and the radius that was chosen where they fall below t."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.text import Text

from app.model.wording.numbers import number, quantity
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import log_ticks_on, scale_from_zero
from engine.analysis.radii import ChosenRadius
from engine.array_types import Floats

_COUNTED = {
    "capped": ("records in a ball, mean of the t fullest", "whose t fullest balls hold on average"),
    "cells": ("records in the fullest cell, 4 × as wide as the radius", "whose fullest cell holds"),
    "balls": ("records in the fullest ball", "whose fullest ball holds"),
    "center": ("records around the released center", "around the released center that holds"),
}
"""The axis of the counts, and what a radius is chosen for, by `ChosenRadius.counted`."""

_MAX_POINTS = 2_000  # of the curve; more could not be told apart
_MAX_MARKED = 40
_ABOVE = 1.7  # times t: counts that are larger are out of view, unless the axis is logarithmic
_BELOW_CURVE = 0.25  # of the height, for the name of the larger of both radii; the other is above the curve
_LEFT = 0.35  # of the width: nearer to the axis, a name has no room at the left of its line
_HEADROOM = 1.4  # times t are in view in any case
_TAIL = 0.02  # of t: radii for which fewer are counted are drawn next to zero
_ZERO = 0.09  # of the width, for radius zero


class RadiusChoice(Picture[ChosenRadius]):
    """Counts against radii, the target, and the radius that was chosen."""

    title = "Choice of the radius"
    in_units = frozenset({"radius"})

    def build(self) -> None:
        self._target = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._choice = self.line("released", linewidth=1.8)
        # no dot: it is no place on the curve, which may count in other regions than balls
        self._truth = self.line("truth", linewidth=1.0, alpha=0.6)
        self._choice_name, self._truth_name = self.text(), self.text()
        self._curve = self.line("truth", linewidth=2.2, markersize=4, zorder=3)
        self._dot = self.dot("released", clip_on=False)
        self._sentence = self.sentence_above()
        self.axes.set_xlim(0.1, 1)

    def show(self, result: ChosenRadius) -> None:
        self._scale(result)
        bottom, top = self.axes.get_ylim()
        radii, counts = thin_curve(result)
        self._curve.set_data(radii, counts)
        self._curve.set_marker("o" if len(result.radii) <= _MAX_MARKED else "")
        self._target.set_data(self.axes.get_xlim(), [result.target] * 2)
        chosen, truth = float(result.radii[result.chosen]), result.truth
        self._choice.set_data([chosen] * 2, [bottom, top])
        self._truth.set_data([np.nan if truth is None else truth] * 2, [bottom, top])
        larger = truth is not None and chosen > truth
        self._name_radius(self._choice_name, f"{_name(result)} {self.amount(chosen)}", chosen, larger)
        true = "" if truth is None else f"true radius {self.amount(truth)}"
        self._name_radius(self._truth_name, true, truth or 0.0, not larger)
        self._dot.set_data([chosen], [min(float(result.counts[result.chosen]), top)])
        wanted = f"at least {number(math.ceil(result.target))}"
        note = f"{number(result.t)} less a margin for noise"
        self.labels.set_labels([Label(result.target, wanted, self.palette.accent, note=note)])
        self._sentence.set_text(_sentence(result, self.unit))

    def _name_radius(self, name: Text, text: str, radius: float, larger: bool) -> None:
        """Name the larger of both radii at its right, and the other at its left: the curve rises."""
        across = self.axes.transAxes.inverted().transform(self.axes.transData.transform((radius, 0)))[0]
        height = self.axes.get_ylim()[1] * (_BELOW_CURVE if larger else 1.0)
        self.name_upright(name, text, radius, height, left=not larger and bool(across > _LEFT))

    def _scale(self, r: ChosenRadius) -> None:
        set_y_label(self.axes, self.palette, _COUNTED[r.counted][0])
        set_x_label(self.axes, f"radius{'; dots: the radii tried' * (len(r.radii) <= _MAX_MARKED)}")
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

    def tooltip_at(self, r: ChosenRadius, x: float, y: float) -> str:
        index = int(np.abs(r.radii - max(x, 0.0)).argmin())
        text = f"radius {quantity(float(r.radii[index]), self.unit)}: {number(float(r.counts[index]))}"
        return text + " (chosen)" * (index == r.chosen)

    def table_of(self, r: ChosenRadius) -> Table:
        header = ["radius", "count", "chosen", "target", "t"]
        chosen = ["chosen" * (index == r.chosen) for index in range(r.radii.size)]
        return header, rows_of(r.radii, r.counts, chosen, r.target, r.t)


def _name(r: ChosenRadius) -> str:
    return "radius" if r.counted == "center" else "size estimate"


def _sentence(r: ChosenRadius, unit: str) -> str:
    """Say which radius was chosen and why, and how large the smallest ball is."""
    held = np.flatnonzero(r.counts >= r.target)
    wanted = f"{_COUNTED[r.counted][1]} at least {number(math.ceil(r.target))} records"
    why = f"the smallest tried {wanted}" * bool(held.size)
    if held.size and held[-1] != r.chosen:
        why = f"without noise {quantity(float(r.radii[held[-1]]), unit)}, {why}"
    chosen = quantity(float(r.radii[r.chosen]), unit)
    text = ": ".join(filter(None, (f"{_name(r).capitalize()} {chosen}", why)))
    if r.truth is None:
        return f"{text}."
    ball = "ball, not cell," if r.counted == "cells" else "ball"
    true = f"{quantity(r.truth, unit)}: the smallest {ball} around a record that holds {number(r.t)}"
    return f"{text}. True radius {true}."


def thin_curve(r: ChosenRadius) -> tuple[Floats, Floats]:
    """Return the points of the curve that is drawn, with increasing radii."""
    last = len(r.radii) - 1
    places = np.arange(last + 1)
    if last >= _MAX_POINTS:
        evenly = np.linspace(0, last, _MAX_POINTS // 2)
        # ever more densely towards the smallest, as on a logarithmic axis
        densely = last + 1 - np.geomspace(1, last + 1, _MAX_POINTS // 2)
        places = np.unique(np.concatenate([evenly, densely, [r.chosen]]).round()).astype(np.int64)
    places = places[::-1]
    return r.radii[places], r.counts[places]

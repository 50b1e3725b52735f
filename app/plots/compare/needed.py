"""Which epsilon each contender needs for an error that is small enough, often enough."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain, quantity, share
from app.plots.base import Table, set_x_label
from app.plots.compare.contender_rows import ContenderRows
from app.plots.compare.contender_style import contender_style, looks, short_names, spoken_names
from app.plots.elements.labels import Label
from app.plots.elements.scales import log_ticks_on
from engine.comparison.needed import MAX_EPSILON
from engine.comparison.results import NeededEpsilons

_AIR = 0.05
_WAITING = "not looked at yet"


class ComparisonNeeded(ContenderRows[NeededEpsilons]):
    """For each contender the epsilon that is needed, and between which ends the runs leave it."""

    title = "Epsilon that is needed"

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._rows: list[tuple[Any, Any]] = []
        axes.set_xlim(1e-1, 1)  # positive before the scale is logarithmic
        axes.set_xscale("log")
        log_ticks_on(axes.xaxis, "", floor=np.finfo(np.float64).tiny)
        set_x_label(axes, "epsilon that is needed; bar: what the runs leave open (99 % confidence)")

    def show(self, result: NeededEpsilons) -> None:
        while len(self._rows) < len(result.labels):
            bar = self.line("truth", linewidth=4.0, zorder=2.8, solid_capstyle="butt")
            self._rows.append((bar, self.dot("truth", markersize=11, zorder=3.8)))
        self._scale(result)
        right = self.axes.get_xlim()[1]
        for index in range(len(self._rows)):
            self._show_row(result, index, right)
        self.labels.set_labels([self._label(result, index) for index in range(len(result.labels))])
        self._sentence.set_text(sentence(result, self.unit))

    def _show_row(self, r: NeededEpsilons, index: int, right: float) -> None:
        bar, dot = self._rows[index]
        answer = r.answers[index] if index < len(r.labels) else None
        known = answer is not None and answer.epsilon is not None
        if known:
            assert answer is not None
            colour = contender_style(looks(r.contenders)[index], self.palette).colour
            bar.set_color(self.palette.tint(colour, 0.5))
            dot.set_markerfacecolor(colour)
            bar.set_data([answer.low, min(answer.high, right)], [-index, -index])
            dot.set_data([answer.epsilon], [-index])
        else:
            bar.set_data([], [])
            dot.set_data([], [])
        if index < len(r.labels) and not known:
            self._write(_empty(r, index), index)

    def _scale(self, r: NeededEpsilons) -> None:
        results = [one for one in r.answers if one is not None and one.epsilon is not None]
        ends = [end for one in results for end in (one.low, one.epsilon or 0.0, one.high)]
        known = [end for end in ends if 0 < end < math.inf] or [0.1, MAX_EPSILON]
        self._lay(len(r.labels), min(known), max(known), _AIR)

    def _label(self, r: NeededEpsilons, index: int) -> Label:
        name, rest = short_names(r.labels)[index]
        answer = r.answers[index]
        if answer is None or answer.epsilon is None:
            return Label(-index, plain(name), self.palette.muted, note=plain(rest))
        colour = contender_style(looks(r.contenders)[index], self.palette).colour
        return Label(-index, plain(name), colour, extra=f"ε = {number(answer.epsilon)}", note=plain(rest))

    def tooltip_at(self, r: NeededEpsilons, x: float, y: float) -> str:
        if not 0 <= round(-y) < len(r.labels):
            return ""
        index = round(-y)
        answer = r.answers[index]
        if answer is None or answer.epsilon is None:
            return f"{r.labels[index]}: {_empty(r, index)}"
        return (
            f"{r.labels[index]}: ε = {number(answer.epsilon)} ({number(answer.low)} to "
            f"{number(answer.high)}); there {share(answer.share_at)} of the runs are within"
        )

    def alt_text_of(self, r: NeededEpsilons) -> str:
        rows = [self.tooltip(1.0, -float(index)) for index in range(len(r.labels))]
        return f"{sentence(r, self.unit)} {'; '.join(rows)}."

    def table_of(self, r: NeededEpsilons) -> Table:
        header = ["mechanism", "epsilon", "at least", "at most", "share within", "remark"]
        rows: list[list[Any]] = []
        for index, label in enumerate(r.labels):
            answer = r.answers[index]
            if answer is None or answer.epsilon is None:
                rows.append([label, "", "", "", "", _empty(r, index)])
            else:
                rows.append([label, answer.epsilon, answer.low, answer.high, answer.share_at, ""])
        return header, rows


def sentence(view: NeededEpsilons, unit: str = "") -> str:
    """Say who is content with the smallest epsilon."""
    asked = f"an error of at most {quantity(view.within, unit)} with probability {share(view.share)}"
    names = spoken_names(view.labels)
    answered = [(index, one) for index, one in enumerate(view.answers) if one is not None]
    known = {index: one.epsilon for index, one in answered if one.epsilon is not None}
    left = len(view.labels) - len(answered)
    begun = f"Preliminary, {len(answered)} of {len(view.labels)} mechanisms: " if left else ""
    if not known:
        return f"{begun}no epsilon was found for {asked}."
    best = min(known, key=known.__getitem__)
    return f"{begun}{names[best]} needs the smallest epsilon for {asked}: {number(known[best])}."


def _empty(view: NeededEpsilons, index: int) -> str:
    """Say why a contender has no mark; "" if it has one."""
    answer = view.answers[index]
    if answer is None:
        return _WAITING
    return answer.problem if answer.epsilon is None else ""

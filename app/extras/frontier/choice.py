"""The picture of a choice: how many records each candidate holds, and which ones simulations choose."""

from __future__ import annotations

import numpy as np

from app.model.wording.numbers import number, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks, scale_from_zero
from engine.array_types import Floats
from engine.extras.frontier.weighed_choices import WeighedChoices

_BOXES, _CELLS = "box  (smallest first)", "cell  (fullest first)"
_AROUND, _MIN_BOXES = 4.0, 20
"""Boxes in view on each side of the true one: this multiple of the farthest choice, or this many."""

_MAX_CELLS = 60  # cells in view, unless simulations choose more


class ChoicePicture(Picture[WeighedChoices]):
    """Counts of candidates as a step line, the count sought, and a dot for each chosen candidate."""

    title = "Choice"
    has_log_y = False

    def build(self) -> None:
        self._wanted = self.line("global_")
        self._slack = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._held = self.line("truth", linewidth=2.0, drawstyle="steps-mid", zorder=3)
        self._chosen = self.line("released", marker="o", markersize=7, linestyle="none", alpha=0.5, zorder=4)
        self._chosen.set_markeredgewidth(0)
        self._sought = self.line("truth", marker="+", markersize=15, markeredgewidth=1.8, zorder=4.2)
        self._corner_text = self.corner_text()
        linear_ticks(self.axes.xaxis, "")
        set_y_label(self.axes, self.palette, "records held")

    def show(self, result: WeighedChoices) -> None:
        set_x_label(self.axes, _BOXES if result.grows else _CELLS)
        first, last = in_view(result)
        seen, named = np.arange(first, last + 1), 0 if result.grows else 1
        held = result.held[seen]
        ends = first + named - 0.5, last + named + 0.5
        self.axes.set_xlim(ends)
        self._scale(result, held)
        self._held.set_data(seen + named, held)
        chosen = np.flatnonzero(result.chosen)
        self._chosen.set_data(chosen + named, result.held[chosen])
        self._sought.set_data([result.truth + named], [result.held[result.truth]])
        self._wanted.set_data(ends, [result.wanted] * 2)
        self._slack.set_data(ends, [self._missed(result)] * 2)
        self._corner_text.set_text(
            f"no answer in {share(result.refused / result.runs)} of {number(result.runs)} runs"
            if result.refused
            else ""
        )
        self.labels.set_labels(self._labels(result))

    def _scale(self, r: WeighedChoices, held: Floats) -> None:
        if not r.grows:
            scale_from_zero(self.axes, [float(held.max()), 1.2 * r.wanted], "", False)
            return
        low, high = min(held.min(), self._missed(r)), max(held.max(), r.wanted)
        space = 0.1 * (high - low) + 1
        self.axes.set_ylim(max(0.0, low - space), high + space)
        linear_ticks(self.axes.yaxis, "")

    @staticmethod
    def _missed(r: WeighedChoices) -> float:
        """Return the smallest count that a choice may have, or the smallest that gives an answer."""
        return max(0.0, r.wanted - r.slack) if r.grows else r.wanted + r.slack

    def _labels(self, r: WeighedChoices) -> list[Label]:
        p = self.palette
        limit = "smallest allowed" if r.grows else "answered from"
        asked = "sought" if r.grows else "threshold"
        chosen = int(np.argmax(r.chosen))
        runs = f"in {number(r.runs)} simulated runs"
        return [
            *([Label(float(r.held[chosen]), "● chosen", p.released, note=runs)] if r.chosen[chosen] else []),
            Label(
                r.wanted,
                f"{asked}  {number(r.wanted)}",
                p.global_,
                note="+ the true box" if r.grows else "+ the fullest cell",
            ),
            Label(self._missed(r), f"{limit}  {number(self._missed(r))}", p.accent),
        ]

    def tooltip_at(self, r: WeighedChoices, x: float, y: float) -> str:
        index = int(np.clip(round(x) - (not r.grows), 0, len(r.held) - 1))
        what = f"box {number(index)}" if r.grows else f"cell {number(index + 1)}"
        times = share(float(r.chosen[index]) / r.runs)
        return f"{what}: {number(float(r.held[index]))} records, chosen in {times} of the runs"

    def alt_text_of(self, r: WeighedChoices) -> str:
        chosen = np.repeat(r.held, r.chosen)
        asked = f"{number(r.wanted)} records are {'sought' if r.grows else 'the threshold'}"
        if chosen.size == 0:
            return f"{asked}; none of {number(r.runs)} simulated runs gave an answer."
        low, middle, high = np.quantile(chosen, [0.05, 0.5, 0.95]).tolist()
        none = f"; {number(r.refused)} gave no answer" if r.refused else ""
        return (
            f"{asked}; in {number(r.runs)} simulated runs the choice typically holds {number(middle)}, and "
            f"between {number(low)} and {number(high)} in nine of ten{none}."
        )

    def table_of(self, r: WeighedChoices) -> Table:
        first, last = in_view(r)
        rows = range(first, last + 1)
        return ["box" if r.grows else "cell", "records held", "times chosen"], [
            [index if r.grows else index + 1, float(r.held[index]), int(r.chosen[index])] for index in rows
        ]


def in_view(r: WeighedChoices) -> tuple[int, int]:
    """Return the first and last candidate in view: all chosen ones, and some around them."""
    last = len(r.held) - 1
    chosen = np.flatnonzero(r.chosen)
    farthest = int(np.abs(chosen - r.truth).max(initial=0))
    if not r.grows:
        return 0, min(last, max(_MAX_CELLS, farthest + 1) - 1)
    reach = max(_MIN_BOXES, round(_AROUND * farthest))
    return max(0, r.truth - reach), min(last, r.truth + reach)

"""Sensitivity against epsilon: from where on does smooth sensitivity pay?"""

from __future__ import annotations

import numpy as np
from matplotlib.transforms import offset_copy

from app.model.wording.components import at_most, local_label
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number, quantity, times
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import SIZE, Label, figure_of
from app.plots.elements.scales import log_axis, scale_from_zero, scale_note
from engine.analysis.sensitivity import EpsilonSweep

LAST = 0.85
"""Share of the width from which on the amount stands at the left of its dot."""


class AgainstEpsilon(Picture[EpsilonSweep]):
    """LS, S* and GS over a sweep of epsilon, and where the chosen one lies."""

    title = "Sensitivity against epsilon"
    in_units = frozenset({"local", "smooth", "global"})

    def build(self) -> None:
        self._global = self.line("global_")
        whole = self.axes.get_xaxis_transform()  # from edge to edge, also of an axis that is shared
        self._chosen = self.line("truth", linewidth=1.0, alpha=0.6, transform=whole)
        self._smooth = self.line("smooth")
        self._local = self.line("local")  # on top: S* falls onto it
        self._dot = self.dot("smooth", clip_on=False)
        above = offset_copy(self.axes.transData, figure_of(self.axes), 7, 7, units="points")
        colour = self.palette.text(self.palette.smooth)
        self._amount = self.text(layer="smooth", transform=above, color=colour, fontsize=SIZE, zorder=4)
        self._amount.set(fontweight="bold", bbox={"facecolor": self.palette.card, "lw": 0, "pad": 1.5})
        log_axis(self.axes.xaxis)
        self._sentence = self.sentence_above()

    def show(self, result: EpsilonSweep) -> None:
        sweep, p = result.sweep, self.palette
        text = WORDS[sweep.neighbours]
        edges = (float(result.epsilons[0]), float(result.epsilons[-1]))
        set_x_label(self.axes, f"ε for one {text.record} {text.change}  (less private →)")
        if self.axes.get_xlim() != edges:
            self.axes.set_xlim(edges)
        levels = self.levels(local=sweep.local, smooth=sweep.smooth, global_=sweep.global_)
        scale_from_zero(self.axes, levels, self.unit, self.log_y)
        set_y_label(self.axes, self.palette, text.sensitivity + scale_note(self.axes.yaxis))
        self._global.set_data(edges, [sweep.global_] * 2)
        self._local.set_data(edges, [sweep.local] * 2)
        self._smooth.set_data(result.epsilons, sweep.smooth)
        here = result.current_smooth
        self._chosen.set_data([result.current_epsilon] * 2, [0, 1])
        self._dot.set_data([result.current_epsilon], [here])
        # above the curve, which falls to the right
        position = np.log(result.current_epsilon / edges[0]) / np.log(edges[1] / edges[0])
        self._amount.set(x=result.current_epsilon, y=here if np.isfinite(here) else 1.0)
        self._amount.set(ha="left" if position < LAST else "right")
        self._amount.set_text(at_most(self.amount(here), sweep.bound) if np.isfinite(here) else "")
        known = sweep.smooth[np.isfinite(sweep.smooth)]
        self._sentence.set_text(_finding(result, self.unit) if self.is_shown("smooth") else "")
        self.labels.set_labels(
            [
                Label(sweep.global_, f"global  {self.amount(sweep.global_)}", p.global_),
                Label(
                    float(known[-1]) if known.size else np.nan,
                    "smooth S" if sweep.bound else "smooth S*",
                    p.smooth,
                    bold=True,
                ),
                Label(sweep.local, local_label(self.amount(sweep.local), sweep.bound), p.local),
            ]
        )

    def tooltip_at(self, r: EpsilonSweep, x: float, y: float) -> str:
        if not r.epsilons[0] <= x <= r.epsilons[-1]:
            return ""
        sweep = r.sweep
        index = int(np.abs(np.log(r.epsilons / x)).argmin())
        smooth = float(sweep.smooth[index])
        amount = at_most(quantity(smooth, self.unit), sweep.bound)
        said = f"ε = {number(float(r.epsilons[index]))}: smooth {amount}"
        if smooth == 0:
            return said
        return f"{said}, {times(sweep.global_ / smooth, 'below global', 'as large as global')}"

    def alt_text_of(self, r: EpsilonSweep) -> str:
        local = at_most(quantity(r.sweep.local, self.unit), r.sweep.bound)
        others = f"Local sensitivity: {local}; global: {quantity(r.sweep.global_, self.unit)}."
        return f"{super().alt_text_of(r)} {others}"

    def table_of(self, r: EpsilonSweep) -> Table:
        header = ["epsilon", "beta", "local", "smooth", "global"]
        sweep = r.sweep
        return header, rows_of(r.epsilons, sweep.betas, sweep.local, sweep.smooth, sweep.global_)


def _finding(r: EpsilonSweep, unit: str) -> str:
    """Say how far smooth sensitivity falls up to the chosen epsilon; "" if either end is unknown."""
    here, finite = r.current_smooth, np.isfinite(r.sweep.smooth)
    if not np.isfinite(here):
        return ""
    first = int(finite.argmax())
    subject = "the bound of smooth sensitivity" if r.sweep.bound else "smooth sensitivity"
    most, least = (quantity(float(smooth), unit) for smooth in (r.sweep.smooth[first], here))
    falls = f"falls from {most} to {least}" if most != least else f"stays {most}"
    start, end = number(float(r.epsilons[first])), number(r.current_epsilon)
    return f"From ε = {start} to ε = {end} (in use) {subject} {falls}."

"""How large the cells of records are, against how near their neighbours: the bound on E[Δ_x]."""

from __future__ import annotations

import numpy as np

from app.model.wording.numbers import number, quantity, share
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import Limits, log_axis, log_ticks_on, logarithmic, tick_unit, unit_behind
from app.plots.histogram.cells import caption_of
from engine.analysis.histogram_diameters import DiametersByRadius
from engine.analysis.shared.records import MAX_DOTS
from engine.array_types import Ints

_SEED = 0  # public and fixed: which records are drawn says nothing
_MAX_LARGE_DOTS = 400
_MIN_RATIO = 6.0  # ratio of what is in view: with less, ticks would crowd at the upper end
_DEEPEST = 1e-6  # of the largest: smaller values are drawn at the edge


class DiameterBound(Picture[DiametersByRadius]):
    """Δ_x of records against their 2t-radii, both logarithmic, and the bound."""

    title = "Cells and radii"
    caption = caption_of
    has_log_y = False
    in_units = frozenset({"2t-radius", "diameter or bound"})

    def build(self) -> None:
        self._dots = self.line("accent", marker="o", linestyle="none", markeredgewidth=0, zorder=2.2)
        self._over = self.line("local", marker="D", markersize=6, linestyle="none", zorder=3.2)
        self._over.set(markeredgecolor=self.palette.card, markeredgewidth=0.8)
        self._bound = self.line("truth", linewidth=2.0, linestyle=(0, (6.0, 2.4)), zorder=3.0)
        for axis in (self.axes.xaxis, self.axes.yaxis):
            log_axis(axis)
        self._limits: list[Limits | None] = [None, None]

    def show(self, result: DiametersByRadius) -> None:
        self._scale(result)
        left, bottom = self.axes.get_xlim()[0], self.axes.get_ylim()[0]
        above = result.above
        for line, mask in ((self._dots, ~above), (self._over, above)):
            places = _some(np.flatnonzero(mask))
            x, y = result.radii[places], result.diameters[places]
            line.set_data(np.maximum(x, left), np.maximum(y, bottom))
        few = len(result.radii) <= _MAX_LARGE_DOTS
        self._dots.set(markersize=5.0 if few else 3.0, alpha=0.6 if few else 0.35)
        self._bound.set_data(result.curve, result.bound)
        self.labels.set_labels(self._labels(result))

    def _scale(self, r: DiametersByRadius) -> None:
        tick = tick_unit(self.unit)
        behind = unit_behind(self.unit)
        set_y_label(self.axes, self.palette, f"Δ, diameter of a record's cell{behind}")
        known = bool((r.radii > 0).any())
        towards = "  (← denser)" if known else ": 0 for all records"
        set_x_label(self.axes, f"2t-radius of the record{behind}{towards}")
        self.axes.tick_params(labelbottom=known, labelleft=known or bool((r.diameters > 0).any()))
        self._bound.set_visible(known)
        near = r.radii[r.radii > 0]  # between these the bound is to be seen
        inside = (r.curve >= near.min(initial=np.inf)) & (r.curve <= near.max(initial=0.0))
        for index, (axis, values) in enumerate(
            ((self.axes.xaxis, [r.radii]), (self.axes.yaxis, [r.diameters, r.bound[inside]]))
        ):
            numbers = np.concatenate(values)
            top = float(numbers.max(initial=0.0)) or 1.0
            drawn = np.append(numbers[numbers > _DEEPEST * top], top / _MIN_RATIO)
            limits = logarithmic(self._limits[index], float(drawn.min()), top)
            self._limits[index] = limits
            log_ticks_on(axis, tick)
            (self.axes.set_ylim if index else self.axes.set_xlim)(limits)

    def _labels(self, r: DiametersByRadius) -> list[Label]:
        p, count = self.palette, int(r.above.sum())
        right = self.axes.get_xlim()[1]
        end = float(np.exp(np.interp(np.log(right), np.log(r.curve), np.log(r.bound))))
        known = r.radii > 0
        middle = float(np.median(r.diameters[known])) if known.any() else float(np.median(r.diameters))
        shifts = f"mean over {number(r.shifts)} shift{'s' * (r.shifts != 1)}"
        highest = float(np.median(r.diameters[r.above])) if count else np.nan
        none = "" if count else "; none over it"
        if not known.any():
            return [Label(middle, f"{number(len(r.radii))} records", p.accent, note=shifts)]
        return [
            Label(end, "bound on E[Δ]", p.truth, note=f"t = {number(r.mechanism.t)}{none}", bold=True),
            Label(middle, f"{number(len(r.radii))} records", p.accent, note=shifts),
            Label(
                highest,
                f"{number(count)} over the bound",
                p.local,
                note=f"{share(count / len(r.radii))} of the records",
            ),
        ]

    def tooltip_at(self, r: DiametersByRadius, x: float, y: float) -> str:
        if x <= 0:
            return ""
        bound = float(np.exp(np.interp(np.log(x), np.log(r.curve), np.log(r.bound))))
        return f"2t-radius {quantity(x, self.unit)}: E[Δ] is at most {quantity(bound, self.unit)}"

    def alt_text_of(self, r: DiametersByRadius) -> str:
        low, high = (quantity(float(value), self.unit) for value in (r.diameters.min(), r.diameters.max()))
        zero = "" if (r.radii > 0).any() else " The 2t-radii are 0 for all records."
        return (
            f"Cells of {number(len(r.radii))} records have diameters from {low} to {high} on average over "
            f"{number(r.shifts)} shifts; {number(int(r.above.sum()))} are over the bound.{zero}"
        )

    def table_of(self, r: DiametersByRadius) -> Table:
        header = ["mark", "2t-radius", "diameter or bound", "over the bound"]
        rows = rows_of("record", r.radii, r.diameters, r.above)
        return header, rows + rows_of("bound", r.curve, r.bound, "")


def _some(places: Ints) -> Ints:
    """Return at most `MAX_DOTS` places, evenly."""
    if len(places) <= MAX_DOTS:
        return places
    return np.sort(np.random.default_rng(_SEED).choice(places, MAX_DOTS, replace=False))

"""The noise that would be added: every family on one axis, at the scale it needs here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from app.model.theme import SERIES_STROKES, STROKES
from app.model.wording.numbers import plain, quantity, share
from app.model.wording.releases import give_or_take
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import from_zero, linear_ticks, scale_from_zero, tick_unit, unit_behind
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.array_types import Floats
from engine.catalog import offered
from engine.noise.base import tabulate

_SERIES, _DASHES = (4, 5, 2, 7), (5, 6, 2, 4, 7)  # places of looks that have no meaning, such as released
_LOG_FLOOR = 1e-9
_REACH, _FARTHEST = 2.2, 6.0  # half-widths of the chosen noise in view at least, and at most for others
_MARGIN = 1.06  # keeps the outermost ticks off the edges


class NoiseDensities(Picture[NoiseCurves]):
    """Densities of noise, relative to the highest of them; linear unless `log_y` is True."""

    title = "Noise at this scale"
    in_units = frozenset({"noise"})

    @classmethod
    def layers(cls) -> tuple[str, ...]:
        return tuple(offered("noise"))

    def build(self) -> None:
        self._lines: list[Line2D] = []
        self._reach = 1.0
        tint = self.palette.tint(self.palette.smooth, 0.13)
        self._fill = self.add(Polygon(np.zeros((1, 2)), facecolor=tint, edgecolor="none", zorder=1.2))
        linear_ticks(self.axes.xaxis, tick_unit(self.unit))
        set_y_label(
            self.axes,
            self.palette,
            "relative density; 95 % of each noise lies between its ticks",
        )
        self._sentence = self.sentence_above()

    def show(self, result: NoiseCurves) -> None:
        """Set the curves; those without a positive finite scale are left out."""
        curves = self._drawable(result.curves)
        highest = max((curve.peak for curve in curves), default=1.0)
        narrowest = min((curve.half_width for curve in curves), default=1.0)
        self._scale(curves, highest)
        edge = self.axes.get_xlim()[1]
        while len(self._lines) < len(curves):
            self._lines.append(self.line("truth", marker="|", markersize=18, markeredgewidth=2))
        self._fill.set_xy(np.zeros((1, 2)))
        labels = []
        for index, (curve, line) in enumerate(zip(curves, self._lines, strict=False)):
            chosen = curve.chosen
            series, dashes = _SERIES[index % len(_SERIES)], _DASHES[index % len(_DASHES)]
            colour = self.palette.smooth if chosen else self.palette.series[series]
            stroke = STROKES["smooth"] if chosen else SERIES_STROKES[dashes]
            if not self.is_shown(curve.noise.name):
                line.set_data([], [])
                continue
            x, y = _visible(curve, edge)
            y = y / highest
            width = curve.half_width
            ends = np.array([-width, width] if width <= edge else [])
            at = np.searchsorted(x, ends)
            heights = curve.noise.density(ends / curve.scale) / curve.scale / highest
            line.set_data(np.insert(x, at, ends), np.insert(y, at, heights))
            line.set(
                color=colour,
                linewidth=stroke.width,
                linestyle=stroke.linestyle,
                zorder=3.5 if chosen else 2.5,
                markevery=(at + np.arange(at.size)).tolist(),
            )
            if chosen:
                self._fill.set_xy(np.column_stack([[x[0], *x, x[-1]], [0, *y, 0]]))
            labels.append(
                Label(
                    float(np.interp(edge, x, y)) if self.log_y else narrowest / width,
                    plain(curve.label),
                    colour,
                    extra=f"± {self.amount(width)}{'' if width <= edge else ', outside'}",
                    note="in use" if chosen else "",
                    bold=chosen,
                    stroke=stroke,
                    layer=curve.noise.name,
                )
            )
        for line in self._lines[len(curves) :]:
            line.set_data([], [])
        self.labels.set_labels(labels)
        scale = ", in multiples of S*, not shown in this view" if result.public else unit_behind(self.unit)
        set_x_label(self.axes, plain(f"added noise{scale}"))
        self._sentence.set_text(_finding(result, curves, self.unit))

    def _drawable(self, curves: Sequence[NoiseCurve]) -> list[NoiseCurve]:
        return [curve for curve in curves if np.isfinite(curve.scale) and curve.scale > 0]

    def _scale(self, curves: Sequence[NoiseCurve], highest: float) -> None:
        widths = [curve.half_width for curve in curves]
        chosen = [curve.half_width for curve in curves if curve.chosen]
        typical = chosen[0] if chosen else float(np.median(widths)) if widths else 1.0
        wanted = max(_REACH * typical, *(width for width in widths if width <= _FARTHEST * typical), 0.0)
        _, self._reach = from_zero((0.0, self._reach), wanted)
        reach = self._reach * _MARGIN
        self.axes.set_xlim(-reach, reach)
        if self.log_y:
            ends = (float(_visible(curve, reach)[1][-1]) / highest for curve in curves)
            scale_from_zero(self.axes, [max(min(ends, default=1.0), _LOG_FLOOR), 1.0], "", True)
        else:
            scale_from_zero(self.axes, [1.0], "", False)
            self.axes.set_ylim(0, 1.06)

    def tooltip_at(self, r: NoiseCurves, x: float, y: float) -> str:
        """Say, for each family, the quantile at `x` and the mass beyond its distance from 0."""
        curves = self._drawable(r.curves)
        lines = []
        for curve in sorted(curves, key=lambda c: not c.chosen):
            z = abs(x) / curve.scale
            tail = float(curve.noise.cdf(-z))
            below = tail if x < 0 else 1 - tail
            lines.append(f"{curve.label}: {share(2 * tail)} beyond, quantile {share(below)}")
        if not lines:
            return ""
        return "\n".join([f"noise of {quantity(x, self.unit)} (or ± {quantity(abs(x), self.unit)})", *lines])

    def alt_text_of(self, r: NoiseCurves) -> str:
        curves = self._drawable(r.curves)
        widths = [f"{curve.label} ± {quantity(curve.half_width, self.unit)}" for curve in curves]
        return "95 % of the noise lies within: " + "; ".join(widths) if widths else ""

    def table_of(self, r: NoiseCurves) -> Table:
        curves = self._drawable(r.curves)
        if not curves:
            return ["noise"], []
        reach = self.axes.get_xlim()[1]
        x = np.linspace(-reach, reach, 201)
        columns = [curve.noise.density(x / curve.scale) / curve.scale for curve in curves]
        return ["noise", *(curve.label for curve in curves)], np.column_stack([x, *columns]).tolist()


def _finding(r: NoiseCurves, curves: Sequence[NoiseCurve], unit: str) -> str:
    """Say how wide the noise in use is, or else the narrowest, and the next best; "" without noise."""
    order = sorted(curves, key=lambda curve: (not curve.chosen, curve.half_width))
    if not order:
        return ""
    used, unit = order[0], "" if r.public else unit
    first = f"Run adds {used.label} noise" if used.chosen else f"{used.label} noise"
    most = give_or_take(used.half_width, unit)
    if r.public or len(order) == 1:
        half = give_or_take(float(used.scale * used.noise.quantile(0.75)), unit)
        times = " times S*, the smooth sensitivity of the data" if r.public else ""
        return f"{first}: half of it within {half}, 95 % within {most}{times}."
    best = order[1]
    rival = "of the next best" if best.half_width >= used.half_width else f"of {best.label} only"
    return f"{first}: 95 % of it within {most}, {rival} {give_or_take(best.half_width, unit)}."


def _visible(curve: NoiseCurve, edge: float) -> tuple[Floats, Floats]:
    """Return the part of a curve that is in view, with one point beyond each edge."""
    table = tabulate(curve.noise)
    x = table.z * curve.scale
    first = max(0, int(np.searchsorted(x, -edge)) - 1)
    last = min(x.size, int(np.searchsorted(x, edge)) + 2)
    return x[first:last], table.density[first:last] / curve.scale

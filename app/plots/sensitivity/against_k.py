"""Sensitivity against the distance k: where smooth sensitivity comes from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.patches import FancyArrowPatch
from matplotlib.transforms import ScaledTranslation

from app.model.wording.components import at_most, local_label, smooth_label
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number, quantity, share, times
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.scales import TICK_SIZE, TINY, linear_ticks, scale_from_zero, scale_note
from engine.array_types import Floats, Ints
from engine.queries.profile import SensitivityProfile
from engine.round_numbers import nice

_POINTS = 600
_MAX_DOTS = 30
GAP_AT = 0.07
"""Where the arrow stands, as a share of the width: left of the curve of A^(k), which rises."""
FALL = 10.0
"""The discounted curve is in view at least down to so many times less than the lowest level."""
MIN_FACTOR = 2.0
"""The arrow is drawn from this factor between S* and GS on."""


class AgainstK(Picture[SensitivityProfile]):
    """A^(k), its discount exp(-beta k) A^(k) with the highest point marked, LS, S* and GS."""

    title = "Sensitivity against distance"
    in_units = frozenset({"at_distance", "discounted", "local", "smooth", "global"})
    x_ticks_vary = False

    def build(self) -> None:
        self._global = self.line("global_")
        self._local = self.line("local", linewidth=1.0, alpha=0.75)
        self._at_distance = self.line("local", layer="at-distance")
        # thin, and the bound above it thick: it is the peak that bounds, and not what falls beyond it
        self._discounted = self.line("smooth", layer="discounted", linewidth=1.0, alpha=0.75)
        # by themselves, as the first and the last of them are whole, half of each outside the axes
        whole: dict[str, Any] = {"marker": "o", "linestyle": "none", "clip_on": False}
        self._at_distance_dots = self.line("local", layer="at-distance", markersize=4, **whole)
        self._discounted_dots = self.line("smooth", layer="discounted", markersize=3, alpha=0.75, **whole)
        self._smooth = self.line("smooth", zorder=3.2)
        self._peak = self.dot("smooth", clip_on=False)
        # the gap between S* and GS, and its factor
        arrow: dict[str, Any] = {"arrowstyle": "<|-|>", "mutation_scale": 9, "shrinkA": 0, "shrinkB": 0}
        self._gap = self.add(FancyArrowPatch((0, 0), (0, 0), color=self.palette.muted, zorder=3.4, **arrow))
        beside = self.axes.transData + ScaledTranslation(6 / 72, 0, figure_of(self.axes).dpi_scale_trans)
        back = {"facecolor": self.palette.card, "edgecolor": "none", "pad": 1.5}
        facts: dict[str, Any] = {"va": "center", "fontsize": TICK_SIZE + 1, "zorder": 3.4, "bbox": back}
        self._factor = self.text(color=self.palette.ink, transform=beside, **facts)
        linear_ticks(self.axes.xaxis, "", integer=True)
        self._sentence = self.sentence_above()

    def show(self, result: SensitivityProfile) -> None:
        text = WORDS[result.neighbours]
        set_x_label(self.axes, text.distance)
        last = self._last(result)
        self.axes.set_xlim(0, max(last, 1))
        levels = self.levels(local=result.local, smooth=result.smooth, global_=result.global_)
        if "at-distance" in self.shown_layers:  # without the global one, which is above it
            levels.append(float(result.at_distance[min(result.argmax_k, last)]))
        falls = self.is_shown("discounted") and result.discounted[last] < min(levels, default=0.0)
        below = FALL if falls else 1.0
        scale_from_zero(self.axes, levels or [result.global_], self.unit, self.log_y, below)
        set_y_label(self.axes, self.palette, text.sensitivity + scale_note(self.axes.yaxis))
        k = np.unique(np.append(np.linspace(0, last, _POINTS).astype(np.int64), min(result.argmax_k, last)))
        bottom = self.axes.get_ylim()[0]
        for line, dots, values in (
            (self._at_distance, self._at_distance_dots, result.at_distance),
            (self._discounted, self._discounted_dots, result.discounted),
        ):
            line.set_data(k, values[k])
            dotted = k[(values[k] >= bottom) & (last <= _MAX_DOTS)]
            dots.set_data(dotted, values[dotted])
        for line, level in (
            (self._global, result.global_),
            (self._local, result.local),
            (self._smooth, result.smooth),
        ):
            line.set_data(self.axes.get_xlim(), [level, level])
        self._peak.set_data([result.argmax_k], [result.smooth])
        self._show_gap(result)
        self.labels.set_labels(self._labels(result, last, k))

    @staticmethod
    def _exit(k: Ints, discounted: Floats, peak: int, bottom: float) -> float | None:
        """Return where the discounted curve leaves at the bottom; None if it does not."""
        below = np.flatnonzero((discounted < bottom) & (k > peak))
        if not below.size:
            return None
        ends = [below[0], below[0] - 1]
        return float(np.interp(np.log(bottom), np.log(np.maximum(discounted[ends], TINY)), k[ends]))

    def _show_gap(self, result: SensitivityProfile) -> None:
        """Compare S* and GS if both lines are drawn, with an arrow if the factor is worth it."""
        both = all(map(self.is_shown, ("smooth", "global")))
        self._sentence.set_text(_finding(result, self.unit) if both else "")
        to_pixels = self.axes.transData.transform
        x = self.axes.get_xlim()[0] + GAP_AT * np.diff(self.axes.get_xlim())[0]
        low, high = to_pixels([(x, result.smooth), (x, result.global_)])
        seen = both and 0 < MIN_FACTOR * result.smooth <= result.global_
        middle = self.axes.transData.inverted().transform((low + high) / 2)[1]
        self._gap.set_positions((x, result.smooth), (x, result.global_))
        self._factor.set_position((x, middle))
        self._factor.set_text(times(result.global_ / (result.smooth or 1.0), "").strip())
        for artist in (self._gap, self._factor):
            artist.set_visible(bool(seen))

    def _labels(self, result: SensitivityProfile, last: int, k: Ints) -> list[Label]:
        p, bottom = self.palette, self.axes.get_ylim()[0]
        return [
            Label(result.global_, f"global  {self.amount(result.global_)}", p.global_),
            Label(
                float(result.at_distance[last]),
                f"{'bound of ' if result.bound else ''}largest local",
                p.local,
                note="after k changes",
                layer="at-distance",
            ),
            Label(
                result.smooth,
                smooth_label(self.amount(result.smooth), result.bound),
                p.smooth,
                note=f"largest discounted, k = {number(result.argmax_k)}",
                bold=True,
            ),
            Label(
                float(np.maximum(result.discounted[last], bottom)),
                "discounted local",
                p.smooth,
                note=f"{share(-math.expm1(-result.beta))} less per change",
                layer="discounted",
                x=self._exit(k, result.discounted[k], result.argmax_k, bottom),
            ),
            Label(
                result.local,
                local_label(self.amount(result.local), result.bound),
                p.local,
                note="before any change",
            ),
        ]

    def _last(self, result: SensitivityProfile) -> int:
        """Return the last k in view: round and steady, so that the curves reach the labels."""
        available = result.at_distance.size - 1
        needed = min(available, int(1.25 * result.argmax_k) + 1)
        current = round(self.axes.get_xlim()[1])
        if max(needed, 0.45 * available) <= current <= available:
            return current
        # Less than there is, so that a somewhat shorter profile fits the same limits.
        rounded = int(nice(0.7 * available, up=False)) if available > 1 else 0
        return rounded if rounded >= needed else available

    def tooltip_at(self, r: SensitivityProfile, x: float, y: float) -> str:
        k = round(min(max(x, 0), r.at_distance.size - 1))
        sign = "≤" if r.bound else "="
        return (
            f"k = {number(k)}: A⁽ᵏ⁾ {sign} {quantity(float(r.at_distance[k]), self.unit)}, "
            f"discounted {quantity(float(r.discounted[k]), self.unit)}"
        )

    def alt_text_of(self, r: SensitivityProfile) -> str:
        local = f"Local sensitivity: {at_most(quantity(r.local, self.unit), r.bound)}."
        return f"{super().alt_text_of(r)} It is decided at distance k = {number(r.argmax_k)}. {local}"

    def table_of(self, r: SensitivityProfile) -> Table:
        header = ["k", "at_distance", "discounted", "local", "smooth", "global"]
        k = range(r.at_distance.size)
        return header, rows_of(k, r.at_distance, r.discounted, r.local, r.smooth, r.global_)


def _finding(r: SensitivityProfile, unit: str) -> str:
    """Say whether smooth sensitivity helps."""
    subject = "The bound of smooth sensitivity" if r.bound else "Smooth sensitivity"
    if r.smooth == 0:  # then a bound is 0, too
        return f"Smooth sensitivity is 0: no change of few {WORDS[r.neighbours].records} moves the result."
    whole = f"the global {quantity(r.global_, unit)}"
    if r.smooth >= r.global_:
        return f"{subject} is as large as {whole}: Laplace is as good, and has an error bar."
    gain = times(r.global_ / r.smooth, f"smaller than {whole}", f"as large as {whole}")
    if r.global_ < 2 * r.smooth:
        gain = f"{share(1 - r.smooth / r.global_)} smaller than {whole}"
    return f"{subject}, {quantity(r.smooth, unit)}, is {gain}."

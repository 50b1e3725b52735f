"""The distribution of a release: theory, and simulated releases."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.patches import StepPatch

from app.model.wording.numbers import number, quantity, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.scales import around, from_zero, linear_ticks, tick_unit, unit_behind
from engine.analysis.distribution import SimulatedReleases
from engine.array_types import Floats
from engine.mechanisms.prepared import ScalarPrepared

Side = Literal["left", "center", "right"]  # on which side of a place its name stands
_CELLS, _WITHIN, _BINS = 320, 12, 40
_MARGIN = 0.05  # keeps the outermost ticks off the edges
_EDGE = 0.004
_PILE = 0.75  # how high a pile of all releases would be, in shares of the axis
_FAR = 8.0  # widths of what is likely: a truth before clamping that is farther away is only named
_BESIDE = 0.012  # from the end of the range to the words about a pile, beside the mark of a release there


class ReleaseDistribution(Picture[SimulatedReleases]):
    """Density of the released value, a histogram of simulations, the truth, the release."""

    title = "Distribution of the release"
    in_units = frozenset({"value"})
    has_log_y = False

    def build(self) -> None:
        tint = self.palette.tint(self.palette.released, 0.32)
        self._bars = self.add(
            StepPatch([0.0], [0.0, 1.0], fill=True, facecolor=tint, edgecolor=self.palette.card, zorder=1.4),
            "noise",
        )
        noise: dict[str, Any] = {"role": "released", "layer": "noise"}
        self._theory = self.line(**noise)
        self._truth = self.line("truth", layer="truth", clip_on=False)
        self._unclamped = self.line("truth", layer="truth", clip_on=False, linestyle=(0, (4, 3)))
        self._piles = [self.line(**noise, linewidth=4, linestyle="solid", zorder=2.6) for _ in range(2)]
        self._pointers = [self.line(**noise, linewidth=0.8, linestyle="solid", zorder=2.5) for _ in range(2)]
        self._released_line = self.line("released", linewidth=1.4, linestyle="solid", zorder=3)
        self._release = self.dot("released", marker="v", markersize=10, clip_on=False, zorder=6)
        look: dict[str, Any] = {"fontsize": 9.5, "va": "bottom", "zorder": 5}
        look["bbox"] = {"facecolor": self.palette.card, "edgecolor": "none", "pad": 1.5}
        colours = {role: self.palette.text(getattr(self.palette, role)) for role in ("truth", "released")}
        self._words = {role: self.text(color=colour, layer=role, **look) for role, colour in colours.items()}
        self._words["clamped"] = self.text(color=colours["truth"], layer="truth", **look)
        self._words["released"].set_fontweight("bold")
        self._named_piles = [
            self.text(color=colours["released"], layer="noise", ha=side, **look) for side in ("left", "right")
        ]
        self._known: ScalarPrepared | None = None
        self._limits: tuple[float, float] | None = None
        self._curve: tuple[Floats, Floats] = (np.zeros(1), np.zeros(1))
        linear_ticks(self.axes.xaxis, tick_unit(self.unit))
        self.axes.yaxis.set_visible(False)
        set_x_label(self.axes, f"released value{unit_behind(self.unit)} (curve: exact, bars: simulated)")
        set_y_label(self.axes, self.palette, "density")
        self._corner_text = self.corner_text("noise")

    def show(self, result: SimulatedReleases) -> None:
        self._scale(result)
        cells, density = self._curve
        bins = self._bins(result)
        heights = self._heights(result, bins)
        top = from_zero(self.axes.get_ylim(), 1.4 * max(float(density.max()), float(heights.max())))
        self.axes.set_ylim(top)
        self._theory.set_data(cells, density)
        self._bars.set_data(heights, bins)
        self._show_piles(result, top[1])
        self._truth.set_data([result.true_value] * 2, [0, 0.92 * top[1]])
        clamped, truth = result.true_value, result.unclamped
        left, right = self.axes.get_xlim()
        seen = [] if truth is None or not left <= truth <= right else [truth, truth]
        self._unclamped.set_data(seen, [0, 0.92 * top[1]][: len(seen)])
        self._words["clamped"].set_text("")
        if truth is None:
            self._name("truth", clamped, 0.93 * top[1], "center")
        else:
            self._name("truth", truth, 0.93 * top[1], "left" if truth > clamped else "right")
            self._name("clamped", clamped, 0.93 * top[1], "right" if truth > clamped else "left")
        for artist in (self._release, self._released_line, self._words["released"]):
            artist.set_visible(result.released is not None)
        if result.released is not None:
            # its name stands below that of the truth, also in a low picture
            line = self._words["truth"].get_window_extent().height / self.axes.bbox.height
            height = max(0.3, min(0.8, 0.88 - 1.2 * line)) * top[1]
            self._release.set_data([result.released], [height])
            self._released_line.set_data([result.released] * 2, [0, height])
            side: Side = "left" if result.released > result.true_value else "right"  # away from the truth
            self._name("released", result.released, height + 0.03 * top[1], side)
        self._corner_text.set_text(self._sentence(result))

    def _show_piles(self, result: SimulatedReleases, top: float) -> None:
        """Mark what was clamped to either end, as high as its share of all."""
        left, right = self.axes.get_xlim()
        shares = result.piles
        marks = zip(self._piles, self._pointers, self._named_piles, strict=True)
        for (line, pointer, text), end, pile in zip(marks, result.prepared.grid.ends, shares, strict=True):
            shown = bool(pile > 0 and left <= end <= right)
            for drawn, height in ((line, pile * _PILE), (pointer, _PILE)):
                drawn.set_data([end, end] if shown else [], [0, height * top] if shown else [])
            text.set_text(f"{share(pile)} at the bound" if shown else "")
            if shown:
                inward = _BESIDE * (right - left) * (1 if text.get_horizontalalignment() == "left" else -1)
                text.set(x=end + inward, y=(_PILE + 0.01) * top)

    def _name(self, role: str, x: float, y: float, side: Side) -> None:
        """Write what stands at `x`, on the side of it that has room."""
        left, right = self.axes.get_xlim()
        position = min(max((x - left) / (right - left), 0.0), 1.0)
        text = self._words[role]
        text.set(x=left + position * (right - left), y=y, text=f"{role} {self.amount(x, 5)}")
        needed = text.get_window_extent().width / self.axes.bbox.width
        needed *= 0.5 if side == "center" else 1.0
        before, behind = needed <= position, position + needed <= 1
        fitting = {"left": behind, "right": before, "center": before and behind}
        text.set_horizontalalignment(side if fitting[side] else "left" if position < 0.5 else "right")

    def _scale(self, result: SimulatedReleases) -> None:
        """Show what is likely, the truth in any case, and compute the theory there once."""
        if result.prepared is not self._known:
            low, high = (float(edge) for edge in result.prepared.quantile([_EDGE, 1 - _EDGE]))
            low, high = min(low, result.true_value), max(high, result.true_value)
            truth = result.true_value if result.unclamped is None else result.unclamped
            if max(low - truth, truth - high) <= _FAR * (high - low):
                low, high = min(low, truth), max(high, truth)
            self._span = low, high
        low, high = self._span
        if result.released is not None:
            width = high - low
            low = min(low, max(result.released, low - width))
            high = max(high, min(result.released, high + width))
        limits = around(self._limits, low, high)
        if result.prepared is not self._known or limits != self._limits:
            self._limits = limits
            margin = _MARGIN * (limits[1] - limits[0])
            self.axes.set_xlim(limits[0] - margin, limits[1] + margin)
            self._curve = _cell_averages(result.prepared, self._inside(result))
        self._known = result.prepared

    def _inside(self, result: SimulatedReleases) -> tuple[float, float]:
        """Return what is in view and can be released."""
        (left, right), (low, high) = self.axes.get_xlim(), result.prepared.grid.ends
        return max(left, low), min(right, high)

    def _bins(self, result: SimulatedReleases) -> Floats:
        left, right = self._inside(result)
        width = (right - left) / _BINS
        if not result.resolution:
            return np.linspace(left, right, _BINS + 1)
        width = max(1, round(width / result.resolution)) * result.resolution
        first = (np.floor(left / result.resolution) - 0.5) * result.resolution
        return np.asarray(np.arange(first, right + width, width))

    def _heights(self, result: SimulatedReleases, bins: Floats) -> Floats:
        """Return densities of the runs with an answer; without the piles."""
        low, high = result.prepared.grid.ends
        counts, _ = np.histogram(result.answered[(low < result.answered) & (result.answered < high)], bins)
        if not result.answered.size:
            return np.zeros(counts.size)
        return counts / (np.diff(bins) * result.answered.size)

    def _sentence(self, result: SimulatedReleases) -> str:
        done = result.simulated.size
        if not done:
            return ""
        left, right = self.axes.get_xlim()
        outside = int(np.count_nonzero((result.answered < left) | (result.answered > right)))
        refused = done - result.answered.size
        text = f"{number(done)} simulated release" + "s" * (done != 1)
        if refused:
            text += f", {number(refused)} refused to answer"
        ends = zip(("lower", "upper"), result.piles, strict=True)
        text += "".join(f", {share(pile)} at the {end} bound" for end, pile in ends if pile)
        if outside:
            text += f", {number(outside)} out of view"
        return text

    def tooltip_at(self, r: SimulatedReleases, x: float, y: float) -> str:
        text = f"{quantity(x, self.unit, 5)}: off by {quantity(abs(x - r.true_value), self.unit)}"
        if r.answered.size:
            text += f"; {share(float(np.mean(r.answered <= x)))} of the simulated releases are below"
        return text

    def alt_text_of(self, r: SimulatedReleases) -> str:
        low, high = (float(edge) for edge in r.prepared.quantile([0.05, 0.95]))
        before = "" if r.unclamped is None else f", {quantity(r.unclamped, self.unit, 5)} before clamping"
        return (
            f"The true value is {quantity(r.true_value, self.unit, 5)}{before}; 90 % of releases lie "
            f"between {quantity(low, self.unit, 5)} and {quantity(high, self.unit, 5)}. "
            f"{self._sentence(r)}"
        )

    def table_of(self, r: SimulatedReleases) -> Table:
        header = ["run", "value", "density"]
        values = r.simulated
        density = r.prepared.density(np.nan_to_num(values))
        return header, [
            [run, "" if np.isnan(value) else value, "" if np.isnan(value) else height]
            for run, (value, height) in enumerate(zip(values.tolist(), density.tolist(), strict=True), 1)
        ]


def _cell_averages(prepared: ScalarPrepared, limits: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return the theory in cells about a pixel wide.

    The exponential mechanism has needles between neighbouring records; averages over
    cells are what a histogram of infinitely many releases would show.
    """
    edges = np.linspace(*limits, _CELLS + 1)
    step = (edges[1] - edges[0]) / _WITHIN
    inside = edges[:-1, None] + step * (np.arange(_WITHIN) + 0.5)
    return (edges[:-1] + edges[1:]) / 2, prepared.density(inside).mean(axis=1)

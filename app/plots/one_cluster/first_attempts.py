"""Two ideas for finding a cluster, and how they fail: axis by axis, and boxes in all dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.patches import Circle, Rectangle

from app.model.wording.numbers import number, share
from app.plots.base import Picture, Table, names_of_map, rows_of, set_x_label, set_y_label
from app.plots.clustering.space_picture import DOTS, point
from app.plots.elements.labels import Label
from app.plots.elements.legend import Legend, LegendEntry, in_lines
from app.plots.elements.scales import linear_ticks, scale_from_zero
from engine.analysis.first_attempts import AxesAttempt, SidesAttempt

_BAND = 0.25  # of the accent colour
_POINTS: dict[str, Any] = {**DOTS, "markersize": 3.6, "alpha": 0.6}
_RIMS: Mapping[str, Mapping[str, Any]] = {
    "local": {"linewidth": 2.2, "linestyle": (0, (3.0, 1.5))},
    "truth": {"linewidth": 1.8},
}


class AxisByAxisPicture(Picture[AxesAttempt]):
    """First attempt: the fullest interval of each axis; they meet where there is nothing."""

    title = "Why not axis by axis?"
    is_map = True
    has_log_y = has_cursor = False
    export_size = (5.2, 4.6)

    def build(self) -> None:
        self.axes.grid(False)
        self.axes.set_aspect("equal", adjustable="box")
        self.axes.set_anchor("W")
        self.axes.set_xlim(0, 1)
        self.axes.set_ylim(0, 1)
        band: dict[str, Any] = {"facecolor": self.palette.tint(self.palette.accent, _BAND), "zorder": 1.1}
        self._bands = [Rectangle((0, 0), 0, 0, edgecolor="none", **band) for _ in "xy"]
        self._meeting = Rectangle((0, 0), 0, 0, zorder=3, **self._rim("local"))
        self._cluster = Circle((0, 0), 0, zorder=3, **self._rim("truth"))
        for patch in (*self._bands, self._meeting):
            self.add(patch, "bands")
        self.add(self._cluster, "cluster")
        self._points = self.line("global_", layer="", **_POINTS)
        for axis in (self.axes.xaxis, self.axes.yaxis):
            linear_ticks(axis, "")
        set_y_label(self.axes, self.palette, names_of_map("x", "y"))
        self._legend = self.add(Legend(self.axes, self.palette))
        self._sentence = self.sentence_above()

    def show(self, result: AxesAttempt) -> None:
        (left, low), (right, high) = result.lower, result.upper
        self._points.set_data(*result.points.T)
        self._bands[0].set_bounds(left, 0, right - left, 1)
        self._bands[1].set_bounds(0, low, 1, high - low)
        self._meeting.set_bounds(left, low, right - left, high - low)
        self._cluster.set(center=result.center, radius=result.radius)
        self._legend.set_entries(self._entries(result))
        self._sentence.set_text(
            f"Axis by axis fails: the fullest intervals share {number(result.inside)} points, and miss the "
            f"cluster of {number(result.held)}."
        )

    def _rim(self, role: str) -> dict[str, Any]:
        return {"facecolor": "none", "edgecolor": getattr(self.palette, role), **_RIMS[role]}

    def _entries(self, r: AxesAttempt) -> list[LegendEntry]:
        p = self.palette
        tint = p.tint(p.accent, _BAND)
        across, up = (number(int(count)) for count in r.counts)
        band = (point("s", tint, 9.0, markeredgecolor=tint),)
        return [
            LegendEntry(({**_POINTS, "color": p.global_},), f"{number(len(r.points))} points"),
            *in_lines(band, ["fullest interval of each axis", f"({across} and {up} points)"]),
            LegendEntry((self._sample("s", "local"),), f"where both meet: {number(r.inside)} points"),
            LegendEntry((self._sample("o", "truth"),), f"missed cluster: {number(r.held)} points"),
        ]

    def _sample(self, marker: str, role: str) -> dict[str, Any]:
        width = _RIMS[role]["linewidth"]
        return point(marker, getattr(self.palette, role), 9.5, markerfacecolor="none", markeredgewidth=width)

    def tooltip_at(self, r: AxesAttempt, x: float, y: float) -> str:
        within = (r.lower <= (x, y)) & ((x, y) <= r.upper)
        if np.hypot(*(r.center - (x, y))) <= r.radius:
            return f"the cluster of {number(r.held)} points"
        if within.all():
            return f"in both intervals: {number(r.inside)} points"
        held = [f"{name}: {number(int(r.counts[index]))}" for index, name in enumerate("xy") if within[index]]
        return f"in the fullest interval of {held[0]} points" if held else ""

    def table_of(self, r: AxesAttempt) -> Table:
        header = ["mark", "points", "x", "y"]
        rows: list[list[Any]] = [
            ["intervals, lower ends", r.inside, *r.lower.tolist()],
            ["intervals, upper ends", r.inside, *r.upper.tolist()],
            ["missed cluster", r.held, *r.center.tolist()],
        ]
        return header, rows + [["point", "", *point] for point in r.points.tolist()]


class BoxesOfAllDimensions(Picture[SidesAttempt]):
    """Second attempt: boxes at a random place, drawn in all dimensions at once."""

    title = "Why not one big box?"
    x_ticks_vary = False

    def build(self) -> None:
        self._ball = self.line("global_", layer="ball")
        self._side = self.line("accent", layer="side", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._diameter = self.line("truth", layer="diameter", linewidth=2.2)
        linear_ticks(self.axes.xaxis, "", integer=True)
        set_x_label(self.axes, "d, the number of dimensions")
        self._sentence = self.sentence_above()

    def show(self, result: SidesAttempt) -> None:
        self.axes.set_xlim(int(result.d[0]), int(result.d[-1]))
        held = f"of a box that holds the ball in {share(result.chance)} of tries"
        set_y_label(self.axes, self.palette, f"size {held}, in radii of the ball")
        log = True if self.log_y is None else self.log_y
        scale_from_zero(self.axes, [2.0, *result.side.tolist(), *result.diameter.tolist()], "", log)
        self._ball.set_data(self.axes.get_xlim(), [2, 2])
        self._side.set_data(result.d, result.side)
        self._diameter.set_data(result.d, result.diameter)
        self.labels.set_labels(self._labels(result))
        d, times = number(int(result.d[-1])), number(float(result.diameter[-1]) / 2, 2)
        self._sentence.set_text(
            f"In {d} dimensions, the box's diagonal is {times} times the ball's diameter."
        )

    def _labels(self, r: SidesAttempt) -> list[Label]:
        p = self.palette
        side, diameter = float(r.side[-1]), float(r.diameter[-1])
        name, note = f"box: diagonal {number(diameter)}", f"at d = {number(int(r.d[-1]))}; grows like d"
        return [
            Label(diameter, name, p.truth, note=f"{note} √d", bold=True, layer="diameter"),
            Label(side, f"box: side {number(side)}", p.accent, note=note, layer="side"),
            Label(2.0, "ball: diameter 2", p.global_, layer="ball"),
        ]

    def tooltip_at(self, r: SidesAttempt, x: float, y: float) -> str:
        index = int(np.abs(r.d - x).argmin())
        return (
            f"d = {number(int(r.d[index]))}: side {number(float(r.side[index]))}, "
            f"diagonal {number(float(r.diameter[index]))} radii"
        )

    def table_of(self, r: SidesAttempt) -> Table:
        return ["d", "side", "diameter"], rows_of(r.d, r.side, r.diameter)

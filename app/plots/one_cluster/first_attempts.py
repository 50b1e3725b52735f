"""Two ideas for finding a cluster, and how they fail: axis by axis, and boxes in all dimensions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import offset_copy
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.base import Picture, set_x_label, set_y_label
from app.plots.clustering.cloud_style import point
from app.plots.elements.artists import figure_of
from app.plots.elements.floats import Floats
from app.plots.elements.labels import Label
from app.plots.elements.legend import LegendEntry, in_lines
from app.plots.elements.scales import linear_ticks, scale_from_zero
from app.plots.elements.side_legend import SideLegend
from app.theme import LIGHT, Palette
from engine.mechanisms.one_cluster import first_attempts as attempts

_BAND = 0.25  # of the accent colour
_POINTS: dict[str, Any] = {
    "marker": "o",
    "markersize": 3.6,
    "linestyle": "none",
    "alpha": 0.6,
    "markeredgewidth": 0,
}
_RIMS: Mapping[str, Mapping[str, Any]] = {
    "local": {"linewidth": 2.2, "linestyle": (0, (3.0, 1.5))},
    "truth": {"linewidth": 1.8},
}


@dataclasses.dataclass(frozen=True, eq=False)
class AxisByAxisView:
    """Points of the unit square, and the fullest interval of each axis (public).

    Attributes
    ----------
    points : ndarray, shape (n, 2)
    lower, upper : ndarray, shape (2,)
        The fullest interval of each axis.
    counts : ndarray of int, shape (2,)
        How many points are in each interval.
    inside : int
        How many are in both.
    center : ndarray, shape (2,)
        Of the cluster that was missed.
    radius : float
    held : int
        How many points the cluster has.
    """

    points: Floats
    lower: Floats
    upper: Floats
    counts: NDArray[np.int64]
    inside: int
    center: Floats
    radius: float
    held: int

    @classmethod
    def of(cls, n: int = 400, pattern: int = 1) -> AxisByAxisView:
        """Look at n points for which the attempt fails, with intervals as wide as the cluster."""
        points = attempts.misleading(n, pattern)
        found = attempts.axis_by_axis(points, 2 * attempts.RADIUS)
        center, radius = np.array(attempts.CLUSTER), attempts.RADIUS
        held = int((np.linalg.norm(points - center, axis=1) <= radius).sum())
        return cls(points, found.lower, found.upper, found.counts, found.inside, center, radius, held)


class AxisByAxisPicture(Picture[AxisByAxisView]):
    """First attempt: the fullest interval of each axis; they meet where there is nothing."""

    title = "First attempt: axis by axis"
    has_log_y = False
    export_size = (5.2, 4.6)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        axes.grid(False)
        axes.set_aspect("equal", adjustable="box")
        axes.set_anchor("W")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        band: dict[str, Any] = {"facecolor": palette.tint(palette.accent, _BAND), "zorder": 1.1}
        self._bands = [Rectangle((0, 0), 0, 0, edgecolor="none", **band) for _ in "xy"]
        self._meeting = Rectangle((0, 0), 0, 0, zorder=3, **self._rim("local"))
        self._cluster = Circle((0, 0), 0, zorder=3, **self._rim("truth"))
        for patch in (*self._bands, self._meeting, self._cluster):
            axes.add_patch(patch)
            patch.set_in_layout(False)
            self.add(patch)
        self._points = self.line("global_", **_POINTS)
        self._meet_text = self._text("local", 4, "bottom")
        self._missed_text = self._text("truth", -4, "top")
        for axis in (axes.xaxis, axes.yaxis):
            linear_ticks(axis, "")
        set_y_label(axes, palette, "y")
        set_x_label(axes, "x")
        self._key = SideLegend(axes, palette)
        self.add(self._key)

    def update(self, result: AxisByAxisView) -> bool:
        """Show `result`; return whether everything must be drawn again."""
        again = super().update(result)
        self.needs_layout |= self._key.cramped()
        return again or self.needs_layout

    def show(self, result: AxisByAxisView) -> None:
        """Set points, intervals and what they miss."""
        (left, low), (right, high) = result.lower, result.upper
        self._points.set_data(*result.points.T)
        self._bands[0].set_bounds(left, 0, right - left, 1)
        self._bands[1].set_bounds(0, low, 1, high - low)
        self._meeting.set_bounds(left, low, right - left, high - low)
        x, y = result.center
        self._cluster.set(center=(x, y), radius=result.radius)
        self._meet_text.set(text=number(result.inside), x=(left + right) / 2, y=high)
        self._missed_text.set(text=number(result.held), x=x, y=y - result.radius)
        self._key.set_entries(self._entries(result))

    def _rim(self, role: str) -> dict[str, Any]:
        return {"facecolor": "none", "edgecolor": getattr(self.palette, role), **_RIMS[role]}

    def _text(self, role: str, up: float, va: str) -> Text:
        """Add a count beside a place."""
        text = self.axes.text(0, 0, "", fontsize=11, fontweight="bold", ha="center", va=va, zorder=5)
        figure = figure_of(self.axes)
        text.set_transform(offset_copy(self.axes.transData, figure, 0, up, units="points"))
        text.set(color=self.palette.text(getattr(self.palette, role)), in_layout=False)
        self.add(text)
        return text

    def _entries(self, r: AxisByAxisView) -> list[LegendEntry]:
        p = self.palette
        tint = p.tint(p.accent, _BAND)
        across, up = (number(int(count)) for count in r.counts)
        band = (point("s", tint, 9.0, markeredgecolor=tint),)
        return [
            LegendEntry(({**_POINTS, "color": p.global_},), f"{number(len(r.points))} points"),
            *in_lines(band, ["fullest interval of each axis:", f"{across} and {up} points"]),
            *in_lines((self._sample("s", "local"),), ["where both meet:", f"{number(r.inside)} points"]),
            *in_lines((self._sample("o", "truth"),), ["cluster that is missed:", f"{number(r.held)} points"]),
        ]

    def _sample(self, marker: str, role: str) -> dict[str, Any]:
        width = _RIMS[role]["linewidth"]
        return point(marker, getattr(self.palette, role), 9.5, markerfacecolor="none", markeredgewidth=width)

    def describe(self, x: float, y: float | None = None) -> str:
        """Say in which of the intervals a place lies."""
        if self.result is None or y is None:
            return ""
        r = self.result
        within = (r.lower <= (x, y)) & ((x, y) <= r.upper)
        if np.hypot(*(r.center - (x, y))) <= r.radius:
            return f"the cluster of {number(r.held)} points"
        if within.all():
            return f"in both intervals: {number(r.inside)} points"
        held = [f"{name}: {number(int(r.counts[place]))}" for place, name in enumerate("xy") if within[place]]
        return f"in the fullest interval of {held[0]} points" if held else ""

    def point_at(self, x: float, y: float) -> str:
        """Return what `describe` says; intervals need no cursor line."""
        return self.describe(x, y)

    def summary(self) -> str:
        """Say what the intervals hold, and what they share."""
        if self.result is None:
            return ""
        r = self.result
        across, up = (number(int(count)) for count in r.counts)
        return (
            f"The fullest interval across holds {across} of {number(len(r.points))} points and the fullest "
            f"one up {up}; where they meet there are {number(r.inside)}. The cluster of {number(r.held)} "
            "points lies elsewhere."
        )

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return intervals and points."""
        header = ["mark", "points", "x", "y"]
        if self.result is None:
            return header, []
        r = self.result
        rows: list[list[Any]] = [
            ["intervals, lower ends", r.inside, *r.lower.tolist()],
            ["intervals, upper ends", r.inside, *r.upper.tolist()],
            ["missed cluster", r.held, *r.center.tolist()],
        ]
        return header, rows + [["point", "", *point] for point in r.points.tolist()]


@dataclasses.dataclass(frozen=True, eq=False)
class BoxesView:
    """Boxes that a ball fits into, against the dimension (public).

    Attributes
    ----------
    d : ndarray of int, shape (p,)
    side, diameter : ndarray, shape (p,)
        In radii of the ball.
    chance : float
        Probability with which the ball lies in one box.
    """

    d: NDArray[np.int64]
    side: Floats
    diameter: Floats
    chance: float

    @classmethod
    def of(cls, largest: int = 100, chance: float = 0.5) -> BoxesView:
        """Look at dimensions 1 to `largest`."""
        d = np.arange(1, largest + 1)
        side, diameter = np.array([attempts.box_of(k, chance) for k in d.tolist()]).T
        return cls(d, side, diameter, chance)


class BoxesOfAllDimensions(Picture[BoxesView]):
    """Second attempt: boxes at a random place, drawn in all dimensions at once."""

    title = "Second attempt: boxes in all dimensions"
    x_ticks_vary = False

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._ball = self.line("global_")
        self._side = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._diameter = self.line("truth", linewidth=2.2)
        linear_ticks(axes.xaxis, "", integer=True)
        set_y_label(axes, palette, "size of a box, in radii of the ball")
        set_x_label(axes, "d, the number of dimensions")

    def show(self, result: BoxesView) -> None:
        """Set side and diameter."""
        self.axes.set_xlim(int(result.d[0]), int(result.d[-1]))
        log = True if self.log_y is None else self.log_y
        scale_from_zero(self.axes, [2.0, *result.side.tolist(), *result.diameter.tolist()], "", log)
        self._ball.set_data(self.axes.get_xlim(), [2, 2])
        self._side.set_data(result.d, result.side)
        self._diameter.set_data(result.d, result.diameter)
        self.labels.set_labels(self._labels(result))

    def _labels(self, r: BoxesView) -> list[Label]:
        p = self.palette
        side, diameter = float(r.side[-1]), float(r.diameter[-1])
        return [
            Label(diameter, f"diameter {number(diameter)}", p.truth, note="grows like d √d", bold=True),
            Label(side, f"side {number(side)}", p.accent, note="grows like d"),
            Label(2.0, "ball 2", p.global_, note="its diameter"),
        ]

    def describe(self, x: float, y: float | None = None) -> str:
        """Say how large boxes are in the nearest dimension."""
        if self.result is None:
            return ""
        r = self.result
        place = int(np.abs(r.d - x).argmin())
        return (
            f"d = {number(int(r.d[place]))}: side {number(float(r.side[place]))}, "
            f"diameter {number(float(r.diameter[place]))} radii"
        )

    def summary(self) -> str:
        """Say how boxes grow with the dimension."""
        if self.result is None:
            return ""
        return f"{self.describe(float(self.result.d[0]))}; {self.describe(float(self.result.d[-1]))}."

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return side and diameter of each dimension."""
        header = ["d", "side", "diameter"]
        if self.result is None:
            return header, []
        r = self.result
        columns = (r.d.tolist(), r.side.tolist(), r.diameter.tolist())
        return header, [list(row) for row in zip(*columns, strict=True)]


def draw_axis_by_axis(
    axes: Axes, view: AxisByAxisView, palette: Palette = LIGHT, unit: str = ""
) -> AxisByAxisPicture:
    """Draw the first attempt on `axes`."""
    picture = AxisByAxisPicture(axes, palette, unit)
    picture.update(view)
    return picture


def draw_boxes_of_all_dimensions(
    axes: Axes, view: BoxesView, palette: Palette = LIGHT, unit: str = ""
) -> BoxesOfAllDimensions:
    """Draw the second attempt on `axes`."""
    picture = BoxesOfAllDimensions(axes, palette, unit)
    picture.update(view)
    return picture

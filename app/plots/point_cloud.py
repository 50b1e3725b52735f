"""Clouds of points: the data, the outputs of blocks, their center, and what is released."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from app.plots.base import Floats, Picture, footline, headline
from app.plots.cloud_style import attention, baseline
from app.plots.cloud_view import CloudView
from app.plots.cloud_words import (
    MARKS,
    cell_words,
    circle_words,
    cloud_table,
    mark_words,
    outputs_words,
    place_words,
    records_words,
    region_words,
    summary_words,
)
from app.plots.dot_strip import jitter
from app.plots.key import Entry, SideKey
from app.plots.numbers import number
from app.plots.scales import linear_ticks
from app.theme import LIGHT, STROKES, Palette

_AIR = 0.03  # around the window, as a share of it
_REACH = 9.0  # pixels at 100 dpi within which a mark is hit
_ALIKE = 3.0  # sides of the window in the same unit whose ratio is at most this are drawn to scale
_DARKEST = 0.6  # share of ink where records are densest
_LEAST = 0.12  # of that, for a single record
_BRIGHT = 99.0  # percentile of the counts that is drawn so
_LANES = ("records", "outputs", "center", "released", "baseline", "truth")
_TURN = np.linspace(0, 2 * np.pi, 72, endpoint=False)
_MOST_OUTPUTS = 20_000  # points; more could not be told apart


class PointCloud(Picture[CloudView]):
    """Two directions of the space of centers; of one direction, a strip with a lane for each kind."""

    title = "Points and centers"
    has_log_y = False
    export_size = (7.8, 4.6)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        axes.grid(False)
        axes.spines["bottom"].set_visible(False)
        axes.set_anchor("W")
        # thousands of points, which do not change from release to release: not drawn again with the rest
        self._background: tuple[object, ...] = ()
        self._image: AxesImage | None = None
        self._frame_line = self._still("global_", linewidth=1.2, zorder=1.3)
        self._dots = self._still("global_", marker="o", linestyle="none", markeredgewidth=0, zorder=1.2)
        self._outputs = self._still(
            "truth", color=attention(palette), marker="o", linestyle="none", markeredgewidth=0, zorder=2
        )
        self._regions = self._areas(palette.released, 2.2)
        self._region_rims = self.line("released", linewidth=1.3, zorder=2.3)
        self._circles = self.line("smooth", color=attention(palette), linewidth=1.4, zorder=2.6)
        self._points = {
            "baseline": self.dot("truth", color=baseline(palette), marker="s", markersize=7.5, zorder=4.0),
            "center": self.dot("truth", color=attention(palette), marker="D", markersize=7.5, zorder=4.1),
            "truth": self.line(
                "truth", marker="+", markersize=11, markeredgewidth=1.6, linestyle="none", zorder=4.3
            ),
            "released": self.dot("released", marker="v", markersize=10, zorder=4.4),
        }
        self._key = SideKey(axes, palette)
        self.add(self._key)

    def update(self, result: CloudView) -> bool:
        """Show `result`; return whether everything must be drawn again."""
        background = self._background
        again = super().update(result)
        self.needs_layout |= self._key.cramped()
        return again or self.needs_layout or background != self._background

    def show(self, result: CloudView) -> None:
        """Set records, outputs, centers and regions."""
        self._scale(result)
        background = (id(result.records), id(result.outputs), result.window, self._lanes(result).keys())
        if background != self._background:
            self._background = background
            self._kept = result  # so that no other object gets the same id
            self._draw_records(result)
            self._draw_outputs(result)
        for mark, line in self._points.items():
            points = getattr(result, mark)
            line.set_data(*self._placed(result, mark, points).T)
        self._draw_regions(result)
        self._draw_circles(result)
        self._key.set_entries(list(self._entries(result)))

    # What can be asked of it.

    def describe(self, x: float, y: float | None = None) -> str:
        """Say what mark is under the pointer, or how many records are there."""
        r = self.result
        if r is None or y is None:
            return ""
        for mark in (*MARKS, "outputs"):
            points = getattr(r, mark)
            if points is None:
                continue
            flat = points.reshape(-1, len(r.directions))
            nearest = self._nearest(self._placed(r, mark, flat), x, y)
            if nearest is not None:
                return f"{self._name(r, mark, nearest)}: {place_words(r, flat[nearest])}"
        lane = self._lanes(r).get("records", -1)
        if r.flat and abs(y - lane) > 0.5:
            return ""
        return cell_words(r, np.array([x] if r.flat else [x, y]))

    def point_at(self, x: float, y: float) -> str:
        """Return what `describe` says; a cloud needs no cursor line."""
        return self.describe(x, y)

    def summary(self) -> str:
        """Say what there is to see, and where."""
        return "" if self.result is None else summary_words(self.result)

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return everything that is drawn, one point in a row."""
        return cloud_table(self.result)

    # How it is drawn.

    def _still(self, role: str, **properties: Any) -> Line2D:
        """Add a line that belongs to the background."""
        line = self.line(role, **properties)
        self.artists.remove(line)
        line.set_animated(False)
        return line

    def _areas(self, colour: str, height: float) -> PolyCollection:
        areas = PolyCollection([], facecolors=colour, edgecolors="none", alpha=0.12, zorder=height)
        areas.set_in_layout(False)
        self.axes.add_collection(areas, autolim=False)
        self.add(areas)
        return areas

    def _lanes(self, r: CloudView) -> dict[str, int]:
        """Return the lane of each kind that there is; from below, as it comes into being."""
        kinds = [kind for kind in _LANES if getattr(r, kind) is not None]
        if r.regions is not None and r.released is None and "center" in kinds:
            kinds.insert(kinds.index("center") + 1, "regions")
        return {kind: lane for lane, kind in enumerate(kinds)}

    def _scale(self, r: CloudView) -> None:
        widths = [side.width for side in r.window]
        alike = not r.flat and len({direction.unit for direction in r.directions}) == 1
        alike = alike and max(widths) <= _ALIKE * min(widths)
        self.axes.set_aspect("equal" if alike else "auto", adjustable="box")
        for limits, axis, side, direction in zip(
            (self.axes.set_xlim, self.axes.set_ylim),
            (self.axes.xaxis, self.axes.yaxis),
            r.window,
            r.directions,
            strict=False,
        ):
            limits(side.lower - _AIR * side.width, side.upper + _AIR * side.width)
            linear_ticks(axis, direction.unit)
        footline(self.axes, _axis_words(r, 0))
        if r.flat:
            self.axes.set_ylim(-0.6, max(len(self._lanes(r)), 1) - 0.4)
            headline(self.axes, self.palette, " ")
        else:
            headline(self.axes, self.palette, _axis_words(r, 1))
        self.axes.yaxis.set_visible(not r.flat)
        self._frame_line.set_data(*self._frame_points(r).T)

    def _frame_points(self, r: CloudView) -> Floats:
        """Return the public box; directions found in the data have none."""
        if any(direction.private for direction in r.directions):
            return np.empty((0, 2))
        low, high = r.directions[0].side.lower, r.directions[0].side.upper
        bottom, top = self.axes.get_ylim()
        if r.flat:
            return np.array([(low, bottom), (low, top), (np.nan, np.nan), (high, bottom), (high, top)])
        bottom, top = r.directions[1].side.lower, r.directions[1].side.upper
        return np.array([(low, bottom), (high, bottom), (high, top), (low, top), (low, bottom)])

    def _placed(self, r: CloudView, kind: str, points: Floats | None) -> Floats:
        """Return points as they are drawn, shape (size, 2): those of one direction in their lane."""
        if points is None:
            return np.empty((0, 2))
        flat = points.reshape(-1, len(r.directions))
        if not r.flat:
            return flat
        lane = self._lanes(r)[kind]
        crowd = kind in ("records", "outputs")
        heights = lane + (0.7 * (jitter(len(flat)) - 0.5) if crowd else np.zeros(len(flat)))
        return np.column_stack([flat[:, 0], heights])

    def _draw_records(self, r: CloudView) -> None:
        if self._image is not None:
            self._image.remove()
            self._image = None
        dots = None if r.records is None else r.records.dots
        self._dots.set_data(*self._placed(r, "records", dots).T)
        few = dots is None or len(dots) <= 300
        self._dots.set(markersize=5.0 if few else 3.2, alpha=0.6 if few else 0.4)
        if r.records is None or r.records.counts is None:
            return
        counts = r.records.counts if not r.flat else r.records.counts[:, None]
        (left, right), (low, high) = ((side.lower, side.upper) for side in (r.window * 2)[:2])
        if r.flat:
            lane = self._lanes(r)["records"]
            low, high = lane - 0.35, lane + 0.35
        aspect = self.axes.get_aspect()
        self._image = self.axes.imshow(
            shades(counts.T, self.palette),
            extent=(left, right, low, high),
            origin="lower",
            interpolation="nearest",
            aspect=aspect,
            zorder=1.1,
        )
        self._image.set_in_layout(False)

    def _draw_outputs(self, r: CloudView) -> None:
        outputs = None if r.outputs is None else r.outputs[: max(1, _MOST_OUTPUTS // r.outputs.shape[1])]
        points = self._placed(r, "outputs", outputs)
        self._outputs.set_data(*points.T)
        self._outputs.set(
            markersize=4.5 if len(points) <= 300 else 3.4, alpha=0.5 if len(points) <= 300 else 0.25
        )

    def _draw_circles(self, r: CloudView) -> None:
        if r.radius is None or r.center is None:
            self._circles.set_data([], [])
            return
        sizes = np.full(r.center.shape, r.radius)
        self._circles.set_data(*_joined(self._outlines(r, "center", r.center, sizes)).T)

    def _draw_regions(self, r: CloudView) -> None:
        if r.regions is None or r.middle is None:
            self._regions.set_verts([])
            self._region_rims.set_data([], [])
            return
        kind = "released" if r.released is not None else "regions" if r.flat else "center"
        shapes = [self._outlines(r, kind, r.middle, sizes) for sizes in r.regions]
        self._regions.set_verts([outline for level in shapes for outline in level])
        self._region_rims.set_data(*_joined([outline for level in shapes for outline in level]).T)

    def _outlines(self, r: CloudView, kind: str, middles: Floats, sizes: Floats) -> list[Floats]:
        """Return ellipses around points; of one direction, bars in a lane."""
        placed = self._placed(r, kind, middles)
        if r.flat:
            box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            return [at + box * (size[0], 0.3) for at, size in zip(placed, sizes, strict=True)]
        circle = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
        return [at + circle * size for at, size in zip(placed, sizes, strict=True)]

    def _entries(self, r: CloudView) -> Iterable[Entry]:
        """Return the key, in the order in which things come into being."""
        p = self.palette
        if len(self._frame_points(r)):
            yield Entry((_stroke(p.global_, "global_"),), "declared bounds")
        if r.records is not None:
            dense = r.records.counts is not None
            shade = p.tint(p.ink, 0.4) if dense else p.global_
            yield Entry(
                ({"marker": "s" if dense else "o", "color": shade, "markersize": 8 if dense else 5},),
                records_words(r),
            )
        if r.outputs is not None:
            yield Entry(
                ({"marker": "o", "color": attention(p), "alpha": 0.5, "markersize": 4.5},), outputs_words(r)
            )
        for mark in ("center", "truth", "baseline", "released"):
            if getattr(r, mark) is not None:
                yield Entry((_sample(self._points[mark]),), mark_words(r, mark))
            if mark == "center" and r.radius is not None and r.center is not None:
                yield Entry(
                    (
                        {
                            "marker": "o",
                            "markerfacecolor": "none",
                            "markeredgecolor": attention(p),
                            "markersize": 9,
                        },
                    ),
                    circle_words(r),
                )
        if r.regions is not None and r.middle is not None:
            yield Entry((_stroke(p.released, "released"),), region_words(r))

    def _name(self, r: CloudView, mark: str, nearest: int) -> str:
        if mark != "outputs":
            return mark_words(r, mark)
        assert r.outputs is not None
        k = r.outputs.shape[1]
        words = f"output of block {number(nearest // k + 1)}"
        return words if k == 1 else f"{words}, {r.noun} {number(nearest % k + 1)}"

    def _nearest(self, points: Floats, x: float, y: float) -> int | None:
        """Return which point is at a place of the axes, if any is."""
        if not len(points):
            return None
        to_pixels = self.axes.transData.transform
        gaps = np.linalg.norm(to_pixels(points) - to_pixels((x, y)), axis=1)
        nearest = int(gaps.argmin())
        return nearest if gaps[nearest] <= _REACH * self.axes.get_figure(root=True).dpi / 100 else None


def shades(counts: NDArray[np.int64], palette: Palette) -> NDArray[np.uint8]:
    """Return an image, shape (h, w, 3): the card where there is nothing, more of ink where there is more."""
    full, none = (
        np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        for colour in (palette.tint(palette.ink, _DARKEST), palette.card)
    )
    filled = counts[counts > 0]
    top = np.percentile(filled, _BRIGHT) if filled.size else 1.0
    share = np.where(counts > 0, _LEAST + (1 - _LEAST) * np.sqrt(np.minimum(counts / top, 1.0)), 0.0)
    return np.round(none + share[..., None] * (full - none)).astype(np.uint8)


def _axis_words(r: CloudView, index: int) -> str:
    direction = r.directions[index]
    words = f"{direction.name} ({direction.unit})" if direction.unit else direction.name
    return f"{words}, found in the data: private" if direction.private else words


def _joined(outlines: list[Floats]) -> Floats:
    """Return closed outlines as one line with gaps."""
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for outline in outlines for part in (outline, outline[:1], gap)] or [gap])


def _stroke(colour: str, role: str) -> dict[str, object]:
    stroke = STROKES[role]
    return {"color": colour, "linewidth": stroke.width, "linestyle": (0, stroke.dashes)}


def _sample(line: Line2D) -> dict[str, object]:
    return {
        "marker": line.get_marker(),
        "markersize": line.get_markersize(),
        "color": line.get_color(),
        "markeredgecolor": line.get_markeredgecolor(),
        "markeredgewidth": line.get_markeredgewidth(),
    }


def draw_point_cloud(axes: Axes, view: CloudView, palette: Palette = LIGHT, unit: str = "") -> PointCloud:
    """Draw clouds of points on `axes`."""
    picture = PointCloud(axes, palette, unit)
    picture.update(view)
    return picture

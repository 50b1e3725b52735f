"""Clouds of points: the data, the outputs of blocks, their center, and what is released."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from app.plots.base import Floats, Picture, footline, headline
from app.plots.cloud_places import HALF_LANE, frame, joined, lanes, limits, outlines, placed
from app.plots.cloud_style import DENSE, FAINT, FILL, attention, key_entries, mark_style
from app.plots.cloud_view import CloudView
from app.plots.cloud_words import MARKS, cell_words, cloud_table, name_words, place_words, summary_words
from app.plots.key import SideKey
from app.plots.scales import linear_ticks
from app.theme import LIGHT, Palette

_REACH = 9.0  # pixels at 100 dpi within which a mark is hit
_ALIKE = 3.0  # sides of the window in the same unit whose ratio is at most this are drawn to scale
_BRIGHT = 99.0  # percentile of the counts that is drawn as densest
_MOST_OUTPUTS = 20_000  # points; more could not be told apart
_FEW = 300


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
        self._drawn: CloudView | None = None
        self._image = AxesImage(axes, origin="lower", interpolation="nearest", zorder=1.1, visible=False)
        self._image.set_in_layout(False)
        axes.add_image(self._image)
        self._dots = self._still("global_", marker="o", linestyle="none", markeredgewidth=0, zorder=1.2)
        self._outputs = self._still(
            "truth", color=attention(palette), marker="o", linestyle="none", markeredgewidth=0, zorder=1.4
        )
        self._box = Polygon(np.zeros((1, 2)), facecolor="none", edgecolor="none", in_layout=False)
        axes.add_patch(self._box)
        self._border = self.line("global_", linewidth=1.2, zorder=1.8)
        self._inner = PolyCollection([], facecolors=palette.released, alpha=FILL, zorder=2.2)
        axes.add_collection(self._inner, autolim=False)
        self.add(self._inner)
        self._inner_rim = self.line("released", linewidth=1.0, linestyle="solid", zorder=2.3)
        self._outer_rim = self.line("released", linewidth=1.3, zorder=2.3)
        self._circles = self.line("truth", color=attention(palette), linewidth=1.4, zorder=2.6)
        self._plumb = self.line("truth", linewidth=1.0, alpha=0.6, zorder=2.7)
        self._marks = {
            mark: self.line("truth", linestyle="none", zorder=zorder, **mark_style(mark, palette))
            for mark, zorder in (("truth", 4.0), ("released", 4.1), ("baseline", 4.2), ("center", 4.3))
        }
        self._key = SideKey(axes, palette)
        self.add(self._key)

    def update(self, result: CloudView) -> bool:
        """Show `result`; return whether everything must be drawn again."""
        drawn = self._drawn
        again = super().update(result)
        self.needs_layout |= self._key.cramped()
        return again or self.needs_layout or drawn is not self._drawn

    def show(self, result: CloudView) -> None:
        """Set records, outputs, centers and regions."""
        if self._drawn is None or not _same_background(self._drawn, result):
            self._drawn = result
            self._scale(result)
            self._draw_records(result)
            self._draw_outputs(result)
        for mark, line in self._marks.items():
            line.set_data(*placed(result, mark, getattr(result, mark)).T)
        bottom, top = self.axes.get_ylim()
        upright = [] if result.truth is None or not result.flat else result.truth[:, 0].tolist()
        self._plumb.set_data(*joined([np.array([(x, bottom), (x, top)]) for x in upright]).T)
        self._draw_regions(result)
        self._draw_circles(result)
        self._key.set_entries(list(key_entries(result, self.palette)))

    # What can be asked of it.

    def describe(self, x: float, y: float | None = None) -> str:
        """Say what mark is under the pointer, or how many records are there."""
        r = self.result
        if r is None or y is None:
            return ""
        kinds = {kind: getattr(r, kind) for kind in (*MARKS, "outputs")}
        kinds["records"] = None if r.records is None else r.records.dots
        for kind, points in kinds.items():
            nearest = self._nearest(placed(r, kind, points), x, y)
            if nearest is not None:
                where = place_words(r, points.reshape(-1, len(r.directions))[nearest])
                return f"{name_words(r, kind, nearest)}: {where}"
        if r.flat and abs(y - lanes(r).get("records", np.inf)) > HALF_LANE:
            return ""
        return cell_words(r, np.array([x, y])[: len(r.directions)])

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

    def _scale(self, r: CloudView) -> None:
        widths = [side.width for side in r.window]
        alike = not r.flat and len({direction.unit for direction in r.directions}) == 1
        to_scale = alike and max(widths) <= _ALIKE * min(widths)
        self.axes.set_aspect("equal" if to_scale else "auto", adjustable="box")
        across, up = limits(r)
        self.axes.set_xlim(across)
        self.axes.set_ylim(up)
        for axis, direction in zip((self.axes.xaxis, self.axes.yaxis), r.directions, strict=False):
            linear_ticks(axis, direction.unit)
        names = [f"{d.name}{' (found in the data)' * d.private}" for d in r.directions]
        footline(self.axes, names[0])
        headline(self.axes, self.palette, " " if r.flat else names[1])
        self.axes.yaxis.set_visible(not r.flat)
        self._box.set_xy(frame(r) if len(frame(r)) else np.zeros((1, 2)))
        self._border.set_data(*joined([frame(r)] if len(frame(r)) else []).T)
        # outputs and releases are moved into the box, and so do not lie beyond it
        for artist in (self._circles, self._inner, self._inner_rim, self._outer_rim):
            artist.set_clip_path(self._box if len(frame(r)) else self.axes.patch)

    def _draw_records(self, r: CloudView) -> None:
        dots, counts = (None, None) if r.records is None else (r.records.dots, r.records.counts)
        self._dots.set_data(*placed(r, "records", dots).T)
        few = dots is None or len(dots) <= _FEW
        self._dots.set(markersize=5.0 if few else 3.2, alpha=0.6 if few else 0.4)
        self._image.set_visible(counts is not None)
        if counts is None or r.records is None:
            return
        (left, right), (low, high) = ((side.lower, side.upper) for side in (r.records.window * 2)[:2])
        if r.flat:
            low, high = lanes(r)["records"] - HALF_LANE, lanes(r)["records"] + HALF_LANE
        self._image.set_data(shades(np.atleast_2d(counts.T), self.palette))
        self._image.set_extent((left, right, low, high))

    def _draw_outputs(self, r: CloudView) -> None:
        points = placed(r, "outputs", r.outputs)[:_MOST_OUTPUTS]
        few = len(points) <= _FEW
        self._outputs.set_data(*points.T)
        self._outputs.set(markersize=4.5 if few else 3.4, alpha=0.5 if few else 0.25)

    def _draw_circles(self, r: CloudView) -> None:
        shapes: list[Floats] = []
        if r.radius is not None and r.center is not None:
            shapes = outlines(r, "center", r.center, np.full(r.center.shape, r.radius))
        self._circles.set_data(*joined(shapes).T)

    def _draw_regions(self, r: CloudView) -> None:
        inner, outer = list[Floats](), list[Floats]()
        if r.regions is not None and r.middle is not None:
            inner, outer = (outlines(r, "released", r.middle, sizes) for sizes in r.regions)
        self._inner.set_verts(inner)
        self._inner_rim.set_data(*joined(inner).T)
        self._outer_rim.set_data(*joined(outer).T)

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
    none, ink = (
        np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in (palette.card, palette.ink)
    )
    filled = counts[counts > 0]
    top = np.percentile(filled, _BRIGHT) if filled.size else 1.0
    share = np.where(counts > 0, FAINT + (DENSE - FAINT) * np.sqrt(np.minimum(counts / top, 1.0)), 0.0)
    return np.round(none + share[..., None] * (ink - none)).astype(np.uint8)


def _same_background(one: CloudView, other: CloudView) -> bool:
    """Say whether records and outputs are drawn alike."""
    same = one.records is other.records and one.outputs is other.outputs
    alike = one.directions == other.directions and one.window == other.window
    return same and alike and lanes(one) == lanes(other)


def draw_point_cloud(axes: Axes, view: CloudView, palette: Palette = LIGHT, unit: str = "") -> PointCloud:
    """Draw clouds of points on `axes`; units belong to the directions of the view."""
    picture = PointCloud(axes, palette, unit)
    picture.update(view)
    return picture

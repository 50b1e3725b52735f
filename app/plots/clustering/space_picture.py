"""The space where points live: records as dots or as density, the public box, scales and a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from app.model.pointed import PointedRecord
from app.model.theme import LIGHT, Palette
from app.plots.base import Picture, set_x_label, set_y_label
from app.plots.clustering.cloud_places import HALF_LANE, frame, joined, lanes, limits, placed
from app.plots.clustering.cloud_style import DENSE, FAINT
from app.plots.clustering.drawn_space import DrawnSpace
from app.plots.elements.artists import figure_of
from app.plots.elements.record_mark import Place
from app.plots.elements.scales import linear_ticks
from app.plots.elements.side_legend import SideLegend
from engine.array_types import Floats, Ints

MAX_LARGE_POINTS = 300
"""Of so many points, each is drawn larger."""

ALIKE = 3.0
"""Sides of the window in the same unit are drawn to scale if their ratio is at most this."""

_REACH = 9.0  # pixels at 100 dpi within which a mark is hit
_BRIGHT = 0.98  # of the records lie in cells that are no denser than what is drawn as densest


ViewT = TypeVar("ViewT", bound=DrawnSpace)


class SpacePicture(Picture[ViewT]):
    """One or two directions of a space of points, and what lies in it.

    Attributes
    ----------
    still : tuple of str
        Attributes of the view that are drawn in the background, with the records.
    """

    has_log_y = has_cursor = False
    is_map = True
    export_size = (7.8, 4.6)
    still: ClassVar[tuple[str, ...]] = ("records",)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        axes.grid(False)
        axes.spines["bottom"].set_visible(False)
        axes.set_anchor("W")
        # thousands of points, which do not change from release to release: not drawn again with the rest
        self._drawn: ViewT | None = None
        self._image = AxesImage(axes, origin="lower", interpolation="nearest", zorder=1.1, visible=False)
        self._image.set_in_layout(False)
        axes.add_image(self._image)
        self._dots = self.still_line("global_", marker="o", linestyle="none", markeredgewidth=0, zorder=1.2)
        self._box = Polygon(np.zeros((1, 2)), facecolor="none", edgecolor="none", in_layout=False)
        axes.add_patch(self._box)
        self._border = self.line("global_", linewidth=1.2, zorder=1.8)
        self._legend = self.add(SideLegend(axes, palette))

    def units_of(self, r: ViewT) -> Mapping[str, str]:
        """Return the units of both directions; radii have one if these do not differ."""
        ends = {f"{one.name} {end}": one.unit for one in r.directions for end in ("from", "to")}
        shared = {one.unit for one in r.directions}
        radius = {"radius": shared.pop()} if len(shared) == 1 else {}
        return {one.name: one.unit for one in r.directions} | ends | radius

    def show(self, result: ViewT) -> None:
        if self._drawn is None or not self._alike(self._drawn, result):
            self._drawn = self.behind = result
            self._scale(result)
            self._draw_records(result)
            self._draw_still(result)

    def record_at(self, r: ViewT, x: float, y: float) -> PointedRecord | None:
        """Return the record whose dot is there, as far as it is known: its values along both directions."""
        dots = None if r.records is None else r.records.dots
        nearest = None if dots is None else self._nearest(placed(r, "records", dots), x, y)
        if dots is None or nearest is None:
            return None
        result = zip(r.directions, dots[nearest].tolist(), strict=True)
        return PointedRecord(None, {direction.name: value for direction, value in result})

    def place_of(self, r: ViewT, pointed: PointedRecord) -> Place | None:
        known = [pointed.values[one.name] for one in r.directions if one.name in pointed.values]
        if r.records is None or len(known) < len(r.directions):
            return None
        height = lanes(r).get("records") if r.flat else known[1]
        return None if height is None else (known[0], float(height))

    # What pictures of the space are put together from.

    def _draw_still(self, r: ViewT) -> None:
        """Draw what lies behind beside the records."""

    def _within_box(self) -> tuple[Artist, ...]:
        """Return what is cut off at the public box."""
        return ()

    def _alike(self, one: ViewT, other: ViewT) -> bool:
        """Say whether the background is drawn alike."""
        same = all(getattr(one, kind) is getattr(other, kind) for kind in self.still)
        alike = one.directions == other.directions and one.window == other.window
        return same and alike and lanes(one) == lanes(other)

    def _scale(self, r: ViewT) -> None:
        widths = [side.width for side in r.window]
        alike = not r.flat and len({direction.unit for direction in r.directions}) == 1
        to_scale = alike and max(widths) <= ALIKE * min(widths)
        self.axes.set_aspect("equal" if to_scale else "auto", adjustable="box")
        across, up = limits(r)
        self.axes.set_xlim(across)
        self.axes.set_ylim(up)
        # a close-up has an edge of its own: what lies beyond is cut off
        closeup = not r.flat and any(d.side != side for d, side in zip(r.directions, r.window, strict=True))
        for spine in self.axes.spines.values():
            spine.set_visible(closeup)
        for axis, direction in zip((self.axes.xaxis, self.axes.yaxis), r.directions, strict=False):
            linear_ticks(axis, direction.unit)
        names = [f"{d.name}{' (found in the data)' * d.private}" for d in r.directions]
        set_x_label(self.axes, names[0])
        set_y_label(self.axes, self.palette, " " if r.flat else names[1])
        self.axes.yaxis.set_visible(not r.flat)
        self._box.set_xy(frame(r) if len(frame(r)) else np.zeros((1, 2)))
        self._border.set_data(*joined([frame(r)] if len(frame(r)) else []).T)
        for artist in self._within_box():
            artist.set_clip_path(self._box if len(frame(r)) else self.axes.patch)

    def _draw_records(self, r: ViewT) -> None:
        dots, counts = (None, None) if r.records is None else (r.records.dots, r.records.counts)
        self._dots.set_data(*placed(r, "records", dots).T)
        few = dots is None or len(dots) <= MAX_LARGE_POINTS
        self._dots.set(markersize=5.0 if few else 3.2, alpha=0.6 if few else 0.4)
        self._image.set_visible(counts is not None)
        if counts is None or r.records is None:
            return
        (left, right), (low, high) = ((side.lower, side.upper) for side in (r.records.window * 2)[:2])
        if r.flat:
            low, high = lanes(r)["records"] - HALF_LANE, lanes(r)["records"] + HALF_LANE
        self._image.set_data(shades(np.atleast_2d(counts.T), self.palette))
        self._image.set_extent((left, right, low, high))

    def _nearest(self, points: Floats, x: float, y: float) -> int | None:
        """Return which point is at a place of the axes, if any is."""
        if not len(points):
            return None
        to_pixels = self.axes.transData.transform
        gaps = np.linalg.norm(to_pixels(points) - to_pixels((x, y)), axis=1)
        nearest = int(gaps.argmin())
        return nearest if gaps[nearest] <= self._reach else None

    @property
    def _reach(self) -> float:
        """How far from a mark it is still hit, in pixels."""
        return _REACH * figure_of(self.axes).dpi / 100


def shades(counts: Ints, palette: Palette) -> NDArray[np.uint8]:
    """Return an image, shape (h, w, 4): nothing where nothing is, more of ink where there is more."""
    ink = [int(palette.ink[i : i + 2], 16) for i in (1, 3, 5)]
    filled = np.sort(counts[counts > 0])
    records = np.cumsum(filled)
    top = filled[np.searchsorted(records, _BRIGHT * records[-1])] if filled.size else 1
    share = np.where(counts > 0, FAINT + (DENSE - FAINT) * np.sqrt(np.minimum(counts / top, 1.0)), 0.0)
    image = np.empty((*counts.shape, 4), dtype=np.uint8)
    image[..., :3] = ink
    image[..., 3] = np.round(255 * share)
    return image

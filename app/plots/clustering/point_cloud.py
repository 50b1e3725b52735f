"""Clouds of points: the data, the outputs of blocks, their center, and what is released."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from app.model.theme import LIGHT, Palette
from app.plots.base import Table
from app.plots.clustering.cloud_places import HALF_LANE, joined, lanes, outlines, placed
from app.plots.clustering.cloud_style import FILL, attention, legend_entries, mark_style
from app.plots.clustering.cloud_words import (
    MARKS,
    cell_words,
    cloud_table,
    name_words,
    place_words,
    summary_words,
)
from app.plots.clustering.space_picture import MAX_LARGE_POINTS, SpacePicture
from app.plots.elements.artists import set_polygons
from engine.analysis.clouds import Cloud
from engine.array_types import Floats

_MAX_OUTPUTS = 20_000  # points; more could not be told apart
_MAX_MARKS = 60  # released points that have large marks


class PointCloud(SpacePicture[Cloud]):
    """Two directions of the space of centers; of one direction, a strip with a lane for each kind."""

    title = "Points and centers"
    still = ("records", "outputs")

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._outputs = self.still_line(
            "truth", color=attention(palette), marker="o", linestyle="none", markeredgewidth=0, zorder=1.4
        )
        self._inner = self.add(PolyCollection([], facecolors=palette.released, alpha=FILL, zorder=2.2))
        self._inner_rim = self.line("released", linewidth=1.0, linestyle="solid", zorder=2.3)
        self._outer_rim = self.line("released", linewidth=1.3, zorder=2.3)
        self._circles = self.line("truth", color=attention(palette), linewidth=1.4, zorder=2.6)
        self._plumb = self.line("truth", linewidth=1.0, alpha=0.6, zorder=2.7)
        self._marks = {
            mark: self.line("truth", linestyle="none", zorder=zorder, **mark_style(mark, palette))
            for mark, zorder in (("truth", 4.0), ("released", 4.1), ("baseline", 4.2), ("center", 4.3))
        }

    def show(self, result: Cloud) -> None:
        super().show(result)
        for mark, line in self._marks.items():
            line.set_data(*placed(result, mark, getattr(result, mark)).T)
        many = result.released is not None and len(result.released) > _MAX_MARKS
        style = mark_style("released", self.palette)
        small = {"markersize": 4.0, "markeredgewidth": 0.0}
        self._marks["released"].set(**(style | small if many else style))
        bottom, top = self.axes.get_ylim()
        upright = [] if result.truth is None or not result.flat else result.truth[:, 0].tolist()
        self._plumb.set_data(*joined([np.array([(x, bottom), (x, top)]) for x in upright]).T)
        self._draw_regions(result)
        self._draw_circles(result)
        self._legend.set_entries(list(legend_entries(result, self.palette)))

    # What can be asked of it.

    def tooltip_at(self, r: Cloud, x: float, y: float) -> str:
        """Say which marks are under the pointer, or else which output or record, or how many records."""
        marks = [self._said_at(r, kind, getattr(r, kind), x, y) for kind in MARKS]
        if any(marks):
            return "\n".join(filter(None, marks))
        dots = None if r.records is None else r.records.dots
        for kind, points in (("outputs", r.outputs), ("records", dots)):
            if said := self._said_at(r, kind, points, x, y):
                return said
        if r.flat and abs(y - lanes(r).get("records", np.inf)) > HALF_LANE:
            return ""
        return cell_words(r, np.array([x, y])[: len(r.directions)])

    def _said_at(self, r: Cloud, kind: str, points: Floats | None, x: float, y: float) -> str:
        """Say which point of a kind is under the pointer, and where; "" for none."""
        nearest = self._nearest(placed(r, kind, points), x, y)
        if nearest is None or points is None:
            return ""
        where = place_words(r, points.reshape(-1, len(r.directions))[nearest])
        return f"{name_words(r, kind, nearest)}: {where}"

    def alt_text_of(self, r: Cloud) -> str:
        return summary_words(r)

    def table_of(self, r: Cloud) -> Table:
        return cloud_table(r)

    # How it is drawn.

    def _within_box(self) -> tuple[Artist, ...]:
        # outputs and releases are moved into the box, and so do not lie beyond it
        return self._circles, self._inner, self._inner_rim, self._outer_rim

    def _draw_still(self, r: Cloud) -> None:
        points = placed(r, "outputs", r.outputs)[:_MAX_OUTPUTS]
        few = len(points) <= MAX_LARGE_POINTS
        self._outputs.set_data(*points.T)
        self._outputs.set(markersize=4.5 if few else 3.4, alpha=0.5 if few else 0.25)

    def _draw_circles(self, r: Cloud) -> None:
        shapes: list[Floats] = []
        if r.radius is not None and r.center is not None:
            shapes = outlines(r, "center", r.center, np.full(r.center.shape, r.radius))
        self._circles.set_data(*joined(shapes).T)

    def _draw_regions(self, r: Cloud) -> None:
        inner, outer = list[Floats](), list[Floats]()
        if r.regions is not None and r.middle is not None:
            inner, outer = (outlines(r, "released", r.middle, sizes) for sizes in r.regions)
        set_polygons(self._inner, inner)
        self._inner_rim.set_data(*joined(inner).T)
        self._outer_rim.set_data(*joined(outer).T)

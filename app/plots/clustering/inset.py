"""A small map beside a large one: the whole beside a close-up, or a part enlarged beside the whole."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox, BboxTransform, IdentityTransform

from app.model.theme import STROKES, Palette
from app.model.wording.numbers import plain
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.elements.legend import BETWEEN, LINE, MARGIN, SIZE, Legend

LARGEST, SMALLEST, SHARE = 220.0, 60.0, 0.4
"""Longest and shortest side in points; side in a corner of the axes, as a share of the shorter of these."""
MIN_FRAME, AROUND_MARKS = 7.0, 24.0
"""Shortest side of the frame in points: in a map of records, and where it surrounds the mark of a point."""


class Inset(AxesArtist):
    """Stands below a key that is beside the axes; an enlarged part else in a corner of the axes.

    A frame in one map surrounds the part that the other shows; lines join it to an enlarged part.
    """

    def __init__(self, axes: Axes, palette: Palette, legend: Legend) -> None:
        super().__init__(axes, 6)
        self._palette, self._legend = palette, legend
        self._seen: Bbox | None = None  # what the small map shows, and the large one
        self._large = Bbox.unit()
        self._drawn: Sequence[Artist] = ()
        self._text = self._small_text(palette.muted, SIZE)
        self.set_in_layout(False)

    def show(self, seen: Bbox | None, large: Bbox, drawn: Sequence[Artist] = (), name: str = "") -> None:
        """Draw what these artists of the axes show of a part of the space; None for no small map."""
        self._seen, self._large, self._drawn = seen, large, drawn
        self._text.set_text(plain(name))

    def box(self) -> Bbox | None:
        """Return where the map stands, in pixels; None without one, or without room."""
        foot, home = self._legend.foot, self.home.bbox
        if self._seen is None or (foot is None and not self._enlarges):
            return None
        if foot is None:
            return self._corner(self._seen)
        left, top = home.x1 + self._pixels(BETWEEN), foot - self._pixels(2 * LINE)  # below its title
        right = figure_of(self.home).bbox.x1 - self._pixels(MARGIN)
        size = min(self._pixels(LARGEST), top - home.y0, right - left)
        if size < self._pixels(SMALLEST):
            return None
        return Bbox.from_bounds(left, top - size, size, size)

    def draw(self, renderer: RendererBase) -> None:
        box = self.box()
        if box is not None and self._seen is not None:
            self._text.set_position((box.x0, box.y1 + self._pixels(LINE / 2)))
            for part in (*self._parts(self._seen, box), self._text):
                part.draw(renderer)
        self.stale = False

    def draw_links(self, renderer: RendererBase) -> None:
        """Join an enlarged part to its frame."""
        box = self.box()
        if box is None or self._seen is None or not self._enlarges:
            return
        frame = self._frame(self._seen, box)
        if frame.overlaps(self.home.bbox):  # not zoomed away
            for ends in zip(frame.corners()[2:], box.corners()[:2], strict=True):
                line = Line2D(*np.array(ends).T, color=self._palette.global_, linewidth=0.8)
                self._take(line)
                line.draw(renderer)

    @property
    def _enlarges(self) -> bool:
        return self._seen is not None and self._seen.width < self._large.width

    def _corner(self, seen: Bbox) -> Bbox:
        """Return the corner of the axes that is farthest from the enlarged part."""
        home, edge = self.home.bbox, self._pixels(BETWEEN)
        size = SHARE * min(home.width, home.height)
        right, up = self._frame(seen, home).get_points().sum(axis=0) < home.get_points().sum(axis=0)
        x = home.x1 - edge - size if right else home.x0 + edge
        y = home.y1 - edge - self._pixels(LINE) - size if up else home.y0 + edge
        return Bbox.from_bounds(x, y, size, size)

    def _parts(self, seen: Bbox, box: Bbox) -> Iterator[Artist]:
        """Yield what the small map shows, its edge, and the frame."""
        p, to_box = self._palette, BboxTransform(seen, box)
        if self._enlarges:
            yield self._outline(box, facecolor=p.card)
        for artist in self._drawn:
            shown = copy.copy(artist)
            shown.stale_callback = None  # the axes need not be drawn again
            self._take(shown)
            shown.set_clip_path(None)
            shown.set_clip_box(box)
            shown.set_transform(to_box)
            yield shown
        dots = "solid" if self._enlarges else STROKES["global_"].linestyle  # as the declared bounds have
        yield self._outline(box, facecolor="none", edgecolor=p.muted, linestyle=dots)
        frame = self._outline(self._frame(seen, box), facecolor="none", edgecolor=p.ink)
        frame.set_clip_box(self.home.bbox if self._enlarges else box)
        yield frame

    def _frame(self, seen: Bbox, box: Bbox) -> Bbox:
        """Return what surrounds in one map the part that the other shows, in pixels."""
        to_box = BboxTransform(seen, box)
        start, end = self.home.transData.transform(seen) if self._enlarges else to_box.transform(self._large)
        least = self._pixels(AROUND_MARKS if self._enlarges else MIN_FRAME)
        middle, size = (start + end) / 2, np.maximum(end - start, least)
        return Bbox.from_bounds(*(middle - size / 2), *size)

    def _outline(self, box: Bbox, **look: Any) -> Rectangle:
        shape = Rectangle(box.p0, box.width, box.height, **look, linewidth=1.2)
        self._take(shape)
        shape.set_transform(IdentityTransform())
        return shape

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
from numpy.typing import ArrayLike

from app.model.theme import STROKES, Palette
from app.model.wording.numbers import plain, quantity
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.elements.legend import BETWEEN, LINE, MARGIN, SIZE, Legend
from engine.array_types import Floats

LARGEST, SMALLEST, SHARE = 220.0, 60.0, 0.4
"""Longest and shortest side in points; side in a corner of the axes, as a share of the shorter of these."""
MIN_FRAME, AROUND_MARKS = 4.0, 24.0
"""Shortest side of a frame in points: in a map of records, and around the mark of a point."""
BAR_SHARE, BAR_EDGE = 0.4, 10.0
"""Longest scale bar, as a share of an enlarged part; from the edges of the part to the bar, in points."""


class Inset(AxesArtist):
    """Stands below a key that is beside the axes; an enlarged part else in a corner of the axes.

    A frame in one map surrounds the part that the other shows. Lines join an enlarged part to its frame, or
    to the mark of a point that hides it.
    """

    def __init__(self, axes: Axes, palette: Palette, legend: Legend) -> None:
        super().__init__(axes, 6)
        self._palette, self._legend = palette, legend
        self._seen: Bbox | None = None  # what the small map shows, and the large one
        self._large = Bbox.unit()
        self._drawn: Sequence[Artist] = ()
        self._text, self._length = (self._small_text(palette.muted, SIZE) for _ in range(2))
        self.set_in_layout(False)

    def show(
        self, seen: Bbox | None, large: Bbox, drawn: Sequence[Artist] = (), name: str = "", unit: str = ""
    ) -> None:
        """Draw what these artists of the axes show of a part of the space; None for no small map."""
        self._seen, self._large, self._drawn = seen, large, drawn
        self._text.set_text(plain(name))
        self._length.set_text("" if seen is None else quantity(bar_length(seen.width), unit))

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
        """Join an enlarged part to its frame, or to its mark."""
        box = self.box()
        if box is None or self._seen is None or not self._enlarges:
            return
        frame = self._frame(self._seen, box)
        if not frame.overlaps(self.home.bbox):  # zoomed away
            return
        ends = list(zip(frame.corners()[2:], box.corners()[:2], strict=True))
        if self._is_hidden(frame):
            middle = frame.get_points().mean(axis=0)
            ends = [(middle, end) for end in (np.clip(middle, box.p0, box.p1), *box.corners()[:2])]
            ends = [max(ends, key=self._clearance)]
        for pair in ends:
            self._line(pair, color=self._palette.muted, linewidth=0.8).draw(renderer)

    def _clearance(self, ends: tuple[Floats, Floats]) -> float:
        """Return how far a line from a mark stays from the others, in pixels."""
        marks = [one for one in self._drawn if isinstance(one, Line2D) and one.get_linestyle() == "None"]
        places = self.home.transData.transform(np.concatenate([one.get_xydata() for one in marks]))
        away, way = places - ends[0], ends[1] - ends[0]
        others = away[np.hypot(*away.T) > self._pixels(AROUND_MARKS)]
        along = np.clip(others @ way / (way @ way or 1.0), 0, 1)[:, None]
        return float(np.hypot(*(others - along * way).T).min(initial=np.inf))

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
        if self._enlarges:
            yield from self._scale_bar(seen, box)
        frame = self._frame(seen, box)
        if not self._is_hidden(frame):
            outline = self._outline(frame, facecolor="none", edgecolor=p.ink)
            outline.set_clip_box(self.home.bbox if self._enlarges else box)
            yield outline

    def _scale_bar(self, seen: Bbox, box: Bbox) -> Iterator[Artist]:
        """Yield a length in the corner of an enlarged part, and how long it is."""
        x, y = box.get_points()[0] + self._pixels(BAR_EDGE)
        end = x + bar_length(seen.width) / seen.width * box.width
        yield self._line([(x, y), (end, y)], color=self._palette.ink, linewidth=2.0)
        self._length.set_position((x, y + self._pixels(LINE / 2)))
        yield self._length

    def _frame(self, seen: Bbox, box: Bbox) -> Bbox:
        """Return the part in one map that the other shows, in pixels; in a map of records, it can be seen."""
        if self._enlarges:
            return Bbox(self.home.transData.transform(seen))
        start, end = BboxTransform(seen, box).transform(self._large)
        middle, size = (start + end) / 2, np.maximum(end - start, self._pixels(MIN_FRAME))
        return Bbox.from_bounds(*(middle - size / 2), *size)

    def _is_hidden(self, frame: Bbox) -> bool:
        """Tell whether the mark of a point hides the frame of an enlarged part."""
        return self._enlarges and bool(max(frame.size) < self._pixels(AROUND_MARKS))

    def _outline(self, box: Bbox, **look: Any) -> Rectangle:
        shape = Rectangle(box.p0, box.width, box.height, **look, linewidth=1.2)
        self._take(shape)
        shape.set_transform(IdentityTransform())
        return shape

    def _line(self, points: ArrayLike, **look: Any) -> Line2D:
        line = Line2D(*np.transpose(points), **look)
        self._take(line)
        return line


def bar_length(width: float) -> float:
    """Return a round length that is at most `BAR_SHARE` of a width."""
    power = 10.0 ** np.floor(np.log10(BAR_SHARE * width))
    return float(max(power * digit for digit in (1, 2, 5) if power * digit <= BAR_SHARE * width))

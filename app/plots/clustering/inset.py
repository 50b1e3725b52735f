"""A small map of the whole space, with a frame around the part that a close-up shows."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.image import BboxImage
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox, BboxTransform, IdentityTransform

from app.model.theme import STROKES, Palette
from app.model.wording.numbers import number, plain, quantity
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.elements.legend import BETWEEN, LINE, MARGIN, SIZE, Legend
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval

LARGEST, SMALLEST, MIN_FRAME = 150.0, 60.0, 7.0
"""Longest side of the map, the shortest that is drawn, and the shortest side of the frame, in points."""


class DrawnSpace(Protocol):
    """The common part of all results in a space of points."""

    @property
    def directions(self) -> tuple[Direction, ...]:
        """One or two."""

    @property
    def window(self) -> tuple[Interval, ...]:
        """The visible interval of each direction."""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""

    @property
    def records(self) -> Records | None:
        """The data (private)."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of points with a lane each, where there is one direction; the first one highest."""


class Overview(AxesArtist):
    """Stands below a key that is beside the axes, if there is room."""

    def __init__(self, axes: Axes, palette: Palette, legend: Legend) -> None:
        super().__init__(axes, 6)
        self._palette, self._legend = palette, legend
        self._view: DrawnSpace | None = None
        self._ink: np.ndarray | None = None
        self._points = np.empty((0, 2))
        self._text = self._small_text(palette.muted, SIZE)
        self.set_in_layout(False)

    def show(self, view: DrawnSpace | None, ink: np.ndarray | None, points: np.ndarray) -> None:
        """Show where a close-up lies, on an image of all records, and points; None for no close-up."""
        self._view, self._ink, self._points = view, ink, points
        if view is not None:
            (first, *others) = (
                f"{quantity(one.side.lower, one.unit)} to {quantity(one.side.upper, one.unit)}"
                for one in view.directions
            )
            alike = all(other == first for other in others)
            self._text.set_text(plain(f"whole range{f': {first}' * alike}"))

    def box(self) -> Bbox | None:
        """Return where the map stands, in pixels; None without a close-up, or without room."""
        view, foot, home = self._view, self._legend.foot, self.home.bbox
        if view is None or foot is None:
            return None
        left, top = home.x1 + self._pixels(BETWEEN), foot - self._pixels(2 * LINE)  # below its title
        right = figure_of(self.home).bbox.x1 - self._pixels(MARGIN)
        size = min(self._pixels(LARGEST), top - home.y0, right - left)
        if size < self._pixels(SMALLEST):
            return None
        return Bbox.from_bounds(left, top - size, size, size)

    def draw(self, renderer: RendererBase) -> None:
        box, view = self.box(), self._view
        if box is not None and view is not None:
            self._text.set_position((box.x0, box.y1 + self._pixels(LINE / 2)))
            for part in (*self._parts(view, box), self._text):
                self._take(part)
                part.draw(renderer)
        self.stale = False

    def _parts(self, view: DrawnSpace, box: Bbox) -> list[Artist]:
        p, parts = self._palette, list[Artist]()
        low, high = np.array([(one.side.lower, one.side.upper) for one in view.directions]).T
        if self._ink is not None:
            image = BboxImage(box, origin="lower", interpolation="nearest")
            image.set_data(self._ink)
            parts.append(image)
        edge = STROKES["global_"].linestyle
        bounds = Rectangle(
            box.p0, box.width, box.height, edgecolor=p.global_, linestyle=edge, facecolor="none"
        )
        sides = np.array([(side.lower, side.upper) for side in view.window]).T
        to_pixels = BboxTransform(Bbox([low, high]), box).transform
        start, end = to_pixels(sides)
        middle, size = (start + end) / 2, np.maximum(end - start, self._pixels(MIN_FRAME))
        frame = Rectangle(tuple(middle - size / 2), *size, edgecolor=p.ink, facecolor="none", linewidth=1.4)
        for part in (bounds, frame):
            part.set_transform(IdentityTransform())
        aside = self._pixels(MIN_FRAME)
        for index, (x, y) in enumerate(to_pixels(self._points) + aside):
            text = Text(x, y, number(index + 1), color=p.truth, fontsize=SIZE)
            text.set_path_effects([withStroke(linewidth=3.0, foreground=p.card)])
            parts.append(text)
        return [*parts, bounds, frame]

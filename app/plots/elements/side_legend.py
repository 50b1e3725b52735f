"""A legend beside a picture, or below it."""

from __future__ import annotations

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox

from app.plots.elements.artists import figure_of
from app.plots.elements.legend import BETWEEN, GAP, LINE, MARGIN, Legend, LegendEntry

_AXIS = 36.0  # height of tick labels and the name of an axis, in points
_WIDE, _TALLEST = 1.3, 0.8  # width of a figure, and height of a legend, in heights of the figure
_ASIDE, _ABOVE = 42.0, 34.0  # width of tick labels, and height of the y label, with what is around


class SideLegend(Legend):
    """A key beside the axes, one entry in a row, while the figure is wide; else below it.

    Beside or below an axes that is drawn to scale, it stands where it leaves the axes larger.
    """

    _column = 0.0
    _beside: bool | None = None  # chosen with the layout, so that nothing jumps between two of them

    def cramped(self) -> bool:
        if not self._stands_beside():
            return super().cramped()
        return bool(max(self._widths(), default=0.0) > self._column + 0.5)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        # from the room that the axes has, not from what it takes of it to draw to scale
        figure = self.home.get_figure(root=False)
        assert figure is not None
        box = self.home.get_position(original=True).transformed(figure.transSubfigure)
        self._beside = self._choose(renderer)
        if not self._beside:
            height = super().get_window_extent(renderer).height + self._pixels(self._drop)
            return Bbox.from_bounds(box.x0, box.y0 - height, box.width, height)
        self._column = max(self._widths(renderer), default=0.0)
        return Bbox.from_bounds(box.x1, box.y0, self._column + self._pixels(BETWEEN), box.height)

    def _stands_beside(self) -> bool:
        if self._beside is None:
            self._beside = self._choose()
        return self._beside

    def _choose(self, renderer: RendererBase | None = None) -> bool:
        """Tell whether the key belongs beside the axes."""
        box = figure_of(self.home).bbox
        if self._pixels(LINE * len(self._entries)) > _TALLEST * box.height:
            return False
        if self.home.get_aspect() == "auto":
            return bool(box.width > _WIDE * box.height)
        # from the figure alone: what the axes has now follows from the choice that was made before
        room = np.array(box.size) - [
            self._pixels(part + 2 * MARGIN) for part in (_ASIDE, _ABOVE + self._drop)
        ]
        spans = [abs(end - start) for start, end in (self.home.get_xlim(), self.home.get_ylim())]
        larger = []
        for self._beside in (True, False):
            taken = np.zeros(2)
            if self._beside:
                taken[0] = max(self._widths(renderer), default=0.0) + self._pixels(BETWEEN)
            else:
                taken[1] = self._pixels(len(self._rows(renderer)) * LINE + GAP)
            larger.append(float(((room - taken) / spans).min()))
        return larger[0] >= larger[1]

    @property
    def _drop(self) -> float:
        """Return the height of what belongs to the horizontal axis, in points."""
        return _AXIS if self.home.axison else 0.0

    def _corner(self) -> tuple[float, float]:
        box = self.home.bbox
        if self._stands_beside():
            return box.x1 + self._pixels(BETWEEN), box.y1
        return self._pixels(MARGIN), box.y0 - self._pixels(GAP + self._drop)

    def _indent(self, entry: LegendEntry) -> float:
        # texts begin below each other
        return max(map(self._samples, self._entries)) if self._stands_beside() else super()._indent(entry)

    def _rows(self, renderer: RendererBase | None = None) -> list[list[int]]:
        if not self._stands_beside():
            return super()._rows(renderer)
        return [[index] for index in range(len(self._entries))]

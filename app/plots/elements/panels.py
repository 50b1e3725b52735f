"""Two panels in the room of one axes: side by side, or one above the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox

from app.model.theme import Palette
from app.plots.elements.artists import figure_of
from app.plots.elements.quiet_axes import quiet
from engine.array_types import Floats

_BETWEEN, _ABOVE = 26.0, 46.0  # points between panels: side by side, and for ticks and a y label
_MIN_SHARE = 0.3  # of the room, for a panel


class SplitAxes:
    """Divides an axes; while the second panel is hidden, the first one has all the room.

    Parameters
    ----------
    axes : Axes
        What is divided; nothing is drawn on it.
    palette : Palette
    stacked : callable
        Tells from width and height of the room in pixels whether one lies above the other; panels
        that are drawn to scale lie where they are larger.
    between : float
        Points between panels that are side by side.
    turned : callable
        Told with the layout whether one lies above the other, whenever that changes.
    """

    def __init__(
        self,
        axes: Axes,
        palette: Palette,
        stacked: Callable[[float, float], bool] = lambda width, height: False,
        between: float = _BETWEEN,
        turned: Callable[[bool], None] = lambda stacked: None,
    ) -> None:
        axes.set_axis_off()
        self._whole = axes
        self._stacked = stacked
        self._between = between
        self._turned = turned
        self._was: bool | None = None
        self.first, self.second = (axes.inset_axes((0, 0, 1, 1)) for _ in range(2))
        for part in (self.first, self.second):
            quiet(part, palette)
            part.set_axes_locator(self._locate)

    def _locate(self, part: Artist, renderer: RendererBase) -> Bbox:
        box: Bbox = self._whole.get_position()
        if not self.second.get_visible():
            return box
        figure = figure_of(self._whole)
        low, size = np.array(box.p0), np.array(box.size)
        room = np.array(figure.bbox.size) * size
        gaps = [gap * figure.dpi / 72 for gap in (self._between, _ABOVE)]
        stacked = self._stacked(float(room[0]), float(room[1]))
        if self.first.get_aspect() != "auto":
            stacked = self._larger(room, gaps)
        if stacked != self._was:
            self._was = stacked
            self._turned(stacked)
        along = int(stacked)
        gap = gaps[along]
        half = max(_MIN_SHARE, (1 - gap / room[along]) / 2)
        # heights count upwards, but the first panel is the upper one
        if (part is self.first) == stacked:
            low[along] += (1 - half) * size[along]
        size[along] *= half
        return Bbox.from_bounds(*low, *size)

    def _larger(self, room: Floats, gaps: list[float]) -> bool:
        """Tell whether panels that are drawn to scale are larger one above the other."""
        spans = [abs(end - start) for start, end in (self.first.get_xlim(), self.first.get_ylim())]
        sizes = []
        for along, gap in enumerate(gaps):
            panel = room.copy()
            panel[along] = (panel[along] - gap) / 2
            sizes.append(float((panel / spans).min()))
        return sizes[1] > sizes[0]

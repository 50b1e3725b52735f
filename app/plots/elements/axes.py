"""The look of axes, which recede behind the data, and two panels instead of one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox, ScaledTranslation

from app.model.theme import Palette
from app.plots.elements.labels import figure_of
from app.plots.elements.scales import TICK_SIZE
from app.plots.elements.shared_texts import share_texts
from engine.array_types import Floats

LABEL_DROP = 22.0  # from the axis to the top of its label, in points


def style_axes(axes: Axes, palette: Palette) -> None:
    """Make grid, spines and ticks recede behind the data."""
    share_texts()
    axes.set_facecolor(palette.card)
    axes.figure.set_facecolor(palette.card)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_color(palette.border)
    axes.grid(True, color=palette.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(
        length=0, pad=5, labelsize=TICK_SIZE, labelcolor=palette.muted, color=palette.border, which="both"
    )
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        # with no ticks between the others, none of them can coincide: matplotlib would look at each drawing
        axis.remove_overlapping_locs = False
    axes.xaxis.label.set(color=palette.muted, fontsize=TICK_SIZE + 0.5)
    # likewise: below one line of tick labels
    below = ScaledTranslation(0, -LABEL_DROP / 72, figure_of(axes).dpi_scale_trans)
    axes.xaxis.set_label_coords(0.5, 0.0, transform=axes.transAxes + below)
    # what it says stands above; to find room beside the ticks, all of these would be measured once more
    axes.yaxis.set_label_coords(0.0, 0.5)


_BETWEEN, _ABOVE = 26.0, 46.0  # points between panels: side by side, and for ticks and a y label
_MIN_SHARE = 0.3  # of the room, for a panel


class SplitAxes:
    """Divides an axes; while the second panel is hidden, the first one has all the room.

    `axes`: what is divided; nothing is drawn on it. `stacked`: tells from width and height of the room in
    pixels whether one lies above the other; panels that are drawn to scale lie where they are larger.
    `between`: points between panels that are side by side. `turned`: told with the layout whether one lies
    above the other, whenever that changes.
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
            style_axes(part, palette)
            part.set_axes_locator(self._locate)

    def _locate(self, part: Artist, renderer: RendererBase) -> Bbox:
        box: Bbox = self._whole.get_position()
        if not self.second.get_visible():
            return box
        figure = figure_of(self._whole)
        low, size = np.array(box.p0), np.array(box.size)
        space = np.array(figure.bbox.size) * size
        gaps = [gap * figure.dpi / 72 for gap in (self._between, _ABOVE)]
        stacked = self._stacked(float(space[0]), float(space[1]))
        if self.first.get_aspect() != "auto":
            stacked = self._larger(space, gaps)
        if stacked != self._was:
            self._was = stacked
            self._turned(stacked)
        along = int(stacked)
        gap = gaps[along]
        half = max(_MIN_SHARE, (1 - gap / space[along]) / 2)
        # heights count upwards, but the first panel is the upper one
        if (part is self.first) == stacked:
            low[along] += (1 - half) * size[along]
        size[along] *= half
        return Bbox.from_bounds(*low, *size)

    def _larger(self, space: Floats, gaps: list[float]) -> bool:
        """Tell whether panels that are drawn to scale are larger one above the other."""
        spans = [abs(end - start) for start, end in (self.first.get_xlim(), self.first.get_ylim())]
        sizes = []
        for along, gap in enumerate(gaps):
            panel = space.copy()
            panel[along] = (panel[along] - gap) / 2
            sizes.append(float((panel / spans).min()))
        return sizes[1] > sizes[0]

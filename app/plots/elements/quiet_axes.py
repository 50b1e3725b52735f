"""Axes that recede behind the data."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from app.model.theme import Palette
from app.plots.elements.artists import figure_of
from app.plots.elements.scales import TICK_SIZE
from app.plots.elements.shared_texts import share_sizes

LABEL_DROP = 22.0
"""From the axis to the top of its label, in points."""


def quiet(axes: Axes, palette: Palette) -> None:
    """Make grid, spines and ticks recede behind the data."""
    share_sizes()
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

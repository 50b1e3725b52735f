"""What pictures of an audit have in common whose axes are both shares: an area, curves in it, a sentence."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from app.model.theme import LIGHT, Palette
from app.plots.audit.view import AuditView
from app.plots.base import Y_LABEL_HEIGHT, Picture
from app.plots.elements.scales import linear_ticks
from app.plots.elements.sentence import Sentence


class AuditSquare(Picture[AuditView]):
    """A square of two shares in percent.

    Parameters
    ----------
    axes, palette, unit
        As of `Picture`.
    area : str
        The colour of the area, as `Palette` calls it.
    """

    has_log_y = False
    x_ticks_vary = False
    good_height = 200
    export_size = (7.2, 4.8)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "", *, area: str = "smooth") -> None:
        super().__init__(axes, palette, unit)
        tint = palette.tint(getattr(palette, area), 0.16)
        self._area = Polygon(np.zeros((1, 2)), facecolor=tint, zorder=1.2)
        self._area.set(edgecolor="none", in_layout=False)
        self.add(self._area)
        self._sentence = self.add(Sentence(axes, palette, over=Y_LABEL_HEIGHT))
        for axis in (axes.xaxis, axes.yaxis):
            linear_ticks(axis, "%")
        axes.set(xlim=(0, 100), ylim=(0, 100))

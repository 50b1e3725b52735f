"""An idea for finding a cluster, and how it fails: boxes in all dimensions."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks, scale_from_zero
from engine.analysis.first_attempts import SidesAttempt


class BoxesOfAllDimensions(Picture[SidesAttempt]):
    """Second attempt: boxes at a random place, drawn in all dimensions at once."""

    title = "Why not one big box?"
    x_ticks_vary = False

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._ball = self.line("global_")
        self._side = self.line("accent", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._diameter = self.line("truth", linewidth=2.2)
        linear_ticks(axes.xaxis, "", integer=True)
        set_y_label(axes, palette, "size of a box, in radii of the ball")
        set_x_label(axes, "d, the number of dimensions")

    def show(self, result: SidesAttempt) -> None:
        self.axes.set_xlim(int(result.d[0]), int(result.d[-1]))
        log = True if self.log_y is None else self.log_y
        scale_from_zero(self.axes, [2.0, *result.side.tolist(), *result.diameter.tolist()], "", log)
        self._ball.set_data(self.axes.get_xlim(), [2, 2])
        self._side.set_data(result.d, result.side)
        self._diameter.set_data(result.d, result.diameter)
        self.labels.set_labels(self._labels(result))

    def _labels(self, r: SidesAttempt) -> list[Label]:
        p = self.palette
        side, diameter = float(r.side[-1]), float(r.diameter[-1])
        return [
            Label(diameter, f"diameter {number(diameter)}", p.truth, note="grows like d √d", bold=True),
            Label(side, f"side {number(side)}", p.accent, note="grows like d"),
            Label(2.0, "ball 2", p.global_, note="its diameter"),
        ]

    def tooltip_at(self, r: SidesAttempt, x: float, y: float) -> str:
        index = int(np.abs(r.d - x).argmin())
        return (
            f"d = {number(int(r.d[index]))}: side {number(float(r.side[index]))}, "
            f"diameter {number(float(r.diameter[index]))} radii"
        )

    def alt_text_of(self, r: SidesAttempt) -> str:
        return f"{self.tooltip(float(r.d[0]))}; {self.tooltip(float(r.d[-1]))}."

    def table_of(self, r: SidesAttempt) -> Table:
        header = ["d", "side", "diameter"]
        columns = (r.d.tolist(), r.side.tolist(), r.diameter.tolist())
        return header, [list(row) for row in zip(*columns, strict=True)]

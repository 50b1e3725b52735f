"""Sensitivity along a path of neighbouring databases: the classic teaching picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox, offset_copy

from app.model.theme import LIGHT, Palette
from app.model.wording.components import at_most
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number, plain, quantity
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.scales import (
    around,
    linear_ticks,
    scale_from_zero,
    scale_note,
    style_axes,
    tick_unit,
    unit_behind,
)
from engine.queries.profile import SensitivityPath

_SHARE = 0.6  # of the height, for the sensitivities; f stands above on its own axis
_BETWEEN = 22.0  # points for the name of the lower axis, while there is a height to divide
_MIN_SHARED = 0.35


class AlongPath(Picture[SensitivityPath]):
    """f, LS, S* and GS while one database becomes another, one record at a time.

    The axes that is given is divided: sensitivities below (this is `axes` from then
    on), f on its own scale above, since the two share no unit of size.
    """

    title = "Sensitivity along a path"
    in_units = frozenset({"value", "local", "smooth", "global"})

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        axes.set_axis_off()
        super().__init__(axes.inset_axes((0, 0, 1, 1)), palette, unit)
        self.above = axes.inset_axes((0, 0, 1, 1))
        self._whole = axes
        for part in (self.axes, self.above):
            part.set_axes_locator(self._locate)
        style_axes(self.above, palette)
        self.above.tick_params(labelbottom=False)
        self.parts = (self.axes, self.above)
        # steps: between two databases there is none, and S* never lies below the local sensitivity
        steps: Any = {"drawstyle": "steps-mid"}
        self._value = self.line("truth", self.above, layer="answer", **steps)
        self._global = self.line("global_")
        self._smooth = self.line("smooth", **steps)
        self._local = self.line("local", linewidth=1.5, **steps)  # on top: it often lies on S*
        self._first = self.dot("smooth", clip_on=False)
        above = offset_copy(self.axes.transData, figure_of(axes), 3, 14, units="points")
        self._at_first = self.text(transform=above, layer="smooth", color=palette.smooth, fontweight="bold")
        self._cursor_above = self.above.axvline(
            0, color=palette.muted, linewidth=0.8, visible=False, zorder=1.5
        )
        self.add(self._cursor_above)
        set_y_label(self.above, palette, f"the answer f(x){unit_behind(unit)}")
        for part in self.parts:
            linear_ticks(part.xaxis, "", integer=True)
        linear_ticks(self.above.yaxis, tick_unit(unit))
        self._sentence = self.sentence_above(axes=self.above)

    def show(self, result: SensitivityPath) -> None:
        text = WORDS[result.neighbours]
        first, last = int(result.changed[0]), int(result.changed[-1])
        steps = f"\naround the largest jump, {number(first)} to {number(last)} of {number(result.length)}"
        set_x_label(self.axes, plain(text.steps + steps * (last - first < result.length)))
        for part in self.parts:
            part.set_xlim(first, max(last, first + 1))
        self.above.set_ylim(around(self._current_above, float(result.value.min()), float(result.value.max())))
        self._current_above = self.above.get_ylim()
        smooth = result.smooth[result.local > 0]  # where it falls to zero, no decade is worth its height
        levels = self.levels(local=result.local, smooth=smooth, global_=result.global_)
        scale_from_zero(self.axes, levels or [result.global_], self.unit, self.log_y)
        set_y_label(self.axes, self.palette, text.sensitivity + scale_note(self.axes.yaxis))
        self._value.set_data(result.changed, result.value)
        self._smooth.set_data(result.changed, result.smooth)
        start = [] if first else result.smooth[:1].tolist()  # a part of a long path begins elsewhere
        self._first.set_data([0.0] * len(start), start)
        short = tick_unit(self.unit)  # a longer one might reach the jump
        texts = [plain(quantity(value, short)) for value in start]
        self._at_first.set(position=(0.0, result.smooth[0]), text="".join(texts))
        self._local.set_data(result.changed, result.local)
        self._global.set_data(self.axes.get_xlim(), [result.global_] * 2)
        both = self.is_shown("local") and self.is_shown("smooth")
        self._sentence.set_text(_finding(result, self.unit) if both else "")
        p = self.palette
        self.labels.set_labels(
            [
                Label(result.global_, f"global  {self.amount(result.global_)}", p.global_),
                Label(
                    float(result.smooth[-1]),
                    "smooth S ≤" if result.bound else "smooth S*",
                    p.smooth,
                    bold=True,
                ),
                Label(float(result.local[-1]), "local ≤" if result.bound else "local", p.local),
            ]
        )

    def _locate(self, part: Artist, renderer: RendererBase) -> Bbox:
        """Divide the height, but for what the name of the lower axis needs between the two."""
        box = self._whole.get_position()
        figure = figure_of(self._whole)
        between = _BETWEEN * figure.dpi / 72 / figure.bbox.height
        shared = max(box.height - between, _MIN_SHARED * box.height)
        if part is self.axes:
            return Bbox.from_bounds(box.x0, box.y0, box.width, _SHARE * shared)
        return Bbox.from_extents(box.x0, box.y1 - (1 - _SHARE) * shared, box.x1, box.y1)

    _current_above: tuple[float, float] | None = None

    def tooltip_at(self, r: SensitivityPath, x: float, y: float) -> str:
        step = int(np.abs(r.changed - x).argmin())
        return (
            f"after {number(int(r.changed[step]))} of {number(r.length)}: "
            f"answer {quantity(r.value[step], self.unit, 5)}, "
            f"local {at_most(quantity(r.local[step], self.unit), r.bound)}, "
            f"smooth {at_most(quantity(r.smooth[step], self.unit), r.bound)}"
        )

    def point_at(self, x: float, y: float) -> str:
        text = super().point_at(x, y)
        self._cursor_above.set(visible=bool(text), xdata=[x, x])
        return text

    def point_away(self) -> None:
        super().point_away()
        self._cursor_above.set_visible(False)

    def alt_text_of(self, r: SensitivityPath) -> str:
        text = WORDS[r.neighbours]
        first = f"{number(int(r.changed[0]))} to " if r.changed[0] else ""
        bound = "bound of the " if r.bound else ""
        return (
            f"While {first}{number(int(r.changed[-1]))} of {number(r.length)} {text.records} "
            f"are {text.change}, the {bound}local sensitivity moves "
            f"between {quantity(r.local.min(), self.unit)} and "
            f"{quantity(r.local.max(), self.unit)}, the {bound}smooth sensitivity between "
            f"{quantity(r.smooth.min(), self.unit)} and {quantity(r.smooth.max(), self.unit)}; "
            f"the global is {quantity(r.global_, self.unit)}."
        )

    def table_of(self, r: SensitivityPath) -> Table:
        header = ["changed", "value", "local", "smooth", "global"]
        return header, rows_of(r.changed, r.value, r.local, r.smooth, r.global_)


def _finding(path: SensitivityPath, unit: str) -> str:
    """Say how far one step moves the local sensitivity, and by which factor the smooth one, at most."""
    local = f"{'the bound of ' * path.bound}local sensitivity"
    steps = (np.sort([values[:-1], values[1:]], axis=0) for values in (path.local, path.smooth))
    (least, most), (low, high) = steps
    if not (low > 0).any() or (np.diff(path.changed) != 1).any():
        return f"Between two of these steps {local} may jump, the smooth one changes slowly."
    smooth = f"the smooth one at most {number(float((high[low > 0] / low[low > 0]).max()))}-fold"
    if (from_zero := most[least == 0].max(initial=0.0)) > 0:
        return f"In one step {local} moves between 0 and {quantity(float(from_zero), unit)}, {smooth}."
    if not (most > least).any():
        return f"In none of these steps {local} changes, {smooth}."
    return f"In one step {local} changes up to {number(float((most / least).max()))}-fold, {smooth}."

"""What pictures have in common that give each contender a row on a logarithmic axis."""

from __future__ import annotations

from typing import ClassVar, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import plain
from app.plots.base import Picture
from app.plots.elements.artists import figure_of
from app.plots.elements.scales import TICK_SIZE, logarithmic
from app.plots.elements.sentence import Sentence

_ROWS = 2  # at least there is room

ViewT = TypeVar("ViewT")


class ContenderRows(Picture[ViewT]):
    """Rows on rails, the first one highest, words in those that are empty, and a sentence above."""

    has_log_y = False
    good_height = 260
    over: ClassVar[float] = 0.0
    """Points above the axes that are left free below the sentence."""

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._rails = self.line("truth", color=palette.border, linewidth=1.0, zorder=1.6)
        self._texts: list[Text] = []
        self._limits: tuple[float, float] | None = None
        self._sentence = self.add(Sentence(axes, palette, over=self.over))
        axes.yaxis.set_visible(False)

    def _lay(self, rows: int, low: float, high: float, air: float) -> None:
        """Lay so many rails from `low` to `high`, with some air at both ends, and take all words away."""
        self._limits = logarithmic(self._limits, low, high)
        factor = (self._limits[1] / self._limits[0]) ** air
        self._lay_between(rows, self._limits[0] / factor, self._limits[1] * factor)

    def _lay_between(self, rows: int, left: float, right: float) -> None:
        """Lay so many rails from edge to edge, and take all words away."""
        self.clear(self._texts)
        self.axes.set_xlim(left, right)
        self.axes.set_ylim(0.5 - max(rows, _ROWS), 0.5)
        rails = [(x, -float(row)) for row in range(rows) for x in (left, right, np.nan)]
        self._rails.set_data(*np.array(rails or [(np.nan, np.nan)]).T)

    def _write(self, label: str, row: int) -> None:
        """Write in its row why there is no mark."""
        text = self.text(0.01, -row, plain(label), va="bottom", fontsize=TICK_SIZE + 0.5, clip_on=True)
        data, figure = self.axes.get_yaxis_transform(), figure_of(self.axes)
        text.set(transform=offset_copy(data, figure, 0, 3, units="points"), color=self.palette.muted)
        self._texts.append(text)

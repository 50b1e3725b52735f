"""Rows of stacked dots: quantiles as frequencies, which are easier to read than densities."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform

from app.model.theme import Palette
from app.model.wording.numbers import number
from app.plots.elements.labels import NOTE_SIZE, AxesArtist
from engine.array_types import Floats

DOTS = 20  # in a row; each stands for an equal share
_LARGEST, _SMALLEST = 9.0, 2.5  # diameters, in points
_FILLED = 0.92  # of the room of a dot
_SPIKE, _SAME = 0.25, 3.0  # share of the dots of a row that coincide, and within how many pixels
_ZIGZAG = (-1.0, -0.35, 0.35, 1.0)  # of the width of a dot
_DENSEST = 2  # times as many dots as fit, which then overlap; a higher stack is cut and says how many


@dataclasses.dataclass(frozen=True, eq=False)
class DotRow:
    """Dots on a baseline."""

    y: float  # where the baseline is, in data coordinates; the row reaches up to ``y + height``
    height: float
    x: Floats  # shape (dots,), increasing
    colour: str


def quantile_dots(values: Floats) -> Floats:
    """Return the places of `DOTS` dots for any number of values; none for none."""
    if not values.size:
        return np.empty(0)
    dots: Floats = np.quantile(values, (np.arange(DOTS) + 0.5) / DOTS)
    return dots


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
QUANTILES = tuple(f"quantile {number(share)}" for share in SHARES)
"""Titles of the columns of `quantile_cells`."""


def quantile_cells(values: Floats) -> list[Any]:
    """Return some quantiles for a table; blanks for no values."""
    return np.quantile(values, SHARES).tolist() if values.size else [""] * len(SHARES)


def stacks(x: Floats, width: float) -> tuple[Floats, Floats]:
    """Return the column, and the height from 0 in it, of dots of a width at increasing places.

    A column takes all that is within a width of its first dot, and stands in their middle.
    Source: Wilkinson 1999, Dot plots, The American Statistician 53.
    """
    columns, heights = np.empty(x.size), np.empty(x.size)
    start = 0
    while start < x.size:
        end = int(np.searchsorted(x, x[start] + width, side="left"))
        columns[start:end] = (x[start] + x[end - 1]) / 2
        heights[start:end] = np.arange(end - start)
        start = end
    return columns, heights


def _tallest(x: Floats, width: float) -> int:
    """Return the dots of the tallest stack without spikes, at least 1."""
    _, group, counts = np.unique(np.rint(x / _SAME), return_inverse=True, return_counts=True)
    heights = stacks(x[counts[group] <= _SPIKE * x.size], width)[1]
    return int(heights.max(initial=0)) + 1


class DotRows(AxesArtist):
    """Draws rows with the largest dots for which every row has room, in pixels, at every drawing.

    Many dots at one place do not make all others small: their stack ends with its row, and says how many.
    """

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__(axes, 3)
        self._palette = palette
        self._rows: tuple[DotRow, ...] = ()
        self.set_in_layout(False)

    def set_rows(self, rows: Sequence[DotRow]) -> None:
        self._rows = tuple(row for row in rows if row.x.size)

    def diameter(self) -> float:
        """Return the diameter of the dots as they would be drawn now, in points."""
        rooms = self._spaces()
        for diameter in np.arange(_LARGEST, _SMALLEST, -0.5).tolist():
            width = self._pixels(diameter)
            if all(_tallest(places[:, 0], width) * width <= space for places, space in rooms):
                return float(diameter)
        return _SMALLEST

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        diameter = self.diameter()
        width = self._pixels(diameter)
        for row, (places, space) in zip(self._rows, self._spaces(), strict=True):
            columns, heights = stacks(places[:, 0], width)
            most = max(1, int(space / width + 1e-9))
            middles, stack, counts = np.unique(columns, return_inverse=True, return_counts=True)
            cut = counts > _DENSEST * most
            # a cut stack ends with a gap and one more dot, so that it is not as high as one of so many dots
            shown, base = (heights < most - 2) | (heights == most - 1) | ~cut[stack], places[0, 1]
            steps = np.where(cut | (counts <= most), width, (space - width) / np.maximum(counts - 1, 1))
            line = Line2D(columns[shown], base + width / 2 + (heights * steps[stack])[shown])
            line.set(marker="o", markersize=_FILLED * diameter, linestyle="none", color=row.colour)
            line.set(markeredgewidth=0, transform=IdentityTransform())
            self._take(line)
            line.draw(renderer)
            for x, count in zip(middles[cut], counts[cut], strict=True):
                y = base + (most - 0.5) * width
                self._break(x, y - width, width, row.colour, renderer)
                high = base + width / 2 + heights * steps[stack] > y - self._pixels(NOTE_SIZE)
                self._count(x, y, width, count, row, columns[shown & high], renderer)
        self.stale = False

    def _break(self, x: float, y: float, width: float, colour: str, renderer: RendererBase) -> None:
        """Draw a zigzag where a stack is cut."""
        line = Line2D(x + width * np.array(_ZIGZAG), y + width * np.array([-0.15, 0.3, -0.3, 0.15]))
        line.set(color=colour, linewidth=1.2, transform=IdentityTransform())
        line.set_path_effects([withStroke(linewidth=5, foreground=self._palette.card)])
        self._take(line)
        line.draw(renderer)

    def _count(
        self, x: float, y: float, gap: float, dots: int, row: DotRow, beside: Floats, renderer: RendererBase
    ) -> None:
        """Write how many dots a stack has, left of its top, or right of it and of stacks beside it."""
        text = self._small_text(self._palette.text(row.colour), NOTE_SIZE)
        text.set(text=f"{dots} dots", y=y)
        text.set_path_effects([withStroke(linewidth=2.5, foreground=self._palette.card)])
        width, right = gap + text.get_window_extent(renderer).width, x
        for other in beside.tolist():
            right = other if right < other < right + width + gap / 2 else right
        left = x - width > self.home.bbox.x0 and not ((x - width - gap / 2 < beside) & (beside < x)).any()
        text.set(x=x - gap if left else right + gap, ha="right" if left else "left")
        text.draw(renderer)

    def _spaces(self) -> list[tuple[Floats, float]]:
        """Return the dots on their baselines, shape (dots, 2), and the height of each row, in pixels."""
        to_pixels = self.home.transData.transform
        rooms = []
        for row in self._rows:
            places = to_pixels(np.column_stack([row.x, np.full(row.x.size, row.y)]))
            rooms.append((places, float(to_pixels((row.x[0], row.y + row.height))[1] - places[0, 1])))
        return rooms

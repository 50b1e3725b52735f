"""Rows of stacked dots: quantiles as frequencies, which are easier to read than densities."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.transforms import IdentityTransform

from app.model.wording.numbers import number
from app.plots.elements.labels import AxesArtist, spread
from engine.array_types import Floats

DOTS = 20  # in a row; each stands for an equal share
_LARGEST, _SMALLEST = 9.0, 2.5  # diameters, in points
_FILLED = 0.92  # of the room of a dot
_COLUMNS = 4  # as many as a stack of some rows may need; those of most rows need one
_DENSEST = 2  # times as many dots as fit stand in a column, and overlap, before there is another beside it


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


def stacks(x: Floats, width: float, most: int) -> tuple[Floats, Floats]:
    """Return the column, and the height from 0 in it, of dots of a width at increasing places.

    A stack takes all that is within a width of its first dot.  If these are more than `most`, it has several
    columns.  Each stands in the middle of its dots, or as near to it as others leave room.
    Source: Wilkinson 1999, Dot plots, The American Statistician 53.
    """
    middles, counts, start = list[float](), list[int](), 0
    while start < x.size:
        end = int(np.searchsorted(x, x[start] + width, side="left"))
        for column in np.array_split(x[start:end], -((start - end) // most)):
            middles.append(float(column[0] + column[-1]) / 2)
            counts.append(len(column))
        start = end
    ranks = [(float(index),) for index in range(len(middles))]
    placed = spread(middles, [width] * len(middles), -np.inf, np.inf, ranks)
    heights = [np.arange(count, dtype=np.float64) for count in counts]
    return np.repeat(placed, counts), np.concatenate([np.empty(0), *heights])


class DotRows(AxesArtist):
    """Draws rows with the largest dots for which rows have room, in pixels, at every drawing."""

    def __init__(self, axes: Axes) -> None:
        super().__init__(axes, 3)
        self._rows: tuple[DotRow, ...] = ()
        self.set_in_layout(False)

    def set_rows(self, rows: Sequence[DotRow]) -> None:
        self._rows = tuple(row for row in rows if row.x.size)

    def diameter(self) -> float:
        """Return the diameter of the dots as they would be drawn now, in points."""
        rooms = self._spaces()
        for diameter in np.arange(_LARGEST, _SMALLEST, -0.5).tolist():
            width = self._pixels(diameter)
            filled = [
                (stacks(places[:, 0], width, len(places))[1].max() + 1) / max(1, int(space / width))
                for places, space in rooms
            ]
            if np.median(filled or [0.0]) <= 1 and max(filled, default=0.0) <= _COLUMNS * _DENSEST:
                return float(diameter)
        return _SMALLEST

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        diameter = self.diameter()
        width = self._pixels(diameter)
        for row, (places, space) in zip(self._rows, self._spaces(), strict=True):
            columns, heights = stacks(places[:, 0], width, _DENSEST * max(1, int(space / width)))
            _, stack, counts = np.unique(columns, return_inverse=True, return_counts=True)
            steps = np.minimum(width, (space - width) / np.maximum(counts - 1, 1))
            line = Line2D(columns, places[0, 1] + width / 2 + heights * steps[stack])
            line.set(marker="o", markersize=_FILLED * diameter, linestyle="none", color=row.colour)
            line.set(markeredgewidth=0, transform=IdentityTransform())
            self._take(line)
            line.draw(renderer)
        self.stale = False

    def _spaces(self) -> list[tuple[Floats, float]]:
        """Return the dots on their baselines, shape (dots, 2), and the height of each row, in pixels."""
        to_pixels = self.home.transData.transform
        rooms = []
        for row in self._rows:
            places = to_pixels(np.column_stack([row.x, np.full(row.x.size, row.y)]))
            rooms.append((places, float(to_pixels((row.x[0], row.y + row.height))[1] - places[0, 1])))
        return rooms

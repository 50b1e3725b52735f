"""The levels of a histogram as a table: what there is to see of many dimensions."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from app.model.theme import Palette
from app.model.wording.numbers import number, plain, quantity
from app.plots.base import Picture, Table, rows_of
from app.plots.elements.labels import AxesArtist
from app.plots.histogram.cells import caption_of
from engine.analysis.histogram_contents import HistogramLevels

HEADER = ("level", "cells", "cut further", "records in final cells", "largest diameter")
_SIZE, _ROW = 10.0, 22.0  # of a number, and of a row, in points
_ENDS = (0.09, 0.26, 0.48, 0.74, 1.0)  # right ends of the columns, as shares of the width
_WIDEST = 560.0  # points: in a wider table the eye loses its row
_BAR = 0.6  # of the accent colour


class LevelTable(Picture[HistogramLevels]):
    """Levels in rows, with bars below the numbers of records; without room, the middle is left out."""

    title = "Levels of the histogram"
    caption = caption_of
    has_log_y = False
    in_units = frozenset({"largest diameter"})

    def build(self) -> None:
        self.axes.set_axis_off()
        self.axes.set_xlim(0, 1)
        self._rows = self.add(_LevelRows(self.axes, self.palette))
        self._sentence = self.sentence_above(0.0)

    def show(self, result: HistogramLevels) -> None:
        highest = float(np.abs(result.points).max(initial=0.0)) or 1.0
        self._rows.set_rows(
            [
                (tuple(map(plain, _words(result, index, self.unit))), max(float(points), 0.0) / highest)
                for index, points in enumerate(result.points)
            ]
        )
        self._sentence.set_text(_sentence(result))

    def table_of(self, r: HistogramLevels) -> Table:
        return list(HEADER), rows_of(r.level, r.cells, r.cut, r.points, r.diameter)


class _LevelRows(AxesArtist):
    """Rows of right-aligned numbers below a header, with a bar below those of the fourth column."""

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__(axes, 3)
        self._palette = palette
        self._rows: list[tuple[tuple[str, ...], float]] = []
        self.set_in_layout(False)
        self._text = Text(0, 0, "", ha="right", va="center_baseline", transform=IdentityTransform())
        self._take(self._text)

    def set_rows(self, rows: list[tuple[tuple[str, ...], float]]) -> None:
        """Replace all rows: their words, and how long the bar is, 0 to 1."""
        self._rows = rows

    def visible(self) -> list[int | None]:
        """Return the rows that have room; None stands for those that are left out."""
        most = max(3, int(self.home.bbox.height / self._pixels(_ROW)) - 1)
        count = len(self._rows)
        if count <= most:
            return list(range(count))
        last = (most - 1) // 2
        return [*range(most - 1 - last), None, *range(count - last, count)]

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible() or not self._rows:
            return
        box, row = self.home.bbox, self._pixels(_ROW)
        width = min(box.width, self._pixels(_WIDEST))
        ends = [box.x0 + share * width for share in _ENDS]
        space = [end - start for start, end in zip([box.x0, *ends], ends, strict=False)]
        y, fill = box.y1 - row / 2, self._palette.tint(self._palette.accent, _BAR)
        self._fit(renderer, space)
        self._write(renderer, HEADER, ends, y, self._palette.muted)
        for index in self.visible():
            sides, height = [box.x0, ends[-1]], y - row / 2
            self._draw(renderer, Line2D(sides, [height] * 2, color=self._palette.border, linewidth=0.8))
            y -= row
            if index is None:
                texts = tuple("⋯" for _ in HEADER)
            else:
                texts, share = self._rows[index]
                length = share * space[3] * 0.96
                corner = (ends[3] - length, y - 0.46 * row)
                self._draw(renderer, Rectangle(corner, length, 0.12 * row, facecolor=fill, edgecolor="none"))
            self._write(renderer, texts, ends, y, self._palette.ink)
        self.stale = False

    def _fit(self, renderer: RendererBase, space: list[float]) -> None:
        """Give the text a size for which every column has room."""
        self._text.set_fontsize(_SIZE)
        share = 1.0
        for column, text in enumerate(HEADER):
            longest = max((text, *(row[0][column] for row in self._rows)), key=len)
            self._text.set_text(longest)
            wide = self._text.get_window_extent(renderer).width + self._pixels(8.0)
            share = min(share, space[column] / wide)
        self._text.set_fontsize(_SIZE * share)

    def _write(
        self, renderer: RendererBase, texts: tuple[str, ...], ends: list[float], y: float, colour: str
    ) -> None:
        self._text.set_color(colour)
        for word, end in zip(texts, ends, strict=True):
            self._text.set(text=word, position=(end - self._pixels(3.0), y))
            self._text.draw(renderer)

    def _draw(self, renderer: RendererBase, part: Artist) -> None:
        part.set_transform(IdentityTransform())
        self._take(part)
        part.draw(renderer)


def _words(r: HistogramLevels, index: int, unit: str) -> tuple[str, ...]:
    whole = [number(float(column[index])) for column in (r.level, r.cells, r.cut, r.points)]
    return (*whole, quantity(float(r.diameter[index]), unit))


def _sentence(r: HistogramLevels) -> str:
    leaves = int((r.cells - r.cut).sum())
    fullest = int(r.level[int(np.argmax(r.points))])
    return (
        f"{number(leaves)} cells on {number(len(r.level))} levels hold "
        f"{number(float(r.points.sum()))} records; the fullest level is {number(fullest)}."
    )

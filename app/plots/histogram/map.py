"""A histogram: its cells, shaded by what they hold; along one direction, bars; and its random shift."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from app.model.theme import Palette
from app.model.wording.numbers import number
from app.plots.base import Table, set_y_label
from app.plots.clustering.space_picture import (
    DOTS,
    WINDOW_MARGIN,
    SpacePicture,
    count_words,
    join_outlines,
    place_words,
    point,
    space_entries,
)
from app.plots.elements.answers import level_bars
from app.plots.elements.labels import set_polygons
from app.plots.elements.legend import LegendEntry, in_lines
from app.plots.elements.scales import around, linear_ticks
from app.plots.histogram.cells import (
    CellLayer,
    FittingNumbers,
    border,
    boxes,
    caption_of,
    cell_at,
    cell_rows,
    cells_words,
    corners,
    draw_records,
    place_header,
    record_rows,
    shading_entries,
    shift_rows,
    small_cells,
)
from app.plots.sensitivity.dot_strip import jitter
from engine.analysis.histogram_maps import CellMap
from engine.array_types import Floats

_BAR = 0.7  # of the accent colour: 3:1 against a light and a dark card
_INSET = 0.08  # of a cell, from its corner to the bar of a possible answer
_STRIP = 0.2  # of the height, for the records below the bars
_GRID = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1), (-1, 0), (1, 0), (1, 1), (0, 1), (0, -1))
_WHISKER = ((-0.4, 1), (0.4, 1), (0, 1), (0, -1), (-0.4, -1), (0.4, -1))  # a marker with caps
MAX_WHISKERS = 100
"""Largest number of bars that have whiskers and gaps."""


class HistogramMap(SpacePicture[CellMap]):
    """The cells of one level along two directions; along one, bars over the interval."""

    title = "Cells of the histogram"
    answer_marks = "lines"
    caption = caption_of
    layer_fields = MappingProxyType({name: (name,) for name in ("records", "shift", "chosen")})
    still = ("records", "cells", "shift", "before", "per_area", "numbers")

    def build(self) -> None:
        super().build()
        self._records = self._dots, *(self.still_line("truth", **DOTS) for _ in range(2))
        self._layer = CellLayer(self.axes, self.palette)
        self.overview = (self._layer.patches,)
        self._numbers = FittingNumbers(self.axes, self.palette, self._records)
        self.under_answers = (self._numbers,)  # borders of possible cells would cross them out
        self._shift = ShiftLayer(self.axes, self.palette)
        self._zero = self.still_line("truth", color=self.palette.border, linewidth=1.0, zorder=1.0)
        self._winner = self.line("accent", linewidth=2.8, color=self.palette.ink, zorder=3.1)
        self._winner.set_path_effects([withStroke(linewidth=4.6, foreground=self.palette.card)])
        # where whiskers are too short to see, their caps are seen
        self._whiskers = self.still_line("truth", marker="_", markersize=5.0, linewidth=1.0, zorder=1.5)
        self._gaps = LineCollection([], colors=self.palette.card, linewidths=0.8, zorder=1.45)
        self.axes.add_collection(self._gaps, autolim=False)
        self._heights: tuple[float, float] | None = None
        self._hides_some = False  # records, which would hide small cells

    def show(self, result: CellMap) -> None:
        super().show(result)
        self.answers_apart = not result.flat
        shapes = corners(result.cells, (0.0, self._bars(result)))
        self._winner.set_data(*join_outlines([] if result.chosen is None else [shapes[result.chosen]]).T)
        self._legend.set_entries(list(self._entries(result)))

    # What can be asked of it.

    def tooltip_at(self, r: CellMap, x: float, y: float) -> str:
        text, index = self._layer.words_at(r.directions, x, y), cell_at(r.cells, x, y)
        if not text or index is None:
            return text
        noisy = bool(r.cells.counts[index] < (r.half_width or 0.0))
        hides = self._hides_some and bool(small_cells(r)[index])
        return text + "; mostly noise" * noisy + "; its records are not drawn" * hides

    def answer_path(self, r: CellMap, answer: CellMap) -> Floats:
        """Return bars; of two directions, outlines of cells, or bars in cells that stay the same."""
        cells = answer.cells
        if not r.flat and np.array_equal(cells.lower, r.cells.lower):
            widths = cells.upper[:, 0] - cells.lower[:, 0]
            shares = np.clip(cells.counts / max(float(r.cells.counts.max()), 1.0), 0.0, 1.0)
            return level_bars(cells.lower + _INSET * (cells.upper - cells.lower), 0.9 * widths * shares)
        return join_outlines(corners(cells, (0.0, self._bars(answer))))

    def alt_text_of(self, r: CellMap) -> str:
        cells = r.cells
        texts = [f"{cells_words(cells)} with {count_words(float(cells.counts.sum()))}"]
        if cells.counts.size:
            least, most = (count_words(float(count)) for count in (cells.counts.min(), cells.counts.max()))
            texts.append(f"the emptiest holds {least}, the fullest {most}")
        if r.chosen is not None:
            texts.append(f"chosen: {count_words(float(cells.counts[r.chosen]))}")
        if r.shift is not None:
            texts.append(f"shifted to {place_words(r, r.shift.middle)}")
        if r.records is not None:
            texts.append(f"{count_words(r.records.n)} (confidential)")
        return f"Along {' and '.join(one.name for one in r.directions)}: {'; '.join(texts)}."

    def table_of(self, r: CellMap) -> Table:
        """Return cells, planes and records: what it is, its count, and where it lies."""
        rows = cell_rows(r.cells, r.chosen) + shift_rows(r.shift) + record_rows(r)
        return ["mark", "count", *place_header(r.directions)], rows

    # How it is drawn.

    def _within_box(self) -> tuple[Artist, ...]:
        return (self._shift.hatched,)

    def _scale(self, r: CellMap) -> None:
        super()._scale(r)
        self.axes.yaxis.set_visible(True)
        if not r.flat:
            return
        heights = np.append(self._bars(r), self._ends(r))
        least, most = float(heights.min(initial=0.0)), float(heights.max(initial=0.0))
        self._heights = around(self._heights, least, most if most > least else least + 1.0)
        low, high = self._heights[0] if least < 0 else 0.0, self._heights[1]
        strip = _STRIP * (high - low) if r.records is not None else 0.0
        self.axes.set_ylim(low - strip, high)
        linear_ticks(self.axes.yaxis, "", floor=low)
        side = r.directions[0].side
        ends = [] if r.directions[0].private else [side.lower, side.upper]
        self._border.set_data(np.repeat(ends, 3), [low - strip, high, np.nan] * len(ends))
        each = f"per {r.directions[0].unit or 'unit of length'}" if r.per_area else "in each bin"
        set_y_label(self.axes, self.palette, f"records {each}")

    def _bars(self, r: CellMap) -> Floats:
        return r.cells.counts / r.cells.sizes if r.per_area else r.cells.counts

    def _ends(self, r: CellMap) -> Floats:
        """Return the ends of the intervals of the bars, shape (m, 2); none if they are not public."""
        if r.intervals is None or len(r.intervals) > MAX_WHISKERS:
            return np.empty((0, 2))
        return r.intervals / r.cells.sizes[:, None] if r.per_area else r.intervals

    def _draw_records(self, r: CellMap) -> None:
        dots = np.empty((0, 2)) if r.records is None or r.records.dots is None else r.records.dots
        if r.flat:
            bottom, top = self.axes.get_ylim()
            strip = _STRIP / (1 + _STRIP) * (top - bottom)
            dots = np.column_stack([dots[:, 0], bottom + strip * (0.1 + 0.75 * jitter(len(dots)))])
        self._hides_some = draw_records(self._records, dots, self.palette, strip=r.flat, on=r)

    def _draw_still(self, r: CellMap) -> None:
        noise, numbered = r.half_width or 0.0, r.numbers and not r.cells.spread
        self._layer.draw(r.cells, r.per_area, noise=noise)
        self._numbers.set_cells(r.cells if numbered else None, r.per_area, noise)
        self._zero.set_data([], [])
        self._gaps.set_segments([])
        ends = self._ends(r)
        middles = (r.cells.lower[:, 0] + r.cells.upper[:, 0])[: len(ends)] / 2
        heights = np.column_stack([ends, np.full(len(ends), np.nan)])
        self._whiskers.set_data(np.repeat(middles, 3), heights.ravel())
        if r.flat:
            heights = self._bars(r)
            low, high = r.cells.lower[:, 0], r.cells.upper[:, 0]
            set_polygons(self._layer.patches, boxes(low, high, 0.0, heights))
            self._layer.patches.set_facecolor(self.palette.tint(self.palette.accent, _BAR))
            if len(heights) <= MAX_WHISKERS:  # without edges, more bars would be too thin to see
                self._layer.patches.set_linewidth(0.0)
                tops = np.maximum(heights[1:], heights[:-1]).tolist()
                self._gaps.set_segments([[(x, 0.0), (x, top)] for x, top in zip(low[1:], tops, strict=True)])
            self._zero.set_data(self.axes.get_xlim(), [0, 0])
        self._shift.draw(r)

    def _entries(self, r: CellMap) -> Iterator[LegendEntry]:
        p = self.palette
        yield from space_entries(r, p, p.truth)
        if self._hides_some:
            yield LegendEntry((), "(not drawn in small cells)")
        noise = r.half_width
        simulated = ", simulated" * (noise is not None and not r.released)
        if r.flat:
            bar = point("s", p.tint(p.accent, _BAR), 9.0, markeredgecolor=border(p))
            m = len(r.cells.counts)
            yield LegendEntry((bar,), f"{number(m)} bin{'s' * (m != 1)}{simulated}")
            if noise is not None:
                whisker = point(_WHISKER, p.ink, 11.0, markerfacecolor="none")
                yield LegendEntry((whisker,) * bool(len(self._ends(r))), f"± {number(noise)} (95 %)")
        else:
            grid = point(_GRID, border(p), 9.0, markerfacecolor="none")
            yield LegendEntry((grid,), f"{cells_words(r.cells).split(' (')[0]}{simulated}")
            if r.numbers and small_cells(r).any():
                yield LegendEntry((), "bold: sum of small cells")
            yield from shading_entries(r.cells, r.per_area, p, noise or 0.0)
        if r.chosen is not None:
            rim = point("s", p.ink, 9.5, markerfacecolor="none", markeredgewidth=2.2)
            yield LegendEntry((rim,), f"chosen: {count_words(float(r.cells.counts[r.chosen]))}")
        yield from self._shift.entries(r)


class ShiftLayer:
    """The shift as a part of the background, over the cells.

    `hatched`: the cells along the perimeter, before they are disbanded.
    """

    def __init__(self, axes: Axes, palette: Palette) -> None:
        self._axes = axes
        self._palette = palette
        self.hatched = PolyCollection([], facecolors="none", edgecolors=palette.local, zorder=1.3)
        self.hatched.set(hatch="///", linewidth=0, in_layout=False, alpha=0.55)
        axes.add_collection(self.hatched, autolim=False)
        self._styles: dict[str, dict[str, Any]] = {
            "cube": {"color": palette.accent, "linewidth": 1.8, "linestyle": (0, (7.0, 2.5))},
            "kept": {"color": palette.truth, "linewidth": 1.0, "linestyle": "solid"},
            "dropped": {"color": palette.local, "linewidth": 1.8, "linestyle": (0, (3.0, 1.8))},
        }
        self.kept = self._line(1.6, **self._styles["kept"])
        self.dropped = self._line(1.65, **self._styles["dropped"])
        self.cube = self._line(1.7, **self._styles["cube"])
        mark = point("P", palette.accent, 11.0, markeredgecolor=palette.card, markeredgewidth=1.2)
        self.middle = self._line(4.4, linestyle="none", **mark)

    def draw(self, r: CellMap) -> None:
        """Draw the shift of a view within the limits that the axes has; nothing where there is none."""
        for line in (self.cube, self.kept, self.dropped, self.middle):
            line.set_data([], [])
        set_polygons(self.hatched, [])
        if r.shift is None:
            return
        top = self._axes.get_ylim()[1]
        sides = [(direction.side.lower, direction.side.upper) for direction in r.directions]
        reach = np.array([*sides, (0.0, top)][:2], dtype=np.float64)
        self.kept.set_data(*_lines(reach, r.shift.kept).T)
        if r.before:
            self.dropped.set_data(*_lines(reach, r.shift.dropped).T)
            set_polygons(self.hatched, _slabs(reach, r.shift.dropped))
        low, high = np.append(r.shift.lower, 0.0)[:2], np.append(r.shift.upper, top * (1 - WINDOW_MARGIN))[:2]
        self.cube.set_data(*join_outlines(boxes(*np.stack([low, high], axis=1).reshape(4, 1))).T)
        self.middle.set_data(*np.append(r.shift.middle, 0.0)[:2, None])

    def entries(self, r: CellMap) -> Iterator[LegendEntry]:
        shift = r.shift
        if shift is None:
            return
        mark = point("P", self._palette.accent, 9.0, markeredgecolor=self._palette.card)
        name = "interval" if len(shift.lower) == 1 else "cube"
        yield LegendEntry((self._styles["cube"], mark), f"shifted {name} around u")
        if any(len(planes) for planes in shift.kept):
            yield LegendEntry((self._styles["kept"],), "planes of the level")
        if r.before and any(len(planes) for planes in shift.dropped):
            yield from in_lines(
                (self._styles["dropped"],), ["dropped planes, whose", "hatched cells are disbanded"]
            )

    def _line(self, height: float, **properties: Any) -> Line2D:
        (line,) = self._axes.plot([], [], zorder=height, in_layout=False, **properties)
        return line


def _lines(reach: Floats, planes: tuple[Floats, ...]) -> Floats:
    """Return planes as one line with gaps."""
    parts = [np.full((1, 2), np.nan)]
    for axis, places in enumerate(planes):
        for position in places.tolist():
            ends = reach.T.copy()
            ends[:, axis] = position
            parts += [ends, parts[0]]
    return np.concatenate(parts)


def _slabs(reach: Floats, dropped: tuple[Floats, ...]) -> Floats:
    """Return the corners of all that lies beyond the dropped planes."""
    slabs = []
    for axis, places in enumerate(dropped):
        if len(places):
            for ends in ((reach[axis, 0], places.min()), (places.max(), reach[axis, 1])):
                slab = reach.copy()
                slab[axis] = ends
                slabs.append(slab)
    return boxes(*np.reshape(slabs, (-1, 4)).T)

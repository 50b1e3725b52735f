"""How many records have each pair of categories: a heat map with its numbers."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.artists import set_polygons
from app.plots.elements.sentence import Sentence
from app.plots.histogram.category_axes import MAX_CELLS, CellNumbers, cut, name_places
from app.plots.histogram.cells import boxes
from app.plots.histogram.style import on_shade, shade
from engine.mechanisms.categories.numbers import CrossTable

_BETWEEN, _COARSE = 2.0, 12  # points between cells, in a table of at most so many rows


class ContingencyMap(Picture[CrossTable]):
    """A cell for each pair of categories, the darker the more records it has, with the numbers in it."""

    title = "Contingency table"
    has_log_y = has_cursor = False
    export_size = (7.8, 4.4)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        axes.grid(False)
        axes.spines["bottom"].set_visible(False)
        self._fill = self.add(
            PolyCollection([], edgecolors=palette.card, linewidths=_BETWEEN, zorder=1.2, in_layout=False)
        )
        self._numbers = self.add(CellNumbers(axes))
        self._sentence = self.add(Sentence(axes, palette, over=20.0))

    def show(self, result: CrossTable) -> None:
        whole = result.counts.shape
        self.named = result.labels
        result = result.first(MAX_CELLS)
        rows, columns = result.counts.shape
        self.axes.set_xlim(-0.5, columns - 0.5)
        self.axes.set_ylim(rows - 0.5, -0.5)
        rows_named, columns_named = result.labels
        name_places(self.axes.yaxis, rows_named)
        name_places(self.axes.xaxis, columns_named)
        set_y_label(self.axes, self.palette, plain(result.names[0]))
        set_x_label(self.axes, plain(result.names[1]))
        y, x = (side.ravel() for side in np.indices((rows, columns), dtype=np.float64))
        set_polygons(self._fill, boxes(x - 0.5, x + 0.5, y - 0.5, y + 0.5))
        shares = np.clip(result.counts.ravel() / max(float(result.counts.max()), 1e-300), 0, 1)
        colours = [shade(self.palette, share) for share in shares.tolist()]
        self._fill.set_facecolor(colours)
        self._fill.set_linewidth(_BETWEEN if rows <= _COARSE and columns <= 2 * _COARSE else 0.0)
        middles = np.column_stack([x, y])
        self._numbers.set_numbers(_written(result), middles, [on_shade(colour) for colour in colours])
        self._sentence.set_text(_sentence(result) + cut(rows, whole[0]) + cut(columns, whole[1]))

    def tooltip_at(self, r: CrossTable, x: float, y: float) -> str:
        i, j = round(y), round(x)
        if not (0 <= i < r.counts.shape[0] and 0 <= j < r.counts.shape[1]):
            return ""
        true = "" if r.truth is None else f", truly {number(float(r.truth[i, j]))}"
        return f"{r.labels[0][i]}, {r.labels[1][j]}: {number(float(r.counts[i, j]))} records{true}"

    def alt_text_of(self, r: CrossTable) -> str:
        kind = "simulated" if r.simulated else "released"
        rows, columns = r.counts.shape
        return f"{number(rows)} by {number(columns)} {kind} counts of {' and '.join(r.names)}. {_sentence(r)}"

    def table_of(self, r: CrossTable) -> Table:
        matrices = [r.counts] if r.truth is None else [r.counts, r.truth]
        return [*r.names, *("count", "true")[: len(matrices)]], [
            [one, other, *(float(matrix[i, j]) for matrix in matrices)]
            for i, one in enumerate(r.labels[0])
            for j, other in enumerate(r.labels[1])
        ]


def _written(r: CrossTable) -> list[list[str]]:
    """Return what stands in the cells: the counts, with the true ones where there is room for both."""
    counts = [number(round(count, 1)) for count in r.counts.ravel().tolist()]
    if r.truth is None:
        return [counts]
    true = [number(count) for count in r.truth.ravel().tolist()]
    pairs = list(zip(counts, true, strict=True))
    written = [
        [form.format(*pair) for pair in pairs] for form in ("{}\ntrue {}", "{}  (true {})", "{}  ({})")
    ]
    return [*written, counts]


def _sentence(r: CrossTable) -> str:
    """Say where most records are, or how far the counts are off."""
    i, j = np.unravel_index(int(np.argmax(r.counts)), r.counts.shape)
    if r.truth is None:
        return f"Most records, {number(float(r.counts[i, j]))}: {r.labels[0][i]}, {r.labels[1][j]}."
    off = np.abs(r.counts - r.truth)
    i, j = np.unravel_index(int(np.argmax(off)), off.shape)
    return (
        f"Counts are off by {number(float(off.mean()), 2)} on average, by {number(float(off[i, j]), 2)} "
        f"at most ({r.labels[0][i]}, {r.labels[1][j]})."
    )

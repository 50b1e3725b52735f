"""Heat maps with numbers: a contingency table, and a released matrix beside the true one."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.answers import level_bars
from app.plots.elements.labels import set_polygons
from app.plots.elements.scales import SplitAxes
from app.plots.histogram.category_axes import MAX_CELLS, CellNumbers, cut_note, name_places
from app.plots.histogram.cells import boxes, on_shade, shade
from engine.analysis.category_answers import ReleasedMatrix
from engine.array_types import Floats
from engine.mechanisms.categories.numbers import CrossTable

_BAR = 0.42  # from the middle of a cell to the ends of its longest bar
_CELL_GAP, _COARSE = 2.0, 12  # points between cells, in a table of at most so many rows


class ContingencyMap(Picture[CrossTable]):
    """A cell for each pair of categories, the darker the more records it has, with the numbers in it."""

    title = "Contingency table"
    answer_marks = "lines"
    has_log_y = has_cursor = False
    export_size = (7.8, 4.4)

    def build(self) -> None:
        self.axes.grid(False)
        self.axes.spines["bottom"].set_visible(False)
        self._fill = self.add(
            PolyCollection(
                [], edgecolors=self.palette.card, linewidths=_CELL_GAP, zorder=1.2, in_layout=False
            )
        )
        self._numbers = self.add(CellNumbers(self.axes))
        self._sentence = self.sentence_above()

    def show(self, result: CrossTable) -> None:
        whole = result.counts.shape
        self.named = result.labels
        result = result.first(MAX_CELLS)
        rows, columns = result.counts.shape
        self.axes.set_xlim(-0.5, columns + 0.5)
        self.axes.set_ylim(rows + 0.5, -0.5)
        name_places(self.axes.yaxis, (*result.labels[0], "total"))
        name_places(self.axes.xaxis, (*result.labels[1], "total"))
        note = f" · records, summed over {plain(' and '.join(result.summed))}" * bool(result.summed)
        set_y_label(self.axes, self.palette, f"{plain(result.names[0])} ↓{cut_note(rows, whole[0])}{note}")
        set_x_label(self.axes, f"{plain(result.names[1])} →{cut_note(columns, whole[1])}")
        y, x = (side.ravel() for side in np.indices((rows, columns), dtype=np.float64))
        set_polygons(self._fill, boxes(x - 0.5, x + 0.5, y - 0.5, y + 0.5))
        shares = np.clip(result.counts / max(float(result.counts.max()), 1e-300), 0, 1)
        colours = [[shade(self.palette, share) for share in row] for row in shares.tolist()]
        self._fill.set_facecolor([colour for row in colours for colour in row])
        self._fill.set_linewidth(_CELL_GAP if rows <= _COARSE and columns <= 2 * _COARSE else 0.0)
        middles = np.argwhere(np.ones((rows + 1, columns + 1)))[:, ::-1].astype(np.float64)  # with totals
        ink = self.palette.ink
        inks = [[*map(on_shade, row), ink] for row in colours] + [[ink] * (columns + 1)]
        self._numbers.set_numbers(_table_texts(result), middles, [one for row in inks for one in row])
        self._sentence.set_text(_table_sentence(result))

    def tooltip_at(self, r: CrossTable, x: float, y: float) -> str:
        i, j = round(y), round(x)
        if not (0 <= i < r.counts.shape[0] and 0 <= j < r.counts.shape[1]):
            return ""
        true = "" if r.truth is None else f", truly {number(float(r.truth[i, j]))}"
        count = _with_noise(number(round(float(r.counts[i, j]))), r.half_width)
        return f"{r.labels[0][i]}, {r.labels[1][j]}: {count} records{true}"

    def answer_path(self, r: CrossTable, answer: CrossTable) -> Floats:
        """Return a bar at the bottom of each cell, as long as its count; the largest fills a cell."""
        counts, largest = answer.first(MAX_CELLS).counts, max(float(r.counts.max()), 1.0)
        y, x = (side.ravel() for side in np.indices(counts.shape, dtype=np.float64))
        lengths = 2 * _BAR * np.clip(counts.ravel() / largest, 0.0, 1.0)
        return level_bars(np.column_stack([x - _BAR, y + _BAR]), lengths)

    def alt_text_of(self, r: CrossTable) -> str:
        kind = "simulated" if r.simulated else "released"
        rows, columns = r.counts.shape
        return (
            f"{number(rows)} by {number(columns)} {kind} counts of {' and '.join(r.names)}. "
            f"{_table_sentence(r)}"
        )

    def table_of(self, r: CrossTable) -> Table:
        matrices = [r.counts] if r.truth is None else [r.counts, r.truth]
        return [*r.names, *("count", "true")[: len(matrices)]], [
            [one, other, *(float(matrix[i, j]) for matrix in matrices)]
            for i, one in enumerate(r.labels[0])
            for j, other in enumerate(r.labels[1])
        ]


def _with_sums(counts: Floats) -> list[float]:
    """Return the counts of a table row by row, with a last column and a last row of sums."""
    wide = np.column_stack([counts, counts.sum(axis=1)])
    return np.vstack([wide, wide.sum(axis=0)]).ravel().tolist()


def _table_texts(r: CrossTable) -> list[list[str]]:
    """Return the counts and totals, with the true ones where there is room for both."""
    counts = [number(round(count)) for count in _with_sums(r.counts)]
    known = np.pad(np.full(r.counts.shape, r.half_width), (0, 1)).ravel()  # not the noise of totals
    with_noise = [_with_noise(count, width) for count, width in zip(counts, known.tolist(), strict=True)]
    if r.truth is None:
        return [with_noise, counts]
    true = [number(count) for count in _with_sums(r.truth)]
    forms = {"{}\ntrue {}": with_noise, "{}  (true {})": counts, "{}  ({})": counts}
    written = [
        [form.format(*pair) for pair in zip(texts, true, strict=True)] for form, texts in forms.items()
    ]
    return [*written, counts]


def _with_noise(count: str, half_width: float) -> str:
    """Return a written count with the noise in it, if that is known."""
    return count + f" ± {number(half_width)}" * bool(half_width)


def _table_sentence(r: CrossTable) -> str:
    i, j = np.unravel_index(int(np.argmax(r.counts)), r.counts.shape)
    if r.truth is None:
        return f"Most records, {number(float(r.counts[i, j]))}: {r.labels[0][i]}, {r.labels[1][j]}."
    off = np.abs(r.counts - r.truth)
    totals = float(max(np.abs((r.counts - r.truth).sum(axis=axis)).max() for axis in (0, 1)))
    i, j = np.unravel_index(int(np.argmax(off)), off.shape)
    return (
        f"Cells are off by {number(float(off.mean()), 2)} on average, by {number(float(off[i, j]), 2)} "
        f"at most ({r.labels[0][i]}, {r.labels[1][j]}); totals by up to {number(totals, 2)}."
    )


_STRONG = 0.85  # share of the colour of the largest entry
_DIGITS = 2  # written of an entry
_STEPS = 20  # of tints: entries that hardly differ look the same
_GAP = 0.03  # between entries
_PANEL_GAP = 40.0  # points


class MatrixMap(Picture[ReleasedMatrix]):
    """Positive entries in blue, negative ones in orange, in twenty steps, the stronger the larger."""

    title = "Released matrix"
    answer_marks = "lines"
    has_log_y = has_cursor = False
    export_size = (7.8, 4.4)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        panels = SplitAxes(axes, palette, between=_PANEL_GAP)
        super().__init__(panels.first, palette, unit)
        self.beside = panels.second
        self._panels: list[tuple[Axes, PolyCollection, CellNumbers]] = []
        for part in (self.axes, self.beside):
            part.grid(False)
            part.set_aspect("equal", adjustable="box")
            part.set_anchor("NW")
            part.spines["bottom"].set_visible(False)
            fill = PolyCollection([], edgecolors="none", zorder=1.2, in_layout=False)
            part.add_collection(fill, autolim=False)
            self._panels.append((part, self.add(fill), self.add(CellNumbers(part))))
        self._sentence = self.sentence_above()

    def show(self, result: ReleasedMatrix) -> None:
        self.named = result.names
        known = result.truth is not None
        self.beside.set_visible(known)
        self.parts = (self.axes, self.beside) if known else (self.axes,)
        names = f"{'simulated' if result.simulated else 'released'} {result.noun}", f"true {result.noun}"
        top = max(float(np.abs(matrix).max(initial=0.0)) for matrix in _matrices(result)) or 1.0
        d = len(result.names)
        column, row = (side.ravel() for side in np.meshgrid(np.arange(float(d)), np.arange(float(d))))
        corners = boxes(column - 0.5 + _GAP, column + 0.5 - _GAP, row - 0.5 + _GAP, row + 0.5 - _GAP)
        for (part, fill, entries), matrix, text in zip(self._panels, _matrices(result), names, strict=False):
            part.set_xlim(-0.5, d - 0.5)
            part.set_ylim(d - 0.5, -0.5)
            part.yaxis.set_visible(part is self.axes)
            for axis in (part.xaxis, part.yaxis):
                name_places(axis, result.names)
            set_y_label(part, self.palette, plain(text))
            values = matrix.ravel().tolist()
            colours = [self._colour(tint_share(value, top)) for value in values]
            set_polygons(fill, corners)
            fill.set_facecolor(colours)
            written = [number(value, _DIGITS) for value in values]
            middles = np.column_stack([column, row])
            entries.set_numbers([written], middles, [on_shade(colour) for colour in colours])
        self._sentence.set_text(_matrix_sentence(result))

    def answer_path(self, r: ReleasedMatrix, answer: ReleasedMatrix) -> Floats:
        """Return a bar from the middle of each cell, to the left for a negative entry."""
        row, column = (side.ravel() for side in np.indices(answer.released.shape, dtype=np.float64))
        shares = np.clip(answer.released.ravel() / (float(np.abs(r.released).max()) or 1.0), -1.0, 1.0)
        return level_bars(np.column_stack([column, row + _BAR]), _BAR * shares)

    def _colour(self, strength: float) -> str:
        colour = self.palette.smooth if strength >= 0 else self.palette.local
        faintest = self.palette.faintest - 0.06  # each cell has its number
        return self.palette.tint(colour, faintest + (_STRONG - faintest) * abs(strength))

    def tooltip_at(self, r: ReleasedMatrix, x: float, y: float) -> str:
        i, j = round(y), round(x)
        if not (0 <= i < len(r.names) and 0 <= j < len(r.names)):
            return ""
        true = "" if r.truth is None else f", truly {number(float(r.truth[i, j]))}"
        return f"{r.names[i]}, {r.names[j]}: {number(float(r.released[i, j]))}{true}"

    def alt_text_of(self, r: ReleasedMatrix) -> str:
        d = number(len(r.names))
        tints = f"Tints are rounded to {share(1 / _STEPS)} of the largest entry."
        return f"A {d} by {d} {r.noun}. {_matrix_sentence(r)} {tints}"

    def table_of(self, r: ReleasedMatrix) -> Table:
        header = ["row", "column", "released", "true"]
        return header[: 2 + len(_matrices(r))], [
            [one, other, *(float(matrix[i, j]) for matrix in _matrices(r))]
            for i, one in enumerate(r.names)
            for j, other in enumerate(r.names)
        ]


def tint_share(value: float, top: float) -> float:
    """Return how strongly an entry is tinted: what is written of it, in twentieths of the largest.

    >>> tint_share(-9.3, 100.0) == tint_share(-9.0, 100.0) == -0.1
    True
    """
    return round(_STEPS * float(f"{value:.{_DIGITS}g}") / top) / _STEPS


def _matrices(r: ReleasedMatrix) -> list[Floats]:
    return [r.released] if r.truth is None else [r.released, r.truth]


def _matrix_sentence(r: ReleasedMatrix) -> str:
    kind = "simulated" if r.simulated else "released"
    if r.truth is None:
        largest = number(float(np.abs(r.released).max()))
        return f"The largest entry of the {kind} {r.noun} is {largest}."
    off = np.abs(r.released - r.truth)
    i, j = np.unravel_index(int(off.argmax()), off.shape)
    return f"Entries are off by {number(float(off[i, j]))} at most ({r.names[i]}, {r.names[j]})."

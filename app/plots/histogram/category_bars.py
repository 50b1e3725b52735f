"""How much each category has: bars with their numbers, standard errors and the true values."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.collections import PolyCollection

from app.model.wording.numbers import number, plain
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import set_polygons
from app.plots.elements.scales import linear_ticks
from app.plots.histogram.category_axes import MAX_BARS, CellNumbers, cut_note, name_places
from app.plots.histogram.cells import boxes
from engine.array_types import Floats
from engine.mechanisms.categories.numbers import CategoryNumbers

_HALF = 0.36  # of a bar's height
_LETTER_WIDTH = 0.026  # of the width, for each letter behind the longest bar
_MIN_SHOWN = 5  # bars for which there is room: fewer are no higher
_APART = 60  # bars; more touch each other
_ROW, _AROUND = 0.175, 1.7  # inches of a saved picture: of each bar, and above and below them
_MARGIN = 0.018  # of the width, between a bar and its number


class CategoryBars(Picture[CategoryNumbers]):
    """A bar for each category, with whiskers of its error, and diamonds at the true values."""

    title = "Categories"
    answer_marks = "lines"
    has_log_y = has_cursor = False
    export_size = (7.8, 4.4)
    layer_fields = MappingProxyType({"noise": ("errors", "intervals"), "truth": ("truth",)})

    def build(self) -> None:
        self.axes.grid(False, axis="y")
        linear_ticks(self.axes.xaxis, "")
        self._bars = self.add(
            PolyCollection([], facecolor=self.palette.released, edgecolors="none", zorder=2, in_layout=False)
        )
        self._whiskers = self.line("truth", marker="|", markersize=6.0, linewidth=1.2, zorder=3, layer="")
        self._true = self.dot("truth", marker="D", markersize=6.0, markeredgewidth=1.0, layer="")
        self._numbers = self.add(CellNumbers(self.axes, behind=True))
        self._sentence = self.sentence_above()

    @classmethod
    def size_saved(cls, result: CategoryNumbers) -> tuple[float, float]:
        width, height = cls.export_size
        return width, max(height, _AROUND + _ROW * min(len(result.labels), _APART))

    def show(self, result: CategoryNumbers) -> None:
        whole, result = result, result.first(MAX_BARS)
        m, rows = len(result.labels), np.arange(len(result.labels), dtype=np.float64)
        texts = _bar_texts(result)
        self._scale(result, texts)
        around = max(0.0, _MIN_SHOWN - m) / 2
        self.axes.set_ylim(m - 0.5 + around, -0.5 - around)
        self.named = whole.labels
        name_places(self.axes.yaxis, result.labels)
        set_y_label(self.axes, self.palette, f"{plain(result.name)} ↓{cut_note(m, len(whole.labels))}")
        whiskers = np.nan_to_num(result.whiskers)
        seen = np.flatnonzero(whiskers[:, 0] < whiskers[:, 1])
        uneven = len(seen) > 0 and np.ptp(np.diff(whiskers[seen])) > 1e-6  # noise has one width
        cut = ", cut at 0 and n" * bool(uneven and result.noun == CategoryNumbers.noun)
        possible = {f"95 % intervals{cut}": result.intervals, "diamond: true": result.truth}
        notes = [note for note, drawn in possible.items() if drawn is not None]
        set_x_label(self.axes, plain(result.noun) + (f" ({'; '.join(notes)})" if notes else ""))
        values = np.nan_to_num(result.values)
        if result.chosen is not None:
            # its bar is as long as is known: all the width where nothing is
            known = self.axes.get_xlim()[1] if result.truth is None else result.truth[result.chosen]
            values[result.chosen] = known
        ends = np.minimum(values, 0), np.maximum(values, 0)
        half = _HALF if m <= _APART else 0.5
        set_polygons(self._bars, boxes(*ends, rows - half, rows + half))
        self._bars.set_antialiased(m <= _APART)  # no seams between bars that touch
        across = np.column_stack([whiskers[seen], np.full(len(seen), np.nan)])
        self._whiskers.set_data(across.ravel(), np.repeat(rows[seen], 3))
        true = np.empty(0) if result.truth is None else result.truth
        self._true.set_data(true, rows[: len(true)])
        right = np.maximum(np.maximum(values, whiskers[:, 1]), true if true.size else 0.0)
        margin = _MARGIN * np.ptp(self.axes.get_xlim())
        colours = [self.palette.ink] * len(texts)
        self._numbers.set_numbers([texts], np.column_stack([np.maximum(right, 0) + margin, rows]), colours)
        self._sentence.set_text(_sentence(whole))

    def _scale(self, r: CategoryNumbers, texts: Sequence[str]) -> None:
        reach = [np.zeros(1), np.nan_to_num(r.whiskers).ravel(), *([] if r.truth is None else [r.truth])]
        known = np.concatenate(reach)
        low, high = float(known.min()), float(known.max())
        width = (high - low) or 1.0
        space = _LETTER_WIDTH * max(map(len, texts), default=1)
        self.axes.set_xlim(low - (0.02 * width if low < 0 else 0.0), low + width * (1 + space))
        self.axes.xaxis.set_visible(high > low)
        self.axes.spines["bottom"].set_visible(high > low)

    def tooltip_at(self, r: CategoryNumbers, x: float, y: float) -> str:
        if not 0 <= round(y) < len(r.labels):
            return ""
        row = round(y)
        parts = [] if np.isnan(r.values[row]) else [f"{number(float(r.values[row]))} {r.noun}"]
        if r.errors is not None:
            parts[-1:] = [f"{parts[-1]} (standard error {number(float(r.errors[row]), 2)})"]
        if r.truth is not None:
            parts.append(f"truly {number(float(r.truth[row]))}")
        return f"{r.labels[row]}: {', '.join(parts)}" if parts else r.labels[row]

    def answer_path(self, r: CategoryNumbers, answer: CategoryNumbers) -> Floats:
        """Return the outlines of all bars; of a chosen category, one as long as the axis."""
        ends = answer.first(MAX_BARS).values
        if answer.chosen is not None:
            ends = np.where(np.arange(len(ends)) == answer.chosen, self.axes.get_xlim()[1], np.nan)
        rows, start, gap = np.arange(len(ends)), np.zeros(len(ends)), np.full(len(ends), np.nan)
        x = np.column_stack([start, ends, ends, start, gap])
        y = np.column_stack([rows - _HALF, rows - _HALF, rows + _HALF, rows + _HALF, gap])
        return np.column_stack([x.ravel(), y.ravel()])

    def alt_text_of(self, r: CategoryNumbers) -> str:
        return f"{r.name}: {_sentence(r)}"

    def table_of(self, r: CategoryNumbers) -> Table:
        named = {r.noun: r.values, "standard error": r.errors, "true": r.truth}
        known = {name: column for name, column in named.items() if column is not None}
        rows = [
            [label, *("" if np.isnan(value) else float(value) for value in numbers)]
            for label, *numbers in zip(r.labels, *known.values(), strict=True)
        ]
        return [r.name, *known], rows


def _bar_texts(r: CategoryNumbers) -> list[str]:
    """Return what stands behind the bars: nothing, where nothing is known."""
    if np.isnan(r.values).any():
        return []
    counted = r.noun == CategoryNumbers.noun
    texts = [number(round(value) if counted else value) for value in r.values.tolist()]
    if r.errors is not None:
        pairs = zip(texts, r.errors.tolist(), strict=True)
        texts = [f"{text} ± {number(error, 2)}" for text, error in pairs]
    if r.truth is not None:  # a number alone beside the mark of the true value would be read as that
        texts = [f"{text} (true {number(true)})" for text, true in zip(texts, r.truth.tolist(), strict=True)]
    return texts


def _sentence(r: CategoryNumbers) -> str:
    kind = "Simulated" if r.simulated else "Released"
    if r.chosen is not None:
        text = f"{kind}: {r.labels[r.chosen]}"
        if r.truth is None:
            return f"{text}."
        best = int(np.argmax(r.truth))
        if r.truth[best] == r.truth[r.chosen]:
            return f"{text}; none has more {r.noun}."
        lacks = float(r.truth[best] - r.truth[r.chosen])
        return f"{text}, {number(lacks)} {r.noun} short of {r.labels[best]}."
    if r.truth is None:
        most = int(np.argmax(r.values))
        return f"{kind}: up to {number(float(r.values[most]))} {r.noun} ({r.labels[most]})."
    off = np.abs(r.values - r.truth)
    mean, largest = number(float(off.mean()), 2), number(float(off.max()), 2)
    if mean == largest:
        return f"Each is off by {largest}."
    return f"Off by {mean} on average, by {largest} at most ({r.labels[int(np.argmax(off))]})."

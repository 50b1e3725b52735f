"""The data as a strip of dots; one dot can be dragged."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.model.dataset import PointedRecord
from app.model.wording.numbers import number, plain, quantity
from app.plots.base import Picture, Position, Table, rows_of
from app.plots.elements.answers import stacked
from app.plots.elements.scales import TICK_SIZE, linear_ticks
from engine.array_types import Bools, Floats, Ints
from engine.domain import Interval

MAX_DOTS = 2_000  # dots; more could not be told apart
_SEED = 0  # public and fixed: the places of the dots say nothing
_REACH = 14.0  # pixels at 100 dpi within which a dot is hit
_LETTER = 0.006  # half of a letter, as a share of a strip of usual width
_HEAP = 12  # dots of one value that can still be told apart
_ANSWER = 0.012  # width of the dot of a possible answer, as a share of the strip
_TOP = 1.16  # height of the mark of the true value; dots lie between 0 and 1


@dataclasses.dataclass(frozen=True)
class StripView:
    """The records of one column that are shown, and what is known of them (private)."""

    values: Floats  # shape (m,), clamped values of the records shown
    indices: Ints  # shape (m,), which records they are, increasing
    outside: Bools  # shape (m,), which of them had to be clamped
    # n, clamped: how many records there are, and how many of all were clamped
    n: int
    clamped: int
    domain: Interval  # the declared bounds
    true_value: float | None  # f(x); None where it is no value among the records, as a count is not
    label: str  # name of f ("median")
    dragged: int | None = None  # the record that is being moved
    released: float | None = None  # what was released of f(x), with what is chosen now
    # the places between which f(x) is the distance; None where it is none
    span: tuple[float, float] | None = None
    rows: Ints | None = None  # shape (m,), their rows in the file, where these are other numbers
    # whether the released value lies among the records, and these are not shown (public)
    alone: bool = False

    @property
    def label_position(self) -> float | None:
        """Where the mark of f(x) has its name; None where it has none."""
        return self.true_value if self.span is None else sum(self.span) / 2

    @classmethod
    def of(
        cls, values: ArrayLike, domain: Interval, true_value: float | None, label: str, **known: Any
    ) -> StripView:
        """Make a view of at most `MAX_DOTS` of the raw `values`, shape (n,); `known`: further fields."""
        raw = np.asarray(values, dtype=np.float64)
        indices = shown_indices(raw.size)
        visible = raw[indices]
        return cls(
            values=domain.clamp(visible),
            indices=indices,
            outside=(visible < domain.lower) | (visible > domain.upper),
            n=raw.size,
            clamped=domain.outside(raw),
            domain=domain,
            true_value=true_value,
            label=label,
            **known,
        )


class DotStrip(Picture[StripView]):
    """Records as dots, the true value, the bounds and what was clamped to them."""

    title = "Data"
    in_units = frozenset({"value"})
    good_height = 0
    good_width = 300
    has_log_y = has_cursor = False
    answer_marks = "dots"
    export_size = (7.8, 2.2)

    def build(self) -> None:
        self.axes.set_ylim(-0.08, _TOP)
        self.axes.yaxis.set_visible(False)
        self.axes.grid(False)
        linear_ticks(self.axes.xaxis, self.unit)
        self._bounds = self.line("global_", linewidth=1.2, zorder=1.3)
        self._dots = self.line("global_", marker="o", linestyle="none", markeredgewidth=0, zorder=2)
        self._clamped = self.line(
            "private", marker="D", linestyle="none", markersize=5, markeredgewidth=0, zorder=2.2
        )
        self._truth = self.line("truth", linewidth=2.0, clip_on=False, zorder=3)
        self._dragged = self.dot("smooth", markersize=11)
        self._released = self.dot("released", marker="v", markersize=10, clip_on=False, zorder=6)
        above: dict[str, Any] = {"y": _TOP + 0.04, "va": "bottom", "zorder": 5}
        self._name = self.text(fontsize=9.5, color=self.palette.ink, **above)
        self._count = self.text(fontsize=TICK_SIZE + 0.5, color=self.palette.muted, **above)
        self._count.set_transform(self.axes.get_yaxis_transform())
        # The name of the true value needs the height of a title above the axes.
        self.axes.set_title(" ", y=1.0, fontsize=9.5, pad=3)

    def show(self, result: StripView) -> None:
        low, high = result.domain.lower, result.domain.upper
        margin = 0.02 * result.domain.width
        self.axes.set_xlim(low - margin, high + margin)
        heights = jitter(result.values.size)
        inside = ~result.outside
        self._dots.set_data(result.values[inside], heights[inside])
        size = result.values.size
        diameter, alpha = (9.0, 0.75) if size <= 60 else (6.0, 0.5) if size <= 400 else (4.2, 0.36)
        self._dots.set(markersize=diameter, alpha=alpha)
        self._clamped.set_data(result.values[result.outside], heights[result.outside])
        held = result.indices == (-1 if result.dragged is None else result.dragged)
        self._dragged.set_data(result.values[held], heights[held])
        self._bounds.set_data([low, low, np.nan, high, high], [-0.08, 1.04, np.nan, -0.08, 1.04])
        truth = result.true_value
        upright: tuple[float, ...] = () if truth is None else result.span or (truth,)
        heights_of_mark = [-0.08, _TOP] if len(upright) < 2 else [-0.08, _TOP, _TOP, -0.08]
        self._truth.set_data(np.repeat(upright, 2), heights_of_mark[: 2 * len(upright)])
        shown = result.alone or (truth is not None and result.span is None)
        marks = [result.released] if shown and result.released is not None else []
        self._released.set_data(marks, [0.96] * len(marks))
        self._place_name(result)

    def _place_name(self, result: StripView) -> None:
        left, right = self.axes.get_xlim()
        position = right if result.label_position is None else result.label_position
        fraction = (position - left) / (right - left)
        truth = result.true_value
        text = "" if truth is None else f"{plain(result.label)} {self.amount(truth, 5)}"
        half = max(0.12, _LETTER * len(text))
        # the other side of the same line says what is left out, and the name keeps clear of it
        side, sentence = "left" if fraction > 0.5 else "right", self._sentence(result)
        taken = 2 * _LETTER * len(sentence)
        low, high = (taken + half, 1 - half) if side == "left" else (half, 1 - half - taken)
        align = "left" if fraction < low else "right" if fraction > high else "center"
        ends = result.span or (position,)
        self._name.set(text=text, x={"left": ends[0], "right": ends[-1]}.get(align, position), ha=align)
        self._count.set(text=plain(sentence), x=0.0 if side == "left" else 1.0, ha=side)

    def _sentence(self, result: StripView) -> str:
        texts = []
        if result.values.size < result.n:
            texts.append(f"{number(result.values.size)} of {number(result.n)} shown")
        values, counts = np.unique(result.values, return_counts=True)
        most = int(counts.max(initial=0))
        if most > max(_HEAP, result.n / 2):
            texts.append(f"{number(most)} records at {quantity(float(values[counts.argmax()]), self.unit)}")
        if result.clamped:
            texts.append(f"{number(result.clamped)} clamped")
        return " · ".join(texts)

    def nearest_dot(self, x: float, y: float) -> int | None:
        """Return the index of the record whose dot is at a point of the axes, if any is."""
        if self.result is None:
            return None
        dots = np.column_stack([self.result.values, jitter(self.result.values.size)])
        nearest = self.nearest(dots, x, y, _REACH)
        return None if nearest is None else int(self.result.indices[nearest])

    def record_at(self, r: StripView, x: float, y: float) -> PointedRecord | None:
        record = self.nearest_dot(x, y)
        if record is None:
            return None
        return PointedRecord(record, {"": float(r.values[np.searchsorted(r.indices, record)])})

    def place_of(self, r: StripView, pointed: PointedRecord) -> Position | None:
        """Return the place of a dot; of a record without one, its value halfway up."""
        index = r.indices.size if pointed.record is None else int(np.searchsorted(r.indices, pointed.record))
        if index < r.indices.size and r.indices[index] == pointed.record:
            return float(r.values[index]), float(jitter(r.values.size)[index])
        value = pointed.values.get("")
        return None if value is None else (float(r.domain.clamp(value)), 0.5)

    def answer_path(self, r: StripView, answer: float) -> Floats:
        """Return the place of a number; none if it is no place among the records."""
        start = 0.0 if r.span is None else r.span[0]  # the number is a distance from there
        return np.array([[start + answer, 0.0]] if r.alone or r.true_value is not None else np.empty((0, 2)))

    def arrange_answers(self, paths: list[Floats]) -> list[Floats]:
        """Stack the answers as a quantile dot plot."""
        left, right = self.axes.get_xlim()
        places = np.clip([path[0, 0] for path in paths], left, right)
        return list(stacked(places, 0.16, 1.06, _ANSWER * (right - left), 0.1)[:, None])

    def tooltip_at(self, r: StripView, x: float, y: float) -> str:
        record = None if y is None else self.nearest_dot(x, y)
        if record is None:
            return ""
        index = int(np.searchsorted(r.indices, record))
        name = f"record {number(record + 1)}" if r.rows is None else f"row {number(int(r.rows[index]))}"
        text = f"{name}: {quantity(r.values[index], self.unit, 6)}"
        return text + " (clamped)" * bool(r.outside[index])

    def alt_text_of(self, r: StripView) -> str:
        records = "Possible answers" if r.alone else f"{number(r.n)} record{'s' * (r.n != 1)}"
        ends = f"{quantity(r.domain.lower, self.unit)} and {quantity(r.domain.upper, self.unit)}"
        text = f"{records} between {ends}"
        if r.true_value is not None:
            text += f"; {r.label} {quantity(r.true_value, self.unit, 5)}"
        if r.released is not None and (r.alone or r.true_value is not None):
            text += f"; released {quantity(r.released, self.unit, 5)}"
        return f"{text}; {self._sentence(r)}." if self._sentence(r) else f"{text}."

    def table_of(self, r: StripView) -> Table:
        name, numbers = ("record", r.indices + 1) if r.rows is None else ("row", r.rows)
        return [name, "value", "clamped"], rows_of(numbers, r.values, r.outside)


@functools.lru_cache(maxsize=8)
def shown_indices(n: int) -> Ints:
    """Return which of n records are shown: all, or `MAX_DOTS` that depend on n alone."""
    if n <= MAX_DOTS:
        return np.arange(n)
    chosen = np.random.default_rng(_SEED).choice(n, MAX_DOTS, replace=False, shuffle=False)
    return np.sort(chosen)


@functools.lru_cache(maxsize=8)
def jitter(m: int) -> Floats:
    """Return m heights in (0, 1), evenly spread and in an order that is fixed for m."""
    return (np.random.default_rng(_SEED).permutation(m) + 0.5) / max(m, 1)

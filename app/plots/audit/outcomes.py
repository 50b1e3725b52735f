"""Outcomes on two neighbouring databases, and the event that tells them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axis import Axis
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.wording.numbers import number, plain, quantity, share
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.scales import (
    TICK_SIZE,
    GivenLocator,
    NiceLocator,
    TickFormatter,
    axis_length,
    axis_of,
    label_space,
    log_ticks,
    scale_from_zero,
    tick_unit,
    unit_behind,
)
from engine.array_types import Floats
from engine.audit.bins import AuditBins
from engine.audit.events import DISTANCES, REFUSES

_RARE = 0.05  # a likelier probability below which only a logarithmic axis shows the event
_MARGIN = 0.02
_HEAD = 1.12  # of the highest bar, room for the name of the event
_MIN_LOG_HEAD = 6.0  # likewise, on a logarithmic axis
_WIDE = 0.45  # of the axes: an event that has room for its name
_BESIDE = 5.0  # points from its limit to its name
WHOLE = 104.0  # percent, where the axis ends at the latest: there is no more than all


class AuditOutcomes(Picture[AuditView]):
    """Both distributions of what the event is about, the event, and what it proves."""

    title = "Outcomes on two neighbors"
    x_ticks_vary = False
    good_height = 200

    def build(self) -> None:
        self._region = Rectangle(
            (0, 0), 0, 1, facecolor=self.palette.tint(self.palette.ink, 0.09), zorder=1.1
        )
        self._region.set(transform=self.axes.get_xaxis_transform(), edgecolor="none", in_layout=False)
        self.add(self._region, "event")
        self._edge = self.line("truth", layer="event", linewidth=1.6, zorder=1.5)
        self._styles = [side_style(side, self.palette) for side in range(2)]
        self._fills: list[StepPatch] = []
        self._outlines: list[StepPatch] = []
        for style in self._styles:
            fill = StepPatch([0.0], [0.0, 1.0], fill=True, zorder=2.0, in_layout=False)
            fill.set(facecolor=style.colour, edgecolor="none", alpha=0.22)
            outline = StepPatch([0.0], [0.0, 1.0], fill=False, zorder=2.6, in_layout=False)
            outline.set(
                edgecolor=style.colour, linestyle=style.stroke.linestyle, linewidth=style.stroke.width
            )
            self._fills.append(self.add(fill, "outcomes"))
            self._outlines.append(self.add(outline, "outcomes"))
        self._name = self.add(
            Text(0, 0.985, fontsize=TICK_SIZE + 0.5, va="top", color=self.palette.ink, zorder=5), "event"
        )
        self._sentence = self.sentence_above()

    def show(self, result: AuditView) -> None:
        run = result.run
        bins = run.bins
        self._scale(result, bins)
        start, end = bins.refusals
        for side, (fill, outline) in enumerate(zip(self._fills, self._outlines, strict=True)):
            heights, edges = 100 * bins.shares[side], bins.edges
            if bins.refused.any():
                heights = np.concatenate([heights, [0.0] * bool(edges.size), [100 * bins.refused[side]]])
                edges = np.concatenate([edges, [start, end]])
            # nothing is drawn where there is nothing: two outlines on the axis would hide each other
            heights = np.where(heights > 0, heights, np.nan)
            for patch in (fill, outline):
                patch.set_data(heights, edges, self.axes.get_ylim()[0])
        self._show_event(result, bins)
        out = float(bins.out.max())
        unit = self._unit(result)
        named = f" ({plain(unit)})" if unit and self._has_powers(bins) else unit_behind(unit)
        hidden = f"\n{share(out)} out of view" if out else ""  # a narrow picture would cut a longer line
        set_x_label(self.axes, f"{plain(result.feature_words(self.unit))}{named}{hidden}")
        unit = self.unit if result.counts else self._unit(result)
        shown = self.is_shown("event")
        self._sentence.set_text(result.event_sentence(unit) * shown, result.bound_sentence * shown)
        self.labels.set_labels([self._label(result, bins, side) for side in range(2)])

    def _scale(self, r: AuditView, bins: AuditBins) -> None:
        edges = bins.edges if bins.edges.size else np.array(bins.refusals)
        low, high = float(edges[0]), float(bins.refusals[1] if bins.refused.any() else edges[-1])
        margin = _MARGIN * (high - low)
        self.axes.set_xlim(low - margin, high + margin)
        texts = {sum(bins.refusals) / 2: "refused"} if bins.refused.any() else {}
        if r.run.event.feature == REFUSES:
            texts = dict(enumerate(("answers", "refuses")))
        values = [value for value in bins.values.tolist() if value not in texts]
        few = values or list(texts) if bins.values.size else []
        outcome_ticks(
            self.axes.xaxis,
            "" if self._has_powers(bins) else self._unit(r),
            float(edges[-1]) if bins.edges.size else low,
            few,
            texts,
            logarithms=self._has_powers(bins),
        )
        highest = 100 * float(max(bins.shares.max(initial=0.0), bins.refused.max()))
        drawn = [100 * float(value) for value in bins.shares[bins.shares > 0]]
        log = self.log_y if self.log_y is not None else max(r.run.shares) < _RARE
        head = min(100.0, (_MIN_LOG_HEAD if log else _HEAD) * highest)
        scale_from_zero(self.axes, [*drawn, head], "%", log)
        if not log and self.axes.get_ylim()[1] > WHOLE:
            self.axes.set_ylim(top=WHOLE)
        set_y_label(self.axes, self.palette, "share of the runs, in each bar")

    @staticmethod
    def _has_powers(bins: AuditBins) -> bool:
        """Tell whether the axis has logarithms: with a unit at each, it would have room for two numbers."""
        return bins.least > 0

    def _unit(self, r: AuditView) -> str:
        """Return the unit of the event's feature: that of the data for a released value, or a distance."""
        return self.unit if r.counts is None and r.run.event.feature in ("the value", *DISTANCES) else ""

    def _show_event(self, r: AuditView, bins: AuditBins) -> None:
        event = r.run.event
        left, right = self.axes.get_xlim()
        threshold = min(max(float(bins.positions(event.threshold)), left), right)
        if bins.values.size:  # between two bars
            above = bins.edges[1:][bins.values <= event.threshold]
            threshold = float(above[-1]) if above.size else left
        start, end = (threshold, right) if event.above else (left, threshold)
        self._region.set(x=start, width=end - start)
        self._edge.set_data([threshold] * 2, self.axes.get_ylim())
        # beside its limit: inside if there is room, else it is pointed at from outside
        wide = end - start >= _WIDE * (right - left)
        on_the_right = event.above == wide
        arrow = "the event →" if event.above else "← the event"
        self._name.set(
            x=threshold, text="the event" if wide else arrow, ha="left" if on_the_right else "right"
        )
        beside = _BESIDE if on_the_right else -_BESIDE
        figure = figure_of(self.axes)
        self._name.set_transform(
            offset_copy(self.axes.get_xaxis_transform(), figure, beside, 0, units="points")
        )

    def _label(self, r: AuditView, bins: AuditBins, side: int) -> Label:
        style, often = self._styles[side], r.run.often == side
        limit = f"at least {share(r.run.p_low)}" if often else f"at most {share(r.run.q_high)}"
        low, high = self.axes.get_ylim()
        return Label(
            self._height(0.72 - 0.3 * side, low, high),
            plain(r.names[side]),
            style.colour,
            extra=share(r.run.shares[side]) if self.is_shown("event") else "",
            note=f"in the event, {limit}" if self.is_shown("event") else "",
            bold=often,
            stroke=style.stroke,
            layer="outcomes",
        )

    def _height(self, part: float, low: float, high: float) -> float:
        """Return what is so far up the axis, in data coordinates."""
        drawn = self.axes.yaxis.get_transform()
        ends = drawn.transform(np.array([low, high]))
        return float(drawn.inverted().transform(np.array([ends[0] + part * (ends[1] - ends[0])]))[0])

    def tooltip_at(self, r: AuditView, x: float, y: float) -> str:
        bins = r.run.bins
        if bins.refused.any() and x >= bins.refusals[0]:
            shares, what = bins.refused, "refused to answer"
        else:
            index = int(np.searchsorted(bins.edges, x, side="right")) - 1
            if not 0 <= index < bins.shares.shape[1]:
                return ""
            shares, what = bins.shares[:, index], self._bin_words(r, bins, index)
        first, second = (f"{share(float(part))} on {r.spoken(side)}" for side, part in enumerate(shares))
        inside = r.run.event.above == bool(x > bins.positions(r.run.event.threshold))
        return f"{what}: {first}, {second}{' (in the event)' if inside else ''}"

    def _bin_words(self, r: AuditView, bins: AuditBins, index: int) -> str:
        unit = self._unit(r)
        if r.run.event.feature == REFUSES:
            return "refuses to answer" if bins.values[index] else "answers"
        if bins.values.size:
            return quantity(float(bins.values[index]), unit, 4)
        low, high = (bins.value(float(edge)) for edge in bins.edges[index : index + 2])
        if bins.least >= low > 0:
            return f"at most {quantity(high, unit, 4)}"
        return f"{number(low, 4)} to {quantity(high, unit, 4)}"

    def alt_text_of(self, r: AuditView) -> str:
        return " ".join([r.verdict.sentence, super().alt_text_of(r), "; ".join(self.labels.texts())])

    def units_of(self, r: AuditView) -> Mapping[str, str]:
        return dict.fromkeys(("from", "to"), self._unit(r))

    def table_of(self, r: AuditView) -> Table:
        bins = r.run.bins
        header = ["from", "to", *(f"share on {name}" for name in r.names)]
        edges = np.array([bins.value(edge) for edge in bins.edges.tolist()])
        rows = np.column_stack([edges[:-1], edges[1:], *bins.shares]).tolist() if bins.edges.size else []
        if bins.refused.any():
            rows.append(["refused", "refused", *bins.refused.tolist()])
        return header, rows


_MAX_TICKS = 8  # ticks on an axis of logarithms
_STEPS = [1, 2, 2.5, 5, 10], [1, 1.5, 3, 4, 6, 10]  # the latter if fewer than three numbers have room
_CLOSE = 0.8  # of the usual room of a label, between a number and a word


def outcome_ticks(
    axis: Axis,
    unit: str,
    last: float,
    values: Sequence[float],
    texts: Mapping[float, str],
    *,
    logarithms: bool = False,
) -> None:
    """Give an axis round numbers up to `last`, or the few values there are, and places with words.

    With `logarithms` what stands on the axis are logarithms to base 10 of the numbers.
    """
    numbers = (_Powers if logarithms else _Numbers)(last, tuple(texts))
    axis.set_major_locator(GivenLocator([*values, *texts]) if values else numbers)
    axis.set_major_formatter(_Named(tick_unit(unit), texts, logarithms=logarithms))


class _Numbers(NiceLocator):
    """Round numbers up to the last one, and further places."""

    def __init__(self, last: float, further: Sequence[float]) -> None:
        super().__init__()
        self._last = last
        self._further = further

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        if self._last <= vmin:
            return list(self._further)
        axis, ticks = axis_of(self), self._numbers(vmin, min(vmax, self._last))
        for position in self._further:
            space = _CLOSE * label_space(axis, [*ticks, position]) * (vmax - vmin) / axis_length(axis)
            ticks = ticks[position - ticks >= space]
        return [*ticks.tolist(), *self._further]

    def _numbers(self, low: float, high: float) -> Floats:
        for steps in _STEPS:
            self.set_params(steps=steps)
            ticks = np.array(super().tick_values(low, high))
            if ticks.size > 2:
                break
        return ticks


class _Powers(_Numbers):
    """Places of round numbers on an axis of their logarithms."""

    def _numbers(self, low: float, high: float) -> Floats:
        axis = axis_of(self)
        most = int(axis_length(axis) / label_space(axis, [low, high]))
        return np.log10(log_ticks(10.0**low, 10.0**high, max(2, min(_MAX_TICKS, most))))


class _Named(TickFormatter):
    """Numbers with a unit, and words at some places."""

    def __init__(self, unit: str, texts: Mapping[float, str], *, logarithms: bool = False) -> None:
        super().__init__(unit, logarithmic=logarithms)
        self._texts = texts

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        numbers = [value for value in values if value not in self._texts]
        if self.logarithmic:
            numbers = [10.0**value for value in numbers]
        texts = iter(super().format_ticks(numbers))
        return [self._texts[value] if value in self._texts else next(texts) for value in values]

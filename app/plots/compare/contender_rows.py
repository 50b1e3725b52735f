"""Pictures that give each contender a row: its run time, the epsilon it needs, and what its audit proves."""

from __future__ import annotations

import abc
import dataclasses
import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.wording.numbers import number, plain, quantity, share, tick_texts, with_unit
from app.plots.base import Picture, Table, set_points, set_x_label
from app.plots.compare.contender_style import contender_style, looks, short_names, spoken_names
from app.plots.compare.view import ComparisonView, audit_text, audits_sentence, symbol, why_unaudited
from app.plots.elements.labels import SIZE, Label, figure_of
from app.plots.elements.scales import TICK_SIZE, TickFormatter, axis_of, linear_ticks, log_axis, logarithmic
from engine.comparison.audited import AuditedContenders
from engine.comparison.compared import Comparison
from engine.comparison.needed import MAX_EPSILON
from engine.comparison.results import ComparedMechanism, NeededEpsilons

_ROWS = 2  # at least there is room
_LONGEST = 56  # letters of a reason in an empty row


class Compared(Protocol):
    """A result with something to draw of each contender."""

    @property
    def contenders(self) -> Sequence[ComparedMechanism]: ...


ViewT = TypeVar("ViewT", bound=Compared)


class ContenderRows(Picture[ViewT]):
    """Rows on rails, the first one highest, words in those that are empty, and a sentence above."""

    has_log_y = False
    good_height = 260
    over: ClassVar[float] = 0.0  # points above the axes that are left free below the sentence
    bar_width: ClassVar[float] = 4.0

    def build(self) -> None:
        rail = self.palette.tint(self.palette.muted, 0.3)
        self._rails = self.line("truth", color=rail, linewidth=1.0, zorder=1.6)
        self._texts: list[Text] = []
        self._rows: list[tuple[Line2D, Line2D]] = []
        self._order: Sequence[int] = ()
        self._limits: tuple[float, float] | None = None
        self._sentence = self.sentence_above(self.over)
        self.axes.yaxis.set_visible(False)

    def show(self, result: ViewT) -> None:
        while len(self._rows) < len(result.contenders):
            bar = self.line("truth", linewidth=self.bar_width, zorder=2.8, solid_capstyle="butt")
            self._rows.append((bar, self.dot("truth", markersize=11, zorder=3.8)))
        for mark in (mark for row in self._rows for mark in row):
            mark.set_data([], [])
        self.clear(self._texts)
        self._order = self._order_of(result)
        self._scale(result)
        names = short_names([one.label for one in result.contenders])
        labels = []
        for row, index in enumerate(self._order):
            (name, rest), why = names[index], self._why_empty(result, index)
            colour = contender_style(looks(result.contenders)[index], self.palette).colour
            label = Label(-row, plain(name), self.palette.muted if why else colour, note=plain(rest))
            if why:
                self._write(why, row)
            else:
                label = self._mark(result, index, label)
            labels.append(label)
        self._name_rows(labels)
        self._sentence.set_text(self._sentence_of(result))

    def _name_rows(self, labels: Sequence[Label]) -> None:
        """Write the names of the rows beside them."""
        self.labels.set_labels(labels)

    def _order_of(self, r: ViewT) -> Sequence[int]:
        """Return the contenders that have rows, from the highest one on."""
        return range(len(r.contenders))

    @abc.abstractmethod
    def _scale(self, r: ViewT) -> None:
        """Choose the limits, and lay the rails."""

    @abc.abstractmethod
    def _why_empty(self, r: ViewT, index: int) -> str:
        """Say why a contender has no mark; "" if it has one."""

    @abc.abstractmethod
    def _mark(self, r: ViewT, index: int, label: Label) -> Label:
        """Draw the marks of a contender at the height and in the colour of its label; return that in full."""

    @abc.abstractmethod
    def _said(self, r: ViewT, index: int) -> str:
        """Say what the row of a contender shows."""

    @abc.abstractmethod
    def _sentence_of(self, r: ViewT) -> str:
        """Say what all rows show."""

    def tooltip_at(self, r: ViewT, x: float, y: float) -> str:
        return self._said(r, self._order[round(-y)]) if 0 <= round(-y) < len(self._order) else ""

    def alt_text_of(self, r: ViewT) -> str:
        rows = [self._said(r, index) for index in range(len(r.contenders))]
        return f"{self._sentence_of(r)} {'; '.join(rows)}."

    def _lay(self, left: float, right: float) -> None:
        """Lay the rails from edge to edge."""
        rows = len(self._order)
        self.axes.set_xlim(left, right)
        self.axes.set_ylim(0.5 - max(rows, _ROWS), 0.5)
        rails = [(x, -float(row)) for row in range(rows) for x in (left, right, np.nan)]
        set_points(self._rails, rails)

    def _write(self, label: str, row: int) -> None:
        reason = re.split(r" \(|;|: | for ", label)[0]  # all of it is in the tooltip
        reason = re.sub(r"\b(epsilon|delta)\b", lambda name: symbol(name[0]), reason)
        short = plain(textwrap.shorten(reason, _LONGEST, placeholder=" …"))
        text = self.text(0.01, -row, short, va="bottom", fontsize=TICK_SIZE + 0.5, clip_on=True)
        data, figure = self.axes.get_yaxis_transform(), figure_of(self.axes)
        text.set(transform=offset_copy(data, figure, 0, 3, units="points"), color=self.palette.muted)
        self._texts.append(text)


_ROOM = 1.2  # of the longest bar, with the time beside it
_CLOSE = 1.25  # times as long: no difference that matters
_CUT = 0.96  # of an axis, where the text of a tick ends behind it
_MAX_NOTED = 6  # rows that have room for a second line
_MEASURED = "median time; whiskers: the middle half"


class ComparisonTime(ContenderRows[ComparisonView]):
    """For each contender the seconds of a release, as bars from zero, the fastest first."""

    title = "Run time"
    bar_width = 13.0

    def build(self) -> None:
        super().build()
        linear_ticks(self.axes.xaxis, "")
        self.axes.yaxis.set_visible(True)
        self.axes.yaxis.grid(False)

    def show(self, result: ComparisonView) -> None:
        self._unit = time_unit(result.comparison)
        self.axes.xaxis.set_major_formatter(DurationFormatter(self._unit))
        super().show(result)
        set_x_label(self.axes, _MEASURED)
        self._rails.set_data([], [])  # bars need none

    def _name_rows(self, labels: Sequence[Label]) -> None:
        """Write the names at the left, where the bars begin."""
        noted = len(labels) <= _MAX_NOTED
        assert self.result is not None
        whole = [plain(self.result.labels[index]) for index in self._order]
        names = [
            label.replace(", ", ",\n", 1) if one.note and noted else one.text
            for one, label in zip(labels, whole, strict=True)
        ]
        self.named = names  # their width decides where the axes begin
        ticks = self.axes.set_yticks([one.y for one in labels], names, fontsize=SIZE, linespacing=1.1)
        for tick, one in zip(ticks, labels, strict=True):
            tick.label1.set_color(self.palette.text(one.colour))

    def _order_of(self, r: ComparisonView) -> Sequence[int]:
        if not r.comparison.complete:  # while runs arrive, nothing moves
            return r.rows
        times = {index: spans.release for index, spans in _spans(r).items()}
        return sorted(r.rows, key=lambda index: times.get(index, math.inf))

    def _scale(self, r: ComparisonView) -> None:
        ends = (max(spans.release, spans.high) for spans in _spans(r).values())
        self._lay(0.0, _ROOM * (max(ends, default=0.0) or 1.0))

    def _why_empty(self, r: ComparisonView, index: int) -> str:
        return "" if index in _spans(r) else r.empty(index)

    def _mark(self, r: ComparisonView, index: int, label: Label) -> Label:
        spans, (bar, whisker), ink = _spans(r)[index], self._rows[index], self.palette.ink
        bar.set(data=([0.0, spans.release], [label.y] * 2), color=label.colour)
        whisker.set(data=([spans.low, spans.high], [label.y] * 2), color=ink, markeredgecolor=ink)
        whisker.set(linestyle="-", linewidth=1.2, marker="|", markersize=8)
        above = offset_copy(self.axes.transData, figure_of(self.axes), 4, 7, units="points")  # the whisker
        time = plain(duration(spans.release, self._unit))
        text = self.text(spans.release, label.y, time, transform=above, color=ink, fontsize=SIZE)
        self._texts.append(text)
        return label

    def _sentence_of(self, r: ComparisonView) -> str:
        spans = _spans(r)
        known = {index: one.release for index, one in spans.items()}
        if not known:
            return "No run has been timed yet."
        names, said = spoken_names(r.labels), {at: duration(one, self._unit) for at, one in known.items()}
        first, *others = sorted(known, key=known.__getitem__)
        if not others:
            return f"{names[first]} takes {said[first]} for a release."
        second, last = others[0], others[-1]
        if known[last] <= _CLOSE * known[first]:
            return f"All of them take about {said[last]} for a release."
        if known[second] <= _CLOSE * known[first] or spans[second].low <= spans[first].high:
            return f"A release takes {said[first]} to {said[last]}; no mechanism is clearly the fastest."
        fastest = f"{names[first]} is the fastest, with {said[first]} for a release"
        if any(spans[one].high >= spans[last].low for one in others[:-1]):
            return f"{fastest}; the others take {said[second]} to {said[last]}."
        return f"{fastest}; {names[last]} is the slowest, with {said[last]}."

    def _said(self, r: ComparisonView, index: int) -> str:
        spans = _spans(r).get(index)
        if spans is None:
            return f"{r.labels[index]}: {r.empty(index)}"
        look, draw, release = (duration(span) for span in spans[:3])
        return (
            f"{r.labels[index]}: {look} to look at the data, {draw} for each draw; a release takes {release}"
        )

    def table_of(self, r: ComparisonView) -> Table:
        seconds = ["seconds to look", "seconds to draw", "seconds per release"]
        header = ["mechanism", "value", "runs", *seconds, "first quartile", "third quartile", "problem"]
        rows = []
        for index, label in enumerate(r.labels):
            outcome, spans = r.outcome(index), _spans(r).get(index, [""] * 5)
            rows.append([label, r.value, outcome.runs if outcome else 0, *spans, r.empty(index)])
        return header, rows


class _Spans(NamedTuple):
    """The seconds of an outcome: medians, and quartiles of those of a release."""

    look: float
    draw: float
    release: float
    low: float
    high: float


def _spans(r: ComparisonView) -> dict[int, _Spans]:
    """Return the seconds of each contender that has any runs, refused or not, at the chosen value."""
    spans = {}
    for index in range(len(r.labels)):
        outcome = r.outcome(index)
        if outcome is not None and outcome.runs:
            look, draw = outcome.preparing, outcome.drawing / outcome.runs
            low, high = (np.quantile(outcome.preparations or 0.0, (0.25, 0.75)) + draw).tolist()
            spans[index] = _Spans(look, draw, outcome.seconds_per_run, low, high)
    return spans


_UNITS = ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_MAX_SECONDS_IN_MINUTES = 2.0  # so long seconds are easier to compare


def duration(seconds: float, unit: tuple[float, str] | None = None) -> str:
    """Write seconds with two digits in a unit, or in that which keeps them short.

    >>> duration(0.00321), duration(0.00015), duration(75), duration(300)
    ('3.2\u202fms', '150\u202fµs', '75\u202fs', '5.0\u202fmin')
    """
    size, name = unit or unit_of(seconds)
    return with_unit(number(seconds / size, 2, strip=False), name)


def unit_of(seconds: float) -> tuple[float, str]:
    """Return the unit that keeps seconds short, and its name."""
    least = {"min": _MAX_SECONDS_IN_MINUTES}
    fitting = (one for one in _UNITS if seconds >= 0.9995 * least.get(one[1], 1.0) * one[0])
    return next(fitting, _UNITS[-1])


def time_unit(comparison: Comparison) -> tuple[float, str]:
    """Return the unit for all run times of a comparison: that of the longest, at most seconds."""
    longest = max((one.seconds_per_run for one in comparison.outcomes if one.runs), default=0.0)
    return unit_of(min(longest, 1.0))


class DurationFormatter(TickFormatter):
    """Ticks of an axis of seconds, in a unit."""

    def __init__(self, unit: tuple[float, str]) -> None:
        super().__init__("")
        self._size, self._name = unit

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        texts = tick_texts([value / self._size for value in values], self._name)
        _, end = axis_of(self).get_view_interval()
        # the figure would cut a text below the right end of the axis
        return [text if value < _CUT * end else "" for text, value in zip(texts, values, strict=True)]


_NEEDED_MARGIN = 0.05


class ComparisonNeeded(ContenderRows[NeededEpsilons]):
    """For each contender the epsilon that is needed, and between which ends the runs leave it."""

    title = "Epsilon that is needed"

    def build(self) -> None:
        super().build()
        log_axis(self.axes.xaxis)
        set_x_label(self.axes, "ε that is needed; whiskers: 99 % confidence interval")

    def _order_of(self, r: NeededEpsilons) -> Sequence[int]:
        """Return the smallest epsilon first; while answers arrive, nothing moves."""
        ends = [math.inf if one is None or one.epsilon is None else one.epsilon for one in r.answers]
        places = range(len(ends))
        return places if None in r.answers else sorted(places, key=ends.__getitem__)

    def _scale(self, r: NeededEpsilons) -> None:
        results = [one for one in r.answers if one is not None and one.epsilon is not None]
        ends = [end for one in results for end in (one.low, one.epsilon or 0.0, one.high)]
        known = [end for end in ends if 0 < end < math.inf] or [0.1, MAX_EPSILON]
        low, high = self._limits = logarithmic(self._limits, min(known), max(known))
        factor = (high / low) ** _NEEDED_MARGIN
        self._lay(low / factor, high * factor)

    def _why_empty(self, r: NeededEpsilons, index: int) -> str:
        answer = r.answers[index]
        if answer is None:
            return "not looked at yet"
        return answer.problem if answer.epsilon is None else ""

    def _mark(self, r: NeededEpsilons, index: int, label: Label) -> Label:
        (bar, dot), answer = self._rows[index], r.answers[index]
        assert answer is not None
        assert answer.epsilon is not None
        ends = [answer.low, min(answer.high, self.axes.get_xlim()[1])]
        bar.set(data=(ends, [label.y] * 2), color=self.palette.ink, linewidth=1.2, marker="|", markersize=11)
        dot.set(data=([answer.epsilon], [label.y]), markerfacecolor=label.colour, markersize=7)
        known, low, high = (number(end, 2) for end in (answer.epsilon, answer.low, answer.high))
        return dataclasses.replace(label, extra=f"ε ≈ {known} ({low} to {high})")

    def _said(self, r: NeededEpsilons, index: int) -> str:
        answer = r.answers[index]
        if answer is None or answer.epsilon is None:
            return f"{r.labels[index]}: {self._why_empty(r, index)}"
        return (
            f"{r.labels[index]}: ε = {number(answer.epsilon)} ({number(answer.low)} to "
            f"{number(answer.high)}); there {share(answer.share_at)} of the runs are within"
        )

    def _sentence_of(self, r: NeededEpsilons) -> str:
        asked = f"an error of at most {quantity(r.within, self.unit)} with probability {share(r.share)}"
        answered = [(index, one) for index, one in enumerate(r.answers) if one is not None]
        known = {index: one.epsilon for index, one in answered if one.epsilon is not None}
        left = len(r.labels) - len(answered)
        begun = f"Preliminary, {len(answered)} of {len(r.labels)} mechanisms: " if left else ""
        if not known:
            return f"{begun}no epsilon was found for {asked}."
        best = min(known, key=known.__getitem__)
        names = [spoken_names(r.labels)[index] for index, one in answered if one.low <= known[best]]
        if len(names) > 1:
            who = f"{', '.join(names[:-1])} and {names[-1]} need about ε = {number(known[best])}"
        else:
            who = f"{names[0]} needs the smallest ε = {number(known[best])}"
        return f"{begun}{who} for {asked}."

    def table_of(self, r: NeededEpsilons) -> Table:
        header = ["mechanism", "epsilon", "at least", "at most", "share within", "remark"]
        rows: list[list[Any]] = []
        for index, label in enumerate(r.labels):
            answer = r.answers[index]
            if answer is None or answer.epsilon is None:
                rows.append([label, "", "", "", "", self._why_empty(r, index)])
            else:
                rows.append([label, answer.epsilon, answer.low, answer.high, answer.share_at, ""])
        return header, rows


_AUDIT_MARGIN, _BEFORE = 1.15, 0.02


class ComparisonAudits(ContenderRows[AuditedContenders]):
    """For each contender the epsilon that its audit proves, up to a line for what all of them promise."""

    title = "Audits of the mechanisms compared"
    over = 12.0  # for the name of the promise
    bar_width = 5.0

    def build(self) -> None:
        super().build()
        self._promise = self.line("global_")
        above = offset_copy(self.axes.get_xaxis_transform(), figure_of(self.axes), 0, 3, units="points")
        self._name = self.text(
            1, 1, transform=above, color=self.palette.muted, fontsize=TICK_SIZE, ha="center"
        )
        linear_ticks(self.axes.xaxis, "")

    def _scale(self, r: AuditedContenders) -> None:
        promised = r.privacy.epsilon
        bounds = [each.audit.epsilon_lower_bound for each in r.audits if each.audit is not None]
        right = _AUDIT_MARGIN * max([promised, *(bound for bound in bounds if np.isfinite(bound))])
        self._lay(-_BEFORE * right, right)
        self._promise.set_data([promised, promised], self.axes.get_ylim())
        self._name.set(x=promised, text=f"promised: {number(promised)}")
        set_x_label(self.axes, plain(f"epsilon is at least this ({share(r.confidence)} confidence)"))

    def _why_empty(self, r: AuditedContenders, index: int) -> str:
        audited = index < len(r.audits) and r.audits[index].audit is not None
        return "" if audited else why_unaudited(r, index)

    def _mark(self, r: AuditedContenders, index: int, label: Label) -> Label:
        (bar, dot), each = self._rows[index], r.audits[index]
        assert each.audit is not None
        bound = min(each.audit.epsilon_lower_bound, self.axes.get_xlim()[1])
        bar.set(data=([0.0, bound], [label.y] * 2), color=self.palette.tint(label.colour, 0.5))
        dot.set(data=([bound], [label.y]), markerfacecolor=label.colour)
        extra = f"ε ≥ {number(each.audit.epsilon_lower_bound)}"
        notes = " · ".join(filter(None, (each.verdict, label.note)))
        return dataclasses.replace(label, extra=extra, note=notes, bold=each.audit.violated)

    def _said(self, r: AuditedContenders, index: int) -> str:
        return audit_text(r, index)

    def _sentence_of(self, r: AuditedContenders) -> str:
        return audits_sentence(r)

    def table_of(self, r: AuditedContenders) -> Table:
        header = ["mechanism", "epsilon at least", "promised", "verdict", "worst pair", "pairs", "remark"]
        rows: list[list[Any]] = []
        for index, contender in enumerate(r.contenders):
            result = r.audits[index] if index < len(r.audits) else None
            if result is None or result.audit is None:
                rows.append([contender.label, "", r.privacy.epsilon, "", "", "", why_unaudited(r, index)])
                continue
            bound, facts = result.audit.epsilon_lower_bound, (result.verdict, result.pair, result.pairs, "")
            rows.append([contender.label, bound, r.privacy.epsilon, *facts])
        return header, rows

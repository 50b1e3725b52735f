"""Pictures that give each contender a row: its run time, the epsilon it needs, and what its audit proves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.wording.numbers import number, plain, quantity, share, tick_texts, with_unit
from app.plots.base import Picture, Table, set_points, set_x_label
from app.plots.compare.contender_style import contender_style, looks, short_names, spoken_names
from app.plots.compare.view import ComparisonView, audit_text, audits_sentence, why_unaudited
from app.plots.elements.labels import SIZE, Label, figure_of
from app.plots.elements.scales import TICK_SIZE, TickFormatter, linear_ticks, log_axis, logarithmic
from app.plots.elements.sentence import Sentence
from engine.comparison.audited import AuditedContenders
from engine.comparison.needed import MAX_EPSILON
from engine.comparison.results import NeededEpsilons, Outcome

_ROWS = 2  # at least there is room
ViewT = TypeVar("ViewT")


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
        self._limits: tuple[float, float] | None = None
        self._sentence = self.add(Sentence(self.axes, self.palette, over=self.over))
        self.axes.yaxis.set_visible(False)

    def _new_row(self) -> tuple[Line2D, Line2D]:
        bar = self.line("truth", linewidth=self.bar_width, zorder=2.8, solid_capstyle="butt")
        return bar, self.dot("truth", markersize=11, zorder=3.8)

    def _empty_rows(self, count: int) -> None:
        """Let there be marks for so many contenders, and show none of them."""
        while len(self._rows) < count:
            self._rows.append(self._new_row())
        for row in self._rows:
            for mark in row:
                mark.set_data([], [])

    def _lay(self, rows: int, low: float, high: float, margin: float) -> None:
        """Lay so many rails from `low` to `high`, with some air at both ends, and take all words away."""
        self._limits = logarithmic(self._limits, low, high)
        factor = (self._limits[1] / self._limits[0]) ** margin
        self._lay_between(rows, self._limits[0] / factor, self._limits[1] * factor)

    def _lay_between(self, rows: int, left: float, right: float) -> None:
        """Lay so many rails from edge to edge, and take all words away."""
        self.clear(self._texts)
        self.axes.set_xlim(left, right)
        self.axes.set_ylim(0.5 - max(rows, _ROWS), 0.5)
        rails = [(x, -float(row)) for row in range(rows) for x in (left, right, np.nan)]
        set_points(self._rails, rails)

    def _write(self, label: str, row: int) -> None:
        text = self.text(0.01, -row, plain(label), va="bottom", fontsize=TICK_SIZE + 0.5, clip_on=True)
        data, figure = self.axes.get_yaxis_transform(), figure_of(self.axes)
        text.set(transform=offset_copy(data, figure, 0, 3, units="points"), color=self.palette.muted)
        self._texts.append(text)


_SHORTEST = 1e-8  # seconds: what took less than any clock tells is drawn there
_TIME_MARGIN = 0.12
_LOG_PAYS = 40.0  # ratio of the longest to the shortest time from which bars would hide differences
_ROOM = 1.2  # of the longest bar, with the time beside it
_CLOSE = 1.25  # times as long: no difference that matters


class ComparisonTime(ContenderRows[ComparisonView]):
    """For each contender the seconds of a release: bars from zero, or dots where times differ too much."""

    title = "Run time"
    bar_width = 13.0

    def show(self, result: ComparisonView) -> None:
        self._empty_rows(len(result.labels))
        self._sorted = self._sort(result)
        log = self._scale(result)
        for index in self._sorted:
            self._show_row(result, index)
        scale = " (logarithmic axis)" if log else ""
        set_x_label(self.axes, f"time of one release{scale}{plain(result.left_out(result.rows))}")
        self.labels.set_labels([self._label(result, index) for index in self._sorted])
        self._sentence.set_text(self._fastest(result))

    def _sort(self, r: ComparisonView) -> list[int]:
        """Return the contenders of the rows, the fastest first; while runs arrive, they keep their order."""
        times = {index: getattr(_timed_outcome(r, index), "seconds_per_run", math.inf) for index in r.rows}
        return sorted(r.rows, key=times.__getitem__) if r.comparison.complete else r.rows

    def _show_row(self, r: ComparisonView, index: int) -> None:
        (bar, dot), outcome, y = self._rows[index], _timed_outcome(r, index), -self._sorted.index(index)
        if outcome is None:
            self._write(r.empty(index), -y)
            return
        colour, seconds = r.style(index, self.palette).colour, max(outcome.seconds_per_run, _SHORTEST)
        if self.axes.get_xscale() == "linear":
            bar.set(data=([0.0, seconds], [y, y]), color=colour)
        else:
            dot.set(data=([seconds], [y]), markerfacecolor=colour)
        beside = offset_copy(self.axes.transData, figure_of(self.axes), 9, 0, units="points")
        text = self.text(seconds, y, plain(duration(seconds)), va="center_baseline", transform=beside)
        back = {"facecolor": self.palette.card, "edgecolor": "none", "pad": 1.5}
        text.set(color=self.palette.ink, fontsize=SIZE, bbox=back)
        self._texts.append(text)

    def _scale(self, r: ComparisonView) -> bool:
        """Lay the rails along an axis from zero, or along a logarithmic one; return whether it is one."""
        outcomes = [outcome for index in r.rows if (outcome := _timed_outcome(r, index))]
        known = [max(outcome.seconds_per_run, _SHORTEST) for outcome in outcomes] or [1e-3]
        log = max(known) > _LOG_PAYS * min(known)
        if log:
            log_axis(self.axes.xaxis)
            self._lay(len(r.rows), min(known), max(known), _TIME_MARGIN)
        else:
            self.axes.set_xscale("linear")
            linear_ticks(self.axes.xaxis, "")
            self._lay_between(len(r.rows), 0.0, _ROOM * max(known))
            self._rails.set_data([], [])  # bars need none
        self.axes.xaxis.set_major_formatter(DurationFormatter(logarithmic=log))
        return log

    def _label(self, r: ComparisonView, index: int) -> Label:
        name, rest = short_names(r.labels)[index]
        colour = r.style(index, self.palette).colour if _timed_outcome(r, index) else self.palette.muted
        return Label(-self._sorted.index(index), plain(name), colour, note=plain(rest))

    def _fastest(self, r: ComparisonView) -> str:
        known = {p: match.seconds_per_run for p in range(len(r.labels)) if (match := _timed_outcome(r, p))}
        if not known:
            return "No run has been timed yet."
        names = spoken_names(r.labels)
        order = sorted(known, key=known.__getitem__)
        first, last = order[0], order[-1]
        if len(order) == 1:
            return f"{names[first]} takes {duration(known[first])} for a release."
        if known[last] <= _CLOSE * known[first]:
            return f"All of them take about {duration(known[last])} for a release."
        if not self._is_fastest(r, first, order[1:]):  # each was prepared once for a value: times vary
            span = f"{duration(known[first])} to {duration(known[last])}"
            return f"A release takes {span}; which is the fastest differs from value to value."
        slower = f"{names[last]} takes {duration(known[last])}"
        return f"{names[first]} is the fastest, with {duration(known[first])} for a release; {slower}."

    def _is_fastest(self, r: ComparisonView, first: int, others: Sequence[int]) -> bool:
        """Return whether a contender is clearly faster than the others at each value of the sweep."""
        mine = {one.trial.position: one.seconds_per_run for one in r.along(first)}
        return all(
            one.seconds_per_run > _CLOSE * mine.get(one.trial.position, 0.0)
            for other in others
            for one in r.along(other)
        )

    def tooltip_at(self, r: ComparisonView, x: float, y: float) -> str:
        return self._spent(r, self._sorted[round(-y)]) if 0 <= round(-y) < len(self._sorted) else ""

    def _spent(self, r: ComparisonView, index: int) -> str:
        outcome = _timed_outcome(r, index)
        if outcome is None:
            return f"{r.labels[index]}: {r.empty(index)}"
        look, draw, release = (duration(span) for span in _spans(outcome))
        return (
            f"{r.labels[index]}: {look} to look at the data, {draw} for each draw; a release takes {release}"
        )

    def alt_text_of(self, r: ComparisonView) -> str:
        rows = [self._spent(r, index) for index in range(len(r.labels))]
        return f"{self._fastest(r)} {'; '.join(rows)}."

    def table_of(self, r: ComparisonView) -> Table:
        header = ["mechanism", "value", "runs", "seconds to look", "seconds to draw", "seconds per release"]
        rows = []
        for index, label in enumerate(r.labels):
            outcome = _timed_outcome(r, index)
            spans = ["", "", ""] if outcome is None else list(_spans(outcome))
            rows.append([label, r.value, outcome.runs if outcome else 0, *spans, r.empty(index)])
        return [*header, "problem"], rows


def _timed_outcome(r: ComparisonView, index: int) -> Outcome | None:
    """Return the outcome of a contender at the chosen value if it has any runs, refused or not."""
    outcome = r.outcome(index)
    return outcome if outcome is not None and outcome.runs else None


def _spans(outcome: Outcome) -> tuple[float, float, float]:
    """Return the seconds of looking at the data, of one draw, and of a release."""
    return outcome.preparing, outcome.drawing / outcome.runs, outcome.seconds_per_run


_UNITS = ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_MAX_SECONDS_IN_MINUTES = 2.0  # so long seconds are easier to compare


def duration(seconds: float, digits: int = 2) -> str:
    """Write seconds in the unit that keeps them short.

    >>> duration(0.0032), duration(0.00015), duration(75), duration(300)
    ('3.2\u202fms', '150\u202fµs', '75\u202fs', '5\u202fmin')
    """
    size, unit = _unit_of(seconds)
    return with_unit(number(seconds / size, digits), unit)


def _unit_of(seconds: float) -> tuple[float, str]:
    """Return the unit that keeps seconds short, and its name."""
    least = {"min": _MAX_SECONDS_IN_MINUTES}
    fitting = (one for one in _UNITS if seconds >= 0.9995 * least.get(one[1], 1.0) * one[0])
    return next(fitting, _UNITS[-1])


class DurationFormatter(TickFormatter):
    """Ticks of an axis of seconds."""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        if self.logarithmic:
            return [plain(duration(float(value))) for value in values]
        size, unit = _unit_of(max(values, default=0.0))
        return tick_texts([value / size for value in values], unit)

    def __call__(self, x: float, pos: int | None = None) -> str:
        return plain(duration(x))


_NEEDED_MARGIN = 0.05


class ComparisonNeeded(ContenderRows[NeededEpsilons]):
    """For each contender the epsilon that is needed, and between which ends the runs leave it."""

    title = "Epsilon that is needed"

    def build(self) -> None:
        super().build()
        log_axis(self.axes.xaxis)
        set_x_label(self.axes, "epsilon that is needed; bar: what the runs leave open (99 % confidence)")

    def show(self, result: NeededEpsilons) -> None:
        self._empty_rows(len(result.labels))
        self._scale(result)
        right = self.axes.get_xlim()[1]
        for index in range(len(result.labels)):
            self._show_row(result, index, right)
        self.labels.set_labels([self._label(result, index) for index in range(len(result.labels))])
        self._sentence.set_text(needed_sentence(result, self.unit))

    def _show_row(self, r: NeededEpsilons, index: int, right: float) -> None:
        (bar, dot), answer = self._rows[index], r.answers[index]
        if answer is None or answer.epsilon is None:
            self._write(_why_unknown(r, index), index)
            return
        colour = contender_style(looks(r.contenders)[index], self.palette).colour
        ends = [answer.low, min(answer.high, right)]
        bar.set(data=(ends, [-index, -index]), color=self.palette.tint(colour, 0.5))
        dot.set(data=([answer.epsilon], [-index]), markerfacecolor=colour)

    def _scale(self, r: NeededEpsilons) -> None:
        results = [one for one in r.answers if one is not None and one.epsilon is not None]
        ends = [end for one in results for end in (one.low, one.epsilon or 0.0, one.high)]
        known = [end for end in ends if 0 < end < math.inf] or [0.1, MAX_EPSILON]
        self._lay(len(r.labels), min(known), max(known), _NEEDED_MARGIN)

    def _label(self, r: NeededEpsilons, index: int) -> Label:
        name, rest = short_names(r.labels)[index]
        answer = r.answers[index]
        if answer is None or answer.epsilon is None:
            return Label(-index, plain(name), self.palette.muted, note=plain(rest))
        colour = contender_style(looks(r.contenders)[index], self.palette).colour
        return Label(-index, plain(name), colour, extra=f"ε = {number(answer.epsilon)}", note=plain(rest))

    def tooltip_at(self, r: NeededEpsilons, x: float, y: float) -> str:
        if not 0 <= round(-y) < len(r.labels):
            return ""
        index = round(-y)
        answer = r.answers[index]
        if answer is None or answer.epsilon is None:
            return f"{r.labels[index]}: {_why_unknown(r, index)}"
        return (
            f"{r.labels[index]}: ε = {number(answer.epsilon)} ({number(answer.low)} to "
            f"{number(answer.high)}); there {share(answer.share_at)} of the runs are within"
        )

    def alt_text_of(self, r: NeededEpsilons) -> str:
        rows = [self.tooltip(1.0, -float(index)) for index in range(len(r.labels))]
        return f"{needed_sentence(r, self.unit)} {'; '.join(rows)}."

    def table_of(self, r: NeededEpsilons) -> Table:
        header = ["mechanism", "epsilon", "at least", "at most", "share within", "remark"]
        rows: list[list[Any]] = []
        for index, label in enumerate(r.labels):
            answer = r.answers[index]
            if answer is None or answer.epsilon is None:
                rows.append([label, "", "", "", "", _why_unknown(r, index)])
            else:
                rows.append([label, answer.epsilon, answer.low, answer.high, answer.share_at, ""])
        return header, rows


def needed_sentence(view: NeededEpsilons, unit: str = "") -> str:
    asked = f"an error of at most {quantity(view.within, unit)} with probability {share(view.share)}"
    names = spoken_names(view.labels)
    answered = [(index, one) for index, one in enumerate(view.answers) if one is not None]
    known = {index: one.epsilon for index, one in answered if one.epsilon is not None}
    left = len(view.labels) - len(answered)
    begun = f"Preliminary, {len(answered)} of {len(view.labels)} mechanisms: " if left else ""
    if not known:
        return f"{begun}no epsilon was found for {asked}."
    best = min(known, key=known.__getitem__)
    return f"{begun}{names[best]} needs the smallest epsilon for {asked}: {number(known[best])}."


def _why_unknown(view: NeededEpsilons, index: int) -> str:
    """Say why a contender has no mark; "" if it has one."""
    answer = view.answers[index]
    if answer is None:
        return "not looked at yet"
    return answer.problem if answer.epsilon is None else ""


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

    def show(self, result: AuditedContenders) -> None:
        self._empty_rows(len(result.contenders))
        promised = result.privacy.epsilon
        bounds = [each.audit.epsilon_lower_bound for each in result.audits if each.audit is not None]
        right = _AUDIT_MARGIN * max([promised, *(bound for bound in bounds if np.isfinite(bound))])
        self._lay_between(len(result.contenders), -_BEFORE * right, right)
        self._promise.set_data([promised, promised], self.axes.get_ylim())
        self._name.set(x=promised, text=f"promised: {number(promised)}")
        for index in range(len(result.contenders)):
            self._show_row(result, index, right)
        confidence = share(result.confidence)
        set_x_label(self.axes, plain(f"epsilon is at least this ({confidence} confidence)"))
        self.labels.set_labels([self._label(result, index) for index in range(len(result.contenders))])
        self._sentence.set_text(audits_sentence(result))

    def _show_row(self, r: AuditedContenders, index: int, right: float) -> None:
        bar, dot = self._rows[index]
        audit = r.audits[index].audit if index < len(r.audits) else None
        if audit is None:
            self._write(why_unaudited(r, index), index)
            return
        colour = contender_style(looks(r.contenders)[index], self.palette).colour
        bound = min(audit.epsilon_lower_bound, right)
        bar.set(data=([0.0, bound], [-index, -index]), color=self.palette.tint(colour, 0.5))
        dot.set(data=([bound], [-index]), markerfacecolor=colour)

    def _label(self, r: AuditedContenders, index: int) -> Label:
        name, rest = short_names([one.label for one in r.contenders])[index]
        match = r.audits[index] if index < len(r.audits) else None
        if match is None or match.audit is None:
            return Label(-index, plain(name), self.palette.muted, note=plain(rest))
        colour = contender_style(looks(r.contenders)[index], self.palette).colour
        bound = f"ε ≥ {number(match.audit.epsilon_lower_bound)}"
        notes = " · ".join(filter(None, (match.verdict, rest)))
        return Label(-index, plain(name), colour, extra=bound, note=plain(notes), bold=match.audit.violated)

    def tooltip_at(self, r: AuditedContenders, x: float, y: float) -> str:
        index = round(-y)
        return audit_text(r, index) if 0 <= index < len(r.contenders) else ""

    def alt_text_of(self, r: AuditedContenders) -> str:
        return (
            f"{audits_sentence(r)} {'; '.join(audit_text(r, index) for index in range(len(r.contenders)))}."
        )

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

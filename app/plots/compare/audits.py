"""What the epsilon of each contender is at least, beside what it promises."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain, share
from app.plots.base import Table, set_x_label
from app.plots.compare.contender_rows import ContenderRows
from app.plots.compare.contender_style import contender_style, looks, short_names, spoken_names
from app.plots.elements.artists import figure_of
from app.plots.elements.labels import Label
from app.plots.elements.scales import TICK_SIZE, linear_ticks
from engine.comparison.audited import AuditedContenders

_AIR, _BEFORE = 1.15, 0.02
_WAITING = "not audited"


class ComparisonAudits(ContenderRows[AuditedContenders]):
    """For each contender the epsilon that its audit proves, up to a line for what all of them promise."""

    title = "Audits of the mechanisms compared"
    over = 12.0  # for the name of the promise

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._rows: list[tuple[Any, Any]] = []
        self._promise = self.line("global_")
        above = offset_copy(axes.get_xaxis_transform(), figure_of(axes), 0, 3, units="points")
        self._name = self.text(1, 1, transform=above, color=palette.muted, fontsize=TICK_SIZE, ha="center")
        linear_ticks(axes.xaxis, "")

    def show(self, result: AuditedContenders) -> None:
        while len(self._rows) < len(result.contenders):
            bar = self.line("truth", linewidth=5.0, zorder=2.8, solid_capstyle="butt")
            self._rows.append((bar, self.dot("truth", markersize=11, zorder=3.8)))
        promised = result.privacy.epsilon
        bounds = [each.audit.epsilon_lower_bound for each in result.audits if each.audit is not None]
        right = _AIR * max([promised, *(bound for bound in bounds if np.isfinite(bound))])
        self._lay_between(len(result.contenders), -_BEFORE * right, right)
        self._promise.set_data([promised, promised], self.axes.get_ylim())
        self._name.set(x=promised, text=f"promised: {number(promised)}")
        for index in range(len(self._rows)):
            self._show_row(result, index, right)
        confidence = share(result.confidence)
        set_x_label(self.axes, plain(f"epsilon is at least this ({confidence} confidence)"))
        self.labels.set_labels([self._label(result, index) for index in range(len(result.contenders))])
        self._sentence.set_text(sentence(result))

    def _show_row(self, r: AuditedContenders, index: int, right: float) -> None:
        bar, dot = self._rows[index]
        for mark in (bar, dot):
            mark.set_data([], [])
        if index >= len(r.contenders):
            return
        audit = r.audits[index].audit if index < len(r.audits) else None
        if audit is None:
            self._write(_empty(r, index), index)
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
        return words(r, index) if 0 <= index < len(r.contenders) else ""

    def alt_text_of(self, r: AuditedContenders) -> str:
        return f"{sentence(r)} {'; '.join(words(r, index) for index in range(len(r.contenders)))}."

    def table_of(self, r: AuditedContenders) -> Table:
        header = ["mechanism", "epsilon at least", "promised", "verdict", "worst pair", "pairs", "remark"]
        rows: list[list[Any]] = []
        for index, contender in enumerate(r.contenders):
            result = r.audits[index] if index < len(r.audits) else None
            if result is None or result.audit is None:
                rows.append([contender.label, "", r.privacy.epsilon, "", "", "", _empty(r, index)])
                continue
            bound, facts = result.audit.epsilon_lower_bound, (result.verdict, result.pair, result.pairs, "")
            rows.append([contender.label, bound, r.privacy.epsilon, *facts])
        return header, rows


def sentence(r: AuditedContenders) -> str:
    """Say whose promise is refuted."""
    names = spoken_names([one.label for one in r.contenders])
    promised = f"ε = {number(r.privacy.epsilon)}"
    if r.violated:
        who = ", ".join(names[index] for index in r.violated)
        return f"Refuted: {who} {'does' if len(r.violated) == 1 else 'do'} not keep {promised}."
    if not any(each.audit for each in r.audits):
        return "Nothing was audited."
    return f"All that were audited are consistent with {promised}, which proves nothing."


def words(r: AuditedContenders, index: int) -> str:
    """Say what was found of one contender."""
    label, result = r.contenders[index].label, r.audits[index] if index < len(r.audits) else None
    if result is None or result.audit is None:
        return f"{label}: {_empty(r, index)}"
    bound = f"ε is at least {number(result.audit.epsilon_lower_bound)}"
    pairs = f"the worst of {result.pairs} pairs: {result.pair}" if result.pairs > 1 else result.pair
    return f"{label}: {result.verdict}, {bound} ({pairs})"


def _empty(r: AuditedContenders, index: int) -> str:
    """Say why a contender has no mark."""
    return r.audits[index].problem if index < len(r.audits) else _WAITING

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
        for place in range(len(self._rows)):
            self._show_row(result, place, right)
        confidence = share(result.confidence)
        set_x_label(self.axes, plain(f"epsilon is at least this ({confidence} confidence)"))
        self.labels.set_labels([self._label(result, place) for place in range(len(result.contenders))])
        self._sentence.set_text(sentence(result))

    def _show_row(self, r: AuditedContenders, place: int, right: float) -> None:
        bar, dot = self._rows[place]
        for mark in (bar, dot):
            mark.set_data([], [])
        if place >= len(r.contenders):
            return
        audit = r.audits[place].audit if place < len(r.audits) else None
        if audit is None:
            self._write(_empty(r, place), place)
            return
        colour = contender_style(looks(r.contenders)[place], self.palette).colour
        bound = min(audit.epsilon_lower_bound, right)
        bar.set(data=([0.0, bound], [-place, -place]), color=self.palette.tint(colour, 0.5))
        dot.set(data=([bound], [-place]), markerfacecolor=colour)

    def _label(self, r: AuditedContenders, place: int) -> Label:
        name, rest = short_names([one.label for one in r.contenders])[place]
        found = r.audits[place] if place < len(r.audits) else None
        if found is None or found.audit is None:
            return Label(-place, plain(name), self.palette.muted, note=plain(rest))
        colour = contender_style(looks(r.contenders)[place], self.palette).colour
        bound = f"ε ≥ {number(found.audit.epsilon_lower_bound)}"
        notes = " · ".join(filter(None, (found.verdict, rest)))
        return Label(-place, plain(name), colour, extra=bound, note=plain(notes), bold=found.audit.violated)

    def tooltip_at(self, r: AuditedContenders, x: float, y: float) -> str:
        place = round(-y)
        return words(r, place) if 0 <= place < len(r.contenders) else ""

    def alt_text_of(self, r: AuditedContenders) -> str:
        return f"{sentence(r)} {'; '.join(words(r, place) for place in range(len(r.contenders)))}."

    def table_of(self, r: AuditedContenders) -> Table:
        header = ["mechanism", "epsilon at least", "promised", "verdict", "worst pair", "pairs", "remark"]
        rows: list[list[Any]] = []
        for place, contender in enumerate(r.contenders):
            found = r.audits[place] if place < len(r.audits) else None
            if found is None or found.audit is None:
                rows.append([contender.label, "", r.privacy.epsilon, "", "", "", _empty(r, place)])
                continue
            bound, facts = found.audit.epsilon_lower_bound, (found.verdict, found.pair, found.pairs, "")
            rows.append([contender.label, bound, r.privacy.epsilon, *facts])
        return header, rows


def sentence(r: AuditedContenders) -> str:
    """Say whose promise is refuted."""
    names = spoken_names([one.label for one in r.contenders])
    promised = f"ε = {number(r.privacy.epsilon)}"
    if r.violated:
        who = ", ".join(names[place] for place in r.violated)
        return f"Refuted: {who} {'does' if len(r.violated) == 1 else 'do'} not keep {promised}."
    if not any(each.audit for each in r.audits):
        return "Nothing was audited."
    return f"All that were audited are consistent with {promised}, which proves nothing."


def words(r: AuditedContenders, place: int) -> str:
    """Say what was found of one contender."""
    label, found = r.contenders[place].label, r.audits[place] if place < len(r.audits) else None
    if found is None or found.audit is None:
        return f"{label}: {_empty(r, place)}"
    bound = f"ε is at least {number(found.audit.epsilon_lower_bound)}"
    pairs = f"the worst of {found.pairs} pairs: {found.pair}" if found.pairs > 1 else found.pair
    return f"{label}: {found.verdict}, {bound} ({pairs})"


def _empty(r: AuditedContenders, place: int) -> str:
    """Say why a contender has no mark."""
    return r.audits[place].problem if place < len(r.audits) else _WAITING

"""The budget spent over the releases: three ways to add up what they cost, and the limit."""

from __future__ import annotations

import numpy as np

from app.model.budget import BudgetCurves
from app.model.theme import STROKES
from app.model.wording.numbers import number
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import from_zero, linear_ticks, scale_from_zero

_MAX_DOTS = 30  # more releases have no dots

NAMES = {"basic": "basic", "advanced": "advanced", "zcdp": "zCDP"}
"""The name of each composition beside its line."""


class BudgetSpent(Picture[BudgetCurves]):
    """Epsilon against the number of releases; the composition that counts is the thick line."""

    title = "Budget spent"
    x_ticks_vary = False
    good_height = 150

    def build(self) -> None:
        self._limit = self.line("error", linewidth=1.6, linestyle=(0, (5.0, 2.2)))
        self._lines = {
            "basic": self.line("truth", drawstyle="steps-post", markersize=4),
            "advanced": self.line("local", drawstyle="steps-post", markersize=4),
            "zcdp": self.line("smooth", drawstyle="steps-post", markersize=4),
        }
        self._end = self.dot("accent", clip_on=False)
        self.axes.set_xlim(0, 1)
        linear_ticks(self.axes.xaxis, "", integer=True)
        set_y_label(self.axes, self.palette, "ε, what the releases up to here cost together")
        set_x_label(self.axes, "releases, in the order in which they were made")

    def show(self, result: BudgetCurves) -> None:
        last = int(result.releases[-1])
        self.axes.set_xlim(
            from_zero(self.axes.get_xlim(), max(last, 1)) if last > _MAX_DOTS else (0, max(last, 1))
        )
        known = [value for values in result.spent.values() for value in values[1:]]
        scale_from_zero(self.axes, [*known, result.limit or 0.0], "", self.log_y or False)
        limit = np.nan if result.limit is None else result.limit
        self._limit.set_data(self.axes.get_xlim(), [limit] * 2)
        for name, line in self._lines.items():
            used = name == result.used
            is_shown = name in result.spent
            line.set_data(result.releases if is_shown else [], result.spent[name] if is_shown else [])
            line.set(
                marker="o" if last <= _MAX_DOTS and used else "",
                linewidth=STROKES["smooth"].width if used else 1.5,
                zorder=3 if used else 2.5,
            )
        end = float(result.spent[result.used][-1])
        self._end.set_data([last] if np.isfinite(end) else [], [end] if np.isfinite(end) else [])
        self._end.set_color(self._lines[result.used].get_color())
        self.labels.set_labels(self._labels(result))

    def _labels(self, result: BudgetCurves) -> list[Label]:
        labels = [
            Label(
                float(result.spent[name][-1]),
                f"{NAMES[name]}  {number(float(result.spent[name][-1]))}",
                str(line.get_color()),
                note="counts" if name == result.used else "",
                bold=name == result.used,
            )
            for name, line in self._lines.items()
            if name in result.spent
        ]
        if result.limit is not None:
            labels.append(Label(result.limit, f"limit  {number(result.limit)}", self.palette.error))
        return labels

    def tooltip_at(self, r: BudgetCurves, x: float, y: float) -> str:
        if not 0 <= x <= r.releases[-1]:
            return ""
        index = int(np.searchsorted(r.releases, x, side="right")) - 1
        made = int(r.releases[index])
        parts = [f"{name} ε = {number(float(r.spent[key][index]))}" for key, name in _compositions(r).items()]
        return f"{number(made)} release{'s' * (made != 1)}: {', '.join(parts)}"

    def alt_text_of(self, r: BudgetCurves) -> str:
        limit = "" if r.limit is None else f"; the limit is ε = {number(r.limit)}"
        return f"{self.tooltip(float(r.releases[-1]))}{limit}."

    def table_of(self, r: BudgetCurves) -> Table:
        shown = _compositions(r)
        header = ["releases", *(f"epsilon, {name}" for name in shown.values()), "limit"]
        limit = "" if r.limit is None else r.limit
        columns = np.column_stack([r.spent[name] for name in shown]).tolist()
        return header, [
            [made, *("" if np.isnan(value) else value for value in row), limit]
            for made, row in zip(r.releases.tolist(), columns, strict=True)
        ]


def _compositions(result: BudgetCurves) -> dict[str, str]:
    return {key: name for key, name in NAMES.items() if key in result.spent}

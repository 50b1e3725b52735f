"""The budget spent over the releases: three ways to add up what they cost, and the limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from app.model.budget_curves import BudgetCurves
from app.model.wording.numbers import number
from app.plots.base import Picture, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import from_zero, linear_ticks, scale_from_zero
from app.theme import LIGHT, STROKES, Palette

_FEW = 30  # releases, each of which has a dot

NAMES = {"basic": "basic", "advanced": "advanced", "zcdp": "zCDP"}
"""What each composition is called beside its line."""


class BudgetSpent(Picture[BudgetCurves]):
    """Epsilon against the number of releases; the composition that counts is the thick line."""

    title = "Budget spent"
    x_ticks_vary = False
    good_height = 150

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._limit = self.line("error", linewidth=1.6, linestyle=(0, (5.0, 2.2)))
        self._lines = {
            "basic": self.line("truth", drawstyle="steps-post", markersize=4),
            "advanced": self.line("local", drawstyle="steps-post", markersize=4),
            "zcdp": self.line("smooth", drawstyle="steps-post", markersize=4),
        }
        self._end = self.dot("accent", clip_on=False)
        axes.set_xlim(0, 1)
        linear_ticks(axes.xaxis, "", integer=True)
        set_y_label(axes, palette, "ε, what the releases up to here cost together")
        set_x_label(axes, "releases, in the order in which they were made")

    def show(self, result: BudgetCurves) -> None:
        """Set the curves to what was spent."""
        last = int(result.releases[-1])
        self.axes.set_xlim(
            from_zero(self.axes.get_xlim(), max(last, 1)) if last > _FEW else (0, max(last, 1))
        )
        known = [value for values in result.spent.values() for value in values[1:]]
        scale_from_zero(self.axes, [*known, result.limit or 0.0], "", self.log_y or False)
        self._limit.set_data([] if result.limit is None else self.axes.get_xlim(), self._limits(result))
        for name, line in self._lines.items():
            used = name == result.used
            line.set_data(result.releases, result.spent[name])
            line.set(
                marker="o" if last <= _FEW and used else "",
                linewidth=STROKES["smooth"].width if used else 1.5,
                zorder=3 if used else 2.5,
            )
        end = float(result.spent[result.used][-1])
        self._end.set_data([last] if np.isfinite(end) else [], [end] if np.isfinite(end) else [])
        self._end.set_color(self._lines[result.used].get_color())
        self.labels.set_labels(self._labels(result))

    def _limits(self, result: BudgetCurves) -> list[float]:
        return [] if result.limit is None else [result.limit] * 2

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
        ]
        if result.limit is not None:
            labels.append(Label(result.limit, f"limit  {number(result.limit)}", self.palette.error))
        return labels

    def tooltip(self, x: float, y: float | None = None) -> str:
        """Say what the releases up to a point cost together."""
        if self.result is None or not 0 <= x <= self.result.releases[-1]:
            return ""
        place = int(np.searchsorted(self.result.releases, x, side="right")) - 1
        made = int(self.result.releases[place])
        parts = [f"{NAMES[name]} ε = {number(float(values[place]))}" for name, values in self._spent()]
        return f"{number(made)} release{'s' * (made != 1)}: {', '.join(parts)}"

    def alt_text(self) -> str:
        """Say what all releases cost together, and what the limit is."""
        if self.result is None:
            return ""
        limit = "" if self.result.limit is None else f"; the limit is ε = {number(self.result.limit)}"
        return f"{self.tooltip(float(self.result.releases[-1]))}{limit}."

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return what was spent after each of the releases drawn."""
        header = ["releases", *(f"epsilon, {NAMES[name]}" for name in self._lines), "limit"]
        if self.result is None:
            return header, []
        limit = "" if self.result.limit is None else self.result.limit
        columns = np.column_stack([values for _, values in self._spent()]).tolist()
        return header, [
            [made, *("" if np.isnan(value) else value for value in row), limit]
            for made, row in zip(self.result.releases.tolist(), columns, strict=True)
        ]

    def _spent(self) -> list[tuple[str, NDArray[np.float64]]]:
        assert self.result is not None
        return [(name, self.result.spent[name]) for name in self._lines]

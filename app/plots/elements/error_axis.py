"""A logarithmic axis of errors with places of their own for no error at all and for refusals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from app.plots.elements.scales import (
    AnyAxis,
    LogLocator,
    TickFormatter,
    axis_length,
    axis_of,
    label_space,
    log_ticks,
    logarithmic,
    tick_unit,
)
from engine.array_types import Floats

_DEEPEST = 1e-7  # of the largest: smaller errors stand at the edge
_MARGIN = 0.04  # of the logarithm of the limits, keeps the outermost marks off the edges
_END = 0.09  # likewise, for a place beyond the numbers
_CLOSE, _TRIES = 0.8, 3  # of the usual room of a label; and how often more ticks are asked for
_NO_ERROR, _REFUSED = "0", "refused"


class ErrorAxis:
    """Places errors on an axis: 0 at its start, refusals (infinite errors) at its end.

    `axis`: becomes logarithmic. `unit`: unit of the tick labels. `low`, `high`: between them errors are to
    scale. `zero`, `refused`: where no error and refusals stand, in data coordinates. `has_zero`,
    `has_refused`: whether these places are used.
    """

    def __init__(self, axis: AnyAxis, unit: str) -> None:
        self._axis = axis
        self._limits: tuple[float, float] | None = None
        self.has_zero = self.has_refused = False
        self._set(0.1, 1.0)
        vertical = axis.axis_name == "y"
        axis.axes.set(**{f"{axis.axis_name}lim": (0.1, 1.0)})  # positive before it is logarithmic
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        axis.set_major_locator(_Ticks(self))
        axis.set_major_formatter(_Format(self, tick_unit(unit) if vertical else unit))
        axis.axes.minorticks_off()

    def scale(self, drawn: Iterable[float]) -> None:
        """Choose limits in which all of these errors have their place; NaN is ignored."""
        values = np.fromiter(drawn, dtype=np.float64)
        known = values[np.isfinite(values) & (values > 0)]
        self.has_zero, self.has_refused = bool((values == 0).any()), bool(np.isposinf(values).any())
        top = float(known.max(initial=0.0)) or 1.0
        bottom = max(float(known.min(initial=top)), _DEEPEST * top)
        self._limits = logarithmic(self._limits, bottom, top)
        self._set(*self._limits)
        span = math.log(self.high / self.low)
        ends = [self.zero if self.has_zero else self.low, self.refused if self.has_refused else self.high]
        margin = math.exp(_MARGIN * span)
        limits = (ends[0] / margin, ends[1] * margin)
        if getattr(self._axis.axes, f"get_{self._axis.axis_name}lim")() != limits:
            self._axis.axes.set(**{f"{self._axis.axis_name}lim": limits})

    def locate(self, errors: ArrayLike) -> Floats:
        """Return where errors stand on the axis: what is too small at its start, infinities at its end."""
        values = np.asarray(errors, dtype=np.float64)
        small = self.zero if self.has_zero else self.low
        placed = np.where(values <= 0, small, np.where(np.isposinf(values), self.refused, values))
        return np.asarray(np.where(values > 0, np.maximum(placed, self.low), placed))

    def _set(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        step = math.exp(_END * math.log(high / low))
        self.zero, self.refused = low / step, high * step


class _Ticks(LogLocator):
    """Round numbers where errors are to scale, and the places beyond them."""

    def __init__(self, errors: ErrorAxis) -> None:
        super().__init__(floor=np.finfo(np.float64).tiny)
        self._errors = errors

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        e, axis = self._errors, axis_of(self)
        most = max(2, min(8, int(axis_length(axis) / label_space(axis, [e.low, e.high]))))
        ends = [position for position, used in ((e.zero, e.has_zero), (e.refused, e.has_refused)) if used]
        pixels = axis_length(axis) / math.log(vmax / vmin)
        for more in range(_TRIES):
            ticks = log_ticks(e.low, e.high, most + more)
            for end in ends:
                space = [label_space(axis, [position, end]) for position in ticks]
                apart = np.abs(np.log(ticks / end)) * pixels
                ticks = ticks[apart >= _CLOSE * np.array(space)]
            if ticks.size > 1:
                break
        return sorted([*ticks.tolist(), *ends])


class _Format(TickFormatter):
    """Numbers in their unit, and words for the places beyond them."""

    def __init__(self, errors: ErrorAxis, unit: str) -> None:
        super().__init__(unit, logarithmic=True)
        self._errors = errors

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        texts = super().format_ticks(values)
        e = self._errors
        labels = {e.zero: _NO_ERROR, e.refused: _REFUSED}
        return [labels.get(float(value), text) for value, text in zip(values, texts, strict=True)]

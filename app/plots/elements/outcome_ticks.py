"""Ticks of an axis of outcomes: numbers, a few values, and words for what is no number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axis import Axis

from app.plots.elements.scales import (
    GivenLocator,
    NiceLocator,
    TickFormatter,
    axis_length,
    axis_of,
    label_room,
    log_ticks,
)
from engine.array_types import Floats

_MAX_TICKS = 8  # ticks on an axis of logarithms
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
    axis.set_major_formatter(_Named(unit, texts, logarithms=logarithms))


class _Numbers(NiceLocator):
    """Round numbers, as far as they go, and further places."""

    def __init__(self, last: float, further: Sequence[float]) -> None:
        super().__init__()
        self._last = last
        self._further = further

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """Return the places of the ticks; numbers too near to a further place give way to it."""
        if self._last <= vmin:
            return list(self._further)
        axis, ticks = axis_of(self), self._numbers(vmin, min(vmax, self._last))
        for position in self._further:
            room = _CLOSE * label_room(axis, [*ticks, position]) * (vmax - vmin) / axis_length(axis)
            ticks = ticks[position - ticks >= room]
        return [*ticks.tolist(), *self._further]

    def _numbers(self, low: float, high: float) -> Floats:
        return np.array(super().tick_values(low, high))


class _Powers(_Numbers):
    """Places of round numbers on an axis of their logarithms."""

    def _numbers(self, low: float, high: float) -> Floats:
        axis = axis_of(self)
        most = int(axis_length(axis) / label_room(axis, [low, high]))
        return np.log10(log_ticks(10.0**low, 10.0**high, max(2, min(_MAX_TICKS, most))))


class _Named(TickFormatter):
    """Numbers with a unit, and words at some places."""

    def __init__(self, unit: str, words: Mapping[float, str], *, logarithms: bool = False) -> None:
        super().__init__(unit, logarithmic=logarithms)
        self._words = words

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        numbers = [value for value in values if value not in self._words]
        if self.logarithmic:
            numbers = [10.0**value for value in numbers]
        texts = iter(super().format_ticks(numbers))
        return [self._words[value] if value in self._words else next(texts) for value in values]

"""Ticks of an axis of outcomes: numbers, a few values, and words for what is no number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axis import Axis
from numpy.typing import NDArray

from app.plots.scales import GivenLocator, NiceLocator, TickFormatter, axis_length, label_room

_CLOSE = 0.8  # of the usual room of a label, between a number and a word


def outcome_ticks(
    axis: Axis, unit: str, last: float, values: Sequence[float], words: Mapping[float, str]
) -> None:
    """Give an axis round numbers up to `last`, or the few values there are, and places with words."""
    axis.set_major_locator(GivenLocator([*values, *words]) if values else _Numbers(last, tuple(words)))
    axis.set_major_formatter(_Named(unit, words))


class _Numbers(NiceLocator):
    """Round numbers, as far as they go, and further places."""

    def __init__(self, last: float, further: Sequence[float]) -> None:
        super().__init__()
        self._last = last
        self._further = further

    def tick_values(self, vmin: float, vmax: float) -> NDArray[np.float64]:
        """Return the places of the ticks; numbers too near to a further place give way to it."""
        if self._last <= vmin:
            return np.array(self._further)
        ticks = super().tick_values(vmin, min(vmax, self._last))
        for place in self._further:
            room = _CLOSE * label_room(self.axis, [*ticks, place]) * (vmax - vmin) / axis_length(self.axis)
            ticks = ticks[place - ticks >= room]
        return np.concatenate([ticks, self._further])


class _Named(TickFormatter):
    """Numbers with a unit, and words at some places."""

    def __init__(self, unit: str, words: Mapping[float, str]) -> None:
        super().__init__(unit)
        self._words = words

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Return the labels of all ticks of the axis."""
        numbers = [value for value in values if value not in self._words]
        texts = iter(super().format_ticks(numbers))
        return [self._words[value] if value in self._words else next(texts) for value in values]

"""Durations as users read them, from microseconds to minutes."""

from __future__ import annotations

from collections.abc import Sequence

from app.model.wording.numbers import number, plain, with_unit
from app.plots.elements.scales import TickFormatter

_UNITS = ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_MAX_SECONDS_IN_MINUTES = 2.0  # so long seconds are easier to compare


def duration(seconds: float, digits: int = 2) -> str:
    """Write seconds in the unit that keeps them short.

    >>> duration(0.0032), duration(0.00015), duration(75), duration(300)
    ('3.2\u202fms', '150\u202fµs', '75\u202fs', '5\u202fmin')
    """
    for size, unit in _UNITS:
        least = _MAX_SECONDS_IN_MINUTES * size if unit == "min" else size
        if seconds >= 0.9995 * least:
            return with_unit(number(seconds / size, digits), unit)
    size, unit = _UNITS[-1]
    return with_unit(number(seconds / size, digits), unit)


class DurationFormatter(TickFormatter):
    """Ticks of an axis of seconds."""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        return [plain(duration(float(value))) for value in values]

    def __call__(self, x: float, pos: int | None = None) -> str:
        return plain(duration(x))

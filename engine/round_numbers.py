"""Round numbers for the widths of bins and the ends of axes."""

from __future__ import annotations

import math

import numpy as np

_STEPS = np.array([1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])


def nice(value: float, *, up: bool) -> float:
    """Return the nearest round number above or below `value` > 0."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = _STEPS * power
    tolerance = 1e-9 * value
    return float(steps[steps >= value - tolerance].min() if up else steps[steps <= value + tolerance].max())

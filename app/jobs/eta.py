"""How long work will still take, from how fast it went lately."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 5.0
"""Seconds that count: the steps of longer work differ in pace, and the last one tells most."""

PATIENCE = 0.3
"""Seconds to look before the first guess."""


class RemainingTime:
    """Guesses the seconds left from the progress of the last seconds.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, fraction: float) -> float | None:
        """Note that `fraction` is done; return the seconds left, None while it cannot be known."""
        now = self._clock()
        if self._seen and fraction < self._seen[-1][1]:  # the work has begun anew
            self._seen.clear()
        self._seen.append((now, fraction))
        while len(self._seen) > 2 and now - self._seen[1][0] >= WINDOW:
            self._seen.popleft()
        then, before = self._seen[0]
        if now - then < PATIENCE or fraction <= before:
            return None
        return (1.0 - fraction) * (now - then) / (fraction - before)

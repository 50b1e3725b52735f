"""What is chosen to be compared: the contenders on a page, a sweep, and a question."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.mechanisms.base import Mechanism


@dataclasses.dataclass(frozen=True)
class ComparisonChoice:
    """The choices of the page "Compare", for the data of one page.

    Attributes
    ----------
    mechanisms : tuple of Mechanism or None
        The contenders; None while none were chosen, and all that fit are taken.
    sweep : str
        What is varied, as `engine.comparison.Sweep.name` says it.
    start, stop : float or None
        First and last value of the sweep; None follows from what is varied.
    steps : int
        How many values; 1 compares at `start` alone.
    runs : int or None
        Simulated releases of each contender at each value; None: as many as usually tell enough.
    seed : int
        What they are drawn from.
    within, share : float or None, float
        "Which epsilon for an error of at most `within` with probability `share`?"
    """

    mechanisms: tuple[Mechanism[Any], ...] | None = None
    sweep: str = "epsilon"
    start: float | None = None
    stop: float | None = None
    steps: int = 5
    runs: int | None = None
    seed: int = 1
    within: float | None = None
    share: float = 0.95


NO_CHOICE = ComparisonChoice()

"""Choices of a comparison: mechanisms, a sweep, and a question."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.mechanisms.base import Mechanism


@dataclasses.dataclass(frozen=True)
class ComparisonChoice:
    """The choices of the page "Compare", for the data of one page."""

    mechanisms: tuple[Mechanism[Any], ...] | None = None  # the mechanisms to compare; None for all that fit
    sweep: str = "epsilon"  # the varied quantity: a `Sweep.name` of `engine.comparison`
    # start, stop: first and last value of the sweep; None for the default of the quantity
    start: float | None = None
    stop: float | None = None
    steps: int = 5  # number of values; 1 compares at `start` alone
    # simulated releases of each mechanism at each value; None for a default that usually suffices
    runs: int | None = None
    seed: int = 1  # seed of the simulations
    # within, share: "Which epsilon for an error of at most `within` with probability `share`?"
    within: float | None = None
    share: float = 0.95


NO_CHOICE = ComparisonChoice()

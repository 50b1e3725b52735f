"""Choices of a comparison: mechanisms, a sweep, and a question."""

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
        The mechanisms to compare; None for all that fit.
    sweep : str
        The varied quantity: a `Sweep.name` of `engine.comparison`.
    start, stop : float or None
        First and last value of the sweep; None for the default of the quantity.
    steps : int
        Number of values; 1 compares at `start` alone.
    runs : int or None
        Simulated releases of each mechanism at each value; None for a default that usually suffices.
    seed : int
        Seed of the simulations.
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

"""Exact counts, which are not differentially private: a record is hidden where cells hold many."""

from __future__ import annotations

from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter

WHY_NOT_DP = (
    "not differentially private: some neighbouring databases are told apart with certainty, so no "
    "epsilon holds, and nothing is promised of several releases together"
)


def points_t() -> int:
    """Declare t, the number of points among which a record is hidden."""
    declared: int = parameter(
        default=50,
        lower=2,
        label="Points t",
        help="How many points a record is to be hidden among.",
    )
    return declared


def too_few_to_hide(t: int, n: int, otherwise: str) -> tuple[Problem, ...]:
    """Note a t above n; `otherwise` says what becomes of bounds that are hardly cut."""
    if t <= n:
        return ()
    message = (
        f"t = {grouped(t)} is more than n = {grouped(n)}: no record is hidden among so many, and {otherwise}"
    )
    return (Problem("t", message),)

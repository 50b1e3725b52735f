"""Neighbouring databases on which mistakes show.

A pair is public if it follows from bounds and sizes alone.  A pair that is made of the data at
hand tells about them, and so does everything that is drawn from it.
"""

from __future__ import annotations

from typing import Any

from engine.audit.pair import Pair
from engine.audit.pairs_of_columns import pairs_of_columns
from engine.mechanisms import Sanitizer, ScalarMechanism
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

COLUMN = 101
"""Records of a built-in column: so many that a majority can be far from tipping."""

ASSUMED = Privacy(1.0, 1e-6)
"""What decides whether a mechanism fits so few records, where nobody says otherwise."""


def built_in(mechanism: Mechanism[Any], domain: Any, n: int, privacy: Privacy = ASSUMED) -> tuple[Pair, ...]:
    """Return public pairs for whatever a mechanism reads; the first is the worst for most mistakes.

    Parameters
    ----------
    mechanism : Mechanism
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        The public size.  Pairs are smaller where the mechanism allows it: that is quicker.
    privacy : Privacy
        What will be promised; the smallest size can depend on it.
    """
    size = fitting(mechanism, domain, n, COLUMN, privacy)
    assert isinstance(mechanism, ScalarMechanism)
    return pairs_of_columns(mechanism.query, domain, size)


def reads(mechanism: Mechanism[Any]) -> str:
    """Return which kind of data a mechanism reads: "column", "points" ..."""
    if isinstance(mechanism, ScalarMechanism):
        return mechanism.query.reads
    assert isinstance(mechanism, Sanitizer)
    return mechanism.reads


def fitting(mechanism: Mechanism[Any], domain: Any, n: int, fewest: int, privacy: Privacy) -> int:
    """Return a size from `fewest` on, at most n, for which the mechanism finds no problem."""
    size = min(n, fewest)
    while size < n and mechanism.problems(privacy, domain, size):
        size = min(n, 2 * size)
    return size

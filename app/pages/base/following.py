"""What pages follow of the state, and what they say while they cannot."""

from __future__ import annotations

SHARED = frozenset(
    {"page", "dataset", "query", "noise", "parameters", "epsilon", "delta", "view", "releases"}
)
"""The fields of the state that every page follows."""

STALE = "The picture still shows the last choices that made sense."
CANCELLED = "Cancelled. Change anything, or open another picture, to draw again."

"""The names of the pictures that each page has, for those who open one by name."""

from __future__ import annotations

from app.model.pages.registry import PAGES

COMPARE, AUDIT = "compare", "audit"
"""The workspace about comparisons, and the picture that every page has."""

_OF_COMPARE = ("errors", "frontier", "time", "table", "needed")


def tabs_of(place: str) -> tuple[str, ...]:
    """Return the pictures of a page, or of the workspace that shows errors."""
    return _OF_COMPARE if place == COMPARE else (*(spec.name for spec in PAGES[place].pictures), AUDIT)

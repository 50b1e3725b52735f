"""The names of the pictures that each page has, for those who open one by name."""

from __future__ import annotations

from app.model.pages.registry import PAGES

COMPARE, AUDIT = "compare", "audit"
"""The workspace about comparisons, and the picture that every page has."""

_TABS = {
    "histogram": (
        "cells",
        "levels",
        "tree",
        "isolation",
        "attacks",
        "compare",
        "radii",
        "matrix",
        "points",
        "table",
        "bars",
        AUDIT,
    ),
    COMPARE: ("errors", "frontier", "time", "table", "needed"),
}


def places_with_tabs() -> tuple[str, ...]:
    """Return the pages, and the workspace that shows errors."""
    return (*dict.fromkeys((*PAGES, *_TABS)),)


def tabs_of(place: str) -> tuple[str, ...]:
    """Return the pictures of a page, or of the workspace that shows errors."""
    if place in PAGES:
        return (*(spec.name for spec in PAGES[place].pictures), AUDIT)
    return _TABS[place]

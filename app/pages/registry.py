"""The names of the pictures that each page has, for those who open one by name."""

from __future__ import annotations

from collections.abc import Mapping

from app.model.pages.registry import PAGES

COMPARE, AUDIT = "compare", "audit"
"""The workspace about comparisons, and the picture that every page has."""

TABS: Mapping[str, tuple[str, ...]] = {
    **{page.name: (*(spec.name for spec in page.pictures), AUDIT) for page in PAGES.values()},
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
"""The pictures of each page, and of the workspace that shows errors."""

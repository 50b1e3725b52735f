"""The names of the pictures that each page has, for those who open one by name."""

from __future__ import annotations

from collections.abc import Mapping

COMPARE, AUDIT = "compare", "audit"
"""The workspace about comparisons, and the picture that every page has."""

CURVES = ("k", "epsilon", "path", "noise", "distribution", AUDIT)
TABS: Mapping[str, tuple[str, ...]] = {
    "median": CURVES,
    "spanning-tree": CURVES,
    "clustering": ("data", "blocks", "outputs", "aggregate", "noise", "release", AUDIT),
    "one-cluster": ("ball", "number", "radius", "boxes", "runs", "axes", "sides", AUDIT),
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

"""The names of the pictures that each page has, for those who open one by name."""

from __future__ import annotations

from collections.abc import Mapping

CURVES = ("k", "epsilon", "path", "noise", "distribution")
TABS: Mapping[str, tuple[str, ...]] = {
    "median": CURVES,
    "spanning-tree": CURVES,
    "clustering": ("data", "blocks", "outputs", "aggregate", "noise", "release"),
    "one-cluster": ("ball", "number", "radius", "boxes", "runs", "axes", "sides"),
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
    ),
}
"""The pictures of each page."""

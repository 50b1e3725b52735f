"""The registry of finders, the methods that find a ball."""

from __future__ import annotations

from engine.components import Registry, registry_of
from engine.mechanisms.one_cluster.best import CELLS_UP_TO, best
from engine.mechanisms.one_cluster.search import Finder

AUTO = "auto"
FINDERS: Registry[type[Finder]] = registry_of(
    "finder",
    {
        "overlapping-cells": "engine.mechanisms.one_cluster.overlapping_cells:OverlappingCells",
        "wide-boxes": "engine.mechanisms.one_cluster.in_boxes:WideBoxes",
        "tight-boxes": "engine.mechanisms.one_cluster.tight_boxes:TightBoxes",
    },
)
FORMER_NAMES = (("a", "wide-boxes"), ("b", "overlapping-cells"), ("c", "tight-boxes"))
"""Letters in session files, ledgers and scripts of earlier versions."""


def ways(method: str) -> tuple[Finder, ...]:
    """Return all finders that a name may stand for in some dimension."""
    return (best(1), best(CELLS_UP_TO + 1)) if method == AUTO else (FINDERS[method](),)


def finder(method: str, dimension: int) -> Finder:
    """Return the finder of a name; "auto" is overlapping cells up to d = 6, and tight boxes above."""
    if method == AUTO:
        return best(dimension)
    return FINDERS[method]()

"""The choice of a finder by the dimension alone."""

from __future__ import annotations

from engine.mechanisms.one_cluster.overlapping_cells import OverlappingCells
from engine.mechanisms.one_cluster.search import Finder
from engine.mechanisms.one_cluster.tight_boxes import TightBoxes

CELLS_UP_TO = 6
"""Largest dimension for overlapping cells."""


def best(dimension: int) -> Finder:
    """Return overlapping cells for up to six dimensions, and tight boxes above."""
    return OverlappingCells() if dimension <= CELLS_UP_TO else TightBoxes()

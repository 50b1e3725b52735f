"""The ways of finding a ball, by name."""

from __future__ import annotations

from engine.mechanisms.one_cluster.overlapping_cells import OverlappingCells
from engine.mechanisms.one_cluster.published import Published
from engine.mechanisms.one_cluster.search import Finder
from engine.mechanisms.one_cluster.variant_a import WideBoxes
from engine.mechanisms.one_cluster.variant_c import TightBoxes

AUTO = "auto"
CELLS_UP_TO = 6
"""Up to this dimension the overlapping cells are the best way."""

FINDERS: dict[str, type[Finder]] = {
    finder.name: finder for finder in (OverlappingCells, WideBoxes, TightBoxes, Published)
}


def finder(method: str, dimension: int) -> Finder:
    """Return a way of finding by its name; "auto" is b for up to six dimensions, and c above."""
    if method == AUTO:
        return OverlappingCells() if dimension <= CELLS_UP_TO else TightBoxes()
    return FINDERS[method]()

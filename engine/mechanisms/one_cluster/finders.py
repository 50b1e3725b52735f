"""The ways of finding a ball, by name."""

from __future__ import annotations

from engine.mechanisms.one_cluster.best import best
from engine.mechanisms.one_cluster.overlapping_cells import OverlappingCells
from engine.mechanisms.one_cluster.published import Published
from engine.mechanisms.one_cluster.search import Finder
from engine.mechanisms.one_cluster.variant_a import WideBoxes
from engine.mechanisms.one_cluster.variant_c import TightBoxes

AUTO = "auto"
FINDERS: dict[str, type[Finder]] = {
    finder.name: finder for finder in (OverlappingCells, WideBoxes, TightBoxes, Published)
}


def finder(method: str, dimension: int) -> Finder:
    """Return a way of finding by its name; "auto" is b for up to six dimensions, and c above."""
    if method == AUTO:
        return best(dimension)
    return FINDERS[method]()

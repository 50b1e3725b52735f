"""What pictures of trees and facilities on cells show."""

from __future__ import annotations

import dataclasses

from engine.analysis.histogram_cells import CellsAlong
from engine.analysis.histogram_trees import HistogramTrees
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval


@dataclasses.dataclass(frozen=True, eq=False)
class TreeView:
    """The tree or the facilities on cells, and the true ones beside them; None is not drawn.

    `records` and the true tree are private; all else follows from the histogram, and is private
    unless that was `released`.

    Attributes
    ----------
    directions : tuple of Direction
        One or two.
    window : tuple of Interval
    cells : CellsAlong
    trees : HistogramTrees
    records : Records or None
    released : bool
    caption : str
        What is said below a saved picture.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    cells: CellsAlong
    trees: HistogramTrees
    records: Records | None = None
    released: bool = False
    caption: str = ""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own."""
        return ()

"""What pictures of trees and facilities on cells show."""

from __future__ import annotations

import dataclasses

from app.plots.elements.floats import Floats
from app.plots.histogram.view import PlottedCells
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval


@dataclasses.dataclass(frozen=True, eq=False)
class DrawnTree:
    """A tree along a = 1 or 2 directions.

    Attributes
    ----------
    starts, ends : ndarray, shape (k, a)
        Where the edges begin and end.
    cost : float
        Total length, in the unit of the data.
    """

    starts: Floats
    ends: Floats
    cost: float


@dataclasses.dataclass(frozen=True, eq=False)
class DrawnFacilities(DrawnTree):
    """Facilities along a = 1 or 2 directions: edges lead from cells or records to the nearest of them.

    Attributes
    ----------
    open : ndarray, shape (k, a)
        Where they are.
    price : float
        Of one facility; `cost` holds that of all of them, too.
    in_truth : float or None
        What those of cells cost all records, in truth (private).
    """

    open: Floats
    price: float
    in_truth: float | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class TreeView:
    """The tree or the facilities on cells, and the true ones beside them; None is not drawn.

    `records` and `truth` are private; `tree`, `cells` and the costs below follow from the
    histogram, and are private unless it was `released`.

    Attributes
    ----------
    directions : tuple of Direction
        One or two.
    window : tuple of Interval
    cells : PlottedCells
    tree : DrawnTree
        Minimum spanning tree of the occupied cells, between their middles; its cost is the upper
        estimate under d_H, with the points that share a cell.  Or facilities.
    resampled : float or None
        Cost of the tree of points drawn evenly from the cells.
    truth : DrawnTree or None
        The same of the records.
    records : Records or None
    unit : str
        Of the costs.
    released : bool
    caption : str
        What is said below a saved picture.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    cells: PlottedCells
    tree: DrawnTree
    resampled: float | None = None
    truth: DrawnTree | None = None
    records: Records | None = None
    unit: str = ""
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

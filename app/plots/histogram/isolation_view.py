"""What pictures of a query point on cells show."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.plots.elements.floats import Floats
from engine.analysis.histogram_cells import CellsAlong
from engine.analysis.isolation_test import IsolationTest
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationView:
    """A query point on the cells, and whether it isolates a point; None is not drawn.

    `records` and `verdict` are private; `query`, `c` and `t` are public; `cells` are private
    unless they were `released`.

    Attributes
    ----------
    directions : tuple of Direction
        One or two; a of them below.
    window : tuple of Interval
    cells : CellsAlong
    query : ndarray, shape (a,)
        q.
    c : float
        How many times δ the larger ball reaches.
    t : int
        So many points within it protect each other.
    records : Records or None
    verdict : IsolationTest or None
    axes : tuple of int
        The coordinates that are drawn: where the data have more, balls are larger than they look full.
    released : bool
    caption : str
        What is said below a saved picture.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    cells: CellsAlong
    query: Floats
    c: float
    t: int
    records: Records | None = None
    verdict: IsolationTest | None = None
    axes: tuple[int, ...] = (0, 1)
    released: bool = False
    caption: str = ""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own where there is one direction, the first one highest."""
        return ("records",) * (self.records is not None) + ("cells", "query")

    @property
    def nearest(self) -> Floats | None:
        """The nearest record, shape (a,) (private)."""
        return None if self.verdict is None else self.verdict.nearest[list(self.axes)]

    def moved(self, x: float, y: float) -> Floats:
        """Return q as it is when it is dragged to a place of the axes, within the bounds."""
        return self._inside(np.array([x, y])[: len(self.directions)])

    def stepped(self, right: int, up: int) -> Floats:
        """Return q as it is after arrow keys, each a hundredth of what is in view, within the bounds."""
        widths = np.array([side.width for side in self.window])
        return self._inside(self.query + np.array([right, up])[: len(widths)] * widths / 100)

    def _inside(self, place: Floats) -> Floats:
        sides = [direction.side for direction in self.directions]
        inside: Floats = np.clip(place, [side.lower for side in sides], [side.upper for side in sides])
        return inside

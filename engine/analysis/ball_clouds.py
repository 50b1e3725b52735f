"""What pictures of balls show: records, boxes, balls that are or could be released, the true ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.array_types import Floats, Ints
from engine.domain import Interval
from engine.findings import Finding
from engine.shown import ShownInALine

MOST_BOXES = 300
"""Largest number of boxes that are drawn."""


@dataclasses.dataclass(frozen=True, eq=False)
class Disc:
    """A ball as it looks along a = 1 or 2 directions at right angles; `ball_scene` finds them.

    Attributes
    ----------
    center : ndarray, shape (a,)
    radius : float
    held : int or None
        How many records are in the ball, along all directions (private).
    """

    center: Floats
    radius: float
    held: int | None = None


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Boxes(ShownInALine):
    """Boxes that hold records (private), from `boxes_scene`.

    Attributes
    ----------
    lower, upper : ndarray, shape (m, a)
    counts : ndarray of int, shape (m,)
        How many records each holds.
    chosen : int or None
        The place of the one that won; it may be empty.
    side : float
        How wide each is along every column, in the unit of the data.
    held : int
        How many boxes hold records; the fullest are here.
    partition, partitions : int
        Which of the partitions that were drawn it is, from 0, and how many there are.
    """

    lower: Floats
    upper: Floats
    counts: Ints
    chosen: int | None
    side: float
    held: int
    partition: int = 0
    partitions: int = 1

    @property
    def shown(self) -> Ints:
        """The places of those that are drawn: the fullest, the fullest one last."""
        return np.argsort(self.counts, kind="stable")[-MOST_BOXES:]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallCloud(ShownInALine):
    """Balls in the space of the data; None and empty tuples are not drawn.

    `ball_scene`, `boxes_scene` and `records_scene` return one.  Only `directions` (unless they say
    otherwise), `n`, `target` and, unless they are simulated, `balls` and `mean` are public; all else is
    private.

    Attributes
    ----------
    directions : tuple of Direction
        One or two; a of them below.
    window : tuple of Interval
        What is in view along each of them.
    records : Records or None
        The data.
    balls : tuple of Disc
        What was released, or one simulated release; several of k balls.
    truth : tuple of Disc
        The smallest balls around records that hold as many.
    mean, true_mean : ndarray, shape (a,), or None
        That of the records in the ball, as it is released; and in the true one.
    boxes : Boxes or None
    n : int
        How many records there are.
    simulated : bool
        Whether `balls` and `mean` are simulated, and so private.
    target : int
        t: how many records a ball is to hold.
    projected : bool
        Whether boxes were drawn in a projection, and have no place here.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    records: Records | None = None
    balls: tuple[Disc, ...] = ()
    truth: tuple[Disc, ...] = ()
    mean: Floats | None = None
    true_mean: Floats | None = None
    boxes: Boxes | None = None
    n: int = 0
    simulated: bool = False
    target: int = 0
    projected: bool = False

    @property
    def is_closeup(self) -> bool:
        """Whether less is in view than there is."""
        return self.window != tuple(direction.side for direction in self.directions)

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""
        return len(self.directions) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, in the order of its lanes; means lie in the lanes of their balls."""
        there = {
            "records": self.records is not None,
            "boxes": self.boxes is not None,
            "truth": bool(self.truth) or self.true_mean is not None,
            "balls": bool(self.balls) or self.mean is not None,
        }
        return tuple(kind for kind, known in there.items() if known)

    def findings(self) -> Iterator[Finding]:
        """Yield balls, means and boxes, along the directions."""
        kind = "simulated ball" if self.simulated else "released ball"
        for name, discs in ((kind, self.balls), ("true ball", self.truth)):
            for disc in discs:
                public = disc.held is None and not self.simulated
                yield Finding(f"{name}: center", disc.center, public)
                yield Finding(f"{name}: radius", disc.radius, public)
                if disc.held is not None:
                    yield Finding(f"{name}: records in it", disc.held)
        means = {"mean inside": self.mean, "true mean inside": self.true_mean}
        yield from (Finding(name, mean) for name, mean in means.items() if mean is not None)
        if self.boxes is not None:
            yield Finding("boxes that hold records", self.boxes.held)
            yield Finding("records in each of the fullest", self.boxes.counts)
            yield Finding("side of a box", self.boxes.side)

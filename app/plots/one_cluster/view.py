"""What a picture of balls shows: records, boxes, balls that are or could be released, the true ones."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from app.plots.clustering.cloud_view import Direction, Records
from app.plots.elements.floats import Floats
from engine.domain import Interval

MOST_BOXES = 300
"""Largest number of boxes that are drawn."""


_AROUND, _CLOSEST = 2.5, 1e-4  # of a close-up: in sizes of the balls, and as a share of the sides


@dataclasses.dataclass(frozen=True, eq=False)
class Disc:
    """A ball as it looks along a = 1 or 2 directions at right angles.

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


@dataclasses.dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes that hold records (private).

    Attributes
    ----------
    lower, upper : ndarray, shape (m, a)
    counts : ndarray of int, shape (m,)
        How many records each holds.
    chosen : int or None
        The place of the one that won; it may be empty.
    words : str
        What boxes they are: "cells of side 0.25", "try 3 of 12".
    """

    lower: Floats
    upper: Floats
    counts: NDArray[np.int64]
    chosen: int | None
    words: str

    @property
    def shown(self) -> NDArray[np.int64]:
        """The places of those that are drawn: the fullest, the fullest one last."""
        return np.argsort(self.counts, kind="stable")[-MOST_BOXES:]


@dataclasses.dataclass(frozen=True, eq=False)
class BallView:
    """Balls in the space of the data; None and empty tuples are not drawn.

    Only `directions` (unless they say otherwise), `n`, `target` and, unless they are simulated,
    `balls` and `mean` are public; all else is private.

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
    runs : ndarray, shape (r, a + 1), or None
        Centers and radii of more simulated releases; NaN where there was no ball.
    mean, true_mean : ndarray, shape (a,), or None
        That of the records in the ball, as it is released; and in the true one.
    boxes : Boxes or None
    n : int
        How many records there are.
    simulated : bool
        Whether `balls` and `mean` are simulated, and so private.
    target : int
        t: how many records a ball is to hold.
    """

    directions: tuple[Direction, ...]
    window: tuple[Interval, ...]
    records: Records | None = None
    balls: tuple[Disc, ...] = ()
    truth: tuple[Disc, ...] = ()
    runs: Floats | None = None
    mean: Floats | None = None
    true_mean: Floats | None = None
    boxes: Boxes | None = None
    n: int = 0
    simulated: bool = False
    target: int = 0

    def closeup(self) -> tuple[Interval, ...]:
        """Return a window around all balls, or around what is in view now where there are none."""
        discs = (*self.balls, *self.truth)
        if not discs:
            return self.window
        low = np.min([disc.center - disc.radius for disc in discs], axis=0)
        high = np.max([disc.center + disc.radius for disc in discs], axis=0)
        sizes = np.array([direction.side.width for direction in self.directions])
        # as large a share of every side, so that the shape of the picture stays what it is
        share = max(_CLOSEST, float((_AROUND * (high - low) / sizes).max()))
        if share >= 1:
            return tuple(direction.side for direction in self.directions)
        middle, reach = (low + high) / 2, share * sizes / 2
        ends = zip((middle - reach).tolist(), (middle + reach).tolist(), strict=True)
        return tuple(Interval(*pair) for pair in ends)

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
            "runs": self.runs is not None,
            "balls": bool(self.balls) or self.mean is not None,
        }
        return tuple(kind for kind, known in there.items() if known)

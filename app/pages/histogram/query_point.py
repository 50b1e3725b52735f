"""The query point of the test of isolation: where an attacker guesses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.domain import Box

Attack = tuple[str, int]
"""The name of an attack, and its seed."""


class QueryPoint:
    """Where the query point is, which attack put it there, and how far it was moved since.

    The place itself may tell of the data: what is kept of it is the attack and the moves alone.

    Attributes
    ----------
    place : tuple of float, or None
        None for the middle of the bounds, and until the attack has put it somewhere.
    attack : (str, int) or None
        The attack that put it where it was last put by one.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget where it was put."""
        self.restore(None, ())

    def restore(self, attack: Attack | None, moves: Sequence[float]) -> None:
        """Wait for the attack, and move the point on from there."""
        self.place: tuple[float, ...] | None = None
        self.attack = attack
        self._put: tuple[float, ...] = ()
        self._moves = tuple(moves)

    def within(self, domain: Any) -> tuple[float, ...] | None:
        """Return where it is, within the bounds of now."""
        if self.place is None or not isinstance(domain, Box) or len(self.place) != domain.dimension:
            return None
        return tuple(side.clamp(x).item() for side, x in zip(domain.sides, self.place, strict=True))

    def put(self, attack: Attack | None, position: tuple[float, ...]) -> bool:
        """Take the place where an attack has put it; tell whether it was moved on as it had been before."""
        moves, self._moves = self._moves, ()
        steps = (*moves, *(0.0 for _ in position))
        self.place = tuple(value + step for value, step in zip(position, steps, strict=False))
        self.attack, self._put = attack, position
        return any(moves)

    def move(self, axes: Sequence[int], values: Sequence[float]) -> bool:
        """Put it elsewhere along some axes; tell whether it was anywhere."""
        if self.place is None:
            return False
        moved = list(self.place)
        for axis, value in zip(axes, values, strict=True):
            moved[axis] = value
        self.place = tuple(moved)
        return True

    def moves(self, domain: Any) -> tuple[float, ...]:
        """Return how far it was moved by hand from where it was put, along each axis; () if nowhere."""
        if self.place is None:
            return self._moves
        pairs = enumerate(zip(self.place, self._put, strict=True))
        steps = tuple(
            _step(domain, axis, now, now - put) if now != put else 0.0 for axis, (now, put) in pairs
        )
        return steps if any(steps) else ()


def _step(domain: Any, axis: int, now: float, step: float) -> float:
    """Return how far a point was moved along an axis; across all of it if it stands at a bound.

    From a bound, the very step would lead back to where the attack had put the point.
    """
    if not isinstance(domain, Box):
        return step
    side = domain.sides[axis]
    return math.copysign(side.width, step) if now in (side.lower, side.upper) else step

"""Where the points of a cloud are drawn: as they are, or in lanes where there is one direction."""

from __future__ import annotations

import numpy as np

from app.plots.clustering.drawn_space import DrawnSpace
from app.plots.sensitivity.dot_strip import jitter
from engine.array_types import Floats

AIR = 0.03
"""Around the window, as a share of it."""

_CROWDS = ("records", "outputs")
HALF_LANE = 0.34
_TURN = np.linspace(0, 2 * np.pi, 72, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_BAR = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def lanes(view: DrawnSpace) -> dict[str, int]:
    """Return the height of the lane of each kind that there is."""
    return {kind: -lane for lane, kind in enumerate(view.kinds)}


def limits(view: DrawnSpace) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the limits of both axes."""
    sides = [(side.lower - AIR * side.width, side.upper + AIR * side.width) for side in (view.window * 2)[:2]]
    if view.flat:
        sides[1] = (0.4 - max(len(lanes(view)), 1), 0.6)
    return sides[0], sides[1]


def placed(view: DrawnSpace, kind: str, points: Floats | None) -> Floats:
    """Return points as they are drawn, shape (size, 2)."""
    if points is None:
        return np.empty((0, 2))
    rows = points.reshape(-1, len(view.directions))
    if not view.flat:
        return rows
    heights = np.full(len(rows), float(lanes(view)[kind]))
    if kind in _CROWDS:
        heights += 2 * HALF_LANE * (jitter(len(rows)) - 0.5)
    return np.column_stack([rows[:, 0], heights])


def outlines(view: DrawnSpace, kind: str, middles: Floats, sizes: Floats) -> list[Floats]:
    """Return ellipses with half-axes `sizes` around points; of one direction, bars in a lane."""
    shape, height = (_BAR, HALF_LANE) if view.flat else (_CIRCLE, None)
    return [
        at + shape * (size if height is None else (size[0], height))
        for at, size in zip(placed(view, kind, middles), sizes, strict=True)
    ]


def frame(view: DrawnSpace) -> Floats:
    """Return the corners of the public box; directions found in the data have none."""
    if any(direction.private for direction in view.directions):
        return np.empty((0, 2))
    low, high = view.directions[0].side.lower, view.directions[0].side.upper
    bottom, top = -1.0 - len(lanes(view)), 1.0  # out of view
    if not view.flat:
        bottom, top = view.directions[1].side.lower, view.directions[1].side.upper
    return np.array([(low, bottom), (high, bottom), (high, top), (low, top)])


def joined(shapes: list[Floats]) -> Floats:
    """Return closed outlines as one line with gaps."""
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for shape in shapes for part in (shape, shape[:1], gap)] or [gap])

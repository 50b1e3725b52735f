"""Where the cubes of a histogram were shifted to, and the planes that cut them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.array_types import Floats
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.histogram import Histogram

MOST_PLANES = 48
"""Planes along an axis that can be told apart."""


@dataclasses.dataclass(frozen=True, eq=False)
class ShiftPlanes:
    """The random shift and its planes at one level along a = 1 or 2 coordinates (public: it is drawn).

    Returned by `shift_planes`.

    Attributes
    ----------
    lower, upper : ndarray, shape (a,)
        Corners of the inflated cube, which reaches beyond the bounds.
    middle : ndarray, shape (a,)
        The place u that was drawn: the middle of the inflated cube.
    kept, dropped : tuple of a ndarrays
        Planes of each coordinate inside the bounds that cut cells, and those that are dropped, so
        that the cells along the perimeter belong to their neighbours.
    """

    lower: Floats
    upper: Floats
    middle: Floats
    kept: tuple[Floats, ...]
    dropped: tuple[Floats, ...]


def shift_planes(histogram: Histogram, *, axes: Sequence[int] = (0, 1), level: int) -> ShiftPlanes | None:
    """Return where the cubes were shifted to, and the planes of a level, unless there are too many.

    None for histograms that are not made of shifted cubes.
    """
    scheme = getattr(histogram, "scheme", None)
    if not isinstance(scheme, ShiftedCubes):
        return None
    middle = np.array([scheme.to_coordinates(scheme.shifts[axis], axis) for axis in axes], dtype=np.float64)
    width = scheme.box.width[list(axes)]
    kept, dropped = [], []
    for axis in axes:
        few = max(scheme.parts(level)) <= MOST_PLANES
        left = scheme.planes(level, axis)[1:-1] if few else np.empty(0)
        first = scheme.all_planes(level, axis)[1:-1] if few else np.empty(0)
        kept.append(left)
        dropped.append(first[~np.isin(first, left)])
    return ShiftPlanes(middle - width, middle + width, middle, tuple(kept), tuple(dropped))

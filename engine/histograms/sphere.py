"""Points that are well spread over a sphere, whose Voronoi cells are cells of the sphere."""

from __future__ import annotations

import functools

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.randomness import reproducible

CANDIDATES = 1 << 14
"""Directions among which the farthest is sought: in up to six dimensions a net of few hundreds is even."""


def spread_over_sphere(box: Box, count: int) -> Floats:
    """Return public points on a sphere around the middle of a box, shape (count, d), in data units.

    Two of these are equally far from the middle, so that the plane between their cells goes through it:
    a point is in the same cell as its projection from the middle onto the sphere, of whatever radius.  The
    radius is half of the shortest side's half.  So the cells of the space around these points, counted, are
    the cells of the sphere.

    Each is the farthest from those before it, of many directions that are the same for all boxes: well
    spread, and covering the sphere within about as much.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.2, whose region is a ball or a sphere, and 2.3,
    method 1.

    Parameters
    ----------
    box : Box
        Of at least two dimensions.
    count : int
        At least 2, and far fewer than `CANDIDATES`.

    Examples
    --------
    >>> points = spread_over_sphere(Box.of([0, 0], [2, 2]), 4)
    >>> np.linalg.norm(points - 1, axis=1).round(12).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    radius = float((box.upper - box.lower).min()) / 4
    return np.asarray(box.center + radius * _directions(box.dimension, count))


@functools.lru_cache(maxsize=16)
def _directions(dimension: int, count: int) -> Floats:
    """Return unit vectors, each the farthest from those before it."""
    drawn = reproducible(0).standard_normal((CANDIDATES, dimension))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    found = [0]
    nearest = drawn @ drawn[0]  # cosines: the largest is that of the nearest
    while len(found) < count:
        found.append(int(nearest.argmin()))
        np.maximum(nearest, drawn @ drawn[found[-1]], out=nearest)
    return drawn[found]

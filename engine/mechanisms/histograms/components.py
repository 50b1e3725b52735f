"""Public components of a mixture: each named by a point, to which all of its part of the space is nearest."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.histograms.voronoi import VoronoiHistogram, grow_voronoi
from engine.histograms.voronoi_centers import RANDOM_DIMENSIONS, Net
from engine.histograms.voronoi_region import Region
from engine.mechanisms.number_lists import point_list
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter
from engine.randomness import reproducible

CANDIDATES = 1 << 14
"""Directions among which the farthest is sought: in up to six dimensions a net of few hundreds is even."""

MAX_COMPONENTS = 1024
"""Components that can be named."""

_LATTICE = 1 << 16
"""Boxes that tell where the parts are."""

_SPHERE = re.compile(r"\s*sphere\s+(\d{1,9})\s*")
"""So many points spread over a sphere, in the place of points."""


def components_parameter(use: str, decided_by: tuple[str, ...] = ()) -> Any:
    """Declare the points that name components, with what is done with them, and beside what nothing is."""
    return parameter(
        default="",
        label="Components",
        decided_by=decided_by,
        help=f"A public point for each known component of a mixture, separated by semicolons: {use}. "
        "A record is in the part whose point is nearest. 'sphere 12' spreads 12 points over a sphere around "
        "the middle of the bounds: the parts are cells of the sphere, by the direction of a record.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2",
        advanced=True,
    )


def check_components(components: str) -> None:
    """Raise `ParameterError` if these are no points, and no number of them on a sphere."""
    _read(components)


def component_points(components: str, domain: Box) -> Floats | None:
    """Return the points that name components, shape (m, d); None if there are none."""
    on_sphere, points = _read(components)
    if on_sphere is not None:
        return spread_over_sphere(domain, on_sphere)
    return np.array(points) if points else None


def _read(components: str) -> tuple[int | None, tuple[tuple[float, ...], ...]]:
    """Return how many points are to be spread over a sphere, if any are, and those that are named."""
    on_sphere = _SPHERE.fullmatch(components)
    return (int(on_sphere[1]), ()) if on_sphere else (None, point_list(components, "components"))


def component_problems(components: str, domain: Box) -> tuple[Problem, ...]:
    """Refuse points of another space, beyond the bounds, that are the same, fewer than two, and too many."""
    message = _refusal(components, domain)
    return (Problem("components", message),) if message else ()


def _refusal(components: str, domain: Box) -> str:
    (on_sphere, points), d = _read(components), domain.dimension
    count = len(points) if on_sphere is None else on_sphere
    if on_sphere is None and not points:
        return ""
    if d > RANDOM_DIMENSIONS:
        return f"parts of {d} columns are not bounded; name none, or at most {RANDOM_DIMENSIONS} columns"
    for point in points:
        written = ", ".join(f"{number:g}" for number in point)
        if len(point) != d:
            return f"({written}) has {len(point)} coordinates; there are {d} columns"
        if (domain.clamp([point])[0] != np.array(point)).any():
            return f"({written}) lies beyond the bounds; name points within them"
    if on_sphere is not None and d < 2:
        return "a sphere has cells where there are several columns; name points"
    if len(set(points)) < len(points):
        return "two points are the same; name each component once"
    if not 2 <= count <= MAX_COMPONENTS:
        return f"{grouped(count)} is not possible; name 2 to {grouped(MAX_COMPONENTS)} points, or none"
    return ""


class Components:
    """The parts of a box that are nearest to public points: counts and cells of them, as of a `Grid`."""

    def __init__(self, box: Box, points: Floats) -> None:
        nothing = np.empty((0, box.dimension))
        cells = grow_voronoi(nothing, Region(box), _Given(), 2, 0, reproducible(0), first=points)
        self._cells = cells
        self.size = cells.size

    def counts(self, values: Floats) -> Ints:
        """Return how many points (n, d) each part holds, shape (m,)."""
        return np.bincount(self._cells.places(values), minlength=self.size)

    def histogram(self, counts: Floats) -> VoronoiHistogram:
        """Return the parts with these counts."""
        return dataclasses.replace(self._cells, counts=counts)


class _Given(Net):
    """No centers but those that are given."""

    def check(self, dimension: int) -> None:
        """Take as many dimensions as `component_problems`."""

    def lattice(self, dimension: int) -> int:
        return min(_LATTICE, super().lattice(dimension))


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

    The box has two dimensions or more, and `count` is at least 2, and far less than `CANDIDATES`.
    """
    radius = float((box.upper - box.lower).min()) / 4
    return np.asarray(box.center + radius * _directions(box.dimension, count))


@functools.lru_cache(maxsize=16)
def _directions(dimension: int, count: int) -> Floats:
    """Return unit vectors, each the farthest from those before it."""
    drawn = reproducible(0).standard_normal((CANDIDATES, dimension))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    picked = [0]
    nearest = drawn @ drawn[0]  # cosines: the largest is that of the nearest
    while len(picked) < count:
        picked.append(int(nearest.argmin()))
        np.maximum(nearest, drawn @ drawn[picked[-1]], out=nearest)
    return drawn[picked]

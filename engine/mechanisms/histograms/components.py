"""Public components of a mixture: each is a point, and owns the part of space nearest to it."""

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
"""Random directions to choose from; in up to six dimensions they suffice for a few hundred even points."""

MAX_COMPONENTS = 1024
"""Largest number of components."""

_LATTICE = 1 << 16
"""Number of boxes that index the parts."""

_SPHERE = re.compile(r"\s*sphere\s+(\d{1,9})\s*")
"""Spreads this many points over a sphere, instead of a list of points."""


def components_parameter(use: str, decided_by: tuple[str, ...] = ()) -> Any:
    """Declare the points of the components; `use` says how the mechanism uses them."""
    return parameter(
        default="",
        label="Components",
        holds="points",
        decided_by=decided_by,
        help=f"One public point for each known component of a mixture, separated by semicolons: {use}. "
        "Each record belongs to the nearest point. 'sphere 12' spreads 12 points over a sphere around the "
        "center of the bounds, so that a record belongs to the cell in its direction.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2",
        advanced=True,
    )


def check_components(components: str) -> None:
    """Raise `ParameterError` if the text is neither a list of points nor a number of points on a sphere."""
    _read(components)


def component_points(components: str, domain: Box) -> Floats | None:
    """Return the points of the components, shape (m, d); None if there are none."""
    on_sphere, points = _read(components)
    if on_sphere is not None:
        return spread_over_sphere(domain, on_sphere)
    return np.array(points) if points else None


def _read(components: str) -> tuple[int | None, tuple[tuple[float, ...], ...]]:
    """Return the number of points to spread over a sphere, or None, and the listed points."""
    on_sphere = _SPHERE.fullmatch(components)
    return (int(on_sphere[1]), ()) if on_sphere else (None, point_list(components, "components"))


def component_problems(components: str, domain: Box) -> tuple[Problem, ...]:
    """Return a problem for points that do not fit the columns or bounds, repetitions, or a bad number."""
    message = _refusal(components, domain)
    return (Problem("components", message),) if message else ()


def _refusal(components: str, domain: Box) -> str:
    (on_sphere, points), d = _read(components), domain.dimension
    count = len(points) if on_sphere is None else on_sphere
    if on_sphere is None and not points:
        return ""
    if d > RANDOM_DIMENSIONS:
        return f"components work with at most {RANDOM_DIMENSIONS} columns, not {d}; leave this empty"
    for point in points:
        written = ", ".join(f"{number:g}" for number in point)
        if len(point) != d:
            return f"({written}) has {len(point)} coordinates; there are {d} columns"
        if (domain.clamp([point])[0] != np.array(point)).any():
            return f"({written}) is outside the bounds; choose points inside"
    if on_sphere is not None and d < 2:
        return "a sphere needs at least two columns; list points instead"
    if len(set(points)) < len(points):
        return "two points are equal; list each component once"
    if not 2 <= count <= MAX_COMPONENTS:
        return f"{grouped(count)} is not possible; list 2 to {grouped(MAX_COMPONENTS)} points, or none"
    return ""


class Components:
    """The cells of a box that are nearest to public points; counts and makes histograms, as a `Grid` does."""

    def __init__(self, box: Box, points: Floats) -> None:
        nothing = np.empty((0, box.dimension))
        cells = grow_voronoi(nothing, Region(box), _Given(), 2, 0, reproducible(0), first=points)
        self._cells = cells
        self.size = cells.size

    def counts(self, values: Floats) -> Ints:
        """Return the number of points (n, d) in each part, shape (m,)."""
        return np.bincount(self._cells.places(values), minlength=self.size)

    def histogram(self, counts: Floats) -> VoronoiHistogram:
        """Return a histogram of the parts with these counts."""
        return dataclasses.replace(self._cells, counts=counts)


class _Given(Net):
    """The given centers and no others."""

    def check(self, dimension: int) -> None:
        """Accept any dimension; `component_problems` has checked it."""

    def lattice(self, dimension: int) -> int:
        return min(_LATTICE, super().lattice(dimension))


def spread_over_sphere(box: Box, count: int) -> Floats:
    """Return public points on a sphere around the center of a box, shape (count, d), in data units.

    All points are equally far from the center, so the plane between two cells goes through it.  A record is
    thus in the same cell as its projection onto the sphere, for any radius.  So counts of the cells around
    these points are counts of cells of the sphere.  The radius is a quarter of the shortest side.

    Each point is the one farthest from those before it, out of many random directions that are the same for
    all boxes.  The points are well spread, and they cover the sphere within about the same distance.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.2 (region: a ball or a sphere) and 2.3, method 1.

    The box must have at least two dimensions, and `count` must be at least 2 and far below `CANDIDATES`.
    """
    radius = float((box.upper - box.lower).min()) / 4
    return np.asarray(box.center + radius * _directions(box.dimension, count))


@functools.lru_cache(maxsize=16)
def _directions(dimension: int, count: int) -> Floats:
    """Return unit vectors, each the farthest from those before it."""
    drawn = reproducible(0).standard_normal((CANDIDATES, dimension))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    picked = [0]
    nearest = drawn @ drawn[0]  # cosine of the angle to the nearest chosen direction
    while len(picked) < count:
        picked.append(int(nearest.argmin()))
        np.maximum(nearest, drawn @ drawn[picked[-1]], out=nearest)
    return drawn[picked]

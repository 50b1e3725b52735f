"""Public components of a mixture: each named by a point, to which all of its part of the space is nearest."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.domain import Box
from engine.histograms.voronoi import VoronoiHistogram
from engine.histograms.voronoi_centers import RANDOM_DIMENSIONS, Net
from engine.histograms.voronoi_growth import grow_voronoi
from engine.histograms.voronoi_region import Region
from engine.mechanisms.number_lists import point_list
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter
from engine.randomness import reproducible

MOST = 1024
"""Components that can be named."""

_LATTICE = 1 << 16
"""Boxes that tell where the parts are."""


def components_parameter(use: str, decided_by: tuple[str, ...] = ()) -> Any:
    """Declare the points that name components, with what is done with them, and beside what nothing is."""
    return parameter(
        default="",
        label="Components",
        decided_by=decided_by,
        help=f"A public point for each known component of a mixture, separated by semicolons: {use}. "
        "A record is in the part whose point is nearest.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2",
        advanced=True,
    )


def check_components(components: str) -> None:
    """Raise `ParameterError` if these are no points."""
    point_list(components, "components")


def component_points(components: str) -> NDArray[np.float64] | None:
    """Return the points that name components, shape (m, d); None if there are none."""
    found = point_list(components, "components")
    return np.array(found) if found else None


def component_problems(components: str, domain: Box) -> tuple[Problem, ...]:
    """Refuse points of another space, beyond the bounds, that are the same, and fewer than two."""
    found, d = point_list(components, "components"), domain.dimension
    if not found:
        return ()
    if d > RANDOM_DIMENSIONS:
        return (
            _problem(
                f"parts of {d} columns are not bounded; name none, or at most {RANDOM_DIMENSIONS} columns"
            ),
        )
    for point in found:
        written = ", ".join(f"{number:g}" for number in point)
        if len(point) != d:
            return (_problem(f"({written}) has {len(point)} coordinates; there are {d} columns"),)
        if (domain.clamp([point])[0] != np.array(point)).any():
            return (_problem(f"({written}) lies beyond the bounds; name points within them"),)
    if len(set(found)) < len(found):
        return (_problem("two points are the same; name each component once"),)
    if not 2 <= len(found) <= MOST:
        return (_problem(f"{len(found)} is not possible; name 2 to {grouped(MOST)} points, or none"),)
    return ()


class Components:
    """The parts of a box that are nearest to public points: counts and cells of them, as of a `Grid`.

    Parameters
    ----------
    box : Box
    points : ndarray, shape (m, d)
    """

    def __init__(self, box: Box, points: NDArray[np.float64]) -> None:
        nothing = np.empty((0, box.dimension))
        cells = grow_voronoi(nothing, Region(box), _Given(), 2, 0, reproducible(0), first=points)
        self._cells = cells
        self.size = cells.size

    def counts(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return how many points (n, d) each part holds, shape (m,)."""
        return np.bincount(self._cells.places(values), minlength=self.size)

    def histogram(self, counts: NDArray[np.float64]) -> VoronoiHistogram:
        """Return the parts with these counts."""
        return dataclasses.replace(self._cells, counts=counts)


class _Given(Net):
    """No centers but those that are given."""

    def check(self, dimension: int) -> None:
        """Take as many dimensions as `component_problems`."""

    def lattice(self, dimension: int) -> int:
        """Return what can be afforded."""
        return min(_LATTICE, super().lattice(dimension))


def _problem(message: str) -> Problem:
    return Problem("components", message)

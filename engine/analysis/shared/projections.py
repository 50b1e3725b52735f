"""Project points on one or two directions: coordinates or principal components."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.memory import remembered
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.shown import ShownInALine

PRINCIPAL = 2
"""Number of available principal components."""

Axes = tuple[int, ...]
"""Horizontal and vertical direction: coordinates by index; from d on, principal components."""


def distinct_axes(axes: Axes, dimension: int) -> Axes:
    """Return the coordinates to draw: two different ones, if possible.

    >>> distinct_axes((1, 1), 3), distinct_axes((0, 5), 3), distinct_axes((0, 1), 1)
    ((1, 2), (0, 2), (0,))
    """
    if dimension == 1:
        return (0,)
    across, up = (min(axis, dimension - 1) for axis in axes)
    return across, up if up != across else (across + 1) % dimension


class Space(Protocol):
    """A space of points (public): `Points`, or data that a mechanism turns into points."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The name of each coordinate."""

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each coordinate."""

    @property
    def domain(self) -> Box:
        """Public bounds of each coordinate."""

    @property
    def n(self) -> int:
        """Number of records."""


@dataclasses.dataclass(frozen=True, repr=False)
class Direction(ShownInALine):
    """One axis of a plot: a column, a coefficient, or a direction derived from the data."""

    name: str
    unit: str
    side: Interval  # its range
    private: bool = False  # whether the direction is derived from the data, like principal components


class SpaceScene(ShownInALine):
    """Base of scenes along `directions`, with a visible `window`."""

    @property
    def flat(self: Any) -> bool:
        """Whether there is only one direction."""
        return len(self.directions) == 1

    @property
    def is_closeup(self: Any) -> bool:
        """Whether the window shows only a part."""
        pairs = zip(self.directions, self.window, strict=True)
        return any(seen.width < direction.side.width for direction, seen in pairs)


@dataclasses.dataclass(frozen=True, repr=False)
class Projection(ShownInALine):
    """A projection of points to positions in a plot; equal choices for the same data are identical."""

    directions: tuple[Direction, ...]  # a = 1 or 2
    middle: tuple[float, ...]  # the point at position 0, of length d
    vectors: tuple[tuple[float, ...], ...]  # a vectors of length d
    zoom: tuple[Interval, ...] | None = None  # visible part; None for all of `directions`

    def points(self, values: ArrayLike) -> Floats:
        """Return the positions of points, shape (..., d), as (..., a)."""
        return self.moves(np.asarray(values, dtype=np.float64) - np.array(self.middle))

    def moves(self, differences: ArrayLike) -> Floats:
        """Return the components of differences of points, shape (..., d), along the directions: (..., a)."""
        moved: Floats = np.asarray(differences, dtype=np.float64) @ np.array(self.vectors).T
        return moved

    @property
    def window(self) -> tuple[Interval, ...]:
        """Visible range along each direction."""
        return self.zoom or tuple(direction.side for direction in self.directions)


def along_coordinates(offered: Sequence[Direction], axes: Axes) -> Projection:
    """Return the projection on coordinates, from public facts alone; too large indices mean the last."""
    last = len(offered) - 1
    places = [min(index, last) for index in (axes[:1] if last == 0 else axes)]
    unit = np.eye(last + 1)
    return Projection(
        tuple(offered[index] for index in places),
        (0.0,) * (last + 1),
        tuple(tuple(unit[index].tolist()) for index in places),
    )


def columns_of(space: Space) -> tuple[Direction, ...]:
    """Return the coordinates of the data as directions (public)."""
    facts = zip(space.columns, space.units, space.domain.sides, strict=True)
    return tuple(Direction(name, unit, side) for name, unit, side in facts)


def along_columns(space: Space, axes: Axes = (0, 1)) -> Projection:
    """Return the projection of the data on their columns (public)."""
    return along_coordinates(columns_of(space), axes)


def project(data: Points, *, axes: Axes = (0, 1)) -> Projection:
    """Return the projection of points on columns or principal components."""
    d = data.domain.dimension
    if d == 1 or max(axes) < d:
        return along_columns(data, axes)
    middle, components = principal_components(data)
    chosen = [_direction(data, index, middle, components) for index in axes]
    return Projection(
        tuple(direction for direction, _ in chosen),
        tuple(middle.tolist()),
        tuple(tuple(vector.tolist()) for _, vector in chosen),
    )


def principal_components(data: Points) -> tuple[Floats, Floats]:
    """Return the mean, shape (d,), and the principal directions (private).

    The directions are the columns of an array (d, min(d, `PRINCIPAL`)): eigenvectors of the covariance by
    decreasing eigenvalue, with signs that make the largest entry positive.
    """
    return remembered(data, ("principal components",), lambda: _components(data))


def _components(data: Points) -> tuple[Floats, Floats]:
    middle = data.values.mean(axis=0)
    centred = data.values - middle
    _, vectors = np.linalg.eigh(centred.T @ centred)
    components = vectors[:, ::-1][:, :PRINCIPAL]
    largest = np.take_along_axis(components, np.abs(components).argmax(axis=0)[None], axis=0)
    return middle, components * np.where(largest < 0, -1.0, 1.0)


def _direction(data: Points, index: int, middle: Floats, components: Floats) -> tuple[Direction, Floats]:
    """Return a direction by its index, and its vector, shape (d,)."""
    box, d = data.domain, data.domain.dimension
    if index < d:
        low, high = np.array([box.lower[index], box.upper[index]]) - middle[index]
        name, unit = f"{data.columns[index]} − mean", data.units[index]
        return Direction(name, unit, Interval(low, high), private=True), np.eye(d)[index]
    vector = components[:, index - d]
    center = float((box.center - middle) @ vector)
    reach = float(np.abs(vector) @ box.width) / 2
    side = Interval(center - reach, center + reach)
    return Direction(f"principal component {index - d + 1}", "", side, private=True), vector


TILES = 64
"""Tiles along each axis in which points are counted."""


def tile_counts(points: Floats) -> Ints:
    """Return how many points share the tile of each point, in equal tiles of their range."""
    span = np.maximum(np.ptp(points, axis=0), np.finfo(np.float64).tiny)
    tiles = (TILES * ((points - points.min(axis=0)) / span)).astype(np.int64)
    _, tile, counts = np.unique(tiles @ [TILES + 1, 1], return_inverse=True, return_counts=True)
    result: Ints = counts[tile]
    return result

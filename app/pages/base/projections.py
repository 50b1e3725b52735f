"""Points along the directions that a person chose: coordinates, or those in which the data spread."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.kinds.points import PointsBuilder
from app.plots.clustering.cloud_view import Direction
from engine.data.points import Points
from engine.domain import Interval

PRINCIPAL = 2
"""How many principal components can be chosen."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Axes:
    """Which directions are drawn: coordinates by number; from d on, principal components."""

    across: int = 0
    up: int = 1

    def coordinates(self, dimension: int) -> tuple[int, ...]:
        """Return which coordinates are drawn: two different ones, where there are as many."""
        if dimension == 1:
            return (0,)
        across = min(self.across, dimension - 1)
        up = min(self.up, dimension - 1)
        return across, up if up != across else (across + 1) % dimension


@dataclasses.dataclass(frozen=True, eq=False)
class Projection:
    """How points become places in the picture.

    Attributes
    ----------
    directions : tuple of Direction
        a = 1 or 2.
    middle : ndarray, shape (d,)
    vectors : ndarray, shape (d, a)
    zoom : tuple of Interval, or None
        The part that is in view; None for all of `directions`.
    """

    directions: tuple[Direction, ...]
    middle: Floats
    vectors: Floats
    zoom: tuple[Interval, ...] | None = None

    def points(self, values: Any) -> Floats:
        """Return the places of points, shape (..., d), as (..., a)."""
        return (np.asarray(values, dtype=np.float64) - self.middle) @ self.vectors

    def moves(self, differences: Any) -> Floats:
        """Return how far differences of points, shape (..., d), reach: (..., a)."""
        return np.asarray(differences, dtype=np.float64) @ self.vectors

    @property
    def window(self) -> tuple[Interval, ...]:
        """What is in view along each direction."""
        return self.zoom or tuple(direction.side for direction in self.directions)


def columns(source: PointsBuilder) -> tuple[Direction, ...]:
    """Return the coordinates of the data as directions (public)."""
    facts = zip(source.columns, source.units, source.domain.sides, strict=True)
    return tuple(Direction(name, unit, side) for name, unit, side in facts)


def along(offered: Sequence[Direction], axes: Axes) -> Projection:
    """Return the projection on coordinates, from public facts alone."""
    last = len(offered) - 1
    chosen = (axes.across,) if last == 0 else (axes.across, axes.up)
    places = [min(place, last) for place in chosen]
    return Projection(
        tuple(offered[place] for place in places), np.zeros(last + 1), np.eye(last + 1)[:, places]
    )


def among_data(source: PointsBuilder, axes: Axes) -> Projection:
    """Return the projection of the data on their columns."""
    return along(columns(source), axes)


def of_data(source: PointsBuilder, points: Points, axes: Axes) -> Projection:
    """Return the projection on coordinates or principal components of the data (private)."""
    dimension = points.domain.dimension
    if max(axes.across, axes.up) < dimension:
        return among_data(source, axes)
    middle, components = principal_components(points)
    directions, vectors = [], []
    for place in (axes.across, axes.up):
        if place < dimension:
            vector = np.eye(dimension)[place]
            low, high = np.array([source.domain.lower[place], source.domain.upper[place]]) - middle[place]
            name, unit = source.columns[place], source.units[place]
            directions.append(Direction(f"{name} − mean", unit, Interval(low, high), private=True))
        else:
            number = place - dimension
            vector = components[:, number]
            center = float((points.domain.center - middle) @ vector)
            reach = float(np.abs(vector) @ points.domain.width) / 2
            directions.append(
                Direction(
                    f"principal component {number + 1}",
                    "",
                    Interval(center - reach, center + reach),
                    private=True,
                )
            )
        vectors.append(vector)
    return Projection(tuple(directions), middle, np.column_stack(vectors))


def principal_components(points: Points) -> tuple[Floats, Floats]:
    """Return the mean, and in columns the directions in which the data spread most (private)."""
    middle = points.values.mean(axis=0)
    centred = points.values - middle
    _, vectors = np.linalg.eigh(centred.T @ centred)
    components = vectors[:, ::-1][:, :PRINCIPAL]
    # of a direction and its opposite, the one whose largest entry is positive
    largest = np.take_along_axis(components, np.abs(components).argmax(axis=0)[None], axis=0)
    return middle, components * np.where(largest < 0, -1.0, 1.0)

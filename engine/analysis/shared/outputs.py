"""Where the outputs of a mechanism on points lie: among the data, or in a space of their own."""

from __future__ import annotations

from engine.analysis.shared.projections import (
    Axes,
    Direction,
    Projection,
    Space,
    along_coordinates,
    columns_of,
    project,
)
from engine.data.points import Points
from engine.mechanisms import PointsMechanism


def coordinates(mechanism: PointsMechanism, space: Space) -> tuple[Direction, ...]:
    """Return the directions that are coordinates of what is released (public)."""
    if mechanism.lives_with_data(space.domain):
        return columns_of(space)
    sides = mechanism.space(space.domain).box.sides
    names = mechanism.coordinates(space.columns, space.domain)
    return tuple(Direction(name, "", side) for name, side in zip(names, sides, strict=True))


def project_outputs(mechanism: PointsMechanism, data: Points, *, axes: Axes = (0, 1)) -> Projection:
    """Return the projection of outputs: that of the data where they live among them (private)."""
    if mechanism.lives_with_data(data.domain):
        return project(data, axes=axes)
    return along_coordinates(coordinates(mechanism, data), axes)

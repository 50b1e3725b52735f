"""Positions of released points: coordinates with their public ranges."""

from __future__ import annotations

from app.model.release_record import ReleaseRecord
from app.releases.run import Coordinate, RunRecord
from engine.aggregation.functions import FUNCTIONS
from engine.analysis.shared.projections import Direction
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.release import Release

DRAWN = 2
"""A picture shows the first two coordinates."""


def recorded_coordinates(record: ReleaseRecord) -> list[Coordinate]:
    """Return the coordinates of a point; none if the record does not hold them."""
    if isinstance(record, RunRecord):
        return record.run.coordinates
    box = recorded_box(record.release)
    if box is None or box.dimension != len(record.coordinates) or not is_among_data(record):
        return []
    return [
        Coordinate(name, record.unit, side) for name, side in zip(record.coordinates, box.sides, strict=True)
    ]


def is_among_data(record: ReleaseRecord) -> bool:
    """Return whether the released value lies in the space of the data."""
    name = record.release.parameters.get("function")
    return name is None or (name in FUNCTIONS and FUNCTIONS[name].among_data)


def recorded_box(release: Release) -> Box | None:
    """Return the public bounds of points; None if there are none."""
    known = release.parameters
    try:
        return Box.of(known["lower"], known["upper"])
    except (KeyError, ParameterError):
        return None


def directions_of(coordinates: list[Coordinate]) -> tuple[Direction, ...]:
    """Return the first coordinates as the directions of a picture."""
    return tuple(Direction(at.name, at.unit, at.side) for at in coordinates[:DRAWN])
